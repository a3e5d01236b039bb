"""A clipped name is a medicine where the words beside it tell of one."""

import pytest

from tests.nlp.fresh import linker


def medicines(text: str) -> list[str]:
    record = linker().read(text).record
    assert record is not None
    return [one.name for one in record.medications]


def allergens(text: str) -> list[str | None]:
    record = linker().read(text).record
    assert record is not None
    return [one.concept_id and one.agent for one in record.allergies.items]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Continue olanz 10 mg nocte.", ["olanzapine"]),
        ("Meds: amlod, bisop 2.5, omep", ["amlodipine", "bisoprolol", "omeprazole"]),
        ("Aspirin, rivarox and metf were held.", ["aspirin", "rivaroxaban", "metformin"]),
        ("Restarted ramip today.", ["ramipril"]),
        ("IV ceftriax in the ED.", ["ceftriaxone"]),
        ("Warf 3 mg od.", ["warfarin"]),
        ("co-amox 625 tds for 5 days", ["amoxicillin-clavulanate"]),
    ],
)
def test_what_stands_beside_a_clip_makes_it_a_medicine(text: str, names: list[str]) -> None:
    assert medicines(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "PASI 14 today.",
        "Seen by Dr Lisin on Tuesday.",
        "Spiro: FEV1 1.2.",
        "G3 para 2, both at term.",
        "The olanz question was raised.",
        "He moved here in levetir 2019.",
    ],
)
def test_a_clip_without_such_words_is_none(text: str) -> None:
    assert medicines(text) == []


def test_a_clip_in_allergies_has_its_concept() -> None:
    assert allergens("Allergies: clarithro (rash), co-amox") == ["clarithromycin", "amoxicillin-clavulanate"]
    assert allergens("She is allergic to levetir and nitrofur.") == ["levetiracetam", "nitrofurantoin"]
    assert allergens("No allergy to levetir.") == []


def test_a_clip_is_a_mention_of_less_certainty_that_tells_how_it_was_read() -> None:
    (mention,) = linker().read("On simva 40 nocte.").note.mentions
    assert (mention.text, mention.name, mention.score) == ("simva", "simvastatin", 0.7)
    assert "'simva' read as the beginning of 'simvastatin'" in mention.why
