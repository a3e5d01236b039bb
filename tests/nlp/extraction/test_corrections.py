"""A clinician's corrections beat what was read, in mentions, allergies and record alike, and never land on another text."""

import pytest

from backend.errors import InputError
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.corrections import Correction
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.record import Dosage, MedicationStatus, StatedBy, VerificationStatus

NOTE = "Allergies: penicillin (rash).\nHPI: chest pain and fever. Takes metoprolol 500 mg daily. Feels zonky."


def correction(words: str, kind: str, **more) -> Correction:
    at = NOTE.index(words)
    return Correction(start_char=at, end_char=at + len(words), text=words, kind=kind, author="Dr Okafor", **more)


def read(linker: DictionaryLinker, *corrections: Correction) -> LinkedNote:
    return linker.read(NOTE, corrections)


def problem(linked: LinkedNote, words: str):
    assert linked.record is not None
    return next((p for p in linked.record.problems if p.spans[0].text == words), None)


@pytest.mark.parametrize(
    ("kind", "assertion", "field", "value"),
    [
        ("absent", "negated", "verification_status", "refuted"),
        ("past", "historical", "clinical_status", "resolved"),
        ("family", "family", "experiencer", "relative"),
        ("uncertain", "uncertain", "verification_status", "provisional"),
    ],
)
def test_a_problem_follows_its_correction(linker, kind: str, assertion: str, field: str, value: str) -> None:
    linked = read(linker, correction("fever", kind))
    stated = problem(linked, "fever")
    assert getattr(stated, field) == value and stated.stated_by is StatedBy.CLINICIAN and stated.author == "Dr Okafor"
    assert next(m.assertion for m in linked.note.mentions if m.text == "fever") == assertion
    assert problem(linked, "chest pain").stated_by is StatedBy.RULES


def test_a_later_correction_of_the_same_place_counts(linker) -> None:
    linked = read(linker, correction("fever", "absent"), correction("fever", "present"))
    assert problem(linked, "fever").verification_status is VerificationStatus.CONFIRMED


def test_what_is_not_this_patients_leaves_the_record_and_the_mentions(linker) -> None:
    linked = read(linker, correction("fever", "not_this_patient"))
    assert problem(linked, "fever") is None and "fever" not in [m.text for m in linked.note.mentions]


def test_words_that_nobody_recognised_can_be_made_a_problem(linker) -> None:
    stated = problem(read(linker, correction("zonky", "present")), "zonky")
    assert (stated.name, stated.concept_id) == ("zonky", None)


def test_another_sense_changes_the_concept_everywhere(linker) -> None:
    other = linker.lookup("cough")
    linked = read(linker, correction("fever", "other_sense", concept_id=other.concept_id))
    assert problem(linked, "fever").name == "cough"
    assert next(m.name for m in linked.note.mentions if m.text == "fever") == "cough"
    with pytest.raises(InputError, match="There is no concept 'NOPE'"):
        read(linker, correction("fever", "other_sense", concept_id="NOPE"))


def test_a_medicine_takes_the_corrected_dose_and_status(linker) -> None:
    given = Dosage(dose=20, unit="mg", timing="BID")
    linked = read(linker, correction("metoprolol", "medication", dosage=given, status=MedicationStatus.STOPPED))
    stated = next(m for m in linked.record.medications if m.spans[0].text == "metoprolol")
    assert (stated.dosage, stated.status) == (given, MedicationStatus.STOPPED)
    assert next(m.assertion for m in linked.note.mentions if m.text == "metoprolol") == "historical"


def test_an_allergy_is_added_and_taken_back(linker) -> None:
    added = read(linker, correction("metoprolol", "allergy", reaction="hives"))
    assert [i.text for i in added.allergies.items] == ["penicillin", "metoprolol"]
    assert added.record.allergies.items[-1].reaction == "hives"
    gone = read(linker, correction("penicillin", "no_allergy"))
    assert gone.allergies.items == () and gone.allergies.status == "not_stated"
    assert gone.record.allergies.items[0].verification_status is VerificationStatus.REFUTED
    assert gone.record.allergies.status == "not_stated"


def test_a_correction_of_another_text_is_refused_with_what_to_do(linker) -> None:
    stale = correction("fever", "absent").model_copy(update={"text": "cough"})
    with pytest.raises(InputError, match="is of another text"):
        read(linker, stale)
