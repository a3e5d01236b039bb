"""A topic on which the note itself decides: no general sentence of it is this patient's, and the decision is in the record."""

import pytest

from backend.container import Container
from backend.schemas.drafts.request import DraftRequest
from backend.verification.fit.patient_fit import PatientFit

OPIOID = "Do not drive while an opioid pain medicine makes you sleepy."
SALT = "A common salt goal in heart failure is less than 2,000 mg of sodium a day, so ask which goal fits you."
GAIN = "Call your doctor today if you gain 2 to 3 pounds (1 kg) in a day, or 5 pounds in a week."
LIMIT = "Avoid or limit alcohol with methotrexate, because both can harm the liver."
SWIM = "Swim only with someone who can help you, and take showers instead of baths after a seizure."
LIFT = "Bend your knees and keep the load close when you lift."
FLUID = "Some people with heart failure need a limit on drinks, so ask your team how much fluid is right for you."
WATER = "Drink water or other fluids often when you have a fever from the flu."
FEVER = "Call your doctor today if you have a fever of 100.4°F (38°C) or more."
DECIDED = [
    ("PLAN: Call for temp >101.5, calf pain or drainage.", FEVER),
    ("PLAN: Return for fever above 102 or a stiff neck.", FEVER),
    ("PLAN: Call for T >101.5 or a red wound.", FEVER.replace("more.", "more after the operation.")),
    ("Rx: oxycodone 5 mg q6h prn #10. No driving while on it.", OPIOID),
    ("ACTIVITY as tolerated. Not to drive for 4 weeks.", OPIOID),
    ("He understands that he may not drive until the EEG is back.", OPIOID),
    ("Licence surrendered to DVLA by his daughter.", OPIOID),
    ("PLAN: 1.5 g sodium diet, daily weights.", SALT),
    ("PLAN: Weigh daily, if up 4 lb in 2 days take an extra torsemide.", GAIN),
    ("PLAN: She was told to stop alcohol altogether.", LIMIT),
    ("Wound dry. No tub or pool for 3 weeks.", SWIM),
    ("No baths alone, no swimming alone.", SWIM),
    ("Discharge advice: no heavy lifting for 6 weeks.", LIFT),
    ("PLAN: 2 L fluid restriction.", FLUID),
]
NOT_DECIDED = [
    ("PLAN: Return for fever, calf pain or drainage.", FEVER),
    ("VITALS: Temp 101.5, heart rate 110.", FEVER),
    ("PLAN: Call for temp >101.5. He is on chemotherapy.", FEVER.replace("more.", "more during chemotherapy.")),
    ("Went home with her husband driving. Oxycodone 5 mg q6h prn.", OPIOID),
    ("He is a truck driver. Oxycodone 5 mg q6h prn.", OPIOID),
    ("Labs: K 4.1 Na 135.", SALT),
    ("He lost 5 lb last year.", GAIN),
    ("Drinks alcohol socially.", LIMIT),
    ("She slipped in the bath.", SWIM),
    ("Her chair lift broke.", LIFT),
    ("1 L saline was given.", FLUID),
]


def patient(container: Container, note: str) -> PatientFit:
    return container.checks.fit.of_patient(container.linker.read(note), (), DraftRequest(text=note))


@pytest.mark.parametrize(("note", "sentence"), DECIDED)
def test_what_the_note_decides_takes_the_place_of_the_general_sentence(
    container: Container, note: str, sentence: str
) -> None:
    assert not patient(container, f"A 60-year-old man. {note}").fits(sentence, (), "")
    assert container.linker.read(
        f"A 60-year-old man. {note}"
    ).record.plan  # so that the letter tells it, or asks for it


@pytest.mark.parametrize(("note", "sentence"), NOT_DECIDED)
def test_where_the_note_decides_nothing_the_general_sentence_stays(
    container: Container, note: str, sentence: str
) -> None:
    assert patient(container, f"A 60-year-old man. {note}").fits(sentence, (), "")


def test_drinks_and_food_of_another_texture_leave_no_general_advice_on_them(container: Container) -> None:
    thickened = patient(container, "PLAN: Swallow: level 2 fluids, level 5 diet.")
    assert not thickened.fits(WATER, (), "")
    assert thickened.fits("Call your doctor today if you cannot drink.", (), "")
    assert patient(container, "PLAN: Regular diet.").fits(WATER, (), "")


def test_a_warning_against_alcohol_with_an_opioid_stays_beside_a_shorter_ban(container: Container) -> None:
    warning = "Do not drink alcohol with an opioid pain medicine, because together they can stop your breathing."
    assert patient(container, "No alcohol for 24 h after the anaesthetic. Tramadol 50 mg QDS.").fits(warning, (), "")


@pytest.mark.parametrize(
    ("note", "takes"),
    [
        ("She had been using tramadol for her back. She was told not to take tramadol again.", False),
        ("She takes tramadol for her back.", True),
        ("Medications: tramadol 50 mg daily. Tramadol makes her loopy.", True),
        ("If the scan is abnormal, we would start tramadol.", False),
    ],
)
def test_advice_on_a_medicine_is_for_whoever_is_to_take_it(container: Container, note: str, takes: bool) -> None:
    fit = patient(container, note)
    assert fit.fits("Have a blood test while you take tramadol.", (), "") is takes


def test_a_seizure_medicine_is_advised_on_where_one_is_taken(container: Container) -> None:
    call = "Call your doctor today if you cannot get or keep down your seizure medicine."
    assert not patient(container, "She had a first seizure. She got levetiracetam 2 g in the ED.").fits(call, (), "")
    assert patient(container, "Medications: levetiracetam 500 mg BID.").fits(call, (), "")


def test_advice_for_whoever_has_an_illness_needs_the_note_to_tell_it(container: Container) -> None:
    sugar = "Good blood sugar control helps cellulitis heal if you have diabetes."
    assert not patient(container, "HPI: A 60-year-old man with cellulitis.").fits(sugar, (), "")
    assert patient(container, "HPI: A 60-year-old man with cellulitis and type 2 diabetes.").fits(sugar, (), "")


ATTACK = "Low-fat meals can lower the chance of a gallstone attack."


@pytest.mark.parametrize(
    ("note", "stays"),
    [
        ("Op: laparoscopic cholecystectomy today for biliary colic.", False),
        ("PROCEDURES: gallbladder removal 3/4 without complications. Gallstones.", False),
        ("Gallstones. Laparoscopic cholecystectomy is planned for May.", True),
        ("Gallstones seen on ultrasound.", True),
    ],
)
def test_advice_on_living_with_gallstones_ends_with_the_gallbladder(
    container: Container, note: str, stays: bool
) -> None:
    assert patient(container, f"A 40-year-old woman. {note}").fits(ATTACK, (), "gallstones") is stays


def test_help_with_drug_use_is_not_advised_to_whoever_has_it(container: Container) -> None:
    ask = "Ask for help with drug use if injected drugs played a part in endocarditis."
    using = "HPI: 35M with endocarditis, injects heroin daily."
    assert patient(container, using).fits(ask, (), "infective endocarditis")
    assert not patient(container, f"{using}\nMedications: methadone 80 mg daily.").fits(
        ask, (), "infective endocarditis"
    )
