"""evidence and draft: the pipeline `leapnote` on the demonstration cases, warm.

Each timed note differs in its numbers from every note before it, so that no part of the note is found in a cache; the
sentences of the handbook may be, as in a service that has run for a while.
"""

import json
import time
from collections.abc import Iterator

from backend.assembly import House
from backend.bench.figures import Measured, rss_mb, timed
from backend.bench.texts import notes, varied
from backend.pipeline import DraftPipeline
from backend.schemas.case import DemonstrationCase
from backend.schemas.request import DraftRequest
from backend.settings import ROOT, settings

ROUNDS = 4
WARM_ROUNDS = 1
NO_PEER = "no other program gives the same evidence"


def evidence(peer_python: str | None) -> Measured:
    """From the request to the last event of the evidence, JSON included."""
    house, pipeline, warm, timed_requests = _prepared()
    for request in warm:
        _last(pipeline.evidence_events(request))
    times = timed(lambda request: _last(pipeline.evidence_events(request)), timed_requests)
    return Measured(times_ms=times, rss_mb=rss_mb(), about=_about(house, warm), peer_reason=NO_PEER)


def draft(peer_python: str | None) -> Measured:
    """From the evidence to the last event: writing, verification, safety flags, JSON."""
    house, pipeline, warm, timed_requests = _prepared()
    for request in warm:
        _last(pipeline.draft_events(request))
    times = tuple(_after_evidence(pipeline, request) for request in timed_requests)
    return Measured(
        times_ms=times, rss_mb=rss_mb(), about=_about(house, warm), peer_reason="no other program writes from this evidence"
    )


def requests(house: House) -> list[DraftRequest]:
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
    return found or [DraftRequest(text=text) for text in notes(house.graph.concepts, 10)]


def _prepared() -> tuple[House, DraftPipeline, list[DraftRequest], list[DraftRequest]]:
    house = House(settings())
    house.warm()
    plain = requests(house)
    timed_requests = [
        request.model_copy(update={"text": varied(request.text, run)})
        for run in range(WARM_ROUNDS, WARM_ROUNDS + ROUNDS)
        for request in plain
    ]
    return house, house.pipeline("leapnote", "composer"), plain, timed_requests


def _last(events: Iterator[object]) -> None:
    for _ in events:
        pass


def _after_evidence(pipeline: DraftPipeline, request: DraftRequest) -> float:
    start = 0.0
    for event in pipeline.draft_events(request):
        if event.stage == "passages":
            start = time.perf_counter()
    return (time.perf_counter() - start) * 1000


def _about(house: House, plain: list[DraftRequest]) -> str:
    words = sorted(len(request.text.split()) for request in plain)
    return (
        f"one of {len(plain)} notes of {words[0]} to {words[-1]} words, other numbers each time; "
        f"{len(house.graph):,} concepts, {len(house.passages):,} passages"
    )
