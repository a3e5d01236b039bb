"""After the last item: the rater guesses who wrote some of the drafts, then says what each blinded arm was good and bad at.

Guesses come first: the groups of the closing questions show which drafts belong together. Groups have numbers of this
rater's own, which do not follow the options of the guesses.
"""

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.errors import ConflictError, InputError, NotFoundError
from backend.schemas.studies.study_frozen import ItemKind
from backend.schemas.studies.study_instrument import Option
from backend.schemas.studies.study_rater_views import (
    ClosingGroup,
    ClosingRequest,
    ClosingView,
    GuessItem,
    GuessRequest,
    GuessView,
)
from backend.schemas.studies.study_rating import (
    CannotJudge,
    EventKind,
    Phase,
    RatingRecord,
    Role,
    TextAnswer,
    ValueAnswer,
)
from backend.stores.database.database import Database
from backend.stores.database.study_tables import RatingRow
from backend.study import records
from backend.study.clock import Stamper
from backend.study.design.instruments import asked_of_arms
from backend.study.rating.answer_checks import letters
from backend.study.rating.rater_access import FrozenStudies, RaterAccess, check_open, rater_access_of, texts_of
from backend.study.rating.rater_views import answer_view, question_view

GUESS = "guess"
GROUPS = "@arms"
UNKNOWN = Option(value=0, label="I do not know")


class Closing:
    """What a rater answers once they have finished. Raises LinkRefusedError for a token that opens nothing."""

    def __init__(self, database: Database, stamper: Stamper, frozen: FrozenStudies) -> None:
        self.database = database
        self.stamper = stamper
        self.frozen = frozen

    def guesses(self, token: str) -> GuessView:
        """The drafts to guess about, with the guesses so far. Raises ConflictError before the items are finished."""
        with self.database.reading() as session:
            rater_access = rater_access_of(session, token, self.frozen)
            self._check_stage(session, rater_access)
            return self._guesses(session, rater_access)

    def guess(self, token: str, answer_id: str, request: GuessRequest) -> GuessView:
        """Keep one guess.

        Raises:
            ConflictError: the closing questions were answered already.
            InputError: the guess is no option.
            NotFoundError: there is nothing to guess of this item.
        """
        with self.database.writing() as session:
            rater_access = self._rater_access(session, token)
            parts = letters(len(rater_access.slot(request.number).shown))
            if request.number not in rater_access.plan.guesses or request.part not in parts:
                raise NotFoundError("There is nothing to guess of this item.")
            if request.guess > len(rater_access.plan.guess_order):
                raise InputError(f"A guess is 0 to {len(rater_access.plan.guess_order)}.")
            if self._closing_begun(session, rater_access):
                raise ConflictError("The guesses are over: the closing questions were answered.")
            slot = rater_access.slot(request.number)
            record = self._record(session, rater_access, Phase.GUESS, (slot.item_id, slot.number, GUESS, request.part))
            changed = {"id": answer_id, "answer": ValueAnswer(value=request.guess)}
            self._keep(session, rater_access, record.model_copy(update=changed), request.seen_revision)
            return self._guesses(session, rater_access)

    def closing(self, token: str) -> ClosingView:
        """Raises ConflictError before the guesses are complete."""
        with self.database.reading() as session:
            rater_access = rater_access_of(session, token, self.frozen)
            self._check_guessed(session, rater_access)
            return self._closing(session, rater_access)

    def close(self, token: str, answer_id: str, request: ClosingRequest) -> ClosingView:
        """Keep one closing answer.

        Raises:
            InputError: it is no text, or an empty one.
            NotFoundError: there is no such question or group.
        """
        with self.database.writing() as session:
            rater_access = self._rater_access(session, token)
            self._check_guessed(session, rater_access)
            entry = next((e for e in asked_of_arms(rater_access.study.setup.instruments) if e.key == request.key), None)
            if entry is None or request.group > len(rater_access.plan.closing_order):
                raise NotFoundError("There is no such closing question or group.")
            if not isinstance(request.answer, TextAnswer | CannotJudge):
                raise InputError("This question takes a text, or 'cannot judge'.")
            if isinstance(request.answer, TextAnswer) and not request.answer.text.strip():
                raise InputError("The text is empty; 'cannot judge' is an answer too.")
            part = letters(request.group)[-1]
            record = self._record(session, rater_access, Phase.CLOSING, (GROUPS, 0, entry.name, part))
            changed = {"id": answer_id, "answer": request.answer}
            self._keep(session, rater_access, record.model_copy(update=changed), request.seen_revision)
            return self._closing(session, rater_access)

    def _rater_access(self, session: Session, token: str) -> RaterAccess:
        rater_access = rater_access_of(session, token, self.frozen, lock=True)
        check_open(rater_access)
        self._check_stage(session, rater_access)
        return rater_access

    def _check_stage(self, session: Session, rater_access: RaterAccess) -> None:
        if rater_access.role == Role.ADJUDICATOR:
            raise ConflictError("There is nothing to answer after the last item.")
        if not records.events_of(session, rater_access.study.study_id, rater_access.rater_id, (EventKind.FINISHED,)):
            raise ConflictError("Finish the items first.")

    def _check_guessed(self, session: Session, rater_access: RaterAccess) -> None:
        self._check_stage(session, rater_access)
        if not guesses_complete(session, rater_access):
            raise ConflictError("Guess first who wrote the drafts; then come the closing questions.")

    def _closing_begun(self, session: Session, rater_access: RaterAccess) -> bool:
        return bool(_answered(session, rater_access, Phase.CLOSING))

    def _record(
        self, session: Session, rater_access: RaterAccess, phase: Phase, place: tuple[str, int, str, str]
    ) -> RatingRecord:
        item_id, number, question, part = place
        step = records.next_step(session, rater_access.study.study_id, rater_access.rater_id)
        return RatingRecord(
            id="",
            rater_id=rater_access.rater_id,
            role=rater_access.role,
            item_id=item_id,
            number=number,
            phase=phase,
            question=question,
            part=part,
            revision=1,
            seen_revision=0,
            answer=CannotJudge(),
            stamp=self.stamper().model_copy(update={"step": step}),
        )

    def _keep(self, session: Session, rater_access: RaterAccess, record: RatingRecord, seen: int) -> None:
        """Add the record, unless it is there already.

        Raises:
            ConflictError: its id was used for something else.
        """
        mine = records.ratings_of(session, rater_access.study.study_id, rater_access.rater_id)
        known = next((r for r in mine if r.id == record.id), None)
        place = ("item_id", "phase", "question", "part")
        if known is not None:
            if any(getattr(known, name) != getattr(record, name) for name in (*place, "answer")):
                raise ConflictError("This answer's id was used for another answer. Send it under a new id.")
            return
        same = [r for r in mine if all(getattr(r, name) == getattr(record, name) for name in place)]
        revision = len(same) + 1
        update = {"revision": revision, "seen_revision": seen, "overwrote": revision - 1 > seen}
        records.add_rating(session, rater_access.study.study_id, record.model_copy(update=update))
        session.flush()

    def _guesses(self, session: Session, rater_access: RaterAccess) -> GuessView:
        labels = {arm.id: arm.guess_label for arm in rater_access.study.setup.arms}
        options = [Option(value=n, label=labels[arm]) for n, arm in enumerate(rater_access.plan.guess_order, 1)]
        known = {(r.number, r.part): r for r in _newest(session, rater_access, Phase.GUESS)}
        found = []
        for number in rater_access.plan.guesses:
            shown = texts_of(rater_access, number)
            for part, text in zip(letters(len(shown.texts)), shown.texts, strict=True):
                record = known.get((number, part))
                value = record.answer.value if record and isinstance(record.answer, ValueAnswer) else None
                revision = record.revision if record else 0
                found.append(GuessItem(number=number, part=part, text=text, guess=value, revision=revision))
        complete = all(item.guess is not None for item in found)
        return GuessView(options=(*options, UNKNOWN), items=tuple(found), complete=complete)

    def _closing(self, session: Session, rater_access: RaterAccess) -> ClosingView:
        newest = _newest(session, rater_access, Phase.CLOSING)
        groups = []
        for place, arm in enumerate(rater_access.plan.closing_order, 1):
            letter = letters(place)[-1]
            answers = tuple(answer_view(rater_access, record) for record in newest if record.part == letter)
            groups.append(ClosingGroup(group=place, items=tuple(_written_by(rater_access, arm)), answers=answers))
        questions = tuple(question_view(entry) for entry in asked_of_arms(rater_access.study.setup.instruments))
        return ClosingView(questions=questions, groups=tuple(groups), complete=closing_complete(session, rater_access))


def guesses_complete(session: Session, rater_access: RaterAccess) -> bool:
    """Whether every draft that is to be guessed has a guess, be it 'I do not know'."""
    wanted = {
        (rater_access.slot(number).item_id, part)
        for number in rater_access.plan.guesses
        for part in letters(len(rater_access.slot(number).shown))
    }
    return wanted <= {(item, part) for item, _, part in _answered(session, rater_access, Phase.GUESS)}


def closing_complete(session: Session, rater_access: RaterAccess) -> bool:
    """Whether every required closing question is answered for every group."""
    asked = [entry for entry in asked_of_arms(rater_access.study.setup.instruments) if entry.question.required]
    wanted = {(entry.name, part) for entry in asked for part in letters(len(rater_access.plan.closing_order))}
    return wanted <= {(question, part) for _, question, part in _answered(session, rater_access, Phase.CLOSING)}


def _answered(session: Session, rater_access: RaterAccess, phase: Phase) -> set[tuple[str, str, str]]:
    """(item, question, part)."""
    asked = select(RatingRow.item_id, RatingRow.question, RatingRow.part).where(
        RatingRow.study_id == rater_access.study.study_id,
        RatingRow.rater_id == rater_access.rater_id,
        RatingRow.phase == phase.value,
    )
    return {(row[0], row[1], row[2]) for row in session.execute(asked)}


def _newest(session: Session, rater_access: RaterAccess, phase: Phase) -> tuple[RatingRecord, ...]:
    mine = records.ratings_of(session, rater_access.study.study_id, rater_access.rater_id)
    return tuple(record for record in records.newest(mine) if record.phase == phase)


def _written_by(rater_access: RaterAccess, arm: str) -> Iterable[str]:
    """The rater's items that hold a draft of an arm. Planted errors are left out: nobody wrote them.

    Yields:
        The item's number, with the draft's letter where there are several: '12' or '12 A'.
    """
    planted = {item.id for item in rater_access.study.items if item.kind == ItemKind.ATTENTION}
    for slot in rater_access.plan.slots:
        if arm in slot.shown and slot.item_id not in planted:
            letter = letters(len(slot.shown))[slot.shown.index(arm)]
            yield str(slot.number) if len(slot.shown) == 1 else f"{slot.number} {letter}"
