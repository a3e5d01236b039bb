"""From written sentences to a finished draft: ids resolved, repaired where that is wanted, laid out, verified, checked."""

import uuid
from collections.abc import Sequence

from backend.prompts.asking import heeding
from backend.schemas.chat import Cancelled
from backend.schemas.draft import Draft, Flag, Sentence, WrittenSentence
from backend.schemas.evidence import Evidence
from backend.schemas.request import DraftRequest
from backend.schemas.vocabulary import Document, DraftStatus, FlagKind
from backend.schemas.written import Uncertainty
from backend.stages import Clock, Gathered, Stages, Written

UNSCORED = Uncertainty(None, (), "")


def finished(
    stages: Stages, request: DraftRequest, gathered: Gathered, written: Written, clock: Clock, cancelled: Cancelled
) -> Draft:
    """The draft of what was written; of nothing, what was gathered."""
    linked, conditions, plan, evidence, fallbacks = gathered
    kept, removed = known_only(written.sentences, evidence)
    struck: tuple[str, ...] = ()
    if stages.repairer and kept:
        with heeding(cancelled):
            repaired = stages.repairer.repair(request, linked, conditions, evidence, kept)
        kept, more = known_only(repaired.sentences, evidence)
        removed, struck = removed + more, tuple(sentence.text for sentence in repaired.struck)
        clock.event("repair", repaired.reason)
    text, spans = stages.layout.lay_out(kept, request.document, request.style)
    with heeding(cancelled):  # a judge may be asked
        verdicts = stages.verifier.verify(kept, linked, evidence)
    clock.event("verify", f"{len(kept)} sentences checked")
    doubted = UNSCORED
    if stages.doubt and kept:
        with heeding(cancelled):
            doubted = stages.doubt.score(request, linked, conditions, evidence, [s.text for s in kept], cancelled)
        scored = f"{doubted.samples} samples, scored by {doubted.scorer}"
        clock.event("uncertainty", doubted.reason or scored)
    doubts = doubted.sentences or (None,) * len(kept)
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
            uncertainty=doubt,
            reason=verdict.reason,
            condition_id=sentence.condition_id,
            proposed=sentence.proposed,
            before_repair=sentence.before_repair,
        )
        for sentence, (start, end), verdict, doubt in zip(kept, spans, verdicts, doubts, strict=True)
    )
    flags, checks = stages.safety.check(request, linked, conditions, sentences)
    if written.status in (DraftStatus.PARTIAL, DraftStatus.CANCELLED):
        flags = tuple(map(unwritten, flags))
    patient_text = request.document == Document.DISCHARGE_INSTRUCTIONS
    clock.event("safety", f"{len(flags)} flags")
    return Draft(
        id=str(uuid.uuid4()),
        document=request.document,
        system=stages.system,
        status=written.status,
        seed=request.seed,
        versions=stages.versions | ({"prompt": written.prompt} if written.prompt else {}),
        generator=written.generator,
        question=request.question,
        options=request.options,
        answer=written.answer,
        note=linked.note,
        patient=linked.patient,
        allergies=linked.allergies,
        conditions=conditions,
        plan=plan,
        evidence=evidence,
        text=text,
        sentences=sentences,
        removed_citations=removed,
        struck=struck,
        uncertainty=doubted.answer,
        fallbacks=(*fallbacks, *written.notes),
        flags=flags,
        checks=checks,
        readability=stages.readable.measure([s.text for s in sentences] if patient_text else []),
        stages=tuple(clock.reports),
        timings_ms={report.name: report.ms for report in clock.reports},
    )


def unwritten(flag: Flag) -> Flag:
    """The flag; of parts that a draft lacks since its writing ended early, that they were not written: evidence may be there."""
    if flag.kind != FlagKind.MISSING_PART:
        return flag
    parts = flag.message.partition(": ")[2]
    return flag.model_copy(update={"message": f"The writing ended before these parts: {parts}"})


def known_only(sentences: Sequence[WrittenSentence], evidence: Evidence) -> tuple[tuple[WrittenSentence, ...], int]:
    """The sentences without citations of what does not exist, and how many of those there were."""
    known = evidence_ids(evidence)
    kept = tuple(s.model_copy(update={"citations": tuple(c for c in s.citations if c in known)}) for s in sentences)
    return kept, sum(len(a.citations) - len(b.citations) for a, b in zip(sentences, kept, strict=True))


def evidence_ids(evidence: Evidence) -> frozenset[str]:
    """Every id a sentence may cite."""
    groups = (evidence.paths, evidence.graph, evidence.passages, evidence.notes)
    return frozenset(item.id for group in groups for item in group)
