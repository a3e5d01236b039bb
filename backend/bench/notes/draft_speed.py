"""evidence and draft: the pipeline `leapnote` on the demonstration cases, warm.

Each case is timed once as it stands, before the process has seen it, and three times with other numbers, so that no
whole note is ever found in a cache; sentences of the handbook may be, as in a service that has run for a while. What warms
the process is other notes.
"""

import json
import time
from collections.abc import Callable
from typing import NamedTuple

from backend.bench.measuring import Measured, median, p95, rss_mb
from backend.bench.notes.synthetic_texts import notes, varied
from backend.container import Container
from backend.pipeline.draft_pipeline import DraftPipeline
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case import DemonstrationCase
from backend.settings import ROOT, settings

ROUNDS = 4
WARM = 5
NO_PEER = "no other program gives the same evidence"


class _Cost(NamedTuple):
    """Of one request: on the clock, and on the processor (all threads)."""

    wall_ms: float
    cpu_ms: float


def evidence(peer_python: str | None) -> Measured:
    """From the request to the last event of the evidence, JSON included."""
    return _measured(_evidence_cost, NO_PEER)


def draft(peer_python: str | None) -> Measured:
    """From the evidence to the last event: writing, verification, safety flags, JSON."""
    return _measured(_draft_cost, "no other program writes from this evidence")


def requests(container: Container) -> list[DraftRequest]:
    """The demonstration cases as requests; synthetic notes where none ship."""
    cases = [
        DemonstrationCase.model_validate(json.loads(path.read_text(encoding="utf-8")))
        for path in sorted((ROOT / "assets" / "cases").glob("*.json"))
    ]
    found = [
        DraftRequest(
            text=case.text,
            discharge_medicines=case.discharge_medicines,
            hospital_course=case.hospital_course,
            confirmed_conditions=case.confirmed_conditions,
            patient_notes=case.patient_notes,
        )
        for case in cases
    ]
    return found or [DraftRequest(text=text) for text in notes(container.graph.concepts, 10)]


def _measured(run: Callable[[DraftPipeline, DraftRequest], _Cost], no_peer: str) -> Measured:
    container = Container(settings())
    container.warm()
    pipeline = container.pipeline("leapnote", "composer")
    for text in notes(container.graph.concepts, WARM):
        run(pipeline, DraftRequest(text=text))
    cases = requests(container)
    first = [run(pipeline, case) for case in cases]
    later = [
        run(pipeline, case.model_copy(update={"text": varied(case.text, round_number)}))
        for round_number in range(1, ROUNDS)
        for case in cases
    ]
    seen = [cost.wall_ms for cost in first]
    words = sorted(len(case.text.split()) for case in cases)
    return Measured(
        times_ms=tuple(cost.wall_ms for cost in first + later),
        cpu_ms=tuple(cost.cpu_ms for cost in first + later),
        rss_mb=rss_mb(),
        about=(
            f"one of {len(cases)} notes of {words[0]} to {words[-1]} words, {ROUNDS} times with other numbers; first sight of "
            f"a case: median {median(seen)} ms, p95 {p95(seen)} ms, processor time {median([c.cpu_ms for c in first])} ms; {len(container.graph):,} concepts, {len(container.passages):,} passages"
        ),
        peer_reason=no_peer,
    )


def _evidence_cost(pipeline: DraftPipeline, request: DraftRequest) -> _Cost:
    start, start_cpu = time.perf_counter(), time.process_time()
    for _ in pipeline.evidence_events(request):
        pass
    return _Cost((time.perf_counter() - start) * 1000, (time.process_time() - start_cpu) * 1000)


def _draft_cost(pipeline: DraftPipeline, request: DraftRequest) -> _Cost:
    start, start_cpu = 0.0, 0.0
    for event in pipeline.draft_events(request):
        if event.stage == "passages":
            start, start_cpu = time.perf_counter(), time.process_time()
    return _Cost((time.perf_counter() - start) * 1000, (time.process_time() - start_cpu) * 1000)
