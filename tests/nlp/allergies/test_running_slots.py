"""What running text names beside an allergy, and what is none of it; written for these tests."""

import pytest

from tests.nlp.fresh import linker


def stated(text: str) -> set[str]:
    found = linker().link(text).allergies
    return {one.text.lower() for one in (*found.items, *found.possible)}


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("She is allergic to latex, she tells us, and to chlorhexidine.", {"latex", "chlorhexidine"}),
        ("Cannot take statins: naproxen and codeine both gave hives.", {"statins", "naproxen", "codeine"}),
        ("Heparin-induced thrombocytopenia with a clot in 2019.", {"heparin"}),
        ("Co-amoxiclav 1.2 g IV at 10:15; by 10:20 wheals and stridor.", {"co-amoxiclav"}),
        ("Atorvastatin and pravastatin both caused muscle pain.", {"atorvastatin", "pravastatin"}),
    ],
)
def test_agents_are_found_behind_an_aside_a_colon_a_time_and_inside_a_name(text: str, agents: set[str]) -> None:
    assert agents <= stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "Cultures grew E. coli sensitive to gentamicin.",
        "MRSA resistant to flucloxacillin, sensitive to doxycycline.",
        "Tooth sensitive to sweet things.",
        "Advised not to take ibuprofen with her warfarin.",
        "Transfusion reaction form not needed.",
    ],
)
def test_organisms_teeth_interactions_and_forms_are_no_allergy(text: str) -> None:
    assert stated(text) == set()
