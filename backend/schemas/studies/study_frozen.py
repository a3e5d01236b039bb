"""A frozen study: every text a rater will see, who sees what in which order, and the plan. Its hash is the study's.

Nothing in it ever changes. It names no rater: R01, R02, … are places that personal links fill.
"""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.studies.study_design import StudyCase, StudySetup

FORMAT = "leapnote-study/1"
NOT_AN_EVALUATION = "not an evaluation: it rests on demonstration cases"


class DraftMade(StrEnum):
    """Whether there is a text, or a reason why there is none."""

    MADE = "made"
    FAILED = "failed"


class ItemKind(StrEnum):
    """main: what is studied. calibration: the first items, the same for all. attention: with a planted error."""

    MAIN = "main"
    CALIBRATION = "calibration"
    ATTENTION = "attention"


class DraftProvenance(Frozen):
    """Where a draft came from. source: pipeline or upload."""

    source: str
    system: str = ""
    generator: str = ""
    generator_reason: str = ""
    seed: int = 0
    draft_id: str = ""
    versions: dict[str, str] = {}
    made_at: datetime | None = None


class StudyDraft(Frozen):
    """One case's document in one arm, as it was written. A failed one has no text and says why."""

    case_id: str
    arm_id: str
    status: DraftMade
    reason: str = ""
    text: str = ""
    headings: tuple[str, ...] = Field(default=(), description="Section titles its writer put in")
    evidence: tuple[str, ...] = ()
    provenance: DraftProvenance


class BlindedDraft(StudyDraft):
    """The original, kept, and beside it what raters see. removed counts what the rule took out, by kind."""

    blinded: str = ""
    blinded_evidence: tuple[str, ...] = ()
    removed: dict[str, int] = {}


class PlantedError(Frozen):
    """A clinical error put into a copy of a draft. Offsets index the copy."""

    error_id: str
    arm_id: str
    start_char: int
    end_char: int
    text: str = Field(description="The copy with the error in it")


class StudyItem(Frozen):
    """What is rated at once: one arm's draft of a case, two, or all. failed: why it cannot be shown to anybody."""

    id: str
    kind: ItemKind
    case_id: str
    arms: tuple[str, ...]
    planted: PlantedError | None = None
    failed: str = ""


class Slot(Frozen):
    """An item's place in one rater's order, and the arms as shown: first is left, or A."""

    number: int
    item_id: str
    shown: tuple[str, ...]


class RaterPlan(Frozen):
    """One rater's items. spacing: the least distance between two items of one case. guesses: slots to guess at the end."""

    rater_id: str
    slots: tuple[Slot, ...]
    spacing: int | None = None
    guesses: tuple[int, ...] = ()
    guess_order: tuple[str, ...] = Field(default=(), description="The arms behind the options of a guess, in order")
    closing_order: tuple[str, ...] = Field(
        default=(), description="The arms behind the groups of the closing questions"
    )


class Leak(Frozen):
    """What could tell a rater which arm wrote a text. blocking: it must be mended before freezing."""

    kind: str
    where: str
    what: str
    blocking: bool = False


class FrozenStudy(Frozen):
    """A study as it is when rating begins. Its canonical JSON is stored and hashed, and never changes."""

    format: str = FORMAT
    study_id: str
    setup: StudySetup
    cases: tuple[StudyCase, ...]
    drafts: tuple[BlindedDraft, ...]
    items: tuple[StudyItem, ...]
    raters: tuple[RaterPlan, ...]
    blinding_rule: str
    accepted_leaks: tuple[Leak, ...] = ()
    stamps: tuple[str, ...] = ()
    frozen_at: datetime
    frozen_by: str
