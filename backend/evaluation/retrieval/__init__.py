"""Measures searches, rankings and systems by what they retrieve; the command is `evaluate retrieval`."""

from enum import StrEnum

COMPARED = "bm25, cosine, weighted-0.3, hybrid, hybrid-asked, ranker:NAME, or a system's name"
"""What `--retrievers` takes, as the command's help, its error and docs/retrieval.md say it."""


class TestSet(StrEnum):
    """The sets of queries with judgements: three as they are published, or queries with TREC judgements."""

    MEDQUAD = "medquad"
    BIOASQ = "bioasq"
    PUBMEDQA = "pubmedqa"
    QUERIES = "queries"
