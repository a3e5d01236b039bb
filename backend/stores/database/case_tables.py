"""The tables of saved cases. Versions, edits, signatures and the audit trail are only ever added to.

A case's draft is kept once; a version holds what it changed of it, as JSON. What deleting a case takes away hangs on its
row; the audit trail does not, and the database itself refuses to change or delete it.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from backend.stores.database.database import Base, UtcDateTime

ID = String(36)
CASE = "cases.id"


class CaseRow(Base):
    """version is the newest one's number: a write that counts on another number changes nothing."""

    __tablename__ = "cases"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    label: Mapped[str] = mapped_column(Text)
    author: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(20))
    version: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    draft: Mapped[str] = mapped_column(Text)

    __table_args__ = (Index("cases_by_change", "updated_at", "id"),)


class DraftRow(Base):
    """A draft that versions of a case stand on, and the request it answered.

    number: the version that brought it. draft: empty for the first, which is the case's own; request: empty where it is not
    known. at: when it was kept, and for a case that earlier versions of Leapnote saved, when its tables were brought up to date.
    """

    __tablename__ = "case_drafts"

    case_id: Mapped[str] = mapped_column(ID, ForeignKey(CASE, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    draft: Mapped[str] = mapped_column(Text)
    request: Mapped[str] = mapped_column(Text)


class VersionRow(Base):
    """One version of a case: who made it, and what it changed of the draft."""

    __tablename__ = "case_versions"

    case_id: Mapped[str] = mapped_column(ID, ForeignKey(CASE, ondelete="CASCADE"), primary_key=True)
    version: Mapped[int] = mapped_column(Integer, primary_key=True)
    author: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    corrects_signed: Mapped[bool] = mapped_column(default=False)
    content: Mapped[str] = mapped_column(Text)


class PatientRow(Base):
    """Whose a case is, as its newest version has it; none where nobody has entered it."""

    __tablename__ = "case_patients"

    case_id: Mapped[str] = mapped_column(ID, ForeignKey(CASE, ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    record_number: Mapped[str] = mapped_column(Text)


class EditRow(Base):
    """place: the edit's order among those of its version."""

    __tablename__ = "case_edits"

    case_id: Mapped[str] = mapped_column(ID, ForeignKey(CASE, ondelete="CASCADE"), primary_key=True)
    version: Mapped[int] = mapped_column(Integer, primary_key=True)
    place: Mapped[int] = mapped_column(Integer, primary_key=True)
    record: Mapped[str] = mapped_column(Text)


class SignatureRow(Base):
    """Who signed which version."""

    __tablename__ = "case_signatures"

    case_id: Mapped[str] = mapped_column(ID, ForeignKey(CASE, ondelete="CASCADE"), primary_key=True)
    version: Mapped[int] = mapped_column(Integer, primary_key=True)
    record: Mapped[str] = mapped_column(Text)


class AuditRow(Base):
    """case_id is no foreign key: the trail outlives the case."""

    __tablename__ = "audit"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    actor: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(String(40))
    case_id: Mapped[str] = mapped_column(ID)
    version: Mapped[int] = mapped_column(Integer)
    place: Mapped[int] = mapped_column(Integer)

    __table_args__ = (Index("audit_by_case", "case_id", "at"),)
