"""What a note tells as tolerated, and what only sounds like it."""

import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.medications.tolerance import tolerated


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Tolerates ceftriaxone.", "ceftriaxone"),
        ("Amoxicillin gives hives but she tolerated ceftriaxone in 2019.", "ceftriaxone"),
        ("She took naproxen without any reaction.", "naproxen"),
        ("Ibuprofen tolerated well.", "ibuprofen"),
        ("No reaction to enalapril.", "enalapril"),
    ],
)
def test_what_is_stated_as_tolerated_is_given_with_its_words(
    tiny_linker: DictionaryLinker, words: str, name: str
) -> None:
    linked = tiny_linker.link(f"HPI: A 60-year-old woman. {words}")
    found = tolerated(linked)
    assert list(found) == [f"T:{name}"]
    assert all(quote in linked.note.text for quote in found.values())


@pytest.mark.parametrize(
    "words",
    [
        "She did not tolerate naproxen.",
        "She could not tolerate ibuprofen because of nausea.",
        "Naproxen intolerance.",
        "Naproxen was poorly tolerated.",
        "Furosemide given, tolerating a soft diet.",
        "Increase lisinopril as tolerated.",
        "If she tolerates enalapril, go on.",
        "Her mother tolerates naproxen.",
        "She takes naproxen.",
    ],
)
def test_what_is_not_tolerated_or_not_said_is_none(tiny_linker: DictionaryLinker, words: str) -> None:
    assert tolerated(tiny_linker.link(f"HPI: A 60-year-old woman. {words}")) == {}
