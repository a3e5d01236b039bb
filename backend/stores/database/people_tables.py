"""The tables of people and their logins. A password is kept as its scrypt hash, a login as the SHA-256 of its token.

Who logged in, who failed to and who changed an account is told by a trail that only grows.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from backend.stores.database.database import Base, UtcDateTime
from backend.stores.database.study_tables import GROWING, ID


class PersonRow(Base):
    """key: the name in lower case, so that no two people differ in that alone. removed_at: the account opens nothing."""

    __tablename__ = "people"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    key: Mapped[str] = mapped_column(String(200), unique=True)
    name: Mapped[str] = mapped_column(Text)
    role: Mapped[str] = mapped_column(String(20))
    password: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    removed_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)


class LoginRow(Base):
    """used_at: of the last request, to the minute."""

    __tablename__ = "logins"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    person_id: Mapped[str] = mapped_column(ID, ForeignKey("people.id"))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    used_at: Mapped[datetime] = mapped_column(UtcDateTime)

    __table_args__ = (Index("logins_by_person", "person_id"),)


class AccessRow(Base):
    """One line of the trail: who, what, about whom. For a failed login the name is kept only if it is somebody's."""

    __tablename__ = "access_trail"

    seq: Mapped[int] = mapped_column(GROWING, primary_key=True, autoincrement=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    actor: Mapped[str] = mapped_column(Text)
    act: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(Text)
