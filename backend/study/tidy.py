"""All ratings of a study as tidy rows: one row for each answer about one thing. What analysis and CSV take."""

from collections.abc import Sequence
from typing import NamedTuple

from backend.schemas.canonical_json import order_key
from backend.schemas.studies.study_frozen import FrozenStudy, RaterPlan, Slot, StudyItem
from backend.schemas.studies.study_instrument import Question, QuestionKind
from backend.schemas.studies.study_rating import (
    CannotJudge,
    CommentAnswer,
    ErrorsAnswer,
    Profile,
    RankingAnswer,
    RatingRecord,
    StudyEvent,
    TextAnswer,
    ValueAnswer,
)
from backend.study import records
from backend.study.design.assignment import toward_second
from backend.study.design.instruments import asked
from backend.study.design.studies import Studies
from backend.study.rating.closing import GROUPS, GUESS
from backend.study.rating.item_completion import TimeOnItem, time_of


class TidyRow(NamedTuple):
    """One answer, the newest revision. Empty or None where a column does not apply.

    arm: whose draft it is about, shown_as: under which letter. first_arm, second_arm and toward_second are a preference's: positive means that the
    second arm was preferred, whichever side it stood on. value of a ranking is the place, 1 the best; of an error list
    how many. period: 1 for the first half of a rater's items, 2 for the second. status: rated or cannot_judge.
    """

    rater: str
    role: str
    case: str
    set: str
    item: str
    kind: str
    number: int
    period: int
    phase: str
    instrument: str
    question: str
    arm: str
    shown_as: str
    status: str
    value: float | None
    text: str
    first_arm: str
    second_arm: str
    toward_second: float | None
    seconds: float | None
    seconds_visible: float | None
    revisions: int
    overwrote: bool
    at: str
    profession: str
    specialty: str
    years: float | None
    conflicts: str


class Ratings(NamedTuple):
    """What rows are made of."""

    study: FrozenStudy
    adjudicators: tuple[RaterPlan, ...]
    profiles: tuple[Profile, ...]
    ratings: tuple[RatingRecord, ...]
    events: tuple[StudyEvent, ...]


def ratings_data(studies: Studies, study_id: str) -> Ratings:
    """Everything that was rated, for rows and figures. Raises NotFoundError for a study that is not frozen."""
    with studies.database.reading() as session:
        return Ratings(
            study=records.frozen_of(session, study_id),
            adjudicators=records.adjudicator_plans(session, study_id),
            profiles=records.profiles_of(session, study_id),
            ratings=records.ratings_of(session, study_id),
            events=records.events_of(session, study_id),
        )


def tidy_rows(data: Ratings, blind: bool) -> tuple[TidyRow, ...]:
    """blind: arms under numbers that tell nothing, for figures before the study is unlocked."""
    study = data.study
    code = blind_codes(study) if blind else {arm.id: arm.id for arm in study.setup.arms}
    items = {item.id: item for item in study.items}
    cases = {case.id: case for case in study.cases}
    plans = {plan.rater_id: plan for plan in (*study.raters, *data.adjudicators)}
    profiles = {profile.rater_id: profile for profile in data.profiles}
    questions = {entry.name: entry.question for entry in asked(study.setup.instruments)}
    newest: dict[tuple[str, ...], list[RatingRecord]] = {}
    for record in data.ratings:
        key = (record.rater_id, record.item_id, record.phase, record.question, record.part)
        newest.setdefault(key, []).append(record)
    times = {rater: _times(rater, data) for rater in plans}
    rows = []
    for revisions in newest.values():
        record = revisions[-1]
        item, plan = items.get(record.item_id), plans[record.rater_id]
        slot = plan.slots[record.number - 1] if item is not None else None
        profile = profiles.get(record.rater_id)
        taken = times[record.rater_id].get(record.item_id)
        instrument, _, name = record.question.partition("/")
        for arm, part, value, text in _answers(record, plan, slot):
            sided = _toward(record, slot, item, questions.get(record.question))
            rows.append(
                TidyRow(
                    rater=record.rater_id,
                    role=record.role.value,
                    case=item.case_id if item else "",
                    set=cases[item.case_id].set if item else "",
                    item=record.item_id,
                    kind=item.kind.value if item else "closing",
                    number=record.number,
                    period=1 if record.number <= (len(plan.slots) + 1) // 2 else 2,
                    phase=record.phase.value,
                    instrument=instrument,
                    question=name or record.question,
                    arm=code.get(arm, arm),
                    shown_as=part,
                    status="cannot_judge" if isinstance(record.answer, CannotJudge) else "rated",
                    value=value,
                    text=code.get(text, text) if record.question == GUESS else text,
                    first_arm=code[item.arms[0]] if item and sided is not None else "",
                    second_arm=code[item.arms[1]] if item and sided is not None else "",
                    toward_second=sided,
                    seconds=round(taken.seconds, 1) if taken and item else None,
                    seconds_visible=taken.visible_s if taken and item else None,
                    revisions=len(revisions),
                    overwrote=any(r.overwrote for r in revisions),
                    at=record.stamp.at.isoformat(),
                    profession=profile.profession if profile else "",
                    specialty=profile.specialty if profile else "",
                    years=profile.years if profile else None,
                    conflicts=profile.conflicts if profile else "",
                )
            )
    return tuple(rows)


def blind_codes(study: FrozenStudy) -> dict[str, str]:
    """A number for each arm that does not follow its name or its place in the setup."""
    arms = sorted((arm.id for arm in study.setup.arms), key=lambda arm: order_key(study.study_id, "blind", arm))
    return {arm: f"arm {n}" for n, arm in enumerate(arms, 1)}


def _answers(record: RatingRecord, plan: RaterPlan, slot: Slot | None) -> list[tuple[str, str, float | None, str]]:
    """(arm, letter, value, text) of an answer: one, but one for each draft of a ranking."""
    answer, place = record.answer, ord(record.part) - ord("A") if record.part else None
    arm = ""
    if record.item_id == GROUPS and place is not None:
        arm = plan.closing_order[place]
    elif slot is not None and place is not None:
        arm = slot.shown[place]
    if isinstance(answer, CannotJudge):
        return [(arm, record.part, None, answer.reason)]
    if isinstance(answer, RankingAnswer) and slot is not None:
        found: list[tuple[str, str, float | None, str]] = []
        rank = 1
        for group in answer.order:
            found += [(slot.shown[ord(part) - ord("A")], part, float(rank), "") for part in group]
            rank += len(group)
        return found
    if isinstance(answer, ErrorsAnswer):
        return [(arm, record.part, float(len(answer.errors)), canonical_errors(answer))]
    if isinstance(answer, ValueAnswer):
        guessed = record.question == GUESS
        text = plan.guess_order[answer.value - 1] if guessed and answer.value else ""
        return [(arm, record.part, None if guessed else float(answer.value), text)]
    if isinstance(answer, CommentAnswer):
        return [] if answer.deleted else [(arm, record.part, None, answer.text)]
    assert isinstance(answer, TextAnswer)
    return [(arm, record.part, None, answer.text)]


def canonical_errors(answer: ErrorsAnswer) -> str:
    """The marked errors as JSON."""
    return answer.model_dump_json(include={"errors"})


def _toward(record: RatingRecord, slot: Slot | None, item: StudyItem | None, question: Question | None) -> float | None:
    if slot is None or item is None or question is None or question.kind != QuestionKind.PREFERENCE:
        return None
    return toward_second(float(record.answer.value), slot, item) if isinstance(record.answer, ValueAnswer) else None


def _times(rater: str, data: Ratings) -> dict[str, TimeOnItem]:
    mine: Sequence[RatingRecord] = [r for r in data.ratings if r.rater_id == rater]
    return time_of(tuple(mine), tuple(e for e in data.events if e.actor == rater))
