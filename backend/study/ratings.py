"""A rater at work: session, profile, items, answers, pauses, leaks, the end. One transaction each, by personal link.

An answer is acknowledged only after the transaction that holds it is on the disk. Every revision is kept; the newest
counts. Sent again under the same id, an answer changes nothing and gets the same reply.
"""

from typing import Any

from sqlalchemy.orm import Session

from backend.errors import ConflictError
from backend.schemas.study import EvidenceShown
from backend.schemas.study_rater_views import AnswerSaved, LeakNote, RaterItem, RaterSession
from backend.schemas.study_rating import (
    AnswerRequest,
    EventKind,
    Phase,
    Profile,
    ProfileRequest,
    Role,
    Stamp,
)
from backend.stores.database import Database
from backend.stores.study_tables import ProfileRow
from backend.study import records
from backend.study.answering import answered, keep_answer
from backend.study.answers import complete
from backend.study.clock import Stamper
from backend.study.closing import closing_complete, guesses_complete
from backend.study.gates import check_reachable, check_unfinished, is_finished, stamped
from backend.study.rater_views import item_view, session_view
from backend.study.seat import (
    FrozenStudies,
    ItemTexts,
    Seat,
    check_open,
    items_with,
    phase_of,
    seat_of,
    texts_of,
)

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
            return self._session(session, seat_of(session, token, self.frozen))

    def profile(self, token: str, request: ProfileRequest) -> RaterSession:
        """Profession, specialty, years and conflicts, once. Sent again it changes nothing; another one is refused."""
        with self.database.writing() as session:
            seat = self._seat(session, token)
            known = session.get(ProfileRow, (seat.study.study_id, seat.rater_id))
            if known is not None:
                kept = records.read(Profile, known.content)
                if ProfileRequest(**{name: getattr(kept, name) for name in ProfileRequest.model_fields}) != request:
                    raise ConflictError("You have told this before; it is asked once and kept.")
            else:
                stamp = stamped(session, seat, self.stamper)
                made = Profile(**request.model_dump(), rater_id=seat.rater_id, at=stamp.at)
                row = ProfileRow(study_id=seat.study.study_id, rater_id=seat.rater_id, content=made.model_dump_json())
                session.add(row)
                self._event(session, seat, EventKind.PROFILE, stamp)
            return self._session(session, seat)

    def item(self, token: str, number: int) -> RaterItem:
        """An item as it stands, with what was saved. Coming to it is recorded, to measure the time on it."""
        with self.database.writing() as session:
            seat = self._seat(session, token)
            check_reachable(session, seat, number)
            shown = texts_of(seat, number)
            # a page that draws itself again opens nothing anew: the time goes to the same item anyway
            if records.last_item(session, seat.study.study_id, seat.rater_id) != shown.item.id:
                stamp = stamped(session, seat, self.stamper)
                self._event(session, seat, EventKind.OPENED, stamp, shown.item.id, number=number)
            return self._item(session, seat, shown)

    def answer(self, token: str, number: int, answer_id: str, request: AnswerRequest) -> AnswerSaved:
        """Keep one answer or remark.

        Raises InputError for one that does not fit, ConflictError for a phase that is over, for an id used for another
        answer, or once the rater has finished.
        """
        with self.database.writing() as session:
            seat = seat_of(session, token, self.frozen, lock=True)
            return keep_answer(session, seat, self.stamper, (number, answer_id, request))

    def show_evidence(self, token: str, number: int) -> RaterItem:
        """After a complete blind rating: from now on its answers stay as they are, and a second rating is taken."""
        with self.database.writing() as session:
            seat = self._seat(session, token)
            if seat.study.setup.evidence != EvidenceShown.AFTER_FIRST:
                raise ConflictError("In this session there is no evidence to ask for.")
            check_unfinished(session, seat)
            shown = texts_of(seat, number)
            if shown.item.id not in items_with(session, seat, EventKind.EVIDENCE_SHOWN):
                if not complete(seat.asked, len(shown.texts), answered(session, seat, shown, Phase.BLIND)):
                    raise ConflictError("Answer every question first; then the evidence is shown.")
                stamp = stamped(session, seat, self.stamper)
                self._event(session, seat, EventKind.EVIDENCE_SHOWN, stamp, shown.item.id, number=number)
                session.flush()
            return self._item(session, seat, shown)

    def pause(self, token: str, resume: bool = False) -> RaterSession:
        """Leave, or come back: on any machine. The time between counts for no item."""
        with self.database.writing() as session:
            seat = self._seat(session, token)
            kind = EventKind.RESUME if resume else EventKind.PAUSE
            self._event(session, seat, kind, stamped(session, seat, self.stamper))
            session.flush()
            return self._session(session, seat)

    def leak(self, token: str, note: LeakNote) -> RaterSession:
        """The rater recognised who wrote something. It is recorded; the rating goes on."""
        with self.database.writing() as session:
            seat = self._seat(session, token)
            item = seat.slot(note.number).item_id
            stamp = stamped(session, seat, self.stamper)
            self._event(session, seat, EventKind.LEAK, stamp, item, number=note.number, text=note.text)
            return self._session(session, seat)

    def finish(self, token: str) -> RaterSession:
        """After the last item: from now on the ratings stay as they are. Raises ConflictError while an item is open."""
        with self.database.writing() as session:
            seat = self._seat(session, token)
            done = items_with(session, seat, EventKind.COMPLETED)
            missing = [slot.number for slot in seat.plan.slots if slot.item_id not in done]
            if missing:
                raise ConflictError(f"Item {missing[0]} is not complete yet, and {len(missing) - 1} more are not.")
            if not is_finished(session, seat):
                self._event(session, seat, EventKind.FINISHED, stamped(session, seat, self.stamper))
                session.flush()
            return self._session(session, seat)

    def _session(self, session: Session, seat: Seat) -> RaterSession:
        done = items_with(session, seat, EventKind.COMPLETED)
        open_items = [slot.number for slot in seat.plan.slots if slot.item_id not in done]
        moves = records.events_of(session, seat.study.study_id, seat.rater_id, (EventKind.PAUSE, *MOVES))
        paused = bool(moves) and moves[-1].kind == EventKind.PAUSE
        following = open_items[0] if open_items else len(seat.plan.slots)
        return session_view(seat, self._stage(session, seat), len(done), following, paused)

    def _stage(self, session: Session, seat: Seat) -> str:
        if not seat.open:
            return "closed"
        if session.get(ProfileRow, (seat.study.study_id, seat.rater_id)) is None:
            return "profile"
        if not is_finished(session, seat):
            return "rating"
        if seat.role == Role.ADJUDICATOR:
            return "done"
        if not guesses_complete(session, seat):
            return "guesses"
        return "done" if closing_complete(session, seat) else "closing"

    def _seat(self, session: Session, token: str) -> Seat:
        seat = seat_of(session, token, self.frozen, lock=True)
        check_open(seat)
        return seat

    def _event(
        self, session: Session, seat: Seat, kind: EventKind, stamp: Stamp, item_id: str = "", **details: Any
    ) -> None:
        records.add_event(session, seat.study.study_id, kind, seat.rater_id, stamp, item_id, **details)

    def _item(self, session: Session, seat: Seat, shown: ItemTexts) -> RaterItem:
        mine = records.ratings_of(session, seat.study.study_id, seat.rater_id, shown.item.id)
        latest = [r for r in records.newest(mine) if r.phase in (Phase.BLIND, Phase.INFORMED)]
        phase = phase_of(seat, shown.item.id, items_with(session, seat, EventKind.EVIDENCE_SHOWN))
        waits = seat.study.setup.evidence == EvidenceShown.AFTER_FIRST and phase == Phase.BLIND
        done = shown.item.id in items_with(session, seat, EventKind.COMPLETED)
        return item_view(seat, shown, phase, latest, done, waits)
