"""Personal links: a rater holds a token and nothing else; the database holds its hash. A link can be withdrawn."""

import secrets
import uuid

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.errors import ConflictError, InputError, NotFoundError
from backend.schemas.canonical_json import sha256_of
from backend.schemas.studies.study_design import StudyState
from backend.schemas.studies.study_rating import EventKind, Role
from backend.schemas.studies.study_views import GivenLink, InviteRequest, LinkView
from backend.stores.database.study_tables import LinkRow
from backend.study import records
from backend.study.design.studies import Studies

TOKEN_BYTES = 32


class LinkRefusedError(InputError):
    """The link is unknown or withdrawn; the message is the same, so that it tells nothing."""

    http_status = 401

    def __init__(self) -> None:
        super().__init__("This link is not valid, or no longer. Ask the person who sent it for a new one.")


def invite(studies: Studies, study_id: str, request: InviteRequest) -> GivenLink:
    """A personal link for one of the places of a frozen study. The token is given this once.

    Raises:
        ConflictError: another link for that place is open: withdraw it first.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    stamp, link_id = studies.stamper(), str(uuid.uuid4())
    with studies.database.writing() as session:
        row = records.study_row(session, study_id, records.Hold.CHANGE)
        role = _role(session, study_id, request.rater)
        wanted = StudyState.FROZEN if role == Role.RATER else StudyState.CLOSED
        if row.state != wanted.value:
            raise ConflictError(f"The study is {row.state}; {role.value}s are invited while it is {wanted.value}.")
        if any(link.rater_id == request.rater for link in _open(session, study_id)):
            raise ConflictError(f"{request.rater} has a link already. Withdraw it before giving another.")
        session.add(
            LinkRow(
                id=link_id,
                study_id=study_id,
                rater_id=request.rater,
                role=role.value,
                token_hash=sha256_of(token),
                label=request.label,
                created_at=stamp.at,
            )
        )
        records.add_event(session, study_id, EventKind.INVITE, request.author, stamp, rater=request.rater, link=link_id)
    return GivenLink(id=link_id, rater_id=request.rater, token=token)


def withdraw(studies: Studies, study_id: str, link_id: str, author: str) -> LinkView:
    """From now on the link opens nothing. What was rated stays. A second time changes nothing.

    Raises:
        NotFoundError: the study has no such link.
    """
    stamp = studies.stamper()
    with studies.database.writing() as session:
        row = session.get(LinkRow, link_id, with_for_update=True)
        if row is None or row.study_id != study_id:
            raise NotFoundError(f"The study has no link {link_id}. List them with: python -m backend study status")
        if row.withdrawn_at is None:
            row.withdrawn_at = stamp.at
            records.add_event(session, study_id, EventKind.WITHDRAW, author, stamp, rater=row.rater_id, link=link_id)
        return _view(row)


def links(studies: Studies, study_id: str) -> tuple[LinkView, ...]:
    """All links ever given, oldest first; never a token."""
    with studies.database.reading() as session:
        records.study_row(session, study_id)
        asked = select(LinkRow).where(LinkRow.study_id == study_id).order_by(LinkRow.created_at, LinkRow.id)
        return tuple(_view(row) for row in session.scalars(asked))


def link_of(session: Session, token: str, lock: bool) -> LinkRow:
    """The open link of a token. lock: one rater's writes come one after the other.

    Raises:
        LinkRefusedError: the token opens nothing.
    """
    asked = select(LinkRow).where(LinkRow.token_hash == sha256_of(token), LinkRow.withdrawn_at.is_(None))
    row = session.scalars(asked.with_for_update() if lock else asked).one_or_none()
    if row is None:
        raise LinkRefusedError
    return row


def _role(session: Session, study_id: str, rater_id: str) -> Role:
    document = records.frozen_of(session, study_id)
    if rater_id in {plan.rater_id for plan in document.raters}:
        return Role.RATER
    if rater_id in {plan.rater_id for plan in records.adjudicator_plans(session, study_id)}:
        return Role.ADJUDICATOR
    places = ", ".join(plan.rater_id for plan in document.raters)
    raise NotFoundError(f"The study has no place {rater_id!r}. Its places are {places}.")


def _open(session: Session, study_id: str) -> list[LinkRow]:
    asked = select(LinkRow).where(LinkRow.study_id == study_id, LinkRow.withdrawn_at.is_(None))
    return list(session.scalars(asked))


def _view(row: LinkRow) -> LinkView:
    return LinkView(
        id=row.id,
        rater_id=row.rater_id,
        label=row.label,
        created_at=row.created_at,
        withdrawn_at=row.withdrawn_at,
    )
