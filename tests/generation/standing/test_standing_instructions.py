"""Standing instructions in letters: told where signed and where the patient needs them, cited, by composer and model alike."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.container.container import Container
from backend.container.language_models import Chosen
from backend.generation.standing.standing_instructions import TITLE, SignedInstructions
from backend.pipeline.draft_pipeline import DraftPipeline
from backend.planning.source_plan import SourceChoice
from backend.schemas.drafts.draft import Draft, Generator
from backend.schemas.drafts.headings import PRECAUTIONS
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis, Document, Fit, Support
from backend.systems import system
from models.llm.engine_scripted import Scripted

NOTE = (
    "CLINIC VISIT\nAllergies: none\nHPI: A {who} is seen for a cough.\nPast Medical History: {has}.\n"
    "Medications: {takes}.\nAssessment: Acute bronchitis.\n"
)
Run = Callable[..., Draft]


def note(takes: str = "famotidine 20 mg daily", has: str = "gout", who: str = "60-year-old man") -> str:
    return NOTE.format(takes=takes, has=has, who=who)


@pytest.fixture
def run(container: Container) -> Run:
    """A letter where some instructions are signed; all, unless ids are given."""
    rows = container.starter.standing
    everything = frozenset(row.id for row in rows)

    def run(text: str, signed: frozenset[str] = everything, model: Any = None, **fields: Any) -> Draft:
        models = container.models.chosen("composer")
        if model is not None:
            models = Chosen("scripted", Generator(name="scripted", reason="test"), models.roles._replace(writer=model))
        parts = container.assembly.pipeline_parts(system("leapnote"), SourceChoice(), models)
        told = SignedInstructions(rows, container.checks.fit, signed)
        return DraftPipeline(parts._replace(instructions=told)).run(DraftRequest(text=text, **fields))

    return run


def told(draft: Draft) -> set[str]:
    """The ids of the instructions in a draft."""
    ids = {p.id: p.document_id.rpartition("/")[2] for p in draft.evidence.passages if p.title == TITLE}
    return {ids[c] for one in draft.sentences for c in one.citations if c in ids}


@pytest.mark.parametrize(
    ("takes", "has", "instruction"),
    [
        ("empagliflozin 10 mg daily", "gout", "sglt2-sick-day"),
        ("empagliflozin 10 mg daily", "gout", "sglt2-before-surgery"),
        ("metformin 500 mg daily", "type 2 diabetes", "metformin-sick-day"),
        ("lisinopril 10 mg daily", "hypertension", "ace-arb-sick-day"),
        ("losartan 50 mg daily", "hypertension", "ace-arb-sick-day"),
        ("furosemide 40 mg daily", "hypertension", "diuretic-sick-day"),
        ("furosemide 40 mg daily", "heart failure", "heart-failure-sick-day"),
        ("insulin glargine 20 units daily", "type 1 diabetes", "insulin-never-stop"),
        ("insulin glargine 20 units daily", "type 2 diabetes", "insulin-sick-day-checks"),
        ("glipizide 5 mg daily", "type 2 diabetes", "low-sugar-fifteen"),
        ("prednisone 10 mg daily", "gout", "steroid-never-suddenly"),
        ("hydrocortisone 10 mg twice daily", "adrenal insufficiency", "steroid-fever-double"),
        ("aspirin 81 mg daily, clopidogrel 75 mg daily", "coronary stent in 2024", "stent-never-stop"),
        ("warfarin 5 mg daily", "atrial fibrillation", "warfarin-missed"),
        ("apixaban 5 mg twice daily", "atrial fibrillation", "apixaban-missed"),
        ("dabigatran 150 mg twice daily", "atrial fibrillation", "dabigatran-missed"),
        ("metoprolol 25 mg daily", "hypertension", "beta-blocker-never-suddenly"),
        ("lithium 300 mg twice daily", "bipolar disorder", "lithium-dry"),
        ("methotrexate 15 mg weekly", "rheumatoid arthritis", "methotrexate-infection"),
        ("levetiracetam 500 mg twice daily", "epilepsy", "antiepileptic-never-suddenly"),
    ],
)
def test_a_signed_instruction_is_told_to_whom_it_is_for_and_to_nobody_else(
    run: Run, takes: str, has: str, instruction: str
) -> None:
    assert instruction in told(run(note(takes, has)))
    assert told(run(note())) == set()


@pytest.mark.parametrize(
    ("takes", "has", "instruction"),
    [
        ("lisinopril 10 mg daily", "heart failure", "ace-arb-sick-day"),
        ("furosemide 40 mg daily", "heart failure", "diuretic-sick-day"),
        ("insulin glargine 20 units daily", "type 2 diabetes", "insulin-never-stop"),
        ("aspirin 81 mg daily", "hypertension", "stent-never-stop"),
        ("prednisone 10 mg daily", "gout", "steroid-fever-double"),
        ("gabapentin 300 mg three times daily", "back pain", "antiepileptic-never-suddenly"),
        ("apixaban 5 mg twice daily", "atrial fibrillation", "warfarin-missed"),
    ],
)
def test_whom_it_is_not_for_is_not_told(run: Run, takes: str, has: str, instruction: str) -> None:
    assert instruction not in told(run(note(takes, has)))


def test_without_a_signature_nothing_is_told(run: Run, container: Container) -> None:
    text = note("warfarin 5 mg daily", "atrial fibrillation")
    assert told(run(text, frozenset())) == set()
    assert told(run(text, frozenset({"warfarin-missed"}))) == {"warfarin-missed"}
    assert told(container.pipeline("leapnote").run(DraftRequest(text=text))) == set()  # as it ships


def test_it_stands_under_staying_safe_with_its_citation_and_fits(run: Run) -> None:
    draft = run(note("warfarin 5 mg daily", "atrial fibrillation"), frozenset({"warfarin-missed"}))
    (one,) = [one for one in draft.sentences if one.text.startswith("If you miss a warfarin tablet")]
    (passage,) = [p for p in draft.evidence.passages if p.title == TITLE]
    assert (one.section, one.basis, one.citations) == (PRECAUTIONS, Basis.GENERAL, (passage.id,))
    assert (one.support, one.fit) == (Support.SUPPORTED, Fit.FITS)
    assert passage.document_id == "standing/instruction/warfarin-missed"


@pytest.mark.parametrize(
    ("who", "extra"),
    [("6-year-old boy", ""), ("80-year-old man", " He is on home hospice and wants comfort only.")],
)
def test_a_child_and_who_wants_comfort_are_told_none(run: Run, who: str, extra: str) -> None:
    text = note("warfarin 5 mg daily", "atrial fibrillation", who).replace("a cough.", f"a cough.{extra}")
    assert told(run(text)) == set()


def test_a_progress_note_has_none(run: Run) -> None:
    assert told(run(note("warfarin 5 mg daily"), document=Document.PROGRESS_NOTE)) == set()


def test_a_model_that_leaves_it_out_does_not_lose_it(run: Run) -> None:
    model = Scripted("Why you came\nYou came because of a cough [N2].\nStaying safe\nRest when you are tired.\n")
    draft = run(note("warfarin 5 mg daily"), frozenset({"warfarin-missed"}), model)
    assert told(draft) == {"warfarin-missed"}


def test_what_the_hospital_signed_takes_no_room_from_the_warnings(run: Run) -> None:
    takes = "insulin glargine 20 units daily, empagliflozin 10 mg daily, metformin 500 mg daily, lisinopril 10 mg daily, warfarin 5 mg daily"
    text = note(takes, "type 1 diabetes, hypertension")
    warnings = [
        [one.text for one in draft.sentences if one.section == "When to get help"]
        for draft in (run(text), run(text, frozenset()))
    ]
    assert warnings[0] == warnings[1]
