"""The note's own assessment and plan, problem by problem.

Takes the record, the note's text and sections, and its pieces; gives the problems that its assessment names in their order, each with
what the note says of it and the plan statements that serve it: those of the same numbered item, the same line, or the same sentence.
The rest of the plan serves no problem that the note says. Nothing is read anew: names and decisions are the record's.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.note import Note
from backend.schemas.record import (
    ClinicalStatus,
    Experiencer,
    PatientRecord,
    PlanKind,
    ProblemStatement,
    ProcedureStatus,
    VerificationStatus,
)
from backend.schemas.vocabulary import Category, SectionCategory

ASSESSED = frozenset({SectionCategory.ASSESSMENT, SectionCategory.PLAN})
DECIDED = ASSESSED | {SectionCategory.INSTRUCTIONS}
ELSEWHERE = frozenset(
    {
        PlanKind.TEST,
        PlanKind.PENDING_RESULT,
        PlanKind.TREATMENT,
        PlanKind.FOLLOW_UP,
        PlanKind.RETURN_PRECAUTION,
    }
)
"""Kinds of plan that count outside an assessment or plan; the others are too often the story."""
NOT_TODAY = frozenset(
    {
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.FAMILY_HISTORY,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.REVIEW_OF_SYSTEMS,
        SectionCategory.MEDICATIONS,
        SectionCategory.PHYSICAL_EXAM,
    }
)
_LONGEST_OUTSIDE = 30
"""Words of a sentence outside the plan that is still one decision and no story."""


class Decision(NamedTuple):
    """Something that the note decides, in its words, and where it stands."""

    text: str
    start: int
    end: int


class PlannedProblem(NamedTuple):
    """A problem of the note's assessment. said: what the note says of it; plans: what it decides about it; over: it is resolved."""

    name: str
    keys: frozenset[str]
    said: tuple[NotePiece, ...]
    plans: tuple[Decision, ...]
    place: NotePiece | None
    over: bool = False


class NotePlan(NamedTuple):
    """summary: sentences of the assessment about no one problem; other: decisions that serve no problem named."""

    summary: tuple[NotePiece, ...] = ()
    problems: tuple[PlannedProblem, ...] = ()
    other: tuple[Decision, ...] = ()


class _Item(NamedTuple):
    """A stretch of the assessment or plan that is about one thing. number: 0 where it has none, -1 where it has a mark."""

    start: int
    end: int
    number: int
    section: int
    beside_numbers: bool = False


def note_plan(record: PatientRecord, note: Note, pieces: Sequence[NotePiece]) -> NotePlan:
    """The note's own assessment and plan.

    Args:
        record: of the note.
        note: its text and sections.
        pieces: of the pasted note, whose offsets index it.
    """
    return _Reader(record, note, pieces).read()


def problem_key(one: ProblemStatement) -> str:
    """What two statements of one problem share: the concept, or the name where the lexicon has none."""
    return one.concept_id or one.name.lower()


class _Reader:
    """Reads one note. Use once."""

    def __init__(self, record: PatientRecord, note: Note, pieces: Sequence[NotePiece]) -> None:
        self._record = record
        self._note = note
        self._pieces = [p for p in pieces if p.note_type == "Pasted note"]
        self._plans = {one.spans[0].start_char: one for one in record.plan if one.spans}
        self._own = [
            one
            for one in record.stated_problems
            if one.experiencer is Experiencer.PATIENT and not one.hypothetical and one.spans
        ]
        self._decisions = sorted(self._decided(), key=lambda one: one.start)

    def read(self) -> NotePlan:
        """The plan; each decision once."""
        found: dict[str, PlannedProblem] = {}
        summary: list[NotePiece] = []
        taken: set[int] = set()
        numbered: dict[int, str] = {}
        items = list(self._items())
        for item in items:
            inside = [one for one in self._decisions if item.start <= one.start < item.end]
            said = self._said(item, inside)
            problem = self._problem(item) if item.number or not item.beside_numbers else None
            key = problem_key(problem) if problem is not None else self._paired(item, items, numbered)
            if problem is None and (not key or not inside):
                summary += [p for p in said if not _bare(p.text)]
                continue
            if problem is not None:
                if item.number > 0:
                    numbered.setdefault(item.number, key)
                first = said[0] if said else self._piece_at(item.start)
                keys = frozenset({key, problem.name.lower()})
                over = problem.clinical_status is not ClinicalStatus.ACTIVE
                found.setdefault(key, PlannedProblem(self._written(problem, item), keys, (), (), first, over))
            found[key] = _more(found[key], said if problem is not None else (), inside)
            taken.update(one.start for one in inside)
        other = []
        for one in self._decisions:
            if one.start in taken or not self._counts(one, bool(items)):
                continue
            beside = self._same_sentence(one, found)
            if beside:
                found[beside] = _more(found[beside], (), [one])
            else:
                other.append(one)
        return NotePlan(tuple(dict.fromkeys(summary)), tuple(found.values()), tuple(other))

    def _decided(self) -> Iterator[Decision]:
        """The plan's statements, and sentences of the plan that only name what is planned ("Echocardiogram next week.")."""
        spans = []
        for one in self._plans.values():
            spans.append((one.spans[0].start_char, one.spans[0].end_char))
            yield Decision(one.text, *spans[-1])
        planned = [one.spans[0].start_char for one in self._record.procedures if one.spans and one.status is _PLANNED]
        for piece in self._pieces:
            free = not any(a < piece.end_char and piece.start_char < b for a, b in spans)
            orders = any(piece.start_char <= at < piece.end_char for at in planned)
            names = any(_named_in(one, piece.start_char, piece.end_char) for one in self._own)
            if free and orders and not names and self._category(piece.start_char) in ASSESSED:
                yield Decision(bare(piece.text), piece.start_char, piece.end_char)

    def _counts(self, one: Decision, assessed: bool) -> bool:
        """Whether a decision counts where it stands."""
        category = self._category(one.start)
        if category in DECIDED:
            return True
        plan = self._plans.get(one.start)
        if assessed or category in NOT_TODAY or plan is None or plan.kind not in ELSEWHERE:
            return False
        opening = any(one.start <= span.start_char < one.end for span in self._record.encounter.spans)
        return not opening and len(one.text.split()) <= _LONGEST_OUTSIDE

    def _items(self) -> Iterator[_Item]:
        """The stretches of the sections that assess or decide, in order."""
        for section in self._note.sections:
            if section.category not in ASSESSED:
                continue
            start, end = section.body_char, section.end_char
            numbers = list(_numbers(self._note.text, start, end))
            yield from self._lines(start, numbers[0][0] if numbers else end, start, beside=bool(numbers))
            inline = self._inline([a for a, _, _ in numbers], end)
            for i, (begin, body, number) in enumerate(numbers):
                until = numbers[i + 1][0] if i + 1 < len(numbers) else end
                own = _own_lines(self._note.text, body, until) if inline else until
                yield _Item(begin, own, number or -1, start)
                yield from self._lines(own, until, start, beside=True)

    def _lines(self, start: int, end: int, section: int, *, beside: bool) -> Iterator[_Item]:
        """Lines without a number: each is an item where it is about one problem, else each of its sentences is."""
        at = start
        for line in self._note.text[start:end].splitlines(keepends=True):
            first, at = at, at + len(line)
            inside = [p for p in self._pieces if first <= p.start_char < at]
            named = {problem_key(one) for one in self._own if _named_in(one, first, at) and _leads(one)}
            if len(named) > 1 and len(inside) > 1:
                yield from (_Item(p.start_char, p.end_char, 0, section, beside) for p in inside)
            elif inside:
                yield _Item(first, at, 0, section, beside)

    def _inline(self, starts: Sequence[int], end: int) -> bool:
        """Whether items tell their plan on the line of their number, so that another line is no part of them."""
        breaks = [self._note.text.find("\n", at) for at in starts]
        lines = [(at, end if stop < 0 else min(stop, end)) for at, stop in zip(starts, breaks, strict=True)]
        return any(a <= one.start < b for one in self._decisions for a, b in lines)

    def _problem(self, item: _Item) -> ProblemStatement | None:
        """The problem an item is about: the first it names, unless that is part of a decision and a disease is named too."""
        named = [
            (place, one)
            for one in self._own
            if (place := _place_in(one, item.start, item.end)) is not None and one.verification_status is not _REFUTED
        ]
        if not named:
            return None
        place, first = min(named, key=lambda pair: pair[0])
        leading = [(at, one) for at, one in named if _leads(one)]
        decided = any(one.start <= place < one.end for one in self._decisions)
        if leading and (decided or first.category not in _PROBLEMS):
            return min(leading, key=lambda pair: pair[0])[1]
        return first if first.category in _PROBLEMS or item.number else None

    def _said(self, item: _Item, plans: Sequence[Decision]) -> tuple[NotePiece, ...]:
        """The sentences of an item that decide nothing."""
        return tuple(
            p
            for p in self._pieces
            if item.start <= p.start_char < item.end
            and not any(one.start < p.end_char and p.start_char < one.end for one in plans)
        )

    def _paired(self, item: _Item, items: Sequence[_Item], numbered: dict[int, str]) -> str:
        """The problem of the assessment that has an item's number, where plan and assessment have as many numbers."""
        mine = [one.number for one in items if one.section == item.section and one.number > 0]
        other = [one.number for one in items if one.section != item.section and one.number > 0]
        if item.number > 0 and mine == other and item.number in numbered:
            return numbered[item.number]
        return ""

    def _same_sentence(self, plan: Decision, found: dict[str, PlannedProblem]) -> str:
        """The one problem of the assessment that is named in a decision's own sentence; empty where none or several are."""
        piece = self._piece_at(plan.start)
        if piece is None:
            return ""
        named = {
            problem_key(one)
            for one in self._own
            if problem_key(one) in found and _named_in(one, piece.start_char, piece.end_char)
        }
        return named.pop() if len(named) == 1 else ""

    def _written(self, problem: ProblemStatement, item: _Item) -> str:
        """The problem as the note writes it there."""
        place = _place_in(problem, item.start, item.end)
        return next(s.text for s in problem.spans if s.start_char == place)

    def _piece_at(self, offset: int) -> NotePiece | None:
        after = [p for p in self._pieces if p.end_char > offset]
        return after[0] if after else None

    def _category(self, offset: int) -> SectionCategory:
        for section in self._note.sections:
            if section.start_char <= offset < section.end_char:
                return section.category
        return SectionCategory.UNLABELED


def _more(one: PlannedProblem, said: Sequence[NotePiece], plans: Sequence[Decision]) -> PlannedProblem:
    return one._replace(said=tuple(dict.fromkeys((*one.said, *said))), plans=tuple(dict.fromkeys((*one.plans, *plans))))


def _place_in(one: ProblemStatement, start: int, end: int) -> int | None:
    places = [span.start_char for span in one.spans if start <= span.start_char < end]
    return min(places, default=None)


def _named_in(one: ProblemStatement, start: int, end: int) -> bool:
    return _place_in(one, start, end) is not None


def _leads(one: ProblemStatement) -> bool:
    """Whether a problem is one that a plan is made for: a disease that is there or thought of."""
    return (
        one.category is Category.DISEASE
        and one.verification_status is not _REFUTED
        and one.clinical_status is not ClinicalStatus.RESOLVED
    )


def _numbers(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Where numbered items begin, where their words do, and their numbers, which count up from 1; "#" has none."""
    expected = 1
    for match in _NUMBER.finditer(text, start, end):
        digits = match["mark_number"] or match["number"]
        if digits is not None and int(digits) not in (expected, 1):
            continue
        expected = int(digits) + 1 if digits is not None else expected
        yield match.start("mark"), match.end(), int(digits) if digits is not None else 0


def _own_lines(text: str, start: int, end: int) -> int:
    """Where an item ends that tells its plan on its line: behind that line and those that go on from it."""
    at = start
    for line in text[start:end].splitlines(keepends=True):
        if at > start and line.strip() and not _GOES_ON.match(line):
            return at
        at += len(line)
    return end


def bare(text: str) -> str:
    """A sentence without the number or mark of its list."""
    return _MARK.sub("", text).strip()


def _bare(text: str) -> bool:
    """Whether nothing is said: a mark, or a header alone."""
    return not re.search(r"[^\W\d_]{3}", bare(text))


_PLANNED = ProcedureStatus.PLANNED
_REFUTED = VerificationStatus.REFUTED
_PROBLEMS = frozenset({Category.DISEASE, Category.SYMPTOM, Category.FINDING, Category.CONCEPT})
_NUMBER = re.compile(
    r"(?:^[ \t]*|(?<=[.;:?!])[ \t]+)(?P<mark>#(?P<mark_number>\d{1,2})[.):]?[ \t]+|\(?(?P<number>\d{1,2})[.):][ \t]+|#[ \t]*)(?=[^\s\d])",
    re.MULTILINE,
)
_MARK = re.compile(r"^\W*(?:(?<=#)\d{1,2}[.):]?\s+|\d{1,2}[.):](?!\d)\s*)?[-*\u2022#\s]*")
_GOES_ON = re.compile(r"[ \t]+\S|[ \t]*[-*\u2022\u2013]|[a-z]")
