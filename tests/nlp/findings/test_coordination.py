"""Names that share a word: what is added, and what stays as it is."""

import pytest

from backend.nlp.findings.coordination import coordinated
from backend.nlp.lexicon.matches import Candidate, Match

KNOWN = {
    name: Candidate(name, name, "DISO", category, 1.0, "exact")
    for name, category in (
        ("abdominal pain", "symptom"), ("chest pain", "symptom"), ("knee pain", "symptom"), ("hip pain", "symptom"),
        ("lip swelling", "symptom"), ("swelling of the face", "symptom"), ("back pain", "drug"), ("chest", "anatomy"),
    )
}  # fmt: skip


def match(text: str, name: str) -> Match:
    start = text.lower().index(name)
    return Match(start, start + len(name), len(name.split()), (KNOWN[name],))


def added(text: str, *names: str) -> list[tuple[str, str]]:
    found = coordinated(text, [match(text, name) for name in names], KNOWN.get)
    return [(text[one.start_char : one.end_char], one.candidates[0].name) for one in found]


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        (
            "Chest and abdominal pain",
            ["abdominal pain"],
            [("Chest", "chest pain"), ("abdominal pain", "abdominal pain")],
        ),
        (
            "knee, chest or hip pain",
            ["hip pain"],
            [("knee", "knee pain"), ("chest", "chest pain"), ("hip pain", "hip pain")],
        ),
        ("back and hip pain", ["hip pain"], [("hip pain", "hip pain")]),  # the longer name is of another kind
        ("fever and hip pain", ["hip pain"], [("hip pain", "hip pain")]),  # there is no fever pain
        ("hip pain", ["hip pain"], [("hip pain", "hip pain")]),
    ],
)
def test_a_word_said_once_is_shared(text: str, names: list[str], found: list[tuple[str, str]]) -> None:
    assert added(text, *names) == found


def test_a_longer_name_takes_the_place_of_the_word_s_own() -> None:
    assert added("chest and hip pain", "chest", "hip pain") == [("chest", "chest pain"), ("hip pain", "hip pain")]


def test_an_added_name_is_surer_of_nothing_than_one_in_another_order() -> None:
    text = "Chest and abdominal pain"
    (one, whole) = coordinated(text, [match(text, "abdominal pain")], KNOWN.get)
    assert one.candidates[0].score < whole.candidates[0].score
    assert one.candidates[0].why == "'Chest' shares 'pain' with 'abdominal pain'"
