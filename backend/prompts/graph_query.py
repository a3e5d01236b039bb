"""A query of the graph source, `term , query`, as a plan words it and a search takes it apart."""

from typing import NamedTuple

JOIN = " , "


class GraphQuery(NamedTuple):
    """A term to look up, and what is wanted about it; query may be empty."""

    term: str
    query: str

    @property
    def text(self) -> str:
        return f"{self.term}{JOIN}{self.query}" if self.query else self.term


def graph_query(text: str) -> GraphQuery:
    """`term , query` taken apart; text without the mark between is a term alone."""
    term, _, query = text.partition(JOIN)
    return GraphQuery(term.strip(), query.strip())
