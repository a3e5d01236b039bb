"""`evaluate answers`: systems side by side on question sets.

Takes sets of questions and cells (a system with a generator, perhaps with one setting varied); each question is answered
`repeats` times, with the seeds that follow one another. Rows keep places and numbers, never a text. A killed run goes on.
"""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from backend.errors import InputError
from backend.evaluation.answers.answer_match import WORDS_ALONE, LabelMatcher, chosen, is_right, long_scores
from backend.evaluation.answers.answers_figures import AnswersFound, summarise
from backend.evaluation.answers.question_sets import AnswerKind, Question
from backend.evaluation.metrics.bootstrap import RESAMPLES
from backend.evaluation.reports.cell_use import USE, checked_cells, in_drawn_order, warm
from backend.evaluation.reports.failed_items import failed_row
from backend.evaluation.reports.journal import Journal, Progress
from backend.interfaces import Encoder


class Answered(NamedTuple):
    """answer: the option or label chosen, empty for none. text: what was written. passages: how many it rests on.

    uncertainty: of the whole answer by samples (LUQ), 0 to 1; None where it was not scored. use: how it came about, as
    `cell_use` keeps it.
    """

    answer: str
    text: str
    passages: int
    uncertainty: float | None = None
    use: Mapping[str, Any] | None = None


class Answerer(Protocol):
    """One cell. Raises LeapnoteError when it cannot answer."""

    @property
    def name(self) -> str:
        """What the cell is called in figures."""
        ...

    def answer(self, question: Question, seed: int) -> Answered:
        """The answer to one question, with what it rests on."""
        ...


class AnswersSettings(NamedTuple):
    """baseline: a cell, empty for none. repeats: answers to each question, for mean and standard deviation."""

    baseline: str = ""
    repeats: int = 1
    resamples: int = RESAMPLES
    seed: int = 0


def run_answers(
    sets: Mapping[str, Sequence[Question]],
    answerers: Sequence[Answerer],
    encoder: Encoder,
    settings: AnswersSettings,
    journal: Path,
    key: str,
    progress: Progress | None = None,
    matcher: LabelMatcher = WORDS_ALONE,
) -> AnswersFound:
    """Let every cell answer every question, and compare; the matcher finds labels in free text.

    A killed run with the same key goes on after its last whole question.

    Raises:
        InputError: a name does not fit.
    """
    names = checked_cells([answerer.name for answerer in answerers], settings.baseline)
    if settings.repeats < 1:
        raise InputError(f"--repeats {settings.repeats} answers nothing. Give at least 1.")
    asked = [(f"{name}/{question.question_id}", name, question) for name, held in sets.items() for question in held]
    if len({row_id for row_id, _, _ in asked}) != len(asked):
        raise InputError("Two questions of a set share an id. Ids must be unique within a set.")
    with Journal(journal, key) as book:
        if any(row_id not in book.rows for row_id, _, _ in asked):
            warm(answerers)
        for done, (row_id, _, question) in enumerate(asked):
            if progress is not None:
                progress(done, len(asked), "questions")
            if row_id not in book.rows:
                book.add(row_id, _row(question, answerers, encoder, settings, matcher))
        if progress is not None:
            progress(len(asked), len(asked), "questions")
        rows = [(name, question.kind, book.rows[row_id]) for row_id, name, question in asked]
    return summarise(rows, names, settings.baseline, settings.repeats, settings.seed, settings.resamples)


def _row(
    question: Question,
    answerers: Sequence[Answerer],
    encoder: Encoder,
    settings: AnswersSettings,
    matcher: LabelMatcher,
) -> dict[str, Any]:
    """For each cell one entry a repeat."""
    seeds = range(settings.seed, settings.seed + settings.repeats)
    ordered = in_drawn_order(answerers, settings.seed, question.question_id)
    return {
        answerer.name: [_entry(question, answerer, encoder, seed, matcher) for seed in seeds] for answerer in ordered
    }


def _entry(
    question: Question, answerer: Answerer, encoder: Encoder, seed: int, matcher: LabelMatcher
) -> dict[str, Any]:
    started = time.perf_counter()
    try:
        given = answerer.answer(question, seed)
    except Exception as error:
        return failed_row("answer", error)
    entry: dict[str, Any] = {"ms": round((time.perf_counter() - started) * 1000, 1), "passages": given.passages}
    if given.use is not None:
        entry[USE] = dict(given.use)
    if given.uncertainty is not None:
        entry["uncertainty"] = given.uncertainty
    try:
        if question.kind == AnswerKind.LONG:
            return entry | long_scores(given.text, question.gold, encoder)._asdict()
        place = chosen(question, given.answer, given.text, matcher)
    except Exception as error:
        return failed_row("score", error)
    if question.harmful:
        entry["harmful"] = float(place is not None and question.options[place] in question.harmful)
    return entry | {"chosen": place, "right": float(is_right(question, place))}
