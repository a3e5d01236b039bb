"""A draft that says there are no allergies where a note lists one."""

import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.request import PatientNote
from backend.schemas.vocabulary import Severity, Support
from backend.verification.support.allergy_statements import denies_all_allergies
from tests.verification.conftest import Judge
from tests.verification.flags import Check, of, said

NOTE = "Allergies: naproxen (hives)\n\nHPI: A 60-year-old woman. The chart of her last stay says no known allergies."


@pytest.mark.parametrize(
    "text",
    [
        "You have no known allergies.",
        "NKDA.",
        "You are not allergic to any medicine.",
        "The patient denies any allergies.",
        "You have no known allergies; naproxen was given.",
    ],
)
def test_a_sentence_that_denies_all_allergies_is_flagged_where_the_note_lists_one(check: Check, text: str) -> None:
    flags, _ = check(NOTE, said(text))
    (flag,) = [f for f in of(flags, "allergy_disagreement") if f.sentence is not None]
    assert flag.severity == Severity.SEVERE
    assert flag.message == "The draft says that there are no allergies, but the note lists “naproxen”."
    assert flag.sentence == 0


@pytest.mark.parametrize(
    "text",
    [
        "You have no other known allergies.",
        "You have no known allergies other than naproxen.",
        "You are not allergic to furosemide.",
        "NKDA, naproxen (rash).",
        "If you have no allergies, you may take it.",
        "Allergies were not assessed.",
        "No nausea.",
    ],
)
def test_a_sentence_that_denies_less_is_not(tiny_linker: DictionaryLinker, text: str) -> None:
    assert not denies_all_allergies(text, tiny_linker)


def test_an_allergy_of_an_earlier_note_is_denied_as_well_and_an_intolerance_is_none(check: Check) -> None:
    old = PatientNote(note_type="General", date="2023-05-01", text="Allergies: amoxicillin (hives)")
    flags, _ = check("Allergies: NKDA\n\nHPI: Cough.", said("You have no known allergies."), earlier=(old,))
    (flag,) = [f for f in of(flags, "allergy_disagreement") if f.sentence is not None]
    assert flag.message.endswith("but “amoxicillin” is listed in an earlier note of 2023-05-01.")
    flags, _ = check("Allergies: naproxen (nausea; intolerance)\n\nHPI: Cough.", said("You have no known allergies."))
    assert not [f for f in of(flags, "allergy_disagreement") if f.sentence is not None]


def test_no_citation_carries_it_not_even_one_that_says_so(judge: Judge) -> None:
    for cited in ("N1", "N2", "N5"):  # the note lists naproxen in N5; the others say nothing of allergies
        verdict = judge("You have no known allergies.", cited)
        assert (verdict.support, verdict.score) == (Support.UNSUPPORTED, 0.0)
        assert verdict.reason == "the note lists the allergy: naproxen"
