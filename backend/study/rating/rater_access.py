"""A rater's seat: who holds this link, what they may see, and the texts of an item as shown to them.

Everything a rater's view is made of passes here, and nothing here gives an arm, a system or another rater.
"""

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.errors import ConflictError, NotFoundError
from backend.schemas.studies.study import EvidenceShown, StudyCase, StudyState
from backend.schemas.studies.study_frozen import BlindedDraft, FrozenStudy, ItemKind, RaterPlan, Slot, StudyItem
from backend.schemas.studies.study_rating import EventKind, Phase, Role
from backend.stores.database.study_tables import EventRow
from backend.study import records
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
        return self.plan.rater_id

    @property
    def open(self) -> bool:
        """Whether answers are taken: raters while it is frozen, adjudicators once it is closed."""
        return self.state == (StudyState.FROZEN if self.role == Role.RATER else StudyState.CLOSED)

    @property
    def asked(self) -> tuple[AskedAs, ...]:
        return asked_of_items(self.study.setup.instruments)

    def slot(self, number: int) -> Slot:
        """Raises NotFoundError."""
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
        with self._lock:
            if study_id not in self._known:
                if len(self._known) >= KEPT:
                    self._known.pop(next(iter(self._known)))
                self._known[study_id] = records.frozen_of(session, study_id)
            return self._known[study_id]


def rater_access_of(session: Session, token: str, frozen: FrozenStudies, lock: bool = False) -> RaterAccess:
    """The seat a token opens. lock: for a write, so that neither the study nor the link changes under it.

    Raises LinkRefusedError.
    """
    link = link_of(session, token, lock)
    row = records.study_row(session, link.study_id, records.Hold.STATE if lock else records.Hold.NOTHING)
    study, role = frozen.of(session, link.study_id), Role(link.role)
    plans = study.raters if role == Role.RATER else records.adjudicator_plans(session, link.study_id)
    plan = next(plan for plan in plans if plan.rater_id == link.rater_id)
    return RaterAccess(study, plan, role, StudyState(row.state))


def check_open(rater_access: RaterAccess) -> None:
    """Raises ConflictError once no more answers are taken."""
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
    wanted = rater_access.slot(number).item_id
    return any(item.id == wanted and item.kind == ItemKind.CALIBRATION for item in rater_access.study.items)


def calibration_count(rater_access: RaterAccess) -> int:
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
    return rater_access.study.setup.evidence == EvidenceShown.ALWAYS or phase == Phase.INFORMED


def _draft(study: FrozenStudy, item: StudyItem, arm: str) -> BlindedDraft:
    drafts: Sequence[BlindedDraft] = study.drafts
    return next(draft for draft in drafts if draft.case_id == item.case_id and draft.arm_id == arm)
