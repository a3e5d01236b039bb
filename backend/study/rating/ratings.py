"""A rater at work: session, profile, items, answers, pauses, leaks, the end. One transaction each, by personal link.

An answer is acknowledged only after the transaction that holds it is on the disk. Every revision is kept; the newest
counts. Sent again under the same id, an answer changes nothing and gets the same reply.
"""

from typing import Any

from sqlalchemy.orm import Session

from backend.errors import ConflictError
from backend.schemas.studies.study_design import EvidenceShown
from backend.schemas.studies.study_rater_views import AnswerSaved, LeakNote, RaterItem, RaterSession
from backend.schemas.studies.study_rating import (
    AnswerRequest,
    EventKind,
    Phase,
    Profile,
    ProfileRequest,
    Role,
    Stamp,
)
from backend.stores.database.database import Database
from backend.stores.database.study_tables import ProfileRow
from backend.study import records
from backend.study.clock import Stamper
from backend.study.rating.answer_checks import complete
from backend.study.rating.answering import answered, keep_answer
from backend.study.rating.closing import closing_complete, guesses_complete
from backend.study.rating.rater_access import (
    FrozenStudies,
    ItemTexts,
    RaterAccess,
    check_not_finished,
    check_open,
    check_reachable,
    is_finished,
    items_with,
    phase_of,
    rater_access_of,
    stamped,
    texts_of,
)
from backend.study.rating.rater_views import item_view, session_view

MOVES = (EventKind.RESUME, EventKind.OPENED)


class Ratings:
    """Every method takes the token of a personal link, and raises LinkRefusedError for one that opens nothing."""

    def __init__(self, database: Database, stamper: Stamper) -> None:
        database.prepare()
        self.database = database
        self.stamper = stamper
        self.frozen = FrozenStudies()

    def session(self, token: str) -> RaterSession:
        """Where this rater is: what to answer, how far they are, and what comes next."""
        with self.database.reading() as session:
            return self._session(session, rater_access_of(session, token, self.frozen))

    def profile(self, token: str, request: ProfileRequest) -> RaterSession:
        """Profession, specialty, years and conflicts, once. Sent again it changes nothing.

        Raises:
            ConflictError: another one was sent before.
        """
        with self.database.writing() as session:
            rater_access = self._rater_access(session, token)
            known = session.get(ProfileRow, (rater_access.study.study_id, rater_access.rater_id))
            if known is not None:
                kept = records.read(Profile, known.content)
                if ProfileRequest(**{name: getattr(kept, name) for name in ProfileRequest.model_fields}) != request:
                    raise ConflictError("You have answered this before; it is asked once and kept.")
            else:
                stamp = stamped(session, rater_access, self.stamper)
                made = Profile(**request.model_dump(), rater_id=rater_access.rater_id, at=stamp.at)
                row = ProfileRow(
                    study_id=rater_access.study.study_id, rater_id=rater_access.rater_id, content=made.model_dump_json()
                )
                session.add(row)
                self._event(session, rater_access, EventKind.PROFILE, stamp)
            return self._session(session, rater_access)

    def item(self, token: str, number: int) -> RaterItem:
        """An item as it stands, with what was saved. Coming to it is recorded, to measure the time on it."""
        with self.database.writing() as session:
            rater_access = self._rater_access(session, token)
            check_reachable(session, rater_access, number)
            shown = texts_of(rater_access, number)
            # a page that draws itself again opens nothing anew: the time goes to the same item anyway
            if records.last_item(session, rater_access.study.study_id, rater_access.rater_id) != shown.item.id:
                stamp = stamped(session, rater_access, self.stamper)
                self._event(session, rater_access, EventKind.OPENED, stamp, shown.item.id, number=number)
            return self._item(session, rater_access, shown)

    def answer(self, token: str, number: int, answer_id: str, request: AnswerRequest) -> AnswerSaved:
        """Keep one answer or remark.

        Raises InputError for one that does not fit, ConflictError for a phase that is over, for an id used for another
        answer, or once the rater has finished.
        """
        with self.database.writing() as session:
            rater_access = rater_access_of(session, token, self.frozen, lock=True)
            return keep_answer(session, rater_access, self.stamper, (number, answer_id, request))

    def show_evidence(self, token: str, number: int) -> RaterItem:
        """After a complete blind rating: from now on its answers stay as they are, and a second rating is taken.

        Raises:
            ConflictError: the blind rating is not complete, or no evidence is shown in this study.
        """
        with self.database.writing() as session:
            rater_access = self._rater_access(session, token)
            if rater_access.study.setup.evidence != EvidenceShown.AFTER_FIRST:
                raise ConflictError("In this session there is no evidence to ask for.")
            check_not_finished(session, rater_access)
            shown = texts_of(rater_access, number)
            if shown.item.id not in items_with(session, rater_access, EventKind.EVIDENCE_SHOWN):
                if not complete(
                    rater_access.asked, len(shown.texts), answered(session, rater_access, shown, Phase.BLIND)
                ):
                    raise ConflictError("Answer every question first; then the evidence is shown.")
                stamp = stamped(session, rater_access, self.stamper)
                self._event(session, rater_access, EventKind.EVIDENCE_SHOWN, stamp, shown.item.id, number=number)
                session.flush()
            return self._item(session, rater_access, shown)

    def pause(self, token: str, resume: bool = False) -> RaterSession:
        """Leave, or come back: on any machine. The time between counts for no item."""
        with self.database.writing() as session:
            rater_access = self._rater_access(session, token)
            kind = EventKind.RESUME if resume else EventKind.PAUSE
            self._event(session, rater_access, kind, stamped(session, rater_access, self.stamper))
            session.flush()
            return self._session(session, rater_access)

    def leak(self, token: str, note: LeakNote) -> RaterSession:
        """The rater recognised who wrote something. It is recorded; the rating goes on."""
        with self.database.writing() as session:
            rater_access = self._rater_access(session, token)
            item = rater_access.slot(note.number).item_id
            stamp = stamped(session, rater_access, self.stamper)
            self._event(session, rater_access, EventKind.LEAK, stamp, item, number=note.number, text=note.text)
            return self._session(session, rater_access)

    def finish(self, token: str) -> RaterSession:
        """After the last item: from now on the ratings stay as they are.

        Raises:
            ConflictError: an item is open.
        """
        with self.database.writing() as session:
            rater_access = self._rater_access(session, token)
            done = items_with(session, rater_access, EventKind.COMPLETED)
            missing = [slot.number for slot in rater_access.plan.slots if slot.item_id not in done]
            if missing:
                raise ConflictError(f"Item {missing[0]} is not complete yet, and {len(missing) - 1} more are not.")
            if not is_finished(session, rater_access):
                self._event(session, rater_access, EventKind.FINISHED, stamped(session, rater_access, self.stamper))
                session.flush()
            return self._session(session, rater_access)

    def _session(self, session: Session, rater_access: RaterAccess) -> RaterSession:
        done = items_with(session, rater_access, EventKind.COMPLETED)
        open_items = [slot.number for slot in rater_access.plan.slots if slot.item_id not in done]
        moves = records.events_of(
            session, rater_access.study.study_id, rater_access.rater_id, (EventKind.PAUSE, *MOVES)
        )
        paused = bool(moves) and moves[-1].kind == EventKind.PAUSE
        following = open_items[0] if open_items else len(rater_access.plan.slots)
        return session_view(rater_access, self._stage(session, rater_access), len(done), following, paused)

    def _stage(self, session: Session, rater_access: RaterAccess) -> str:
        if not rater_access.open:
            return "closed"
        if session.get(ProfileRow, (rater_access.study.study_id, rater_access.rater_id)) is None:
            return "profile"
        if not is_finished(session, rater_access):
            return "rating"
        if rater_access.role == Role.ADJUDICATOR:
            return "done"
        if not guesses_complete(session, rater_access):
            return "guesses"
        return "done" if closing_complete(session, rater_access) else "closing"

    def _rater_access(self, session: Session, token: str) -> RaterAccess:
        rater_access = rater_access_of(session, token, self.frozen, lock=True)
        check_open(rater_access)
        return rater_access

    def _event(
        self,
        session: Session,
        rater_access: RaterAccess,
        kind: EventKind,
        stamp: Stamp,
        item_id: str = "",
        **details: Any,
    ) -> None:
        records.add_event(session, rater_access.study.study_id, kind, rater_access.rater_id, stamp, item_id, **details)

    def _item(self, session: Session, rater_access: RaterAccess, shown: ItemTexts) -> RaterItem:
        mine = records.ratings_of(session, rater_access.study.study_id, rater_access.rater_id, shown.item.id)
        latest = [r for r in records.newest(mine) if r.phase in (Phase.BLIND, Phase.INFORMED)]
        phase = phase_of(rater_access, shown.item.id, items_with(session, rater_access, EventKind.EVIDENCE_SHOWN))
        waits = rater_access.study.setup.evidence == EvidenceShown.AFTER_FIRST and phase == Phase.BLIND
        done = shown.item.id in items_with(session, rater_access, EventKind.COMPLETED)
        return item_view(rater_access, shown, phase, latest, done, waits)
