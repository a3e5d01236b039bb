"""Lists as records print them: leaders, the record's name before the title, another label's line, prose that runs on."""

import pytest

from backend.schemas.record import VerificationStatus
from tests.nlp.fresh import linker


def listed(text: str) -> list[str]:
    record = linker().read(text).record
    assert record is not None
    items = record.allergies.items
    return sorted(one.agent for one in items if one.verification_status is not VerificationStatus.REFUTED)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ALLERGIES\nCEFAZOLIN ..... entered in error\nPENICILLIN .... hives", ["penicillin"]),
        ("Drug allergies:\nCodeine ........ itching\nLatex . . . . . removed from list", ["codeine"]),
        ("ADVERSE REACTIONS\nLisinopril____cough\nPeanut____anaphylaxis", ["lisinopril", "peanut"]),
        ("Allergies: penicillin... maybe codeine", ["codeine", "penicillin"]),
    ],
)
def test_a_leader_leads_to_what_is_told_of_the_name(text: str, names: list[str]) -> None:
    assert listed(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SystmOne sensitivities: penicillin, trimethoprim (rash)", ["penicillin", "trimethoprim"]),
        ("EPIC allergies/ADRs: codeine - vomiting; latex", ["codeine", "latex"]),
        ("Meditech allergies/intolerances: codeine", ["codeine"]),
        ("EMIS allergies: none", []),
    ],
)
def test_the_name_of_a_record_may_stand_before_the_title(text: str, names: list[str]) -> None:
    assert listed(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Allergies: NKDA. Latex-free gloves were used for the exam.", []),
        ("Allergies: penicillin. Preservative-free drops used.", ["penicillin"]),
        ("Anaphylaxis to egg. Nut-free school.", ["egg"]),
    ],
)
def test_what_a_thing_lacks_is_no_allergen(text: str, names: list[str]) -> None:
    assert listed(text) == names


def test_who_must_have_what_lacks_a_thing_may_be_allergic_to_it() -> None:
    assert "latex" in listed("Allergies: NKDA. Needs latex-free gloves.")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Allergies: penicillin\nCurrent antibiotics: doxycycline, metronidazole", ["penicillin"]),
        ("ALLERGIES\naspirin\nlatex\nRegular inhalers: salbutamol", ["aspirin", "latex"]),
        ("Allergies\nToday: erythromycin - vomited", ["erythromycin"]),
        ("Allergies: penicillin she was given gentamicin and metronidazole on the ward", ["penicillin"]),
        ("Allergies: aspirin he came in with a headache and took ibuprofen at noon", ["aspirin"]),
        ("Allergies: penicillin she took amoxicillin last year and got hives", ["amoxicillin", "penicillin"]),
        ("Allergies: strawberries she drinks milk and eats eggs", ["strawberry"]),
        ("Allergies: codeine patient received morphine and vomited", ["codeine", "morphine"]),
    ],
)
def test_a_list_ends_at_what_is_given_now_and_a_reaction_stays(text: str, names: list[str]) -> None:
    assert listed(text) == names
