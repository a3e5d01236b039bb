"""Evidence: the named features of the statements of a note, and what parts each from the next."""

from typing import NamedTuple

BONDS = ("run", "cue", "line", "next", "apart", "section")
"""What parts two names: only names and doses, a word that tells something, a mark, the next sentence, more, or a section."""


class Evidence(NamedTuple):
    """The features of the statements of a note in order, each once, and what parts each from the next."""

    features: tuple[tuple[str, ...], ...]
    bonds: tuple[str, ...]
