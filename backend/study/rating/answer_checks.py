"""Whether an answer fits its question, and whether an item's answers are complete."""

from collections.abc import Collection, Sequence

from backend.errors import InputError
from backend.schemas.studies.study_instrument import Question, QuestionKind, Target
from backend.schemas.studies.study_rating import (
    Answer,
    CannotJudge,
    CommentAnswer,
    ErrorsAnswer,
    RankingAnswer,
    TextAnswer,
    ValueAnswer,
)
from backend.study.design.instruments import AskedAs


def letters(count: int) -> tuple[str, ...]:
    """A, B, … for the drafts of an item, in the order shown."""
    return tuple(chr(ord("A") + i) for i in range(count))


def parts_of(question: Question, count: int) -> tuple[str, ...]:
    """The parts a question is answered for: each draft's letter, or '' for the item as a whole."""
    return letters(count) if question.target == Target.DRAFT else ("",)


def only_cannot_judge(question: Question, reference: bool, evidence: bool) -> bool:
    """What the question needs is not there: only 'cannot judge' is an honest answer."""
    return (question.needs_reference and not reference) or (question.needs_evidence and not evidence)


def check_answer(
    question: Question, part: str, answer: Answer, texts: Sequence[str], reference: bool, evidence: bool
) -> None:
    """Check that an answer fits its question.

    Args:
        question: what was asked.
        part: the letter of the draft it is about, empty for the item.
        answer: what was sent.
        texts: the drafts as shown, in order; their letters are the parts.
        reference: whether the case has a reference text.
        evidence: whether evidence is shown.

    Raises:
        InputError: it does not fit; the message says what the question takes.
    """
    expected = parts_of(question, len(texts))
    if part not in expected:
        how = (
            f"for one of {', '.join(expected)}" if expected != ("",) else "once for the whole item, with an empty part"
        )
        raise InputError(f"This question is answered {how}.")
    if isinstance(answer, CannotJudge):
        if not question.cannot_judge:
            raise InputError("This question has no 'cannot judge'.")
        return
    if only_cannot_judge(question, reference, evidence):
        missing = "a reference text" if question.needs_reference and not reference else "shown evidence"
        raise InputError(f"This question needs {missing}, which this item does not have: only 'cannot judge' is taken.")
    match question.kind:
        case QuestionKind.RANKING:
            _check_ranking(answer, letters(len(texts)))
        case QuestionKind.ERRORS:
            _check_errors(answer, texts[expected.index(part)])
        case QuestionKind.TEXT:
            if not isinstance(answer, TextAnswer) or (question.required and not answer.text.strip()):
                raise InputError("This question takes a text that is not empty.")
        case _:
            values = [option.value for option in question.options]
            if not isinstance(answer, ValueAnswer) or answer.value not in values:
                raise InputError(f"This question takes one of the values {', '.join(str(v) for v in values)}.")


def check_comment(part: str, answer: CommentAnswer, texts: Sequence[str]) -> None:
    """Check a remark on the item, or on a span of one of its drafts.

    Raises:
        InputError: there is no such draft or span.
    """
    if answer.start_char is None and answer.end_char is None:
        if part and part not in letters(len(texts)):
            raise InputError(f"The item has no draft {part!r}.")
        return
    if part not in letters(len(texts)):
        raise InputError("A remark on selected words needs the letter of the draft they are in.")
    _check_span(answer.start_char, answer.end_char, texts[letters(len(texts)).index(part)])


def complete(asked: Sequence[AskedAs], count: int, answered: Collection[tuple[str, str]]) -> bool:
    """Whether every required question has an answer for each of its parts. answered: (question name, part)."""
    return all(
        (entry.name, part) in answered
        for entry in asked
        if entry.question.required
        for part in parts_of(entry.question, count)
    )


def _check_ranking(answer: Answer, expected: Sequence[str]) -> None:
    if not isinstance(answer, RankingAnswer):
        raise InputError("This question takes an order of the drafts.")
    named = [part for group in answer.order for part in group]
    if sorted(named) != list(expected) or not all(answer.order):
        raise InputError(f"An order names each of {', '.join(expected)} once.")


def _check_errors(answer: Answer, text: str) -> None:
    if not isinstance(answer, ErrorsAnswer):
        raise InputError("This question takes a list of errors; an empty one says that there are none.")
    for error in answer.errors:
        if error.start_char is not None:
            _check_span(error.start_char, error.end_char, text)


def _check_span(start: int | None, end: int | None, text: str) -> None:
    if start is None or end is None or not start < end <= len(text):
        raise InputError(f"The span does not lie within the draft, which has {len(text):,} characters.")
