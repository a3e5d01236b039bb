"""A finished draft, as the last event of POST /v1/drafts has it (design section 4)."""

from typing import Any, Self

from pydantic import AliasChoices, Field, model_validator

from backend.schemas.base import Frozen
from backend.schemas.drafts.evidence import Condition, Evidence, Plan
from backend.schemas.drafts.gaps import Gap, UntoldLine
from backend.schemas.drafts.medicines import MedicineRow
from backend.schemas.drafts.note import Allergies, Note, Patient
from backend.schemas.record import PatientRecord
from backend.schemas.vocabulary import LETTERS, Basis, Document, DraftStatus, Fit, Locale, Severity, Support


class RaisedLevel(Frozen):
    """Why a warning asks for help sooner than the passage that it cites."""

    source_says: str = Field(description="How the passage opens the same sign: 'Call your doctor today'")
    because: str = Field(description="What the record holds that makes it more urgent, in the note's words")


class Sentence(Frozen):
    """One sentence of the draft. Offsets index the draft's text.

    support_score is 0 to 1: how much of the sentence its cited text supports; None where not scored. reason says what was missing
    or why it was not scored.
    """

    text: str
    section: str
    start_char: int
    end_char: int
    basis: Basis
    citations: tuple[str, ...] = ()
    support: Support = Support.NOT_SCORED
    support_score: float | None = None
    fit: Fit = Fit.UNKNOWN
    fit_reason: str = Field(default="", description="What the record does not hold, where the sentence does not fit")
    raised: RaisedLevel | None = Field(default=None, description="Set where it asks for help sooner than its source")
    uncertainty: float | None = None
    reason: str = ""
    condition_id: str | None = Field(default=None, description="The unconfirmed condition it rests on")
    proposed: bool = Field(default=False, description="The program proposed its citations; the writer gave none")
    before_repair: str = Field(default="", description="What stood there before a repair")


class Flag(Frozen):
    """Something the clinician must look at. sentence is an index into sentences; evidence holds ids or quoted words."""

    kind: str = Field(description="The registered name of its kind")
    severity: Severity
    message: str
    sentence: int | None = None
    evidence: tuple[str, ...] = ()
    medicine: str = Field(
        default="", description="The medicine that it is about, by which flags are grouped; else empty"
    )
    folded: bool = Field(
        default=False, description="One more warning than stand open: shown behind one click, never a severe one"
    )


class Compared(Frozen):
    """One medicine or allergy that was compared, with what it was compared against and what came of it."""

    kind: str = Field(description="medicine, allergy or condition")
    text: str
    concept_id: str
    name: str
    against: int = Field(description="How many things it was compared with")
    found: str = Field(description="What was found, or 'no conflict found among N checked'")


class Unrecognised(Frozen):
    """A medicine or allergy that the graph does not know: nothing was checked."""

    kind: str
    text: str
    start_char: int | None = None
    end_char: int | None = None


class NotChecked(Frozen):
    """A rule about a medicine that was not asked, since the record lacks what it asks for. It raises no flag."""

    medicine: str
    missing: str = Field(description="What the record lacks: eGFR, weeks, dose")
    why: str = Field(default="", description="Why it matters, in a few words")


class Checks(Frozen):
    """Everything that was compared, and everything that could not be."""

    compared: tuple[Compared, ...] = ()
    unrecognised: tuple[Unrecognised, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()


class Readability(Frozen):
    """Flesch-Kincaid grade and SMOG of the patient's text; None where the text is too short to be scored."""

    fkgl: float | None = None
    smog: float | None = None
    words: int = 0


class Generator(Frozen):
    """Who writes. where: what becomes of the text that is sent to it, in words."""

    name: str
    reason: str
    where: str = ""


class StageReport(Frozen):
    """What one stage found, or why it found nothing.

    ms: milliseconds spent in the stage itself; thought, plan and passages are one step, whose time stands at passages.
    failed: the class of the exception that ended it, empty where it ran.
    """

    name: str
    reason: str
    ms: float
    failed: str = ""


class Draft(Frozen):
    """A finished draft with everything that it rests on."""

    id: str
    document: Document
    system: str
    status: DraftStatus
    seed: int
    locale: Locale = Field(default=Locale.US, description="Whose numbers, units, names of drugs and spelling it has")
    versions: dict[str, str] = {}
    generator: Generator
    question: str = ""
    options: tuple[str, ...] = ()
    answer: str = Field(default="", description="The letter of the option chosen, A for the first; empty when none was")
    note: Note
    patient: Patient = Patient()
    allergies: Allergies
    record: PatientRecord | None = Field(
        default=None, description="What the note states of the patient; None in drafts of earlier versions"
    )
    medicines: tuple[MedicineRow, ...] = ()
    gaps: tuple[Gap, ...] = ()
    untold: tuple[UntoldLine, ...] = Field(
        default=(), description="What the note decides or found and the text leaves out, to be shown beside it"
    )
    conditions: tuple[Condition, ...] = ()
    plan: Plan = Plan()
    evidence: Evidence = Evidence()
    text: str = ""
    sentences: tuple[Sentence, ...] = ()
    removed_citations: int = 0
    removed_sentences: tuple[str, ...] = Field(
        default=(),
        validation_alias=AliasChoices("removed_sentences", "struck"),
        description="Sentences that a repair took out",
    )
    uncertainty: float | None = Field(default=None, description="Of the whole answer, 0 to 1; None when not scored")
    fallbacks: tuple[str, ...] = Field(
        default=(), description="What ran otherwise than the system's name promises, and why"
    )
    flags: tuple[Flag, ...] = ()
    checks: Checks = Checks()
    readability: Readability = Readability()
    stages: tuple[StageReport, ...] = ()
    timings_ms: dict[str, float] = {}

    @model_validator(mode="before")
    @classmethod
    def _lettered(cls, data: Any) -> Any:
        """Drafts that were saved by earlier versions hold the chosen option itself."""
        if isinstance(data, dict) and len(data.get("answer", "")) > 1 and data["answer"] in data.get("options", ()):
            return {**data, "answer": LETTERS[list(data["options"]).index(data["answer"])]}
        return data

    @model_validator(mode="after")
    def _of_an_option(self) -> Self:
        if self.answer and self.answer not in list(LETTERS[: len(self.options)]):
            raise ValueError(f"answer {self.answer!r} is the letter of none of the {len(self.options)} options")
        return self

    @property
    def failures(self) -> tuple[str, ...]:
        """Each stage that ended in an unexpected exception, as "stage, class"; the draft goes on without what it gives."""
        return tuple(f"{report.name}, {report.failed}" for report in self.stages if report.failed)

    @property
    def option(self) -> str:
        """The option chosen, as it was given; empty when none was."""
        return self.options[LETTERS.index(self.answer)] if self.answer else ""

    @property
    def answer_text(self) -> str:
        """Letter and option for a reader; empty when none was chosen."""
        return f"{self.answer}: {self.option}" if self.answer else ""


class WrittenSentence(Frozen):
    """A sentence as a writer gives it, before verification. It ends its paragraph when break_after is true."""

    text: str
    section: str
    basis: Basis
    citations: tuple[str, ...] = ()
    condition_id: str | None = None
    break_after: bool = False
    proposed: bool = Field(default=False, description="The program proposed its citations; the writer gave none")
    before_repair: str = Field(default="", description="What stood there before a repair")


class Verdict(Frozen):
    """Whether the cited text supports a sentence. score: 0 to 1; None where not scored."""

    support: Support
    score: float | None = None
    reason: str = ""


class FitVerdict(Frozen):
    """Whether a sentence belongs to this patient. reason: what the record does not hold, in words; raised: why it is more urgent."""

    fit: Fit
    reason: str = ""
    raised: RaisedLevel | None = None
