"""A study's tidy rows as the plain data that statistics take. Only main items, rated by raters and before evidence was shown.

The first, blind rating is analysed: a second one with evidence is another quantity. An adjudicator's answers stay apart, and
a planted error or a calibration item is no result.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from backend.schemas.studies.estimates import Level, TestName
from backend.schemas.studies.study_design import StudySetup
from backend.schemas.studies.study_frozen import FrozenStudy, ItemKind
from backend.schemas.studies.study_instrument import Polarity, Question, QuestionKind
from backend.schemas.studies.study_rating import Phase, Role
from backend.study.rating.closing import GUESS
from backend.study.statistics.comparison.preference_shares import pair_name
from backend.study.statistics.rating_data import Choice, Guess, Judged, Placed, Ruling, Scale, Score, StudyData, Timed
from backend.study.tidy import TidyRow, blind_codes

CANNOT_JUDGE = "cannot_judge"
COUNTED = (QuestionKind.SCALE, QuestionKind.CHOICE, QuestionKind.ERRORS)


def study_data(
    study: FrozenStudy, rows: Sequence[TidyRow], blind: bool = False, judged: Iterable[Judged] = ()
) -> StudyData:
    """rows: as `tidy_rows` gives them, with arms under codes if blind. judged: a judge model's scores, under the same arms."""
    setup = study.setup
    main = [row for row in rows if _counts(row)]
    arms = tuple(arm.id for arm in setup.arms)
    if blind:
        arms = tuple(sorted(blind_codes(study).values()))
    plan = setup.plan
    failed = sum(bool(item.failed) for item in study.items)
    return StudyData(
        arms=arms,
        scales=scales(setup),
        scores=tuple(_scores(main, setup)),
        choices=tuple(_choices(main, setup)),
        places=tuple(_places(main, setup)),
        guesses=tuple(
            Guess(row.rater, row.arm, row.text)
            for row in rows
            if row.phase == Phase.GUESS.value and row.question == GUESS and row.role == Role.RATER.value
        ),
        times=tuple(_times(main)),
        judged=tuple(judged),
        rulings=tuple(_rulings(rows, main)),
        primary_outcome=plan.primary_outcome if plan else "",
        planned_test=TestName(plan.test.value) if plan else None,
        correction=plan.correction.value if plan else "none",
        blind=blind,
        stamps=study.stamps,
        notes=(f"{failed} items could not be shown, because a draft had failed.",) if failed else (),
    )


def scales(setup: StudySetup) -> tuple[Scale, ...]:
    """Questions whose answers are numbers about a draft. Only scales that say which end is better join a mean."""
    made = []
    for instrument in setup.instruments:
        for question in instrument.questions:
            if question.kind in COUNTED:
                made.append(_scale(instrument.id, question))
    return tuple(made)


def _scale(instrument: str, question: Question) -> Scale:
    values = tuple(float(option.value) for option in question.options)
    joins = question.kind == QuestionKind.SCALE and question.polarity != Polarity.NONE
    return Scale(
        question=f"{instrument}/{question.id}",
        values=values,
        level=Level.NOMINAL if question.kind == QuestionKind.CHOICE else Level.ORDINAL,
        higher_is_better=question.polarity != Polarity.LOWER_IS_BETTER and question.kind != QuestionKind.ERRORS,
        part_of=instrument if joins else "",
    )


def _counts(row: TidyRow) -> bool:
    return row.kind == ItemKind.MAIN.value and row.phase == Phase.BLIND.value and row.role == Role.RATER.value


def _scores(rows: Iterable[TidyRow], setup: StudySetup) -> Iterable[Score]:
    known = {scale.question for scale in scales(setup)}
    for row in rows:
        name = f"{row.instrument}/{row.question}"
        if name in known and row.arm:
            yield Score(name, row.case, row.arm, row.rater, row.value, row.period)


def _choices(rows: Sequence[TidyRow], setup: StudySetup) -> Iterable[Choice]:
    """Preferences as they are, and a ranking as one choice for each pair of its drafts; equal places are a tie.

    Yields:
        One choice after the other.
    """
    for row in rows:
        if row.toward_second is not None:
            name = f"{row.instrument}/{row.question}"
            arms = (row.first_arm, row.second_arm)
            yield Choice(name, row.case, row.rater, *arms, row.toward_second, row.value, row.period)
    for (name, case, rater, _), ranked in _rankings(rows, setup).items():
        for one, other in combinations(sorted(ranked, key=lambda row: row.arm), 2):
            # place 1 is the best, so the second is preferred where the first has the higher number
            toward = (one.value or 0.0) - (other.value or 0.0)
            later = toward if one.shown_as < other.shown_as else -toward
            yield Choice(name, case, rater, one.arm, other.arm, toward, later, one.period)


def _places(rows: Sequence[TidyRow], setup: StudySetup) -> Iterable[Placed]:
    """Where drafts stood in rankings: of k drafts that share place p, each gets p + (k - 1) / 2.

    Yields:
        One place after the other.
    """
    for (name, case, rater, _), ranked in _rankings(rows, setup).items():
        for row in ranked:
            equal = sum(other.value == row.value for other in ranked)
            yield Placed(name, case, row.arm, rater, (row.value or 0.0) + (equal - 1) / 2)


def _rankings(rows: Sequence[TidyRow], setup: StudySetup) -> dict[tuple[str, str, str, str], list[TidyRow]]:
    """The rows of each ranking, by (question, case, rater, item)."""
    names = {
        f"{instrument.id}/{question.id}"
        for instrument in setup.instruments
        for question in instrument.questions
        if question.kind == QuestionKind.RANKING
    }
    found: dict[tuple[str, str, str, str], list[TidyRow]] = {}
    for row in rows:
        name = f"{row.instrument}/{row.question}"
        if name in names and row.value is not None:
            found.setdefault((name, row.case, row.rater, row.item), []).append(row)
    return found


def _rulings(rows: Sequence[TidyRow], main: Sequence[TidyRow]) -> Iterable[Ruling]:
    """What an adjudicator gave. main: the raters' rows, which a ruling is set beside.

    Yields:
        One ruling after the other.
    """
    given: dict[tuple[str, str, str], dict[str, float]] = {}
    for row in main:
        if (value := _value(row)) is not None:
            given.setdefault((_name(row), row.case, _of(row)), {})[row.rater] = value
    for row in rows:
        third = row.role == Role.ADJUDICATOR.value and row.kind == ItemKind.MAIN.value
        if third and row.phase == Phase.BLIND.value and (_value(row) is not None or row.status == CANNOT_JUDGE):
            theirs = given.get((_name(row), row.case, _of(row)), {})
            values = tuple(theirs[rater] for rater in sorted(theirs))
            yield Ruling(_name(row), row.case, _of(row), row.rater, _value(row), values)


def _name(row: TidyRow) -> str:
    return f"{row.instrument}/{row.question}"


def _value(row: TidyRow) -> float | None:
    return row.value if row.toward_second is None else row.toward_second


def _of(row: TidyRow) -> str:
    return row.arm or (pair_name(row.first_arm, row.second_arm) if row.first_arm else "")


def _times(rows: Iterable[TidyRow]) -> Iterable[Timed]:
    seen: set[tuple[str, str]] = set()
    for row in rows:
        if row.seconds is not None and (row.rater, row.item) not in seen:
            seen.add((row.rater, row.item))
            yield Timed(row.rater, row.item, row.seconds, row.period)
