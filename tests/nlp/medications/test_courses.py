"""Short courses that a note tells without a date: their words, and how many days they have."""

import pytest

from tests.nlp.medications.attributes import statements


@pytest.mark.parametrize(
    ("text", "course", "days"),
    [
        ("Dexamethasone 6 mg once a day times 3 days.", "times 3 days", 3),
        ("Prednisone 30 mg daily x 4.", "x 4", 4),
        ("Start prednisone 50 mg daily x 5 and azithromycin 250 mg daily.", "x 5", 5),
        ("She will have a quick burst of oral prednisone.", "quick burst of oral", None),
        ("Seven-day course of prednisone 20 mg daily.", "Seven-day course of", 7),
        ("14 days of prednisone 20 mg daily.", "14 days of", 14),
        ("Prednisone 40 mg, taper over two weeks.", "taper over two weeks", None),
        ("Methylprednisolone dose pack, as on the box.", "dose pack", None),
        ("Prednisone 5 mg daily for her polymyalgia.", "", None),
        ("Prednisone 60 mg daily, slow taper over 4 months.", "", None),
        ("Ibuprofen 600 mg three times a day for 5 days.", "", 5),
        ("Continue prednisone 5 mg daily, and check pulse.", "", None),
    ],
)
def test_a_short_course_is_told(text: str, course: str, days: float | None) -> None:
    one = statements(f"PLAN: {text}")[0]
    assert (one.course, one.dosage.days) == (course, days)


@pytest.mark.parametrize("text", ["Medrol dose pack.", "Prednisone burst.", "Dexamethasone pulse."])
def test_a_course_alone_is_an_item_of_the_plan(text: str) -> None:
    (one,) = statements(f"PLAN: {text}")
    assert one.rule_ids == ("medications/plan-item",)
