"""Fit: sentences held against the record of a note, through the shipped rules, rows and graph."""

import pytest

from backend.container import Container
from backend.schemas.drafts.draft import FitVerdict, WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence, NotePiece, Passage
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis, ConditionStatus, Document, Fit, Source
from backend.verification.fit.fit_check import FitCheck
from backend.verification.fit.patient_fit import PatientFit

NOT, FITS, UNKNOWN = Fit.NOT_FOR_THIS_PATIENT, Fit.FITS, Fit.UNKNOWN
MAN = (
    "EMERGENCY DEPARTMENT NOTE\nAllergies: none.\nChief Complaint: chest pain\nHPI: A 61-year-old man with atrial fibrillation and "
    "hypertension has had chest pain since noon. He denies diabetes and fever. His father had a stroke.\n"
    "Medications: apixaban 5 mg twice daily, lisinopril 10 mg daily. Naproxen was stopped last month.\n"
    "Social History: He never smoked. He lives with his wife.\n"
)
CLINIC = (
    "CLINIC VISIT\nAllergies: penicillin (rash).\nReason for visit: A 34-year-old woman is seen in the clinic for follow-up of asthma.\n"
    "Medications: albuterol inhaler as needed.\nSocial History: She smokes ten cigarettes a day.\nFollow up in clinic in 3 months.\n"
)
CHILD = (
    "CLINIC VISIT\nHPI: A 7-year-old boy with asthma is seen in the clinic for a cough. His mother gives the history.\n"
)
WOUND = (
    "ADMISSION NOTE\nHPI: A 45-year-old woman was admitted. She underwent an open appendectomy today for appendicitis. A Foley catheter "
    "is in place.\n"
)
REMISSION = (
    "CLINIC VISIT\nCHIEF COMPLAINT: Lymphoma.\nHPI: A 70-year-old man had lymphoma, for which he received six cycles of chemotherapy in "
    "1995. He feels well.\nMedications: aspirin 81 mg daily.\n"
)
ON_TREATMENT = (
    "CLINIC VISIT\nCHIEF COMPLAINT: Lymphoma.\nHPI: A 70-year-old man has lymphoma.\nMedications: rituximab every 3 weeks, aspirin 81 mg "
    "daily.\n"
)
HOSPICE = (
    "ADMISSION NOTE\nHPI: An 83-year-old man with metastatic lung cancer is admitted for pain.\nSocial History: He is on hospice and "
    "wants comfort care. He smokes.\n"
)


@pytest.fixture(scope="module")
def check(container: Container) -> FitCheck:
    return container.checks.fit


def patient(check: FitCheck, container: Container, note: str, *conditions: Condition) -> PatientFit:
    return check.of_patient(container.linker.read(note), conditions, DraftRequest(text=note))


def passage(container: Container, name: str, part: str, text: str) -> Passage:
    return Passage(
        id="P1", source=Source.BOOK, document_id="handbook/x", title=f"{name[:1].upper()}{name[1:]}: {part}", text=text,
        start_char=0, end_char=len(text), section=part,
        concept_id=next(row.concept_id for row in container.graph.concepts if row.name == name),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("note", "sentence", "reason"),
    [
        (MAN, "Keep your stitches dry.", "speaks of stitches; the note tells of none"),
        (MAN, "Call your doctor if your wound leaks.", "speaks of a wound; the note tells of none"),
        (MAN, "Take your insulin as you did before.", "speaks of “insulin” as taken; the note lists the medicines without it"),
        (MAN, "Eat regular meals if you take insulin for asthma.", "speaks of “insulin” as taken; the note lists the medicines without it"),
        (MAN, "People who take insulin need sugar at hand.", "speaks of “insulin” as taken; the note lists the medicines without it"),
        (MAN, "Take your naproxen with food.", "speaks of “naproxen” as taken; the note tells it as stopped or not taken"),
        (MAN, "If you smoke, ask for help to quit.", "speaks of smoking; the note denies it"),
        (MAN, "Check your feet, because you have diabetes.", "speaks of “diabetes”; the note denies it"),
        (MAN, "Your stroke can come back.", "speaks of “stroke”; the note tells it of somebody else"),
        (MAN, "Call your doctor if you think you may be pregnant.", "speaks of a woman who may become pregnant; the note denies it"),
        (MAN, "Empty your catheter bag twice a day.", "speaks of a catheter; the note tells of none"),
        (MAN, "Your child may go to school.", "speaks to a child's parents; the patient is 61 years old"),
        (CLINIC, "Rest after your hospital stay.", "speaks of a stay in hospital; the note is of a visit to a clinic"),
        (CLINIC, "Have your prostate checked.", "speaks of a man; the note denies it"),
        (CLINIC, "Ask your husband to help.", "speaks of your wife; the note tells of none"),
        (CHILD, "Do not drive while you are dizzy.", "is advice for adults; the patient is 7 years old"),
        (HOSPICE, "Ask if you are due for a screening test.", "is about prevention or training; the note tells of comfort care"),
    ],
)  # fmt: skip
def test_what_the_record_does_not_hold_is_not_for_this_patient(
    check: FitCheck, container: Container, note: str, sentence: str, reason: str
) -> None:
    assert patient(check, container, note).verdict(sentence) == FitVerdict(fit=NOT, reason=reason)


@pytest.mark.parametrize(
    ("note", "sentence"),
    [
        (MAN, "Tell your dentist that you take a blood thinner."),
        (MAN, "Take your lisinopril each morning."),
        (MAN, "Ask your wife to come to the visit."),
        (MAN, "Call your doctor if you bleed while you take apixaban."),
        (CLINIC, "Ask for help to quit smoking."),
        (CLINIC, "Keep your inhaler with you."),
        (CLINIC, "Tell every dentist about your drug allergies."),
        (CHILD, "Ask your mother to come along."),
        (WOUND, "Keep your stitches dry."),
        (WOUND, "Ask your surgeon when you may lift."),
        (WOUND, "Your catheter comes out tomorrow."),
    ],
)
def test_what_the_record_holds_fits(check: FitCheck, container: Container, note: str, sentence: str) -> None:
    assert patient(check, container, note).verdict(sentence) == FitVerdict(fit=FITS)


@pytest.mark.parametrize(
    "sentence", ["Do not take ibuprofen without asking.", "Wash your hands often.", "[team to complete: doses]"]
)
def test_what_presupposes_nothing_is_unknown(check: FitCheck, container: Container, sentence: str) -> None:
    assert patient(check, container, MAN).verdict(sentence) == FitVerdict(fit=UNKNOWN)


def test_a_chapter_about_what_the_patient_does_not_have_is_not_for_this_patient(
    check: FitCheck, container: Container
) -> None:
    man = patient(check, container, MAN)
    text = "Gout can make a joint hot and red."
    gout = passage(container, "gout", "What it is", text)
    assert man.verdict(text, gout) == FitVerdict(fit=NOT, reason="is about gout; the note tells of none")
    diabetes = passage(container, "type 2 diabetes mellitus", "What it is", "Type 2 diabetes raises blood sugar.")
    assert man.verdict(diabetes.text, diabetes).reason == "is about type 2 diabetes mellitus; the note denies it"
    own = passage(container, "atrial fibrillation", "What it is", "AFib is an uneven heartbeat.")
    assert man.verdict(own.text, own) == FitVerdict(fit=FITS)


def test_a_condition_that_may_be_written_about_is_the_patients(check: FitCheck, container: Container) -> None:
    text = "Gout can make a joint hot and red."
    gout = passage(container, "gout", "What it is", text)
    sure = Condition(concept_id=gout.concept_id, name="gout", score=0.9, status=ConditionStatus.POSSIBLE, written=True)
    assert patient(check, container, MAN, sure).verdict(text, gout).fit is FITS
    unsure = sure.model_copy(update={"written": False})
    assert patient(check, container, MAN, unsure).verdict(text, gout).fit is NOT
    ruled_out = sure.model_copy(update={"written": False, "status": ConditionStatus.RULED_OUT})
    assert patient(check, container, MAN, ruled_out).verdict(text, gout).reason == "is about gout; the note denies it"


def test_a_warning_that_names_no_subject_holds_for_anybody(check: FitCheck, container: Container) -> None:
    text = "Call an ambulance (911 in the US) if you are newly confused."
    assert (
        patient(check, container, MAN).verdict(text, passage(container, "gout", "Warning signs", text)).fit is not NOT
    )
    text = "Call your doctor if a gout attack comes back."
    assert patient(check, container, MAN).verdict(text, passage(container, "gout", "Warning signs", text)).fit is NOT


def test_the_handbook_is_for_adults(check: FitCheck, container: Container) -> None:
    text = "Warm up slowly before exercise."
    asthma = passage(container, "asthma", "Activity", text)
    verdict = patient(check, container, CHILD).verdict(text, asthma)
    assert verdict == FitVerdict(fit=NOT, reason="is advice for adults; the patient is 7 years old")
    assert patient(check, container, CLINIC).verdict(text, asthma).fit is FITS


def test_a_row_of_applicability_decides_before_the_words(check: FitCheck, container: Container) -> None:
    hospice = HOSPICE.replace("for pain", "for back pain")
    walk = "Keep moving with short, easy walks, and do a little more each day as back pain eases."
    back = passage(container, "back pain", "Activity", walk)
    assert patient(check, container, hospice).verdict(walk, back).fit is NOT
    plain = "A 50-year-old man has back pain."
    assert patient(check, container, plain).verdict(walk, back).fit is FITS
    pills = "Strong pain pills can make you drowsy and constipated, so ask your team how to use them safely."
    own = back.model_copy(update={"section": "Precautions"})
    assert patient(check, container, plain).verdict(pills, own).reason == "speaks of “opioid”; the note tells of none"
    assert patient(check, container, f"{plain} He takes oxycodone.").verdict(pills, own).fit is FITS


def test_what_a_medicine_is_a_kind_of_counts(check: FitCheck, container: Container) -> None:
    assert patient(check, container, MAN).verdict("Do not skip doses of your blood thinner.").fit is FITS
    assert patient(check, container, CLINIC).verdict("Do not skip doses of your blood thinner.").fit is NOT


def test_medicines_that_the_request_lists_for_home_are_taken(check: FitCheck, container: Container) -> None:
    linked = container.linker.read(CLINIC)
    request = DraftRequest(
        text=CLINIC, discharge_medicines=("warfarin 5 mg daily",), hospital_course="She was treated."
    )
    found = check.of_patient(linked, (), request)
    assert found.verdict("Take your warfarin in the evening.").fit is FITS
    assert found.verdict("Rest after your hospital stay.").fit is FITS


def test_without_a_note_nothing_is_held_against_a_sentence(check: FitCheck, container: Container) -> None:
    question = DraftRequest(question="How do I keep stitches dry?")
    found = check.of_patient(container.linker.read(question.question), (), question)
    assert found.verdict("Keep your stitches dry.") == FitVerdict(fit=UNKNOWN)


def test_what_is_asked_about_need_not_be_the_patients(check: FitCheck, container: Container) -> None:
    text = "Gout can make a joint hot and red."
    gout = passage(container, "gout", "What it is", text)
    request = DraftRequest(text=MAN, question="What is gout?", document=Document.CLINICAL_ANSWER)
    assert check.of_patient(container.linker.read(MAN), (), request).verdict(text, gout).fit is not NOT


def verdicts(check: FitCheck, container: Container, note: str, *cited: tuple[str, str]) -> list[FitVerdict]:
    """The verdicts on sentences about the patient, each with the words of the note that it cites."""
    pieces, sentences = [], []
    for number, (text, quote) in enumerate(cited, start=1):
        start = note.index(quote)
        pieces.append(
            NotePiece(
                id=f"N{number}",
                note_type="Pasted note",
                section="",
                text=quote,
                start_char=start,
                end_char=start + len(quote),
            )
        )
        sentences.append(WrittenSentence(text=text, section="Why", basis=Basis.PATIENT, citations=(f"N{number}",)))
    evidence = Evidence(notes=tuple(pieces))
    return list(check.check(sentences, container.linker.read(note), (), evidence, DraftRequest(text=note)))


def test_what_is_told_of_the_patient_must_be_the_patients_own(check: FitCheck, container: Container) -> None:
    found = verdicts(
        check,
        container,
        MAN,
        ("You have atrial fibrillation.", "man with atrial fibrillation"),
        ("You have diabetes.", "He denies diabetes and fever."),
        ("You have had a stroke.", "His father had a stroke."),
        ("You said that you have no fever.", "He denies diabetes and fever."),
    )
    assert [one.fit for one in found] == [FITS, NOT, NOT, UNKNOWN]
    assert found[1].reason == "tells of type 2 diabetes mellitus, which the note denies"
    assert found[2].reason == "tells of ischemic stroke, which the note tells of somebody else (father)"


def test_advice_is_no_more_this_patients_for_citing_the_note(check: FitCheck, container: Container) -> None:
    wounded = f"{MAN}Plan: Keep the stitches dry. Follow up with his surgeon."
    none, own = "has had chest pain since noon", "Keep the stitches dry."
    (cited,) = verdicts(check, container, MAN, ("Keep your stitches dry because of your chest pain.", none))
    assert (cited.fit, cited.reason) == (NOT, "speaks of stitches; the note tells of none")
    (said,) = verdicts(check, container, wounded, ("Keep your stitches dry.", own))
    assert said.fit is not NOT  # the note says it itself, whatever the record has


def test_what_is_past_is_not_told_as_present(check: FitCheck, container: Container) -> None:
    note = "Past Medical History: pneumonia in 2012, resolved.\nHPI: A 40-year-old man has a cough."
    quote = "pneumonia in 2012, resolved"
    now, then = verdicts(check, container, note, ("You have pneumonia.", quote), ("You had pneumonia.", quote))
    assert (now.fit, now.reason) == (NOT, "tells of pneumonia, which the note tells as past")
    assert then.fit is FITS


def test_verdicts_come_in_the_order_of_the_sentences_whoever_wrote_them(check: FitCheck, container: Container) -> None:
    texts = ("Wash your hands often.", "Keep your stitches dry.", "Take your lisinopril each morning.")
    written = [WrittenSentence(text=text, section="Staying safe", basis=Basis.GENERAL) for text in texts]
    found = check.check(written, container.linker.read(MAN), (), Evidence(), DraftRequest(text=MAN))
    assert [one.fit for one in found] == [UNKNOWN, NOT, FITS]


@pytest.mark.parametrize(
    ("text", "fit"),
    [
        ("Your daughter will bring you to the clinic on Monday.", UNKNOWN),
        ("Your husband noticed it first.", UNKNOWN),
        ("Keep your stitches dry.", NOT),
        ("Take your warfarin each evening.", NOT),
    ],
)
def test_a_clinicians_own_words_may_name_a_relative_whom_the_note_does_not(
    check: FitCheck, container: Container, text: str, fit: Fit
) -> None:
    sentence = WrittenSentence(text=text, section="Follow-up", basis=Basis.GENERAL)
    linked = container.linker.read(CLINIC)
    asked = ([sentence], linked, (), Evidence(), DraftRequest(text=CLINIC))
    assert check.check(*asked)[0].fit is NOT
    assert check.check(*asked, by_hand={0})[0].fit is fit


def test_a_letter_does_not_tell_of_a_condition_that_is_not_sure(check: FitCheck, container: Container) -> None:
    gout = next(row.concept_id for row in container.graph.concepts if row.name == "gout")
    sentence = WrittenSentence(
        text="What you felt can fit gout.", section="Why", basis=Basis.POSSIBLE, condition_id=gout
    )
    linked = container.linker.read(MAN)
    (letter,) = check.check([sentence], linked, (), Evidence(), DraftRequest(text=MAN))
    progress = DraftRequest(text=MAN, document=Document.PROGRESS_NOTE)
    (clinicians,) = check.check([sentence], linked, (), Evidence(), progress)
    assert (letter.fit, clinicians.fit) == (NOT, UNKNOWN)


@pytest.mark.parametrize(("note", "fit"), [(REMISSION, NOT), (ON_TREATMENT, FITS)])
@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("Precautions", "Avoid live vaccines during lymphoma treatment, and ask which other shots are safe."),
        ("Activity", "Walk or do light exercise on most days to fight tiredness from lymphoma treatment."),
    ],
)
def test_advice_during_a_cancer_treatment_is_for_whom_the_treatment_goes_on(
    check: FitCheck, container: Container, note: str, fit: Fit, part: str, text: str
) -> None:
    held = patient(check, container, note)
    place = passage(container, "lymphoma", part, text)
    assert held.verdict(text, place).fit is fit
