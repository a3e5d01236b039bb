"""Vital signs in one order, and values from note to note."""

from backend.generation.composer.progress.vital_signs import course_of, vital_signs
from backend.schemas.record import ObservationStatement, RecordSpan


def observed(text: str, part: str, measure: str, value: str, unit: str = "", date: str = "") -> ObservationStatement:
    start = text.index(part)
    span = RecordSpan(start_char=start, end_char=start + len(part), text=part)
    return ObservationStatement(
        id=f"observation-{start}", measure=measure, value_text=value, unit=unit, date=date, spans=(span,)
    )


def test_they_come_in_one_order_with_the_words_behind_them() -> None:
    text = "Pain 3/10, weight 70 kg, SpO2 91% on room air, RR 24, BP 98/56, HR 108 and regular, T 38.6 C. Sodium 140."
    found = vital_signs(
        [
            observed(text, "Pain 3/10", "pain score", "3/10"),
            observed(text, "weight 70 kg", "weight", "70", "kg"),
            observed(text, "SpO2 91%", "oxygen saturation", "91", "%"),
            observed(text, "RR 24", "respiratory rate", "24", "/min"),
            observed(text, "BP 98/56", "blood pressure", "98/56", "mmHg"),
            observed(text, "HR 108", "heart rate", "108", "/min"),
            observed(text, "T 38.6 C", "temperature", "38.6", "C"),
            observed(text, "Sodium 140", "sodium", "140"),
        ],
        text,
    )
    assert [one.text for one in found] == [
        "temperature 38.6 C",
        "pulse 108/min and regular",
        "blood pressure 98/56 mmHg",
        "respiratory rate 24/min",
        "oxygen saturation 91 % on room air",
        "weight 70 kg",
        "pain 3/10",
    ]


def test_a_value_that_is_stated_twice_is_written_once_and_a_degree_only_as_written() -> None:
    text = "Temp 97.2. HR 80. On exam HR 80, later HR 96."
    again = observed(text, "HR 80.", "heart rate", "80", "/min")
    last = observed(text, "HR 96", "heart rate", "96", "/min")
    found = vital_signs([observed(text, "Temp 97.2", "temperature", "97.2", "F"), again, again, last], text)
    assert [one.text for one in found] == ["temperature 97.2", "pulse 80/min, then 96/min"]


def test_values_go_in_order_of_date_and_derived_or_dated_ones_are_left_out() -> None:
    text = "Creatinine 1.6, sodium 140"
    now = observed(text, "Creatinine 1.6", "creatinine", "1.6")
    derived = now.model_copy(update={"measure": "eGFR", "formula": "CKD-EPI 2021"})
    alone = observed(text, "sodium 140", "sodium", "140")
    before = [
        (now.model_copy(update={"value_text": value}), day, f"N{place}")
        for place, (value, day) in enumerate((("1.4", "2024-05-02"), ("1.1", "2024-01-10"), ("9.9", "")), start=2)
    ]
    found = course_of([(now, "N1"), (derived, "N1"), (alone, "N1")], before)
    assert {measure: [(v.value, v.day, v.citation) for v in values] for measure, values in found.items()} == {
        "creatinine": [("1.1", "2024-01-10", "N3"), ("1.4", "2024-05-02", "N2"), ("1.6", "", "N1")]
    }
