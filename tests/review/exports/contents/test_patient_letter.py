from datetime import date

import pytest

from backend.errors import ConflictError
from backend.review.exports.contents.letter_body import BLANK
from backend.review.exports.contents.letter_words import letter_words
from backend.review.exports.contents.patient_letter import PLEASE_NOTE, patient_copy
from backend.review.exports.copies import Copy, Paper
from backend.review.saved_cases import Cases
from backend.schemas.drafts.headings import WARNING
from backend.schemas.patients.letter_details import LetterDetails
from backend.schemas.patients.saved_case import CaseView, CopyKind, Edit, EditKind, EditsRequest, SaveRequest
from backend.schemas.vocabulary import Basis, Locale
from tests.review.sample import FOLLOW, MEDICINES, WHY, sample
from tests.review.steps import corrected, signed, signed_unconfirmed

DETAILS = LetterDetails(
    patient_name="Ada Byron",
    date_of_birth=date(1951, 3, 12),
    record_number="42",
    ward="4 West",
    admitted=date(2026, 4, 28),
    discharged=date(2026, 5, 1),
    clinician="Dr Ames",
    hospital="St Elsewhere",
    phone="555-0100",
)


def lines(copy: Copy, heading: str) -> list[str]:
    return [line.text for part in copy.parts if part.heading == heading for line in part.lines]


def letter(cases: Cases, locale: Locale = Locale.US, **changed: object) -> CaseView:
    """A signed letter with a section of warning signs, and its details."""
    draft = sample(locale=locale)
    sign = draft.sentences[5].model_copy(
        update={"section": WARNING, "text": "Call if you faint.", "basis": Basis.GENERAL}
    )
    end = len(draft.text)
    placed = sign.model_copy(update={"start_char": end + 1, "end_char": end + 1 + len(sign.text)})
    whole = draft.model_copy(
        update={"text": f"{draft.text}\n{sign.text}", "sentences": (*draft.sentences, placed), **changed}
    )
    view = signed(cases, cases.save(SaveRequest(label="x", draft=whole, author="Dr Ames")))
    return view.model_copy(update={"details": DETAILS})


def test_there_is_no_patients_copy_before_a_signature(draft_case: CaseView) -> None:
    with pytest.raises(ConflictError, match=r"version 1 is draft\. Sign it first"):
        patient_copy(draft_case)


def test_there_is_no_patients_copy_of_a_superseded_version(cases: Cases, draft_case: CaseView) -> None:
    corrected(cases, draft_case)
    with pytest.raises(ConflictError, match=r"version 2 is replaced\. The newest is 3"):
        patient_copy(cases.view(draft_case.id, 2))


def test_the_patients_copy_is_the_text_alone(cases: Cases, draft_case: CaseView) -> None:
    copy = patient_copy(signed_unconfirmed(cases, draft_case))
    assert (copy.kind, copy.banner, copy.title) == (CopyKind.PATIENT, "", "Your discharge instructions")
    assert [part.heading for part in copy.parts] == [PLEASE_NOTE, WHY, MEDICINES, FOLLOW]
    assert not any(line.citations or line.marks for part in copy.parts for line in part.lines)


def test_a_signed_letter_says_by_whom_and_nothing_of_a_missing_review(cases: Cases, draft_case: CaseView) -> None:
    copy = patient_copy(signed(cases, draft_case))
    assert copy.notices == ("Signed by Dr Brand, attending, on May 1, 2026.",)
    assert draft_case.id not in str(copy)


def test_the_head_has_what_is_known_with_dates_of_the_locale(cases: Cases) -> None:
    copy = patient_copy(letter(cases))
    assert copy.title == "Discharge instructions for Ada Byron"
    assert copy.running == "Ada Byron \u00b7 Medical record number 42"
    assert copy.head[:4] == (
        ("Name", "Ada Byron"), ("Date of birth", "March 12, 1951"), ("Medical record number", "42"), ("Unit", "4 West"),
    )  # fmt: skip
    assert dict(patient_copy(letter(cases, Locale.UK)).head)["Date of birth"] == "12 March 1951"


def test_without_details_there_is_no_head(cases: Cases, draft_case: CaseView) -> None:
    copy = patient_copy(signed(cases, draft_case))
    assert (copy.head, copy.running) == ((), "")


def test_warning_signs_stand_in_a_box_with_the_number_to_call(cases: Cases) -> None:
    for locale, number in ((Locale.US, "911"), (Locale.UK, "999")):
        copy = patient_copy(letter(cases, locale))
        (box,) = (part for part in copy.parts if part.box)
        assert box.heading == WARNING
        assert number in box.lines[0].text and box.lines[0].strong
        assert box.lines[1].text == "Call if you faint."


def test_each_locale_has_its_paper_and_words() -> None:
    assert [letter_words(locale).paper for locale in Locale] == [Paper.LETTER, Paper.A4]
    assert [letter_words(locale).day(date(2026, 12, 9)) for locale in Locale] == ["December 9, 2026", "9 December 2026"]


def test_a_place_left_open_is_a_blank_to_fill_in_by_hand(cases: Cases) -> None:
    # a gap can remain in what is signed; the sample's are filled, so one is put back
    view = letter(cases)
    first = view.sentences[0].model_copy(update={"text": "Come on [team to complete: the day]."})
    copy = patient_copy(view.model_copy(update={"sentences": (first, *view.sentences[1:])}))
    assert f"Come on {BLANK} (the day)." in lines(copy, WHY)
    assert "team to complete" not in str(copy)


def test_what_is_about_an_unconfirmed_condition_has_a_star_for_the_patient_and_the_star_is_explained(
    cases: Cases, draft_case: CaseView
) -> None:
    copy = patient_copy(signed_unconfirmed(cases, draft_case))
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
