"""RAR2 and its baseline: the question as query, the thought as query, and thoughts scaled in parallel or in rounds.

question-rag asks with the question; rar2 with one thought; rar2-parallel with m thoughts sampled at temperature 1 and
joined; rar2-iterative feeds what a thought found to the next one, m rounds (RAR2 sections 3 and 4.3, figure 4). The last
round's passages are what an iteration gives.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from backend.interfaces import LanguageModel
from backend.prompts.asking import Asker
from backend.prompts.template import NewFence, fresh_fence
from backend.retrieval.strategies.strategy import Gathering, Progress, counted, numbered, references, silent
from backend.retrieval.strategies.text_search import TextFinder
from backend.retrieval.strategies.thoughts import Thoughts, sampled, thought_again, thought_query
from backend.schemas.drafts.evidence import Condition, Passage, Plan, ReasoningPath
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest


class ThoughtMode(StrEnum):
    QUESTION = "question-rag"
    SINGLE = "rar2"
    PARALLEL = "rar2-parallel"
    ITERATIVE = "rar2-iterative"


@dataclass(frozen=True)
class ThoughtSettings:
    """m: thoughts, or rounds; the paper goes to 8. with_question: put the question before the thought (its figure 3).

    temperature: of the single thought and of the rounds' first; parallel thoughts are sampled at 1.
    """

    mode: ThoughtMode = ThoughtMode.SINGLE
    m: int = 4
    with_question: bool = False
    temperature: float = 0.0


class ThoughtStrategy:
    """model: who thinks; None has the reasoning paths told instead."""

    def __init__(
        self,
        settings: ThoughtSettings,
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
        mode, m = self._settings.mode, self._settings.m
        if mode == ThoughtMode.QUESTION:
            return self._found(request, Thoughts((), "left out: the question is the query"), ())
        asker = Asker(self._model, request.seed, self._new_fence) if self._model else None
        if mode == ThoughtMode.ITERATIVE:
            return self._iterated(request, asker, paths, progress)
        parallel = mode == ThoughtMode.PARALLEL
        temperature = 1.0 if parallel else self._settings.temperature
        thoughts = sampled(asker, request, paths, m if parallel else 1, temperature)
        if parallel and m > 1 and len(thoughts.texts) == 1:
            thoughts = thoughts._replace(fell=f"{thoughts.fell}; there is one thought, not {m}")
        return self._found(request, thoughts, thoughts.texts)

    def _iterated(
        self, request: DraftRequest, asker: Asker | None, paths: Sequence[ReasoningPath], progress: Progress
    ) -> Gathering:
        rounds = self._settings.m
        first = sampled(asker, request, paths, 1, self._settings.temperature)
        texts = list(first.texts)
        fell = first.fell
        last = first.texts
        done = 1
        if asker is not None and texts and not fell:
            while done < rounds:
                progress(done, rounds, "thought and search")
                again = thought_again(asker, request, texts[-1], self._search(request, last))
                if not again.texts:
                    fell = f"thought {done + 1} of {rounds}: {again.fell}, so the rounds end here"
                    break
                texts.extend(again.texts)
                last, done = again.texts, done + 1
        elif rounds > 1:
            fell = f"{fell}; one round, not {rounds}"
        progress(done, rounds, "thought and search")
        return self._found(request, Thoughts(tuple(texts), f"{first.reason}, {counted(done, 'round')}", fell), last)

    def _search(self, request: DraftRequest, texts: Sequence[str]) -> tuple[Passage, ...]:
        return numbered(self._finder.find(thought_query(request, texts, self._settings.with_question)))

    def _found(self, request: DraftRequest, thoughts: Thoughts, asked: Sequence[str]) -> Gathering:
        query = thought_query(request, asked, self._settings.with_question)
        told = "the thought as query" if asked else "the question as query"
        planned = self._finder.sub_queries([query], told)
        passages = numbered(self._finder.find(query))
        searched = any(not sub_query.skipped for sub_query in planned)
        return Gathering(
            thoughts=thoughts.texts,
            plan=Plan(thoughts=thoughts.texts, sub_queries=planned),
            passages=passages,
            graph=(),
            references=references(passages),
            thought_reason=thoughts.reason,
            plan_reason=told if searched else "no text source holds anything to search",
            passages_reason=f"{counted(len(passages), 'passage')} by BM25, at most {self._finder.k}",
            fallbacks=(thoughts.fell,) if thoughts.fell else (),
        )
