"""Lines of a list of allergies: grades, remedies, dittos, rows that share a reaction, and lines that look like labels."""

import pytest

from backend.schemas.record import AllergyStatement, VerificationStatus
from tests.nlp.fresh import linker


def told(text: str) -> dict[str, AllergyStatement]:
    items = linker().read(text).record.allergies.items
    return {
        one.spans[0].text.lower(): one
        for one in items
        if not one.possible and one.verification_status is not VerificationStatus.REFUTED
    }


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("Allergies: latex (hives).\n\nASA class:  III     Mallampati II", {"latex"}),
        ("ALLERGIES: cats. ASA PS 2.", {"cats"}),
        ("Allergies: PCN hives\nClass 2 obesity\nASA class 3", {"pcn"}),
        ("Allergies: ASA, latex", {"asa", "latex"}),
        ("Allergies: erythromycin - D&V", {"erythromycin"}),
        ("Allergies: shrimp - lip swelling, cleared with Benadryl and epinephrine.", {"shrimp"}),
        ("Allergies: Iodine dye, she had hives.", {"iodine dye"}),
        (
            "Allergies/ADRs\nCodeine – vomiting\nCo-amoxiclav: jaundice 2015 (confirmed by letter)",
            {"codeine", "co-amoxiclav"},
        ),
        ("Allergies: latex - rash\nClindamycin: C diff in 2017", {"latex", "clindamycin"}),
        ("Allergies: latex - rash\nMobility: walks with a frame", {"latex"}),
    ],
)
def test_a_list_keeps_its_things_and_no_grade_or_remedy(text: str, agents: set[str]) -> None:
    assert told(text).keys() == agents


@pytest.mark.parametrize(
    ("text", "agent", "reaction"),
    [
        ("Allergies:\nNaproxen - wheeze\nIbuprofen ditto\nlatex", "ibuprofen", "wheeze"),
        ("Allergies: amoxicillin (rash), cefalexin same", "cefalexin", "rash"),
        ("Allergies\nOxycodone: vomiting\nTramadol: same", "tramadol", "vomiting"),
        ("Allergies: NSAIDs - ulcer. Ditto prednisone.", "prednisone", "ulcer"),
        ("Allergies:\n Zocor, Pravachol -- muscle aches", "zocor", "muscle aches"),
        ("Allergies: latex, codeine - nausea", "latex", ""),
    ],
)
def test_a_ditto_repeats_the_reaction_above_and_members_of_a_class_share_theirs(
    text: str, agent: str, reaction: str
) -> None:
    assert told(text)[agent].reaction == reaction


@pytest.mark.parametrize("text", ["Allergies:\n Peanut -- ? never tested", "Allergies: bee stings -- never tested"])
def test_what_was_never_tested_is_asked(text: str) -> None:
    (one,) = told(text).values()
    assert one.verification_status is VerificationStatus.UNCONFIRMED


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("She was prescribed cefalexin but came out in an itchy rash after two doses.", {"cefalexin"}),
        ("He uses calamine but developed hives anyway.", set()),
        ("She was started on metformin but developed diarrhoea.", set()),
        (
            "He has gout on allopurinol. He says that plasters take his skin off. No other known allergies.",
            {"plasters"},
        ),
        ("He says that plasters take his skin off.", set()),
        ("Allergies: Lipitor - muscle aches.\nPlan: statin intol. Increase rosuvastatin.", {"lipitor"}),
        ("Assessment: Statin intolerant, start ezetimibe.", {"statin"}),
        ("She is intolerant of oral methotrexate (vomiting) but manages the pens.", {"oral methotrexate"}),
    ],
)
def test_what_running_text_tells_of_allergies(text: str, agents: set[str]) -> None:
    assert told(text).keys() == agents


@pytest.mark.parametrize(
    ("text", "against"),
    [
        ("Allergies: Betadine (blisters). NKDA otherwise.", 0),
        ("Allergies: Betadine (blisters). NKDA.", 1),
    ],
)
def test_a_denial_of_the_rest_contradicts_nothing(text: str, against: int) -> None:
    assert len(told(text)["betadine"].contradicted_by) == against


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("Allergies: eggs (hives). Fainted with fentanyl – anesthesia reviewed, unclear.", {"eggs", "fentanyl"}),
        ("Allergies: general anesthesia - malignant hyperthermia", {"general anesthesia"}),
    ],
)
def test_a_service_that_looked_is_no_allergen(text: str, agents: set[str]) -> None:
    assert told(text).keys() == agents
