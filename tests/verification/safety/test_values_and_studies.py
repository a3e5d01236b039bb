"""Values in other words than eGFR, drug levels, contrast in studies, and what is told as not checked; the shipped knowledge."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.draft import Checks, Flag, Sentence
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis, Severity, Support

HEAD = "Allergies: none\n\nHPI: An 82-year-old woman"


def check(container: Container, note: str) -> tuple[list[Flag], Checks]:
    flags, checks = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), ())
    return [one for one in flags if one.severity is Severity.SEVERE], checks


@pytest.mark.parametrize(
    "told",
    ["creatinine clearance 22 mL/min", "CrCl 26", "CKD stage 4", "stage 4 CKD", "CKD 4", "CKD stage 5", "stage V CKD"],
)
def test_clearance_and_the_stage_of_kidney_disease_count_as_the_egfr(container: Container, told: str) -> None:
    severe, _ = check(container, f"{HEAD} with {told}.\nMedications: dabigatran 150 mg bd")
    assert any(one.medicine == "dabigatran" and one.kind == "contraindication" for one in severe), severe


def test_a_measured_egfr_goes_before_the_stage_and_a_bound_decides_only_what_it_can(container: Container) -> None:
    severe, _ = check(container, f"{HEAD} with CKD stage 4, eGFR 52.\nMedications: dabigatran 110 mg bd")
    assert severe == []
    severe, checks = check(container, f"{HEAD} with CKD stage 3.\nMedications: dabigatran 110 mg bd")
    assert severe == [] and all(one.missing != "eGFR" for one in checks.not_checked)  # 30 to 59 is not below 30


@pytest.mark.parametrize("medicine", ["metformin 500 mg bd", "dabigatran 110 mg bd", "lithium 400 mg nocte"])
def test_a_missing_egfr_is_told_whatever_the_kidneys(container: Container, medicine: str) -> None:
    _, checks = check(container, f"{HEAD} with a cough.\nMedications: {medicine}")
    assert [one.missing for one in checks.not_checked] == ["eGFR"]
    _, checks = check(container, f"{HEAD} with a cough, eGFR 71.\nMedications: {medicine}")
    assert checks.not_checked == ()


def test_a_dose_that_depends_on_the_kidneys_is_in_doubt_for_the_old_alone(container: Container) -> None:
    young = "Allergies: none\n\nHPI: A 30-year-old woman with a cough.\nMedications: amoxicillin 500 mg tds"
    assert check(container, young)[1].not_checked == ()


@pytest.mark.parametrize(
    ("level", "medicine"),
    [
        ("Digoxin level 3.1 ng/mL", "digoxin 125 mcg od"),
        ("Theophylline level 32 mg/L", "theophylline 200 mg bd"),
        ("Phenytoin level 38", "phenytoin 300 mg od"),
        ("Gentamicin trough 4.2 mg/L", "gentamicin 320 mg IV od"),
        ("Vancomycin trough 34", "vancomycin 1 g IV bd"),
        ("Tacrolimus level 28 ng/mL", "tacrolimus 3 mg bd"),
    ],
)
def test_a_toxic_level_speaks_against_its_medicine_alone(container: Container, level: str, medicine: str) -> None:
    severe, _ = check(container, f"{HEAD}. {level}.\nMedications: {medicine}, carbamazepine 200 mg bd")
    assert [one.medicine for one in severe if "level" in one.message] == [medicine.split(maxsplit=1)[0]]
    usual = f"{HEAD}. Digoxin level 1.1. Phenytoin level 12. Vancomycin trough 16. Tacrolimus level 8."
    assert not any("level" in one.message for one in check(container, f"{usual}\nMedications: {medicine}")[0])


@pytest.mark.parametrize(
    ("plan", "flagged"),
    [
        ("CT abdomen with IV contrast.", True),
        ("contrast-enhanced CT chest.", True),
        ("CTPA.", True),
        ("CT coronary angiogram tomorrow.", True),
        ("non-contrast CT abdomen.", False),
        ("CT head without contrast.", False),
        ("MRI brain with gadolinium.", False),
        ("V/Q scan instead of CTPA.", False),
        ("CT head.", False),
    ],
)
def test_a_study_with_contrast_is_compared_with_the_allergy(container: Container, plan: str, flagged: bool) -> None:
    note = f"Allergies: iodinated contrast (anaphylaxis)\n\nHPI: A 60-year-old man with pain.\nPlan: {plan}"
    assert any(one.kind == "allergy_conflict" for one in check(container, note)[0]) is flagged


@pytest.mark.parametrize("episode", ["asthma exacerbation", "adrenal crisis", "myasthenic crisis"])
def test_an_episode_that_is_over_leaves_its_disease(container: Container, episode: str) -> None:
    spoken = {"asthma exacerbation": "propranolol 40 mg bd", "myasthenic crisis": "ciprofloxacin 500 mg bd"}
    note = f"{HEAD} with {episode}, now resolved.\nMedications: {spoken.get(episode, 'amlodipine 5 mg od')}"
    flags, _ = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), ())
    kind = "contraindication" if episode in spoken else "untreated"
    assert any(one.kind == kind and one.severity is not Severity.INFO for one in flags), flags


@pytest.mark.parametrize(
    ("medicine", "condition"),
    [
        ("misoprostol 200 mcg bd", "who is 12 weeks pregnant"),
        ("semaglutide 1 mg weekly", "with medullary thyroid cancer"),
        ("azathioprine 100 mg od", "with TPMT deficiency"),
        ("deferasirox 1 g od", "with eGFR 32"),
        ("haloperidol 1 mg od", "with Lewy body disease"),
    ],
)
def test_what_is_never_given_is_a_severe_flag(container: Container, medicine: str, condition: str) -> None:
    note = f"Allergies: none\n\nHPI: A 34-year-old woman {condition}.\nMedications: {medicine}"
    assert [one.medicine for one in check(container, note)[0] if one.kind == "contraindication"] == [
        medicine.split(maxsplit=1)[0]
    ]


@pytest.mark.parametrize("dose", ["Bisoprolol 250 od", "Levothyroxine 1000 od", "amitriptyline 800 nocte"])
def test_a_dose_without_a_unit_is_held_to_the_range(container: Container, dose: str) -> None:
    severe, _ = check(container, f"{HEAD}.\nMedications: {dose}")
    assert ["without a unit" in one.message for one in severe if one.kind == "dose"] == [True]


def test_a_dose_whose_unit_nobody_can_tell_is_listed(container: Container) -> None:
    _, checks = check(container, f"{HEAD}, eGFR 80.\nMedications: paracetamol 2 qds")
    assert [one.missing for one in checks.not_checked] == ["unit of the dose"]


def test_a_medicine_in_the_plain_words_of_a_disease_is_none_of_the_draft(container: Container) -> None:
    note = (
        "Allergies: none\n\nHPI: A 60-year-old man with heparin-induced thrombocytopenia.\nPlan: argatroban infusion."
    )
    plain = "You had heparin-induced thrombocytopenia (low platelets and clots caused by heparin)."
    linked = container.linker.link(note)
    said = Sentence(section="Why you came", text=plain, start_char=0, end_char=len(plain), basis=Basis.PATIENT)
    flags, _ = container.safety.check(DraftRequest(text=note), linked, (), (said,))
    assert not any(one.kind == "interaction" and "heparin" in one.message for one in flags), flags


def test_to_name_a_medicine_is_not_to_say_that_it_is_taken(container: Container) -> None:
    note = "Allergies: none\n\nHPI: A 60-year-old man. He asked about sildenafil; advised not to use it."
    told = {"You asked about sildenafil.": False, "You take sildenafil daily.": True}
    for text, flagged in told.items():
        said = Sentence(
            section="Why you came",
            text=text,
            start_char=0,
            end_char=len(text),
            basis=Basis.PATIENT,
            support=Support.SUPPORTED,
        )
        flags, _ = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), (said,))
        assert ("negated_asserted" in {one.kind for one in flags}) is flagged, text
