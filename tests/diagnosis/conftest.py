"""The same fixtures as retrieval's: what a ranking of conditions reads."""

from tests.retrieval.conftest import asked, linked

__all__ = ["asked", "linked"]
