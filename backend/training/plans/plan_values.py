"""What a planned query is worth, by three signals.

SPO's judge, the reader's gain (trainable-planning) and the reranker's score (RaFe).
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from backend.errors import MissingError
from backend.interfaces import Reranker
from backend.planning.model_plan import DOCUMENT_WORDS
from backend.prompts.task import task_text
from backend.prompts.training_prompts import OPEN
from backend.prompts.verdicts import numbered_documents, supports_answer
from backend.schemas.drafts.evidence import Evidence, GraphItem, Passage
from backend.schemas.vocabulary import Source
from backend.training.thoughts.thought_pairs import AskedQuestion

OPEN_WORDS = 150
RERANK_THRESHOLD = 2.3  # tuned by the paper for MedCPT's cross-encoder, so for another reranker it says nothing


class Signal(StrEnum):
    """Whose opinion makes the value."""

    JUDGE = "judge"
    ANSWER = "answer"
    RERANK = "rerank"

    @property
    def planner(self) -> str:
        """The planner that data of this signal trains."""
        return {"judge": "spo", "answer": "trainable-planning", "rerank": "rafe"}[self.value]


class Valued(NamedTuple):
    """value: None where the model gave no usable reply; such a query is neither good nor bad and is left out."""

    value: float | None
    positive: bool


class Valuer(Protocol):
    """What tells the worth of a query by the documents that it finds."""

    def value(self, asked: AskedQuestion, source: Source, documents: Sequence[str]) -> Valued:
        """Of the documents that one query found; a query that found nothing is never asked about."""
        ...


class JudgeValuer:
    """SPO: does a model find that the documents support the known answer?"""

    def value(self, asked: AskedQuestion, source: Source, documents: Sequence[str]) -> Valued:
        """Worth 1 where the judge finds the known answer supported, else 0."""
        question = asked.question
        reply = supports_answer(asked.asker, task_text(question.request(0)), question.answer, documents)
        asked.model.check()
        if reply.value is None:
            return Valued(None, False)
        return Valued(float(reply.value.supports), reply.value.supports)


class AnswerValuer:
    """trainable-planning: does the reader answer better with the documents than without? No gain is no good query.

    One for each question: what the reader says without documents is asked once.
    """

    def __init__(self) -> None:
        self._without: dict[str, float] = {}

    def value(self, asked: AskedQuestion, source: Source, documents: Sequence[str]) -> Valued:
        """How much better the reader answers with the documents than without any."""
        name = asked.question.id
        if name not in self._without:
            self._without[name] = self._score(asked, source, ())
        gain = self._score(asked, source, documents) - self._without[name]
        return Valued(gain, gain > 0)

    def _score(self, asked: AskedQuestion, source: Source, documents: Sequence[str]) -> float:
        question = asked.question
        if question.options:
            return float(asked.letter(_evidence(source, documents)) == question.letter)
        data = {"question": task_text(question.request(0)), "documents": numbered_documents(documents, DOCUMENT_WORDS)}
        said = asked.asker.texts(OPEN, data, words=OPEN_WORDS)
        asked.model.check()
        return rouge_l(question.answer, said.texts[0]) if said.texts else 0.0


class RerankValuer:
    """rafe: do the documents score above a threshold against the question? Raises MissingError without a reranker."""

    def __init__(self, reranker: Reranker | None, threshold: float = RERANK_THRESHOLD) -> None:
        if reranker is None:
            raise MissingError(
                "The signal 'rerank' needs a cross-encoder, and rank fusion gives no scores. Set one with LEAPNOTE_RERANKER."
            )
        self._reranker = reranker
        self._threshold = threshold

    def value(self, asked: AskedQuestion, source: Source, documents: Sequence[str]) -> Valued:
        """The reranker's mean score of the documents; it served above the threshold."""
        mean = float(self._reranker.scores(asked.question.question, documents).mean())
        return Valued(round(mean, 4), mean > self._threshold)


def valuer(signal: Signal, reranker: Reranker | None = None, threshold: float = RERANK_THRESHOLD) -> Valuer:
    """The valuer of a signal."""
    match signal:
        case Signal.JUDGE:
            return JudgeValuer()
        case Signal.ANSWER:
            return AnswerValuer()
        case Signal.RERANK:
            return RerankValuer(reranker, threshold)


def rouge_l(gold: str, said: str) -> float:
    """F1 of the longest common subsequence of words, 0 to 1, stemmed, as rouge-score has it."""
    from rouge_score.rouge_scorer import RougeScorer

    return float(RougeScorer(["rougeL"], use_stemmer=True).score(gold, said)["rougeL"].fmeasure)


def _evidence(source: Source, documents: Sequence[str]) -> Evidence:
    """The texts of a search as the writer takes them: graph items of the graph, else passages."""
    if source == Source.GRAPH:
        items = (GraphItem(id=f"G{i}", concept_id="", text=text) for i, text in enumerate(documents, start=1))
        return Evidence(graph=tuple(items))
    return Evidence(passages=tuple(_passage(source, i, text) for i, text in enumerate(documents, start=1)))


def _passage(source: Source, place: int, document: str) -> Passage:
    """A search tells a passage as "title. text", and so does the writer's prompt: where it is cut changes nothing there."""
    title, _, text = document.partition(". ")
    return Passage(
        id=f"P{place}", source=source, document_id="", title=title, text=text, start_char=0, end_char=len(text)
    )
