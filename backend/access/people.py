"""People and their logins: made on the server, checked at every request, ended by time, by hand or with the account.

A login ends 12 hours after it began, and an hour after its last request. The database holds a hash of its token.
"""

import secrets
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from backend.access.attempts import Attempts
from backend.access.passwords import fits, hashed, waste
from backend.errors import ConflictError, InputError, NotFoundError
from backend.schemas.access import AccessEvent, Account, GivenLogin, LoggedIn, LoginRequest, PersonRole
from backend.schemas.canonical_json import sha256_of
from backend.stores.database.database import Database
from backend.stores.database.people_tables import AccessRow, LoginRow, PersonRow

LONGEST = timedelta(hours=12)
IDLE = timedelta(minutes=60)
NOTED = timedelta(minutes=1)  # the last use is written down this seldom: most requests then only read
TOKEN_BYTES = 32
UNKNOWN = "The name or the password is wrong."


class LoginRefusedError(InputError):
    """The words are the same for an unknown name and a wrong password."""

    http_status = 401


def _now() -> datetime:
    return datetime.now(UTC)


class People:
    """Threads may share it."""

    def __init__(
        self, database: Database, clock: Callable[[], datetime] = _now, attempts: Attempts | None = None
    ) -> None:
        database.prepare()
        self.database, self.clock = database, clock
        self.attempts = attempts or Attempts()

    def add(self, name: str, role: PersonRole, password: str, actor: str) -> None:
        """A new account, or one that was removed, again.

        Raises:
            ConflictError: for a name that is taken.
        """
        kept, now = hashed(password), self.clock()
        with self.database.writing() as session:
            row = _row(session, name)
            if row is not None and row.removed_at is None:
                raise ConflictError(f"There is an account {row.name!r} already. Give it another password or role.")
            if row is None:
                row = PersonRow(id=str(uuid.uuid4()), key=_key(name), created_at=now)
                session.add(row)
            row.name, row.role, row.password, row.removed_at = name, role.value, kept, None
            _record(session, now, actor, "add", name)

    def change(self, name: str, actor: str, role: PersonRole | None = None, password: str | None = None) -> None:
        """Another role or password. It ends the person's logins."""
        kept = hashed(password) if password is not None else None
        with self.database.writing() as session:
            row = _known(session, name)
            row.role = role.value if role is not None else row.role
            row.password = kept or row.password
            session.execute(delete(LoginRow).where(LoginRow.person_id == row.id))
            _record(session, self.clock(), actor, "change", row.name)

    def remove(self, name: str, actor: str) -> None:
        """From now on the account opens nothing. Its name stays in the trails."""
        with self.database.writing() as session:
            row = _known(session, name)
            row.removed_at = self.clock()
            session.execute(delete(LoginRow).where(LoginRow.person_id == row.id))
            _record(session, row.removed_at, actor, "remove", row.name)

    def all(self) -> tuple[tuple[str, PersonRole], ...]:
        """Names and roles of the accounts that open something, by name."""
        asked = select(PersonRow).where(PersonRow.removed_at.is_(None)).order_by(PersonRow.key)
        with self.database.reading() as session:
            return tuple((row.name, PersonRole(row.role)) for row in session.scalars(asked))

    def accounts(self) -> tuple[Account, ...]:
        """The accounts that open something, by name, with when each was last used."""
        used = (
            select(LoginRow.person_id, func.max(LoginRow.used_at).label("at")).group_by(LoginRow.person_id).subquery()
        )
        asked = (
            select(PersonRow, used.c.at)
            .outerjoin(used, used.c.person_id == PersonRow.id)
            .where(PersonRow.removed_at.is_(None))
            .order_by(PersonRow.key)
        )
        with self.database.reading() as session:
            return tuple(
                Account(name=row.name, role=PersonRole(row.role), created_at=row.created_at, last_used=at)
                for row, at in session.execute(asked)
            )

    def has(self, name: str) -> bool:
        """Whether there is an account of that name, however its letters are written, that opens something."""
        with self.database.reading() as session:
            row = _row(session, name)
        return row is not None and row.removed_at is None

    def log_in(self, request: LoginRequest) -> GivenLogin:
        """Check name and password, and give a token. TooManyTriesError passes through (`attempts.py`).

        Raises:
            LoginRefusedError: they do not fit.
        """
        key = _key(request.name)
        self.attempts.begin(key)
        with self.database.reading() as session:
            row = _row(session, request.name)
        if row is None or row.removed_at is not None:
            waste(request.password)
            raise LoginRefusedError(UNKNOWN)
        if not fits(request.password, row.password):
            with self.database.writing() as session:
                _record(session, self.clock(), row.name, "login_failed", row.name)
            raise LoginRefusedError(UNKNOWN)
        self.attempts.succeed(key)
        token, now = secrets.token_urlsafe(TOKEN_BYTES), self.clock()
        with self.database.writing() as session:
            again = session.get(PersonRow, row.id)
            if again is None or again.removed_at is not None or again.password != row.password:
                raise LoginRefusedError(UNKNOWN)  # removed or changed while the password was checked
            session.execute(delete(LoginRow).where(LoginRow.created_at < now - LONGEST))
            session.add(LoginRow(token_hash=sha256_of(token), person_id=row.id, created_at=now, used_at=now))
            _record(session, now, row.name, "login", row.name)
        return GivenLogin(name=row.name, role=PersonRole(again.role), ends_at=now + LONGEST, token=token)

    def who(self, token: str) -> LoggedIn | None:
        """Who holds a login; None where it is unknown or has ended. Using it keeps it from ending."""
        now, digest = self.clock(), sha256_of(token)
        with self.database.reading() as session:
            login = session.get(LoginRow, digest)
            person = session.get(PersonRow, login.person_id) if login is not None else None
        if login is None or person is None or person.removed_at is not None:
            return None
        # a wall clock that was set back ends a login rather than keeping it for ever
        if not login.created_at <= now + NOTED < login.created_at + LONGEST or now - login.used_at > IDLE:
            return None
        if abs(now - login.used_at) > NOTED:
            with self.database.writing() as session:
                used = session.get(LoginRow, digest)
                if used is not None:
                    used.used_at = now
        return LoggedIn(name=person.name, role=PersonRole(person.role), ends_at=login.created_at + LONGEST)

    def log_out(self, token: str) -> None:
        """End a login. A second time changes nothing."""
        with self.database.writing() as session:
            login = session.get(LoginRow, sha256_of(token))
            person = session.get(PersonRow, login.person_id) if login is not None else None
            if login is not None and person is not None:
                session.delete(login)
                _record(session, self.clock(), person.name, "logout", person.name)

    def trail(self) -> tuple[tuple[datetime, str, str, str], ...]:
        """(when, who, what, whose account), oldest first."""
        with self.database.reading() as session:
            rows = session.scalars(select(AccessRow).order_by(AccessRow.seq))
            return tuple((row.at, row.actor, row.act, row.name) for row in rows)

    def events(self, limit: int) -> tuple[AccessEvent, ...]:
        """The newest events of the trail, newest first."""
        with self.database.reading() as session:
            rows = session.scalars(select(AccessRow).order_by(AccessRow.seq.desc()).limit(limit))
            return tuple(AccessEvent(at=row.at, actor=row.actor, act=row.act, name=row.name) for row in rows)


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


def _row(session: Session, name: str) -> PersonRow | None:
    return session.scalars(select(PersonRow).where(PersonRow.key == _key(name))).one_or_none()


def _known(session: Session, name: str) -> PersonRow:
    row = _row(session, name)
    if row is None or row.removed_at is not None:
        raise NotFoundError(f"There is no account {name!r}. List them with: python -m backend people list")
    return row


def _record(session: Session, at: datetime, actor: str, act: str, name: str) -> None:
    session.add(AccessRow(at=at, actor=actor, act=act, name=name))
