"""What a pipeline runs and passes on: one implementation for each stage, the evidence, what was written."""

import logging
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, NamedTuple, TypeVar

from backend.errors import LeapnoteError
from backend.generation.composer.answers.misspelt_topic import TopicReader
from backend.generation.standing.standing_instructions import SignedInstructions
from backend.interfaces import (
    ConditionRanker,
    Doubt,
    FitVerifier,
    Layout,
    Linker,
    MedicineTable,
    PathRetriever,
    PatientNotes,
    Readable,
    RecordReader,
    Repairer,
    SafetyCheck,
    Verifier,
    Writer,
)
from backend.retrieval.strategies.strategy import Strategy
from backend.schemas.base import Frozen
from backend.schemas.drafts.draft import Generator, StageReport, WrittenSentence
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.evidence import Condition, Evidence, Plan
from backend.schemas.drafts.gaps import UntoldLine
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.vocabulary import DraftStatus, Locale

Given = TypeVar("Given")
Other = TypeVar("Other")
log = logging.getLogger("leapnote")


class PipelineParts(NamedTuple):
    """One implementation for each stage; None where the system leaves it out.

    Attributes:
        system: its name.
        versions: of graph, encoder, policy, rankers and verifier, for the draft's record.
        generator: who writes, and why.
        linker: reads the note.
        ranker: ranks candidate conditions.
        paths: finds reasoning paths.
        paths_are_evidence: False where paths only stand in for a model's thought, so that no document may rest on them.
        strategy: retrieves thought, plan, passages and graph facts.
        notes: finds what the patient's own notes say.
        writer: writes the sentences.
        verifier: checks each against what it cites.
        safety: checks the draft against the patient.
        layout: puts the sentences together.
        readable: measures how easily the text reads.
        notices: what every draft of these stages has to say of how it came about.
        stand_in: writes where the writer gave nothing at all.
        repairer: rewords or strikes unsupported sentences.
        doubt: scores a model's draft by samples.
        medicines: makes the medicine table; None where the document has none.
        fit: holds each sentence against the patient's record.
        extractor: reads the note's record as well, merged with the rules'; None unless a model is set for it.
        instructions: adds the standing instructions that the hospital signed and the patient needs; None for none.
        locale: in whose words a draft is, where its request does not say.
        topics: reads the misspelt topic of a question; None leaves it as it is.
    """

    system: str
    versions: dict[str, str]
    generator: Generator
    linker: Linker
    ranker: ConditionRanker | None
    paths: PathRetriever | None
    paths_are_evidence: bool
    strategy: Strategy
    notes: PatientNotes
    writer: Writer
    verifier: Verifier
    safety: SafetyCheck
    layout: Layout
    readable: Readable
    notices: tuple[str, ...] = ()
    stand_in: Writer | None = None
    repairer: Repairer | None = None
    doubt: Doubt | None = None
    medicines: MedicineTable | None = None
    fit: FitVerifier | None = None
    extractor: RecordReader | None = None
    instructions: SignedInstructions | None = None
    locale: Locale = Locale.US
    topics: TopicReader | None = None


class EvidenceState(NamedTuple):
    """Everything retrieved for a request, before a word is written."""

    linked: LinkedNote
    conditions: tuple[Condition, ...]
    plan: Plan
    evidence: Evidence
    fallbacks: tuple[str, ...]


class Written(NamedTuple):
    """What a writer gave.

    Attributes:
        generator: who wrote.
        sentences: in order.
        status: complete, or how it ended otherwise.
        reason: why it ended otherwise than complete.
        answer: the letter of the option chosen, where options were given.
        prompt: name and version of the prompt that was asked.
        notes: what a clinician should know of how it was written.
        failed: the class of the exception that ended it unexpectedly; empty where none did.
        untold: what the note decides or found and the text leaves out.
    """

    generator: Generator
    sentences: tuple[WrittenSentence, ...] = ()
    status: DraftStatus = DraftStatus.COMPLETE
    reason: str = ""
    answer: str = ""
    prompt: str = ""
    notes: tuple[str, ...] = ()
    failed: str = ""
    untold: tuple[UntoldLine, ...] = ()


class Clock:
    """Collects each stage's reason and its own milliseconds, and the stages that failed.

    Args:
        now: seconds of a steady clock.
    """

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self.reports: list[StageReport] = []
        self._now = now
        self._took: dict[str, float] = {}
        self._failed: dict[str, str] = {}

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """What runs within is the stage's; its next event says how long it took."""
        began = self._now()
        try:
            yield
        finally:
            self._took[stage] = self._took.get(stage, 0.0) + self._now() - began

    def attempt(self, stage: str, run: Callable[[], Given], instead: Other) -> Given | Other:
        """What a stage gives, timed; `instead` where it fails unexpectedly, which its next event then says.

        Args:
            stage: its name.
            run: runs it.
            instead: given where it raises anything but a LeapnoteError.

        Raises:
            LeapnoteError: the stage raised it; it means something to whoever called.
        """
        try:
            with self.timed(stage):
                return run()
        except LeapnoteError:
            raise
        except Exception as error:  # a defect met on one text costs what the stage gives, not the draft
            self._failed[stage] = logged(stage, error)
            return instead

    def event(self, stage: str, reason: str, failed: str = "", **values: object) -> StageEvent:
        """The event of a stage that has ended, with the time that was spent in it; 0 where nothing ran under its name.

        Args:
            stage: its name.
            reason: what came of it.
            failed: the class of the exception that ended it, if `attempt` did not see it.
            values: what it gives, shown as JSON.
        """
        ms = round(self._took.pop(stage, 0.0) * 1000, 2)
        if seen := self._failed.pop(stage, ""):
            failed, reason = seen, failure(stage, seen)
        self.reports.append(StageReport(name=stage, reason=reason, ms=ms, failed=failed))
        data = {k: as_json(v) for k, v in values.items()}
        return StageEvent(stage=stage, reason=reason, ms=ms, failed=failed, data=data)


def failure(stage: str, kind: str) -> str:
    """How a failed stage is named to a reader: "failed: link, IndexError"."""
    return f"failed: {stage}, {kind}"


def logged(stage: str, error: Exception) -> str:
    """The class of an unexpected exception, written to the log with the places it went through, and no word of its message.

    A message may quote the note, so neither it nor a line of source is logged.
    """
    kind = type(error).__name__
    places = [f"{PurePath(f.filename).name}:{f.lineno} {f.name}" for f in traceback.extract_tb(error.__traceback__)]
    log.error("the stage %s failed: %s at %s", stage, kind, " < ".join(reversed(places)))
    return kind


def as_json(value: Any) -> Any:
    """Frozen values, alone or in tuples, as JSON values."""
    if isinstance(value, Frozen):
        return value.model_dump(mode="json")
    if isinstance(value, tuple | list):
        return [as_json(item) for item in value]
    return value
