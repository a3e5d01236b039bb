"""What a situation of the patient asks for, whatever the document is about: whole drafts of the shipped knowledge."""

import pytest

from backend.container.container import Container
from backend.nlp.people.situations import situations_of
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Support

HEAD = "Allergies: none\n\nChief Complaint: cough and fever\n\nHPI: A 34-year-old woman"
SAFE, HELP = "Staying safe", "When to get help"


def draft(container: Container, words: str) -> Draft:
    return container.pipeline("leapnote").run(DraftRequest(text=f"{HEAD} {words}"))


def part(found: Draft, heading: str) -> str:
    return " ".join(s.text for s in found.sentences if s.section == heading)


@pytest.mark.parametrize(
    ("medicine", "sign"),
    [
        ("apixaban 5 mg twice a day", "your stools are black like tar or bloody"),
        ("lisinopril 10 mg daily", "your lips, face or tongue swell"),
        ("clozapine 300 mg at night", "a fever, a sore throat or mouth sores on clozapine"),
        ("amoxicillin 500 mg three times a day", ""),
    ],
)
def test_a_medicine_of_the_list_for_home_brings_its_warning_signs(
    container: Container, medicine: str, sign: str
) -> None:
    request = DraftRequest(text=f"{HEAD} has coughed for two days.", discharge_medicines=(medicine,))
    found = part(container.pipeline("leapnote").run(request), HELP)
    assert sign in found
    assert sign not in part(draft(container, "has coughed for two days."), HELP) or not sign


@pytest.mark.parametrize(
    ("words", "safe", "help_for"),
    [
        ("at 26 weeks gestation has coughed for two days.", "you are pregnant", "if the baby moves less"),
        (
            "had a liver transplant in 2018 and has coughed for two days.",
            "liver transplant",
            "Call your transplant team",
        ),
        ("with ESRD on hemodialysis has coughed for two days.", "end-stage kidney disease", "miss a dialysis session"),
        ("takes rivaroxaban and has coughed for two days.", "rivaroxaban", "you hit your head"),
    ],
)
def test_a_situation_brings_its_precautions_and_warning_signs(
    container: Container, words: str, safe: str, help_for: str
) -> None:
    found = draft(container, words)
    (stated,) = [s for s in found.sentences if safe in s.text and "so ask your team before you take any" in s.text]
    assert stated.support != Support.UNSUPPORTED
    assert any(c.startswith("N") for c in stated.citations)
    assert help_for in part(found, HELP)
    other = draft(container, "has coughed for two days.")
    assert help_for not in other.text
    assert "so ask your team before you take any" not in other.text


@pytest.mark.parametrize(
    "words",
    [
        "is not pregnant.",
        "finished a course of rivaroxaban in May.",
        "has a cough. Her mother had ESRD.",
        "had ESRD until a kidney transplant in 2019.",
    ],
)
def test_what_is_denied_over_or_another_s_is_no_situation(container: Container, words: str) -> None:
    text = part(draft(container, words), HELP)
    assert not any(wording in text for wording in ("baby", "you hit your head", "dialysis session"))


def test_an_intolerable_blood_thinner_is_no_situation(container: Container) -> None:
    linked = container.linker.link("Allergies: warfarin (skin necrosis)\n\nHPI: A 60-year-old man has a cough.")
    assert situations_of(linked) == []


def test_a_medicine_that_was_taken_once_brings_no_advice_on_a_course(container: Container) -> None:
    once = draft(container, "has back pain. She took two tablets of codeine without effect.")
    course = draft(container, "has back pain. She takes codeine 30 mg four times a day.")
    assert "opioid" in part(course, SAFE)
    assert "opioid" not in part(once, SAFE) + part(once, HELP)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("with Graves disease. Her GP started her on carbimazole 20 mg daily.", True),
        ("with Graves disease. Carbimazole 20 mg daily was stopped last month.", False),
        ("with Graves disease. Her sister was started on carbimazole 20 mg daily.", False),
    ],
)
def test_who_was_put_on_a_medicine_is_told_its_signs_before_anybody_says_that_it_goes_on(
    container: Container, words: str, told: bool
) -> None:
    assert ("on a thyroid-blocking pill" in part(draft(container, words), HELP)) is told


@pytest.mark.parametrize(
    ("note", "signs"),
    [
        (
            "HPI: A 31-year-old man with schizophrenia, seen for a check.",
            ("about to act on a plan to die", "hear voices that tell you to hurt yourself"),
        ),
        (
            "HPI: A 63-year-old woman with breast cancer and bone metastases, seen for her pain.",
            ("suddenly cannot move your legs", "lose control of your bladder or bowel"),
        ),
    ],
)
def test_an_illness_of_today_has_a_sign_of_each_level_of_emergency(
    container: Container, note: str, signs: tuple[str, ...]
) -> None:
    said = part(container.pipeline("leapnote").run(DraftRequest(text=note)), HELP)
    assert all(sign in said for sign in signs)


@pytest.mark.parametrize(
    ("words", "sign", "told"),
    [
        ("takes lisinopril 10 mg daily and has coughed for two days.", "your lips, face or tongue swell", False),
        ("has high blood pressure. Assessment: Hypertension. Plan: Start lisinopril 10 mg daily.", "your lips, face or tongue swell", True),
        ("has coughed for two days. Plan: Start lisinopril 10 mg daily.", "your lips, face or tongue swell", True),
        ("takes lisinopril 10 mg daily and has vomited for two days.", "you throw up or have diarrhea", True),
        ("takes digoxin 125 mcg daily and twisted an ankle.", "yellow rings", False),
        ("has atrial fibrillation and takes digoxin 125 mcg daily. Assessment: Atrial fibrillation.", "yellow rings", True),
        ("takes naproxen 500 mg twice daily and has coughed for two days.", "black like tar", True),
        ("takes naproxen 500 mg twice daily and has coughed for two days.", "less urine", False),
        ("takes insulin glargine 20 units at night and twisted an ankle.", "low sugar makes you pass out", True),
        ("takes insulin glargine 20 units at night and twisted an ankle.", "falls below 70", False),
    ],
)  # fmt: skip
def test_a_medicine_that_goes_on_as_before_is_only_reminded_of(
    container: Container, words: str, sign: str, told: bool
) -> None:
    found = part(
        container.pipeline("leapnote").run(DraftRequest(text=f"Allergies: none\n\nHPI: A 54-year-old woman {words}")),
        HELP,
    )
    assert (sign in found) is told


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("HPI: Diarrhea for two days.\nPMH: asthma.\nAssessment: Gastroenteritis.", False),
        ("HPI: Wheeze and shortness of breath for two days.\nPMH: asthma.\nAssessment: Viral illness.", True),
        ("HPI: Diarrhea for two days.\nAssessment:\n1. Gastroenteritis.\n2. Asthma, needs the inhaler daily.", True),
        ("HPI: Diarrhea for two days.\nAssessment:\n1. Gastroenteritis.\n2. Asthma, well controlled.", False),
    ],
)
def test_an_illness_of_long_warns_where_it_is_of_today_or_shows_today(
    container: Container, note: str, told: bool
) -> None:
    found = part(container.pipeline("leapnote").run(DraftRequest(text=f"Allergies: none\n{note}")), HELP)
    assert ("quick-relief inhaler" in found or "speak in full sentences" in found) is told
