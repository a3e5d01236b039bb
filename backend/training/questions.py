"""Questions whose answers are known, as training data is made from them: JSONL, one question a line.

Takes our own layout (`id`, `question`, `options` as a list, `answer` as a letter or an option's text, `category`) and that
of MedQA (`options` as letters to texts, `answer_idx`). Options may be missing: then `answer` is the text that answers.
"""

import json
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from pydantic import Field, ValidationError

from backend.errors import InputError
from backend.prompts.template import Fence
from backend.schemas.base import Frozen
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import LETTERS, Document
from backend.training.synthetic.seeded_draws import digest

Progress = Callable[[int, int, str], None]


class Ledger(Protocol):
    """What was done of a run, by question; a row that was added survives a kill. evaluation's Journal is one."""

    rows: dict[str, dict[str, Any]]

    def add(self, item: str, row: Mapping[str, Any]) -> None:
        """Keep the row of an item, so that it is not done again."""
        ...


class Question(Frozen):
    """answer: the text of the right option, or of the gold answer where there are no options."""

    id: str
    question: str = Field(min_length=1)
    options: tuple[str, ...] = Field(default=(), max_length=len(LETTERS))
    answer: str = Field(min_length=1)
    category: str = ""

    @property
    def letter(self) -> str:
        """Of the right option; empty without options."""
        return LETTERS[self.options.index(self.answer)] if self.options else ""

    def request(self, seed: int) -> DraftRequest:
        """The request that asks the question."""
        return DraftRequest(question=self.question, options=self.options, document=Document.CLINICAL_ANSWER, seed=seed)

    def fence(self) -> Fence:
        """The same whenever it is asked, so that a run repeats to the letter, and another for each question."""
        return Fence(digest(self.id)[:16])


def read_questions(path: Path) -> tuple[Question, ...]:
    """Every question of a file. Raises InputError that names the line without repeating it."""
    if not path.is_file():
        raise InputError(f"There is no file {path.name!r}. Give a JSONL file of questions (docs/training.md).")
    found: dict[str, Question] = {}
    for number, question in _questions(path):
        if question.id in found:
            raise InputError(f"{path.name}, line {number}: the id {question.id!r} stands there twice.")
        found[question.id] = question
    if not found:
        raise InputError(f"{path.name} holds no question. Each line needs `question` and `answer`.")
    return tuple(found.values())


def selected(
    questions: Sequence[Question], without: Collection[str] = (), fraction: float = 1.0, seed: int = 0
) -> tuple[Question, ...]:
    """What a study of robustness leaves: some categories out, then a share of the rest (Omni-RAG 5.7 and 5.9).

    A smaller share is part of a larger one of the same seed.

    Raises:
        InputError: no question has a category, a fraction is outside 0 to 1, or nothing is left.
    """
    known = {question.category for question in questions}
    if unknown := sorted(set(without) - known):
        raise InputError(f"No question has the category {unknown[0]!r}. There are: {', '.join(sorted(known))}")
    if not 0 < fraction <= 1:
        raise InputError(f"The fraction {fraction} is not above 0 and at most 1.")
    left = [question for question in questions if question.category not in without]
    order = random.Random(seed).sample(range(len(left)), len(left))
    kept = sorted(order[: round(fraction * len(left))])
    if not kept:
        raise InputError("No question is left to train on. Leave out fewer categories, or take a larger fraction.")
    return tuple(left[i] for i in kept)


def _questions(path: Path) -> Iterator[tuple[int, Question]]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                yield number, _question(json.loads(line), number)
            except (ValueError, KeyError, TypeError, AttributeError, ValidationError) as error:
                raise InputError(
                    f"{path.name}, line {number}: no question ({type(error).__name__}). A line needs `question` and "
                    f"`answer`; with `options` (at most {len(LETTERS)}) the answer must be one of them."
                ) from None


def _question(row: Mapping[str, Any], number: int) -> Question:
    held = row.get("options") or ()
    letters = tuple(held) if isinstance(held, Mapping) else tuple(LETTERS[: len(held)])
    options = tuple(str(text) for text in (held.values() if isinstance(held, Mapping) else held))
    answer = str(row.get("answer_idx") or row["answer"])
    if options:
        # a letter names its option even where an option's text is a letter too
        answer = options[letters.index(answer)] if answer in letters else options[options.index(answer)]
    options = tuple(dict.fromkeys(options))  # equal ones stand once: as two letters, one of them would be wrong
    named = row.get("category") or row.get("meta_info") or ""
    return Question(
        id=str(row.get("id", number)), question=row["question"], options=options, answer=answer, category=str(named)
    )
