"""One thing the patient is said to react to, as read."""

from typing import NamedTuple


class Entry(NamedTuple):
    """What the patient reacts to, over tokens first to last, last left out, and the code points that tell the reaction.

    said: further words that bear on the kind. rule_id: the row or grammar that read it.
    """

    first: int
    last: int
    reaction: str = ""
    said: str = ""
    rule_id: str = ""
