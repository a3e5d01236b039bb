"""What of an uploaded file was taken, and what was not."""

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.patients.letter_details import LetterDetails


class TakenItem(Frozen):
    """A part of a file."""

    what: str = Field(description="page 3, Allergies, pictures, Claim")
    count: int = Field(default=1, ge=0, description="How many of them")
    taken: bool
    reason: str = Field(default="", description="Why it was left out, or as what it was taken")


class Taken(Frozen):
    """Everything that a file holds, in its order: no part is left out in silence."""

    items: tuple[TakenItem, ...] = ()


class UploadedText(Frozen):
    """The text of an uploaded file. kind: text, pdf or docx."""

    text: str
    characters: int
    kind: str
    taken: Taken
    details: LetterDetails = Field(default=LetterDetails(), description="What its first lines say for a letter's head")
