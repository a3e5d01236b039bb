"""What follows from edits: the letter drafted anew where they ask for it, a clinician's work laid over it, and all checks."""

from typing import NamedTuple

from backend.errors import MissingError
from backend.review.case_content import live, writer_of
from backend.review.editing.edits import Edited
from backend.review.editing.letter_edits import NO_REQUEST, LetterParts, to_draft
from backend.review.editing.medicine_work import changed_names, with_medicines
from backend.review.overlay import overlaid
from backend.review.recheck import AMOUNT, Changed, Checkers, as_drafted, rechecked
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.headings import MEDICINES_PART
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.saved_case import VersionContent
from backend.schemas.vocabulary import DraftStatus

TABLE_CHANGED = "The medicines table was changed: read whether this still says the same."
BROKEN = frozenset({DraftStatus.PARTIAL, DraftStatus.CANCELLED})


class NewDraft(NamedTuple):
    """A draft that edits asked for, and what it answers."""

    draft: Draft
    request: DraftRequest


def worked_anew(
    before: VersionContent, made: Edited, parts: LetterParts, checkers: Checkers, version: int
) -> tuple[VersionContent, NewDraft | None]:
    """The version as it is after the edits, checked, and the new draft where they asked for one.

    Args:
        before: the version that was edited.
        made: the edits applied.
        parts: what that version was made from.
        checkers: what drafts and checks.
        version: the number that the new version gets.

    A letter that cannot be drafted anew is refused with MissingError.
    """
    letter, content = made.letter, made.content
    texts = {s.id: s.text for s in made.settled.sentences}
    if letter is None:
        return rechecked(parts.draft, content, Changed(made.changed, made.named, texts), checkers), None
    drafted = None
    own: frozenset[str] = frozenset()
    was = with_medicines(letter.parts.draft, made.settled.medicines)
    if letter.redraft:
        drafted = _drafted(made, letter.parts.draft, checkers)
        content = content.model_copy(update={"draft_number": version})
    draft, request = (drafted.draft, drafted.request) if drafted else (letter.parts.draft, letter.request)
    base = with_medicines(draft, letter.medicines)
    table_changed = letter.medicines != made.settled.medicines
    if drafted or table_changed:
        conditions = draft.conditions if drafted else content.conditions
        content, own = overlaid(content, was, base, writer_of(draft, version))
        content = content.model_copy(update={"conditions": conditions})
    if table_changed:
        content = _with_doubts(content, was, base)
    if not drafted and _same_text(content, made.settled):
        settled = made.settled
        kept = {name: getattr(settled, name) for name in ("text", "flags", "checks", "readability")}
        return content.model_copy(update=kept), None
    changed = Changed(made.changed | (own if drafted else frozenset()), made.named, texts)
    if drafted and not changed.texts and (same := as_drafted(base, content, changed)):
        return same, drafted
    return rechecked(base, content, changed, checkers, request), drafted


def _drafted(made: Edited, old: Draft, checkers: Checkers) -> NewDraft:
    letter = made.letter
    if letter is None or letter.request is None or checkers.redraft is None:
        raise MissingError(f"Nothing was saved: {NO_REQUEST}")
    new = checkers.redraft(to_draft(letter.request, letter.judgements, old))
    if new.status in BROKEN and old.status not in BROKEN:
        raise MissingError("The letter could not be drafted anew: the draft broke off. Nothing was saved; try again.")
    return NewDraft(new, letter.request)


def _same_text(content: VersionContent, settled: VersionContent) -> bool:
    """Whether nothing is to be checked anew: the sentences, conditions and medicines are those of the settled version."""

    def read(one: VersionContent) -> tuple[object, ...]:
        sentences = [(s.id, s.text, s.section, s.citations, s.condition_id) for s in live(one.sentences)]
        return sentences, one.conditions, one.draft_number, one.medicines

    return read(content) == read(settled)


def _with_doubts(content: VersionContent, old: Draft, new: Draft) -> VersionContent:
    """A sentence that names a medicine whose row was changed, and is not of the table, is to be read again."""
    names = changed_names(old, new)
    of_table = {s.text for s in new.sentences} - {s.text for s in old.sentences}
    out = []
    for s in content.sentences:
        text = s.text.lower()
        tells = s.section == MEDICINES_PART or AMOUNT.search(s.text)
        if not s.deleted and tells and s.text not in of_table and any(name in text for name in names):
            s = s.model_copy(update={"outdated": s.outdated or TABLE_CHANGED, "checked_by": ""})
        out.append(s)
    return content.model_copy(update={"sentences": tuple(out)})
