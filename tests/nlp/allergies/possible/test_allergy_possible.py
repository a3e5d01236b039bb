"""Possible allergies: what running text ties to an effect is a hint; what it was treated with, denies or warns of is none."""

import time

import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.note import PossibleAllergy
from tests.nlp.fresh import linker as full_linker

HINTS = [
    ("She was given metoprolol. Within an hour she was covered in hives.", "metoprolol", "hives"),
    ("Twenty minutes after the penicillin her tongue began to swell.", "penicillin", "tongue"),
    ("He took hydroxyzine once and it made him feel terrible.", "hydroxyzine", "feel"),
    ("Metoprolol was tried but he became confused, so it was replaced.", "metoprolol", "confused"),
    ("His cough went away as soon as the metoprolol was stopped.", "metoprolol", "stopped"),
    ("Prior anaphylaxis, penicillin implicated.", "penicillin", "anaphylaxis"),
    ("Her eyes swelled shut after a dose of Zorbivax.", "Zorbivax", "eyes swelled"),
    ("He was told never to take penicillin again.", "penicillin", "never to take"),
    ("Hands blister when she wears latex.", "latex", "blister"),
    ("Sodium fell to 118 on hydralazine and it was stopped.", "hydralazine", "fell"),
]
NO_HINTS = [
    "She took metoprolol for her palpitations and then lay down.",
    "Itchy rash on the elbows, treated with prednisone.",
    "Hives this morning, given prednisone with relief.",
    "Denies rash, hives or swelling since starting metoprolol.",
    "Start metoprolol. Call if you get a rash or trouble breathing.",
    "Metoprolol may cause dizziness.",
    "Her sister gets hives from penicillin.",
    "Rash after hiking. She takes metoprolol.",
    "Penicillin was started for cellulitis. Fever resolved by day three.",
    "He tolerated penicillin without a rash.",
    "FAMILY HISTORY: Brother had anaphylaxis after penicillin.",
]


def possible(linker: DictionaryLinker, text: str) -> tuple[PossibleAllergy, ...]:
    return linker.link(text).allergies.possible


@pytest.mark.parametrize(("text", "cause", "effect"), HINTS, ids=lambda cell: cell[:40])
def test_a_cause_close_to_its_effect_is_listed_or_hinted_at(
    linker: DictionaryLinker, text: str, cause: str, effect: str
) -> None:
    read = linker.link(text).allergies
    if any(cause.lower() in item.text.lower() for item in read.items):
        return  # called an allergy outright, which is more
    (one,) = read.possible
    assert one.text.lower() == cause.lower()
    assert text[one.start_char : one.end_char] == one.text
    assert effect in one.because.lower()


@pytest.mark.xfail(strict=True, reason="a medicine that nobody knows, after its effect, scores below the threshold")
def test_an_unknown_medicine_after_its_effect_is_hinted_at(linker: DictionaryLinker) -> None:
    assert possible(linker, "Rash three days after starting zorbimycin.")


def test_most_of_these_are_hints_and_not_listed(linker: DictionaryLinker) -> None:
    assert sum(bool(possible(linker, text)) for text, _, _ in HINTS) >= 6


@pytest.mark.parametrize("text", NO_HINTS, ids=lambda text: text[:40])
def test_a_treatment_a_denial_a_warning_or_a_relative_is_no_hint(linker: DictionaryLinker, text: str) -> None:
    assert possible(linker, text) == ()


def test_what_is_listed_is_no_hint_besides(linker: DictionaryLinker) -> None:
    read = linker.link("ALLERGIES: penicillin\n\nHPI: She had hives after penicillin.").allergies
    assert [item.text for item in read.items] == ["penicillin"]
    assert read.possible == ()


def test_each_cause_is_hinted_at_once(linker: DictionaryLinker) -> None:
    text = "Metoprolol was tried but he became confused, so it was replaced. Metoprolol also gave him nightmares."
    assert [one.concept_id for one in possible(linker, text)] == ["T:metoprolol"]


def test_a_long_note_of_nothing_but_hints_is_read_in_time() -> None:
    text = "hives after penicillin " * 2_000
    start = time.process_time()
    assert len(possible(full_linker(), text)) <= 1
    assert time.process_time() - start < 20
