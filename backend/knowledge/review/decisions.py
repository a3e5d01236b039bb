"""What clinicians decided about the items of the knowledge: a journal that is only ever added to.

One JSON line a decision; the last one of an item that was not undone counts. A decision names its reviewer, the time, the version of
the program, and the digest of what was reviewed.
"""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from filelock import FileLock
from pydantic import Field, ValidationError

from backend.errors import KnowledgeError
from backend.schemas.base import Frozen
from backend.stores.swapped_folder import private_folder, sync

FILE = "review.jsonl"
LOCK_S = 10.0
_SHOWN = 60
"""Characters of a value that a message shows."""


class Verdict(StrEnum):
    """What was decided.

    signed: told in letters. added: a chapter of the hospital's own. withdrawn: nothing that was decided holds. undone: the decision before
    the last holds again. installed, removed: a table of the hospital's own.
    """

    ACCEPTED = "accepted"
    CHANGED = "changed"
    REFUSED = "refused"
    SIGNED = "signed"
    ADDED = "added"
    WITHDRAWN = "withdrawn"
    UNDONE = "undone"
    INSTALLED = "installed"
    REMOVED = "removed"


OF_TABLES = frozenset({Verdict.INSTALLED, Verdict.REMOVED})
"""What is done with a table of the hospital's own; it is no decision about an item."""


class Decision(Frozen):
    """One decision about one item."""

    item: str = Field(description="Id of the chapter or row")
    verdict: Verdict
    reviewer: str = Field(min_length=1, max_length=200, description="Who decided")
    at: datetime
    version: str = Field(description="Of the program whose knowledge was reviewed")
    digest: str = Field(description="Of the text that was reviewed")
    text: str = Field(
        default="", description="What stands in its place, where it was changed; of a chapter that was added, all of it"
    )
    reason: str = Field(default="", max_length=2000)
    sources: str = Field(
        default="", max_length=2000, description="What the reviewer consulted; empty where nobody says"
    )


class DecisionJournal:
    """The journal of a data folder. Several processes may add to it.

    Args:
        folder: where it lies; it need not be there before the first decision.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def add(self, decision: Decision) -> None:
        """Write a decision; it is on disk when this returns."""
        private_folder(self._path.parent)
        with FileLock(f"{self._path}.lock", timeout=LOCK_S):
            with self._path.open("a", encoding="utf-8") as file:
                file.write(decision.model_dump_json() + "\n")
            self._path.chmod(0o600)
            sync(self._path)

    def all(self) -> list[Decision]:
        """Every decision, the first first.

        Raises:
            KnowledgeError: with the line that is none, and the field and value that do not fit.
        """
        if not self._path.is_file():
            return []
        found = []
        for number, line in enumerate(self._path.read_bytes().splitlines(), start=1):
            try:
                found.append(Decision.model_validate_json(line))
            except ValidationError as error:
                raise KnowledgeError(
                    f"{FILE}:{number} is no decision: {_fault(error)}. Mend or remove this line; the others stay as they are."
                ) from None
        return found

    def latest(self) -> dict[str, Decision]:
        """The decision that counts, by item; none of what was withdrawn."""
        return standing(self.all())


def standing(decisions: Iterable[Decision]) -> dict[str, Decision]:
    """The decision that counts of each item: the last one that was not undone; nothing of what was withdrawn."""
    stacks: dict[str, list[Decision]] = {}
    for one in decisions:
        stack = stacks.setdefault(one.item, [])
        if one.verdict is not Verdict.UNDONE:
            stack.append(one)
        elif stack:
            stack.pop()
    return {item: stack[-1] for item, stack in stacks.items() if stack and stack[-1].verdict is not Verdict.WITHDRAWN}


def undoable(decisions: Iterable[Decision]) -> bool:
    """Whether anything of one item's decisions is left to be undone."""
    return sum(-1 if one.verdict is Verdict.UNDONE else 1 for one in decisions) > 0


def _fault(error: ValidationError) -> str:
    """The first field that does not fit, its value and why."""
    first = error.errors(include_url=False)[0]
    field, said = ".".join(map(str, first["loc"])), str(first["msg"])
    if not field:
        return said
    return (
        f"{field} {said.lower()}"
        if first["type"] == "missing"
        else f"{field} is {str(first['input'])[:_SHOWN]!r}: {said}"
    )
