"""Rows of `python -m backend bench`: each measures one thing that the design sets a target for."""
