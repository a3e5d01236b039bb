"""A draft in the words of the UK: every row by its examples, what stays, and offsets that follow."""

import pytest

from backend.container import Container
from backend.generation.locale import in_locale, locale_patterns, locale_words
from backend.knowledge.advice.red_flags import AS_NEW
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis, Locale

UK = locale_words(Locale.UK)
WORDS = rule_rows(RULES / "locale" / "uk_words.tsv", 2)
NOTE = """Allergies: none known

Chief complaint: chest pain

HPI: A 60-year-old man with acute pericarditis. He takes acetaminophen 650 mg at night."""


def told(text: str) -> str:
    assert UK is not None
    return UK.told(text)


def test_the_us_needs_no_words() -> None:
    assert locale_words(Locale.US) is None


@pytest.mark.parametrize("row", locale_patterns(Locale.UK), ids=lambda row: row.pattern.pattern[:30])
def test_each_pattern_changes_its_examples_and_nothing_else(row: object) -> None:
    for before, after in row.yes:  # type: ignore[attr-defined]
        assert row.pattern.sub(row.words, before) == after  # type: ignore[attr-defined]
    assert row.pattern.search(row.no) is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(("us", "uk"), WORDS)
def test_each_word_is_exchanged_once_with_its_capital_and_never_inside_another(us: str, uk: str) -> None:
    assert told(f"Ask about {us} today.") == f"Ask about {uk} today."
    assert told(told(f"Ask about {us} today.")) == f"Ask about {uk} today."
    assert told(f"x{us}x") == f"x{us}x"
    if us[0].islower():
        assert told(us.capitalize() if " " not in us else us[0].upper() + us[1:]) == uk[0].upper() + uk[1:]


def test_no_word_has_two_rows() -> None:
    names = [us.lower() for us, _ in WORDS]
    assert len(names) == len(set(names))


def test_numbers_and_drugs_of_a_warning_are_those_of_the_uk() -> None:
    text = "Call an ambulance (911 in the US) if you have a fever of 103°F (39.4°C) or took too much acetaminophen."
    assert told(text) == "Call 999 for an ambulance if you have a fever of 39.4°C or took too much paracetamol."
    assert told("Go to an emergency department now if you gain 3 pounds (1.4 kg) in a day.") == (
        "Go to A&E now if you gain 1.4 kg in a day."
    )


def test_a_name_that_has_become_its_other_name_stands_once() -> None:
    assert told("Take: Paracetamol (acetaminophen) 1 g.") == "Take: Paracetamol 1 g."
    assert told("Take: Ventolin (albuterol) 2 puffs.") == "Take: Ventolin (salbutamol) 2 puffs."


def test_a_draft_is_told_in_its_locale_and_its_offsets_follow(container: Container) -> None:
    pipeline = container.pipeline("leapnote")
    us = pipeline.run(DraftRequest(text=NOTE))
    uk = pipeline.run(DraftRequest(text=NOTE, locale=Locale.UK))
    assert (us.locale, uk.locale) == (Locale.US, Locale.UK)
    assert "911" in us.text and "911" not in uk.text and "999" in uk.text
    assert len(us.sentences) == len(uk.sentences)
    for one in uk.sentences:
        assert uk.text[one.start_char : one.end_char] == one.text
    assert [one.support for one in us.sentences] == [one.support for one in uk.sentences]
    # every quote still stands in its source
    texts = {passage.id: passage.text for passage in uk.evidence.passages}
    quoted = [one for one in uk.sentences if one.basis is Basis.GENERAL and len(one.citations) == 1]
    assert quoted
    for one in quoted:
        assert one.text.replace(AS_NEW, "") in texts.get(one.citations[0], one.text.replace(AS_NEW, ""))


def test_what_the_note_says_stays_as_it_is_written_there(container: Container) -> None:
    uk = container.pipeline("leapnote").run(DraftRequest(text=NOTE, locale=Locale.UK))
    assert "acetaminophen" in {row.name for row in uk.medicines}
    other = container.pipeline("leapnote").run(
        DraftRequest(text=NOTE.replace("acetaminophen", "paracetamol"), locale=Locale.UK)
    )
    assert "acetaminophen" not in other.text
    assert {row.name for row in other.medicines} == {"paracetamol"}


def test_the_setting_is_the_default(container: Container) -> None:
    uk = container.changed(locale="uk").pipeline("leapnote").run(DraftRequest(text=NOTE))
    assert uk.locale is Locale.UK
    assert in_locale(uk, Locale.US) is uk
