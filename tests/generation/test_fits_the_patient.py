"""Whole drafts of the shipped knowledge on synthetic notes: what would be dangerous or beside the point for this patient."""

from backend.assembly.house import House
from backend.schemas.draft import Draft
from backend.schemas.request import DraftRequest
from backend.schemas.vocabulary import Basis, Document

HOME, SOAP = Document.DISCHARGE_INSTRUCTIONS, Document.PROGRESS_NOTE


def draft(house: House, text: str, document: Document = HOME, confirmed: tuple[str, ...] = ()) -> Draft:
    request = DraftRequest(text=text, document=document, confirmed_conditions=confirmed)
    return house.pipeline("leapnote").run(request)


def general(found: Draft, house: House) -> set[str]:
    """The names of all that sentences other than the patient's own speak of."""
    told = [s.text for s in found.sentences if s.basis != Basis.PATIENT]
    return {m.name for text in told for m in house.linker.link(text).note.mentions}


def test_a_pregnant_patient_is_offered_nothing_that_harms_in_pregnancy(house: House) -> None:
    told = "HPI: A 29-year-old woman at 22 weeks gestation with burning when she urinates, cloudy urine and urgency."
    head = "Allergies: NKDA\n\nChief Complaint: burning with urination\n\n"
    harmful = {"ciprofloxacin", "fluoroquinolone", "trimethoprim-sulfamethoxazole", "estradiol"}
    plan, home = draft(house, head + told, SOAP), draft(house, head + told)
    assert "urinary tract infection" in general(plan, house)
    assert not general(plan, house) & harmful
    assert not general(home, house) & harmful
    assert "Your note says that you are pregnant, so ask your team before you take any medicine." in home.text
    other = draft(house, head + told.replace(" at 22 weeks gestation", ""))
    assert "trimethoprim-sulfamethoxazole" in general(other, house)


def test_a_bleeding_patient_is_not_told_to_mind_the_blood_thinner(house: House) -> None:
    note = (
        "Allergies: none\n\nChief Complaint: black tarry stools\n\nHPI: An 81-year-old man with atrial fibrillation on warfarin "
        "has black stools for three days and is pale and lightheaded. Hemoglobin 7.1."
    )
    found = draft(house, note)
    assert any(c.focus and c.name == "gastrointestinal bleeding" for c in found.conditions)
    assert "Missed blood thinner pills" not in found.text
    assert "Ask your team when a blood thinner should go on after gut bleeding." in found.text


def test_who_reacts_to_prednisone_is_offered_no_steroid_tablets(house: House) -> None:
    note = "Allergies: {}\n\nChief Complaint: shortness of breath\n\nHPI: A 67-year-old woman with COPD has more cough and green sputum."
    lung = ("LN:chronic-obstructive-pulmonary-disease",)
    assert "Steroid tablets" in draft(house, note.format("none"), confirmed=lung).text
    assert "teroid tablets" not in draft(house, note.format("prednisone (psychosis)"), confirmed=lung).text


def test_the_right_test_comes_first_in_the_plan(house: House) -> None:
    note = (
        "Allergies: none\n\nChief Complaint: shortness of breath\n\nHPI: A 44-year-old woman has sharp pain in the chest when "
        "she breathes in, a swollen right calf and coughs up blood after a long flight."
    )
    plan = [s.text for s in draft(house, note, SOAP).sentences if s.section == "Plan"]
    (tests,) = [text for text in plan if text.startswith("Pulmonary embolism, tests")]
    assert "CT pulmonary angiography" in tests
