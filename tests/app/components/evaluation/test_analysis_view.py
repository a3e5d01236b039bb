"""The analysis of a study, drawn: values with intervals or reasons, and files only once it is unlocked."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.components.evaluation import analysis_view
from backend.schemas.studies.estimates import Estimate
from backend.schemas.studies.study_judge import JudgeView
from backend.schemas.studies.study_views import ReportFormat, StudyFormat
from backend.study.reporting.report import analysed
from tests.app.conftest import Drawn
from tests.study.finished import whole
from tests.study.sample import StudyWorld

NOW = datetime(2031, 2, 1, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        ({"value": 0.5, "low": 0.25, "high": 0.754}, "0.50 [0.25, 0.75]"),
        ({"value": 0.5, "reason": "no interval: one case"}, "0.50 (no interval: one case)"),
        ({"reason": "nobody answered"}, "undefined: nobody answered"),
        ({"value": 0.0, "low": -0.1, "high": 0.1}, "0.00 [-0.10, 0.10]"),  # nought is a value
    ],
)
def test_a_value_comes_with_its_interval_or_the_reason(estimate: dict[str, Any], words: str) -> None:
    assert analysis_view.interval_text(Estimate(**estimate)) == words


@pytest.mark.parametrize("unlocked", [True, False])
def test_only_the_design_can_be_taken_before_a_study_is_unlocked(unlocked: bool) -> None:
    drawn = Drawn(lambda: analysis_view.draw_files("s1", unlocked, str.encode, str.encode))
    everything = [one.file.label for one in (*StudyFormat, *ReportFormat)]
    assert drawn.files() == (everything if unlocked else [StudyFormat.DESIGN.file.label])
    assert ("once the study is unlocked" in drawn.said()) is not unlocked


def test_a_blind_study_warns_before_its_figures_are_looked_at() -> None:
    asked: list[str] = []
    drawn = Drawn(lambda: analysis_view.draw_ask(True, False, lambda: asked.append("asked")))
    assert "The study is blind" in drawn.said()
    drawn.press("study_analyse")
    assert asked == ["asked"]
    open_one = Drawn(lambda: analysis_view.draw_ask(False, True, lambda: None))
    assert "blind" not in open_one.said() and open_one.test.button[0].label == "Compute again"


def test_an_analysis_names_its_stamps_and_codes_and_leaves_out_empty_tables(study_world: StudyWorld) -> None:
    found = analysed(study_world.studies, whole(study_world)).analysis
    drawn = Drawn(lambda: analysis_view.draw_analysis(found.model_copy(update={"stamps": ("a pilot",)}), []))
    said = drawn.said()
    assert "A pilot" in said and "Arms stand under codes." in said
    assert "**Ratings by arm**" in said and "**Preferences**" not in said
    means = list(drawn.test.dataframe[0].value["mean"])
    assert means and all(mean.startswith("4.00") for mean in means)  # both raters gave 4 everywhere


def test_a_judge_s_older_scores_are_told_to_be_replaced() -> None:
    judges = [
        JudgeView(judge="m", scores=n, at=NOW, author="Ada", counts=counts) for n, counts in ((3, False), (4, True))
    ]
    drawn = Drawn(lambda: analysis_view.draw_judges(judges, str, lambda: None))
    assert list(drawn.test.dataframe[0].value["in the analysis"]) == ["no, replaced", "yes"]
