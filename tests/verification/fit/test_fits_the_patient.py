"""Whole drafts of the shipped knowledge on synthetic notes: what would be dangerous or beside the point for this patient."""

from backend.container.container import Container
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis, Document, Length, Severity

HOME, SOAP = Document.DISCHARGE_INSTRUCTIONS, Document.PROGRESS_NOTE


def draft(
    container: Container,
    text: str,
    document: Document = HOME,
    confirmed: tuple[str, ...] = (),
    medicines: tuple[str, ...] = (),
) -> Draft:
    request = DraftRequest(
        text=text,
        document=document,
        confirmed_conditions=confirmed,
        length=Length.FULL,
        discharge_medicines=medicines,
    )
    return container.pipeline("leapnote").run(request)


def general(found: Draft, container: Container) -> set[str]:
    """The names of all that sentences other than the patient's own speak of."""
    wording = [s.text for s in found.sentences if s.basis != Basis.PATIENT]
    return {m.name for text in wording for m in container.linker.link(text).note.mentions}


def test_a_pregnant_patient_is_offered_nothing_that_harms_in_pregnancy(container: Container) -> None:
    wording = "HPI: A 29-year-old woman at 22 weeks gestation with burning when she urinates, cloudy urine and urgency."
    head = "Allergies: NKDA\n\nChief Complaint: burning with urination\n\n"
    harmful = {"ciprofloxacin", "fluoroquinolone", "trimethoprim-sulfamethoxazole", "estradiol"}
    bladder = ("LN:urinary-tract-infection",)
    plan, home = draft(container, head + wording, SOAP, bladder), draft(container, head + wording, HOME, bladder)
    assert "urinary tract infection" in general(plan, container)
    assert not general(plan, container) & harmful
    assert not general(home, container) & harmful
    assert "Your note says that you are pregnant, so ask your team before you take any medicine." in home.text
    other = draft(container, head + wording.replace(" at 22 weeks gestation", ""), SOAP, bladder)
    assert general(other, container) & harmful


def test_a_letter_offers_no_medicine_that_the_patient_does_not_take(container: Container) -> None:
    note = "Allergies: NKDA\n\nChief Complaint: burning with urination\n\nHPI: A 29-year-old woman has burning when she urinates."
    bladder = ("LN:urinary-tract-infection",)
    pill = {"trimethoprim-sulfamethoxazole"}
    assert not general(draft(container, note, HOME, bladder), container) & pill


def test_a_bleeding_patient_is_not_told_to_mind_the_blood_thinner(container: Container) -> None:
    note = (
        "Allergies: none\n\nChief Complaint: black tarry stools\n\nHPI: An 81-year-old man with atrial fibrillation on warfarin "
        "has black stools for three days and is pale and lightheaded. Hemoglobin 7.1."
    )
    found = draft(container, note, confirmed=("LN:gastrointestinal-bleeding",))
    assert "Missed blood thinner pills" not in found.text
    assert "Ask your team when a blood thinner should go on after gut bleeding." in found.text


def test_who_reacts_to_prednisone_is_offered_no_steroid_tablets(container: Container) -> None:
    note = "Allergies: {}\n\nChief Complaint: shortness of breath\n\nHPI: A 67-year-old woman with COPD has more cough and green sputum."
    lung = ("LN:chronic-obstructive-pulmonary-disease",)
    pills = ("prednisone 40 mg daily for 5 days",)
    assert "Take: prednisone" in draft(container, note.format("none"), confirmed=lung, medicines=pills).text
    other = draft(container, note.format("prednisone (psychosis)"), confirmed=lung, medicines=pills)
    assert "prednisone 40 mg" not in other.text
    assert "teroid tablets" not in other.text


def test_the_right_test_comes_first_in_the_plan(container: Container) -> None:
    note = (
        "Allergies: none\n\nChief Complaint: shortness of breath\n\nHPI: A 44-year-old woman has sharp pain in the chest when "
        "she breathes in, a swollen right calf and coughs up blood after a long flight."
    )
    plan = [s.text for s in draft(container, note, SOAP, ("LN:pulmonary-embolism",)).sentences if s.section == "Plan"]
    (tests,) = [text for text in plan if text.startswith("Pulmonary embolism: consider these tests")]
    assert "CT pulmonary angiography" in tests


def test_what_must_never_be_taken_with_a_home_medicine_is_not_offered(container: Container) -> None:
    note = "Allergies: none\n\nChief Complaint: chest pain\n\nHPI: A 61-year-old man has crushing chest pain and sweating. ST elevation. He takes {}."
    heart = ("LN:acute-myocardial-infarction",)
    (offered,) = [
        s.text
        for s in draft(container, note.format("famotidine"), SOAP, heart).sentences
        if "consider treatment with" in s.text
    ]
    assert "nitroglycerin" in offered
    (offered,) = [
        s.text
        for s in draft(container, note.format("sildenafil"), SOAP, heart).sentences
        if "consider treatment with" in s.text
    ]
    assert "nitroglycerin" not in offered
    home = draft(container, note.format("sildenafil"), HOME, heart)
    assert "Sildenafil mixed with nitroglycerin can drop blood pressure to a dangerous level." in home.text
    assert not [f for f in home.flags if f.kind == "interaction" and f.severity == Severity.SEVERE]


def test_what_the_note_tells_as_tolerated_is_named_to_the_patient(container: Container) -> None:
    note = (
        "Allergies: Penicillin (hives as a boy).{}\n\nChief Complaint: red, swollen leg\n\nHPI: A 58-year-old man has spreading redness of the left leg."
        "\n\nMedications: cephalexin 500 mg QID"
    )
    tolerant = draft(container, note.format(" Tolerates cephalexin."))
    assert "cephalexin 500 mg, 4 times a day" in tolerant.text.lower()
    (flag,) = [f for f in tolerant.flags if f.kind == "allergy_conflict"]
    assert (flag.severity, "“Tolerates cephalexin”" in flag.message) == (Severity.INFO, True)
    unknown = draft(container, note.format(""))
    assert not any(s.text.startswith("Keep taking") and "cephalexin" in s.text for s in unknown.sentences)
    (flag,) = [f for f in unknown.flags if f.kind == "allergy_conflict"]
    assert flag.severity == Severity.WARNING


def test_old_operations_and_infections_bring_no_advice_for_healing(container: Container) -> None:
    note = (
        "Allergies: none\n\nChief Complaint: black stools\n\nHPI: A 70-year-old man has black stools for two days.\n\n"
        "Past Medical History: left knee replacement 2012, pneumonia 2015, type 2 diabetes"
    )
    text = draft(container, note).text
    assert "wound" not in text
    assert "heal from pneumonia" not in text


def test_the_assessment_counts_what_fits_less_well_and_the_plan_says_what_orders_are_held_against(
    container: Container,
) -> None:
    note = (
        "Allergies: none\n\nChief Complaint: right flank pain and fever\n\nHPI: A 28-year-old woman at 24 weeks gestation has flank pain, fever, shaking"
        " chills, vomiting and burning urination."
    )
    found = draft(container, note, SOAP)
    weak = [c for c in found.conditions if c.must_not_miss and c.score < 0.4 and not c.focus]
    assessed = [s for s in found.sentences if s.section == "Assessment"]
    assert any("that must not be missed fit" in s.text for s in assessed if s.text.startswith("["))
    assert len([s for s in assessed if not s.text.startswith("[")]) < len(found.conditions)
    assert weak
    assert "Care with each order: pregnancy." in [s.text for s in found.sentences if s.section == "Plan"]


def test_a_note_without_a_question_is_answered_by_what_may_be_behind_it(container: Container) -> None:
    note = "Allergies: none\n\nChief Complaint: chest pain\n\nHPI: A 61-year-old man has crushing chest pain, sweating and ST elevation{}."
    for words in ("", " because of nothing he knows"):
        found = draft(container, note.format(words), Document.CLINICAL_ANSWER)
        assert found.sentences[0].text.startswith("Acute myocardial infarction, ")
