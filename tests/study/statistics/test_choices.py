"""What choices show besides strengths: agreement, sides, halves and places, by hand; and their figures."""

from itertools import product

import plotly.graph_objects as go
import pytest

from backend.schemas.studies.estimates import Coefficient, IntervalMethod
from backend.study.reporting.report_figures import as_svg
from backend.study.statistics.analysis import analyse
from backend.study.statistics.choice_figures import choice_figures, places, wins
from backend.study.statistics.comparison.preference_shares import directions, half_preference, side_biases
from backend.study.statistics.descriptive import place_summary
from backend.study.statistics.intervals import Sampling
from backend.study.statistics.rating_data import Choice, Placed, StudyData

FEW = Sampling(0, 200)


def choice(case: str, rater: str, toward_b: float, later: float | None = None, period: int = 0) -> Choice:
    return Choice("q", case, rater, "a", "b", toward_b, later, period)


def test_a_direction_is_told_from_the_first_arm_whichever_way_the_choice_was_kept() -> None:
    turned = Choice("q", "c1", "R2", "b", "a", 2)  # for a, which is its second
    made = directions([choice("c1", "R1", -1), turned, choice("c2", "R1", 0), choice("c2", "R2", 3)], ("a", "b"))
    assert [(s.case, s.arm, s.rater, s.value) for s in made] == [
        ("c1", "a over b", "R1", 1),
        ("c1", "a over b", "R2", 1),
        ("c2", "a over b", "R1", 0),
        ("c2", "a over b", "R2", -1),
    ]


def test_raters_who_choose_alike_agree_however_strongly_they_prefer() -> None:
    alike = tuple(
        choice(f"c{n}", rater, toward) for n in range(8) for rater, toward in (("R1", (-1) ** n), ("R2", 3 * (-1) ** n))
    )
    found = {a.coefficient: a for a in analyse(StudyData(("a", "b"), choices=alike), resamples=20).agreement}
    assert found[Coefficient.ALPHA_ORDINAL].estimate.value == 1
    assert found[Coefficient.PERCENT].estimate.value == 1
    assert found[Coefficient.PERCENT].items == 8
    # 8 pairs, R1 for b, a, b, a ..., R2 always for b: they agree in 4
    split = tuple(choice(f"c{n}", rater, toward) for n in range(8) for rater, toward in (("R1", (-1) ** n), ("R2", 1)))
    found = {a.coefficient: a for a in analyse(StudyData(("a", "b"), choices=split), resamples=20).agreement}
    assert found[Coefficient.PERCENT].estimate.value == 0.5
    assert found[Coefficient.COHEN_QUADRATIC].estimate.value == 0  # R2 never varies: chance alone


def test_a_side_is_counted_by_rater_without_ties_and_without_what_is_unknown() -> None:
    given = [choice(f"c{n}", "R1", 1, 1) for n in range(6)] + [choice("c6", "R1", 1, -1), choice("c7", "R1", 0, 0)]
    given += [choice("c0", "R2", -2, -2), choice("c1", "R2", 1, None)]
    found = {s.rater: s for s in side_biases("q", given)}
    # R1: 6 right, 1 left, 1 tie: 6 / 7; R2: 0 / 1; both: 6 / 8
    assert [(r, s.choices, s.ties) for r, s in found.items()] == [("", 9, 1), ("R1", 8, 1), ("R2", 1, 0)]
    assert [found[r].share_later.value for r in ("", "R1", "R2")] == pytest.approx([0.75, 6 / 7, 0])
    assert found["R1"].share_later.method == IntervalMethod.WILSON
    assert side_biases("q", [choice("c0", "R1", 1)]) == ()
    assert "tie" in side_biases("q", [choice("c0", "R1", 0, 0)])[1].share_later.reason


def test_halves_are_shares_of_the_first_and_their_change() -> None:
    given = []
    for n in range(6):
        given.append(choice(f"c{n}", "R1", -1 if n < 5 else 1, period=1))  # first half: 5 of 6 for a
        given.append(choice(f"c{n}", "R2", -1 if n < 2 else 0 if n < 4 else 1, period=2))  # 2, and 2 ties: 3 of 6
    found = half_preference("q", [*given, choice("c9", "R1", 1, period=0)], ("a", "b"), FEW)
    assert found.first_half.value == pytest.approx(5 / 6)
    assert found.second_half.value == pytest.approx(3 / 6)
    assert found.change.value == pytest.approx(-2 / 6)
    assert found.change.method == IntervalMethod.BOOTSTRAP
    one = half_preference("q", given[::2], ("a", "b"), FEW)
    assert one.first_half.value is not None
    assert one.second_half.reason == one.change.reason == "only one half of the items is known or was chosen in"


def test_a_mean_place_counts_each_case_once() -> None:
    # c1: 1 and 2, mean 1.5; c2: 3, mean 3; mean of cases 2.25, of rankings 2
    given = [Placed("q", "c1", "a", "R1", 1), Placed("q", "c1", "a", "R2", 2), Placed("q", "c2", "a", "R1", 3)]
    found = place_summary("q", "a", given, FEW)
    assert (found.mean.value, found.rankings, found.cases, found.range) == (2.25, 3, 2, (1, 3))
    assert [(v.value, v.count) for v in found.distribution] == [(1, 1), (2, 1), (3, 1)]
    assert place_summary("q", "a", [], FEW).mean.reason == "nobody rated it"


def ranked() -> StudyData:
    """Three arms in the order a, b, c by all but R2, who turns b and c round in every second case."""
    chosen, placed = [], []
    for n, rater in product(range(8), ("R1", "R2")):
        order = ["a", "c", "b"] if rater == "R2" and n % 2 else ["a", "b", "c"]
        placed += [Placed("q", f"c{n}", arm, rater, order.index(arm) + 1) for arm in "abc"]
        for one, other in (("a", "b"), ("a", "c"), ("b", "c")):
            toward = float(order.index(one) - order.index(other))
            chosen.append(Choice("q", f"c{n}", rater, one, other, toward, -toward if n % 3 else toward, 1 + n % 2))
    return StudyData(("a", "b", "c"), choices=tuple(chosen), places=tuple(placed))


def test_every_figure_of_a_ranking_is_drawn_on_the_page_and_in_print() -> None:
    data = ranked()
    analysis = analyse(data, resamples=50)
    made = choice_figures(data, analysis, "q")
    titles = [figure["layout"]["title"]["text"] for figure in made]
    assert titles == [
        "Preference",
        "Strength of arms",
        "Choices and ties",
        "Mean place",
        "Places",
        "Agreement",
        "Agreement by pair",
        "Leaning to a side",
        "Learning over time",
    ]
    for figure in made:
        assert all(len(trace["y"]) for trace in go.Figure(figure).data)
        assert figure["layout"]["title"]["text"] in as_svg(figure)


def test_the_matrices_count_what_was_chosen() -> None:
    analysis = analyse(ranked(), resamples=20)
    (cells,) = wins(analysis, "q")["data"]
    # 16 orders; b before c in all but R2's 4 odd cases
    assert cells["text"] == [
        ["", "16 (ties 0)", "16 (ties 0)"],
        ["0 (ties 0)", "", "12 (ties 0)"],
        ["0 (ties 0)", "4 (ties 0)", ""],
    ]
    (stood,) = places(analysis, "q")["data"]
    assert stood["z"] == [[16, 0, 0], [0, 12, 4], [0, 4, 12]]
    svg = as_svg(wins(analysis, "q"))
    assert svg.count("(ties 0)") == 6  # the words of a cell are text
    assert "12 (ties 0)" in svg
