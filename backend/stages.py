"""What a pipeline runs and passes on: one implementation for each stage, what was gathered, what was written."""

import time
from typing import Any, NamedTuple

from backend.interfaces import (
    ConditionRanker,
    Doubt,
    Layout,
    Linker,
    PathRetriever,
    PatientNotes,
    Readable,
    Repairer,
    SafetyCheck,
    Verifier,
    Writer,
)
from backend.retrieval.gathering import Gatherer
from backend.schemas.base import Frozen
from backend.schemas.draft import Generator, StageReport, WrittenSentence
from backend.schemas.event import StageEvent
from backend.schemas.evidence import Condition, Evidence, Plan
from backend.schemas.note import LinkedNote
from backend.schemas.vocabulary import DraftStatus


class Stages(NamedTuple):
    """One implementation for each stage; None where the system leaves it out.

    paths_are_evidence: False where paths only stand in for a model's thought, so that no document may rest on them.
    notices: what every draft of these stages has to say of how it came about. stand_in: writes where the writer gave
    nothing at all.
    """

    system: str
    versions: dict[str, str]
    generator: Generator
    linker: Linker
    ranker: ConditionRanker | None
    paths: PathRetriever | None
    paths_are_evidence: bool
    gatherer: Gatherer | None
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


class Gathered(NamedTuple):
    """Everything retrieved for a request, before a word is written."""

    linked: LinkedNote
    conditions: tuple[Condition, ...]
    plan: Plan
    evidence: Evidence
    fallbacks: tuple[str, ...]


class Written(NamedTuple):
    """What a writer gave. reason: why it ended otherwise than complete. notes: what a clinician should know of it."""

    generator: Generator
    sentences: tuple[WrittenSentence, ...] = ()
    status: DraftStatus = DraftStatus.COMPLETE
    reason: str = ""
    answer: str = ""
    prompt: str = ""
    notes: tuple[str, ...] = ()


class Clock:
    """Collects each stage's reason and milliseconds."""

    def __init__(self) -> None:
        self.reports: list[StageReport] = []
        self._last = time.perf_counter()

    def event(self, stage: str, reason: str, **values: object) -> StageEvent:
        now = time.perf_counter()
        ms = round((now - self._last) * 1000, 2)
        self._last = now
        self.reports.append(StageReport(name=stage, reason=reason, ms=ms))
        return StageEvent(stage=stage, reason=reason, ms=ms, data={k: as_json(v) for k, v in values.items()})


def as_json(value: Any) -> Any:
    """Frozen values, alone or in tuples, as JSON values."""
    if isinstance(value, Frozen):
        return value.model_dump(mode="json")
    if isinstance(value, tuple | list):
        return [as_json(item) for item in value]
    return value
