"""What stands at the head of a letter and no note says for certain: asked once, kept with the case, printed on every page."""

import unicodedata
from datetime import date
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from backend.schemas.base import Frozen
from backend.schemas.visible_text import visible

LONGEST = 200  # characters of one field
FIRST_DAY, LAST_DAY = date(1850, 1, 1), date(2200, 1, 1)


def _shown(text: str) -> str:
    if any(unicodedata.category(c) == "Cs" or c == "\x00" for c in text):
        raise ValueError("holds null bytes or broken characters; send plain text")
    return " ".join(visible("".join(" " if unicodedata.category(c) == "Cc" else c for c in text)).split())


def _in_range(day: date | None) -> date | None:
    if day is not None and not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(f"is not between {FIRST_DAY} and {LAST_DAY}")
    return day


Name = Annotated[
    str,
    Field(max_length=LONGEST),
    BeforeValidator(lambda given: "" if given is None else given),
    AfterValidator(_shown),
]
Day = Annotated[date | None, BeforeValidator(lambda given: None if given == "" else given), AfterValidator(_in_range)]


class LetterDetails(Frozen):
    """Who the letter is about and who answers for it. Every field is optional: an empty one is left out of the letter.

    Texts are one line each, without control characters and without what turns the reading order round.
    """

    patient_name: Name = Field(default="", description="As the patient is addressed")
    date_of_birth: Day = None
    record_number: Name = Field(default="", description="The hospital's number: MRN, NHS number")
    ward: Name = ""
    admitted: Day = None
    discharged: Day = None
    clinician: Name = Field(default="", description="Who is responsible for the care")
    hospital: Name = ""
    phone: Name = Field(default="", description="Whom the patient can call with questions")

    @property
    def empty(self) -> bool:
        """Whether nothing is known."""
        return self == LetterDetails()
