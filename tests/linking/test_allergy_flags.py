"""Possible allergies in the words of many voices: what is tied to a medicine, and what is only told beside it."""

import pytest

from tests.linking.fresh import linker

FLAGGED = [
    ("Please do not put Elastoplast on Doris's legs again, her skin blistered under it.", "elastoplast"),
    ("Arrested in the anaesthetic room, one minute after teicoplanin.", "teicoplanin"),
    ("Collapsed at induction; skin testing named atracurium as the cause.", "atracurium"),
    ("Phenytoin was abandoned for fever and rash, and carbamazepine likewise for a rash.", "carbamazepine"),
    ("Platelets fell to 40 on heparin, changed to argatroban and then apixaban.", "heparin"),
    ("Ceclor at four years old: joints puffy, purple rash.", "ceclor"),
]


@pytest.mark.parametrize(("text", "name"), FLAGGED, ids=lambda cell: cell[:40])
def test_what_may_have_had_an_effect_is_flagged_or_listed(text: str, name: str) -> None:
    read = linker().link(text).allergies
    assert name in [one.text.lower() for one in (*read.items, *read.possible)]


NOT_FLAGGED = [
    ("Discussed the common side effects of sertraline, including nausea and rarely rash.", "sertraline"),
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
