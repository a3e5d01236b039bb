"""How far each trigger of a sentence reaches."""

import pytest

from backend.nlp.attributes.scopes import SentenceWords, scopes
from backend.nlp.attributes.triggers import FAMILY, Scope, cues
from backend.nlp.document.clauses import clause_borders
from backend.nlp.document.parsed_note import parse_note
from backend.schemas.vocabulary import Assertion


def read(text: str) -> tuple[list[str], list[Scope]]:
    note = parse_note(text)
    words, last = list(note.words), len(note.words)
    return words, scopes(SentenceWords(words, 0, last, cues(note.triggers[FAMILY]), clause_borders(words, 0, last)))


def reached(text: str, assertion: Assertion) -> list[str]:
    words, found = read(text)
    said = [" ".join(words[one.first : one.last]).strip(" :") for one in found if one.assertion is assertion]
    return [text for text in said if text]


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("no fever", ["fever"]),
        ("no fever, cough or rash", ["fever , cough or rash"]),
        ("no fever but cough", ["fever"]),
        ("no fever and he has a cough", ["fever"]),
        ("Fever: no", ["fever"]),
        ("pneumonia was ruled out", ["pneumonia"]),
        ("cough", []),
        ("no change in the cough", []),  # a pseudo-trigger denies nothing
    ],
)
def test_a_denial_goes_on_over_a_list_and_ends_where_a_clause_begins(text: str, denied: list[str]) -> None:
    assert reached(text, Assertion.NEGATED) == denied


def test_another_person_s_stretch_ends_where_the_patient_is_named_again() -> None:
    (said,) = reached("mother has gout and he has asthma", Assertion.FAMILY)
    assert "gout" in said and "asthma" not in said


def test_a_date_that_opens_a_clause_dates_it_and_one_after_an_onset_does_not() -> None:
    assert any("stroke" in said for said in reached("In 2010, she had a stroke", Assertion.HISTORICAL))
    assert not any("cough" in said for said in reached("cough started three months ago", Assertion.HISTORICAL))


def test_a_scope_knows_the_words_that_say_it_and_lies_in_its_sentence() -> None:
    words, found = read("he denies fever")
    (one,) = [scope for scope in found if scope.assertion is Assertion.NEGATED]
    assert words[one.cue_first : one.cue_last] == ["denies"]
    assert 0 <= one.first <= one.last <= len(words)


def test_a_denial_keeps_to_its_entry_of_a_numbered_list() -> None:
    assert reached("1) no gastritis 2) ulcer 3) reflux", Assertion.NEGATED) == ["gastritis"]


def test_a_sentence_without_words_has_no_scopes() -> None:
    assert scopes(SentenceWords([], 0, 0, [], [])) == []
