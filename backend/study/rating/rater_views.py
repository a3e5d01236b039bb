"""A rater's pages as values. Keys instead of names: a question's instrument, an arm or a system never leaves here."""

from collections.abc import Sequence

from backend.nlp.document.sentences import sentences
from backend.schemas.studies.study_design import EvidenceShown
from backend.schemas.studies.study_rater_views import (
    AskedQuestion,
    RaterItem,
    RaterSession,
    SavedAnswer,
    ShownDraft,
    TextSpan,
)
from backend.schemas.studies.study_rating import Phase, RatingRecord
from backend.study.design.instruments import AskedAs, asked
from backend.study.rating.answer_checks import letters, only_cannot_judge
from backend.study.rating.rater_access import (
    ItemTexts,
    RaterAccess,
    calibration_count,
    evidence_is_shown,
    is_calibration,
)

COMMENT = "comment"
DEMONSTRATION = "These are made-up demonstration cases: this is not an evaluation."


def session_view(rater_access: RaterAccess, stage: str, done: int, next_number: int, paused: bool) -> RaterSession:
    """The rater's session: what is asked of them and how far they are."""
    setup = rater_access.study.setup
    return RaterSession(
        title=setup.public_title,
        instructions=setup.instructions,
        notice=DEMONSTRATION if rater_access.study.stamps else "",
        design=setup.design,
        evidence=setup.evidence,
        questions=tuple(question_view(entry) for entry in rater_access.asked),
        stage=stage,
        total=len(rater_access.plan.slots),
        done=done,
        calibration=calibration_count(rater_access),
        next_number=next_number,
        paused=paused,
    )


def item_view(
    rater_access: RaterAccess,
    shown: ItemTexts,
    phase: Phase,
    latest: Sequence[RatingRecord],
    complete: bool,
    waits: bool,
) -> RaterItem:
    """latest: this rater's newest answers to this item, of every phase."""
    evidence = evidence_is_shown(rater_access, phase)
    has = [bool(found) for found in shown.evidence]
    return RaterItem(
        number=shown.slot.number,
        total=len(rater_access.plan.slots),
        calibration=is_calibration(rater_access, shown.slot.number),
        note=shown.case.text,
        question=shown.case.question,
        reference=shown.case.reference or None,
        drafts=tuple(
            ShownDraft(
                part=part,
                text=text,
                sentences=tuple(TextSpan(start_char=a, end_char=b) for a, b in sentences(text)),
                evidence=found if evidence else None,
            )
            for part, text, found in zip(letters(len(shown.texts)), shown.texts, shown.evidence, strict=True)
        ),
        questions=tuple(
            question_view(entry, bool(shown.case.reference.strip()), evidence and any(has))
            for entry in rater_access.asked
        ),
        answers=tuple(answer_view(rater_access, record) for record in latest),
        phase=phase,
        evidence_pending=waits,
        complete=complete,
    )


def question_view(entry: AskedAs, reference: bool = True, evidence: bool = True) -> AskedQuestion:
    """A question under its key. What it needs and the item lacks leaves only 'cannot judge'."""
    question = entry.question
    return AskedQuestion(
        key=entry.key,
        kind=question.kind,
        target=question.target,
        prompt=question.prompt,
        help=question.help,
        options=question.options,
        required=question.required,
        cannot_judge=question.cannot_judge,
        only_cannot_judge=only_cannot_judge(question, reference, evidence),
    )


def answer_view(rater_access: RaterAccess, record: RatingRecord) -> SavedAnswer:
    """An answer under the key of its question."""
    return SavedAnswer(
        key=key_of(rater_access, record.question),
        part=record.part,
        phase=record.phase,
        revision=record.revision,
        answer=record.answer,
    )


def key_of(rater_access: RaterAccess, name: str) -> str:
    """The session's key of a question's name."""
    if name.startswith(COMMENT):
        return COMMENT
    return next(entry.key for entry in asked(rater_access.study.setup.instruments) if entry.name == name)


def evidence_comes(rater_access: RaterAccess) -> bool:
    """Whether evidence is shown after a first rating without it."""
    return rater_access.study.setup.evidence == EvidenceShown.AFTER_FIRST
