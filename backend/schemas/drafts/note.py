"""A note as it was read: its text, sections, mentions and allergies. Offsets are half-open and count code points."""

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.record import PatientRecord
from backend.schemas.vocabulary import (
    AllergyKind,
    AllergyStatus,
    Assertion,
    Category,
    SectionCategory,
    SemanticGroup,
)


class Section(Frozen):
    """A stretch of the note under one header. start_char is where the header begins, body_char where the text does."""

    category: SectionCategory
    title: str = Field(description="The header as written; empty for text without one")
    start_char: int
    body_char: int
    end_char: int


class Mention(Frozen):
    """A span of the note that names a concept.

    score is the linker's confidence in the concept, 0 to 1: 1 for an exact name without a rival; it may be compared
    within one note only. why says in words how the name was found.
    """

    start_char: int
    end_char: int
    text: str
    concept_id: str
    name: str
    group: SemanticGroup
    category: Category
    assertion: Assertion
    score: float = Field(ge=0, le=1)
    why: str = ""
    assertion_cue: str = Field(default="", description="The words that decided the assertion, empty for the default")
    also: tuple[Assertion, ...] = Field(
        default=(),
        description="What the note says of it besides: of “no history of”, historical; of “no family history of”, negated",
    )
    section: SectionCategory = SectionCategory.UNLABELED
    allergen: bool = Field(
        default=False, description="It names what the patient reacts to, or the reaction, so it starts no path"
    )


class AllergyItem(Frozen):
    """One thing the patient is said to react to. checked is true only when the graph knows it."""

    text: str
    start_char: int
    end_char: int
    concept_id: str | None
    name: str = ""
    kind: AllergyKind
    reaction: str = ""
    checked: bool


class PossibleAllergy(Frozen):
    """Something that running text names close to an effect it may have had; no allergy until a clinician says so."""

    text: str
    start_char: int
    end_char: int
    concept_id: str | None
    name: str = ""
    kind: AllergyKind = Field(default=AllergyKind.ALLERGY, description="Intolerance where the effect is a side effect")
    because: str = Field(description="From the name to the effect beside it, or back, as written")


class Allergies(Frozen):
    """The allergies of a note: whether any are stated, and which."""

    status: AllergyStatus
    items: tuple[AllergyItem, ...] = ()
    text: str = Field(default="", description="The words that decided the status, as written")
    possible: tuple[PossibleAllergy, ...] = Field(
        default=(), description="Hints in running text, for a clinician to check"
    )

    @property
    def concept_ids(self) -> tuple[str, ...]:
        """The concepts of what is listed, then of what is only possible."""
        ids = (*(one.concept_id for one in self.items), *(one.concept_id for one in self.possible))
        return tuple(concept for concept in ids if concept)


class Note(Frozen):
    """A note with its sections and mentions."""

    text: str
    sections: tuple[Section, ...] = ()
    mentions: tuple[Mention, ...] = ()


class Patient(Frozen):
    """What the note says of the person, for the page's pinned line and for the checks. None means not stated."""

    age: int | None = None
    sex: str | None = Field(default=None, description="female or male, as the note has it")
    pregnant: bool | None = None
    start_char: int | None = None
    end_char: int | None = None


class LinkedNote(Frozen):
    """What the linker gives: the note with its mentions, the allergies, who the patient is, and the whole record.

    record is None where only mentions were asked for, as of a sentence or a passage.
    """

    note: Note
    allergies: Allergies
    patient: Patient = Patient()
    record: PatientRecord | None = None
