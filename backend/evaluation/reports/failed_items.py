"""What an evaluation keeps of a text on which something failed: a row that says so and is not scored, never a 0."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from backend.errors import LeapnoteError
from backend.pipeline.stages import logged
from backend.schemas.drafts.draft import Draft

FAILED = "failed"


class FailedStageError(LeapnoteError):
    """A stage of a pipeline failed on a text, so that what it gave is not what the system gives."""


def whole(draft: Draft) -> Draft:
    """The draft, every stage of which ran.

    Raises:
        FailedStageError: a stage failed; the message names it and the exception's class.
    """
    if draft.failures:
        raise FailedStageError("; ".join(draft.failures))
    return draft


def failed_row(stage: str, error: Exception) -> dict[str, Any]:
    """The row of a text that cannot be scored: "stage, class", or the class alone of an error that the program names.

    An unexpected exception is logged by its class and places. No message is kept: it may quote a text.
    """
    if isinstance(error, FailedStageError):
        return {FAILED: str(error)}
    kind = type(error).__name__ if isinstance(error, LeapnoteError) else f"{stage}, {logged(stage, error)}"
    return {FAILED: kind}


def not_scored(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many rows are not scored, by "failed: stage, class"."""
    return dict(Counter(f"failed: {row[FAILED]}" for row in rows if FAILED in row))
