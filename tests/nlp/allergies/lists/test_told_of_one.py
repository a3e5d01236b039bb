"""What a list tells of one of its entries: that it is doubted or denied, what was given instead, whose else it is, what else it is called."""

from functools import partial

import pytest

from backend.nlp.allergies.read_allergies import read_allergies
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.schemas.record import AllergyStatement, VerificationStatus
from tests.nlp.fresh import linker


def read(text: str) -> list[AllergyStatement]:
    note = parse_note(text)
    mentions = linker().link(text).note.mentions
    found = read_allergies(note, mentions, linker().lookup, partial(read_attributes, note)).record.items
    return [one for one in found if one.verification_status is not VerificationStatus.REFUTED]


@pytest.mark.parametrize(
    ("text", "doubted", "sure"),
    [
        ('Keflex? - blotchy on day 5, flat, no wheeze, GP felt it was "likely fifth disease"', ["Keflex"], []),
        ('?Septrin - spots as a toddler, raised, mum thinks "maybe heat"; latex - hives', ["Septrin"], ["latex"]),
        ("Cefaclor (questionable), latex - hives", ["Cefaclor"], ["latex"]),
        ("Ibuprofen?? - puffy eyes once, happened w/ a cold", ["Ibuprofen"], []),
        ("possible allergy to azithromycin; codeine", ["azithromycin"], ["codeine"]),
        ("penicillin - hives, possibly latex", ["latex"], ["penicillin"]),
        ("wool, maybe nickel", ["nickel"], ["wool"]),
        ("ciprofloxacin (likely tendon rupture)", ["ciprofloxacin"], []),
        ("codeine - ?not a true allergy, nausea. Penicillin - hives", ["codeine"], ["Penicillin"]),
        ("penicillin (per mother, likely in infancy)", [], ["penicillin"]),
        ("Lisinopril - suspected angioedema", [], ["Lisinopril"]),
        ("penicillin - hives, possibly Xylazol", ["Xylazol"], ["penicillin"]),
    ],
)
def test_a_doubted_entry_stays_listed_and_is_unconfirmed(text: str, doubted: list[str], sure: list[str]) -> None:
    found = read(f"Allergies: {text}.\n\nHPI: Cough.")
    asked = [one.spans[0].text for one in found if one.verification_status is VerificationStatus.UNCONFIRMED]
    assert (asked, [one.spans[0].text for one in found if one.spans[0].text not in asked]) == (doubted, sure)


def test_what_is_doubted_in_one_place_and_told_in_another_is_sure() -> None:
    (item,) = read("Allergies: ?penicillin.\n\nHPI: She is allergic to penicillin (hives).")
    assert item.verification_status is VerificationStatus.CONFIRMED


@pytest.mark.parametrize(
    ("text", "denied", "reaction"),
    [
        ("naproxen - takes ibuprofen fine so ?not allergic, heartburn\n latex - hives", "naproxen", "heartburn"),
        ("latex - hives\n diclofenac - tolerates ibuprofen ok so ?not allergic, stomach upset", "diclofenac", "stomach upset"),
        ("penicillin (hives). Erythromycin - says not allergic, just sick", "Erythromycin", "just sick"),
        ("shellfish - lip swelling; aspirin - probably not allergic, reflux", "aspirin", "reflux"),
        ("tramadol - dizzy, not allergic. Bees - anaphylaxis", "tramadol", "dizzy"),
    ],
)  # fmt: skip
def test_not_allergic_said_of_one_entry_speaks_against_that_one_alone(text: str, denied: str, reaction: str) -> None:
    found = read(f"Allergies: {text}.\n\nHPI: Cough.")
    assert len(found) == 2
    assert [(one.spans[0].text, one.reaction) for one in found if one.contradicted_by] == [(denied, reaction)]


def test_not_allergic_said_of_what_is_tolerated_speaks_against_none() -> None:
    assert [one.contradicted_by for one in read("Allergies: latex. Tolerates amoxicillin, not allergic.")] == [()]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("PCN - hives age 6. Got Ancef in OR (tolerated). GBS ppx w/ ancef too", ["PCN"]),
        ("Iodine - blistering. Chlorhexidine prep used this time", ["Iodine"]),
        ("Latex - hives (nitrile gloves used in theatre)", ["Latex"]),
        ("Tape - blisters - paper tape applied instead\nMorphine - itching - hydromorphone used overnight", ["Tape", "Morphine"]),
        ("Bactrim - SJS. Covered with doxycycline here", ["Bactrim"]),
        ("Penicillin - rash; cefazolin used in OR - hives", ["Penicillin", "cefazolin"]),
        ("latex. Covered with doxycycline, broke out", ["latex", "doxycycline"]),
        ("latex, sulfa used to make her ill", ["latex", "sulfa"]),
        ("latex. Prep with Betadine burned her", ["latex", "Betadine burned"]),
        ("Penicillin; neomycin drops used, ear swelled up", ["Penicillin", "neomycin drops"]),
        ("IV iodinated contrast (hives; did OK w/ premed 2022)", ["IV iodinated contrast"]),
    ],
)  # fmt: skip
def test_what_was_used_without_harm_is_no_entry(text: str, items: list[str]) -> None:
    found = read(f"Allergies: {text}.\n\nHPI: Cough.")
    assert [one.spans[0].text for one in found] == items
    assert not any("did" in one.reaction for one in found)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Morphine - confusion. Niece reports egg allergy in the family not the pt", ["Morphine"]),
        ("Codeine (nausea). Daughter says nut allergy runs in the family, not her", ["Codeine"]),
        ("Trimethoprim - rash. Son tells us the shellfish allergy is his, not the patient's", ["Trimethoprim"]),
        ("Latex. Wife mentions peanut allergy in the grandchildren only", ["Latex"]),
        ("Aspirin (wheeze). Husband reports latex allergy in their son, not in the pt", ["Aspirin"]),
        ("Sulfa. Niece reports penicillin allergy, hives", ["Sulfa", "penicillin"]),
        ("Sulfa per daughter, not the patient", ["Sulfa"]),
        ("Family says penicillin, sulfa", ["penicillin", "sulfa"]),
        ("Per wife: codeine (nausea)", ["codeine"]),
        ("Per pt: penicillin; per family: sulfa - hives", ["penicillin", "sulfa"]),
        ("latex. Wife reports penicillin allergy in the chart, hives", ["latex", "penicillin"]),
    ],
)
def test_an_allergy_in_the_family_is_not_the_patient_s(text: str, items: list[str]) -> None:
    found = read(f"Allergies: {text}.\n\nHPI: Cough.")
    assert [one.spans[0].text.removesuffix(" allergy") for one in found] == items


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ('"Mycins" per wife = erythromycin, N/V', [("erythromycin", "N/V")]),
        ('"caines" per pt = lidocaine, palpitations', [("lidocaine", "palpitations")]),
        ('"-cillins" per mum = amoxicillin, diarrhoea', [("amoxicillin", "diarrhoea")]),
        ('"Mycins" - hives', [("Mycins", "hives")]),
        ("Xylazol = rash", [("Xylazol", "rash")]),
        ("sulfa = Bactrim, hives", [("sulfa", "hives"), ("Bactrim", "hives")]),
        (
            '"pain pills" per husband = tramadol, vomiting; latex - rash',
            [("pain pills", "vomiting"), ("tramadol", "vomiting"), ("latex", "rash")],
        ),
    ],
)
def test_a_nickname_gives_way_to_the_name_that_it_stands_for(text: str, items: list[tuple[str, str]]) -> None:
    assert [(one.spans[0].text, one.reaction) for one in read(f"Allergies: {text}.")] == items


@pytest.mark.parametrize(
    ("text", "reaction"),
    [
        ("Nafcillin - likely AIN 8/2023 -- new this admit", "AIN 8/2023"),
        ("Cefepime - encephalopathy 2021 - new this stay", "encephalopathy 2021"),
        ("Ct dye (rash, did well w/ prednisone)", "rash"),
        ("Gadolinium (itching; was fine w/ premed 2020)", "itching"),
        ("Amoxicillin?? - mom says rash day 7", "rash day 7"),
    ],
)
def test_a_reaction_ends_where_something_else_is_told(text: str, reaction: str) -> None:
    assert [one.reaction for one in read(f"Allergies: {text}.\n\nHPI: Cough.")] == [reaction]
