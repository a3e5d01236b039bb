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
        ("Allergic to latex (hives), and, per her son, iodine.", {"latex", "iodine"}),
        ("NSAID intolerant x2: ibuprofen, naproxen.", {"ibuprofen", "naproxen"}),
        ("Lactose- and fructose-intolerant.", {"lactose", "fructose"}),
        ("Carries two EpiPens for peanuts.", {"peanuts"}),
        ("Had a horrible experience with ketamine.", {"ketamine"}),
        ("Specific IgE raised to hazelnut.", {"hazelnut"}),
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


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("Epilepsy. Topiramate tried 2018: aggression. Now on lamotrigine.", {"topiramate"}),  # behind a colon
        ("Iron infusion March 2020 \u2013 hives, abandoned.", {"iron"}),  # behind a dash
        ("NKDA. Nickel rash.", {"nickel"}),  # beside it, and the note answers for its medicines
        ("Her eczema is worse each time she takes doxycycline.", {"doxycycline"}),
    ],
)
def test_a_reaction_beside_its_agent_needs_no_verb(text: str, agents: set[str]) -> None:
    assert stated(text) == agents


@pytest.mark.parametrize(
    "text",
    [
        "NKDA. Cetirizine: rash settled.",
        "Opioid-induced constipation, macrogol added.",
        "An adrenaline pen for nuts was prescribed to her sister.",
        "Adverse reaction to redundancy, low mood.",
    ],
)
def test_a_remedy_what_is_expected_and_what_is_somebody_else_s_is_no_reaction(text: str) -> None:
    assert stated(text) == set()
