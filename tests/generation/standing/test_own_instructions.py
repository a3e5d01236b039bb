"""The hospital's own instructions in letters: told to whom they are for, under the hospital's name, as data."""

from collections.abc import Callable

import pytest

from backend.container.container import Container
from backend.generation.standing.standing_instructions import OWN_TITLE, SignedInstructions
from backend.knowledge.advice.standing import OWN_MARK
from backend.knowledge.hospital.instructions import CELLS, instruction_rows
from backend.pipeline.draft_pipeline import DraftPipeline
from backend.planning.source_plan import SourceChoice
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.headings import FOLLOW_UP, MEDICINES_PART
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, Fit, Support
from backend.systems import system

TABLE = "\n".join(
    "\t".join(row)
    for row in (
        CELLS,
        ("ward", "-", "-", "Call the ward on 020 7946 0000 at any hour.", "Follow-up"),
        ("clot", "takes:anticoagulant", "comfort goal", 'Bring your <b>yellow</b> "book" & all tablets.', "Medicines"),
        ("hip", "procedure:hip replacement", "-", "Come to the hip clinic in six weeks.", "Follow-up"),
        ("child", "any age; child", "-", "Ask for the play team.", "Activity"),
    )
)
NOTE = "Allergies: none\n\nHPI: A {who} is seen for a cough. {more}\nMedications: {takes}.\nAssessment: Acute bronchitis.\n"
Run = Callable[..., Draft]


@pytest.fixture
def run(container: Container) -> Run:
    """A letter of a hospital with instructions of its own; none of those that ship is signed."""
    own, faults = instruction_rows(TABLE)
    assert faults == []

    def run(
        who: str = "60-year-old man", takes: str = "famotidine 20 mg daily", more: str = "", **fields: str
    ) -> Draft:
        parts = container.assembly.pipeline_parts(
            system("leapnote"), SourceChoice(), container.models.chosen("composer")
        )
        told = SignedInstructions(container.starter.standing, container.checks.fit, own=own)
        text = NOTE.format(who=who, takes=takes, more=more)
        return DraftPipeline(parts._replace(instructions=told)).run(DraftRequest(text=text, **fields))

    return run


def told(draft: Draft) -> set[str]:
    """The ids of the hospital's own instructions in a draft."""
    ids = {p.id: p.document_id.rpartition("/")[2] for p in draft.evidence.passages if p.title == OWN_TITLE}
    return {ids[c] for one in draft.sentences for c in one.citations if c in ids}


def test_each_is_told_to_whom_it_is_for(run: Run) -> None:
    assert told(run()) == {"ward"}
    assert told(run(takes="warfarin 5 mg daily")) == {"ward", "clot"}
    assert told(run(takes="apixaban 5 mg twice daily")) == {"ward", "clot"}
    assert told(run(more="She had a hip replacement today.")) >= {"ward", "hip"}


def test_a_child_has_only_what_says_any_age_and_comfort_what_does_not_exclude_it(run: Run) -> None:
    assert told(run("6-year-old boy")) == {"child"}
    comfort = run(takes="warfarin 5 mg daily", more="He is on home hospice and wants comfort only.")
    assert told(comfort) == {"ward"}


def test_it_says_whose_it_is_and_stands_as_it_was_written(run: Run) -> None:
    draft = run(takes="warfarin 5 mg daily")
    by_part = {one.section: one for one in draft.sentences if one.text.startswith(OWN_MARK)}
    assert by_part[FOLLOW_UP].text == "Your hospital says: Call the ward on 020 7946 0000 at any hour."
    clot = by_part[MEDICINES_PART]
    assert clot.text == 'Your hospital says: Bring your <b>yellow</b> "book" & all tablets.'
    assert (clot.support, clot.fit) == (Support.SUPPORTED, Fit.FITS)
    assert draft.text.count(OWN_MARK) == 2


def test_only_a_letter_has_them(run: Run) -> None:
    assert told(run(document=Document.PROGRESS_NOTE)) == set()
