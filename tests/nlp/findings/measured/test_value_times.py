"""Which values are newer: by dates, by words of time, and by what rose or fell from one to the other."""

import pytest

from backend.nlp.findings.measured.value_times import long_ago, newness
from tests.nlp.fresh import linker


def test_dates_and_words_of_time_are_in_order() -> None:
    written = ["earlier", "2019", "03/2021", "two months ago", "last week", "yesterday", ""]
    keys = newness(written)
    assert keys == sorted(keys)


def test_years_ago_are_set_among_dates() -> None:
    # 2024 less three years lies between 2019 and 2022
    first, second, third, _ = newness(["2019", "three years ago", "2022", "2024"])
    assert first < second < third


def test_long_ago_is_a_year_or_more() -> None:
    assert long_ago("last checked two years ago", "") and long_ago("in 2019", "2024")
    assert not long_ago("two weeks ago", "") and not long_ago("in 2019", "") and not long_ago("for 2 years", "")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("HPI: 70M. EF improved from 25% to 55%.", {25.0: "earlier", 55.0: ""}),
        ("HPI: 70M. Echo last week: EF 55% (EF 30% in 2019).", {55.0: "last week", 30.0: "2019"}),
        ("HPI: 70M. LVEF 25% in 2018, LVEF 58% in 2023.", {25.0: "2018", 58.0: "2023"}),
        ("HPI: 70M. Ejection fraction was 40%.", {40.0: ""}),
        ("HPI: A 34-year-old woman with potassium 6.2.", {6.2: ""}),
        ("HPI: Old EF 40%.", {}),
    ],
)
def test_a_date_is_of_its_own_value(text: str, values: dict[float, str]) -> None:
    record = linker().read(text).record
    assert record is not None
    assert {one.value: one.date for one in record.observations} == values


def test_an_older_value_leaves_no_finding_beside_a_newer_one() -> None:
    record = linker().read("HPI: 70M. Echo 2019: EF 30%. Echo last week: EF 55%.").record
    assert record is not None
    assert [one.clinical_status.value for one in record.problems] == ["resolved"]
