"""Results that a story could not tell in words for a patient: what a scan or another test showed is left to the team, by name.

Takes the units of a story and which of them it tells; gives the first tests whose finding no told sentence has, so that the clinician sees
which results the letter does not tell, and where the note has them. A letter asks for no more than three.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.story_selection import Unit
from backend.generation.letter.story_weights import state_of
from backend.nlp.measures.earlier_times import is_earlier
from backend.schemas.record import ObservationStatement, ProblemStatement, ProcedureStatement, ProcedureStatus
from backend.schemas.vocabulary import SectionCategory

MOST = 3
_DONE = frozenset((ProcedureStatus.DONE_NOW, ProcedureStatus.PAST))
_TOLD_IN = frozenset(
    (
        SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
        SectionCategory.RESULTS,
        SectionCategory.IMAGING,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.ASSESSMENT,
        SectionCategory.PHYSICAL_EXAM,
        SectionCategory.UNLABELED,
    )
)


_OF_NOW = _TOLD_IN - {SectionCategory.HISTORY_OF_PRESENT_ILLNESS, SectionCategory.UNLABELED}
_HAD = frozenset(("present", "past"))
_YEAR = re.compile(r"(?:19|20)\d\d")


class UntoldResult(NamedTuple):
    """A test, in plain words with its date, and the stretch of the note that has its result."""

    name: str
    start: int
    end: int


def untold_results(
    units: Sequence[Unit], told: Collection[int], said: Callable[[str, int], str], titled: Collection[str] = ()
) -> tuple[UntoldResult, ...]:
    """The tests of which no told unit has what they found or names it, none of an earlier time, in the note's order, each once and at most three.

    Args:
        units: of the note.
        told: where the told ones begin.
        said: words of the note, with where they begin, in plain words.
        titled: names of the problems that the letter names as what the team dealt with.
    """
    found: dict[str, UntoldResult] = {}
    named = {one.name for unit in units if unit.start in told for one in _problems(unit)} | set(titled)
    known = {_key(one) for unit in units if unit.start in told for one in _tests(unit)}
    for unit in units:
        if unit.start in told or unit.section not in _TOLD_IN or not _has_result(unit):
            continue
        problems = list(_problems(unit))
        if (problems and {one.name for one in problems} <= named) or _is_of_old(unit):
            continue
        for one in _tests(unit):
            if _key(one) not in known and _key(one) not in found:
                span = one.spans[0]
                name = " ".join(said(span.text, span.start_char).split())
                name = f"{name[:1].lower()}{name[1:]}" if name[1:2].islower() else name
                found[_key(one)] = UntoldResult(f"{name} of {one.date}" if one.date else name, unit.start, unit.end)
    return tuple(found.values())[:MOST]


def has_test(unit: Unit) -> bool:
    """Whether a unit tells what a test found."""
    return unit.section in (SectionCategory.RESULTS, SectionCategory.IMAGING) or any(True for _ in _tests(unit))


def _tests(unit: Unit) -> Iterator[ProcedureStatement]:
    """Yield the known tests that were done, and no operation."""
    own = lists()
    for one in unit.statements:
        if isinstance(one, ProcedureStatement) and one.status in _DONE and one.concept_id and one.spans:
            words = set(one.name.lower().replace("-", " ").split()) | set(one.spans[0].text.lower().split())
            if not words.isdisjoint(own["tests"]) and words.isdisjoint(own["operations"]):
                yield one


def _problems(unit: Unit) -> Iterator[ProblemStatement]:
    """Yield what a unit says that the patient has or had."""
    return (one for one in unit.statements if isinstance(one, ProblemStatement) and state_of(one) in _HAD)


def _is_of_old(unit: Unit) -> bool:
    """Whether a unit of the history tells of an earlier time: "At that time a scan was positive", "in 1990 a CT scan showed"."""
    past = all(one.status is ProcedureStatus.PAST for one in _tests(unit))
    return (
        past
        and unit.section not in _OF_NOW
        and (is_earlier(unit.text) or any(_YEAR.fullmatch(one.date) for one in _tests(unit)))
    )


def _has_result(unit: Unit) -> bool:
    return any(isinstance(one, ProblemStatement | ObservationStatement) for one in unit.statements)


def _key(one: ProcedureStatement) -> str:
    return f"{one.concept_id} {one.date}"
