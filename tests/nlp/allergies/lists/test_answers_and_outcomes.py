"""Lists that answer yes or no, tables without a title, titles that name their allergen, and what came of a reaction."""

import pytest

from backend.schemas.record import VerificationStatus
from tests.nlp.fresh import linker


def listed(text: str) -> list[str]:
    record = linker().read(text).record
    assert record is not None
    items = [one for one in record.allergies.items if not one.possible]
    return [one.spans[0].text for one in items if one.verification_status is not VerificationStatus.REFUTED]


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("Allergy to trimethoprim (per daughter): rash", ["trimethoprim"]),
        ("ALLERGIES TO LATEX: None.", []),
        ("Erythromycin YES (vomiting), latex NO, iodine NO", ["Erythromycin"]),
        ("Aspirin YES, warfarin NO, digoxin NO", []),
        ("Allergies:\nLatex   N\nCodeine   Y   (itch)", ["Codeine"]),
        ("Seen today.\nSubstance | Reaction\nCefuroxime | hives\nNickel | eczema\n\nShe takes ramipril.", ["Cefuroxime", "Nickel"]),
        ("Seen today.\nDrug | Dose | Reaction\nRamipril | 5 mg | none", []),
        ("Allergies: codeine (itch). Foods nil. Env: birch.", ["codeine", "birch"]),
        ("Allergies: codeine (itch). Son adds: wasp stings.", ["codeine", "wasp stings"]),
        ("Allergies: prawns yes - cod tolerated.", ["prawns"]),
    ],
)  # fmt: skip
def test_what_is_answered_titled_or_tabled_is_listed(text: str, agents: list[str]) -> None:
    assert listed(text) == agents


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("Allergies: ramipril (cough) -> candesartan", ["ramipril"]),
        ("Allergies: ramipril (cough) -> candesartan gave hives", ["ramipril", "candesartan"]),
        ("Allergies: penicillin (rash) -> avoid cefalexin, latex, eggs", ["penicillin", "latex", "eggs"]),
        ("Allergies: avoid diclofenac, latex", ["diclofenac", "latex"]),
        ("Allergies: contrast (hives). Premed: prednisolone, loratadine.", ["contrast"]),
        ("Allergies: codeine; use latex-free gloves", ["codeine", "latex", "gloves"]),
        ("Allergies: cefaclor. Aztreonam safe per clinic.", ["cefaclor"]),
        ("Allergies: levetiracetam - nightmares/mood, latex", ["levetiracetam", "latex"]),
        ("Allergies: ASA: 1 day of hives", ["ASA"]),
        ("Allergies: cefaclor. Airway: easy. ASA 3.", ["cefaclor"]),
    ],
)
def test_what_came_of_a_reaction_is_no_allergen_unless_it_did_harm_itself(text: str, agents: list[str]) -> None:
    assert listed(text) == agents
