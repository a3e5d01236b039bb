"""What running text tells of medicines that is no allergy, and what is one; written for these tests."""

import pytest

from tests.nlp.fresh import linker


@pytest.mark.parametrize(
    "text",
    [
        "Metformin stopped, eGFR 24.",
        "Off warfarin since the bleed, on apixaban 5 bd.",
        "Hold ACE inhibitor while creatinine up.",
        "No NSAIDs, kidneys.",
        "She cannot afford Eliquis so went back to warfarin.",
        "Diltiazem stopped (heart rate 44).",
        "Bisoprolol held - bradycardic in ED.",
        "Do not give aspirin with the apixaban.",
        "Clopidogrel must not be stopped for a year after the stent.",
        "Not to have steroids before the biopsy.",
        "Refuses statins after reading about them.",
        "He does not take his furosemide on clinic days because he has to pee on the bus.",
        "Gave up alcohol because of pancreatitis.",
        "Lithium toxicity after ibuprofen was added.",
        "Prednisone keeps her up at night but she stays on it.",
        "Insulin caused two hypos last month, dose cut.",
        "Oramorph made her sleepy as expected, pain better.",
        "Amiodarone thyroid, now on thyroxine.",
        "Avoid contrast if possible, CKD.",
        "No heparin before neurosurgery sees her.",
        "Chemo held due to neutropenia.",
        "Methotrexate held for infection.",
        "Tamsulosin stopped - dizzy on standing.",
        "Digoxin level 2.8, vomiting, digoxin held.",
        "Was on citalopram, stopped as sodium 124.",
        "He had ten days of doxycycline without help; cough persists.",
        "Penicillin V 500 qds for strep; rash on trunk sandpaper like present before first dose.",
        "Ran out of gabapentin, tingling back.",
        "Never had iron infusions; not keen on blood (Jehovah's Witness).",
        "Cannot swallow tablets, give liquid paracetamol.",
        "Steroid cream to the itchy patches, better.",
        "Ibuprofen on hold until the ulcer heals.",
        "Keppra changed to lacosamide for irritability.",
        "Avoid grapefruit with simvastatin.",
        "Do not use left arm, fistula.",
        "Alcohol wipes sting the open wound.",
        "BP drops with nitro in EMS; fluids.",
        "Warned not to take ibuprofen while on lithium.",
        "Told by cardiology to avoid decongestants.",
        "Peanut butter sandwich for lunch, choked.",
        "He cannot take metformin without food.",
        "She can't get to the shop for her aspirin.",
        "She had a bad reaction to the insertion of the cannula.",
        "He HIT the wall and was given heparin.",
    ],
)
def test_what_a_note_says_of_its_medicines_is_no_allergy(text: str) -> None:
    allergies = linker().link(f"HPI: {text}\n\nALLERGIES: Latex.").allergies
    assert ([item.text for item in allergies.items], allergies.possible) == (["Latex"], ())


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("45 yo male with back pain no numbness allergic to pcn takes ibuprofen", "pcn"),
        (
            "6 y/o F, fell off trampoline. No drug allergies, but allergic to strawberries - hives. UTD on shots.",
            "strawberries",
        ),
        ("HPI: He avoids aspirin because of hives.", "aspirin"),
        ("Codeine upsets her stomach and she prefers acetaminophen.", "codeine"),
        ("Pharmacy note: metformin IR not tolerated (diarrhea); XR 500 mg daily tolerated.", "metformin"),
        (
            "She was given haloperidol and went rigid. The family know that she is never to have it again.",
            "haloperidol",
        ),
        ("48F back pain, no nsaids 2/2 hives, tylenol given.", "nsaids"),
        ("DIET: no dairy, lactose intolerant.", "lactose"),
        ("HPI: He took Dilantin for a few months. His wife says he had a rash all over from it.", "dilantin"),
        ("MEDS: Lamotrigine - rash 2020, not to be tried again.", "lamotrigine"),
        ("HPI: Sulphasalazine in the past brought her out in a rash.", "sulphasalazine"),
        ("HPI: He cannot take naproxen without getting heartburn.", "naproxen"),
        ("HPI: HIT after heparin in 2016.", "heparin"),
        ("HPI: Peach: mouth rash at two, cooked peach tolerated.", "peach"),
    ],
)
def test_what_a_note_states_outright_is_listed(text: str, agent: str) -> None:
    assert agent in [item.text.lower() for item in linker().link(text).allergies.items]


def test_an_ill_that_grew_right_after_a_medicine_is_a_question_whatever_the_list_denies() -> None:
    allergies = (
        linker()
        .link("HPI: Took two Nurofen about 2pm and it got a lot worse within the hour.\n\nALLERGIES: NKDA.")
        .allergies
    )
    assert [one.text for one in allergies.possible] == ["Nurofen"]


def test_a_side_effect_is_a_question_only_where_the_note_does_not_answer_for_its_allergies() -> None:
    text = "HPI: Tramadol was stopped for nausea and dizziness."
    assert linker().link(text).allergies.possible
    assert linker().link(f"{text}\n\nALLERGIES: NKDA.").allergies.possible == ()
