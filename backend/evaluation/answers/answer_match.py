"""Which option or label an answer means, and how near a long answer is to its reference.

A choice counts as the option that the system chose. A free-text diagnosis counts as the label that its text names first, by its words
or by any name of its concept that the linker knows; what names none is no answer.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.evaluation.answers.question_sets import AnswerKind, Question
from backend.evaluation.metrics.language_measures import rouge
from backend.interfaces import Encoder, Linker
from backend.schemas.vocabulary import LETTERS, Assertion


class LongScores(NamedTuple):
    """rouge_l: 0 to 1, F-measure. cosine: of the whole texts, -1 to 1; None for an empty answer."""

    rouge_l: float
    cosine: float | None


class LabelMatcher:
    """Finds labels in texts.

    Args:
        linker: knows other names of a label's concept, and what a text denies; None for words alone.
    """

    def __init__(self, linker: Linker | None = None) -> None:
        self._linker = linker
        self._known: dict[tuple[str, ...], dict[str, int]] = {}

    def place(self, labels: tuple[str, ...], text: str) -> int | None:
        """The place of the label that is named first; of two that begin at one place the longer. None where none is named."""
        found: list[tuple[int, int, int]] = []
        for place, words in enumerate(_patterns(labels)):
            if words is not None and (said := words.search(text)) is not None:
                found.append((said.start(), -len(said[0]), place))
        concepts = self._concepts(labels)
        for mention in self._linker.named(text) if self._linker is not None and concepts else ():
            if mention.concept_id in concepts and mention.assertion not in (Assertion.NEGATED, Assertion.FAMILY):
                length = mention.end_char - mention.start_char
                found.append((mention.start_char, -length, concepts[mention.concept_id]))
        return min(found)[2] if found else None

    def _concepts(self, labels: tuple[str, ...]) -> dict[str, int]:
        """By concept, the place of the label that names it from end to end; a concept of two labels is told apart by words alone."""
        if labels not in self._known and self._linker is not None:
            named: dict[str, list[int]] = {}
            for place, label in enumerate(labels):
                for mention in self._linker.named(label):
                    if (mention.start_char, mention.end_char) == (0, len(label)):
                        named.setdefault(mention.concept_id, []).append(place)
            self._known[labels] = {concept: places[0] for concept, places in named.items() if len(places) == 1}
        return self._known.get(labels, {})


WORDS_ALONE = LabelMatcher()


def chosen(question: Question, answer: str, text: str, matcher: LabelMatcher = WORDS_ALONE) -> int | None:
    """The place among options or labels, None where the answer names none.

    Args:
        question: with its options or labels.
        answer: what the system chose, empty where it chose nothing.
        text: what it wrote, read for a label alone.
        matcher: finds labels.
    """
    if question.kind == AnswerKind.CHOICE:
        return _option(question.options, answer)
    if question.kind == AnswerKind.LABEL:
        found = matcher.place(question.labels, answer)
        return found if found is not None else matcher.place(question.labels, text)
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


@lru_cache(maxsize=16)
def _patterns(labels: tuple[str, ...]) -> tuple[re.Pattern[str] | None, ...]:
    """Each label's words in order, whatever stands between them; None for a label without any."""
    words = (_WORD.findall(label) for label in labels)
    joined = (r"[\W_]+".join(map(re.escape, found)) for found in words)
    return tuple(re.compile(rf"(?<![^\W_]){one}(?![^\W_])", re.IGNORECASE) if one else None for one in joined)


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


_WORD = re.compile(r"[^\W_]+")
_LETTER = re.compile(r"\(?([A-Ja-j])(?:[).:]|$)\s*(.*)\Z", re.DOTALL)
