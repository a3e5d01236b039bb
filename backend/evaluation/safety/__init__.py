"""Measures the safety check and the triage of letters; the command is `evaluate safety`."""
