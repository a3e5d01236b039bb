"""The report: figures, tables and methods of a small study, in HTML and PDF; blind until unlocked."""

import re
from pathlib import Path

import pytest

from backend.errors import ConflictError
from backend.schemas.studies.estimates import Estimate, IntervalMethod
from backend.schemas.studies.study_design import PrimaryTest
from backend.schemas.studies.study_instrument import Design
from backend.schemas.studies.study_rating import EventKind
from backend.schemas.studies.study_views import ReportFormat
from backend.study.design.instruments import instrument
from backend.study.reporting.report import analysed, figures, report_of
from backend.study.reporting.report_html import as_html
from backend.study.reporting.report_tables import estimate_text, probability
from backend.study.reporting.study_export import report_file, write_private
from tests.study.sample import OTHER, PLAN, SYSTEM, StudyWorld


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> tuple[StudyWorld, str]:
    """Four cases rated by two: one says 4 to everything, one 2. It is closed, and still blind."""
    study_world = StudyWorld(tmp_path_factory.mktemp("report"))
    study_id = study_world.frozen(4)
    for rater, value in (("R01", 4), ("R02", 2)):
        study_world.rate_all(study_world.invite(study_id, rater), value)
    study_world.studies.close(study_id, "Ada")
    return study_world, study_id


def test_a_blind_analysis_names_no_arm(rated: tuple[StudyWorld, str]) -> None:
    study_world, study_id = rated
    found = analysed(study_world.studies, study_id)
    assert found.analysis.blind
    assert found.analysis.arms == ("arm 1", "arm 2")
    text = found.analysis.model_dump_json() + str(figures(found))
    assert SYSTEM not in text
    assert OTHER not in text
    means = {s.mean.value for s in found.analysis.summaries if s.question == "reinrag-statements/rare_omission"}
    assert means == {3.0}  # each case: the mean of 4 and 2


def test_the_report_waits_for_the_unlocking_and_is_recorded(rated: tuple[StudyWorld, str], tmp_path: Path) -> None:
    study_world, study_id = rated
    with pytest.raises(ConflictError, match="unlock"):
        report_file(study_world.studies, study_id, ReportFormat.HTML, "Ada")
    study_world.studies.unlock(study_id, "Ada")
    page = report_file(study_world.studies, study_id, ReportFormat.HTML, "Ada").decode()
    assert page.count("<svg") >= 4
    assert "Methods" in page
    assert SYSTEM in page
    assert study_world.studies.view(study_id).sha256 in page
    assert not re.search(r'(src|href)\s*=\s*"(?!#)', page)  # it asks nobody for anything
    made = report_file(study_world.studies, study_id, ReportFormat.PDF, "Ada")
    assert made.startswith(b"%PDF")
    kinds = [e.details.get("format") for e in study_world.studies.trail(study_id) if e.kind == EventKind.EXPORT]
    assert kinds == ["report_html", "report_pdf"]


def test_a_report_of_pairs_has_its_own_figures_and_tables(tmp_path: Path) -> None:
    study_world = StudyWorld(tmp_path)
    plan = PLAN.model_copy(
        update={"primary_outcome": "pairwise-preference/preference", "test": PrimaryTest.BRADLEY_TERRY}
    )
    pairs = (instrument("pairwise-preference"),)
    study_id = study_world.frozen(
        6, design=Design.PAIRWISE, instruments=pairs, plan=plan, calibration_items=0, spacing=0
    )
    for rater, value in (("R01", 2), ("R02", -1)):  # one always for the right, one always for the left
        study_world.rate_all(study_world.invite(study_id, rater), value)
    found = analysed(study_world.studies, study_id)
    titles = [figure["layout"]["title"]["text"] for figure in figures(found)]
    assert titles == [
        "Preference",
        "Strength of arms",
        "Choices and ties",
        "Agreement",
        "Agreement by pair",
        "Leaning to a side",
        "Learning over time",
        "Time on item",
    ]
    assert {s.rater: s.share_later.value for s in found.analysis.sides} == {"": 0.5, "R01": 1.0, "R02": 0.0}
    page = as_html(report_of(found))
    for words in ("Leaning to a side", "Preference in the first and second half", "direction alone"):
        assert words in page


def test_markup_in_a_study_is_text_in_the_report(tmp_path: Path) -> None:
    study_world = StudyWorld(tmp_path)
    study_id = study_world.frozen(3, name="<script>alert(1)</script>")
    page = as_html(report_of(analysed(study_world.studies, study_id)))
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "There is nothing to draw yet" in page


def test_an_estimate_is_told_with_its_interval_or_its_reason() -> None:
    whole = Estimate(value=0.5, low=0.25, high=0.75, method=IntervalMethod.BOOTSTRAP)
    assert estimate_text(whole) == "0.50 [0.25, 0.75]"
    assert estimate_text(Estimate(reason="one rater")) == "undefined: one rater"
    assert estimate_text(Estimate(value=1.0, reason="one case")) == "1.00 (no interval: one case)"
    assert estimate_text(Estimate(value=1.0, reason="no interval: one case")) == "1.00 (no interval: one case)"
    assert (probability(0.0004), probability(0.049), probability(None)) == ("< 0.001", "0.049", "")


def test_a_report_is_written_whole_and_for_its_owner_alone(tmp_path: Path) -> None:
    write_private(tmp_path / "r.pdf", b"%PDF")
    assert (tmp_path / "r.pdf").stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["r.pdf"]
