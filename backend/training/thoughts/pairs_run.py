"""Makes RAR2's preference data of questions with options: one row a question, thought and answer pairs mixed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from backend.errors import InputError
from backend.interfaces import LanguageModel
from backend.retrieval.strategies.text_search import TextFinder
from backend.training.questions import Ledger, Progress, Question
from backend.training.rendered import SampleKind, mixed, write_samples
from backend.training.resumed import done_rows
from backend.training.thoughts.answer_pairs import LabelledAnswer, answer_pair, answer_prompt, sample_answers
from backend.training.thoughts.thought_pairs import (
    AskedQuestion,
    Reader,
    SamplingSettings,
    evidence_of,
    label_thought,
    sample_thoughts,
    thought_pair,
    unread,
)
from backend.training.watched_model import WatchedModel

PAIRS = "pairs.jsonl"


class PairsBuilt(NamedTuple):
    """What was written: samples by kind, and how the samples they were taken from were labelled."""

    path: Path
    kinds: dict[str, int]
    labels: dict[str, int]


def pairs_of(
    question: Question,
    model: LanguageModel,
    finder: TextFinder,
    settings: SamplingSettings,
    reader: Reader = unread,
) -> dict[str, Any]:
    """The row of a question: its pairs, at most one of each kind, and every label.

    EngineError and TooLongError come from the model.
    """
    asked = AskedQuestion.of(question, WatchedModel(model), settings.seed, reader)
    thoughts = [label_thought(asked, text, times, finder, settings) for text, times in sample_thoughts(asked, settings)]
    prompts = [
        answer_prompt(asked, evidence_of(question, one.text, finder, settings))
        for one in thoughts[: settings.document_sets]
    ]
    answers: list[LabelledAnswer] = []
    for place, prompt in enumerate(prompts):
        answers.extend(sample_answers(asked, place, prompt, settings))
    asked_for = [prompt.messages for prompt in prompts]
    made = (thought_pair(question, thoughts, settings.seed), answer_pair(question, answers, asked_for, settings.seed))
    return {
        "pairs": [pair.as_json() for pair in made if pair is not None],
        "thoughts": [{"times": one.times, "direct": one.direct, "rag": one.rag} for one in thoughts],
        "answers": [one.right for one in answers],
    }


def build_pairs(
    questions: Sequence[Question],
    model: LanguageModel,
    finder: TextFinder,
    settings: SamplingSettings,
    ledger: Ledger,
    folder: Path,
    progress: Progress,
    most: Mapping[str, int] | None = None,
    workers: int = 1,
    reader: Reader = unread,
) -> PairsBuilt:
    """Sample, label and pair every question, then write `pairs.jsonl`.

    Of a kind at most `most` samples are written, 0 for none; reader reads a question as the running program does.

    Raises:
        InputError: a question has no options, or nothing could be paired.
    """
    if bare := [question.id for question in questions if not question.options]:
        raise InputError(f"The question {bare[0]!r} has no options. RAR2's labels need questions with options.")
    rows = done_rows(
        questions,
        lambda question: pairs_of(question, model, finder, settings, reader),
        ledger,
        workers,
        progress,
        "questions sampled and labelled",
    )
    samples = mixed([pair for row in rows for pair in row["pairs"]], most or {}, settings.seed)
    if not samples:
        raise InputError(
            "No question gave a pair: every thought and every answer was right, or none was. Use harder or easier "
            "questions, or sample at a higher temperature."
        )
    write_samples(folder / PAIRS, samples)
    kinds = Counter(str(sample["kind"]) for sample in samples)
    return PairsBuilt(
        folder / PAIRS, {kind.value: kinds[kind.value] for kind in SampleKind if kinds[kind.value]}, _labels(rows)
    )


def _labels(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many of the samples were right in which way: what a card tells of the data."""
    thoughts = [thought for row in rows for thought in row["thoughts"]]
    answers = [right for row in rows for right in row["answers"]]
    return {
        "questions": len(rows),
        "thoughts": sum(thought["times"] for thought in thoughts),
        "direct_and_rag": sum(t["times"] for t in thoughts if t["direct"] and t["rag"]),
        "direct_alone": sum(t["times"] for t in thoughts if t["direct"] and not t["rag"]),
        "rag_alone": sum(t["times"] for t in thoughts if t["rag"] and not t["direct"]),
        "neither": sum(t["times"] for t in thoughts if not t["direct"] and not t["rag"]),
        "answers": len(answers),
        "answers_right": sum(answers),
    }
