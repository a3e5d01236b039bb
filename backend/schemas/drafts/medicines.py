"""The medicines of a letter as a table: what is decided about each, and what still is to be decided."""

from enum import StrEnum

from pydantic import Field

from backend.schemas.base import Frozen


class MedicineAction(StrEnum):
    """What becomes of a medicine after this encounter.

    take: it is on the discharge list, and nothing tells whether it is new. undecided is a row that somebody has to decide.
    """

    CONTINUE = "continue"
    TAKE = "take"
    CHANGED = "changed"
    NEW = "new"
    STOPPED = "stopped"
    ON_HOLD = "on_hold"
    HOSPITAL_ONLY = "hospital_only"
    AS_NEEDED = "as_needed"
    UNDECIDED = "undecided"


class MedicineQuestion(StrEnum):
    """What somebody has to decide about a medicine, by the answers that it can have.

    taken, as_needed: to go on with it or to stop. start: to start it with a dose, or not. home: whether what was given in hospital
    goes on at home. dose: which dose. held: whether it stays on hold. other: anything else.
    """

    NONE = ""
    TAKEN = "taken"
    AS_NEEDED = "as_needed"
    START = "start"
    HOME = "home"
    DOSE = "dose"
    HELD = "held"
    OTHER = "other"


ACTION_WORDS: dict[MedicineAction, str] = {
    MedicineAction.CONTINUE: "Keep taking",
    MedicineAction.TAKE: "Take",
    MedicineAction.AS_NEEDED: "Take only when needed",
    MedicineAction.CHANGED: "Changed",
    MedicineAction.NEW: "New",
    MedicineAction.STOPPED: "Stop taking",
    MedicineAction.ON_HOLD: "On hold until your team tells you",
    MedicineAction.UNDECIDED: "Ask your team about",
    MedicineAction.HOSPITAL_ONLY: "Given in the hospital only",
}
"""What a patient is told to do, in words that a sentence begins with and a table shows."""


class MedicineRow(Frozen):
    """One medicine. Texts are plain words for the patient; empty where nothing is stated.

    source says who decided the row: "the note", "discharge medicines", "the note and discharge medicines" or
    "a clinician". recognised is false for a name that no lexicon knows: nothing was checked for it.
    """

    id: str = Field(description="M1, M2, … in the order of the table")
    action: MedicineAction
    name: str
    concept_id: str | None = None
    ingredients: tuple[str, ...] = Field(default=(), description="Concept ids that the row was matched by")
    dose: str = ""
    old_dose: str = ""
    timing: str = Field(default="", description="When it is taken, in words: 'twice a day, with meals'")
    reason: str = Field(default="", description="What for; for a stopped or held one, why")
    prompt: str = Field(
        default="",
        description="What somebody has to decide, in words, or that it was only tried; empty where all is decided",
    )
    question: MedicineQuestion = Field(
        default=MedicineQuestion.NONE, description="What the prompt asks, by the answers it can have"
    )
    source: str
    usual_unit: str = Field(
        default="", description="The unit of dose where the notes leave it out: the one in which it is a usual dose"
    )
    recognised: bool = True
    likely: bool = Field(
        default=False,
        description="Decided by a learned reading of the note, and by no rule: to be checked with the note",
    )
    citations: tuple[str, ...] = Field(default=(), description="The pieces of the patient's notes that say so")
    statement_ids: tuple[str, ...] = Field(default=(), description="The statements of the record it rests on")

    @property
    def what_to_do(self) -> str:
        """The action in words, with the dose before a change, or what has to be decided."""
        if self.action is MedicineAction.UNDECIDED or self.prompt:
            return self.prompt or ACTION_WORDS[self.action]
        before = self.action is MedicineAction.CHANGED and self.old_dose
        return f"{ACTION_WORDS[self.action]}; before: {self.old_dose}" if before else ACTION_WORDS[self.action]
