"""What the backend streams after each stage, so that the page can show evidence before text."""

from typing import Any

from pydantic import Field

from backend.schemas.base import Frozen


class StageEvent(Frozen):
    """One stage has ended; for the stage `token` one sentence was written, for `piece` some more of the one being written.

    stage is one of: turn (waits for drafts before it, then has waited), extraction (only with an extractor model), link,
    conditions, paths, thought, plan, notes, passages, piece, token, write, evidence, draft, visit, visits, error. data is the
    JSON of what the stage found; for `draft` it is the whole Draft. ms: spent in the stage itself, as in a StageReport.
    failed: the class of the exception that ended the stage, empty where it ran.
    """

    stage: str
    reason: str = ""
    ms: float = 0.0
    failed: str = ""
    data: dict[str, Any] = {}


class Stage(Frozen):
    """A stage of a draft as it is listed to people."""

    name: str = Field(description="The stage of a StageEvent and of a StageReport", examples=["link"])
    label: str = Field(description="What a person reads")
    optional: bool = Field(default=False, description="It is listed only where it ran")


STAGES = (
    Stage(name="turn", label="Wait for other drafts", optional=True),
    Stage(name="extraction", label="Read the note by a model", optional=True),
    Stage(name="link", label="Read the note"),
    Stage(name="conditions", label="Conditions that fit"),
    Stage(name="paths", label="Reasoning paths"),
    Stage(name="thought", label="Thought"),
    Stage(name="plan", label="Plan of sources"),
    Stage(name="notes", label="The patient's notes", optional=True),
    Stage(name="passages", label="Passages and graph facts"),
    Stage(name="write", label="Write the draft"),
    Stage(name="repair", label="Reword what is unsupported", optional=True),
    Stage(name="layout", label="Lay out the draft", optional=True),
    Stage(name="verify", label="Check each sentence"),
    Stage(name="medicines", label="The medicine table", optional=True),
    Stage(name="fit", label="Hold each sentence against the patient", optional=True),
    Stage(name="uncertainty", label="Uncertainty by samples", optional=True),
    Stage(name="safety", label="Allergies, medicines, doses"),
    Stage(name="readability", label="Readability", optional=True),
)
"""The stages that a draft reports, in the order in which they are listed."""
