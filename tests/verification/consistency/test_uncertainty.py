"""LUQ: values worked out by hand, what is not scored, and the three scorers."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from backend.errors import EngineError
from backend.verification.consistency.uncertainty import (
    EmbeddingConsistency,
    InferenceConsistency,
    JudgedConsistency,
    Uncertainty,
    luq,
    unscored,
)
from models.llm.engine_scripted import Dead, Scripted


class Same:
    """1 where the text has the sentence word for word, else 0."""

    name = "same"

    def __init__(self) -> None:
        self.asked = 0

    def supported(self, premise: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        self.asked += 1
        return np.array([float(text in premise) for text in hypotheses])


def test_samples_that_say_the_same_are_certain() -> None:
    found = luq(("a", "b"), [("a", "b")] * 9, Same())
    assert found == Uncertainty(0.0, (0.0, 0.0), "", "same", 9)


def test_samples_that_share_nothing_are_uncertain() -> None:
    assert luq(("a",), [("x",), ("y",), ("z",)], Same()) == Uncertainty(1.0, (1.0,), "", "same", 3)


def test_a_mixed_case_worked_out_by_hand() -> None:
    # r1 = a b, r2 = a, r3 = c
    # S(r1,r2) = (1+0)/2, S(r1,r3) = 0: C(r1) = 1/4.  S(r2,r1) = 1, S(r2,r3) = 0: C(r2) = 1/2.  C(r3) = 0
    # U = 1 - (1/4 + 1/2 + 0)/3 = 1 - 1/4 = 0.75
    # the draft's a is in two of three samples, its d in none
    scorer = Same()
    found = luq(("a", "d"), [("a", "b"), ("a",), ("c",)], scorer)
    assert found.answer == 0.75
    assert found.sentences == (pytest.approx(0.333, abs=1e-3), 1.0)
    assert scorer.asked == 3  # one question a text


def test_empty_samples_are_left_out_and_one_alone_agrees_with_nobody() -> None:
    assert luq(("a",), [("a",), (), ("a",)], Same()).samples == 2
    found = luq(("a", "b"), [("a",), ()], Same())
    assert (found.answer, found.sentences) == (None, (None, None))
    assert found.reason == "not scored: 1 samples said anything, at least 2 are needed"
    assert luq((), [("a",), ("a",)], Same()) == Uncertainty(0.0, (), "", "same", 2)


def test_without_a_model_nothing_is_scored_and_the_reason_is_told() -> None:
    assert unscored(("a", "b"), "no language model is set") == Uncertainty(
        None, (None, None), "not scored: no language model is set"
    )


def test_an_embedding_sees_other_numbers_where_cosine_alone_does_not(encoder: Any) -> None:
    scorer = EmbeddingConsistency(encoder)
    same, other, half, none = scorer.supported(
        ("Take 40 mg daily.", "Rest."), ["Take 40 mg daily.", "Take 80 mg daily.", "Take 40 mg for 9 days.", "Rest."]
    )
    assert same == pytest.approx(1.0, abs=1e-5)
    assert none == pytest.approx(1.0, abs=1e-5)
    assert other == 0.0  # none of its numbers is there
    assert 0.0 < half < 0.51  # one of its two is
    assert scorer.supported(("a",), []).shape == (0,)


def test_an_inference_model_gets_the_whole_text_as_premise() -> None:
    class Pairs:
        name = "pairs"

        def entailment(self, premises: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
            assert premises == ["One. Two."] * 2
            return np.array([0.9, 0.1])

    assert InferenceConsistency(Pairs()).supported(("One.", "Two."), ("h1", "h2")).tolist() == [0.9, 0.1]


def verdicts(*words: str) -> str:
    return json.dumps({"verdicts": [{"number": i, "verdict": word} for i, word in enumerate(words, start=1)]})


def test_a_judge_says_yes_no_or_silent_and_only_yes_counts() -> None:
    model = Scripted(verdicts("yes", "no", "silent"))
    assert JudgedConsistency(model).supported(("Text.",), ("a", "b", "c")).tolist() == [1.0, 0.0, 0.0]
    assert "1. a\n2. b\n3. c" in model.calls[0][1].content


def test_a_judge_is_asked_in_batches() -> None:
    model = Scripted(verdicts(*["yes"] * 40), verdicts("no"))
    assert JudgedConsistency(model).supported(("Text.",), ["x"] * 41).sum() == 40
    assert len(model.calls) == 2


@pytest.mark.parametrize("model", [Dead(), Scripted("no json"), Scripted(verdicts("yes"))])
def test_a_judge_that_fails_or_leaves_a_sentence_out_scores_nothing(model: Any) -> None:
    found = luq(("a", "b"), [("a", "b"), ("b", "a")], JudgedConsistency(model))
    assert (found.answer, found.sentences) == (None, (None, None))
    assert found.reason.startswith("not scored: the judge ")


def test_an_engine_that_dies_on_the_way_is_a_reason_and_no_zero() -> None:
    class Dying(Same):
        def supported(self, premise: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
            raise EngineError("It stopped.")

    assert luq(("a",), [("a",), ("a",)], Dying()).reason == "not scored: It stopped."
