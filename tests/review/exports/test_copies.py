import pytest

from backend.errors import ConflictError
from backend.review.exports.copies import (
    PLEASE_NOTE,
    STARTER_NOTICE,
    Copy,
    clinician_copy,
    patient_copy,
    printable,
)
from backend.review.saved_cases import Cases
from backend.schemas.patients.saved_case import CaseView, CopyKind, Edit, EditKind, EditsRequest, SaveRequest
from tests.review.sample import FOLLOW, MEDICINES, WHY, sample
from tests.review.steps import change, corrected, signed


def lines(copy: Copy, heading: str) -> list[str]:
    return [line.text for part in copy.parts if part.heading == heading for line in part.lines]


def marks(copy: Copy, text: str) -> tuple[str, ...]:
    return next(line.marks for part in copy.parts for line in part.lines if line.text == text)


def test_an_unsigned_copy_says_draft_and_a_signed_one_does_not(cases: Cases, draft_case: CaseView) -> None:
    assert clinician_copy(draft_case).banner == "DRAFT, NOT SIGNED"
    assert clinician_copy(signed(cases, draft_case)).banner == ""


def test_a_superseded_version_says_by_which(cases: Cases, draft_case: CaseView) -> None:
    corrected(cases, draft_case)
    assert clinician_copy(cases.view(draft_case.id, 1)).banner == "DRAFT, NOT SIGNED; SUPERSEDED BY VERSION 3"
    assert clinician_copy(cases.view(draft_case.id, 2)).banner == "SUPERSEDED BY VERSION 3"


def test_the_clinicians_copy_leads_with_allergies_and_flags(draft_case: CaseView) -> None:
    copy = clinician_copy(draft_case)
    assert [part.heading for part in copy.parts][:2] == ["Allergies", "Flags"]
    assert lines(copy, "Allergies") == [
        "lisinopril (angioedema), allergy",
        "zorblax, allergy: not recognised, not checked",
    ]
    assert lines(copy, "Flags")[0] == "SEVERE: Allergy “zorblax”: not recognised; not checked."


def test_the_clinicians_copy_has_the_text_with_citations_and_marks(draft_case: CaseView) -> None:
    copy = clinician_copy(draft_case)
    assert [part.heading for part in copy.parts][2:5] == [WHY, MEDICINES, FOLLOW]
    assert marks(copy, "You came because you were short of breath.") == ("stated in the cited text",)
    assert marks(copy, "What you felt can fit heart failure.") == ("possible: confirm", "stated in the cited text")
    assert marks(copy, "Keep your visits.")[0] == "general: check that it fits this patient"


def test_a_persons_sentence_says_who_wrote_it_and_when(cases: Cases, draft_case: CaseView) -> None:
    copy = clinician_copy(change(cases, draft_case, 0, "You were unwell."))
    # the clock goes on by a minute at each reading from noon on 1 May, so the day is the same
    assert marks(copy, "You were unwell.") == ("not scored: edited by a person", "written by Dr Brand on 2026-05-01")


def test_references_are_listed_once_a_document_in_the_order_of_citation(draft_case: CaseView) -> None:
    assert lines(clinician_copy(draft_case), "References") == [
        "[N1] The patient's notes: Pasted note, Chief complaint",
        "[K1] Reasoning path: dyspnea is a sign of heart failure",
        "[P1, P2] Heart failure (book), CC0",
    ]


def test_what_it_rests_on_names_the_starter_knowledge_and_the_versions(draft_case: CaseView) -> None:
    copy = clinician_copy(draft_case)
    assert lines(copy, "What this rests on")[0] == STARTER_NOTICE
    assert "graph: starter, 10 concepts" in lines(copy, "What this rests on")
    assert lines(copy, "Versions") == ["Version 1, draft: Dr Ames, 2026-05-01 12:01 UTC"]


def test_a_draft_that_does_not_rest_on_starter_knowledge_does_not_say_so(cases: Cases) -> None:
    own = cases.save(SaveRequest(label="x", draft=sample(versions={"graph": "UMLS 2026AA"}), author="Dr Ames"))
    assert STARTER_NOTICE not in clinician_copy(own).notices


def test_an_acknowledged_flag_says_by_whom_and_why(cases: Cases, draft_case: CaseView) -> None:
    copy = clinician_copy(signed(cases, draft_case))
    assert marks(copy, "SEVERE: Allergy “zorblax”: not recognised; not checked.") == (
        "acknowledged by Dr Brand: asked the patient",
    )


def test_there_is_no_patients_copy_before_a_signature(draft_case: CaseView) -> None:
    with pytest.raises(ConflictError, match=r"version 1 is draft\. Sign it first"):
        patient_copy(draft_case)


def test_there_is_no_patients_copy_of_a_superseded_version(cases: Cases, draft_case: CaseView) -> None:
    corrected(cases, draft_case)
    with pytest.raises(ConflictError, match=r"version 2 is superseded\. The newest is 3"):
        patient_copy(cases.view(draft_case.id, 2))


def test_the_patients_copy_is_the_text_alone(cases: Cases, draft_case: CaseView) -> None:
    copy = patient_copy(signed(cases, draft_case))
    assert (copy.kind, copy.banner, copy.title) == (CopyKind.PATIENT, "", "Your discharge instructions")
    assert [part.heading for part in copy.parts] == [PLEASE_NOTE, WHY, MEDICINES, FOLLOW]
    assert not any(line.citations or line.marks for part in copy.parts for line in part.lines)
    assert copy.notices == ("Read and signed by Dr Brand, attending, on 2026-05-01.", STARTER_NOTICE)


def test_what_is_about_an_unconfirmed_condition_has_a_star_for_the_patient_and_the_star_is_explained(
    cases: Cases, draft_case: CaseView
) -> None:
    copy = patient_copy(signed(cases, draft_case))
    assert "What you felt can fit heart failure. *" in lines(copy, WHY)
    assert lines(copy, FOLLOW) == ["Weigh yourself every morning. *", "Keep your visits."]
    assert lines(copy, PLEASE_NOTE) == [
        "A star (*) marks what is about heart failure. Your team has not confirmed that you have it."
    ]


def test_a_confirmed_condition_needs_no_star(cases: Cases, draft_case: CaseView) -> None:
    confirm = Edit(kind=EditKind.CONFIRM_CONDITION, sentence=1, author="Dr Brand")
    sure = cases.edit(draft_case.id, EditsRequest(version=1, edits=(confirm,)))
    copy = patient_copy(signed(cases, sure))
    assert [part.heading for part in copy.parts] == [WHY, MEDICINES, FOLLOW]
    assert not [line for part in copy.parts for line in part.lines if "*" in line.text]


def test_printable_text_loses_control_characters_and_what_turns_the_reading_order() -> None:
    assert printable("a\x00b\x1b[31m\u202ec\ufffe\ud800") == "ab[31mc"
    assert printable("one\r\ntwo\u2028three\tfour") == "one\ntwo\nthree four"
    assert printable("é 中 🫀 א\u200f") == "é 中 🫀 א\u200f"
