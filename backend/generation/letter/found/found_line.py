"""A line of "What was found and done" before it is chosen: its words, what it rests on, and what it is worth by kind."""

from typing import NamedTuple


class FoundLine(NamedTuple):
    """A sentence for the patient that a clause of the note tells.

    kind: its row in assets/rules/letter/found_weights.tsv. spans: of the note, the first tells where it stands. statement_ids: of the
    record. part: only a part of what the clause tells could be put in plain words.
    """

    text: str
    kind: str
    spans: tuple[tuple[int, int], ...]
    statement_ids: tuple[str, ...] = ()
    part: bool = False
