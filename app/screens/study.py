"""Placeholder while the rest is written."""
