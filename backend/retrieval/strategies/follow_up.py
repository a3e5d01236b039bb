"""i-MedRAG: follow-up questions in rounds, each answered from what it finds, until enough is known (Xiong et al. 2024).

RAR2's baseline. It searches as RAR2 does, BM25 over all text sources. Passages of all rounds are kept, each question's
best first; what a model answered on the way steers the next questions and is no evidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from backend.interfaces import LanguageModel, NoteContext
from backend.prompts.asking import Asker
from backend.prompts.evidence_prompts import FOLLOW_UP_ANSWER, FOLLOW_UPS
from backend.prompts.task import first_words, task_text
from backend.prompts.template import NewFence, fresh_fence
from backend.registry import strategy
from backend.retrieval.passages.fusion import interleaved
from backend.retrieval.passages.passage_rows import numbered, passage_key
from backend.retrieval.passages.query_expansion import read_share
from backend.retrieval.strategies.strategy import Progress, RetrievedEvidence, counted, retrieved, silent
from backend.retrieval.strategies.strategy_parts import StrategyParts
from backend.retrieval.strategies.text_search import TextFinder, text_finder
from backend.retrieval.strategies.thoughts import NO_MODEL, documents_text, from_paths, thought_query
from backend.schemas.base import Frozen
from backend.schemas.drafts.evidence import Passage, Plan
from backend.schemas.drafts.request import DraftRequest

QUESTION_WORDS = 32
ANSWER_WORDS = 80
READ = 8  # passages a follow-up answer is read from


class WordedQuestions(Frozen):
    """The follow-up questions that a model asks next; none when it knows enough."""

    questions: tuple[Annotated[str, Field(min_length=1)], ...]


@dataclass(frozen=True)
class FollowUpSettings:
    """rounds of follow-ups, how many questions each may ask, and what paths count beside a lone question without them."""

    rounds: int = 3
    questions: int = 3
    paths_share: float = 0.0


class FollowUpStrategy:
    """Follow-up questions in rounds.

    Args:
        settings: how many rounds and questions.
        finder: searches the text sources.
        model: who asks and answers; without one the question is asked with the reasoning paths, once.
        new_fence: gives the fence of a request's prompts.
    """

    def __init__(
        self,
        settings: FollowUpSettings,
        finder: TextFinder,
        model: LanguageModel | None = None,
        new_fence: NewFence = fresh_fence,
    ) -> None:
        self._settings = settings
        self._finder = finder
        self._model = model
        self._new_fence = new_fence

    def retrieve(self, context: NoteContext, progress: Progress = silent) -> RetrievedEvidence:
        """What the questions find, each one's best first."""
        request, rounds = context.request, self._settings.rounds
        if self._model is None:
            progress(0, 1, "search")
            return self._from_paths(context, NO_MODEL)
        asker = Asker(self._model, request.seed, self._new_fence)
        asked: dict[str, list[Passage]] = {}
        answered: list[str] = []
        fallback = ""
        for number in range(rounds):
            progress(number, rounds, "follow-up questions")
            questions, fallback = self._questions(asker, request, answered)
            fresh = [question for question in questions if question not in asked]
            for question in fresh:
                asked[question] = self._finder.find(question)
                answered.append(self._answer(asker, question, asked[question]))
            if not fresh:
                break
        progress(rounds, rounds, "follow-up questions")
        if not asked:
            return self._from_paths(context, fallback or "the model asked no follow-up question")
        by_key = {passage_key(p): p for found in reversed(asked.values()) for p in reversed(found)}
        order = interleaved([[passage_key(p) for p in found] for found in asked.values()])
        passages = numbered([by_key[key] for key in order[: self._finder.k]])
        return retrieved(
            Plan(sub_queries=self._finder.sub_queries(tuple(asked), "a follow-up question")),
            passages,
            reasons=(
                "left out: follow-up questions stand in its place",
                f"{counted(len(asked), 'follow-up question')} by {asker.name}",
                f"{counted(len(passages), 'passage')} by BM25, each question's best first",
            ),
            fallbacks=(f"follow-ups: {fallback}, so the rounds end here",) if fallback else (),
        )

    def _questions(self, asker: Asker, request: DraftRequest, answered: Sequence[str]) -> tuple[list[str], str]:
        """The next questions, and why there are none if the model failed."""
        data = {"task": task_text(request), "answered": "\n\n".join(answered)}
        most = self._settings.questions
        reply = asker.shaped(FOLLOW_UPS, WordedQuestions, data, most=most, words=QUESTION_WORDS)
        if reply.value is None:
            return [], reply.reason
        cut = (first_words(" ".join(text.split()), QUESTION_WORDS) for text in reply.value.questions)
        return list(dict.fromkeys(text for text in cut if text))[:most], ""

    def _answer(self, asker: Asker, question: str, passages: Sequence[Passage]) -> str:
        data = {"question": question, "documents": documents_text(numbered(passages[:READ])) or "nothing was found"}
        reply = asker.texts(FOLLOW_UP_ANSWER, data, words=ANSWER_WORDS)
        answer = first_words(reply.texts[0], ANSWER_WORDS) if reply.texts else "not answered"
        return f"Question: {question}\nAnswer: {answer}"

    def _from_paths(self, context: NoteContext, why: str) -> RetrievedEvidence:
        """Without follow-ups: the verbalised paths beside the question, or the question."""
        thoughts = from_paths(context.paths, f"follow-ups: {why}")
        if thoughts.beside(context.request):
            return self._finder.beside_question(context.request, thoughts, self._settings.paths_share)
        query = thought_query(context.request, thoughts.texts, with_question=True)
        return self._finder.evidence(query, thoughts, "the question and paths", "the question with the thought, once")


@strategy("i-medrag", label="Follow-up questions")
def follow_up_strategy(parts: StrategyParts) -> FollowUpStrategy:
    """Follow-up questions in rounds, each answered from what it finds (i-MedRAG)."""
    asking = FollowUpSettings(parts.settings.imedrag_rounds, parts.settings.imedrag_questions, read_share())
    return FollowUpStrategy(asking, text_finder(parts), parts.planner_model, parts.new_fence)
