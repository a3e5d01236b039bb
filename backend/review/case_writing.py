"""Rows of a case as they are written: a version, the step from one to the next, the line in the audit trail, and all of it away.

Each is a part of somebody's transaction and decides nothing.
"""

import uuid
from datetime import datetime

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from backend.errors import ConflictError
from backend.review.case_records import case_row, check_newest
from backend.schemas.patients.saved_case import AuditAction, CaseState, EditKind, VersionContent
from backend.stores.database.case_tables import (
    AuditRow,
    CaseRow,
    DraftRow,
    EditRow,
    PatientRow,
    SignatureRow,
    VersionRow,
)


def advance(
    session: Session, case_id: str, was: tuple[int, CaseState], becomes: tuple[int, CaseState], now: datetime
) -> None:
    """Compare and swap: change the case only if it still is at that version and in that state.

    Raises:
        ConflictError: another was first.
    """
    version, state = was
    asked = update(CaseRow).where(CaseRow.id == case_id, CaseRow.version == version, CaseRow.state == state.value)
    values = {"version": becomes[0], "state": becomes[1].value, "updated_at": now}
    changed = session.execute(asked.values(values).returning(CaseRow.id)).all()
    if not changed:
        check_newest(session, case_row(session, case_id), version)
        raise ConflictError(f"Version {version} was signed by another a moment ago. Nothing was saved; load the case.")


def add_version(
    session: Session,
    key: tuple[str, int],
    author: str,
    content: VersionContent,
    now: datetime,
    corrects_signed: bool = False,
) -> None:
    """A version of a case, and whose the case is from then on, for lists of cases.

    Args:
        session: of the transaction.
        key: the case and the version's number.
        author: whose it is.
        content: what it holds.
        now: when.
        corrects_signed: whether the version before was signed.
    """
    row = VersionRow(case_id=key[0], version=key[1], author=author, at=now, corrects_signed=corrects_signed)
    row.content = content.model_dump_json()
    session.add(row)
    whose = content.details
    session.merge(PatientRow(case_id=key[0], name=whose.patient_name, record_number=whose.record_number))


def add_to_trail(
    session: Session,
    at: datetime,
    actor: str,
    action: EditKind | AuditAction,
    case_id: str,
    version: int,
    place: int = 0,
) -> None:
    """A line in the audit trail. place: of an edit among those of its request."""
    row = AuditRow(id=str(uuid.uuid4()), at=at, actor=actor, action=action.value, case_id=case_id, version=version)
    row.place = place
    session.add(row)


def remove(session: Session, case_id: str) -> None:
    """Take a case away with its versions, edits, drafts and signatures; the trail stays."""
    for table in (EditRow, SignatureRow, VersionRow, DraftRow, PatientRow):
        session.execute(delete(table).where(table.case_id == case_id))
    session.execute(delete(CaseRow).where(CaseRow.id == case_id))
