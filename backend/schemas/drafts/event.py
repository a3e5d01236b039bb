"""What the backend streams after each stage, so that the page can show evidence before text."""

from typing import Any

from backend.schemas.base import Frozen


class StageEvent(Frozen):
    """One stage has ended; for the stage `token` one sentence was written, for `piece` some more of the one being written.

    stage is one of: turn (waits for drafts before it, then has waited), link, conditions, paths, thought, plan, notes (only where they failed), passages, piece, token, write, repair, uncertainty, evidence, draft, visit, visits, error. data is the JSON of what the stage
    found; for `draft` it is the whole Draft. failed: the class of the exception that ended the stage, empty where it ran.
    """

    stage: str
    reason: str = ""
    ms: float = 0.0
    failed: str = ""
    data: dict[str, Any] = {}
