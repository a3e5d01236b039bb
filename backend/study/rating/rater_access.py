"""What a personal link gives access to: the rater, what they must do first, and the texts of an item as shown to them.

Everything a rater's view is made of passes here, and nothing here gives an arm, a system or another rater.
"""

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.errors import ConflictError, NotFoundError
from backend.schemas.studies.study_design import EvidenceShown, StudyCase, StudyState
from backend.schemas.studies.study_frozen import BlindedDraft, FrozenStudy, ItemKind, RaterPlan, Slot, StudyItem
from backend.schemas.studies.study_rating import EventKind, Phase, Role, Stamp
from backend.stores.database.study_tables import EventRow, ProfileRow
from backend.study import records
from backend.study.clock import Stamper
from backend.study.design.instruments import AskedAs, asked_of_items
from backend.study.rating.personal_links import link_of

KEPT = 8  # frozen studies held in memory


class RaterAccess(NamedTuple):
    """One rater in one study. state is the study's, as this transaction sees it."""

    study: FrozenStudy
    plan: RaterPlan
    role: Role
    state: StudyState

    @property
    def rater_id(self) -> str:
        """The rater's place, such as R01."""
        return self.plan.rater_id

    @property
    def open(self) -> bool:
        """Whether answers are taken: raters while it is frozen, adjudicators once it is closed."""
        return self.state == (StudyState.FROZEN if self.role == Role.RATER else StudyState.CLOSED)

    @property
    def asked(self) -> tuple[AskedAs, ...]:
        """The questions about items, under the keys of this session."""
        return asked_of_items(self.study.setup.instruments)

    def slot(self, number: int) -> Slot:
        """The rater's item of a number, counted from 1.

        Raises:
            NotFoundError: there is none.
        """
        if not 1 <= number <= len(self.plan.slots):
            raise NotFoundError(f"There is no item {number}; yours are 1 to {len(self.plan.slots)}.")
        return self.plan.slots[number - 1]


class ItemTexts(NamedTuple):
    """An item as shown: its case, the blinded drafts in order, and the evidence of each."""

    item: StudyItem
    slot: Slot
    case: StudyCase
    texts: tuple[str, ...]
    evidence: tuple[tuple[str, ...], ...]


class FrozenStudies:
    """Frozen studies by id. They never change, so each is read and checked against its hash once a process."""

    def __init__(self) -> None:
        self._known: dict[str, FrozenStudy] = {}
        self._lock = Lock()

    def of(self, session: Session, study_id: str) -> FrozenStudy:
        """The frozen study of an id."""
        with self._lock:
            if study_id not in self._known:
                if len(self._known) >= KEPT:
                    self._known.pop(next(iter(self._known)))
                self._known[study_id] = records.frozen_of(session, study_id)
            return self._known[study_id]


def rater_access_of(session: Session, token: str, frozen: FrozenStudies, lock: bool = False) -> RaterAccess:
    """What a token gives access to. Raises LinkRefusedError.

    lock: for a write, so that neither the study nor the link changes under it.
    """
    link = link_of(session, token, lock)
    row = records.study_row(session, link.study_id, records.Hold.STATE if lock else records.Hold.NOTHING)
    study, role = frozen.of(session, link.study_id), Role(link.role)
    plans = study.raters if role == Role.RATER else records.adjudicator_plans(session, link.study_id)
    plan = next(plan for plan in plans if plan.rater_id == link.rater_id)
    return RaterAccess(study, plan, role, StudyState(row.state))


def check_open(rater_access: RaterAccess) -> None:
    """Refuse an answer where none is taken.

    Raises:
        ConflictError: the session is closed.
    """
    if not rater_access.open:
        raise ConflictError("This rating session is closed. Everything you saved before is kept.")


def texts_of(rater_access: RaterAccess, number: int) -> ItemTexts:
    """What stands on the page for an item. A planted error is in the text, and nothing says so."""
    slot = rater_access.slot(number)
    item = next(item for item in rater_access.study.items if item.id == slot.item_id)
    case = next(case for case in rater_access.study.cases if case.id == item.case_id)
    drafts = [_draft(rater_access.study, item, arm) for arm in slot.shown]
    texts = tuple(
        item.planted.text if item.planted and item.planted.arm_id == draft.arm_id else draft.blinded for draft in drafts
    )
    return ItemTexts(item, slot, case, texts, tuple(draft.blinded_evidence for draft in drafts))


def is_calibration(rater_access: RaterAccess, number: int) -> bool:
    """Whether the item is one of the first, which all raters share."""
    wanted = rater_access.slot(number).item_id
    return any(item.id == wanted and item.kind == ItemKind.CALIBRATION for item in rater_access.study.items)


def calibration_count(rater_access: RaterAccess) -> int:
    """How many of the rater's items are calibration items."""
    calibration = {item.id for item in rater_access.study.items if item.kind == ItemKind.CALIBRATION}
    return sum(slot.item_id in calibration for slot in rater_access.plan.slots)


def items_with(session: Session, rater_access: RaterAccess, kind: EventKind) -> set[str]:
    """The items for which the trail holds an event of this rater: completed, evidence_shown."""
    asked = select(EventRow.item_id).where(
        EventRow.study_id == rater_access.study.study_id,
        EventRow.actor == rater_access.rater_id,
        EventRow.kind == kind.value,
    )
    return set(session.scalars(asked))


def phase_of(rater_access: RaterAccess, item_id: str, shown: set[str]) -> Phase:
    """Which rating an answer belongs to now. shown: the items whose evidence this rater has seen."""
    after = rater_access.study.setup.evidence == EvidenceShown.AFTER_FIRST
    return Phase.INFORMED if after and item_id in shown else Phase.BLIND


def evidence_is_shown(rater_access: RaterAccess, phase: Phase) -> bool:
    """Whether a rater sees the evidence in this phase."""
    return rater_access.study.setup.evidence == EvidenceShown.ALWAYS or phase == Phase.INFORMED


def _draft(study: FrozenStudy, item: StudyItem, arm: str) -> BlindedDraft:
    drafts: Sequence[BlindedDraft] = study.drafts
    return next(draft for draft in drafts if draft.case_id == item.case_id and draft.arm_id == arm)


def stamped(session: Session, rater_access: RaterAccess, stamper: Stamper) -> Stamp:
    """The stamp of this rater's next action."""
    step = records.next_step(session, rater_access.study.study_id, rater_access.rater_id)
    return stamper().model_copy(update={"step": step})


def check_reachable(session: Session, rater_access: RaterAccess, number: int) -> None:
    """Refuse an item that is not open to this rater yet.

    Raises:
        ConflictError: the profile is missing, or a calibration item is not complete.
    """
    rater_access.slot(number)
    if session.get(ProfileRow, (rater_access.study.study_id, rater_access.rater_id)) is None:
        raise ConflictError("Tell first who you are: profession, specialty, years, conflicts of interest.")
    count = calibration_count(rater_access)
    if is_calibration(rater_access, number) or not count:
        return
    done = items_with(session, rater_access, EventKind.COMPLETED)
    missing = [slot.number for slot in rater_access.plan.slots[:count] if slot.item_id not in done]
    if missing:
        raise ConflictError(f"The first {count} items come first; item {missing[0]} is not complete yet.")


def is_finished(session: Session, rater_access: RaterAccess) -> bool:
    """Whether the rater has said that they are done."""
    return bool(records.events_of(session, rater_access.study.study_id, rater_access.rater_id, (EventKind.FINISHED,)))


def check_not_finished(session: Session, rater_access: RaterAccess) -> None:
    """Refuse an answer of a rater who has finished.

    Raises:
        ConflictError: they have.
    """
    if is_finished(session, rater_access):
        raise ConflictError("You have finished, so your ratings stay as they are.")
