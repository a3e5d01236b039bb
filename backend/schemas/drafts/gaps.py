"""What only the team can fill in: a gap stands in the text as "[team to complete: what is missing]"."""

import re
from collections.abc import Iterable
from enum import StrEnum

from pydantic import Field

from backend.schemas.base import Frozen

GAP = re.compile(r"\[\s*team to complete\s*:?\s*([^\[\]]*?)\s*\]", re.IGNORECASE)
WHETHER, HOW_MUCH, AT_HOME = "whether to take, change or stop", "the right dose", "whether to go on at home"
"""What is asked of medicines; their names stand before the gap, where they stay when it is answered."""
OF_THESE = "which of these to take, change or stop"
"""What is asked of the medicines that the sentences before the gap tell."""
OF_STAY = "which other medicines of the hospital stay go on at home"
"""What is asked of the medicines that a stay gave and no sentence tells."""
SO_FAR, ALSO_SO_FAR = "Medicines taken so far, as the note says", "Also taken so far"
"""How what the note tells as taken begins: that is neither to go on nor over."""
TO_CHECK = "In the note, and for your team to check"
WHICH = "Which of them holds?"
"""How the question ends of what a note says in two ways."""
_ROUND = str.maketrans("[]", "()")


class GapKind(StrEnum):
    """What a gap asks for."""

    WORDS = "words"
    DATE = "date"
    APPOINTMENT = "appointment"
    DOSE = "dose"
    PHONE = "phone"
    PERSON = "person"


class Gap(Frozen):
    """Something that only the team can fill in. prompt says what."""

    id: str = Field(description="GAP1, GAP2, … in the order of the text")
    section: str
    prompt: str
    required: bool = Field(default=False, description="A letter is not whole without it: medicines and allergies")


class UntoldLine(Frozen):
    """The note's own words of which the letter tells nothing: no words for a patient were found for them. Offsets index the note's text."""

    section: str = Field(description="The part of the letter in which they would stand")
    text: str
    start_char: int
    end_char: int


def gap_text(prompt: str) -> str:
    """How a gap stands in a text, whatever brackets the note's own words have."""
    return f"[team to complete: {prompt.translate(_ROUND)}]"


def asks_of_medicines(text: str) -> bool:
    """Whether a text is medicines and behind their colon what the team is asked of them; what goes on behind the gap states more."""
    before, colon, asked = text.strip().rpartition(": [")
    place = GAP.fullmatch(f"[{asked}") if colon else None
    return bool(before) and place is not None and place[1] in (WHETHER, HOW_MUCH, AT_HOME)


def lists_open_medicines(text: str) -> bool:
    """Whether a sentence lists the names and doses of medicines about which the team is asked."""
    return text.startswith(tuple(f"{lead}: " for lead in (SO_FAR, ALSO_SO_FAR, TO_CHECK)))


def is_no_statement(text: str) -> bool:
    """Whether a sentence states nothing: a notice or a gap in brackets, or names of medicines about which the team is asked."""
    return text.startswith("[") or asks_of_medicines(text)


def gaps_of(sentences: Iterable[tuple[str, str]], required: frozenset[str]) -> tuple[Gap, ...]:
    """The gaps of a text.

    Args:
        sentences: section and text of each, in order.
        required: the sections whose gaps must be filled.
    """
    found = [(section, place[1]) for section, text in sentences for place in GAP.finditer(text)]
    return tuple(
        Gap(id=f"GAP{number}", section=section, prompt=prompt, required=section in required)
        for number, (section, prompt) in enumerate(found, start=1)
    )
