"""What a sentence asks of the person whatever row of applicability it has: an age, legs that carry, a treatment, own medicines."""

import pytest

from backend.container import Container
from backend.schemas.drafts.request import DraftRequest
from backend.verification.fit.medication_orders import names_medicines
from backend.verification.fit.patient_fit import PatientFit

WALK = "Walk a short distance with a walker several times each day."
MOVE = "Get up and move each day after a stroke, with help if you are not steady."
EXERCISE = "Do balance and leg exercises two to three times a week, such as tai chi."


def patient(container: Container, note: str) -> PatientFit:
    return container.checks.fit.of_patient(container.linker.read(note), (), DraftRequest(text=note))


@pytest.mark.parametrize(
    ("sentence", "other", "own"),
    [
        ("Tell your doctor about a new change in bowel habits after age 45.", "A 26-year-old woman is constipated.", "A 60-year-old woman is constipated."),
        ("Ask about a bone density scan if you are over 65.", "A 30-year-old man fell.", "A 70-year-old man fell."),
        (MOVE, "An 83-year-old woman, wheelchair bound, had a stroke.", "An 83-year-old woman had a stroke."),
        (WALK, "A 70-year-old man broke his ankle. Plan: non-weight-bearing on the left leg.", "A 70-year-old man broke his ankle."),
        (WALK, "A 70-year-old man has sciatica. Plan: bed rest.", "A 70-year-old man has sciatica."),
        (EXERCISE, "A 70-year-old man has exertional chest pain.", "A 70-year-old man has falls."),
        (EXERCISE, "A 20-year-old man has a concussion. Plan: no sports for two weeks.", "A 70-year-old man has falls."),
        ("See your doctor in two to four weeks after a new anxiety medicine.", "A 30-year-old woman has anxiety. Medications: lorazepam 1 mg daily.", "A 30-year-old woman has anxiety. Plan: Start sertraline 50 mg daily."),
        ("Walk each day, and rest when you are tired after bladder treatment.", "A 60-year-old man has bladder cancer. He is referred for treatment.", "A 60-year-old man had a cystectomy for bladder cancer."),
        ("Never take lisinopril again after it made your face swell, unless a specialist says so.", "A 60-year-old man takes lisinopril.", "A 60-year-old man has angioedema."),
        ("Pass urine soon after sex to help prevent UTI.", "An 82-year-old woman with a UTI.", "A 32-year-old woman with a UTI."),
        ("Pass urine soon after sex to help prevent UTI.", "A 62-year-old woman with a UTI and dementia.", "A 62-year-old woman with a UTI."),
        ("Drink often and eat soft, cool food after the tonsils are out.", "A 19-year-old man bled after a tonsillectomy. Plan: Normal diet.", "A 19-year-old man bled after a tonsillectomy. Plan: Fluids."),
        ("Ask your doctor before you use loperamide, mostly if you have fever or bloody stools.", "A 50-year-old man has gastroenteritis and took loperamide. Plan: Stop the loperamide.", "A 50-year-old man has gastroenteritis."),
        ("Go to an emergency department now if your insulin pump has failed and you have no pen.", "A 50-year-old man has diabetes. Medications: insulin glargine 20 units at bedtime.", "A 50-year-old man has diabetes and an insulin pump."),
        ("Face avoided things in small steps with your therapist.", "A 30-year-old woman has anxiety.", "A 30-year-old woman has anxiety. Plan: Continue with her therapist weekly."),
        ("Teach your family what to do in a seizure.", "A 60-year-old man has brain metastases. Medications: phenytoin 100 mg daily.", "A 60-year-old man with brain metastases had a seizure."),
        ("Teach your family what to do in a seizure.", "A 60-year-old man with epilepsy is confused.", "A 60-year-old man has epilepsy."),
        ("Sleep on the side that does not hurt, with a pillow between your knees.", "A 40-year-old woman has hip pain.", "A 40-year-old woman has right hip pain."),
        ("Eat at regular times, even when depression takes away your appetite.", "A 40-year-old woman has depression with increased appetite.", "A 40-year-old woman has depression."),
        ("Go to an emergency department now if your legs turn weak or numb.", "A 70-year-old man with weakness. Past surgical history: bilateral leg amputation.", "A 70-year-old man with weakness."),
        ("Rest on the day of a spinal tap.", "A 30-year-old woman was admitted to the hospital with headache. She had a lumbar puncture.", "EMERGENCY ROOM: A 30-year-old woman had a lumbar puncture."),
        ("Rest when you need to, and ask others to help with heavy chores.", "A 60-year-old man with lymphoma does well.", "A 60-year-old man with lymphoma has fatigue."),
        ("Fill in the GAD-7 questions again to see how anxiety changes.", "A 30-year-old woman has anxiety.", "A 30-year-old woman has anxiety. Plan: Repeat GAD-7 at the next visit."),
    ],
)  # fmt: skip
def test_advice_asks_for_a_person_whom_it_suits(container: Container, sentence: str, other: str, own: str) -> None:
    assert not patient(container, f"HPI: {other}").fits(sentence, (), "")
    assert patient(container, f"HPI: {own}").fits(sentence, (), "")


@pytest.mark.parametrize(
    "sentence",
    [
        "Call your doctor today if exercise brings on chest pain.",
        "Avoid hard exercise until the skin is less red.",
        "Stop and rest if exercise makes you dizzy.",
    ],
)
def test_a_warning_and_careful_advice_stay_for_whom_effort_harms(container: Container, sentence: str) -> None:
    assert patient(container, "HPI: A 70-year-old man has angina at rest.").fits(sentence, (), "")


@pytest.mark.parametrize(
    ("sentence", "at_large"),
    [
        ("Antibiotics such as ceftriaxone are often used for pneumonia.", True),
        ("A daily antibiotic pill may be given after pneumonia.", True),
        ("Levothyroxine is the usual pill for a weak thyroid.", True),
        ("Your team may give you an antibiotic.", True),
        ("Levothyroxine works best on an empty stomach.", False),
        ("Finish your antibiotics, which are often given for five days.", False),
    ],
)
def test_what_is_given_to_people_at_large_is_an_offer(container: Container, sentence: str, at_large: bool) -> None:
    assert patient(container, "HPI: A 70-year-old man has pneumonia.").is_offer(sentence) is at_large


def test_the_class_in_a_story_is_what_is_given_here(container: Container) -> None:
    antibiotic = next(row.concept_id for row in container.graph.concepts if row.name == "antibiotic")
    here = "ADMISSION NOTE\nHPI: A 50-year-old man has sepsis. He is given IV vancomycin and is better since antibiotics.\n"
    assert not patient(container, f"{here}Hospital medications: vancomycin 1 g IV every 12 hours.").takes(antibiotic)
    home = "HPI: A 50-year-old man has a cough.\nHome medications: doxycycline 100 mg twice daily."
    assert patient(container, home).takes(antibiotic)


def test_a_sentence_on_medicines_says_so() -> None:
    assert names_medicines("Ask your doctor to review all your pills.")
    assert not names_medicines("Talk with your doctor before any change.")
