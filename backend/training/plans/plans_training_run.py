"""Makes SPO's training data: explore, search, value, then plans for fine-tuning and pairs for preference training.

With another signal the same makes trainable-planning's and rafe's. Exploring, searching and valuing cost by far the most,
and their rows hold all that the choice of plans needs: leaving out a source, taking a share of the questions, or learning
the negative plans runs again from the same rows.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from backend.errors import InputError
from backend.interfaces import LanguageModel
from backend.prompts.verdicts import first_half
from backend.schemas.vocabulary import Source
from backend.training.plans.plan_exploration import EXPLORED, explore
from backend.training.plans.plan_pairs import ValuedQuery, plan_of, plan_pair, wanted_plan
from backend.training.plans.plan_search import QuerySearch
from backend.training.plans.plan_values import Valued, Valuer
from backend.training.questions import Ledger, Progress, Question
from backend.training.rendered import write_samples
from backend.training.resumed import done_rows
from backend.training.thoughts.thought_pairs import AskedQuestion, Reader, unread
from backend.training.watched_model import WatchedModel

SFT, DPO = "sft.jsonl", "dpo.jsonl"
NOT_FOUND = Valued(0.0, False)


@dataclass(frozen=True)
class PlanDataSettings:
    """explored: queries a source. left_out: a source that neither prompt nor plan names (Omni-RAG 5.8).

    negative_alone: fine-tune on the negative plans, the paper's control of Table 10; there are no pairs then.
    """

    explored: int = EXPLORED
    left_out: frozenset[Source] = frozenset()
    negative_alone: bool = False
    seed: int = 0


class PlansBuilt(NamedTuple):
    """How many samples each file has, how many queries of each source there were and were good, and what a question took.

    retrieval_s, inference_s: mean seconds a question of searching, and of exploring and valuing (Omni-RAG Tables 11 and 14).
    """

    sft: int
    dpo: int
    queries: dict[str, int]
    positive: dict[str, int]
    unvalued: int
    retrieval_s: float | None = None
    inference_s: float | None = None


def explored_row(
    question: Question,
    model: LanguageModel,
    search: QuerySearch,
    valuer: Valuer,
    settings: PlanDataSettings,
    reader: Reader = unread,
) -> dict[str, Any]:
    """The row of a question: every query with what it found and what that is worth.

    EngineError and TooLongError come from the model.
    """
    asked = AskedQuestion.of(question, WatchedModel(model), settings.seed, reader)
    began, searching = time.perf_counter(), 0.0
    filled = search.filled()
    sources = tuple(source for source in Source if source in filled)
    queries = []
    for source, texts in explore(asked, sources, settings.explored).items():
        for text in texts:
            asked_at = time.perf_counter()
            read = first_half(search.documents(source, text))
            searching += time.perf_counter() - asked_at
            worth = valuer.value(asked, source, read) if read else NOT_FOUND
            queries.append([source.value, text, len(read), worth.value, worth.positive])
    thinking = time.perf_counter() - began - searching
    return {"queries": queries, "retrieval_s": round(searching, 4), "inference_s": round(thinking, 4)}


def build_plans(
    questions: Sequence[Question],
    model: LanguageModel,
    search: QuerySearch,
    valuer: Valuer,
    settings: PlanDataSettings,
    ledger: Ledger,
    folder: Path,
    progress: Progress,
    workers: int = 1,
    reader: Reader = unread,
) -> PlansBuilt:
    """Do every question, then write `sft.jsonl` and `dpo.jsonl`; reader reads a question as the running program does.

    Raises:
        InputError: no source holds anything, every source is left out, or no plan came of it.
    """
    sources = tuple(s for s in Source if s in search.filled() and s not in settings.left_out)
    if not sources:
        raise InputError("No source is left to plan for. Add knowledge, or leave out fewer sources.")
    rows = done_rows(
        questions,
        lambda question: explored_row(question, model, search, valuer, settings, reader),
        ledger,
        workers,
        progress,
        "questions explored and valued",
    )
    wanted, pairs = [], []
    counted: list[ValuedQuery] = []
    for question, row in zip(questions, rows, strict=True):
        queries = [query for query in _queries(row) if query.source in sources]
        counted.extend(queries)
        good = plan_of(queries, True, question.id, settings.seed)
        bad = plan_of(queries, False, question.id, settings.seed)
        learned = bad if settings.negative_alone else good
        if learned is not None:
            wanted.append(wanted_plan(question, learned, sources).as_json())
        if good is not None and bad is not None and not settings.negative_alone:
            pairs.append(plan_pair(question, good, bad, sources).as_json())
    if not wanted:
        kind = "negative" if settings.negative_alone else "positive"
        raise InputError(f"No question gave a {kind} plan. Look at the sources, the signal and the questions.")
    write_samples(folder / SFT, wanted)
    write_samples(folder / DPO, pairs)
    return PlansBuilt(
        len(wanted),
        len(pairs),
        {s.value: sum(q.source == s for q in counted) for s in sources},
        {s.value: sum(q.source == s and q.positive for q in counted) for s in sources},
        sum(q.value is None for q in counted),
        _mean_seconds(rows, "retrieval_s"),
        _mean_seconds(rows, "inference_s"),
    )


def _mean_seconds(rows: Sequence[Mapping[str, Any]], name: str) -> float | None:
    """Over the rows that were timed; those of an earlier version were not."""
    timed = [float(row[name]) for row in rows if name in row]
    return round(sum(timed) / len(timed), 4) if timed else None


def _queries(row: Mapping[str, Any]) -> list[ValuedQuery]:
    return [ValuedQuery(Source(source), *rest) for source, *rest in row["queries"]]
