"""The figures, differences and charts of `evaluate notes`, from rows of a journal."""

from typing import Any

import pytest

from backend.evaluation.drafts.note_figures import charts, failures, summarise
from backend.evaluation.metrics.language_measures import LanguageScores
from backend.evaluation.metrics.set_scores import MEASURES

NAMES = ("ours", "plain")
ALL = [f"{level}_{name}" for level in ("concept", "word") for name in MEASURES] + [
    "new_recall",
    *LanguageScores._fields,
]


def cell(recall: float | None, hits: int) -> dict[str, Any]:
    return {"scores": dict.fromkeys(ALL, recall), "hits": {"DISO": hits}}


def row(ours: dict[str, Any], plain: dict[str, Any], there: int = 4) -> dict[str, Any]:
    return {"cells": {"ours": ours, "plain": plain}, "true": {"DISO": there}}


ROWS = [row(cell(0.5, 2), cell(0.25, 1)), row(cell(1.0, 4), cell(0.25, 1), there=4)]
FAILED = {"failed": "TimeoutError"}


def test_a_figure_is_the_mean_and_a_difference_is_to_the_baseline() -> None:
    figures, differences = summarise(ROWS, NAMES, "plain", 0, 50)
    means = {one.system: (one.value, one.n) for one in figures if one.measure == "concept_f1" and not one.group}
    assert means == {"ours": (pytest.approx(0.75), 2), "plain": (pytest.approx(0.25), 2)}
    (gap,) = [one for one in differences if one.measure == "concept_f1"]
    assert (gap.system, gap.baseline, gap.value) == ("ours", "plain", pytest.approx(0.5))


def test_recall_of_a_group_is_all_hits_over_all_there_were() -> None:
    figures, _ = summarise(ROWS, NAMES, "plain", 0, 50)
    of_group = {one.system: (one.value, one.group) for one in figures if one.group}
    # ours: (2 + 4) of 8; plain: (1 + 1) of 8
    assert of_group == {"ours": (pytest.approx(0.75), "DISO"), "plain": (pytest.approx(0.25), "DISO")}


def test_what_was_not_written_is_left_out_and_told() -> None:
    rows = [*ROWS, row(FAILED, cell(0.25, 1))]
    figures, _ = summarise(rows, NAMES, "plain", 0, 50)
    (found,) = [one for one in figures if (one.system, one.measure, one.group) == ("ours", "concept_f1", "")]
    assert (found.value, found.n) == (pytest.approx(0.75), 2)
    (told,) = failures(rows, NAMES)
    assert told.name == "ours"
    assert told.reason == "1 of 3 texts were not written (1 TimeoutError); they are left out"
    assert failures(ROWS, NAMES) == ()


def test_a_measure_that_was_never_scored_has_no_value_but_a_reason() -> None:
    figures, differences = summarise([row(cell(None, 0), cell(None, 0))], NAMES, "plain", 0, 50)
    assert {(one.value, one.reason) for one in figures if one.measure == "rouge1"} == {(None, "not available")}
    assert differences == ()


def test_charts_are_of_groups_and_of_differences_and_only_of_what_there_is() -> None:
    figures, differences = summarise(ROWS, NAMES, "plain", 0, 50)
    assert [one.name for one in charts(figures, differences)] == [
        "recall-by-group",
        "difference-concept_f1",
        "difference-concept_recall",
        "difference-new_recall",
        "difference-rouge_l",
    ]
    assert [one.name for one in charts(figures, ())] == ["recall-by-group"]
