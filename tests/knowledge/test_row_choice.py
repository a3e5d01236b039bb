"""Which dose rows are compared with a dosage: the narrowest, the widest use, the strictest condition, and how often it is taken."""

from backend.knowledge.safety.row_choice import chosen, implies
from backend.knowledge.safety.rows.clauses import DoseUnit, Held, HeldClause, Period, ValueClause
from backend.knowledge.safety.rows.dose_rows import DoseRow

BELOW_60, BELOW_30 = ValueClause("eGFR", "<", 60), ValueClause("eGFR", "<", 30)
OLD = ValueClause("age", ">=", 65)
WITH_AMIODARONE = HeldClause(Held.TAKES, ("amiodarone",), ("amiodarone",))


def row(most: float, *when: ValueClause | HeldClause, use: str = "", period: Period = Period.DAY) -> DoseRow:
    """A row of one medicine by mouth, in mg."""
    return DoseRow("drug", "oral", 0, most, DoseUnit.MG, period, when, use)


def most(*rows: DoseRow, times: float | None = 1, once: bool = False) -> list[tuple[str, float]]:
    """Period and maximum of the rows that are chosen."""
    return [(one.period.value, one.maximum) for one in chosen(rows, times, once=once)]


def test_a_narrower_limit_replaces_the_wider_one_and_both_replace_the_general_row() -> None:
    assert most(row(3600), row(1400, BELOW_60), row(700, BELOW_30)) == [("day", 700)]
    assert implies(row(1, BELOW_30), row(1, BELOW_60)) and not implies(row(1, BELOW_60), row(1, BELOW_30))


def test_a_condition_may_allow_more_than_the_general_row() -> None:
    assert most(row(600), row(2000, BELOW_30)) == [("day", 2000)]


def test_of_conditions_that_have_nothing_to_do_with_each_other_the_strictest_counts() -> None:
    assert most(row(40), row(20, OLD), row(10, WITH_AMIODARONE), row(30, BELOW_60)) == [("day", 10)]


def test_of_several_uses_the_widest_counts_unless_a_condition_is_stricter() -> None:
    uses = (row(40), row(100, use="pain"), row(300, use="depression"))
    assert most(*uses) == [("day", 300)]
    assert most(*uses, row(100, OLD)) == [("day", 100)]


def test_a_use_with_a_condition_replaces_both_alone() -> None:
    rows = (row(40), row(120, use="withdrawal"), row(20, OLD), row(80, OLD, use="withdrawal"))
    assert most(*rows) == [("day", 80)]


def test_what_is_taken_weekly_is_held_to_the_week_and_what_is_taken_daily_to_the_day() -> None:
    rows = (row(10), row(70, period=Period.WEEK))
    assert most(*rows, times=1 / 7) == [("week", 70)]
    assert most(*rows, times=1) == [("day", 10)]


def test_where_nobody_tells_how_often_a_weeks_amount_counts_as_one_dose() -> None:
    assert most(row(10), row(70, period=Period.WEEK), times=None) == [("day", 10), ("dose", 70)]


def test_a_months_amount_counts_as_no_dose_where_a_row_tells_of_one() -> None:
    assert most(row(150, period=Period.DOSE), row(66, period=Period.MONTH), times=None) == [("dose", 150)]


def test_what_is_given_once_is_held_to_a_dose_and_not_to_a_day() -> None:
    rows = (row(1, BELOW_60), row(2, period=Period.DOSE))
    assert most(*rows, times=None, once=True) == [("dose", 2)]
    assert most(row(1), times=None, once=True) == [("day", 1)]


def test_units_that_do_not_meet_are_kept_side_by_side() -> None:
    by_weight = row(20)._replace(unit=DoseUnit.MG_KG, ceiling=2000)
    assert chosen([row(500), by_weight], 1) == (row(500), by_weight)


def test_how_often_is_bounded_apart_from_how_much() -> None:
    often = row(2)._replace(unit=DoseUnit.TIMES)
    assert sorted(most(row(80), row(40, BELOW_30), often)) == [("day", 2), ("day", 40)]


def test_rates_and_lengths_hold_whatever_the_timing() -> None:
    rows = (row(80), row(5, period=Period.COURSE), row(10, period=Period.HOUR))
    assert sorted(most(*rows, times=1 / 7)) == [("course", 5), ("day", 80), ("hour", 10)]
