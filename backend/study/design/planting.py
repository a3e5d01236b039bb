"""Attention checks: a copy of a draft with a clinical error in it that nobody should pass. Held on the server only."""

from backend.errors import InputError
from backend.nlp.document.sentences import sentences
from backend.schemas.canonical_json import order_key
from backend.schemas.studies.study_frozen import BlindedDraft, PlantedError
from backend.schemas.studies.study_instrument import Polarity, Question, QuestionKind
from backend.schemas.studies.study_rating import CannotJudge, ErrorsAnswer, RankingAnswer, RatingRecord, ValueAnswer
from backend.study.design.instruments import planted_texts


def planted(draft: BlindedDraft, seed: int, skip: frozenset[str] = frozenset()) -> PlantedError:
    """The draft's blinded text with one planted error after a sentence in its middle part, chosen by seed.

    Args:
        draft: as raters see it.
        seed: of the study.
        skip: errors used before in this study.

    Raises:
        InputError: all errors are used.
    """
    free = [entry for entry in planted_texts() if entry.id not in skip]
    if not free:
        raise InputError(f"There are {len(planted_texts())} planted errors; lower attention_checks to that number.")
    error = min(free, key=lambda entry: order_key(seed, "planted", draft.case_id, draft.arm_id, entry.id))
    ends = [end for _, end in sentences(draft.blinded)] or [len(draft.blinded)]
    inner = ends[len(ends) // 4 : max(len(ends) // 4 + 1, 3 * len(ends) // 4)]
    at = min(inner, key=lambda end: order_key(seed, "place", draft.case_id, end))
    start = at + 1
    text = f"{draft.blinded[:at]} {error.text}{draft.blinded[at:]}"
    return PlantedError(
        error_id=error.id, arm_id=draft.arm_id, start_char=start, end_char=start + len(error.text), text=text
    )


def noticed(
    check: PlantedError, shown: tuple[str, ...], answers: list[tuple[Question | None, RatingRecord]]
) -> bool | None:
    """Whether a rater noticed the planted error. None when nothing they answered could show it.

    Noticed: an error or a remark marked on its words; or, of the planted draft, any answer in the worse half of a scale
    that has a better end; or the other draft preferred, or ranked above it. answers: the newest of each, with its
    question (None for a comment); shown: the arms as shown.
    """
    part = chr(ord("A") + shown.index(check.arm_id))
    signs = [_sign(check, part, question, record) for question, record in answers]
    known = [sign for sign in signs if sign is not None]
    return any(known) if known else None


def _sign(check: PlantedError, part: str, question: Question | None, record: RatingRecord) -> bool | None:
    answer = record.answer
    if isinstance(answer, CannotJudge):
        return None
    if question is None:
        spanned = record.part == part and getattr(answer, "start_char", None) is not None
        return True if spanned and _overlaps(check, answer.start_char, answer.end_char) else None  # type: ignore[union-attr]
    if isinstance(answer, RankingAnswer):
        place = next(i for i, group in enumerate(answer.order) if part in group)
        return place > 0
    if isinstance(answer, ErrorsAnswer) and record.part == part:
        return any(_overlaps(check, error.start_char, error.end_char) for error in answer.errors)
    if not isinstance(answer, ValueAnswer):
        return None
    if question.kind == QuestionKind.PREFERENCE:
        return answer.value > 0 if part == "A" else answer.value < 0
    values = [option.value for option in question.options]
    middle = (values[0] + values[-1]) / 2
    if record.part != part or question.polarity == Polarity.NONE:
        return None
    return answer.value < middle if question.polarity == Polarity.HIGHER_IS_BETTER else answer.value > middle


def _overlaps(check: PlantedError, start: int | None, end: int | None) -> bool:
    return start is not None and end is not None and start < check.end_char and end > check.start_char
