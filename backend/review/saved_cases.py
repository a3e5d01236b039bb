"""Saved cases: save, list, look at, edit, sign, delete, each in one transaction with its line in the audit trail.

Versions are only added: an undo is a new version that reads like an old one. Of two writers of one version the second
gets ConflictError. What may be signed is told in `signing`; what becomes of a clinician's work when an edit makes the letter
be drafted anew, in `overlay`.
"""

import uuid
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import exists, func, or_, select
from sqlalchemy.orm import Session, defer

from backend.errors import ConflictError, InputError, NotFoundError
from backend.review.case_content import compared, draft_of_version, gaps, saved, with_origins
from backend.review.case_records import (
    Sources,
    StaleVersionError,
    case_row,
    check_newest,
    content_of,
    edit_records,
    summary,
    version_records,
)
from backend.review.case_writing import add_to_trail, add_version, advance, remove
from backend.review.editing.edits import Edited, applied
from backend.review.editing.letter_edits import LetterParts, judgements_of
from backend.review.editing.medicine_work import with_medicines
from backend.review.exports.exporting import export_formats
from backend.review.recheck import Checkers
from backend.review.signing import SignedError, blocks_of, check_signable, given_answers, progress_of
from backend.review.working_anew import NewDraft, worked_anew
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.letter_work import ComparedSentence
from backend.schemas.patients.saved_case import (
    AuditAction,
    AuditEntry,
    CasePage,
    CaseState,
    CaseView,
    EditKind,
    EditsRequest,
    SaveRequest,
    Signature,
    SignatureRequest,
    VersionContent,
)
from backend.stores.database.case_tables import (
    AuditRow,
    CaseRow,
    DraftRow,
    EditRow,
    PatientRow,
    SignatureRow,
    VersionRow,
)
from backend.stores.database.database import Database

Clock = Callable[[], datetime]
RETENTION = "retention"
"""Who deletes a letter whose time is over, for the trail."""


class Cases:
    """Every method raises MissingError when the database fails, NotFoundError for a case that does not exist."""

    def __init__(self, database: Database, checkers: Checkers, clock: Clock, retention_days: int = 0) -> None:
        """Open the cases of a database.

        Args:
            database: where they are.
            checkers: what edits are followed by.
            clock: the present moment, with its zone.
            retention_days: after how many days without a change a letter that was never signed goes; 0 for never.
        """
        database.prepare()
        self._database = database
        self._checkers = checkers
        self._clock = clock
        self._retention = timedelta(days=retention_days) if retention_days else None
        self._sources = Sources()

    def save(self, request: SaveRequest) -> CaseView:
        """A new case, version 1, state draft. Sent again with its key, the same case.

        Raises InputError for a draft that contradicts itself, or a request that it does not answer.

        Raises:
            ConflictError: another letter has the key.
        """
        _check_answers(request.draft, request.request)
        content = saved(request.draft, request.details)
        content = content.model_copy(update={"judgements": judgements_of(request.request), "key": request.key})
        case_id, now = _case_id(request.key), self._clock()
        asked = request.request.model_dump_json() if request.request else ""
        with self._database.writing() as session:
            if request.key and session.get(CaseRow, case_id) is not None:
                first = content_of(session, case_id, 1)
                if first.key != request.key:
                    raise ConflictError("Another letter was saved under this key. Nothing was saved.")
            else:
                session.add(
                    CaseRow(
                        id=case_id,
                        label=request.label or label_of(request.draft),
                        author=request.author,
                        state=CaseState.DRAFT.value,
                        version=1,
                        created_at=now,
                        updated_at=now,
                        draft=request.draft.model_dump_json(),
                    )
                )
                session.flush()
                session.add(DraftRow(case_id=case_id, number=1, at=now, draft="", request=asked))
                add_version(session, (case_id, 1), request.author, content, now)
                add_to_trail(session, now, request.author, AuditAction.CREATE, case_id, 1)
        return self.view(case_id)

    def page(self, limit: int, offset: int = 0, state: CaseState | None = None, words: str = "") -> CasePage:
        """Cases, the most lately changed first. words: what their label, name or record number must hold, in whatever letters."""
        wanted = [CaseRow.state == state.value] if state else []
        if words.strip():
            held = (CaseRow.label, PatientRow.name, PatientRow.record_number)
            asked_for = words.strip().lower()
            wanted.append(or_(*(func.lower(one).contains(asked_for, autoescape=True) for one in held)))
        with self._database.reading() as session:
            whose = CaseRow.id == PatientRow.case_id
            counted = select(func.count()).select_from(CaseRow).outerjoin(PatientRow, whose)
            total = session.scalar(counted.where(*wanted)) or 0
            asked = (
                select(CaseRow, PatientRow)
                .outerjoin(PatientRow, whose)
                .options(defer(CaseRow.draft))
                .where(*wanted)
                .order_by(CaseRow.updated_at.desc(), CaseRow.id)
            )
            rows = session.execute(asked.limit(limit).offset(offset)).all()
            found = tuple(summary(row, patient) for row, patient in rows)
        return CasePage(total=total, limit=limit, offset=offset, cases=found)

    def view(self, case_id: str, version: int | None = None) -> CaseView:
        """The newest version, or the one asked for, with all edits and versions of the case."""
        with self._database.reading() as session:
            row = case_row(session, case_id)
            number = version or row.version
            content = self._content(session, case_id, number)
            draft, request = self._sources.get(session, case_id, content.draft_number)
            edits = edit_records(session, case_id)
            versions = version_records(session, case_id)
            whose = session.get(PatientRow, case_id)
            since = session.scalar(select(DraftRow.at).where(DraftRow.case_id == case_id, DraftRow.number == 1))
        record = versions[number - 1]
        head = summary(row, whose).model_dump() | {"version": number, "state": record.state}
        kept = any(one.signature for one in versions) or self._retention is None
        base = with_medicines(draft, content.medicines)
        return CaseView(
            **head,
            newest=row.version,
            author=row.author,
            draft=draft_of_version(base, content),
            sentences=content.sentences,
            flags=content.flags,
            gaps=gaps(content),
            edits=edits,
            versions=versions,
            signature=record.signature,
            exports=export_formats(),
            request=request,
            details=content.details,
            answers=given_answers(content, record.signature),
            judgements=content.judgements,
            corrections=request.corrections if request else (),
            expires_at=None
            if kept or self._retention is None
            else max(row.updated_at, since or row.updated_at) + self._retention,
            progress=progress_of(content),
            blocks=blocks_of(content),
        )

    def newest(self, case_id: str) -> int:
        """The number of the newest version."""
        with self._database.reading() as session:
            found = session.scalar(select(CaseRow.version).where(CaseRow.id == case_id))
            return found if found is not None else case_row(session, case_id).version

    def draft_numbers(self, case_id: str, *versions: int) -> tuple[int, ...]:
        """The drafts that versions stand on: views of the same number have the same note, record and evidence."""
        with self._database.reading() as session:
            return tuple(content_of(session, case_id, version).draft_number for version in versions)

    def comparison(self, case_id: str, before: int, after: int) -> tuple[ComparedSentence, ...]:
        """The sentences of two versions side by side."""
        with self._database.reading() as session:
            case_row(session, case_id)
            contents = [self._content(session, case_id, number) for number in (before, after)]
            edits = edit_records(session, case_id)
            authors = {row.version: row.author for row in version_records(session, case_id)}
        gone = {one.sentence: one.author for one in edits if one.kind is EditKind.DELETE and one.sentence}
        there = {s.id: s for s in contents[1].sentences}
        by = {s.id: gone.get(s.id, authors.get(after, "")) for s in there.values() if s.deleted}
        return compared(contents[0], contents[1], by)

    def edit(self, case_id: str, request: EditsRequest) -> CaseView:
        """A new version with all the edits, of one person. Sent again with its key, the version that it made.

        SignedError says that the version is signed; InputError that an edit cannot be made or that the edits name several authors.

        Raises:
            StaleVersionError: the version is not the newest; the error has the newest.
        """
        now, new = self._clock(), request.version + 1
        author = one_author(request)
        try:
            found = self._edited(case_id, request, now)
            if found is None:
                return self.view(case_id)
            edited, was, drafted = found
            signed = was == CaseState.SIGNED
            content = edited.content.model_copy(update={"key": request.key})
            with self._database.writing() as session:
                advance(session, case_id, (request.version, was), (new, CaseState.IN_REVIEW), now)
                if drafted is not None:
                    asked = drafted.request.model_dump_json()
                    text = drafted.draft.model_dump_json()
                    session.add(DraftRow(case_id=case_id, number=new, at=now, draft=text, request=asked))
                add_version(session, (case_id, new), author, content, now, signed)
                for place, record in enumerate(edited.records):
                    session.add(EditRow(case_id=case_id, version=new, place=place, record=record.model_dump_json()))
                for place, edit in enumerate(request.edits):
                    add_to_trail(session, now, edit.author, edit.kind, case_id, new, place)
        except StaleVersionError as error:
            if self._made(case_id, new, request.key):
                return self.view(case_id)
            error.view = self.view(case_id)
            raise
        if drafted is not None:
            self._sources.put(case_id, new, drafted.draft, drafted.request)
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
            content = self._content(session, case_id, request.version)
            was = CaseState(row.state)
            if was == CaseState.SIGNED:
                raise ConflictError(f"Version {request.version} is already signed. A correction makes a new version.")
        check_signable(content, request.acknowledgements)
        signature = Signature(**request.model_dump(), at=now)
        with self._database.writing() as session:
            advance(session, case_id, (request.version, was), (request.version, CaseState.SIGNED), now)
            record = signature.model_dump_json()
            session.add(SignatureRow(case_id=case_id, version=request.version, record=record))
            add_to_trail(session, now, request.name, AuditAction.SIGN, case_id, request.version)
        return self.view(case_id)

    def delete(self, case_id: str, actor: str) -> None:
        """Delete text, edits and signatures; the audit trail keeps ids, times and kinds."""
        with self._database.writing() as session:
            row = case_row(session, case_id)
            add_to_trail(session, self._clock(), actor, AuditAction.DELETE_CASE, case_id, row.version)
            remove(session, case_id)
        self._sources.forget(case_id)
        self._database.forget()

    def expire(self) -> int:
        """Delete the letters whose time is over: never signed, and without a change for the days of retention.

        Returns:
            how many went.
        """
        if self._retention is None:
            return 0
        until = self._clock() - self._retention
        signed = exists().where(SignatureRow.case_id == CaseRow.id)
        lately = exists().where(DraftRow.case_id == CaseRow.id, DraftRow.number == 1, DraftRow.at > until)
        over = (CaseRow.updated_at <= until, ~signed, ~lately)
        with self._database.writing() as session:
            rows = session.execute(select(CaseRow.id, CaseRow.version).where(*over)).all()
            for case_id, version in rows:
                add_to_trail(session, self._clock(), RETENTION, AuditAction.EXPIRE, case_id, version)
                remove(session, case_id)
        for case_id, _ in rows:
            self._sources.forget(case_id)
        if rows:
            self._database.forget()
        return len(rows)

    def exported(self, case_id: str, version: int, action: AuditAction, actor: str) -> None:
        """Record that a copy was exported. A copy that cannot be recorded is not given."""
        with self._database.writing() as session:
            case_row(session, case_id)
            add_to_trail(session, self._clock(), actor, action, case_id, version)

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

    def _edited(
        self, case_id: str, request: EditsRequest, now: datetime
    ) -> tuple[Edited, CaseState, NewDraft | None] | None:
        """The edits applied and checked, outside any write; the state the case was in; the new draft, where there is one.

        None where the version that was looked at is what these very edits made.

        Raises:
            SignedError: the version is signed and is not to be reopened.
        """
        with self._database.reading() as session:
            row = case_row(session, case_id)
            check_newest(session, row, request.version)
            was = CaseState(row.state)
            content = self._content(session, case_id, row.version)
            if request.key and content.key == request.key:
                return None
            if was is CaseState.SIGNED and not request.reopen:
                raise SignedError
            draft, asked = self._sources.get(session, case_id, content.draft_number)
            parts = LetterParts(
                draft, asked, lambda number: self._sources.get(session, case_id, number), self._checkers.linker
            )
            made = applied(
                content,
                request.edits,
                row.version,
                now,
                draft.evidence,
                lambda number: self._content(session, case_id, number),
                parts,
            )
        new, drafted = worked_anew(content, made, parts, self._checkers, request.version + 1)
        return made._replace(content=new), was, drafted

    def _content(self, session: Session, case_id: str, number: int) -> VersionContent:
        content = content_of(session, case_id, number)
        if content.draft_number != 1 or any(s.origin for s in content.sentences):
            return content
        return with_origins(content, self._sources.get(session, case_id, 1)[0])

    def _made(self, case_id: str, version: int, key: str) -> bool:
        """Whether a request of this key has made that version."""
        if not key:
            return False
        with self._database.reading() as session:
            row = session.get(VersionRow, (case_id, version))
            return row is not None and content_of(session, case_id, version).key == key


def one_author(request: EditsRequest) -> str:
    """Who makes all the edits of a request. Raises InputError where they name several people."""
    names = {edit.author for edit in request.edits}
    if len(names) > 1:
        raise InputError(f"The edits of one request are one person's, and these name {len(names)}. Nothing was saved.")
    return names.pop()


def label_of(draft: Draft) -> str:
    """What tells a letter from others on a list: the person and the reason, "80 F · chest pain"."""
    person, record = draft.patient, draft.record
    who = " ".join(filter(None, (str(person.age) if person.age is not None else "", (person.sex or "")[:1].upper())))
    reason = record.encounter.reason if record else ""
    if not reason:
        reason = next((c.name for c in draft.conditions if c.focus), "") or draft.question
    label = " · ".join(filter(None, (who, " ".join(reason.split()))))
    return f"{label[:197]}…" if len(label) > 198 else label or "Letter"


def _case_id(key: str) -> str:
    """A new id; of one key always the same."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"leapnote letter {key}") if key else uuid.uuid4())


def _check_answers(draft: Draft, request: DraftRequest | None) -> None:
    if request is None:
        return
    asked = (request.text or request.question, request.document, request.system)
    if asked != (draft.note.text, draft.document, draft.system):
        raise InputError("The request is not the one that this draft answers. Send both as POST /v1/drafts had them.")
