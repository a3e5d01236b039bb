"""The tables of studies. A frozen study, ratings, profiles and the trail are only ever added to.

Before freezing a study is one row of setup with its cases and drafts. Freezing writes one document that holds
everything; the database itself refuses to change or delete it, and any rating or event. A link may be withdrawn.
"""

from datetime import datetime

from sqlalchemy import BigInteger, Float, ForeignKey, Index, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from backend.stores.database.database import Base, UtcDateTime

ID = String(36)
NAME = String(60)
STUDY = "studies.id"
GROWING = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts only an INTEGER by itself


class StudyRow(Base):
    """version: a change that rests on another number changes nothing."""

    __tablename__ = "studies"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(20))
    version: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    setup: Mapped[str] = mapped_column(Text)
    unlocked_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)


class StudyCaseRow(Base):
    """A case of a study that is not frozen; place: its order."""

    __tablename__ = "study_cases"

    study_id: Mapped[str] = mapped_column(ID, ForeignKey(STUDY, ondelete="CASCADE"), primary_key=True)
    case_id: Mapped[str] = mapped_column(NAME, primary_key=True)
    place: Mapped[int] = mapped_column(Integer)
    content: Mapped[str] = mapped_column(Text)


class StudyDraftRow(Base):
    """What one arm wrote for one case of a study that is not frozen."""

    __tablename__ = "study_drafts"

    study_id: Mapped[str] = mapped_column(ID, ForeignKey(STUDY, ondelete="CASCADE"), primary_key=True)
    case_id: Mapped[str] = mapped_column(NAME, primary_key=True)
    arm_id: Mapped[str] = mapped_column(NAME, primary_key=True)
    status: Mapped[str] = mapped_column(String(20))
    content: Mapped[str] = mapped_column(Text)


class FrozenRow(Base):
    """document is the canonical JSON whose SHA-256 is the study's hash."""

    __tablename__ = "study_frozen"

    study_id: Mapped[str] = mapped_column(ID, ForeignKey(STUDY), primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64))
    document: Mapped[str] = mapped_column(Text)


class RaterPlanRow(Base):
    """Items given out after freezing, to an adjudicator: beside the frozen study, never in it."""

    __tablename__ = "study_adjudicators"

    study_id: Mapped[str] = mapped_column(ID, ForeignKey(STUDY), primary_key=True)
    rater_id: Mapped[str] = mapped_column(String(8), primary_key=True)
    plan: Mapped[str] = mapped_column(Text)


class LinkRow(Base):
    """A personal link. token_hash is SHA-256 of what the rater holds; label, whom it is for, leaves in no export."""

    __tablename__ = "study_links"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    study_id: Mapped[str] = mapped_column(ID, ForeignKey(STUDY))
    rater_id: Mapped[str] = mapped_column(String(8))
    role: Mapped[str] = mapped_column(String(20))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    label: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    withdrawn_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)


class ProfileRow(Base):
    """What a rater said of themselves."""

    __tablename__ = "study_profiles"

    study_id: Mapped[str] = mapped_column(ID, ForeignKey(STUDY), primary_key=True)
    rater_id: Mapped[str] = mapped_column(String(8), primary_key=True)
    content: Mapped[str] = mapped_column(Text)


class RatingRow(Base):
    """One revision of one answer. id is the client's, so that sending it again adds nothing. seq is the true order."""

    __tablename__ = "study_ratings"

    seq: Mapped[int] = mapped_column(GROWING, primary_key=True, autoincrement=True)
    study_id: Mapped[str] = mapped_column(ID, ForeignKey(STUDY))
    rater_id: Mapped[str] = mapped_column(String(8))
    id: Mapped[str] = mapped_column(ID)
    item_id: Mapped[str] = mapped_column(NAME)
    phase: Mapped[str] = mapped_column(String(20))
    question: Mapped[str] = mapped_column(String(130))
    part: Mapped[str] = mapped_column(String(8))
    revision: Mapped[int] = mapped_column(Integer)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    process: Mapped[str] = mapped_column(ID)
    tick_s: Mapped[float] = mapped_column(Float)
    step: Mapped[int] = mapped_column(Integer)
    record: Mapped[str] = mapped_column(Text)

    __table_args__ = (
        UniqueConstraint("study_id", "rater_id", "id"),
        UniqueConstraint("study_id", "rater_id", "item_id", "phase", "question", "part", "revision"),
        Index("study_ratings_by_step", "study_id", "rater_id", "step"),
    )


class JudgeRow(Base):
    """One upload of a judge model's scores. seq is the true order; of each judge the newest counts."""

    __tablename__ = "study_judges"

    seq: Mapped[int] = mapped_column(GROWING, primary_key=True, autoincrement=True)
    id: Mapped[str] = mapped_column(ID, unique=True)
    study_id: Mapped[str] = mapped_column(ID, ForeignKey(STUDY))
    content: Mapped[str] = mapped_column(Text)

    __table_args__ = (Index("study_judges_by_study", "study_id"),)


class EventRow(Base):
    """The trail of a study. study_id is no foreign key: the trail outlives what it tells of."""

    __tablename__ = "study_events"

    seq: Mapped[int] = mapped_column(GROWING, primary_key=True, autoincrement=True)
    id: Mapped[str] = mapped_column(ID, unique=True)
    study_id: Mapped[str] = mapped_column(ID)
    actor: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(String(20))
    item_id: Mapped[str] = mapped_column(NAME)
    details: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    process: Mapped[str] = mapped_column(ID)
    tick_s: Mapped[float] = mapped_column(Float)
    step: Mapped[int] = mapped_column(Integer)

    __table_args__ = (Index("study_events_by_study", "study_id", "actor", "step"),)
