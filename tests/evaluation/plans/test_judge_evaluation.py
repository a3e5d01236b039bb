"""Signals of support against a person's verdicts, by hand; a cascade that asks its model only where the score is unsure."""

import json
from pathlib import Path

import pytest

from backend.errors import EngineError, InputError
from backend.evaluation.plans.judge_evaluation import (
    Cascade,
    JudgesFound,
    JudgesSettings,
    LabelledFind,
    Said,
    read_finds,
    run_judges,
)

# four finds: the person takes the first two; the number is a score
SCORES = (0.9, 0.5, 0.6, 0.1)
FINDS = [
    LabelledFind(id=str(i), question="Why?", answer="x", source="book", documents=(str(score),), supports=i < 2)
    for i, score in enumerate(SCORES)
]


def score(find: LabelledFind) -> float:
    return float(find.documents[0])


class Says:
    def __init__(self, name: str, *takes: bool | None, calls: int = 0, fails: bool = False) -> None:
        self.name, self._takes, self._calls, self._fails = name, takes, calls, fails

    def said(self, find: LabelledFind) -> Said:
        if self._fails:
            raise EngineError("gone")
        return Said(self._takes[int(find.id)], self._calls)


def run(folder: Path, *signals: Says | Cascade, baseline: str = "") -> JudgesFound:
    return run_judges(FINDS, signals, JudgesSettings(baseline, 50), folder / "rows", "key")


def test_accuracy_precision_recall_and_f1_are_those_of_the_table(tmp_path: Path) -> None:
    # right on the first, wrong on the second, takes the third: one hit of two taken, one of two that are there
    found = run(tmp_path, Says("a", True, False, True, False, calls=2), Says("b", True, True, False, None))
    by = {(one.system, one.measure): (one.value, one.n) for one in found.figures}
    assert [by["a", m][0] for m in ("accuracy", "precision", "recall", "f1")] == [0.5, 0.5, 0.5, 0.5]
    assert by["a", "model_calls"][0] == 2.0
    # no verdict is neither right nor wrong
    assert by["b", "accuracy"] == (1.0, 3)
    assert by["b", "agreement"][0] == pytest.approx(1 / 3)


def test_a_cascade_asks_its_model_within_the_band_alone(tmp_path: Path) -> None:
    judge = Says("judge", True, True, False, False, calls=1)
    found = run(tmp_path, judge, Cascade("cascade", score, judge, 0.5, 0.6), baseline="judge")
    by = {(one.system, one.measure): one.value for one in found.figures}
    # 0.9 is taken and 0.1 refused unasked; of the two within the band the judge takes the first
    assert (by["cascade", "accuracy"], by["cascade", "saved"], by["cascade", "model_calls"]) == (1.0, 0.5, 0.5)
    assert by["cascade", "agreement"] == 1.0
    gaps = {one.measure: one.value for one in found.differences}
    assert (gaps["model_calls"], gaps["f1"]) == (-0.5, 0.0)
    assert found.captions == ()
    with pytest.raises(InputError, match="ends before"):
        Cascade("cascade", score, judge, 0.6, 0.5)


def test_a_varied_signal_is_compared_with_itself_unvaried_and_marked_where_it_says_the_same(tmp_path: Path) -> None:
    right, wrong = (True, True, False, False), (True, False, False, False)
    signals = [Says("judge", *right), Says("judge@judge_model=a", *wrong), Says("judge@judge_model=b", *right)]
    found = run(tmp_path, *signals)
    gaps = {(one.system, one.measure): one for one in found.differences}
    assert {one.baseline for one in found.differences} == {"judge"}
    assert gaps["judge@judge_model=a", "accuracy"].value == pytest.approx(-0.25)
    same = gaps["judge@judge_model=b", "accuracy"]
    assert (same.value, same.reason) == (None, "the same was said: nothing to compare")
    assert found.captions == ("judge, judge@judge_model=b said the same of every find.",)


def test_a_signal_that_fails_is_told(tmp_path: Path) -> None:
    found = run(tmp_path, Says("a", fails=True))
    assert found.not_available[0].reason == "4 of 4 finds failed; they are left out"


@pytest.mark.parametrize("line", ["no json", "{}", json.dumps({"question": "a", "answer": "b", "source": "blog"})])
def test_what_is_no_judged_find_is_refused_by_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "f.jsonl").write_text(f"{FINDS[0].model_dump_json()}\n{line}\n")
    with pytest.raises(InputError, match="line 2"):
        read_finds(tmp_path / "f.jsonl")
