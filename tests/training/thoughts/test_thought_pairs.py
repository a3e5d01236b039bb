"""Thought pairs: what is sampled, how a thought is labelled, which are paired, and what a dead server does."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.errors import EngineError, InputError
from backend.evaluation.reports.journal import Journal
from backend.prompts.draft_prompts import CHOICE
from backend.prompts.evidence_prompts import THOUGHT
from backend.prompts.training_prompts import DIRECT
from backend.retrieval.passages.source_search import IndexedSearch, InMemory
from backend.retrieval.strategies.text_search import TextFinder
from backend.schemas.chat import Completion, Message
from backend.schemas.vocabulary import Source
from backend.stores.passages.passage_index import PassageRow
from backend.training.questions import Question
from backend.training.thoughts.pairs_run import build_pairs, pairs_of
from backend.training.thoughts.thought_pairs import (
    AskedQuestion,
    LabelledThought,
    SamplingSettings,
    sample_thoughts,
    thought_pair,
)
from backend.training.watched_model import WatchedModel
from models.llm.engine_scripted import Dead, Scripted

QUESTION = Question(id="q1", question="What treats it?", options=("colchicine", "insulin"), answer="colchicine")
GOOD, VAGUE, LUCKY = "this is gout", "rest may help", "gout or so, rest"
PASSAGES = ("gout is treated with colchicine", "rest may help everybody")


def finder() -> TextFinder:
    rows = [PassageRow(str(i), Source.BOOK, str(i), "page", t, 0, len(t)) for i, t in enumerate(PASSAGES)]
    held = InMemory(rows, np.zeros((len(rows), 1), dtype=np.float32))
    return TextFinder(IndexedSearch({Source.BOOK: held}, lambda texts: np.zeros((len(texts), 1))), k=1)


def asked_for(messages: Sequence[Message]) -> str:
    for prompt in (THOUGHT, CHOICE, DIRECT):
        if messages[0].content.startswith(prompt.instructions[:40]):
            return prompt.name
    raise AssertionError("an unknown prompt")


class Student(Scripted):
    """Thinks in three ways in turn. It reads the remedy when it is there, and knows it by heart when it names gout."""

    def __init__(self, thoughts: Sequence[str] = (GOOD, VAGUE, VAGUE)) -> None:
        super().__init__("")
        self.thoughts = thoughts

    def chat(self, messages: Sequence[Message], **settings: Any) -> tuple[Completion, ...]:
        super().chat(messages, **settings)
        n, said = settings["sampling"].n, messages[1].content
        match asked_for(messages):
            case "thought":
                return tuple(Completion(self.thoughts[i % len(self.thoughts)]) for i in range(n))
            case "direct":
                return (Completion(json.dumps({"letter": "A" if GOOD in said else "B"})),)
            case _:
                right = "treated with colchicine" in said
                letters = ["A" if right else "B"] * n
                if n > 1:  # sampled answers waver; one is out of form
                    letters[-1] = "neither"
                return tuple(Completion(json.dumps({"reasoning": "so it is", "letter": letter})) for letter in letters)


class Rows:
    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}

    def add(self, item: str, row: Mapping[str, Any]) -> None:
        self.rows[item] = dict(row)


def silent(done: int, total: int, what: str) -> None: ...


def asked(model: Scripted) -> AskedQuestion:
    return AskedQuestion.of(QUESTION, WatchedModel(model), 0)


def test_thoughts_are_sampled_as_the_paper_has_it_and_counted() -> None:
    model = Student()
    # 15 samples of three in turn: each stands five times, the second and third are one thought
    assert sample_thoughts(asked(model), SamplingSettings()) == ((GOOD, 5), (VAGUE, 10))
    assert model.samplings[0][:3] == (15, 0.2, 0.9)  # n, temperature, top_p


def test_a_thought_is_labelled_by_both_answers_at_temperature_0() -> None:
    model = Student((GOOD, VAGUE, LUCKY))
    row = pairs_of(QUESTION, model, finder(), SamplingSettings())
    # GOOD: by heart right, finds the gout page: right. VAGUE: both wrong. LUCKY: wrong by heart; BM25 finds for
    # "gout or so, rest" either page, and the label follows what was found
    assert row["thoughts"][:2] == [
        {"times": 5, "direct": True, "rag": True},
        {"times": 5, "direct": False, "rag": False},
    ]
    assert row["thoughts"][2]["direct"] is False
    labelled = [s for s, m in zip(model.samplings, model.calls, strict=True) if s.n == 1]
    assert len(labelled) == 6 and {s.temperature for s in labelled} == {0.0}


def thought(text: str, direct: bool, rag: bool) -> LabelledThought:
    return LabelledThought(text, 1, direct, rag)


@pytest.mark.parametrize(
    ("others", "paired"),
    [
        ([thought("b", False, False)], "b"),
        ([thought("b", True, False)], "b"),  # retrieves badly: rejected, whatever it knows by heart
        ([thought("b", False, True)], None),  # retrieves well and is not chosen: neither
        ([thought("b", True, True)], None),
        ([], None),
    ],
)
def test_chosen_needs_both_labels_and_rejected_a_bad_retrieval(
    others: list[LabelledThought], paired: str | None
) -> None:
    pair = thought_pair(QUESTION, [thought("a", True, True), *others], 0)
    assert (pair and (pair.chosen, pair.rejected)) == (paired and ("a", paired))


def test_without_a_chosen_thought_there_is_no_pair() -> None:
    assert thought_pair(QUESTION, [thought("a", False, True), thought("b", True, False)], 0) is None


def test_a_pair_holds_the_prompt_that_was_asked() -> None:
    model = Student()
    row = pairs_of(QUESTION, model, finder(), SamplingSettings())
    prompts = {pair["kind"]: [Message(**m) for m in pair["prompt"]] for pair in row["pairs"]}
    assert set(prompts) == {"thought", "answer"}
    assert tuple(prompts["thought"]) in model.calls and tuple(prompts["answer"]) in model.calls


def test_a_dead_server_labels_nothing_and_what_was_done_is_kept(tmp_path: Path) -> None:
    others = [QUESTION.model_copy(update={"id": f"q{i}"}) for i in range(1, 4)]

    class DiesLater(Student):
        def chat(self, messages: Sequence[Message], **settings: Any) -> tuple[Completion, ...]:
            if len(self.calls) >= 8:  # a question takes 1 + 2 x 2 + 2 = 7 calls
                raise EngineError("The language model does not answer.")
            return super().chat(messages, **settings)

    journal = tmp_path / "journal.jsonl"
    with Journal(journal, "key") as ledger, pytest.raises(EngineError):
        build_pairs(others, DiesLater(), finder(), SamplingSettings(), ledger, tmp_path, silent)
    assert not (tmp_path / "pairs.jsonl").exists()
    model = Student()
    with Journal(journal, "key") as ledger:
        assert set(ledger.rows) == {"q1"}
        built = build_pairs(others, model, finder(), SamplingSettings(), ledger, tmp_path, silent)
    assert len(model.calls) == 14 and built.kinds == {"thought": 3, "answer": 3}
    whole = tmp_path / "whole"
    build_pairs(others, Student(), finder(), SamplingSettings(), Rows(), whole, silent, workers=3)
    assert (whole / "pairs.jsonl").read_bytes() == (tmp_path / "pairs.jsonl").read_bytes()


def test_a_server_that_was_never_there_is_no_wrong_answer() -> None:
    with pytest.raises(EngineError):
        pairs_of(QUESTION, Dead(""), finder(), SamplingSettings())


def test_a_kind_can_be_left_out_for_the_ablations(tmp_path: Path) -> None:
    built = build_pairs([QUESTION], Student(), finder(), SamplingSettings(), Rows(), tmp_path, silent, {"answer": 0})
    assert built.kinds == {"thought": 1}
    assert {json.loads(line)["kind"] for line in built.path.read_text().splitlines()} == {"thought"}


def test_questions_that_cannot_be_labelled_are_refused(tmp_path: Path) -> None:
    bare = Question(id="open", question="Why?", answer="Because.")
    with pytest.raises(InputError, match="'open' has no options"):
        build_pairs([bare], Student(), finder(), SamplingSettings(), Rows(), tmp_path, silent)
    with pytest.raises(InputError, match="gave a pair"):
        build_pairs([QUESTION], Student((VAGUE,)), finder(), SamplingSettings(answers=0), Rows(), tmp_path, silent)
