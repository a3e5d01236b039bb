"""Leapnote's backend: from a pasted note to a cited, checked draft."""

__version__ = "0.2.0"
