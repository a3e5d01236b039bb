"""The table of a draft as it ships: what the note states of the patient is asked about before a medicine goes on."""

import pytest

from backend.container import Container
from backend.generation.letter.medicines.draft_medicines import DraftMedicines
from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.drafts.request import DraftRequest
from tests.generation.letter.reading import CLINIC, DECIDED


@pytest.fixture(scope="module")
def table(container: Container) -> DraftMedicines:
    """The table with everything that ships."""
    return DraftMedicines(
        container.linker, container.checks.reach, lambda request, linked: (), container.checks.contraindications
    )


def prompts(container: Container, table: DraftMedicines, note: str) -> dict[str, str]:
    """The prompts by the rows' names."""
    request = DraftRequest(text=note)
    return {row.name: row.prompt for row in table.rows(request, container.linker.read(note), Evidence())}


@pytest.mark.parametrize(
    ("history", "medicine", "condition", "what"),
    [
        ("He has urinary retention.", "oxybutynin", "urinary retention", Prompt.ASK),
        ("She woke with swelling of the tongue.", "lisinopril", "it may be angioedema", Prompt.LEAVE),
        ("He has a history of angioedema.", "enalapril", "angioedema", Prompt.LEAVE),
        ("She is pregnant at 20 weeks.", "lisinopril", "pregnancy", Prompt.LEAVE),
        ("He has heart failure.", "ibuprofen", "heart failure", Prompt.LEAVE),
        ("He has asthma.", "propranolol", "asthma", Prompt.KEEP),
        ("She woke with swelling of the tongue.", "losartan", "it may be angioedema", Prompt.ASK),
        ("She is at 30 weeks of pregnancy. She has delivered twice before.", "lisinopril", "pregnancy", Prompt.LEAVE),
        ("Per husband, pregnant.", "lisinopril", "pregnancy", Prompt.LEAVE),
        ("She and her husband are pregnant.", "lisinopril", "pregnancy", Prompt.LEAVE),
        ("She came with her mother, pregnant.", "lisinopril", "pregnancy", Prompt.LEAVE),
    ],
)
def test_what_speaks_against_a_medicine_is_decided_first(
    container: Container, table: DraftMedicines, history: str, medicine: str, condition: str, what: str
) -> None:
    found = prompts(container, table, f"{CLINIC}HPI: {history}\n\nMEDICATIONS: {medicine} 10 mg daily.\n\n{DECIDED}")
    assert found == {medicine: f"{Prompt.AGAINST}: {condition}. {what}"}


@pytest.mark.parametrize(
    ("history", "medicine", "asked"),
    [
        ("His potassium was 5.8 this morning.", "lisinopril", f"{Prompt.VALUE}. {Prompt.ASK}"),
        ("His potassium was 5.8 this morning.", "amlodipine", Prompt.UNCHANGED),
        ("His potassium was 4.2 this morning.", "lisinopril", Prompt.UNCHANGED),
    ],
)
def test_a_value_that_speaks_against_a_medicine_is_no_advice_to_go_on(
    container: Container, table: DraftMedicines, history: str, medicine: str, asked: str
) -> None:
    found = prompts(container, table, f"{CLINIC}HPI: {history}\n\nMEDICATIONS: {medicine} 10 mg daily.\n\n{DECIDED}")
    assert found == {medicine: asked}


@pytest.mark.parametrize(
    ("history", "medicine"),
    [
        ("She woke with swelling of the tongue.", "amlodipine"),
        ("He denies urinary retention.", "oxybutynin"),
        ("Her father had angioedema.", "enalapril"),
        ("He has heart failure.", "aspirin"),
        ("She is not pregnant.", "lisinopril"),
        ("She says that her teacher is pregnant.", "lisinopril"),
        ("Her neighbor who is pregnant drove her.", "lisinopril"),
    ],
)
def test_what_does_not_speak_against_it_changes_nothing(
    container: Container, table: DraftMedicines, history: str, medicine: str
) -> None:
    found = prompts(container, table, f"{CLINIC}HPI: {history}\n\nMEDICATIONS: {medicine} 10 mg daily.\n\n{DECIDED}")
    assert found == {medicine: Prompt.UNCHANGED}


def test_an_upset_stomach_is_no_allergy_that_ends_an_aspirin_taken_at_home(
    container: Container, table: DraftMedicines
) -> None:
    note = (
        f"{CLINIC}MEDICATIONS AT HOME: Aspirin 81 mg daily. Metformin 500 mg daily.\n\n"
        "ALLERGIES: He said he cannot take aspirin because of intolerance and stomach upset, but no true allergy to aspirin.\n\n"
        f"{DECIDED}"
    )
    assert prompts(container, table, note) == {"aspirin": Prompt.INTOLERANCE, "metformin": Prompt.UNCHANGED}
    listed = f"{CLINIC}MEDICATIONS AT HOME: Aspirin 81 mg daily.\n\nALLERGIES: Aspirin (hives).\n"
    assert prompts(container, table, listed) == {"aspirin": Prompt.ALLERGY}


@pytest.mark.parametrize(
    ("medicine", "allergy", "prompt"),
    [
        ("penicillin V", "amoxicillin (hives)", Prompt.ALLERGY_SIBLING),
        ("amoxicillin", "penicillin (anaphylaxis)", Prompt.ALLERGY),
        ("lisinopril", "enalapril (angioedema)", Prompt.ALLERGY_SIBLING),
        ("lisinopril", "enalapril (rash)", Prompt.ALLERGY_KIN),
        ("oxycodone", "morphine (itching and rash)", Prompt.ALLERGY_KIN_KEPT),
    ],
)
def test_what_is_only_of_a_kind_with_an_allergen_is_told_as_that_and_an_opioid_is_not_stopped_at_once(
    container: Container, table: DraftMedicines, medicine: str, allergy: str, prompt: Prompt
) -> None:
    note = f"{CLINIC}MEDICATIONS AT HOME: {medicine} 10 mg daily.\n\nALLERGIES: {allergy}.\n"
    assert prompts(container, table, note) == {medicine: prompt}
