from typing import Any

import pytest

from backend.review.exports.contents.allergies import CONTRADICTED
from backend.review.exports.contents.clinician_letter import STARTER_NOTICE, UNSIGNED, clinician_copy
from backend.review.exports.contents.letter_body import BLANK
from backend.review.exports.contents.patient_letter import patient_copy
from backend.review.exports.contents.sources import kept_citations
from backend.review.exports.copies import Copy
from backend.review.saved_cases import Cases
from backend.schemas.drafts.draft import Flag, RaisedLevel
from backend.schemas.drafts.gaps import UntoldLine
from backend.schemas.drafts.note import Allergies, PossibleAllergy
from backend.schemas.patients.letter_work import FlagAnswer
from backend.schemas.patients.saved_case import (
    CaseView,
    CopyKind,
    Edit,
    EditKind,
    EditsRequest,
    SaveRequest,
    SignatureRequest,
    WriterKind,
)
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    MedicationStatement,
    PatientRecord,
    RecordSpan,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyStatus, Fit, Locale, Severity, Support
from backend.verification.safety.allergy_conflicts import DISAGREEMENT
from tests.review.exports.contents.test_patient_letter import letter
from tests.review.exports.reading import file, save, text_of
from tests.review.sample import FOLLOW, MEDICINES, WHY, sample
from tests.review.steps import change, completed, corrected, signed


def lines(copy: Copy, heading: str) -> list[str]:
    return [line.text for part in copy.parts if part.heading == heading for line in part.lines]


def marks(copy: Copy, text: str) -> tuple[str, ...]:
    return next(line.marks for part in copy.parts for line in part.lines if line.text == text)


def cited(copy: Copy, text: str) -> tuple[str, ...]:
    return next(line.citations for part in copy.parts for line in part.lines if line.text == text)


def test_an_unsigned_copy_says_draft_and_a_signed_one_does_not(cases: Cases, draft_case: CaseView) -> None:
    copy = clinician_copy(draft_case)
    assert (copy.banner, copy.notices) == ("DRAFT, NOT SIGNED", (UNSIGNED,))
    copy = clinician_copy(signed(cases, draft_case))
    assert (copy.banner, copy.notices) == ("", ("Signed by Dr Brand, attending, on May 1, 2026.",))


def test_a_superseded_version_says_by_which(cases: Cases, draft_case: CaseView) -> None:
    corrected(cases, draft_case)
    assert clinician_copy(cases.view(draft_case.id, 1)).banner == "DRAFT, NOT SIGNED; REPLACED BY VERSION 3"
    assert clinician_copy(cases.view(draft_case.id, 2)).banner == "REPLACED BY VERSION 3"


def test_the_clinicians_copy_leads_with_allergies_and_flags(draft_case: CaseView) -> None:
    copy = clinician_copy(draft_case)
    assert [part.heading for part in copy.parts][:2] == ["Allergies", "Flags"]
    assert lines(copy, "Allergies") == [
        "lisinopril (angioedema), allergy",
        "zorblax, allergy: not recognised, not checked",
    ]
    assert lines(copy, "Flags")[0] == "SEVERE: Allergy “zorblax”: not recognised; not checked."


def test_what_the_note_settles_as_no_allergy_is_shown_with_its_words(draft_case: CaseView) -> None:
    words = ("cefazolin", "cefazolin: skin test negative")
    one = AllergyStatement(
        id="allergy-1",
        agent="cefazolin",
        spans=tuple(RecordSpan(start_char=0, end_char=len(text), text=text) for text in words),
        verification_status=VerificationStatus.REFUTED,
    )
    record = PatientRecord(allergies=AllergyRecord(items=(one,)))
    copy = clinician_copy(
        draft_case.model_copy(update={"draft": draft_case.draft.model_copy(update={"record": record})})
    )
    assert "cefazolin, not an allergy: “cefazolin: skin test negative”" in lines(copy, "Allergies")


NONE = Allergies(status=AllergyStatus.NONE_KNOWN, text="NKDA")
IN_EARLIER = Flag(
    kind=DISAGREEMENT, severity=Severity.SEVERE, message="earlier notes list one", evidence=("penicillin",)
)
POSSIBLE = PossibleAllergy(text="Naproxen", start_char=0, end_char=8, concept_id=None, because="Naproxen gave hives")
STOPPED = MedicationStatement(id="m", concept_id=None, name="lisinopril", why_stopped="a bad reaction")
REFUTED = AllergyStatement(id="a", agent="latex", verification_status=VerificationStatus.REFUTED)


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        ({"flags": (IN_EARLIER,)}, "penicillin (earlier notes)"),
        ({"allergies": NONE.model_copy(update={"possible": (POSSIBLE,)})}, "Naproxen (possible)"),
        (
            {"record": PatientRecord(allergies=AllergyRecord(items=(AllergyStatement(id="a", agent="latex"),)))},
            "latex (the note)",
        ),
        ({"record": PatientRecord(medications=(STOPPED,))}, "lisinopril (stopped: a bad reaction)"),
    ],
)
def test_no_known_allergies_is_said_only_where_nothing_speaks_against_it(
    cases: Cases, changed: dict[str, Any], names: str
) -> None:
    quiet: dict[str, Any] = {
        "allergies": NONE,
        "flags": (),
        "record": PatientRecord(allergies=AllergyRecord(items=(REFUTED,))),
    }
    said = lines(clinician_copy(save(cases, sample(**quiet))), "Allergies")
    assert said == ["No known allergies, as the note says.", "latex, not an allergy"]
    doubted = save(cases, sample(**{**quiet, **changed}))
    (first, *_) = lines(clinician_copy(doubted), "Allergies")
    assert first == CONTRADICTED.format(names=names)
    for name in ("txt", "docx", "pdf", "fhir"):
        media = next(one.media_type for one in doubted.exports if one.name == name)
        text = text_of(file(doubted, name), media)
        assert names in text and "No known allergies" not in text


def test_only_what_is_to_be_looked_at_has_a_mark(draft_case: CaseView) -> None:
    copy = clinician_copy(draft_case)
    assert [part.heading for part in copy.parts][2:5] == [WHY, MEDICINES, FOLLOW]
    assert marks(copy, "You came because you were short of breath.") == ()
    assert marks(copy, "What you felt can fit heart failure.") == ("unconfirmed diagnosis",)
    assert marks(copy, "Keep your visits.") == ()


def test_what_was_not_found_and_what_may_not_fit_says_why(cases: Cases) -> None:
    draft = sample()
    doubtful = draft.sentences[0].model_copy(
        update={
            "support": Support.UNSUPPORTED,
            "reason": "not in the cited text: breath",
            "fit": Fit.NOT_FOR_THIS_PATIENT,
            "fit_reason": "no breath",
        }
    )
    changed = draft.model_copy(update={"sentences": (doubtful, *draft.sentences[1:])})
    copy = clinician_copy(cases.save(SaveRequest(label="x", draft=changed, author="Dr Ames")))
    assert marks(copy, doubtful.text) == (
        "not found in its source: not in the cited text: breath",
        "may not fit this patient: no breath",
    )


def test_a_raised_warning_says_what_raised_it_and_what_its_source_says(draft_case: CaseView) -> None:
    first, *rest = draft_case.sentences
    raised = RaisedLevel(source_says="Call your doctor today", because="kidney transplant")
    view = draft_case.model_copy(update={"sentences": (first.model_copy(update={"raised": raised}), *rest)})
    assert marks(clinician_copy(view), first.text) == (
        "raised for this patient because of kidney transplant; its source says \u201cCall your doctor today\u201d",
    )


def test_a_persons_sentence_says_who_wrote_it_and_when(cases: Cases, draft_case: CaseView) -> None:
    copy = clinician_copy(change(cases, draft_case, 0, "You were unwell."))
    # the clock goes on by a minute at each reading from noon on 1 May, so the day is the same
    assert marks(copy, "You were unwell.") == ("written by Dr Brand on May 1, 2026",)


def test_a_clinicians_own_words_that_the_note_lacks_are_not_held_to_a_source(
    cases: Cases, draft_case: CaseView
) -> None:
    view = change(cases, draft_case, 0, "You had a stroke.")
    doubted = {"support": Support.UNSUPPORTED, "reason": "tells of stroke", "citations": ()}
    own = view.sentences[0].model_copy(update=doubted)
    copy = clinician_copy(view.model_copy(update={"sentences": (own, *view.sentences[1:])}))
    assert marks(copy, "You had a stroke.")[0] == "not in the note: tells of stroke"


def test_an_edited_sentence_loses_the_sources_of_the_words_before(draft_case: CaseView) -> None:
    first, *rest = draft_case.sentences
    person = first.written_by.model_copy(update={"kind": WriterKind.PERSON, "name": "Dr Brand"})
    earlier = ({"text": first.text, "written_by": first.written_by, "last_version": 1},)
    fields = first.model_dump() | {"text": "You fell.", "written_by": person, "earlier": earlier}
    unread = type(first).model_validate(fields | {"support": Support.NOT_SCORED})
    assert (first.citations, kept_citations(unread)) == (("N1",), ())
    copy = clinician_copy(draft_case.model_copy(update={"sentences": (unread, *rest)}))
    assert cited(copy, "You fell.") == ()
    # compared again with its sources, it keeps what it cites
    compared = unread.model_copy(update={"support": Support.PARTIAL})
    assert kept_citations(compared) == ("N1",)


def test_a_sentence_that_a_person_added_keeps_the_sources_that_they_named(draft_case: CaseView) -> None:
    first = draft_case.sentences[0]
    person = first.written_by.model_copy(update={"kind": WriterKind.PERSON})
    assert kept_citations(first.model_copy(update={"written_by": person, "support": Support.NOT_SCORED})) == ("N1",)


def test_sources_are_numbered_in_the_order_of_the_letter_and_listed_once_a_document(draft_case: CaseView) -> None:
    copy = clinician_copy(draft_case)
    # in order the sentences cite N1; N1 and K1; nothing; nothing; P1; P2
    assert cited(copy, "You came because you were short of breath.") == ("1",)
    assert cited(copy, "What you felt can fit heart failure.") == ("1", "2")
    assert cited(copy, "Weigh yourself every morning.") == ("3",)
    assert lines(copy, "Sources") == [
        "[1] The patient's notes: Pasted note, Chief complaint",
        "[2] Knowledge graph: dyspnea is a sign of heart failure",
        "[3, 4] Heart failure (book)",
        "Licence of 3, 4: CC0",
    ]


def test_a_citation_without_evidence_has_no_number(cases: Cases) -> None:
    draft = sample()
    wrong = draft.sentences[0].model_copy(update={"citations": ("P99", "N1")})
    changed = draft.model_copy(update={"sentences": (wrong, *draft.sentences[1:])})
    copy = clinician_copy(cases.save(SaveRequest(label="x", draft=changed, author="Dr Ames")))
    assert cited(copy, wrong.text) == ("1",)


def test_what_it_rests_on_names_the_starter_knowledge_and_the_versions(draft_case: CaseView) -> None:
    copy = clinician_copy(draft_case)
    assert lines(copy, "What this rests on")[:2] == [STARTER_NOTICE, "Written without a language model"]
    assert "graph: starter, 10 concepts" in lines(copy, "What this rests on")
    assert lines(copy, "Versions") == ["Version 1, draft: Dr Ames, May 1, 2026, 12:01 UTC"]


def test_saved_changes_in_a_row_are_one_line_and_a_signed_version_has_its_own(
    cases: Cases, draft_case: CaseView
) -> None:
    view = draft_case
    for number in range(3):
        view = change(cases, view, 0, f"Words {number}.")
    told = lines(clinician_copy(view), "Versions")
    heads = ["Version 1, replaced", "Versions 2 to 3, replaced", "Version 4, in review"]  # another person goes on
    assert [line.partition(":")[0] for line in told] == heads


def test_a_draft_that_does_not_rest_on_starter_knowledge_does_not_say_so(cases: Cases) -> None:
    own = cases.save(SaveRequest(label="x", draft=sample(versions={"graph": "UMLS 2026AA"}), author="Dr Ames"))
    assert STARTER_NOTICE not in lines(clinician_copy(own), "What this rests on")


SEVERE = "SEVERE: Allergy “zorblax”: not recognised; not checked."


def test_a_flag_that_was_answered_with_the_signature_says_by_whom_and_why(cases: Cases, draft_case: CaseView) -> None:
    view = signed(cases, draft_case)
    said = "answered by Dr Brand on May 1, 2026: Asked the patient: asked the patient"
    assert marks(clinician_copy(view), SEVERE) == (said,)
    assert [(one.code, one.name) for one in view.answers.values()] == [("asked", "Dr Brand")]


def test_a_flag_that_was_answered_beside_the_letter_says_by_whom_and_why_in_every_file(
    cases: Cases, draft_case: CaseView
) -> None:
    full = completed(cases, draft_case)
    flag = next(one for one in full.flags if one.severity is Severity.SEVERE)
    answer = FlagAnswer(code="other", words="no medicine of that name is given")
    given = Edit(kind=EditKind.ANSWER_FLAG, flag=flag.id, answer=answer, author="Dr Ames")
    full = cases.edit(full.id, EditsRequest(version=full.version, edits=(given,)))
    view = cases.sign(full.id, SignatureRequest(version=full.version, name="Dr Brand", role="attending"))
    said = "answered by Dr Ames on May 1, 2026: Other reason: no medicine of that name is given"
    assert marks(clinician_copy(view), SEVERE) == (said,)
    for form in view.exports:
        assert said in text_of(file(view, form.name), form.media_type)
        assert said not in text_of(file(view, form.name, CopyKind.PATIENT), form.media_type)


def test_a_place_left_open_in_a_signed_letter_is_a_blank_in_every_file(cases: Cases, draft_case: CaseView) -> None:
    assert "[team to complete: what was found]" in lines(clinician_copy(draft_case), WHY)
    view = letter(cases)
    first = view.sentences[0].model_copy(update={"text": "Come on [team to complete: the day]."})
    view = view.model_copy(update={"sentences": (first, *view.sentences[1:])})
    for form in view.exports:
        for kind in form.copies:
            text = text_of(file(view, form.name, kind), form.media_type)
            assert f"{BLANK} (the day)" in text and "[team to complete" not in text


def test_warning_signs_are_framed_without_a_line_of_its_own(cases: Cases) -> None:
    (box,) = (part for part in clinician_copy(letter(cases)).parts if part.box)
    assert [line.text for line in box.lines] == ["Call if you faint."]


def test_dates_are_as_the_locale_writes_them(cases: Cases) -> None:
    view = cases.save(SaveRequest(label="x", draft=sample(locale=Locale.UK), author="Dr Ames"))
    copy = clinician_copy(signed(cases, view))
    assert copy.notices == ("Signed by Dr Brand, attending, on 1 May 2026.",)
    assert copy.language == "en-GB"


def test_what_the_letter_leaves_out_of_the_note_stands_in_the_clinicians_copy_alone(cases: Cases) -> None:
    view = letter(cases, untold=(UntoldLine(section=FOLLOW, text="d/w neuro re antiplt", start_char=0, end_char=20),))
    assert lines(clinician_copy(view), "In the note, not in the letter") == ["“d/w neuro re antiplt”"]
    assert "antiplt" not in str(patient_copy(view))
