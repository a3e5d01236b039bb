"""Saved cases: save, list, look at, edit, sign, delete, each in one transaction with its line in the audit trail.

Versions are only added: an undo is a new version that reads like an old one. Of two writers of one version the second
gets ConflictError. A version may be signed when no severe flag is unanswered and, in discharge instructions, no gap left.
"""

import uuid
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session, defer

from backend.errors import ConflictError, InputError, NotFoundError
from backend.review.case_content import draft_of_version, gaps, live, saved
from backend.review.case_records import (
    case_row,
    check_newest,
    content_of,
    draft_of,
    edit_records,
    summary,
    version_records,
)
from backend.review.edits import Edited, applied
from backend.review.exports.exporting import export_formats
from backend.review.recheck import Checkers, rechecked
from backend.schemas.patients.saved_case import (
    Acknowledgement,
    AuditAction,
    AuditEntry,
    CasePage,
    CaseState,
    CaseView,
    EditsRequest,
    Gap,
    ReviewFlag,
    SaveRequest,
    Signature,
    SignatureRequest,
    VersionContent,
)
from backend.schemas.vocabulary import Document, Severity
from backend.stores.database.case_tables import AuditRow, CaseRow, EditRow, SignatureRow, VersionRow
from backend.stores.database.database import Database

Clock = Callable[[], datetime]


class Cases:
    """Every method raises MissingError when the database fails, NotFoundError for a case that does not exist."""

    def __init__(self, database: Database, checkers: Checkers, clock: Clock) -> None:
        """clock: the present moment, with its zone."""
        database.prepare()
        self._database = database
        self._checkers = checkers
        self._clock = clock

    def save(self, request: SaveRequest) -> CaseView:
        """A new case, version 1, state draft. Raises InputError for a draft that contradicts itself."""
        content = saved(request.draft)
        case_id, now = str(uuid.uuid4()), self._clock()
        with self._database.writing() as session:
            session.add(
                CaseRow(
                    id=case_id,
                    label=request.label,
                    author=request.author,
                    state=CaseState.DRAFT.value,
                    version=1,
                    created_at=now,
                    updated_at=now,
                    draft=request.draft.model_dump_json(),
                )
            )
            session.flush()
            self._add_version(session, (case_id, 1), request.author, content, now)
            self._audit(session, now, request.author, AuditAction.CREATE, case_id, 1)
        return self.view(case_id)

    def page(self, limit: int, offset: int = 0, state: CaseState | None = None) -> CasePage:
        """Cases, the most lately changed first."""
        wanted = [CaseRow.state == state.value] if state else []
        with self._database.reading() as session:
            total = session.scalar(select(func.count()).select_from(CaseRow).where(*wanted)) or 0
            asked = (
                select(CaseRow)
                .options(defer(CaseRow.draft))
                .where(*wanted)
                .order_by(CaseRow.updated_at.desc(), CaseRow.id)
            )
            rows = session.scalars(asked.limit(limit).offset(offset)).all()
        return CasePage(total=total, limit=limit, offset=offset, cases=tuple(summary(row) for row in rows))

    def view(self, case_id: str, version: int | None = None) -> CaseView:
        """The newest version, or the one asked for, with all edits and versions of the case."""
        with self._database.reading() as session:
            row = case_row(session, case_id)
            number = version or row.version
            content = content_of(session, case_id, number)
            edits = edit_records(session, case_id)
            versions = version_records(session, case_id)
        record = versions[number - 1]
        head = summary(row).model_dump() | {"version": number, "state": record.state}
        return CaseView(
            **head,
            newest=row.version,
            author=row.author,
            draft=draft_of_version(draft_of(row), content),
            sentences=content.sentences,
            flags=content.flags,
            gaps=gaps(content),
            edits=edits,
            versions=versions,
            signature=record.signature,
            exports=export_formats(),
        )

    def edit(self, case_id: str, request: EditsRequest) -> CaseView:
        """A new version with all the edits, of one person.

        StaleVersionError says that the version is not the newest, InputError that an edit cannot be made or that the edits name
        several authors.
        """
        now, new = self._clock(), request.version + 1
        author = one_author(request)
        edited, was = self._edited(case_id, request, now)
        signed = was == CaseState.SIGNED
        with self._database.writing() as session:
            self._advance(session, case_id, (request.version, was), (new, CaseState.IN_REVIEW), now)
            self._add_version(session, (case_id, new), author, edited.content, now, signed)
            for place, record in enumerate(edited.records):
                session.add(EditRow(case_id=case_id, version=new, place=place, record=record.model_dump_json()))
            for place, edit in enumerate(request.edits):
                self._audit(session, now, edit.author, AuditAction(edit.kind.value), case_id, new, place)
        return self.view(case_id)

    def sign(self, case_id: str, request: SignatureRequest) -> CaseView:
        """Sign the newest version. Raises StaleVersionError for an older one, and as `check_signable` does.

        Raises:
            ConflictError: it is signed already.
        """
        now = self._clock()
        with self._database.reading() as session:
            row = case_row(session, case_id)
            check_newest(session, row, request.version)
            content = content_of(session, case_id, request.version)
            was = CaseState(row.state)
            if was == CaseState.SIGNED:
                raise ConflictError(f"Version {request.version} is already signed. A correction makes a new version.")
        check_signable(content, draft_of(row).document, request.acknowledgements)
        signature = Signature(**request.model_dump(), at=now)
        with self._database.writing() as session:
            self._advance(session, case_id, (request.version, was), (request.version, CaseState.SIGNED), now)
            record = signature.model_dump_json()
            session.add(SignatureRow(case_id=case_id, version=request.version, record=record))
            self._audit(session, now, request.name, AuditAction.SIGN, case_id, request.version)
        return self.view(case_id)

    def delete(self, case_id: str, actor: str) -> None:
        """Delete text, edits and signatures; the audit trail keeps ids, times and kinds."""
        with self._database.writing() as session:
            row = case_row(session, case_id)
            self._audit(session, self._clock(), actor, AuditAction.DELETE_CASE, case_id, row.version)
            for table in (EditRow, SignatureRow, VersionRow):
                session.execute(delete(table).where(table.case_id == case_id))
            session.execute(delete(CaseRow).where(CaseRow.id == case_id))
        self._database.forget()

    def exported(self, case_id: str, version: int, action: AuditAction, actor: str) -> None:
        """Record that a copy was exported. A copy that cannot be recorded is not given."""
        with self._database.writing() as session:
            case_row(session, case_id)
            self._audit(session, self._clock(), actor, action, case_id, version)

    def audit(self, case_id: str) -> tuple[AuditEntry, ...]:
        """What happened to a case, oldest first, also after it was deleted.

        Raises:
            NotFoundError: nothing is recorded of it.
        """
        with self._database.reading() as session:
            asked = select(AuditRow).where(AuditRow.case_id == case_id)
            rows = session.scalars(asked.order_by(AuditRow.at, AuditRow.version, AuditRow.place, AuditRow.id)).all()
        if not rows:
            raise NotFoundError(f"Nothing is recorded of a case {case_id}.")
        return tuple(
            AuditEntry.model_validate({name: getattr(row, name) for name in AuditEntry.model_fields}) for row in rows
        )

    def _edited(self, case_id: str, request: EditsRequest, now: datetime) -> tuple[Edited, CaseState]:
        """The edits applied and checked, outside any write; and the state the case was in."""
        with self._database.reading() as session:
            row = case_row(session, case_id)
            check_newest(session, row, request.version)
            base, content = draft_of(row), content_of(session, case_id, row.version)
            made = applied(
                content, request.edits, row.version, now, base.evidence, lambda v: content_of(session, case_id, v)
            )
        checked = rechecked(base, made.content, made.changed, self._checkers)
        return made._replace(content=checked), CaseState(row.state)

    def _advance(
        self,
        session: Session,
        case_id: str,
        was: tuple[int, CaseState],
        becomes: tuple[int, CaseState],
        now: datetime,
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
            raise ConflictError(
                f"Version {version} was signed by another a moment ago. Nothing was saved; load the case."
            )

    def _add_version(
        self,
        session: Session,
        key: tuple[str, int],
        author: str,
        content: VersionContent,
        now: datetime,
        corrects_signed: bool = False,
    ) -> None:
        row = VersionRow(case_id=key[0], version=key[1], author=author, at=now, corrects_signed=corrects_signed)
        row.content = content.model_dump_json()
        session.add(row)

    def _audit(
        self,
        session: Session,
        at: datetime,
        actor: str,
        action: AuditAction,
        case_id: str,
        version: int,
        place: int = 0,
    ) -> None:
        row = AuditRow(id=str(uuid.uuid4()), at=at, actor=actor, action=action.value, case_id=case_id, version=version)
        row.place = place
        session.add(row)


def one_author(request: EditsRequest) -> str:
    """Who makes all the edits of a request. Raises InputError where they name several people."""
    names = {edit.author for edit in request.edits}
    if len(names) > 1:
        raise InputError(f"The edits of one request are one person's, and these name {len(names)}. Nothing was saved.")
    return names.pop()


class SignatureRefusedError(ConflictError):
    """flags: the severe ones that nobody acknowledged. gaps: the places still to be completed."""

    def __init__(self, flags: tuple[ReviewFlag, ...], left: tuple[Gap, ...]) -> None:
        parts = []
        if flags:
            named = ", ".join(f"{flag.id} ({flag.kind})" for flag in flags)
            parts.append(f"acknowledge each severe flag by its id with a reason, or mend what it names: {named}")
        if left:
            named = ", ".join(f"{gap.sentence} (under “{gap.section}”)" for gap in left)
            parts.append(f"complete or delete each “[team to complete: …]”: {named}")
        super().__init__(f"This version cannot be signed yet: {'; '.join(parts)}.")
        self.flags = flags
        self.gaps = left


def check_signable(content: VersionContent, document: Document, acknowledgements: tuple[Acknowledgement, ...]) -> None:
    """Refuse what must not be signed: severe flags without an answer, gaps in discharge instructions.

    Raises:
        InputError: an acknowledgement of a flag that the version does not have.
        ConflictError: no sentence is left.
        SignatureRefusedError: with all that stands against it.
    """
    known = {flag.id for flag in content.flags}
    for acknowledgement in acknowledgements:
        if acknowledgement.flag not in known:
            raise InputError(
                f"This version has no flag {acknowledgement.flag!r} to acknowledge. GET /v1/cases/{{id}} lists its flags."
            )
    if not live(content.sentences):
        raise ConflictError("This version has no sentence left, so there is nothing to sign.")
    answered = {acknowledgement.flag for acknowledgement in acknowledgements}
    severe = tuple(f for f in content.flags if f.severity == Severity.SEVERE and f.id not in answered)
    left = gaps(content) if document == Document.DISCHARGE_INSTRUCTIONS else ()
    if severe or left:
        raise SignatureRefusedError(severe, left)
