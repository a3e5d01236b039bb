"""What may be an allergen, which agent an effect belongs to, and what is only explained, likely or outgrown; written for these tests."""

import pytest

from backend.schemas.record import AllergyStatement, VerificationStatus
from tests.nlp.fresh import linker


def statements(text: str) -> dict[str, AllergyStatement]:
    """What the record states of allergies by agent, as written; what the note says to be none is left out."""
    items = linker().read(text).record.allergies.items
    return {one.spans[0].text: one for one in items if one.verification_status is not VerificationStatus.REFUTED}


def listed(text: str) -> set[str]:
    return {agent for agent, one in statements(text).items() if not one.possible}


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("Allergies: penicillin (rash). Intol. codeine (vomiting).", {"penicillin", "codeine"}),
        ("Allerg.: penicillin. Intol.: codeine.", {"penicillin", "codeine"}),
        ('Allergies: shellfish "face puffed up" yrs ago. Latex.', {"shellfish", "Latex"}),
        ("Allergies: latex, yrs ago", {"latex"}),
        ("Allergies: peanuts many yrs ago", {"peanuts"}),
        ("Allergies: albumin infusion 2021 - rigors", {"albumin infusion"}),
        ("Allergies: codeine - nausea; discussed with anesthesia, latex", {"codeine", "latex"}),
        ("Allergies: latex (hives). Worried about anesthesia because an aunt stopped breathing.", {"latex"}),
        ("Allergies: codeine. Worried about latex as it gives her hives.", {"codeine", "latex"}),
        ("Allergies: NKDA. Takes naproxen, leg swelling improved.", set()),
    ],
)
def test_a_label_a_time_and_what_is_feared_or_spoken_to_are_no_allergens(text: str, agents: set[str]) -> None:
    assert listed(text) == agents


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("She took naproxen and then she got scared.", set()),
        ("Naproxen got her scared and sick.", {"Naproxen"}),
        ("She understands naproxen may raise her pressure and cause facial flushing.", set()),
        ("Leaflet given: allopurinol may rarely cause a severe rash.", set()),
        ("Allopurinol can give her a rash.", {"Allopurinol"}),
        ("NSAIDs cause hives.", {"NSAIDs"}),
    ],
)
def test_what_somebody_got_who_took_it_and_what_is_only_explained_is_no_allergy(text: str, agents: set[str]) -> None:
    assert listed(text) == agents


@pytest.mark.parametrize(
    "text",
    ["Her sugar was high and her face was flushed.", "Leaflet given: allopurinol may rarely cause a severe rash."],
)
def test_what_is_measured_in_the_body_and_what_is_only_explained_is_no_question_either(text: str) -> None:
    assert statements(text) == {}


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("As she reports hives with Keflex, vancomycin 1.5 g was given before the incision.", {"Keflex"}),
        ("She reports hives with Keflex, vancomycin and clindamycin.", {"Keflex", "vancomycin", "clindamycin"}),
        ("Vancomycin was given because of hives with Keflex.", {"Keflex"}),
        ("Clindamycin was used because of anaphylaxis with amoxicillin.", {"amoxicillin"}),
        ("Hives with cefazolin, clindamycin was used.", {"cefazolin"}),
        ("Vancomycin was stopped because of hives.", {"Vancomycin"}),
    ],
)
def test_an_effect_belongs_to_the_agent_that_it_is_tied_to(text: str, agents: set[str]) -> None:
    assert set(statements(text)) == agents


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Allergies: strawberries (hives as a child), eats strawberries now.", VerificationStatus.UNCONFIRMED),
        (
            "Allergies: strawberries gave hives in childhood but eats them without trouble.",
            VerificationStatus.UNCONFIRMED,
        ),
        ("Allergies: strawberries (anaphylaxis as a child), eats strawberries now.", VerificationStatus.CONFIRMED),
        ("Allergies: strawberries (hives as a child), eats cake now.", VerificationStatus.CONFIRMED),
        ("Allergies: strawberries (hives), eats no strawberries now.", VerificationStatus.CONFIRMED),
        ("Allergies: strawberries (upset stomach as a child), eats strawberries daily now.", None),
        ("Allergies: metformin (diarrhoea), tolerates metformin XR.", VerificationStatus.CONFIRMED),
    ],
)
def test_a_food_that_is_eaten_since_is_doubted_and_an_upset_by_it_is_none(
    text: str, status: VerificationStatus | None
) -> None:
    (found,) = statements(text).values() or [None]
    assert (found and found.verification_status) == status


def test_what_a_relative_plays_down_behind_a_question_mark_is_a_doubted_intolerance() -> None:
    (aspirin,) = statements("Allergies: Aspirin - ? (daughter says tummy ache only. On clopidogrel OK)").values()
    assert (aspirin.kind, aspirin.reaction) == ("intolerance", "tummy ache only")
    assert aspirin.verification_status is VerificationStatus.UNCONFIRMED


@pytest.mark.parametrize(
    ("text", "agent", "status"),
    [
        ("Itchy rash, probably to cefepime.", "cefepime", VerificationStatus.UNCONFIRMED),
        ("Angioedema, most likely secondary to lisinopril.", "lisinopril", VerificationStatus.UNCONFIRMED),
        ("Diagnoses:\n - Drug eruption, probable - cefepime", "cefepime", VerificationStatus.UNCONFIRMED),
        ("Drug rash due to allopurinol.", "allopurinol", VerificationStatus.CONFIRMED),
        ("Had to quit bupropion because of a rash.", "bupropion", VerificationStatus.CONFIRMED),
        ("Penicillin makes her sick but she has had amoxicillin with no trouble.", "Penicillin", VerificationStatus.CONFIRMED),
    ],
)  # fmt: skip
def test_a_likely_cause_a_drug_eruption_and_an_upset_are_listed(
    text: str, agent: str, status: VerificationStatus
) -> None:
    found = statements(text)
    assert (set(found), found[agent].possible, found[agent].verification_status) == ({agent}, False, status)


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("HPI: Cough.\n\nNKDA; he adds he had asthma. Nickel rash.", {"Nickel"}),
        ("HPI: Cough.\n\nAllergies; none to medicines. Infliximab 2021 - rigors, stopped.", {"Infliximab"}),
        ("HPI: Cough.\n\nNKDA. Bananas and latex - lips swell.", {"Bananas", "latex"}),
        ("HPI: Cough.\n\nNKDA. Penicillin and latex rash.", {"Penicillin", "latex"}),
        ("HPI: Cough.\n\nNKDA.\nNickel rash.", set()),
        ("HPI: Cough. Infliximab 2021 - rigors, stopped.", set()),
        ("HPI: Cough.\n\nNKDA. Hydrocortisone rash cream.", set()),
    ],
)
def test_a_line_that_answers_for_allergies_goes_on_with_bare_entries(text: str, agents: set[str]) -> None:
    assert listed(text) == agents
