"""Plain words put for a term, or behind it, and the articles that notes leave out."""

import pytest

from backend.generation.letter.plain_language.in_place import placed, without_doubles
from backend.generation.letter.plain_language.plain_terms import in_plain_terms


@pytest.mark.parametrize(
    ("text", "term", "said", "whole"),
    [
        ("a general malaise for days", "malaise", "general ill feeling", "a general ill feeling for days"),
        ("it has not yet recurred", "recurred", "came back", "it has not yet come back"),
        ("it had never recurred", "recurred", "came back", "it had never come back"),
        ("the rash recurred", "recurred", "came back", "the rash came back"),
        ("to bear weight on the foot", "bear weight", "put weight on it", "to put weight on the foot"),
        ("to bear weight again", "bear weight", "put weight on it", "to put weight on it again"),
        ("a telemetry monitor", "telemetry", "heart monitor", "a heart monitor"),
        ("more somnolent today", "somnolent", "very sleepy", "more sleepy today"),
        ("her migratory pains", "migratory", "moving around", "her migratory (moving around) pains"),
        ("a syncopal episode at work", "syncopal episode", "fainting", "a syncopal episode (fainting) at work"),
        ("a tonsillar exudate", "tonsillar exudate", "coating on the tonsils", "a coating on the tonsils"),
        ("the pain is migratory", "migratory", "moving around", "the pain is moving around"),
        ("the hepatic artery", "hepatic", "liver", "the liver artery"),
        (
            "mild hydronephrosis",
            "hydronephrosis",
            "kidney swollen by urine",
            "mild hydronephrosis (kidney swollen by urine)",
        ),
        ("sleep apnea", "apnea", "pauses in breathing", "sleep apnea (pauses in breathing)"),
        (
            "left nephrolithiasis",
            "nephrolithiasis",
            "stones in the kidney",
            "left nephrolithiasis (stones in the kidney)",
        ),
        ("severe dyspnea", "dyspnea", "shortness of breath", "severe shortness of breath"),
        ("had apnea", "apnea", "pauses in breathing", "had pauses in breathing"),
        ("25 mg po daily", "po", "by mouth", "25 mg by mouth daily"),
        ("dysphagia to solids", "dysphagia", "trouble swallowing", "dysphagia (trouble swallowing) to solids"),
        ("a hematoma of the leg", "hematoma", "pocket of blood", "a hematoma (pocket of blood) of the leg"),
        ("a hematoma in the leg", "hematoma", "pocket of blood", "a pocket of blood in the leg"),
        (
            "two-pillow orthopnea",
            "orthopnea",
            "breathlessness lying flat",
            "two-pillow orthopnea (breathlessness lying flat)",
        ),
        ("pain, right greater than left", "greater than", "more than", "pain, right more than left"),
    ],
)
def test_plain_words_fit_their_neighbours(text: str, term: str, said: str, whole: str) -> None:
    begin = text.index(term)
    end = begin + len(term)
    assert text[:begin] + placed(text, begin, end, said) + text[end:] == whole


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Hyponatremia Na 121", "Hyponatremia (low sodium) sodium 121"),
        ("Hyponatremia, Na 121", "Low sodium, sodium 121"),
        ("abdominal guarding", "belly guarding (tensing of the belly)"),
        ("rales or rhonchi", "crackling sounds or rattling sounds"),
        ("nocturia at night", "nocturia (passing urine at night) at night"),
    ],
)
def test_no_word_is_said_twice_by_plain_words_beside_each_other(written: str, plain: str) -> None:
    assert in_plain_terms(written) == plain


@pytest.mark.parametrize(
    ("text", "once"),
    [
        ("She had lightheadedness and dizziness on standing.", "She had dizziness on standing."),
        ("It got worse and worse.", "It got worse and worse."),
        ("She took cough and cough syrup.", "She took cough and cough syrup."),
        ("a urine test, and urine test for germs", "a urine test, and urine test for germs"),
    ],
)
def test_two_terms_put_by_the_same_words_are_said_once(text: str, once: str) -> None:
    assert without_doubles(in_plain_terms(text)) == once
