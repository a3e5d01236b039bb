"""Which option or label an answer means, and how near a long answer is to its reference.

A choice counts as the option that the system chose. A free-text diagnosis counts as the label that its text names first; what
names none is no answer. Matching is by words: another name of a label is not recognised.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.evaluation.answers.question_sets import AnswerKind, Question
from backend.evaluation.metrics.language_measures import rouge
from backend.interfaces import Encoder
from backend.schemas.vocabulary import LETTERS


class LongScores(NamedTuple):
    """rouge_l: 0 to 1, F-measure. cosine: of the whole texts, -1 to 1; None for an empty answer."""

    rouge_l: float
    cosine: float | None


def chosen(question: Question, answer: str, text: str) -> int | None:
    """The place among options or labels, None where the answer names none.

    answer: what the system chose, empty where it chose nothing. text: what it wrote, read for a label alone.
    """
    if question.kind == AnswerKind.CHOICE:
        return _option(question.options, answer)
    if question.kind == AnswerKind.LABEL:
        found = _label(question.labels, answer)
        return found if found is not None else _label(question.labels, text)
    return None


def is_right(question: Question, place: int | None) -> bool:
    """Whether the option or label at a place is the right answer; of equal options either is."""
    return place is not None and (question.options or question.labels)[place] == question.gold


def chance_accuracies(questions: Sequence[Question]) -> tuple[float, float]:
    """Accuracy without reading a question: of a blind guess, and of always giving the commonest answer.

    The commonest answer is a label, or an option where all questions have the same ones (yes, no), else an option's place.
    """
    judged = [(question.options or question.labels, question.gold) for question in questions]
    guess = sum(given.count(gold) / len(given) for given, gold in judged) / len(judged)
    same = len({given for given, _ in judged}) == 1
    answers = Counter(gold if same else given.index(gold) for given, gold in judged)
    return guess, answers.most_common(1)[0][1] / len(judged)


def long_scores(text: str, reference: str, encoder: Encoder) -> LongScores:
    """How near a written answer is to the reference: words in order, and meaning as the encoder sees it."""
    if not text.strip():
        return LongScores(0.0, None)
    vectors = encoder.encode([text, reference])
    return LongScores(rouge(text, reference)[2], float(vectors[0] @ vectors[1]))


def _option(options: tuple[str, ...], answer: str) -> int | None:
    answer_words = _words(answer)
    given = [_words(option) for option in options]
    if answer_words and answer_words in given:
        return given.index(answer_words)
    lettered = _LETTER.match(answer.strip())
    if lettered:
        place = LETTERS.index(lettered[1].upper())
        rest = _words(lettered[2])
        # "A tumour" begins with a letter too: what follows must be nothing, or the option
        if place < len(options) and (not rest or rest == given[place]):
            return place
    return None


def _label(labels: tuple[str, ...], text: str) -> int | None:
    """The label named first; of two that begin at one place the longer."""
    spaced = f" {_words(text)} "
    best: tuple[int, int, int] | None = None
    for place, label in enumerate(_labels(labels)):
        at = spaced.find(f" {label} ") if label else -1
        if at >= 0 and (best is None or (at, -len(label)) < best[:2]):
            best = (at, -len(label), place)
    return best[2] if best else None


@lru_cache(maxsize=16)
def _labels(labels: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_words(label) for label in labels)


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


_WORD = re.compile(r"[^\W_]+")
_LETTER = re.compile(r"\(?([A-Ja-j])(?:[).:]|$)\s*(.*)\Z", re.DOTALL)
