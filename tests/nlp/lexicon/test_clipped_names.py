"""A clipped name is the one medicine that it begins, and nothing where another word begins so."""

import pytest

from backend.nlp.lexicon.clipped_names import usual_clips, whole_names
from backend.nlp.lexicon.spelling import Spelling
from backend.nlp.rules import RULES, rule_rows
from tests.nlp.fresh import linker

MEDICINES = frozenset(
    ("furosemide", "furoscix", "lisinopril", "lisinoprilhctz", "leucovorin", "creatine", "evorel", "everolimus")
)
WORDS = sorted({*MEDICINES, "leukocyte", "creatinine"})


@pytest.mark.parametrize(
    ("clip", "names"),
    [
        ("furos", ["furoscix", "furosemide"]),
        ("lisin", ["lisinopril"]),  # a combination begins with its first medicine
        ("furosemid", []),  # lacks a letter: misspelt
        ("fur", []),  # too short
        ("leuc", []),  # leukocyte in Britain
        ("creat", []),  # creatinine is no medicine
    ],
)
def test_a_clip_is_of_medicines_that_no_other_word_begins_like(clip: str, names: list[str]) -> None:
    assert whole_names(clip, WORDS, MEDICINES) == names


def test_a_clip_that_swaps_two_letters_of_another_medicine_is_neither() -> None:
    spelling = Spelling(WORDS, MEDICINES)
    assert spelling.begun_by("everoli") == ["everolimus"]
    assert spelling.begun_by("everol") == []


def test_a_clip_is_no_misspelt_name_of_another_medicine() -> None:
    assert Spelling(["levemir"], ["levemir"]).correct("levemyr") == "levemir"
    near = Spelling(["levemir", "levemyrcin"], ["levemir", "levemyrcin"])
    assert near.correct("levemyr") is None
    assert near.begun_by("levemyr") == ["levemyrcin"]


@pytest.mark.parametrize(
    ("clip", "name"),
    [("levetir", "levetiracetam"), ("nitrofur", "nitrofurantoin"), ("coamox", "amoxicillin-clavulanate")],
)
def test_the_shipped_names_read_a_clip(clip: str, name: str) -> None:
    read = linker().index.clipped(clip)
    assert read is not None
    assert (read.name, read.score) == (name, 0.7)


@pytest.mark.parametrize("word", ["warfa", "tina", "june", "creat", "leuc", "everol", "mech", "para1"])
def test_the_shipped_names_read_no_other_beginning(word: str) -> None:
    assert linker().index.clipped(word) is None


def test_every_usual_clip_is_needed_and_does_as_its_examples_tell() -> None:
    names = linker().index
    for clip, read, _, yes, no in rule_rows(RULES / "lexicon" / "clipped_names.tsv", 5):
        begun = {one and one.concept_id for one in map(names.lookup, names._spelling.begun_by(clip))}
        assert len(begun) != 1, f"{clip} is read without its row"
        meant = names.lookup(read)
        assert meant is not None, read
        assert meant.concept_id in {one.concept_id for one in linker().named(yes)}, yes
        assert meant.concept_id not in {one.concept_id for one in linker().named(no)}, no
    assert "spiro" in usual_clips()
