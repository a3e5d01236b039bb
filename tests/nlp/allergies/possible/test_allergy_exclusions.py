"""What stands beside a medicine and is no reaction to it; and what is one although the words are roundabout."""

import pytest

from tests.nlp.fresh import linker


def suspected(text: str) -> set[str]:
    read = linker().link(text).allergies
    return {one.text.lower() for one in (*read.items, *read.possible)}


@pytest.mark.parametrize(
    "text",
    [
        # given to everybody, or all around us
        "Given NS bolus, then BP dropped to 80.",
        "Asthma worse because of the pollen.",
        "Vomiting after a night of etoh.",
        # what it treats
        "Iron deficiency anemia, on iron.",
        "COPD on Spiriva, prednisone taper.",
        "Was treated for pneumonia with piperacillin-tazobactam.",
        "Chest pain relieved by nitroglycerin. He had been sweating.",
        # what may happen, or was too much of it
        "Started on montelukast, which could also cause anxiety.",
        "Confusion secondary to a high dose of oxycodone.",
        "Medication overuse headache from daily ibuprofen.",
        # home medicines and what somebody comes with
        "She presents with a rash on both shins. She takes lisinopril and metformin at home. The rash looks like stasis dermatitis.",
        # stopped for a reason of its own
        "She stopped the iron tablets because the box was empty. She is tired and short of breath.",
        "Cannot take ibuprofen because of her kidney disease.",
        "Stop aspirin before the procedure because of the bleeding risk.",
        # what it does to many
        "Bruises easily on apixaban.",
        "Black stools since the iron tablets began.",
        "Started carbamazepine. Told to stop it and call should a rash come up.",
        "Shingles on the flank, on aciclovir day 4, blisters crusting.",
        "She takes metformin as prescribed, but her glucose has been elevated.",
        "Paracetamol failed to improve the headaches.",
        "She is wheezy and uses Ventolin every four hours.",
        "Amoxicillin was given in the morning. She has swollen ankles and a sore arm.",
        "Still breathless in spite of furosemide.",
        "Mobic was given. We will refer her to the pain clinic.",
        "Return at once for hives on the new antibiotic.",
        "Penicillin allergy: skin tests and a supervised challenge with amoxicillin were both negative.",
    ],
)
def test_what_only_stands_beside_a_medicine_is_no_hint(text: str) -> None:
    assert suspected(text) == set()


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("Hives with Keflex, so doxycycline was used.", "Keflex"),
        (
            "History: rash with cephalexin (day 4, maculopapular). Since then aztreonam, meropenem twice tolerated without reaction.",
            "cephalexin",
        ),
        ("Anaphylaxis with ceftriaxone (hence meropenem).", "ceftriaxone"),
    ],
)
def test_what_was_given_from_then_on_is_no_cause(text: str, listed: str) -> None:
    read = linker().link(text).allergies
    assert [one.text for one in read.items] == [listed]
    assert read.possible == ()


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("She came out in a rash, so amoxicillin was stopped.", "amoxicillin"),
        ("The face swelled, so lisinopril has been held.", "lisinopril"),
        ("Hives appeared, then Bactrim was discontinued.", "bactrim"),
    ],
)
def test_what_was_ended_for_a_reaction_is_asked_about(text: str, agent: str) -> None:
    assert agent in suspected(text)


@pytest.mark.parametrize(
    ("text", "causes"),
    [
        ("He took one ibuprofen and within half an hour he could not get his breath.", {"ibuprofen"}),
        ("She was given dipyrone and her tongue swelled.", {"dipyrone"}),
        ("Patch testing was positive to nickel and neomycin.", {"nickel", "neomycin"}),
        ("My lips swell if I eat cashews.", {"cashews"}),
        ("He developed neuroleptic malignant syndrome after haloperidol.", {"haloperidol"}),
        ("Day 3 of Keflex. Broke out in hives this morning.", {"keflex"}),
        ("A rash on carbamazepine and the same happened on phenytoin.", {"carbamazepine", "phenytoin"}),
        ("A rash came out while she was on minocycline.", {"minocycline"}),
        (
            "He could not breathe. He has now had the same thing twice with paclitaxel and it was stopped.",
            {"paclitaxel"},
        ),
        ("He says that Mum was given Septrin and her skin peeled off.", {"septrin"}),
        ("His ankles swelled on amlodipine, so it was stopped.", {"amlodipine"}),
        ("A rash began after the third dose of amoxicillin; now on ciprofloxacin and metronidazole.", {"amoxicillin"}),
        (
            "She was given haloperidol and went rigid. The family know that she is never to have it again.",
            {"haloperidol"},
        ),
        ("Becomes very muddled when given tramadol.", {"tramadol"}),
        ("Cannot take heparin because of low platelets.", {"heparin"}),
        ("Sertraline made her suicidal and citalopram did exactly the same.", {"sertraline", "citalopram"}),
        ("Apixaban was stopped because of bruising all over.", {"apixaban"}),
    ],
)
def test_a_roundabout_reaction_is_listed_or_hinted_at(text: str, causes: set[str]) -> None:
    assert suspected(text) == causes


@pytest.mark.parametrize(
    "text",
    [
        # it is only to be taken
        "We will start her on naproxen to bring the swelling down, and she can use ice.",
        "I put her arm in a sling and will prescribe some etodolac.",
        # what it is for
        "I have prescribed celecoxib 200 mg once a day to treat the pain and swelling of the knee.",
        "He has been taking pregabalin, which he says is helping control his pain.",
        "She keeps forgetting her blood pressure tablets. She has noticed that her blood pressure goes up at work.",
        # a way of eating
        "We discussed that continuing to follow a healthy diet makes her feel better.",
        "She could try keeping a food diary to log her diet and her blood pressure readings.",
        # what may come
        "I counseled him on the risks associated with high testosterone levels and its lack of evidence.",
    ],
)
def test_what_is_to_come_or_meant_is_no_hint(text: str) -> None:
    assert suspected(text) == set()


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("We will give her tramadol again, which made her vomit.", "tramadol"),
        ("I will not prescribe codeine because it made him vomit.", "codeine"),
        ("I will order a course of doxycycline. She vomited on doxycycline last year.", "doxycycline"),
    ],
)
def test_what_came_before_is_asked_about_although_it_is_to_be_taken(text: str, agent: str) -> None:
    assert agent in suspected(text)
