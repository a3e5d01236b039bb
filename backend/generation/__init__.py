"""Writing: the writers, what they write with, and the layout of what they wrote."""
