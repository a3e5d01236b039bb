"""Headers of allergies in any words, alone and shared with medicines or histories, run on or on lines of their own."""

import pytest

from backend.nlp.allergies.lists.shared_headers import shared_with
from backend.schemas.drafts.note import Allergies
from backend.schemas.vocabulary import AllergyStatus, SectionCategory
from tests.nlp.fresh import linker

ON_LINES = "CHIEF COMPLAINT:  {story}\n\n{title}:  {body}\n\nREVIEW OF SYSTEMS:  Negative."
RUN_ON = "CHIEF COMPLAINT: , {story},{title}: , {body},REVIEW OF SYSTEMS: , Negative."
STORY = "Pain in the left hip since a fall from a kitchen chair two weeks ago, worse with every step and at night."
ALONE = (
    "Medication sensitivities", "Medication intolerances", "Medicine reactions", "Untoward reactions", "Drug hypersensitivities",
    "Reactions to medications", "Medication/food allergies", "Food and medication allergies", "Allergies to medications and foods",
    "Drug allergies and sensitivities", "Allergies to meds", "Allergies, drug",
)  # fmt: skip


def read(form: str, title: str, body: str) -> Allergies:
    return linker().link(form.format(story=STORY, title=title.upper(), body=body)).allergies


def names(found: Allergies) -> list[str]:
    return [item.text for item in found.items]


@pytest.mark.parametrize("form", [ON_LINES, RUN_ON], ids=["lines", "run on"])
@pytest.mark.parametrize("title", ALONE)
def test_a_title_of_words_for_allergies_opens_their_list(form: str, title: str) -> None:
    assert names(read(form, title, "Codeine and Keflex.")) == ["Codeine", "Keflex"]
    assert read(form, title, "None.").status is AllergyStatus.NONE_KNOWN


@pytest.mark.parametrize("title", ["Allergy medications", "Allergy medicine"])
def test_medicines_against_an_allergy_are_not_allergies(title: str) -> None:
    assert names(read(ON_LINES, title, "Cetirizine 10 mg daily.")) == []


@pytest.mark.parametrize(
    "title", ["Medications and allergies", "Allergies/Medications", "Allergies and current medications"]
)
def test_medicines_and_allergies_under_one_header_are_distinguished_by_words_alone(title: str) -> None:
    assert names(read(ON_LINES, title, "Metoprolol 25 mg daily.  Allergic to codeine.")) == ["codeine"]
    assert read(ON_LINES, title, "Metoprolol 25 mg daily.  None.").status is AllergyStatus.NONE_KNOWN
    unclear = read(ON_LINES, title, "Metoprolol and codeine.")
    assert (unclear.status, names(unclear)) == (AllergyStatus.UNREADABLE, [])


def test_a_bare_list_under_allergies_and_another_history_is_one_of_allergies() -> None:
    found = read(ON_LINES, "Social history/Allergies", "Retired carpenter.  Codeine and Keflex.")
    assert names(found) == ["Codeine", "Keflex"]
    assert read(ON_LINES, "Social history/Allergies", "Retired carpenter.").status is AllergyStatus.NOT_STATED


def test_a_denial_under_a_title_that_names_one_thing_speaks_of_that_thing() -> None:
    assert read(ON_LINES, "Allergies to antibiotics", "None.").status is AllergyStatus.NOT_STATED


@pytest.mark.parametrize(
    ("title", "others"),
    [
        ("Drug and food allergies", set()),
        ("Allergies to foods and medications", set()),
        ("Allergies/reactions", set()),
        ("Medications", set()),
        ("Medications and allergies", {SectionCategory.MEDICATIONS}),
        ("Past medical history, allergies", {SectionCategory.PAST_MEDICAL_HISTORY}),
    ],
)
def test_what_a_title_names_beside_allergies(title: str, others: set[SectionCategory]) -> None:
    assert shared_with(title) == others
