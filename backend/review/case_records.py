"""Rows of a case as the values the wire has, and the version that a stale write would have overwritten."""

import threading
from collections import OrderedDict
from typing import TypeVar

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.errors import ConflictError, MissingError, NotFoundError
from backend.schemas.base import Frozen
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.saved_case import (
    CaseState,
    CaseSummary,
    CaseView,
    EditRecord,
    Signature,
    VersionContent,
    VersionRecord,
)
from backend.stores.database.case_tables import CaseRow, DraftRow, EditRow, PatientRow, SignatureRow, VersionRow

Value = TypeVar("Value", bound=Frozen)


class StaleVersionError(ConflictError):
    """changed: the edits made since the version that the writer had looked at. view: the newest version, where it was loaded."""

    view: CaseView | None = None

    def __init__(self, sent: int, newest: int, changed: tuple[EditRecord, ...]) -> None:
        edits = "; ".join(
            f"version {e.version}: {e.kind.value}{f' {e.sentence}' if e.sentence else ''} by {e.author}"
            for e in changed[:20]
        )
        more = f" and {len(changed) - 20} more" if len(changed) > 20 else ""
        super().__init__(
            f"Version {sent} is no longer the newest: the case is at version {newest}. "
            f"Since then: {edits or 'no edit is recorded'}{more}. Nothing was saved; load the case and make the change again."
        )
        self.newest = newest
        self.changed = changed


def case_row(session: Session, case_id: str) -> CaseRow:
    """The row of a case.

    Raises:
        NotFoundError: there is none of this id.
    """
    row = session.get(CaseRow, case_id)
    if row is None:
        raise NotFoundError(f"There is no case {case_id}. GET /v1/cases lists them; it may have been deleted.")
    return row


def summary(row: CaseRow, whose: PatientRow | None = None) -> CaseSummary:
    """A row as a line of the list of cases. whose: the patient, where somebody has named them."""
    return CaseSummary(
        id=row.id,
        label=row.label,
        patient_name=whose.name if whose else "",
        record_number=whose.record_number if whose else "",
        state=CaseState(row.state),
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def check_newest(session: Session, row: CaseRow, sent: int) -> None:
    """Refuse a write that was made for another version than the newest.

    Raises:
        NotFoundError: the version does not exist yet.
        StaleVersionError: there is a newer one; it says what changed since.
    """
    if sent > row.version:
        raise NotFoundError(f"The case has no version {sent}; the newest is {row.version}.")
    if sent < row.version:
        raise StaleVersionError(sent, row.version, tuple(e for e in edit_records(session, row.id) if e.version > sent))


class Sources:
    """Drafts of cases with the requests they answer. They never change, so the last ones that were read are held.

    Args:
        most: drafts held.
    """

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._held: OrderedDict[tuple[str, int], tuple[Draft, DraftRequest | None]] = OrderedDict()
        self._changing = threading.Lock()

    def get(self, session: Session, case_id: str, number: int) -> tuple[Draft, DraftRequest | None]:
        """A draft by its number, and its request.

        Raises:
            NotFoundError: the case has no such draft.
        """
        key = (case_id, number)
        with self._changing:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
                return found
        row = session.get(DraftRow, key)
        text = row.draft if row is not None else ""
        if not text and number == 1:
            text = session.scalar(select(CaseRow.draft).where(CaseRow.id == case_id)) or ""
        if not text:
            raise NotFoundError(f"The case has no draft {number}.")
        request = _read(DraftRequest, row.request) if row is not None and row.request else None
        return self.put(case_id, number, _read(Draft, text), request)

    def put(
        self, case_id: str, number: int, draft: Draft, request: DraftRequest | None
    ) -> tuple[Draft, DraftRequest | None]:
        """Hold what was just kept in the database."""
        with self._changing:
            self._held[case_id, number] = (draft, request)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return draft, request

    def forget(self, case_id: str) -> None:
        """Hold nothing of a case."""
        with self._changing:
            for key in [key for key in self._held if key[0] == case_id]:
                del self._held[key]


def content_of(session: Session, case_id: str, version: int) -> VersionContent:
    """What one version holds.

    Raises:
        NotFoundError: the version does not exist.
    """
    row = session.get(VersionRow, (case_id, version))
    if row is None:
        raise NotFoundError(f"The case has no version {version}.")
    return _read(VersionContent, row.content)


def edit_records(session: Session, case_id: str) -> tuple[EditRecord, ...]:
    """In the order they were made."""
    asked = select(EditRow.record).where(EditRow.case_id == case_id).order_by(EditRow.version, EditRow.place)
    return tuple(_read(EditRecord, record) for record in session.scalars(asked))


def version_records(session: Session, case_id: str) -> tuple[VersionRecord, ...]:
    """Oldest first. A version's state follows from what exists: a newer version, a signature, or an edit."""
    columns = (VersionRow.version, VersionRow.author, VersionRow.at, VersionRow.corrects_signed)
    rows = session.execute(select(*columns).where(VersionRow.case_id == case_id).order_by(VersionRow.version)).all()
    signed = {
        row.version: _read(Signature, row.record)
        for row in session.scalars(select(SignatureRow).where(SignatureRow.case_id == case_id))
    }
    newest = rows[-1].version if rows else 0
    return tuple(
        VersionRecord(
            version=row.version,
            state=_state(row.version, newest, row.version in signed),
            author=row.author,
            at=row.at,
            corrects_signed=row.corrects_signed,
            signature=signed.get(row.version),
        )
        for row in rows
    )


def _state(version: int, newest: int, signed: bool) -> CaseState:
    if version < newest:
        return CaseState.SUPERSEDED
    if signed:
        return CaseState.SIGNED
    return CaseState.DRAFT if version == 1 else CaseState.IN_REVIEW


def _read(kind: type[Value], text: str) -> Value:
    try:
        return kind.model_validate_json(text)
    except ValidationError:
        # the error would quote what it could not read, which is the patient's text
        raise MissingError(
            f"The saved {kind.__name__} cannot be read by this version of Leapnote. Use the version that saved it."
        ) from None
