"""Possible allergies in the words of many voices: what is tied to a medicine, and what is only told beside it."""

import pytest

from tests.nlp.fresh import allergies, linker

FLAGGED = [
    ("Please do not put Elastoplast on Doris's legs again, her skin blistered under it.", "elastoplast"),
    ("Arrested in the anaesthetic room, one minute after teicoplanin.", "teicoplanin"),
    ("Collapsed at induction; skin testing named atracurium as the cause.", "atracurium"),
    ("Phenytoin was abandoned for fever and rash, and carbamazepine likewise for a rash.", "carbamazepine"),
    ("Platelets fell to 40 on heparin, changed to argatroban and then apixaban.", "heparin"),
    ("Ceclor at four years old: joints puffy, purple rash.", "ceclor"),
    ("Hives over the trunk this morning. Bactrim stopped.", "bactrim"),
    ("NO MORPHINE - respiratory arrest in 2011.", "morphine"),
    ("Could not continue rifampicin: jaundice in the third week.", "rifampicin"),
    ("Diclofenac after the operation: acute asthma.", "diclofenac"),
    ("Phenytoin 2014 - rash.", "phenytoin"),
    ("Flushed and a feeling of doom as the ceftriaxone went in.", "ceftriaxone"),
    ("Runny nose and a tight chest within half an hour of aspirin.", "aspirin"),
    ("Tried Wellbutrin for smoking: a seizure on day 10.", "wellbutrin"),
    (
        "Was put on Macrobid; three days in, a cough and a fever; told it was the lung, do not take it again.",
        "macrobid",
    ),
    ("No prawns since they landed her in resus.", "prawns"),
    ("The anaesthetist told her that she must never have suxamethonium.", "suxamethonium"),
    ("Vancomycin-associated DRESS last year.", "vancomycin"),
    (
        "Was started on nitrofurantoin. She took it for a week. She then became breathless, which cleared when it was withdrawn.",
        "nitrofurantoin",
    ),
    ("I cannot do Benadryl, it winds me up.", "benadryl"),
    ("A red sticker on the chart: NO SULFA. He recalls blisters.", "sulfa"),
    ("Pioglitazone stopped on account of oedema.", "pioglitazone"),
    ("Asked that we do not use the nitrile gloves, her hands come up red with them.", "nitrile gloves"),
    ("She blames the fentanyl patch for the raw square on her back.", "fentanyl patch"),
    ("Sulfasalazine in 2020, white count 1.1, stopped, recovered.", "sulfasalazine"),
]


@pytest.mark.parametrize(("text", "name"), FLAGGED, ids=lambda cell: cell[:40])
def test_what_may_have_had_an_effect_is_flagged_or_listed(text: str, name: str) -> None:
    read = linker().link(text).allergies
    assert name in [one.text.lower() for one in (*read.items, *read.possible)]


NOT_FLAGGED = [
    ("Discussed the common side effects of sertraline, including nausea and rarely rash.", "sertraline"),
    ("Took forty paracetamol and vomited twice.", "paracetamol"),
    ("Peanut butter for lunch. Then fell off the swing and has facial swelling.", "peanut butter"),
    ("Penicillin V for scarlet fever: rash fading on day 4.", "penicillin v"),
    ("Acetaminophen did not help, and she sees spots.", "acetaminophen"),
    ("Sore arm for a day after the tetanus booster.", "tetanus booster"),
    ("Her dog swelled up after a bee sting. She herself is well.", "bee sting"),
    ("Mother of three, the youngest has an egg allergy.", "egg"),
    ("Started azithromycin for bronchitis. Today the cough is worse with a wheeze.", "azithromycin"),
    ("Benadryl did not touch the itching.", "benadryl"),
    ("Leg oedema of her heart failure, gone on bumetanide.", "bumetanide"),
    ("He asked about ibuprofen: not to take it with his warfarin.", "ibuprofen"),
    ("Takes rivaroxaban: never to have it on an empty stomach.", "rivaroxaban"),
    ("Unable to tolerate fluids this morning.", "fluids"),
    ("Choked on a peanut at a party and went blue.", "peanut"),
    ("Advised to avoid soft cheese, liver and raw egg in pregnancy.", "cheese"),
    ("Platelets fell to 40 on heparin, changed to argatroban and then apixaban.", "apixaban"),
    ("Infusion stopped, hydrocortisone and chlorphenamine given with good effect.", "hydrocortisone"),
    ("Paper tape leaves red welts, wants Coban only.", "coban"),
    ("She has had no help with the headaches from over-the-counter analgesics.", "analgesics"),
    ("Please do not put Elastoplast on Doris's legs again, her skin blistered under it.", "doris"),
]


@pytest.mark.parametrize(("text", "name"), NOT_FLAGGED, ids=lambda cell: cell[:40])
def test_what_had_no_effect_is_neither_flagged_nor_listed(text: str, name: str) -> None:
    read = linker().link(text).allergies
    assert name not in [one.text.lower() for one in (*read.items, *read.possible)]


def test_allergies_that_another_writer_told_are_listed_or_flagged_and_little_else_is() -> None:
    read = allergies("24")
    wanted = [one for one in read if one.meant == "listed"]
    others = [one for one in read if one.meant != "listed"]
    assert (len(wanted), len(others)) == (74, 46)
    assert sum(len(one.unhinted) for one in wanted) <= 3
    assert sum(bool(one.hints or one.extra) for one in others) <= 2


def test_bodies_that_another_writer_wrote_lose_at_most_one_allergen() -> None:
    read = allergies("25")
    assert len(read) == 50
    assert sum(len(one.unhinted) for one in read) <= 1
    assert sum(one.meant == one.read for one in read) >= 46
