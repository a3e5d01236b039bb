"""RAR2 and its baseline: the question as query, the thought as query, and thoughts scaled in parallel or in rounds.

question-rag asks with the question; rar2 with one thought; rar2-parallel with m thoughts sampled at temperature 1 and
joined; rar2-iterative feeds what a thought found to the next one, m rounds (RAR2 sections 3 and 4.3, figure 4). The last
round's passages are what an iteration gives.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from backend.interfaces import LanguageModel, NoteContext
from backend.prompts.asking import Asker
from backend.prompts.template import NewFence, fresh_fence
from backend.registry import strategy
from backend.retrieval.passages.passage_rows import numbered
from backend.retrieval.passages.query_expansion import read_share
from backend.retrieval.strategies.strategy import Progress, RetrievedEvidence, counted, silent
from backend.retrieval.strategies.strategy_parts import StrategyParts
from backend.retrieval.strategies.text_search import TextFinder, text_finder
from backend.retrieval.strategies.thoughts import Thoughts, sampled, thought_again, thought_query
from backend.schemas.drafts.evidence import Passage
from backend.schemas.drafts.request import DraftRequest


class ThoughtMode(StrEnum):
    """What the query is; each is registered as a strategy of its name."""

    QUESTION = "question-rag"
    SINGLE = "rar2"
    PARALLEL = "rar2-parallel"
    ITERATIVE = "rar2-iterative"


@dataclass(frozen=True)
class ThoughtSettings:
    """How is thought.

    Attributes:
        mode: what the query is.
        m: thoughts, or rounds; the paper goes to 8.
        with_question: put the question before the thought (RAR2 figure 3).
        paths_share: what paths count beside a lone question, where they stand in for a model's thought.
        temperature: of the single thought and of the rounds' first; parallel thoughts are sampled at 1.
    """

    mode: ThoughtMode = ThoughtMode.SINGLE
    m: int = 4
    with_question: bool = False
    paths_share: float = 0.0
    temperature: float = 0.0


class ThoughtStrategy:
    """One query made of thoughts.

    Args:
        settings: which thoughts, and how many.
        finder: searches the text sources.
        model: who thinks; without one the reasoning paths are the thought of a note, and stand beside a lone question.
        new_fence: gives the fence of a request's prompts.
    """

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

    def retrieve(self, context: NoteContext, progress: Progress = silent) -> RetrievedEvidence:
        """What the thoughts find, or the question where there is no thought."""
        mode, m, request = self._settings.mode, self._settings.m, context.request
        if mode == ThoughtMode.QUESTION:
            progress(0, 1, "search")
            return self._evidence(request, Thoughts((), "left out: the question is the query"), ())
        asker = Asker(self._model, request.seed, self._new_fence) if self._model else None
        if mode == ThoughtMode.ITERATIVE:
            return self._iterated(context, asker, progress)
        parallel = mode == ThoughtMode.PARALLEL
        temperature = 1.0 if parallel else self._settings.temperature
        progress(0, 2, "thought")
        thoughts = sampled(asker, request, context.paths, m if parallel else 1, temperature)
        if parallel and m > 1 and len(thoughts.texts) == 1:
            thoughts = thoughts._replace(fallback=f"{thoughts.fallback}; there is one thought, not {m}")
        progress(1, 2, "search")
        return self._evidence(request, thoughts, thoughts.texts)

    def _iterated(self, context: NoteContext, asker: Asker | None, progress: Progress) -> RetrievedEvidence:
        request, rounds = context.request, self._settings.m
        first = sampled(asker, request, context.paths, 1, self._settings.temperature)
        texts = list(first.texts)
        fallback = first.fallback
        last = first.texts
        done = 1
        if asker is not None and texts and not fallback:
            while done < rounds:
                progress(done, rounds, "thought and search")
                again = thought_again(asker, request, texts[-1], self._search(request, last))
                if not again.texts:
                    fallback = f"thought {done + 1} of {rounds}: {again.fallback}, so the rounds end here"
                    break
                texts.extend(again.texts)
                last, done = again.texts, done + 1
        elif rounds > 1:
            fallback = f"{fallback}; one round, not {rounds}"
        progress(done, rounds, "thought and search")
        reason = f"{first.reason}, {counted(done, 'round')}"
        thoughts = Thoughts(tuple(texts), reason, fallback, first.from_paths)
        return self._evidence(request, thoughts, last)

    def _search(self, request: DraftRequest, texts: Sequence[str]) -> tuple[Passage, ...]:
        return numbered(self._finder.find(thought_query(request, texts, self._settings.with_question)))

    def _evidence(self, request: DraftRequest, thoughts: Thoughts, asked: Sequence[str]) -> RetrievedEvidence:
        if thoughts.beside(request):
            return self._finder.beside_question(request, thoughts, self._settings.paths_share)
        query = thought_query(request, asked, self._settings.with_question)
        asked_with = "the thought as query" if asked else "the question as query"
        return self._finder.evidence(query, thoughts, asked_with)


@strategy(ThoughtMode.QUESTION, label="The question as query", about="The question is the query of all text sources.")
@strategy(ThoughtMode.SINGLE, label="A thought as query", about="A thought is the query of all text sources (RAR2).")
@strategy(ThoughtMode.PARALLEL, label="Thoughts side by side", about="Several thoughts are one query (RAR2).")
@strategy(ThoughtMode.ITERATIVE, label="Thoughts in rounds", about="Each thought reads what the last found (RAR2).")
def thought_strategy(parts: StrategyParts) -> ThoughtStrategy:
    """The question, a thought, or several thoughts as the query of all text sources (RAR2)."""
    chosen = parts.settings
    thinking = ThoughtSettings(
        ThoughtMode(parts.system.strategy), chosen.rar2_thoughts, chosen.rar2_with_question, read_share()
    )
    return ThoughtStrategy(thinking, text_finder(parts), parts.planner_model, parts.new_fence)
