"""Which general sentences are left out for a patient, and which stay."""

import pytest

from backend.schemas.drafts.note import Allergies, LinkedNote, Mention, Note, Patient
from backend.schemas.vocabulary import AllergyStatus, Assertion, Category, SemanticGroup
from backend.verification.fit.general_advice import PatientFit

UNSUITED = {"naproxen": frozenset({"bleeding"}), "warfarin": frozenset({"bleeding"})}
DIABETES = Mention(
    start_char=0, end_char=8, text="diabetes", concept_id="diabetes", name="diabetes", group=SemanticGroup.DISO,
    category=Category.DISEASE, assertion=Assertion.NEGATED, score=1.0,
)  # fmt: skip


def fit(
    sex: str | None = None, age: int | None = None, pregnant: bool | None = None, denied: bool = True
) -> PatientFit:
    mention = DIABETES if denied else DIABETES.model_copy(update={"assertion": Assertion.PRESENT})
    note = Note(text="diabetes", sections=(), mentions=(mention,))
    linked = LinkedNote(
        note=note,
        allergies=Allergies(status=AllergyStatus.NOT_STATED),
        patient=Patient(age=age, sex=sex, pregnant=pregnant),
    )
    return PatientFit(linked, UNSUITED)


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
    text: str, sex: str, age: int, pregnant: bool | None
) -> None:
    assert not fit(sex, age, pregnant).fits(text, (), "")
    assert fit().fits(text, (), "")  # nothing is left out where nothing is known


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
def test_what_is_for_everybody_or_for_this_patient_stays(text: str, sex: str, age: int) -> None:
    assert fit(sex, age).fits(text, (), "")


def test_an_unsuited_medicine_is_not_offered_but_warned_of(*_: object) -> None:
    patient = fit()
    assert not patient.fits("A blood thinner such as warfarin lowers the risk of stroke.", {"warfarin"}, "fibrillation")
    assert patient.fits("Ask your team before you take naproxen.", {"naproxen"}, "fibrillation")
    assert patient.fits("Naproxen can make bleeding worse.", {"naproxen"}, "fibrillation")
    assert patient.fits("Warfarin may go on later.", {"warfarin"}, "bleeding")  # its own chapter knows
    assert not patient.offers("naproxen", "gout")


def test_advice_for_a_disease_that_the_note_denies_is_left_out_and_a_warning_is_not() -> None:
    advice = "Good sugar control helps if you have diabetes."
    assert not fit().fits(advice, {"diabetes"}, "")
    assert fit(denied=False).fits(advice, {"diabetes"}, "")
    assert fit().fits("Call your doctor if you have diabetes and vomit.", {"diabetes"}, "")


def test_after_birth_nothing_is_said_of_a_baby_not_yet_born() -> None:
    born = DIABETES.model_copy(update={"name": "childbirth", "concept_id": "birth", "assertion": Assertion.PRESENT})
    linked = LinkedNote(
        note=Note(text="diabetes", sections=(), mentions=(born,)),
        allergies=Allergies(status=AllergyStatus.NOT_STATED),
        patient=Patient(sex="female"),
    )
    warning = "Call your doctor right away if the baby moves less."
    assert not PatientFit(linked, {}).fits(warning, (), "")
    assert fit("female").fits(warning, (), "")
    assert PatientFit(linked, {}).fits("Call your doctor if your blood pressure is high.", (), "")


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
def test_what_a_wound_or_a_cure_asks_for_is_over_once_it_is_history(text: str, lasts: bool) -> None:
    assert fit().lasts(text) is lasts
