"""The order of the stages; yields a StageEvent after each, and the finished draft last.

Takes a request; knows no implementation of any stage, only the protocols. A stage that is None is left out, and the
draft says that the system leaves it out. A stage that finds nothing says why; that is no error.
"""

import time
import uuid
from collections.abc import Generator as Steps
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from backend.errors import CancelledError, LeapnoteError
from backend.interfaces import (
    ConditionRanker,
    Layout,
    Linker,
    PathRetriever,
    PatientNotes,
    Readable,
    SafetyCheck,
    Verifier,
    Writer,
)
from backend.retrieval.gathering import Gatherer, Gathering
from backend.retrieval.reference_list import styled
from backend.schemas.base import Frozen
from backend.schemas.chat import Cancelled, never
from backend.schemas.draft import Draft, Generator, Sentence, StageReport, WrittenSentence
from backend.schemas.event import StageEvent
from backend.schemas.evidence import Condition, Evidence, Plan
from backend.schemas.note import LinkedNote
from backend.schemas.request import DraftRequest
from backend.schemas.vocabulary import Assertion, Document, DraftStatus


class Stages(NamedTuple):
    """One implementation for each stage; None where the system leaves it out.

    paths_are_evidence: False where paths only stand in for a model's thought, so that no document may rest on them.
    notices: what every draft of these stages has to say of how it came about.
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


class _Clock:
    """Collects each stage's reason and milliseconds."""

    def __init__(self) -> None:
        self.reports: list[StageReport] = []
        self._last = time.perf_counter()

    def event(self, stage: str, reason: str, **values: object) -> StageEvent:
        now = time.perf_counter()
        ms = round((now - self._last) * 1000, 2)
        self._last = now
        self.reports.append(StageReport(name=stage, reason=reason, ms=ms))
        return StageEvent(stage=stage, reason=reason, ms=ms, data={k: _json(v) for k, v in values.items()})


class Gathered(NamedTuple):
    """Everything retrieved for a request, before a word is written."""

    linked: LinkedNote
    conditions: tuple[Condition, ...]
    plan: Plan
    evidence: Evidence
    fallbacks: tuple[str, ...]


class DraftPipeline:
    """Runs one system's stages. It holds no state between requests and may serve several at once."""

    def __init__(self, stages: Stages) -> None:
        self._stages = stages

    def link(self, text: str) -> LinkedNote:
        return self._stages.linker.link(text)

    def evidence_events(self, request: DraftRequest, cancelled: Cancelled = never) -> Iterator[StageEvent]:
        """The stages up to the evidence; the last event is `evidence`, with a draft that has no text.

        Raises CancelledError when cancelled() turns true on the way.
        """
        clock = _Clock()
        gathered = yield from self._gather(request, clock, cancelled)
        draft = self._draft(request, gathered, clock, [], DraftStatus.COMPLETE)
        yield StageEvent(stage="evidence", data=_json(draft))

    def draft_events(self, request: DraftRequest, cancelled: Cancelled = never) -> Iterator[StageEvent]:
        """Every stage, a `token` event a sentence while it is written, then `draft` with the whole Draft.

        Raises CancelledError when cancelled() turns true before anything is written; later, what is written stays.
        """
        clock = _Clock()
        gathered = yield from self._gather(request, clock, cancelled)
        written: list[WrittenSentence] = []
        failure, status = "", DraftStatus.COMPLETE
        try:
            for sentence in self._stages.writer.write(request, gathered.linked, gathered.conditions, gathered.evidence):
                written.append(sentence)
                yield StageEvent(stage="token", data=_json(sentence))
                if cancelled():
                    failure, status = "cancelled", DraftStatus.CANCELLED
                    break
        except LeapnoteError as error:
            failure, status = str(error), DraftStatus.PARTIAL
        yield clock.event("write", failure or f"{len(written)} sentences by {self._stages.writer.name}")
        if not written and not failure:
            status = DraftStatus.NOTHING_FOUND
        yield StageEvent(stage="draft", data=_json(self._draft(request, gathered, clock, written, status)))

    def run(self, request: DraftRequest) -> Draft:
        """The finished draft of a request."""
        *_, last = self.draft_events(request)
        return Draft.model_validate(last.data)

    def run_evidence(self, request: DraftRequest) -> Draft:
        """A draft without text: what the evidence stages found."""
        *_, last = self.evidence_events(request)
        return Draft.model_validate(last.data)

    def _gather(self, request: DraftRequest, clock: _Clock, cancelled: Cancelled) -> Steps[StageEvent, None, Gathered]:
        stages = self._stages

        def progress(done: int, total: int, what: str) -> None:
            if cancelled():
                raise CancelledError(f"Cancelled while {what} ({done} of {total}).")

        left_out = f"left out by the system {stages.system}"
        linked = stages.linker.link(request.text or request.question)
        present = sum(m.assertion == Assertion.PRESENT for m in linked.note.mentions)
        reason = f"{len(linked.note.mentions)} mentions, {present} of them present"
        yield clock.event("link", reason if linked.note.mentions else "nothing recognised", linked=linked)
        conditions = stages.ranker.rank(linked, request) if stages.ranker else ()
        found = f"{len(conditions)} conditions fit" if conditions else "no condition fits what was recognised"
        yield clock.event("conditions", found if stages.ranker else left_out, conditions=conditions)
        paths, policy, why = (
            stages.paths.paths(linked, conditions, request.seed) if stages.paths else ((), (), left_out)
        )
        if stages.paths and not stages.paths_are_evidence:
            why = f"{why}; for the thought alone, where no model thinks"
        shown = (paths, policy) if stages.paths_are_evidence else ((), ())
        yield clock.event("paths", why, paths=shown[0], policy=shown[1])
        progress(0, 1, "gathering")
        if stages.gatherer is None:
            gathering = Gathering((), Plan(), (), (), (), left_out, left_out, left_out)
        else:
            gathering = stages.gatherer.gather(linked, conditions, paths, request, progress)
        yield clock.event("thought", gathering.thought_reason, thoughts=gathering.thoughts)
        yield clock.event("plan", gathering.plan_reason, plan=gathering.plan)
        pieces = stages.notes.pieces(linked, request)
        evidence = Evidence(
            paths=shown[0],
            policy=shown[1],
            graph=gathering.graph,
            passages=gathering.passages,
            notes=pieces,
            references=tuple(r.model_copy(update={"text": styled(r)}) for r in gathering.references),
        )
        yield clock.event(
            "passages", gathering.passages_reason, evidence=evidence, fallbacks=(*stages.notices, *gathering.fallbacks)
        )
        return Gathered(linked, conditions, gathering.plan, evidence, (*stages.notices, *gathering.fallbacks))

    def _draft(
        self,
        request: DraftRequest,
        gathered: Gathered,
        clock: _Clock,
        written: Sequence[WrittenSentence],
        status: DraftStatus,
    ) -> Draft:
        stages = self._stages
        linked, conditions, plan, evidence, fallbacks = gathered
        known = evidence_ids(evidence)
        kept = [s.model_copy(update={"citations": tuple(c for c in s.citations if c in known)}) for s in written]
        removed = sum(len(a.citations) - len(b.citations) for a, b in zip(written, kept, strict=True))
        text, spans = stages.layout.lay_out(kept, request.document, request.style)
        verdicts = stages.verifier.verify(kept, linked, evidence)
        sentences = tuple(
            Sentence(
                text=sentence.text,
                section=sentence.section,
                start_char=start,
                end_char=end,
                basis=sentence.basis,
                citations=sentence.citations,
                support=verdict.support,
                support_score=verdict.score,
                reason=verdict.reason,
                condition_id=sentence.condition_id,
            )
            for sentence, (start, end), verdict in zip(kept, spans, verdicts, strict=True)
        )
        clock.event("verify", f"{len(sentences)} sentences checked")
        flags, checks = stages.safety.check(request, linked, conditions, sentences)
        patient_text = request.document == Document.DISCHARGE_INSTRUCTIONS
        clock.event("safety", f"{len(flags)} flags")
        return Draft(
            id=str(uuid.uuid4()),
            document=request.document,
            system=stages.system,
            status=status,
            seed=request.seed,
            versions=stages.versions,
            generator=stages.generator,
            question=request.question,
            options=request.options,
            answer=stages.writer.answer(request, linked, conditions, evidence) if written else "",
            note=linked.note,
            patient=linked.patient,
            allergies=linked.allergies,
            conditions=conditions,
            plan=plan,
            evidence=evidence,
            text=text,
            sentences=sentences,
            removed_citations=removed,
            fallbacks=fallbacks,
            flags=flags,
            checks=checks,
            readability=stages.readable.measure([s.text for s in sentences] if patient_text else []),
            stages=tuple(clock.reports),
            timings_ms={report.name: report.ms for report in clock.reports},
        )


def evidence_ids(evidence: Evidence) -> frozenset[str]:
    """Every id a sentence may cite."""
    groups = (evidence.paths, evidence.graph, evidence.passages, evidence.notes)
    return frozenset(item.id for group in groups for item in group)


def _json(value: Any) -> Any:
    if isinstance(value, Frozen):
        return value.model_dump(mode="json")
    if isinstance(value, tuple | list):
        return [_json(item) for item in value]
    return value
