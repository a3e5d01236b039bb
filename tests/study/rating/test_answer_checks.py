"""Whether an answer fits its question."""

import uuid
from typing import Any

import pytest

from backend.errors import InputError
from backend.schemas.studies.study_instrument import (
    ErrorSeverity,
    ErrorType,
    Option,
    Question,
    QuestionKind,
    Target,
)
from backend.schemas.studies.study_rating import (
    Answer,
    CannotJudge,
    CommentAnswer,
    ErrorsAnswer,
    MarkedError,
    RankingAnswer,
    TextAnswer,
    ValueAnswer,
)
from backend.study.design.instruments import AskedAs
from backend.study.rating.answer_checks import check_answer, check_comment, complete, letters, parts_of

TEXTS = ("Rest.", "Drink water.")
OPTIONS = (Option(value=1, label="no"), Option(value=2, label="yes"))
SEVERITY = next(iter(ErrorSeverity))


def asked(kind: QuestionKind = QuestionKind.SCALE, **fields: Any) -> Question:
    options = OPTIONS if kind is QuestionKind.SCALE else ()
    return Question(id="q", kind=kind, prompt="Q?", options=options, **fields)


def marked(start: int | None, end: int | None) -> ErrorsAnswer:
    kind = ErrorType.WRONG if start is not None else ErrorType.MISSING
    return ErrorsAnswer(errors=(MarkedError(type=kind, severity=SEVERITY, start_char=start, end_char=end),))


RANKING = asked(QuestionKind.RANKING, target=Target.ITEM)
ERRORS, TEXT = asked(QuestionKind.ERRORS), asked(QuestionKind.TEXT)


@pytest.mark.parametrize(
    ("question", "part", "answer"),
    [
        (asked(), "A", ValueAnswer(value=2)),
        (asked(), "B", CannotJudge()),
        (RANKING, "", RankingAnswer(order=(("B", "A"),))),  # a tie
        (ERRORS, "A", ErrorsAnswer()),  # there are none
        (ERRORS, "A", marked(0, 5)),
        (ERRORS, "A", marked(None, None)),  # what is missing has no span
        (TEXT, "A", TextAnswer(text="good")),
        (asked(QuestionKind.TEXT, required=False), "A", TextAnswer(text=" ")),
    ],
)
def test_an_answer_that_fits_is_taken(question: Question, part: str, answer: Answer) -> None:
    check_answer(question, part, answer, TEXTS, reference=True, evidence=True)


@pytest.mark.parametrize(
    ("question", "part", "answer", "message"),
    [
        (asked(), "A", ValueAnswer(value=3), "one of the values 1, 2"),
        (asked(), "C", ValueAnswer(value=2), "for one of A, B"),
        (asked(), "A", TextAnswer(text="yes"), "one of the values"),
        (asked(cannot_judge=False), "A", CannotJudge(), "no 'cannot judge'"),
        (asked(needs_reference=True), "A", ValueAnswer(value=2), "needs a reference text"),
        (asked(needs_evidence=True), "A", ValueAnswer(value=2), "needs shown evidence"),
        (RANKING, "A", RankingAnswer(order=(("A",), ("B",))), "once for the whole item"),
        (RANKING, "", RankingAnswer(order=(("A",), ("A",))), "names each of A, B once"),
        (RANKING, "", ValueAnswer(value=1), "an order of the drafts"),
        (ERRORS, "A", marked(0, 6), "has 5 characters"),
        (ERRORS, "B", marked(3, 30), "does not lie within"),
        (ERRORS, "A", TextAnswer(text="none"), "a list of errors"),
        (TEXT, "A", TextAnswer(text=" "), "not empty"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_with_what_the_question_takes(
    question: Question, part: str, answer: Answer, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        check_answer(question, part, answer, TEXTS, reference=False, evidence=False)


def remark(start: int | None = None, end: int | None = None) -> CommentAnswer:
    return CommentAnswer(thread=uuid.UUID(int=1), text="x", start_char=start, end_char=end)


def test_a_remark_is_on_the_item_a_draft_or_words_of_one() -> None:
    for part, answer in (("", remark()), ("B", remark()), ("B", remark(0, 5))):
        check_comment(part, answer, TEXTS)
    for part, answer, message in (
        ("C", remark(), "no draft 'C'"),
        ("", remark(0, 5), "needs the letter"),
        ("A", remark(0, 6), "has 5 characters"),
    ):
        with pytest.raises(InputError, match=message):
            check_comment(part, answer, TEXTS)


def test_an_item_is_complete_with_every_required_part() -> None:
    questions = [
        AskedAs("k1", "one", asked()),
        AskedAs("k2", "two", RANKING),
        AskedAs("k3", "three", asked(required=False)),
    ]
    assert letters(3) == ("A", "B", "C")
    assert (parts_of(asked(), 2), parts_of(RANKING, 2)) == (("A", "B"), ("",))
    assert complete(questions, 2, {("one", "A"), ("one", "B"), ("two", "")})
    assert not complete(questions, 2, {("one", "A"), ("two", "")})
    assert complete([], 2, set())
