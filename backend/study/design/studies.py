"""A study from its setup to its end, for the coordinator: create, fill, freeze, close, unlock, and the trail of it all.

draft -> generating -> ready -> frozen -> closed. Until it is frozen everything can change; afterwards nothing can, and
ratings only add. It stays blind until unlocked, which needs it closed and is written in the trail.
"""

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from backend.errors import ConflictError, InputError, NotFoundError
from backend.schemas.canonical_json import canonical_json, sha256_of
from backend.schemas.studies.study_design import Factor, StudyCase, StudySetup, StudyState
from backend.schemas.studies.study_frozen import (
    DraftMade,
    FrozenStudy,
    StudyDraft,
)
from backend.schemas.studies.study_rating import EventKind, StudyEvent
from backend.schemas.studies.study_views import (
    DraftCount,
    FailedDraft,
    FreezeRequest,
    SetupChange,
    StudySummary,
    StudyView,
)
from backend.stores.database.database import Database
from backend.stores.database.study_tables import FrozenRow, StudyCaseRow, StudyDraftRow, StudyRow
from backend.study import records
from backend.study.clock import Stamper
from backend.study.design.freezing import frozen_study, stamps
from backend.study.design.study_cases import with_roles

OPEN = (StudyState.DRAFT, StudyState.GENERATING, StudyState.READY)
SHAPES_DRAFTS = ("arms", "factor", "document", "style", "seed", "rated_cases", "calibration_items")


class Studies:
    """Every method raises MissingError when the database fails, NotFoundError for a study that does not exist."""

    def __init__(self, database: Database, stamper: Stamper, systems: Callable[[], Sequence[str]] = tuple) -> None:
        """systems: the names that arms may use; empty: not checked here."""
        database.prepare()
        self.database = database
        self.stamper = stamper
        self._systems = systems

    def create(self, setup: StudySetup, author: str, cases: Sequence[StudyCase] = ()) -> StudyView:
        """A new study in the state draft, with its first cases. Raises as add_cases does, and then there is no study."""
        self._check(setup)
        stamp, study_id = self.stamper(), str(uuid.uuid4())
        with self.database.writing() as session:
            row = StudyRow(
                id=study_id,
                name=setup.name,
                state=StudyState.DRAFT.value,
                version=1,
                created_at=stamp.at,
                updated_at=stamp.at,
                setup=setup.model_dump_json(),
            )
            session.add(row)
            session.flush()
            records.add_event(session, study_id, EventKind.CREATE, author, stamp, template=setup.template)
            if cases:
                self._put_cases(session, row, cases, author)
        return self.view(study_id)

    def change(self, study_id: str, request: SetupChange) -> StudyView:
        """Another setup.

        Raises:
            ConflictError: it changed meanwhile, is frozen, or drafts rest on what would change.
        """
        self._check(request.setup)
        with self.database.writing() as session:
            row = self.open_row(session, study_id)
            if row.version != request.version:
                raise ConflictError(f"The study is at version {row.version}, not {request.version}. Load it again.")
            old = records.setup_of(row)
            touched = [f for f in SHAPES_DRAFTS if getattr(old, f) != getattr(request.setup, f)]
            if touched and records.drafts_of(session, study_id):
                raise ConflictError(
                    f"Drafts exist that rest on {', '.join(touched)}. Make a new study for that change."
                )
            row.setup, row.name = request.setup.model_dump_json(), request.setup.name
            self.touch(session, row, EventKind.CHANGE_SETUP, request.author)
        return self.view(study_id)

    def add_cases(self, study_id: str, cases: Sequence[StudyCase], author: str) -> StudyView:
        """More cases.

        Raises:
            ConflictError: an id is there already, or drafts exist.
        """
        with self.database.writing() as session:
            row = self.open_row(session, study_id)
            if records.drafts_of(session, study_id):
                raise ConflictError("Drafts exist already, so the cases stay as they are. Make a new study.")
            self._put_cases(session, row, cases, author)
        return self.view(study_id)

    def freeze(self, study_id: str, request: FreezeRequest) -> StudyView:
        """Freeze it. Raises InputError for what is not decided, LeakError for what gives an arm away.

        Raises:
            ConflictError: drafts are missing, or the study changed meanwhile.
        """
        stamp = self.stamper()
        with self.database.reading() as session:
            row = self.open_row(session, study_id, records.Hold.NOTHING)
            if row.state != StudyState.READY.value:
                count = self.count(session, row)
                missing = count.wanted - count.made - count.failed
                raise ConflictError(f"{missing} drafts are missing. Write them with: python -m backend study generate")
            version, setup = row.version, records.setup_of(row)
            cases, drafts = self.chosen_cases(session, row), self.chosen_drafts(session, row)
        if request.plan is not None:
            setup = setup.model_copy(update={"plan": request.plan})
        made = frozen_study(study_id, setup, cases, drafts, stamp.at, request.author, request.accept_warnings)
        document = canonical_json(made)
        digest = sha256_of(document)
        with self.database.writing() as session:
            # compare and swap: what was frozen is what was looked at
            asked = update(StudyRow).where(StudyRow.id == study_id, StudyRow.version == version)
            values = {"state": StudyState.FROZEN.value, "version": version + 1, "updated_at": stamp.at}
            changed = session.execute(
                asked.values(setup=setup.model_dump_json(), **values).returning(StudyRow.id)
            ).all()
            if not changed:
                raise ConflictError("The study changed meanwhile. Nothing was frozen; look at it again.")
            session.add(FrozenRow(study_id=study_id, sha256=digest, document=document))
            # the frozen document holds everything; one copy of each text is enough
            for table in (StudyCaseRow, StudyDraftRow):
                session.execute(delete(table).where(table.study_id == study_id))
            records.add_event(session, study_id, EventKind.FREEZE, request.author, stamp, sha256=digest)
        return self.view(study_id)

    def close(self, study_id: str, author: str) -> StudyView:
        """No more ratings but an adjudicator's.

        Raises:
            ConflictError: it is not frozen, or closed already.
        """
        with self.database.writing() as session:
            row = records.study_row(session, study_id, records.Hold.CHANGE)
            if row.state != StudyState.FROZEN.value:
                raise ConflictError(f"The study is {row.state}; only a frozen one can be closed.")
            row.state = StudyState.CLOSED.value
            self.touch(session, row, EventKind.CLOSE, author)
        return self.view(study_id)

    def unlock(self, study_id: str, author: str, reason: str = "") -> StudyView:
        """Show which arm is which, from now on and on record, with the reason where one is given.

        A second time changes nothing.

        Raises:
            ConflictError: the study is not closed.
        """
        with self.database.writing() as session:
            row = records.study_row(session, study_id, records.Hold.CHANGE)
            if row.state != StudyState.CLOSED.value:
                raise ConflictError(f"The study is {row.state}: it stays blind until it is closed.")
            if row.unlocked_at is None:
                row.unlocked_at = self.stamper().at
                self.touch(session, row, EventKind.UNLOCK, author, **({"reason": reason} if reason else {}))
        return self.view(study_id)

    def frozen(self, study_id: str) -> FrozenStudy:
        """The frozen study."""
        with self.database.reading() as session:
            return records.frozen_of(session, study_id)

    def page(self) -> tuple[StudySummary, ...]:
        """All studies, the most lately changed first."""
        with self.database.reading() as session:
            rows = session.scalars(select(StudyRow).order_by(StudyRow.updated_at.desc(), StudyRow.id)).all()
            return tuple(records.summary(session, row) for row in rows)

    def view(self, study_id: str) -> StudyView:
        """The study as it stands. Once frozen, cases and drafts are those of the frozen document."""
        with self.database.reading() as session:
            row = records.study_row(session, study_id)
            head = records.summary(session, row)
            setup = records.setup_of(row)
            if head.sha256 is not None:
                document = records.frozen_of(session, study_id)
                cases = document.cases
                drafts: Sequence[StudyDraft] = document.drafts
            else:
                cases = records.cases_of(session, study_id)
                drafts = records.drafts_of(session, study_id)
            count = self.count(session, row)
        failed = [
            FailedDraft(case_id=d.case_id, arm_id=d.arm_id, reason=d.reason)
            for d in drafts
            if d.status == DraftMade.FAILED
        ]
        return StudyView(
            **head.model_dump(), setup=setup, cases=cases, drafts=count, failed=tuple(failed), stamps=stamps(cases)
        )

    def trail(self, study_id: str) -> tuple[StudyEvent, ...]:
        """Who did what, oldest first.

        Raises:
            NotFoundError: nothing is recorded of such a study.
        """
        with self.database.reading() as session:
            found = records.events_of(session, study_id)
        if not found:
            raise NotFoundError(f"Nothing is recorded of a study {study_id}.")
        return found

    def _put_cases(self, session: Session, row: StudyRow, cases: Sequence[StudyCase], author: str) -> None:
        there = {case.id for case in records.cases_of(session, row.id)}
        for case in cases:
            if case.id in there:
                raise ConflictError(f"There is a case {case.id!r} already. Give each case an id of its own.")
            there.add(case.id)
            content = case.model_dump_json()
            session.add(StudyCaseRow(study_id=row.id, case_id=case.id, place=len(there), content=content))
        self.touch(session, row, EventKind.ADD_CASES, author, count=len(cases))

    def _check(self, setup: StudySetup) -> None:
        known = self._systems()
        for arm in setup.arms:
            if known and arm.system is not None and arm.system not in known:
                raise NotFoundError(f"There is no system {arm.system!r}. Choose one of: {', '.join(known)}")
            if setup.factor == Factor.UPLOAD and arm.system is None and arm.generator is not None:
                raise InputError(f"The arm {arm.id!r} is uploaded: give no generator, its drafts say who wrote them.")

    def open_row(self, session: Session, study_id: str, hold: records.Hold = records.Hold.CHANGE) -> StudyRow:
        """The row of a study that is not frozen yet.

        Raises:
            ConflictError: it is frozen.
        """
        row = records.study_row(session, study_id, hold)
        if StudyState(row.state) not in OPEN:
            raise ConflictError(f"The study is {row.state}: nothing of it changes any more. Make a new one.")
        return row

    def chosen_cases(self, session: Session, row: StudyRow) -> tuple[StudyCase, ...]:
        """The cases that take part, with their roles. Raises InputError where they are too few."""
        setup, cases = records.setup_of(row), records.cases_of(session, row.id)
        return with_roles(cases, setup.rated_cases, setup.calibration_items, setup.seed)

    def chosen_drafts(self, session: Session, row: StudyRow) -> tuple[StudyDraft, ...]:
        """Those of the cases that were chosen: an upload may hold more."""
        chosen = {case.id for case in self.chosen_cases(session, row)}
        return tuple(draft for draft in records.drafts_of(session, row.id) if draft.case_id in chosen)

    def count(self, session: Session, row: StudyRow) -> DraftCount:
        """How many drafts the study needs, has, and lost."""
        if StudyState(row.state) not in OPEN:
            kept = records.frozen_of(session, row.id).drafts
            lost = sum(d.status == DraftMade.FAILED for d in kept)
            return DraftCount(wanted=len(kept), made=len(kept) - lost, failed=lost)
        asked = select(StudyDraftRow.status, func.count()).where(StudyDraftRow.study_id == row.id)
        counts: dict[str, int] = {found[0]: found[1] for found in session.execute(asked.group_by(StudyDraftRow.status))}
        cases = records.cases_of(session, row.id)
        try:
            chosen = len(self.chosen_cases(session, row))
        except InputError:  # not enough cases yet; to look at the study is no error
            chosen = len(cases)
        made, failed = counts.get(DraftMade.MADE.value, 0), counts.get(DraftMade.FAILED.value, 0)
        return DraftCount(wanted=chosen * len(records.setup_of(row).arms), made=made, failed=failed)

    def touch(self, session: Session, row: StudyRow, kind: EventKind, author: str, **details: Any) -> None:
        """Count the version up and write the act in the trail."""
        stamp = self.stamper()
        row.version += 1
        row.updated_at = stamp.at
        records.add_event(session, row.id, kind, author, stamp, **details)
