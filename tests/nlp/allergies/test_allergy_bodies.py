"""Bodies of allergies sections as they are dictated: who tells, names nobody knows beside others, reactions in a row."""

import pytest

from backend.schemas.drafts.note import Allergies
from backend.schemas.vocabulary import AllergyStatus
from tests.nlp.fresh import AROUND, linker


def read(body: str) -> Allergies:
    return linker().link(AROUND["section"].format(body)).allergies


def names(body: str) -> list[str]:
    return [item.text for item in read(body).items]


@pytest.mark.parametrize(
    "body",
    [
        "The records of the clinic show no known drug allergies.",
        "Her former physician's letters mention no known allergies.",
        "According to the nursing home, there are no known allergies.",
        "Mother reports none.",
        "Her parents deny any.",
        "No known drug allergy.  Denies reaction to latex or contrast.",
    ],
)
def test_a_denial_is_one_whoever_reports_it(body: str) -> None:
    assert (read(body).status, names(body)) == (AllergyStatus.NONE_KNOWN, [])


@pytest.mark.parametrize(
    "body", ["Per old records, codeine.", "According to her husband, codeine.", "By his account, codeine."]
)
def test_an_allergy_is_one_whoever_reports_it(body: str) -> None:
    assert names(body) == ["codeine"]


@pytest.mark.parametrize(
    "body",
    [
        "Codeine and Xylazol, both of which upset her stomach.",
        "Codeine and Xylazol, neither of which she can take.",
        "Codeine or Xylazol, she cannot remember which.",
        "Codeine and Xylazol; the reactions are not known.",
        "Codeine and Xylazol have caused problems in the past.",
        "She was told to avoid Xylazol, Codeine and others.",
    ],
)
def test_a_name_nobody_knows_beside_a_known_one_is_kept(body: str) -> None:
    assert sorted(names(body)) == ["Codeine", "Xylazol"]
    assert {item.text: item.checked for item in read(body).items} == {"Codeine": True, "Xylazol": False}


def test_words_of_the_language_beside_a_name_are_no_allergens() -> None:
    assert names("She was told to avoid codeine and driving, and rests after it.") == ["codeine"]


def test_reactions_in_a_row_belong_to_what_caused_them() -> None:
    (item,) = read("Patient admits allergies to codeine resulting in nausea, disorientation, and vertigo.").items
    assert (item.text, item.reaction) == ("codeine", "nausea, disorientation, vertigo")


@pytest.mark.parametrize(
    ("plan", "marked"),
    [
        ("Cephalexin was chosen, as she is codeine allergic.", True),
        ("Tramadol, because of the allergy to codeine.", True),
        ("Codeine 30 mg was given for the pain.", False),
        ("She is allergic to adhesive tape and was given codeine.", False),
    ],
)
def test_an_allergen_named_again_as_one_is_no_medicine_that_is_given(plan: str, marked: bool) -> None:
    linked = linker().link(f"ALLERGIES:  Codeine, adhesive tape.\n\nPLAN:  {plan}")
    assert [m.allergen for m in linked.note.mentions if m.name == "codeine"] == [True, marked]


def test_twice_a_day_is_no_procedure_and_a_blood_test_no_arthritis() -> None:
    linked = linker().link("MEDICATIONS:  Metformin 500 mg b.i.d., nadolol t.i.d.\n\nPLAN:  PSA before the next visit.")
    assert [m.name for m in linked.note.mentions] == ["metformin", "nadolol", "PSA test"]


def test_what_a_sentence_adds_after_a_semicolon_is_kept() -> None:
    assert names("She is also allergic to nuts; walnut and Xylazol.") == ["nuts", "walnut", "Xylazol"]
    assert names("She is allergic to codeine, aspirin is tolerated.") == ["codeine"]


def test_when_a_reaction_was_had_is_no_part_of_its_name() -> None:
    assert names("Codeine when she had her tonsils out.") == ["Codeine"]


def test_what_a_reaction_came_from_is_no_source() -> None:
    assert names("From codeine, hives.") == ["codeine"]
