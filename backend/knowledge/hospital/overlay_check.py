"""What is wrong with what a hospital has made of the knowledge: decisions on another version's text, rules that its changes break, its own tables."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from backend import __version__
from backend.errors import InputError, KnowledgeError
from backend.knowledge.hospital.hospital_tables import FILES, HospitalTables, Table
from backend.knowledge.review.decisions import FILE, Verdict
from backend.knowledge.review.knowledge_review import KnowledgeReview, State
from backend.knowledge.review.reviewed_folder import reviewed_folder
from backend.knowledge.starter import read_starter
from backend.knowledge.starter_check import breaches


def overlay_breaches(review: KnowledgeReview, shipped: Path, tables: HospitalTables) -> Iterator[str]:
    """Everything that is wrong, a line each; a journal that cannot be read is one line and nothing else of it.

    Args:
        review: of the knowledge that ships.
        shipped: its folder.
        tables: the hospital's own.

    Yields:
        What is wrong, with its place and what to do.
    """
    try:
        yield from _outdated(review)
        yield from _broken_by_changes(review, shipped)
    except KnowledgeError as error:
        yield str(error)
    for table in Table:
        found = tables.shown(table)
        yield from (fault.at(FILES[table]) for fault in found.checked.faults)
        if found.changed:
            yield f"{FILES[table]}: was changed by hand after {found.by} installed it. Install it with a name again."


def _outdated(review: KnowledgeReview) -> Iterator[str]:
    """Decisions about a text that is another now, or no more."""
    for one in review.items():
        if one.state is State.OUTDATED and one.decision:
            yield (
                f"{FILE}: {one.item.id} was {one.decision.verdict} by {one.decision.reviewer} in version {one.decision.version}, and reads "
                f"otherwise in {__version__}. Read it again, then decide anew or undo."
            )
    for gone in review.orphans():
        yield (
            f"{FILE}: {gone.item} was {gone.verdict} by {gone.reviewer} in version {gone.version}, and version {__version__} holds it no "
            "more, or in other words. Decide about what stands there now, and undo this."
        )


def _broken_by_changes(review: KnowledgeReview, shipped: Path) -> Iterator[str]:
    """Rules that the knowledge breaks with the hospital's changes and does not without; what refusals leave behind is meant so."""
    decided = review.standing()
    changes = {item: one for item, one in decided.items() if one.verdict in (Verdict.CHANGED, Verdict.ADDED)}
    if not changes:
        return
    before = {what for _, what in breaches(read_starter(shipped))}
    with tempfile.TemporaryDirectory() as place:
        try:
            for where, what in breaches(read_starter(reviewed_folder(shipped, changes, Path(place)))):
                if what not in before:
                    yield f"with the hospital's changes, {where.system}: {what}"
        except (InputError, KnowledgeError) as error:
            yield f"with the hospital's changes: {error}"
