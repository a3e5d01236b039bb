"""From written sentences to a finished draft: ids resolved, repaired where that is wanted, laid out, verified, checked."""

import uuid
from collections.abc import Sequence

from backend.generation.locale import in_locale
from backend.pipeline.stages import Clock, EvidenceState, PipelineParts, Written, failure
from backend.prompts.asking import heeding
from backend.registry import flag_kind
from backend.retrieval.strategies.strategy import counted
from backend.schemas.chat import Cancelled
from backend.schemas.drafts.draft import (
    Checks,
    Draft,
    FitVerdict,
    Flag,
    Readability,
    Sentence,
    StageReport,
    Verdict,
    WrittenSentence,
)
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.drafts.gaps import gaps_of
from backend.schemas.drafts.headings import REQUIRED
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Repaired, Uncertainty
from backend.schemas.vocabulary import Document, DraftStatus, Fit, Severity, Support
from backend.verification.safety.checks import make_flag
from backend.verification.safety.completeness import MISSING_PART
from backend.verification.safety.flag_order import in_order

UNSCORED = Uncertainty(None, (), "")
_WHOLE = (DraftStatus.COMPLETE, DraftStatus.NOTHING_FOUND)
_LOST = {
    "link": "The note could not be read: its allergies, medicines and problems are not known, and nothing was checked against them.",
    "safety": "The safety checks could not be done: nothing was compared with the allergies, medicines or problems.",
}
"""The stages without which a draft is not safe to read, and what their failure means."""


def finished(
    parts: PipelineParts,
    request: DraftRequest,
    state: EvidenceState,
    written: Written,
    clock: Clock,
    cancelled: Cancelled,
) -> Draft:
    """The draft of what was written; of nothing, the evidence alone.

    Args:
        parts: implementations of the stages.
        request: as it came.
        state: what was retrieved.
        written: what the writer gave.
        clock: has the earlier stages' reports, and gets those of the later ones.
        cancelled: a model that repairs or judges gives up when it turns true.
    """
    linked, conditions, plan, evidence, fallbacks = state
    kept, removed = known_only(written.sentences, evidence)
    removed_sentences: tuple[str, ...] = ()
    if parts.repairer and kept:
        repairer, before = parts.repairer, kept
        with heeding(cancelled):
            repaired = clock.attempt(
                "repair",
                lambda: repairer.repair(request, linked, conditions, evidence, before),
                Repaired(before, (), 0, ""),
            )
        kept, more = known_only(repaired.sentences, evidence)
        removed += more
        removed_sentences = tuple(sentence.text for sentence in repaired.removed)
        clock.event("repair", repaired.reason)
    text, spans = clock.attempt(
        "layout", lambda: parts.layout.lay_out(kept, request.document, request.style), plainly(kept)
    )
    clock.event("layout", f"{counted(len(kept), 'sentence')} laid out")
    unchecked = (Verdict(support=Support.NOT_SCORED, reason="the verification failed"),) * len(kept)
    with heeding(cancelled):  # a judge may be asked
        verdicts = clock.attempt("verify", lambda: parts.verifier.verify(kept, linked, evidence), unchecked)
    clock.event("verify", f"{len(kept)} sentences checked")
    table, fit = parts.medicines, parts.fit
    medicines = clock.attempt("medicines", lambda: table.rows(request, linked, evidence), ()) if table else ()
    if table:
        clock.event("medicines", counted(len(medicines), "medicine"))
    unheld = (FitVerdict(fit=Fit.UNKNOWN, reason=""),) * len(kept)
    fits = (
        clock.attempt("fit", lambda: fit.check(kept, linked, conditions, evidence, request), unheld) if fit else unheld
    )
    if fit:
        misfits = sum(one.fit is Fit.NOT_FOR_THIS_PATIENT for one in fits)
        clock.event("fit", f"{counted(misfits, 'sentence')} may not fit this patient")
    doubted = UNSCORED
    if parts.doubt and kept:
        doubt, texts = parts.doubt, [s.text for s in kept]
        with heeding(cancelled):
            doubted = clock.attempt(
                "uncertainty",
                lambda: doubt.score(request, linked, conditions, evidence, texts, cancelled),
                UNSCORED,
            )
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
            fit=fit_verdict.fit,
            fit_reason=fit_verdict.reason,
            raised=fit_verdict.raised,
            uncertainty=scored_doubt,
            reason=verdict.reason,
            condition_id=sentence.condition_id,
            proposed=sentence.proposed,
            before_repair=sentence.before_repair,
        )
        for sentence, (start, end), verdict, fit_verdict, scored_doubt in zip(
            kept, spans, verdicts, fits, doubts, strict=True
        )
    )
    flags, checks = clock.attempt(
        "safety", lambda: parts.safety.check(request, linked, conditions, sentences), ((), Checks())
    )
    if written.status in (DraftStatus.PARTIAL, DraftStatus.CANCELLED):
        flags = tuple(map(unwritten, flags))
    patient_text = request.document == Document.DISCHARGE_INSTRUCTIONS
    clock.event("safety", f"{len(flags)} flags")
    patients = [s.text for s in sentences] if patient_text else []
    readability = clock.attempt("readability", lambda: parts.readable.measure(patients), Readability())
    clock.event(
        "readability", f"{readability.words} words" if patient_text else "left out: no patient reads this document"
    )
    failed = failed_flags(clock.reports)
    draft = Draft(
        id=str(uuid.uuid4()),
        document=request.document,
        system=parts.system,
        status=DraftStatus.PARTIAL if failed and written.status in _WHOLE else written.status,
        seed=request.seed,
        versions=parts.versions | ({"prompt": written.prompt} if written.prompt else {}),
        generator=written.generator,
        question=request.question,
        options=request.options,
        answer=written.answer,
        note=linked.note,
        patient=linked.patient,
        allergies=linked.allergies,
        record=linked.record,
        medicines=medicines,
        gaps=gaps_of([(s.section, s.text) for s in sentences], REQUIRED),
        untold=written.untold,
        conditions=conditions,
        plan=plan,
        evidence=evidence,
        text=text,
        sentences=sentences,
        removed_citations=removed,
        removed_sentences=removed_sentences,
        uncertainty=doubted.answer,
        fallbacks=(*fallbacks, *written.notes),
        flags=in_order((*failed, *flags)) if failed else flags,
        checks=checks,
        readability=readability,
        stages=tuple(clock.reports),
        timings_ms={report.name: report.ms for report in clock.reports},
    )
    return in_locale(draft, request.locale, parts.locale)


STAGE_FAILED = "stage_failed"


@flag_kind(
    STAGE_FAILED,
    label="A stage failed",
    severity=Severity.WARNING,
    about="A stage of the program ended in an error on this text. It is severe where the note was not read, or nothing was "
    "checked for safety, for that reason.",
    action="Take nothing of the draft that the stage should have given, and draft again; report the class that is named.",
    by_pipeline=True,
)
def failed_flags(reports: Sequence[StageReport]) -> tuple[Flag, ...]:
    """A flag for each stage that failed: severe where nothing was read or checked for that reason."""
    return tuple(
        make_flag(
            STAGE_FAILED,
            f"{_LOST.get(report.name, 'The draft lacks what this stage gives.')} ({failure(report.name, report.failed)})",
            severity=Severity.SEVERE if report.name in _LOST else Severity.WARNING,
        )
        for report in reports
        if report.failed
    )


def plainly(sentences: Sequence[WrittenSentence]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The sentences one below the other, with their places: what stands where the layout fails."""
    spans, at = [], 0
    for sentence in sentences:
        spans.append((at, at + len(sentence.text)))
        at += len(sentence.text) + 1
    return "\n".join(sentence.text for sentence in sentences), tuple(spans)


def unwritten(flag: Flag) -> Flag:
    """The flag; of parts that a draft lacks since its writing ended early, that they were not written: evidence may be there."""
    if flag.kind != MISSING_PART:
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
