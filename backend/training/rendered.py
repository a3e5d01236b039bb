"""Rendered training data: prompt and reply as messages, one JSON line a sample, as TRL reads them.

A sample of fine-tuning holds `prompt` and `completion`, one of preference `prompt`, `chosen` and `rejected`, each a list of
messages. The prompts are those the running program asks, with the fence of the question.
"""

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from backend.errors import InputError
from backend.schemas.chat import Message


class SampleKind(StrEnum):
    """What a sample teaches."""

    THOUGHT = "thought"
    ANSWER = "answer"
    PLAN = "plan"


class Pair(NamedTuple):
    """chosen, rejected: replies to the prompt. question: its id."""

    question: str
    kind: SampleKind
    prompt: tuple[Message, ...]
    chosen: str
    rejected: str

    def as_json(self) -> dict[str, Any]:
        """The sample as TRL reads preference data."""
        return {
            "question_id": self.question,
            "kind": self.kind.value,
            "prompt": as_messages(self.prompt),
            "chosen": as_messages([Message("assistant", self.chosen)]),
            "rejected": as_messages([Message("assistant", self.rejected)]),
        }


class Wanted(NamedTuple):
    """A reply to learn as it stands."""

    question: str
    kind: SampleKind
    prompt: tuple[Message, ...]
    reply: str

    def as_json(self) -> dict[str, Any]:
        """The sample as TRL reads prompts with completions."""
        return {
            "question_id": self.question,
            "kind": self.kind.value,
            "prompt": as_messages(self.prompt),
            "completion": as_messages([Message("assistant", self.reply)]),
        }


def as_messages(messages: Iterable[Message]) -> list[dict[str, str]]:
    """Messages as JSON values."""
    return [message._asdict() for message in messages]


def mixed(samples: Sequence[Mapping[str, Any]], most: Mapping[str, int], seed: int) -> list[Mapping[str, Any]]:
    """All kinds shuffled together (RAR2 4.2), of a kind at most so many; a kind without a limit comes whole.

    Raises:
        InputError: there is a limit of a kind that no sample has.
    """
    kinds = {str(sample["kind"]) for sample in samples}
    if unknown := sorted(kind for kind, limit in most.items() if limit and kind not in kinds):
        raise InputError(
            f"There is no sample of the kind {unknown[0]!r}. There are: {', '.join(sorted(kinds)) or 'none'}"
        )
    shuffled = list(samples)
    random.Random(seed).shuffle(shuffled)
    kept: list[Mapping[str, Any]] = []
    counts: dict[str, int] = {}
    for sample in shuffled:
        kind = str(sample["kind"])
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= most.get(kind, len(shuffled)):
            kept.append(sample)
    return kept


def write_samples(path: Path, samples: Iterable[Mapping[str, Any]]) -> int:
    """Write beside, then replace; returns how many."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    lines = [json.dumps(sample, ensure_ascii=False) + "\n" for sample in samples]
    partial.write_text("".join(lines), encoding="utf-8")
    partial.replace(path)
    return len(lines)
