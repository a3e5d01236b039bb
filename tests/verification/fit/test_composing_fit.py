"""What a composer asks before it writes: which general sentences are left out for a patient, and which stay."""

import time

import pytest

from backend.container import Container
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.record import PatientRecord, Person
from backend.verification.fit.fit_check import FitCheck
from backend.verification.fit.patient_fit import PatientFit

UNSUITED = {"naproxen": frozenset({"bleeding"}), "warfarin": frozenset({"bleeding"})}
CACHED_MS = 0.2
"""What a sentence may take that was read before."""


@pytest.fixture(scope="module")
def check(container: Container) -> FitCheck:
    return container.checks.fit


def fit(
    check: FitCheck,
    container: Container,
    sex: str | None = None,
    age: float | None = None,
    pregnant: bool | None = None,
    note: str = "A patient has a cough.",
) -> PatientFit:
    linked = container.linker.read(note)
    person = Person(id="person", age_years=age, sex=sex, pregnant=pregnant)  # type: ignore[arg-type]
    record = (linked.record or PatientRecord()).model_copy(update={"person": person})
    known = LinkedNote(note=linked.note, allergies=linked.allergies, record=record)
    return check.of_patient(known, (), DraftRequest(text=note), UNSUITED)


@pytest.mark.parametrize(
    ("text", "sex", "age", "pregnant"),
    [
        ("Lupus is most common in women between 15 and 45.", "male", 61, None),
        ("Talk with your doctor before pregnancy, because some drugs can harm a baby.", "male", 30, None),
        ("Talk with your doctor before pregnancy, because some drugs can harm a baby.", "female", 70, None),
        ("Vaginal estrogen may help prevent UTI in women after menopause.", "female", 30, None),
        ("Tell your team if you are pregnant, because UTI in pregnancy needs care.", "female", 30, True),
        ("Water pills and prostate pills can lower the blood pressure.", "female", 60, None),
        ("Pregnancy and estrogen pills make gallstones likely, so tell your doctor about both.", "male", 45, None),
        ("Call your doctor if you miss a period or think you may be pregnant.", "male", 40, None),
    ],
)
def test_what_speaks_to_another_sex_age_or_state_is_left_out(
    check: FitCheck, container: Container, text: str, sex: str, age: int, pregnant: bool | None
) -> None:
    assert not fit(check, container, sex, age, pregnant).fits(text, (), "")
    assert fit(check, container).fits(text, (), "")  # nothing is left out where nothing is known


@pytest.mark.parametrize(
    ("text", "sex", "age"),
    [
        ("Call an ambulance (911 in the US) if a seizure happens in water, in pregnancy or with a head injury.", "male", 40),
        ("Women, older people and people with diabetes may have a heart attack with little pain.", "male", 60),
        ("Limit alcohol to no more than 1 drink a day for women or 2 for men.", "female", 60),
        ("Talk with your doctor before pregnancy, because some drugs can harm a baby.", "female", 30),
        ("Stay away from pregnant women, babies and people with weak immunity.", "male", 30),
    ],
)  # fmt: skip
def test_what_is_for_everybody_or_for_this_patient_stays(
    check: FitCheck, container: Container, text: str, sex: str, age: int
) -> None:
    assert fit(check, container, sex, age).fits(text, (), "")


def test_an_unsuited_medicine_is_not_offered_but_warned_of(check: FitCheck, container: Container) -> None:
    patient = fit(check, container)
    assert not patient.fits("A blood thinner such as warfarin lowers the risk of stroke.", {"warfarin"}, "fibrillation")
    assert patient.fits("Ask your team before you take naproxen.", {"naproxen"}, "fibrillation")
    assert patient.fits("Naproxen can make bleeding worse.", {"naproxen"}, "fibrillation")
    assert patient.fits("Warfarin may go on later.", {"warfarin"}, "bleeding")  # its own chapter knows
    assert not patient.offers("naproxen", "gout")


def test_advice_for_a_disease_that_the_note_denies_is_left_out_and_a_warning_is_not(
    check: FitCheck, container: Container
) -> None:
    advice = "Good sugar control helps if you have diabetes."
    denied = fit(check, container, note="A patient has a cough. He denies diabetes.")
    assert not denied.fits(advice, (), "")
    assert fit(check, container, note="A patient has diabetes.").fits(advice, (), "")
    assert denied.fits("Call your doctor if you have diabetes and vomit.", (), "")


def test_of_a_baby_not_yet_born_it_speaks_in_a_pregnancy_alone(check: FitCheck, container: Container) -> None:
    warning = "Call your doctor right away if the baby moves less."
    assert fit(check, container, "female", 30, True).fits(warning, (), "")
    assert not fit(check, container, "female", 30, False).fits(warning, (), "")
    assert not fit(check, container, "female", 30).fits(warning, (), "")  # nothing tells of a pregnancy


@pytest.mark.parametrize(
    ("text", "lasts"),
    [
        ("Keep the knee wound clean and dry until your team says that you can bathe.", False),
        ("Stay away from smoke while your lungs heal from pneumonia.", False),
        ("Use a soft toothbrush while you take a blood thinner.", False),
        ("Look at your feet each day for cuts, blisters or red spots.", True),
        ("Do not smoke, and keep your home free of smoke.", True),
    ],
)
def test_what_a_wound_or_a_cure_asks_for_is_over_once_it_is_history(
    check: FitCheck, container: Container, text: str, lasts: bool
) -> None:
    assert fit(check, container).lasts(text) is lasts


def test_a_sentence_that_was_read_before_costs_next_to_nothing(check: FitCheck, container: Container) -> None:
    texts = [f"{s.text.split('. ')[0]}." for s in container.starter.handbook[:400]]
    patient = fit(check, container, "male", 60)
    for text in texts:
        patient.fits(text, (), "")
    began = time.perf_counter()
    for text in texts:
        patient.fits(text, (), "")
    assert 1000 * (time.perf_counter() - began) / len(texts) < CACHED_MS
