"""Readability: grades of real text, none of too short a text, gaps left out."""

from backend.verification.readability import FEWEST_WORDS, TextReadability

PLAIN = "You came to the hospital because your legs were swollen. Weigh yourself each day. Eat less salt."


def test_a_short_text_has_no_grade() -> None:
    measured = TextReadability().measure([PLAIN])
    assert measured.words == 17 < FEWEST_WORDS
    assert (measured.fkgl, measured.smog) == (None, None)
    assert TextReadability().measure([]).words == 0


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
