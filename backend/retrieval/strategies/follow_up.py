"""i-MedRAG: follow-up questions in rounds, each answered from what it finds, until enough is known (Xiong et al. 2024).

RAR2's baseline. It searches as RAR2 does, BM25 over all text sources. Passages of all rounds are kept, each question's
best first; what a model answered on the way steers the next questions and is no evidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from backend.interfaces import LanguageModel
from backend.prompts.asking import Asker
from backend.prompts.evidence_prompts import FOLLOW_UP_ANSWER, FOLLOW_UPS
from backend.prompts.task import first_words, task_text
from backend.prompts.template import NewFence, fresh_fence
from backend.retrieval.passages.fusion import in_turn
from backend.retrieval.strategies.strategy import (
    Gathering,
    Progress,
    counted,
    numbered,
    passage_key,
    references,
    silent,
)
from backend.retrieval.strategies.text_search import TextFinder
from backend.retrieval.strategies.thoughts import NO_MODEL, documents_told, from_paths, thought_query
from backend.schemas.base import Frozen
from backend.schemas.drafts.evidence import Condition, Passage, Plan, ReasoningPath
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest

QUESTION_WORDS = 32
ANSWER_WORDS = 80
READ = 8  # passages a follow-up answer is read from


class WordedQuestions(Frozen):
    questions: tuple[Annotated[str, Field(min_length=1)], ...]


@dataclass(frozen=True)
class FollowUpSettings:
    """rounds of follow-ups, and how many questions each may ask."""

    rounds: int = 3
    questions: int = 3


class FollowUpStrategy:
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

    def gather(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        paths: Sequence[ReasoningPath],
        request: DraftRequest,
        progress: Progress = silent,
    ) -> Gathering:
        if self._model is None:
            return self._from_paths(request, paths, NO_MODEL)
        asker = Asker(self._model, request.seed, self._new_fence)
        asked: dict[str, list[Passage]] = {}
        answered: list[str] = []
        fell = ""
        for number in range(self._settings.rounds):
            progress(number, self._settings.rounds, "follow-up questions")
            questions, fell = self._questions(asker, request, answered)
            fresh = [question for question in questions if question not in asked]
            for question in fresh:
                asked[question] = self._finder.find(question)
                answered.append(self._answer(asker, question, asked[question]))
            if not fresh:
                break
        progress(self._settings.rounds, self._settings.rounds, "follow-up questions")
        if not asked:
            return self._from_paths(request, paths, fell or "the model asked no follow-up question")
        by_key = {passage_key(p): p for found in reversed(asked.values()) for p in reversed(found)}
        order = in_turn([[passage_key(p) for p in found] for found in asked.values()])
        passages = numbered([by_key[key] for key in order[: self._finder.k]])
        told = f"{counted(len(asked), 'follow-up question')} by {asker.name}"
        return Gathering(
            thoughts=(),
            plan=Plan(sub_queries=self._finder.sub_queries(tuple(asked), "a follow-up question")),
            passages=passages,
            graph=(),
            references=references(passages),
            thought_reason="left out: follow-up questions stand in its place",
            plan_reason=told,
            passages_reason=f"{counted(len(passages), 'passage')} by BM25, each question's best first",
            fallbacks=(f"follow-ups: {fell}, so the rounds end here",) if fell else (),
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
        data = {"question": question, "documents": documents_told(numbered(passages[:READ])) or "nothing was found"}
        said = asker.texts(FOLLOW_UP_ANSWER, data, words=ANSWER_WORDS)
        answer = first_words(said.texts[0], ANSWER_WORDS) if said.texts else "not answered"
        return f"Question: {question}\nAnswer: {answer}"

    def _from_paths(self, request: DraftRequest, paths: Sequence[ReasoningPath], why: str) -> Gathering:
        """Without follow-ups: the verbalised paths as the query, or the question."""
        thoughts = from_paths(paths, f"follow-ups: {why}")
        query = thought_query(request, thoughts.texts, with_question=True)
        passages = numbered(self._finder.find(query))
        return Gathering(
            thoughts=thoughts.texts,
            plan=Plan(thoughts=thoughts.texts, sub_queries=self._finder.sub_queries([query], "the question and paths")),
            passages=passages,
            graph=(),
            references=references(passages),
            thought_reason=thoughts.reason,
            plan_reason="the question with the thought, once",
            passages_reason=f"{counted(len(passages), 'passage')} by BM25, at most {self._finder.k}",
            fallbacks=(thoughts.fell,),
        )
