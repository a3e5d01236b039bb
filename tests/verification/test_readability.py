"""Readability: texts counted by hand, grades of real text, none of too short a text, gaps left out."""

import pytest

from backend.verification.readability import (
    FEWEST_WORDS,
    Counts,
    TextReadability,
    counts,
    flesch_kincaid,
    smog,
    syllables,
)

PLAIN = "You came to the hospital because your legs were swollen. Weigh yourself each day. Eat less salt."
# 6 + 8 + 3 words of one syllable each
SHORT_WORDS = "The cat sat on the mat. It was a big day for the dog. She called us."
# pneu-mo-ni-a is an in-fec-tion of the lungs (12), med-i-cine helps (4), e-mer-gen-cy treat-ment is a-vail-a-ble (11)
LONG_WORDS = "Pneumonia is an infection of the lungs. Medicine helps. Emergency treatment is available."


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        (SHORT_WORDS, Counts(sentences=3, words=17, syllables=17, polysyllables=0)),
        (LONG_WORDS, Counts(sentences=3, words=13, syllables=27, polysyllables=5)),
        # take one tab-let of 2.5 mg - twice; the dash is no word, the point in 2.5 ends no sentence
        ("Take one tablet of 2.5 mg - twice.", Counts(sentences=1, words=7, syllables=8, polysyllables=0)),
        ("Do the follow-up.", Counts(sentences=1, words=3, syllables=5, polysyllables=1)),
    ],
)
def test_a_text_is_counted_as_by_hand(text: str, counted: Counts) -> None:
    assert counts(text) == counted


def test_the_grades_are_those_of_the_formulas() -> None:
    # 0.39 * 17 / 3 + 11.8 * 17 / 17 - 15.59 = 2.21 + 11.8 - 15.59
    assert flesch_kincaid(counts(SHORT_WORDS)) == pytest.approx(-1.58)
    # 0.39 * 13 / 3 + 11.8 * 27 / 13 - 15.59 = 1.69 + 24.5077 - 15.59
    assert flesch_kincaid(counts(LONG_WORDS)) == pytest.approx(10.6077, abs=1e-4)
    assert smog(counts(SHORT_WORDS)) == pytest.approx(3.1291)
    # 1.043 * root of 30 * 5 / 3 + 3.1291 = 1.043 * 7.0711 + 3.1291
    assert smog(counts(LONG_WORDS)) == pytest.approx(10.5042, abs=1e-4)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "take takes called heart eyes breathe pressed days don't 40 pier guide quit mg"),
        (2, "table muscles needed doses safely careful diet quiet being people fluid about treated"),
        (3, "hospital medicine cardiac infection nausea calcium easier follow-up ambulance"),
        (4, "emergency furosemide continuous pneumonia lisinopril"),
        (5, "antibiotics"),
    ],
)
def test_syllables_are_those_that_are_spoken(number: int, words: str) -> None:
    assert {word: syllables(word) for word in words.split()} == dict.fromkeys(words.split(), number)


def test_a_short_text_has_no_grade() -> None:
    measured = TextReadability().measure([PLAIN])
    assert measured.words == 17 < FEWEST_WORDS
    assert (measured.fkgl, measured.smog) == (None, None)
    assert TextReadability().measure([]).words == 0


def test_a_long_text_of_one_sentence_has_no_smog() -> None:
    measured = TextReadability().measure(["one " * 40])
    assert measured.fkgl is not None
    assert measured.smog is None


def test_plain_words_are_easier_than_clinical_ones() -> None:
    plain = TextReadability().measure([PLAIN, PLAIN])
    hard = (
        "Decompensated cardiomyopathy precipitated hospitalization necessitating intravenous diuresis administration."
    )
    clinical = TextReadability().measure([hard] * 4)
    assert plain.fkgl is not None
    assert clinical.fkgl is not None
    assert plain.fkgl < 5 < clinical.fkgl - 10


def test_gaps_for_the_team_do_not_count() -> None:
    gap = "[team to complete: pharmacotherapeutic administration considerations]"
    assert TextReadability().measure([PLAIN, PLAIN, gap]) == TextReadability().measure([PLAIN, PLAIN])
