"""Flags of the shipped knowledge on short synthetic notes: what a pharmacist would raise, and what would be noise."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity

HEAD = "Allergies: none\n\nHPI: A 60-year-old woman"


def flags(container: Container, note: str, kind: str) -> list[Flag]:
    found, _ = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), ())
    return [flag for flag in found if flag.kind == kind]


@pytest.mark.parametrize(
    ("problems", "medicine", "reasons"),
    [
        (
            "heart failure, ejection fraction 30%, coronary artery disease and prior CABG",
            "ibuprofen",
            ["heart failure", "reduced ejection fraction", "coronary artery disease", "coronary artery bypass"],
        ),
        ("gross hematuria", "naproxen", ["hematuria", "bleeding"]),
        ("acute kidney injury, eGFR 16", "metformin", ["acute kidney injury", "eGFR 16"]),
    ],
)
def test_all_that_speaks_against_one_medicine_is_one_flag_with_every_reason(
    container: Container, problems: str, medicine: str, reasons: list[str]
) -> None:
    found = flags(container, f"{HEAD} with {problems}. She takes {medicine}.", "contraindication")
    (flag,) = [one for one in found if one.severity != Severity.INFO]
    assert all(reason in flag.message for reason in reasons), flag.message


def test_a_dose_limit_beside_another_medicine_is_told_by_the_pair_alone(container: Container) -> None:
    note = f"{HEAD}. She takes simvastatin 40 mg daily and amlodipine 5 mg daily."
    assert len(flags(container, note, "interaction")) == 1
    assert flags(container, note, "dose") == []
    assert flags(container, f"{HEAD}. She takes simvastatin 800 mg daily and amlodipine 5 mg daily.", "dose")


@pytest.mark.parametrize("medicine", ["metformin", "naproxen", "dabigatran"])
def test_dialysis_speaks_against_what_failed_kidneys_cannot_take(container: Container, medicine: str) -> None:
    note = f"{HEAD} with end stage renal disease on hemodialysis. She takes {medicine}."
    (flag,) = flags(container, note, "contraindication")
    assert flag.severity == Severity.SEVERE
    assert flag.message.startswith(f"{medicine} in the note should not be used with chronic kidney disease")


def test_a_limit_of_the_kidneys_without_their_value_is_not_checked_and_never_fires(container: Container) -> None:
    note = f"{HEAD} with chronic kidney disease. She takes metformin."
    assert flags(container, note, "contraindication") == []
    _, checks = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), ())
    assert ("metformin", "eGFR") in {(one.medicine, one.missing) for one in checks.not_checked}
    told = flags(container, f"{HEAD} with chronic kidney disease, eGFR 24. She takes metformin.", "contraindication")
    assert told and all("eGFR 24" in flag.message for flag in told)


@pytest.mark.parametrize(
    ("words", "flagged"),
    [
        ("with hyperkalemia, potassium 6.1. She takes spironolactone", True),
        ("with resolved hyperkalemia, potassium 4.2. She takes spironolactone", False),
        ("whose mother has asthma. She takes propranolol", False),
        ("with possible asthma. She takes propranolol", False),
        ("with renal failure on dialysis. She takes lisinopril", False),
    ],
)
def test_only_what_the_patient_has_now_speaks_against_a_medicine(
    container: Container, words: str, flagged: bool
) -> None:
    found = [
        one for one in flags(container, f"{HEAD} {words} daily.", "contraindication") if one.severity != Severity.INFO
    ]
    assert bool(found) is flagged, found
    assert not any("acute kidney injury" in one.message for one in found)


@pytest.mark.parametrize(
    "words",
    [
        "with acute ischemic stroke, given alteplase",
        "with preeclampsia at 34 weeks of pregnancy. She takes nifedipine",
        "with acute myocardial infarction. She was given nitroglycerin and aspirin 325 mg",
        "who is 20 weeks pregnant. She takes aspirin 81 mg daily",
        "with a coronary stent. She takes aspirin 81 mg daily and clopidogrel 75 mg daily",
        "on prednisone 40 mg daily. She had BCG in childhood",
    ],
)
def test_standard_care_raises_no_alarm(container: Container, words: str) -> None:
    note = f"{HEAD} {words}."
    found = [*flags(container, note, "contraindication"), *flags(container, note, "interaction")]
    assert [one.message for one in found if one.severity != Severity.INFO] == []


def test_an_inhaler_with_its_steroid_is_right_in_asthma_and_without_it_is_not(container: Container) -> None:
    for medicine, wrong in (("budesonide-formoterol", False), ("salmeterol", True)):
        note = f"{HEAD} with asthma. She takes {medicine}."
        assert bool(flags(container, note, "contraindication")) is wrong


def test_a_vitamin_against_side_effects_is_no_conflict(container: Container) -> None:
    assert flags(container, f"{HEAD}. She takes methotrexate and folic acid.", "interaction") == []
    assert flags(container, f"{HEAD}. She takes methotrexate and ibuprofen.", "interaction")


def test_aspirin_for_the_heart_is_no_wrong_dose(container: Container) -> None:
    assert flags(container, f"{HEAD}.\n\nHome medications: aspirin 81 mg daily", "dose") == []
    assert flags(container, f"{HEAD}.\n\nHome medications: aspirin 8100 mg daily", "dose")


def test_a_nitrate_beside_an_erection_pill_is_severe(container: Container) -> None:
    (flag,) = flags(container, f"{HEAD}. She takes sildenafil and nitroglycerin.", "interaction")
    assert flag.severity == Severity.SEVERE


@pytest.mark.parametrize(
    ("two", "said"),
    [
        ("fluoxetine and citalopram", "both belong to: SSRI"),
        ("ibuprofen and naproxen", "both belong to: non-aspirin NSAID"),
        ("acetaminophen and hydrocodone-acetaminophen", "both contain acetaminophen"),
    ],
)
def test_two_of_one_class_are_a_mistake_until_someone_has_looked(container: Container, two: str, said: str) -> None:
    (flag,) = flags(container, f"{HEAD}. She takes {two}.", "interaction")
    assert said in flag.message


@pytest.mark.parametrize("listed", ["metoprolol succinate 50 mg daily", "metoprolol tartrate 25 mg twice daily"])
def test_a_tablet_is_not_held_to_the_dose_by_vein(container: Container, listed: str) -> None:
    assert flags(container, f"{HEAD}.\n\nHome medications: {listed}", "dose") == []


@pytest.mark.parametrize(
    ("listed", "flagged"),
    [("aspirin 81 mg daily", False), ("baby aspirin", False), ("aspirin 650 mg", True), ("ibuprofen", True)],
)
def test_aspirin_at_the_dose_against_clots_is_no_painkiller_in_heart_failure(
    container: Container, listed: str, flagged: bool
) -> None:
    found = flags(container, f"{HEAD} with heart failure.\n\nHome medications: {listed}", "contraindication")
    assert bool([f for f in found if "heart failure" in f.message]) is flagged


def test_aspirin_against_clots_is_flagged_while_the_bowel_bleeds(container: Container) -> None:
    note = f"{HEAD} with gastrointestinal bleeding.\n\nHome medications: aspirin 81 mg daily"
    assert flags(container, note, "contraindication")


def test_what_the_document_is_about_is_not_called_missed(container: Container) -> None:
    note = container.linker.link(f"{HEAD} with ripping chest pain through to the back, syncope, BP 210/110.")
    conditions = container.ranker.rank(note, DraftRequest(text=note.note.text))
    (lead,) = [c for c in conditions if c.focus and c.must_not_miss]
    found, _ = container.safety.check(DraftRequest(text=note.note.text), note, conditions, ())
    (flag,) = [f for f in found if f.kind == "must_not_miss"]
    assert lead.name not in flag.message


def test_what_holds_for_newborns_alone_is_no_flag_of_an_adult(container: Container) -> None:
    note = f"{HEAD} with bilirubin 7.4. She takes ceftriaxone."
    assert not [f for f in flags(container, note, "contraindication") if "newborns" in f.message]


@pytest.mark.parametrize("told", ["who vomited over the last days", "who wants full treatment"])
def test_comfort_is_the_goal_only_where_the_note_says_so(container: Container, told: str) -> None:
    note = f"{HEAD} {told}. She takes morphine 10 mg twice daily and lorazepam 1 mg daily."
    assert [flag.severity for flag in flags(container, note, "interaction")] == [Severity.WARNING]


@pytest.mark.parametrize("medicine", ["codeine 30 mg", "tramadol 50 mg"])
def test_what_children_must_never_have_is_still_looked_at_in_adults(container: Container, medicine: str) -> None:
    found = flags(container, f"{HEAD} with obstructive sleep apnea. She takes {medicine} daily.", "contraindication")
    assert Severity.WARNING in {flag.severity for flag in found}


@pytest.mark.parametrize(
    "told",
    [
        "Discussed ibuprofen; not to take it while on apixaban.",
        "She asked about naproxen: not to take it with her apixaban.",
        "Advised not to take ibuprofen with apixaban.",
        "GI bleed 2011 on naproxen, treated; naproxen never again.",
    ],
)
def test_what_she_is_told_not_to_take_is_held_against_nothing_and_is_no_allergy(
    container: Container, told: str
) -> None:
    note = f"Allergies: none\n\nHPI: A 71-year-old woman takes apixaban 5 mg twice daily. {told}"
    found, _ = container.safety.check(DraftRequest(text=note), container.linker.read(note), (), ())
    raised = [(flag.kind, flag.message) for flag in found if flag.severity is not Severity.INFO]
    assert [one for one in raised if one[0] == "interaction"] == []
    if "2011" not in told:
        assert [one for one in raised if one[0] == "allergy_possible"] == []


def test_a_rule_of_when_not_to_take_it_leaves_a_medicine_taken(container: Container) -> None:
    note = (
        "Allergies: none\n\nHPI: A 71-year-old woman takes warfarin 3 mg daily and ibuprofen 400 mg three times daily, never to take it "
        "on an empty stomach."
    )
    found, _ = container.safety.check(DraftRequest(text=note), container.linker.read(note), (), ())
    assert [flag.severity for flag in found if flag.kind == "interaction"] == [Severity.SEVERE]


@pytest.mark.parametrize(
    ("told", "severe"),
    [
        ("K haemolysed 6.7, repeat 4.2.", 0),
        ("Potassium was haemolysed at 6.7; repeat 6.8.", 1),
        ("K (hemolyzed) 6.7.", 0),
        ("Potassium 6.7.", 1),
    ],
)
def test_a_spoilt_sample_gives_way_to_the_repeat(container: Container, told: str, severe: int) -> None:
    note = f"Allergies: none\n\nHPI: A 68-year-old man takes ramipril 5 mg daily. {told}"
    found, _ = container.safety.check(DraftRequest(text=note), container.linker.read(note), (), ())
    assert sum(f.severity is Severity.SEVERE for f in found if f.kind == "contraindication") == severe
