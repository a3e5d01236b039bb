"""Sentences about the patient in everyday words: allergies, and situations that ask for care."""

import pytest

from backend.generation.composer.patient_sentences import allergy_sentences, no_medicines_sentences
from backend.generation.composer.situation_advice import cited, situations, taken
from tests.generation.composer.pasted import cited_texts, material_of


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("penicillin (hives)", ["Your note says that you are allergic to penicillin (reaction: hives)."]),
        ("PENICILLIN", ["Your note says that you are allergic to penicillin."]),
        (
            "codeine (nausea - intolerance, not allergy)",
            ["Your note says that codeine does not agree with you (reaction: nausea)."],
        ),
        ("codeine (nausea)", ["Your note says that codeine does not agree with you (reaction: nausea)."]),
        ("sulfa upsets stomach", ["Your note says that sulfa does not agree with you (reaction: upsets stomach)."]),
        ("statins (nausea)", ["Your note says that statins do not agree with you (reaction: nausea)."]),
        ("Zorbivax", ["Your note says that you are allergic to Zorbivax."]),
        ("ZITHROMAX", ["Your note says that you are allergic to Zithromax."]),
        ("Seasonal allergies", ["Your note says that you have seasonal allergies."]),
        ("seasonal", ["Your note says that you have seasonal allergies."]),
        ('amoxicillin - GP thought it "probably viral"', ["Your note asks whether you are allergic to amoxicillin."]),
        (
            "possible codeine intolerance (nausea)",
            ["Your note asks whether codeine agrees with you (reaction: nausea)."],
        ),
        ("possible penicillin allergy", ["Your note asks whether you are allergic to penicillin."]),
        (
            'codeine "makes me sick"',
            ["Your note says that codeine does not agree with you (reaction: makes you sick)."],
        ),
        (
            'codeine "my face swelled"',
            ["Your note says that you are allergic to codeine (reaction: your face swelled)."],
        ),
        ("codeine - I threw up", ["Your note says that codeine does not agree with you."]),
        (
            "vancomycin - infusion rxn",
            ["Your note says that you are allergic to vancomycin (reaction: infusion reaction)."],
        ),
        ("None known", ["Your note lists no known allergies."]),
        ("NKDA", ["Your note lists no known drug allergies."]),
    ],
)
def test_each_allergy_is_one_sentence_that_cites_the_note(listed: str, said: list[str]) -> None:
    material = material_of(f"Allergies: {listed}\n\nHPI: Cough.")
    found = list(allergy_sentences(material))
    assert [text for text, _ in found] == said
    for _, cites in found:
        (piece,) = cited_texts(material, cites)
        assert listed in piece


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ibuprofen was stopped and is not to be restarted.", "Your note says that you are not to take ibuprofen."),
        ("She was told not to take tramadol again.", "Your note says that you are not to take tramadol."),
        ("She cannot tolerate codeine.", "Your note says that codeine does not agree with you."),
    ],
)
def test_what_is_not_to_be_given_is_told_as_that_and_not_as_an_intolerance(text: str, said: str) -> None:
    assert [told for told, _ in allergy_sentences(material_of(f"HPI: Seizure. {text}"))] == [said]


def test_a_note_that_is_silent_about_allergies_says_nothing() -> None:
    assert list(allergy_sentences(material_of("HPI: Cough."))) == []


def test_only_what_is_taken_at_home_counts_as_taken() -> None:
    text = "HPI: Leg pain.\n\nMedications: warfarin 5 mg daily, furosemide 40 mg daily (stopped)."
    names = {one.concept_id: one.name for one in material_of(text).record.medications}
    assert {names[one] for one in taken(material_of(text)) if one in names} == {"warfarin"}
    assert taken(material_of("HPI: Leg pain.")) == frozenset()


def test_what_the_plan_begins_counts_as_taken_and_what_it_considers_does_not() -> None:
    text = "HPI: High blood pressure.\n\nPlan: start ramipril 5 mg od. Consider carbimazole if thyroid tests are high."
    names = {one.concept_id: one.name for one in material_of(text).record.medications}
    assert {names[one] for one in taken(material_of(text)) if one in names} == {"ramipril"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("HPI: Leg pain.\n\nMedications: warfarin 5 mg daily.", True),
        ("HPI: Leg pain.\n\nMedications: warfarin 5 mg daily (stopped).", False),
        ("HPI: Leg pain.\n\nFamily History: mother takes warfarin.", False),
    ],
)
def test_a_blood_thinner_is_a_situation_only_where_the_patient_takes_it(text: str, found: bool) -> None:
    names = {m.name for one in situations(material_of(text)) for m in one.mentions}
    assert ("warfarin" in names) is found


def test_a_pregnancy_is_cited_where_its_weeks_are_told() -> None:
    material = material_of("HPI: She is pregnant. She is now at 29 weeks. She has a cough.")
    (situation,) = situations(material)
    (piece,) = cited_texts(material, cited(material, situation.mentions))
    assert "pregnant" in piece or "29 weeks" in piece
    assert "cough" not in piece


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("None.", ["Your note says that you take no medicines."]),
        ("Currently taking no medication.", ["Your note says that you take no medicines."]),
        ("None at present", ["Your note says that you take no medicines."]),
        ("Aspirin 81 mg daily.", []),
        ("None of them was brought.", []),
    ],
)
def test_an_empty_list_of_medicines_is_told(listed: str, said: list[str]) -> None:
    material = material_of(f"HPI: Cough.\n\nMEDICATIONS: {listed}\n")
    assert [text for text, _ in no_medicines_sentences(material, "you")] == said


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("PAST MEDICAL HISTORY: Healthy. She is not currently taking any medications.", True),
        ("HPI: A cough. Currently on no medications.", True),
        ("HPI: A cough. She takes no medications for it.", False),
        ("HPI: A cough. Her mother does not take any medications.", False),
        ("HPI: A cough. ALLERGIES: No medications.", False),
    ],
)
def test_a_sentence_of_the_note_tells_that_nothing_is_taken(text: str, found: bool) -> None:
    told = [said for said, _ in no_medicines_sentences(material_of(text), "you")]
    assert told == (["Your note says that you take no medicines."] if found else [])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("HPI: Rash.\n\nMedications: prednisone 10 mg daily.", True),
        ("HPI: Rash.\n\nMedications: hydrocortisone 1% cream daily.", False),
    ],
)
def test_a_medicine_on_the_skin_brings_no_advice_of_one_through_the_body(text: str, found: bool) -> None:
    assert any(one.row.chapter == "systemic glucocorticoid" for one in situations(material_of(text))) is found


@pytest.mark.parametrize(("more", "found"), [("", True), ("\n\nROS: Seizure many years ago, resolved.", False)])
def test_an_illness_that_one_place_of_the_note_tells_over_is_no_situation(more: str, found: bool) -> None:
    chapters = {one.row.chapter for one in situations(material_of(f"HPI: Fall after a seizure.{more}"))}
    assert ("seizure" in chapters) is found


def test_a_letter_of_a_child_speaks_of_the_child_s_allergies() -> None:
    material = material_of("A 6-year-old boy.\n\nAllergies: penicillin (hives)\n\nHPI: Cough.")
    assert [text for text, _ in allergy_sentences(material)] == [
        "The note says that your child is allergic to penicillin (reaction: hives)."
    ]
