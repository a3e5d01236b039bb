"""Measures searches, rankings and systems by what they retrieve; the command is `evaluate retrieval`."""

COMPARED = "bm25, cosine, weighted-0.3, hybrid, ranker:NAME, or a system's name"
"""What `--retrievers` takes, as the command's help, its error and docs/retrieval.md say it."""
