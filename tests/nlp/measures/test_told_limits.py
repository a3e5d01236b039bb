"""From where a vital sign or a blood test is told as low or high; the limits are rows of assets/rules/measures/told_limits.tsv."""

import pytest

from backend.nlp.measures.told_limits import SIGN, TEST, side_of, sided, told_measures


@pytest.mark.parametrize(
    ("measure", "value", "unit", "side"),
    [
        ("blood pressure", "150/80", "", "high"),  # the first number alone
        ("blood pressure", "130/95", "", "high"),  # the second alone
        ("blood pressure", "89/70", "", "low"),
        ("blood pressure", "142/85", "", "high"),
        ("blood pressure", "99/60", "", "low"),
        ("blood pressure", "140/90", "", ""),
        ("blood pressure", "100/60", "", ""),
        ("heart rate", "101", "", "high"),
        ("heart rate", "100", "", ""),
        ("oxygen saturation", "92%", "", "low"),
        ("oxygen saturation", "100%", "", ""),  # no upper limit
        ("temperature", "38", "°C", "high"),
        ("temperature", "38", "F", "low"),
        ("temperature", "38", "", ""),  # without a unit it is not judged
        ("heart rate", "fast", "", ""),
        ("weight", "300", "kg", ""),
        ("sodium", "128", "", "low"),
        ("platelet count", "96", "", "low"),
        ("platelet count", "96,000", "", "low"),  # counted singly
        ("platelet count", "210,000", "", ""),
        ("creatinine", "250", "", "high"),  # µmol/L
        ("bilirubin", "12", "", "high"),
        ("bilirubin", "1.1", "", ""),
    ],
)
def test_a_value_is_low_high_or_neither(measure: str, value: str, unit: str, side: str) -> None:
    assert side_of(measure, value, unit) == side


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Your blood pressure 186/101 (high).", ["blood pressure", "high"]),
        ("Your blood pressure 120/70 (high).", []),  # wrongly called so
        ("Your pulse 40 (low).", ["pulse", "low"]),
        ("Your pulse 40.", []),
        ("Tests: BNP (a heart strain test) 1,910 (high).", ["BNP (a heart strain test)", "high"]),
        ("Tests: potassium 4.1 (high).", []),
    ],
)
def test_only_what_is_rightly_called_high_or_low_is_found(text: str, said: list[str]) -> None:
    assert [text[start:end] for start, end in sided(text)] == said


def test_each_measure_stands_once_with_the_letter_s_words() -> None:
    named = [*told_measures(SIGN), *told_measures(TEST)]
    assert len(dict(named)) == len(named) == len({words for _, words in named})
    assert dict(named)["heart rate"] == "pulse"
