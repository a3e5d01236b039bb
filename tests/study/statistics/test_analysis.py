"""The whole analysis: what was put in comes out, what is missing has its reason, and the same seed gives the same."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from backend.schemas.studies.estimates import Coefficient, IntervalMethod, Level, TestName
from backend.schemas.studies.study_analysis import Analysis
from backend.schemas.studies.study_design import AnalysisPlan
from backend.study.statistics import score_figures as plots
from backend.study.statistics.analysis import analyse, holm
from backend.study.statistics.methods import methods_text
from backend.study.statistics.rating_data import Choice, Guess, Judged, Scale, Score, StudyData, Support, Timed

FIVE = (1.0, 2.0, 3.0, 4.0, 5.0)
STRICT = {"R1": -0.5, "R2": 0.0, "R3": 0.5}
PLAN = AnalysisPlan.model_validate(
    {
        "primary_outcome": "own/mean",
        "unit_of_analysis": "case",
        "test": "wilcoxon_case_means",
        "exclusions": "raters who fail two attention checks",
        "sample_size_reason": "a pilot",
        "correction": "holm",
    }
)


def made_study(gain: float = 1.0, cases: int = 14, learning: float = 0.0) -> StudyData:
    """Two arms, three raters of known severity, every draft rated by all; arm a is better by gain."""
    rng = np.random.default_rng(11)
    scores, choices, judged = [], [], []
    for c in range(cases):
        quality = rng.normal(3, 0.5)
        for arm, (n, rater) in product("ab", enumerate(STRICT)):
            period = 1 + (c + n) % 2
            for question in ("own/clear", "own/right"):
                value = quality + gain * (arm == "a") + STRICT[rater] + learning * (period == 2) + rng.normal(0, 0.5)
                scores.append(Score(question, f"c{c:02}", arm, rater, float(np.clip(round(value), 1, 5)), period))
            scores.append(Score("own/supports", f"c{c:02}", arm, rater, float(rng.random() < 0.7), period))
        choices += [
            Choice("pair/preference", f"c{c:02}", rater, "a", "b", float(rng.choice([-2, -1, 0, 1])))
            for rater in STRICT
        ]
        judged += [
            Judged("own/clear", f"c{c:02}", arm, quality + (arm == "a"), 100 + c, 1 + (arm == "b")) for arm in "ab"
        ]
    return StudyData(
        arms=("a", "b"),
        scales=(
            Scale("own/clear", FIVE, part_of="own"),
            Scale("own/right", FIVE, part_of="own"),
            Scale("own/supports", (0.0, 1.0), Level.NOMINAL),
        ),
        scores=tuple(scores),
        choices=tuple(choices),
        guesses=tuple(Guess(rater, arm, "a") for rater in STRICT for arm in "ab"),
        times=tuple(Timed(rater, f"i{n}", 60.0 + 10 * n, 1 + (n > 3)) for rater in STRICT for n in range(8)),
        judged=tuple(judged),
        support=tuple(Support("judge", f"q{n}", n % 3 > 0, n % 2 > 0) for n in range(12)),
        primary_outcome="own/mean",
        planned_test=TestName.WILCOXON,
    )


@cache
def analysed() -> Analysis:
    return analyse(made_study(), seed=3, resamples=100)


def test_the_difference_that_was_put_in_is_found_by_every_test() -> None:
    for test in (TestName.WILCOXON, TestName.SIGN, TestName.ORDINAL_GEE, TestName.MIXED_MODEL):
        found = next(c for c in analysed().comparisons if c.test == test and c.question == "own/mean")
        assert found.p is not None and found.p < 0.01
        assert (found.first, found.second) == ("a", "b")
    gain = next(c for c in analysed().comparisons if c.test == TestName.MIXED_MODEL and c.primary).effects[0].estimate
    assert gain.low is not None and gain.high is not None
    assert gain.low < 1 < gain.high or gain.value == pytest.approx(
        1, abs=0.25
    )  # rounding and the scale's ends take a little


def test_the_planned_test_alone_is_corrected_and_in_two_families() -> None:
    found = analysed().comparisons
    planned = [c for c in found if c.planned]
    assert {c.test for c in planned} == {TestName.WILCOXON}
    assert [c.p_adjusted for c in planned if c.primary] == [c.p for c in planned if c.primary]  # a family of one
    others = [c for c in planned if not c.primary]
    assert len(others) == 4  # two scales, the yes-no question and the preference
    least = min(others, key=lambda c: c.p or 1)
    assert least.p_adjusted == pytest.approx(min(1, 4 * (least.p or 0)))
    assert all(c.p_adjusted is None for c in found if not c.planned)


def test_the_mean_of_an_instrument_is_that_of_its_scales_alone() -> None:
    data = made_study()
    means = {s.arm: s.mean.value for s in analysed().summaries if s.question == "own/mean"}
    scales = [s.value for s in data.scores if s.arm == "a" and s.question in ("own/clear", "own/right")]
    assert means["a"] == pytest.approx(np.mean([v for v in scales if v is not None]))


def test_raters_come_out_as_strict_as_they_were_made() -> None:
    # against the mean of the other two: R1 -0.5 - 0.25 = -0.75, R2 0, R3 0.75, less a little for the scale's ends
    found = {s.rater: s.deviation.value for s in analysed().severity if s.question == "own/mean"}
    assert [found[r] for r in STRICT] == pytest.approx([-0.75, 0, 0.75], abs=0.2)
    modelled = {s.rater: s.modelled.value for s in analysed().severity if s.question == "own/mean"}
    assert modelled["R1"] is not None and modelled["R3"] is not None and modelled["R1"] < 0 < modelled["R3"]


def test_a_drift_over_time_is_found() -> None:
    from backend.study.statistics.rater_effects import learning

    data = made_study(gain=0.0, cases=24, learning=0.6)  # without a gain no rating comes near the scale's end
    found = learning("own/clear", [s for s in data.scores if s.question == "own/clear"], ("a", "b"))
    assert found.converged
    assert found.period.value == pytest.approx(0.6, abs=0.3)
    assert found.period.low is not None and found.period.low > 0
    # both arms drift alike; the standard error of a difference of four means of 36 ratings is about 0.2
    assert found.by_arm[0].estimate.value == pytest.approx(0, abs=0.6)


def test_agreement_is_by_what_the_scale_allows() -> None:
    found = {(a.question, a.coefficient) for a in analysed().agreement if not a.arm}
    assert ("own/clear", Coefficient.ALPHA_ORDINAL) in found
    assert ("own/supports", Coefficient.ALPHA_NOMINAL) in found
    assert ("own/supports", Coefficient.ICC_SINGLE) not in found
    assert ("own/mean", Coefficient.AC2) not in found
    assert all(a.meaning for a in analysed().agreement)


def test_within_an_arm_gwet_s_own_interval_is_used_and_over_arms_cases_are_resampled() -> None:
    found = {(a.arm, a.coefficient): a.estimate for a in analysed().agreement if a.question == "own/clear"}
    assert found["a", Coefficient.AC2].method == IntervalMethod.T
    assert found["", Coefficient.AC2].method == IntervalMethod.BOOTSTRAP
    assert found["a", Coefficient.ALPHA_ORDINAL].method == IntervalMethod.BOOTSTRAP


def test_times_preferences_guesses_judge_and_support_are_there() -> None:
    found = analysed()
    assert next(t for t in found.times if t.of == "all").median_s == 95  # 60, 70, … 130
    counted = found.preferences[0]
    assert counted.for_first + counted.ties + counted.for_second == 42
    # every guess is a: right for arm a, wrong for arm b
    assert [(c.correct, c.wrong) for c in found.blinding.counts] == [(3, 0), (0, 3)]
    assert found.judges[0].spearman.value is not None and found.judges[0].spearman.value > 0.5
    # of n = 0 … 11: judge yes where n % 3 > 0 (8), person yes where odd (6), both 4: accuracy (4 + 2) / 12
    assert found.support[0].accuracy.value == pytest.approx(0.5)


def test_the_same_seed_gives_the_same_and_it_survives_json() -> None:
    small = made_study(cases=6)
    one, other = analyse(small, seed=5, resamples=20), analyse(small, seed=5, resamples=20)
    assert one == other
    assert Analysis.model_validate_json(one.model_dump_json()) == one


def test_progress_is_told_before_each_question() -> None:
    message: list[tuple[int, int, str]] = []
    analyse(made_study(cases=5), resamples=5, progress=lambda *step: message.append(step))
    assert [step[0] for step in message] == [0, 1, 2, 3, 4]
    assert {step[1] for step in message} == {5}


def test_a_study_that_nobody_rated_has_reasons_and_no_figures() -> None:
    data = StudyData(arms=("a", "b"), scales=(Scale("own/clear", FIVE),))
    found = analyse(data, resamples=10)
    assert found.ratings == 0
    assert all(s.mean.value is None and s.mean.reason for s in found.summaries)
    assert all(c.p is None and c.reason for c in found.comparisons)
    assert all(a.estimate.value is None and a.estimate.reason for a in found.agreement)
    assert found.learning[0].period.reason
    assert found.times[0].reason == "no time was measured"


def test_ratings_that_are_all_the_same_have_no_alpha_and_say_why() -> None:
    data = made_study(cases=6)
    same = data._replace(scores=tuple(s._replace(value=4.0) for s in data.scores if s.question == "own/clear"))
    found = analyse(same._replace(scales=(Scale("own/clear", FIVE),), choices=(), judged=()), resamples=20)
    by_name = {a.coefficient: a.estimate for a in found.agreement if not a.arm}
    for coefficient in (Coefficient.ALPHA_ORDINAL, Coefficient.ICC_SINGLE, Coefficient.COHEN_QUADRATIC):
        assert by_name[coefficient].value is None
        assert "every rating is 4" in by_name[coefficient].reason
    assert by_name[Coefficient.PERCENT].value == 1
    assert by_name[Coefficient.AC2].value == 1


def test_a_planned_test_that_does_not_suit_says_so() -> None:
    data = made_study(cases=5)._replace(planned_test=TestName.BRADLEY_TERRY)
    found = [c for c in analyse(data, resamples=5).comparisons if c.planned and c.question == "own/mean"]
    assert found[0].reason == "this test needs choices between drafts, and these are ratings of single ones"


def test_cannot_judge_is_counted_and_leaves_a_draft_s_mean_out() -> None:
    data = made_study(cases=6)
    first = data.scores[0]
    found = analyse(data._replace(scores=(first._replace(value=None), *data.scores[1:])), resamples=5)
    by_question = {s.question: s for s in found.summaries if s.arm == first.arm}
    assert by_question[first.question].cannot_judge == 1
    assert by_question["own/mean"].ratings == 17


def test_the_methods_text_says_what_was_planned_and_what_was_not_found() -> None:
    text = methods_text(analysed(), PLAN)
    assert "3 raters gave" in text and "14 cases in 2 arms" in text
    assert "the primary outcome was fixed as own/mean" in text
    assert "Wilcoxon's signed-rank test" in text and "Holm's correction" in text
    assert "100 bootstrap resamples of whole cases (seed 3)" in text
    assert "exploratory" in methods_text(analysed(), None)
    blank = analyse(StudyData(arms=("a", "b"), stamps=("not an evaluation",)), resamples=5)
    assert "This study is not an evaluation." in methods_text(blank, None)
    assert "not asked to guess" in methods_text(blank, None)


def test_every_figure_is_one_that_plotly_draws() -> None:
    import plotly.graph_objects as go

    data, found = made_study(), analysed()
    figures = [plots.box_plots(data), plots.time_on_item(data), plots.differences(found)]
    scores = [score for score in data.scores if score.question == "own/clear"]
    figures += [plots.agreement_by_item(scores, data.arms, "own/clear"), plots.learning_over_time(data, "own/clear")]
    figures += [plots.agreement_forest(found, "own/clear"), plots.rater_severity(found, "own/clear")]
    for figure in figures:
        drawn = go.Figure(figure)
        assert len(drawn.data) == len(figure["data"]) > 0
        assert all(len(trace["y"]) for trace in figure["data"])
    box = figures[0]["data"][0]
    assert box["name"] == "a" and set(box["x"]) == {"own/clear", "own/right", "own/supports", "own/mean"}
    assert plots.agreement_by_item((), data.arms, "own/clear")["data"] == []


def test_holm_by_hand() -> None:
    # sorted .01 .02 .03 .04 times 4 3 2 1: .04 .06 .06 .04, and none below one before it
    assert holm([0.04, 0.01, None, 0.03, 0.02]) == pytest.approx((0.06, 0.04, None, 0.06, 0.06))


def test_holm_of_no_test_at_all_is_nothing() -> None:
    assert holm([]) == ()
    assert holm([None, 1.0]) == (None, 1.0)
