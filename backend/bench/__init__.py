"""Rows of `python -m backend bench`: each measures one thing that docs/architecture.md sets a target for."""
