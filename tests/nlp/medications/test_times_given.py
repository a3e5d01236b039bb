"""For how long a medicine is given: the days of a course, and the minutes that one dose runs over."""

import pytest

from tests.nlp.medications.attributes import statements


@pytest.mark.parametrize(
    ("text", "days", "minutes"),
    [
        ("Plan: nitrofurantoin 100 mg BID for 5 days.", 5, None),
        ("Plan: prednisone 40 mg daily x 5 days.", 5, None),
        ("Plan: doxycycline 100 mg BD 7/7.", 7, None),
        ("Plan: amoxicillin 500 mg TDS for one week.", 7, None),
        ("Plan: metoclopramide 10 mg TDS for 3 months.", 90, None),
        ("Plan: vancomycin 1.5 g IV over 90 minutes.", None, 90),
        ("Plan: amiodarone 900 mg IV over 24 hours.", None, 1440),
        ("Plan: amlodipine 5 mg daily.", None, None),
        ("HPI: She took ketorolac 30 mg, 5 days ago.", None, None),
        ("HPI: He has taken aspirin 81 mg daily for 10 years.", None, None),
        ("Plan: magnesium 2 g, reviewed over dinner.", None, None),
    ],
)
def test_the_length_is_read_behind_the_medicine(text: str, days: float | None, minutes: float | None) -> None:
    one = statements(text)[0]
    assert (one.dosage.days, one.dosage.over_minutes) == (days, minutes)


def test_the_time_stands_behind_the_fluid_that_a_dose_is_given_in() -> None:
    found = statements("Plan: potassium chloride 40 mmol in 100 mL saline over 15 minutes.")
    assert next(one.dosage.over_minutes for one in found if one.name == "potassium chloride") == 15


def test_the_length_of_the_next_medicine_is_not_that_of_the_one_before() -> None:
    found = {
        one.name: one.dosage.days
        for one in statements("Plan: lisinopril 10 mg daily, amoxicillin 500 mg TDS for 7 days.")
    }
    assert found == {"lisinopril": None, "amoxicillin": 7}


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Plan: Start lamotrigine 25 mg daily x 2 weeks, 50 mg x 2 weeks.", [(1, 25, 14, ""), (2, 50, 14, "")]),
        ("Plan: Apixaban 10 mg bid 7 days then 5 mg bid.", [(1, 10, 7, ""), (2, 5, None, "")]),
        ("Plan: Azithromycin 500 mg on day 1, then 250 mg daily days 2-5.", [(1, 500, 1, ""), (2, 250, 4, "")]),
        (
            "DISCHARGE MEDICATIONS:\nAmiodarone 400 mg b.i.d. through 03/21, then 200 mg daily (NEW)\nEmpagliflozin 10 mg",
            [(1, 400, None, "through 03/21"), (2, 200, None, "")],
        ),
        ("Plan: Lithium 300 mg in the morning and 600 mg at night.", [(0, 300, None, ""), (0, 600, None, "")]),
        ("Plan: Warfarin 5 mg Mon-Fri and 2.5 mg Sat and Sun.", [(0, 5, None, ""), (0, 2.5, None, "")]),
    ],
)
def test_doses_that_follow_each_other_are_steps_with_their_own_lengths(
    text: str, steps: list[tuple[int, float, float | None, str]]
) -> None:
    found = [one for one in statements(text) if one.name == statements(text)[0].name]
    assert [(one.dosage.step, one.dosage.dose, one.dosage.days, one.dosage.until) for one in found] == steps
    assert not any(one.replaced_by for one in found)
