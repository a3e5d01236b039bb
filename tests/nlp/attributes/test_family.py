"""Whose health a sentence speaks of: the words for people, their kinship, and where their stretch ends."""

import pytest

from backend.errors import KnowledgeError
from backend.nlp.attributes import family
from backend.nlp.attributes.family import family_stretches, kinship_at, own_again, people, person_words
from backend.nlp.document.tokens import tokens


def stretches(text: str) -> list[tuple[str, str]]:
    words = tokens(text).words
    return [(" ".join(words[a:b]), words[word]) for a, b, word in family_stretches(words, 0, len(words))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Her mother had gout", [("had gout", "mother")]),
        ("lupus in his paternal aunt", [("lupus", "aunt")]),
        ("Dad MI at 50, smokes", [("MI at 50".lower(), "dad")]),
        ("took her sister's metformin", [("metformin", "sister")]),
        ("a mother of two with gout", []),
        ("Her mother reports that she has gout", []),
        ("visited her sister and has gout", []),
        ("She has gout", []),
    ],
)
def test_the_stretch_of_another_person(text: str, found: list[tuple[str, str]]) -> None:
    assert stretches(text) == found


@pytest.mark.parametrize(
    ("text", "kinship"),
    [("her paternal aunt", "paternal aunt"), ("mgm", "maternal grandmother"), ("her roommate", ""), ("her foot", "")],
)
def test_kinship_is_named_with_its_side(text: str, kinship: str) -> None:
    words = tokens(text).words
    assert kinship_at(words, len(words) - 1) == kinship


@pytest.mark.parametrize(
    ("text", "own"),
    [("ECG with ST depression", True), ("She denies pain", True), ("She has a sister", False), ("Gout", False)],
)
def test_a_family_history_comes_back_to_the_patient(text: str, own: bool) -> None:
    words = tokens(text).words
    assert own_again(words, 0, len(words)) is own


def test_a_person_of_an_unknown_kind_is_refused(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "attributes").mkdir()
    (tmp_path / "attributes" / "people.tsv").write_text("word\tkinship\tkind\naunt\taunt\tdistant\n")
    monkeypatch.setattr(family, "RULES", tmp_path)
    with pytest.raises(KnowledgeError, match="'aunt' is of kind 'distant'"):
        people.__wrapped__()


def test_parents_are_informants_and_informants_are_persons() -> None:
    words = person_words()
    assert "mother" in words.parents <= words.informants <= words.others | words.own
    assert words.own.isdisjoint(words.others)


STORY = (
    "obstetrics discharge summary . 32 year old woman admitted at 37 weeks with a headache and high blood pressure . "
    * 4
)


@pytest.mark.parametrize(
    ("opening", "another"),
    [(STORY, True), (STORY.replace("obstetrics discharge", "newborn admission"), False), ("", False)],
)
def test_a_label_late_in_a_note_is_of_the_baby_unless_the_note_is_a_newborns(opening: str, another: bool) -> None:
    words = tokens(f"{opening}\nInfant: brief hypoglycemia, resolved").words
    first = words.index("infant")
    held = [one for one in family_stretches(words, first, len(words)) if words[one.word] == "infant"]
    assert bool(held) is another
