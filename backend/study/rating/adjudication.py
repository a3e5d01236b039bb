"""The items on which raters disagree most, given to a third person, who rates them blind and sees nobody's answers."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

from backend.errors import ConflictError
from backend.schemas.canonical_json import order_key
from backend.schemas.studies.study_design import StudyState
from backend.schemas.studies.study_frozen import FrozenStudy, ItemKind, RaterPlan, Slot
from backend.schemas.studies.study_rating import EventKind, Phase, RankingAnswer, RatingRecord, Role, ValueAnswer
from backend.stores.database.study_tables import RaterPlanRow
from backend.study import records
from backend.study.design.assignment import sides, toward_second
from backend.study.design.instruments import asked
from backend.study.design.studies import Studies


class Disagreement(NamedTuple):
    """score: 0 (all answers equal) to 1 (opposite ends of every scale). answers: how many values it rests on."""

    item_id: str
    score: float
    answers: int


def disagreements(study: FrozenStudy, ratings: Iterable[RatingRecord]) -> tuple[Disagreement, ...]:
    """Main items by disagreement, the greatest first; those that fewer than two rated are left out.

    The mean absolute difference of two raters' answers to a question, as a share of its scale, over all its questions
    and drafts; of a ranking, of two places as a share of the places there are.
    """
    items = {item.id: item for item in study.items if item.kind == ItemKind.MAIN}
    slots = {(plan.rater_id, slot.number): slot for plan in study.raters for slot in plan.slots}
    spans = {
        e.name: e.question.options[-1].value - e.question.options[0].value
        for e in asked(study.setup.instruments)
        if e.question.options
    }
    values: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    for record in records.newest(tuple(ratings)):
        counted = record.role == Role.RATER and record.phase == Phase.BLIND and record.item_id in items
        if not counted:
            continue
        slot, item = slots[record.rater_id, record.number], items[record.item_id]
        if isinstance(record.answer, RankingAnswer):
            for place, group in enumerate(record.answer.order):
                for part in group:
                    share = place / max(len(slot.shown) - 1, 1)
                    values[record.item_id, record.question, slot.shown[ord(part) - ord("A")]].append(share)
        if not isinstance(record.answer, ValueAnswer):
            continue
        value = float(record.answer.value)
        arm = slot.shown[ord(record.part) - ord("A")] if record.part else ""
        if not record.part and len(item.arms) == 2:
            value = toward_second(value, slot, item)
        values[record.item_id, record.question, arm].append(value / spans[record.question])
    scores: defaultdict[str, list[float]] = defaultdict(list)
    counts: defaultdict[str, int] = defaultdict(int)
    for (item_id, _, _), found in values.items():
        if len(found) > 1:
            scores[item_id].append(fmean(abs(a - b) for a, b in combinations(found, 2)))
            counts[item_id] += len(found)
    made = [Disagreement(item, fmean(found), counts[item]) for item, found in scores.items()]
    return tuple(sorted(made, key=lambda d: (-d.score, d.item_id)))


def adjudicate(studies: Studies, study_id: str, count: int, author: str) -> RaterPlan:
    """A place for one adjudicator with the items that disagree most.

    Items on which everybody agrees are not given out. The place stands beside the frozen study and is in every export.

    Raises:
        ConflictError: the study is not closed, or nothing was rated differently.
    """
    stamp = studies.stamper()
    with studies.database.writing() as session:
        row = records.study_row(session, study_id, records.Hold.CHANGE)
        if row.state != StudyState.CLOSED.value:
            raise ConflictError(f"The study is {row.state}: close it before its disagreements are judged.")
        study = records.frozen_of(session, study_id)
        found = disagreements(study, records.ratings_of(session, study_id))
        chosen = [d for d in found if d.score > 0][:count]
        if not chosen:
            raise ConflictError("No item was rated differently by two raters, so there is nothing to adjudicate.")
        place = f"J{len(records.adjudicator_plans(session, study_id)) + 1:02}"
        plan = _plan(study, place, [d.item_id for d in chosen])
        session.add(RaterPlanRow(study_id=study_id, rater_id=place, plan=plan.model_dump_json()))
        scored = {d.item_id: [round(d.score, 4), d.answers] for d in chosen}
        records.add_event(session, study_id, EventKind.ADJUDICATE, author, stamp, rater=place, items=scored)
    return plan


def _plan(study: FrozenStudy, place: str, chosen: list[str]) -> RaterPlan:
    seed = study.setup.seed
    order = sorted(chosen, key=lambda item: order_key(seed, place, item))
    shown = sides({item.id: item.arms for item in study.items if item.id in set(chosen)}, place, seed)
    return RaterPlan(
        rater_id=place, slots=tuple(Slot(number=n, item_id=i, shown=shown[i]) for n, i in enumerate(order, 1))
    )
