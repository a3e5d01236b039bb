"""Boxes to tick in a list of allergies: what an empty one names is not stated; whatever else stands there is never lost."""

import pytest

from backend.nlp.allergies.lists.checkboxes import stated_parts
from backend.nlp.document.parsed_note import parse_note
from backend.schemas.record import AllergyRecord
from backend.schemas.vocabulary import AllergyStatus
from tests.nlp.fresh import linker


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("penicillin, latex", ["penicillin, latex"]),
        ("[ ] penicillin [x] latex", ["latex"]),
        ("[] penicillin", []),
        ("[_] penicillin (x) latex", ["latex"]),
        ("☐ penicillin ☑ latex □ codeine", ["latex"]),
        ("nuts [ ] latex", ["nuts"]),  # before the first box
        ("[ ] latex\npenicillin", ["penicillin"]),  # a box is of its line alone
        ("penicillin (hives)", ["penicillin (hives)"]),  # brackets that hold words are no box
    ],
)
def test_a_box_is_of_what_follows_it_on_its_line(text: str, stated: list[str]) -> None:
    note = parse_note(text)
    found = [note.written(*part).strip() for part in stated_parts(note.words, 0, len(note.words))]
    assert [one for one in found if one] == stated


def record(text: str) -> AllergyRecord:
    return linker().read(text).record.allergies


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("Allergies:\n[ ] Penicillin\n[x] Latex\n[ ] Sulfa\n[ ] None known", ["latex"]),
        ("Allergies: ☐ Penicillin ☑ Codeine (nausea) ☐ Latex", ["codeine"]),
        ("Allergies: [x] Aspirin [x] Latex", ["aspirin", "latex"]),
        ("Allergies: [ ] Latex\nPenicillin - hives", ["penicillin"]),
    ],
)
def test_a_list_with_boxes_gives_what_is_ticked_or_stands_without_a_box(text: str, agents: list[str]) -> None:
    assert [one.agent for one in record(text).items] == agents


def test_a_ticked_denial_beside_empty_boxes_is_a_denial() -> None:
    found = record("Allergies: [X] NKDA [ ] Penicillin [ ] Sulfa")
    assert found.status is AllergyStatus.NONE_KNOWN
    assert found.items == ()


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("Allergies: Red man syndrome to vancomycin.", ["vancomycin"]),
        ("Allergies: nuts, carries EpiPen", ["tree nut"]),
        ("Allergies: Haldol - dystonia. Cogentin helps.", ["haloperidol"]),
        ("Allergies: seasonal. Penicillin", ["pollen", "penicillin"]),
    ],
)
def test_a_reaction_a_remedy_and_a_word_like_a_brand_are_no_allergens(text: str, agents: list[str]) -> None:
    assert [one.agent for one in record(text).items] == agents


@pytest.mark.parametrize("agent", ["penicillin", "aspirin", "latex", "morphine", "zorbitrexate"])
@pytest.mark.parametrize(
    "list_of",
    [
        "Allergies: {}",
        "Allergies: {} - used to cause hives",
        "Allergies: {} helped her pain but gave a rash",
        "Allergies: {}, even without alcohol",
        "Allergies: NKDA. {} (hives)",
        "Allergies:\n[ ] Nickel\n[x] {}",
    ],
)
def test_an_allergen_of_an_allergies_section_is_never_lost(list_of: str, agent: str) -> None:
    found = record(list_of.format(agent))
    assert agent in [one.agent.lower() for one in found.items]


@pytest.mark.parametrize(
    ("text", "kind", "possible"),
    [
        ("Allergies: Augmentin - got the runs.", "intolerance", False),
        ("Allergies: metformin - diarrhoea", "intolerance", False),
        ("Allergies: erythromycin - D&V", "intolerance", False),
        ("Allergies: Augmentin - the runs and hives", "allergy", False),  # an allergic reaction outweighs
        ("Got the runs from amoxicillin last spring.", "intolerance", True),
    ],
)
def test_a_side_effect_makes_an_intolerance_in_british_spelling_too(text: str, kind: str, possible: bool) -> None:
    (one,) = record(text).items
    assert (one.kind.value, one.possible) == (kind, possible)
