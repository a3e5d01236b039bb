"""What asks for care whatever a patient came with: a pregnancy, failed kidneys, insulin, a feeding tube, a failing heart.

Takes a linked note; gives the situations that it states, by the rows of assets/rules/situations.tsv, the gravest first. A medicine is
given as named in the note; whether it is taken at home is for the reader to judge. A class of medicines that a row names brings its
members, by the facts of assets/knowledge/triples.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from backend.interfaces import Linker
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.findings.quiet_problems import quiet_problems
from backend.nlp.people.own_life import own_life
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.record import ClinicalStatus, Experiencer, PatientRecord, ProcedureStatus, VerificationStatus
from backend.schemas.vocabulary import Assertion, Category, SectionCategory

CELLS = 6
NONE, ALL = "-", "all"
NOT = "not:"
RECENT = "people/recent"
"""Before a name: a member of a class that the row is not about."""
KINDS = frozenset({"has_class", "isa"})
PREGNANCY = "pregnancy"
PARTS = ("Warning signs", "Precautions", "Follow-up")
"""The parts of a situation's chapter."""


class When(StrEnum):
    """What a mention must be: stated as present, an operation of now or of the last weeks, present or past, a medicine that is taken, one of whose dangers a patient is told when it is begun, a problem of the record, one that lasts and matters where it is of today or shows today, one that the note tells of today and not as quiet, one so grave that quiet does not count.

    A habit of now and a value that was measured at a visit (`own_life`) have no mention: the record's statements say them. An illness that brought
    the patient and has settled (`settled`) needs no row: whoever goes home from it is told when to come back.
    """

    PRESENT = "present"
    DONE = "done"
    EVER = "ever"
    TAKEN = "taken"
    BEGUN = "begun"
    HELD = "held"
    KNOWN = "known"
    TODAY = "today"
    GRAVE = "grave"
    HABIT = "habit"
    MEASURED = "measured"
    SETTLED = "settled"


MEDICINES = frozenset({When.TAKEN, When.BEGUN})
"""Rows of a medicine: taken, those whose dangers stay with whatever happens to a patient; begun, the others."""
PROBLEMS = frozenset({When.HELD, When.KNOWN, When.TODAY, When.GRAVE})
"""Rows of an illness that the patient did not come for."""
LIFE = frozenset({When.HABIT, When.MEASURED})
"""Rows of how the patient lives."""
ONE_SENTENCE = PROBLEMS | LIFE
"""Rows of whose chapter one sentence is enough."""


class SituationRow(NamedTuple):
    """chapter: the concept whose chapter tells more, empty for none. unless: what ends it. parts: what is quoted of the chapter. sentence: the patient's, or none."""

    chapter: str
    names: frozenset[str]
    when: When
    unless: frozenset[str]
    parts: tuple[str, ...]
    sentence: str


class Situation(NamedTuple):
    """A row that holds for a patient, with the mentions that say so, in note order; none where who the patient is says it ("29w4d"), or the list for home."""

    row: SituationRow
    mentions: tuple[Mention, ...]


@lru_cache(maxsize=1)
def situation_rows() -> tuple[SituationRow, ...]:
    """The rows as they ship. Raises KnowledgeError for a row of another number of cells, ValueError for an unknown `when`."""
    return tuple(
        SituationRow(
            _cell(chapter),
            _with_members(names) if when in MEDICINES else _names(names),
            When(when),
            _names(unless),
            PARTS if parts == ALL else tuple(parts.split("|")),
            _cell(told),
        )
        for chapter, names, when, unless, parts, told in rule_rows(RULES / "situations.tsv", CELLS)
    )


def situations_of(
    linked: LinkedNote, rows: Sequence[SituationRow] | None = None, listed: Collection[str] = ()
) -> list[Situation]:
    """The situations of a note, in the order of the rows. A pregnancy counts only where it is this patient's and now.

    Args:
        linked: the note.
        rows: as they ship where none are given.
        listed: names of the medicines that the list for home holds, which bring their situations whether the note names them or not.
    """
    stated = [m for m in linked.note.mentions if m.assertion in _STATED and not m.allergen]
    named = {m.name for m in stated} - (frozenset() if is_pregnant(linked) else {PREGNANCY})
    held = _held(linked)
    concepts = {When.HELD: held, When.KNOWN: held, When.TODAY: unsettled_today(linked), When.GRAVE: _told_today(linked)}
    habits = own_life(linked.record) if linked.record is not None else frozenset[str]()
    found = []
    for row in situation_rows() if rows is None else rows:
        pregnancy = PREGNANCY in row.names
        if pregnancy and not is_pregnant(linked):
            continue
        mentions = [m for m in stated if m.name in row.names and _counts(m, row.when, concepts, linked)]
        at_home = row.when in MEDICINES and not row.names.isdisjoint(listed)
        by_record = row.when in LIFE and not row.names.isdisjoint(habits)
        if (mentions or pregnancy or at_home or by_record) and named.isdisjoint(row.unless):
            found.append(Situation(row, tuple(mentions)))
    if rows is None and linked.record is not None:
        over = settled(linked.record)
        of = {name: tuple(m for m in stated if m.name == name) for name in over if name in _with_signs()}
        found += [Situation(_of_settled(name), mentions) for name, mentions in of.items() if mentions]
    return found


def settled(record: PatientRecord) -> tuple[str, ...]:
    """The names of the patient's illnesses that brought them, or that the stay was about, and that have settled since: "admitted with ketoacidosis, now resolved"."""
    own = [
        one
        for one in record.stated_problems
        if one.experiencer is Experiencer.PATIENT
        and one.verification_status is VerificationStatus.CONFIRMED
        and one.category is Category.DISEASE
        and one.section in _OF_TODAY
        and not (one.hypothetical or one.chronic)
    ]
    there = {one.name for one in own if one.clinical_status is ClinicalStatus.ACTIVE}
    over = [one for one in own if one.clinical_status is ClinicalStatus.RESOLVED and not one.onset]
    reasons = [span for span in record.encounter.spans if not span.note_id]
    brought = [
        one
        for one in over
        if (_IS_OVER in one.rule_ids and one.section in _SUMMED_UP)
        or any(reason.start_char <= one.spans[0].start_char < reason.end_char for reason in reasons)
    ]
    return tuple(dict.fromkeys(one.name for one in brought if one.name not in there))


def _of_settled(name: str) -> SituationRow:
    return SituationRow(name, frozenset({name}), When.SETTLED, frozenset(), PARTS[:1], "")


@lru_cache(maxsize=1)
def _with_signs() -> frozenset[str]:
    """The names of the chapters that have warning signs."""
    files = sorted((RULES.parent / "knowledge" / "red_flags").glob("*.tsv"))
    lines = (line for path in files for line in path.read_text(encoding="utf-8").splitlines())
    return frozenset(line.partition("\t")[0] for line in lines if not line.startswith("#"))


def unsettled_today(linked: LinkedNote) -> frozenset[str]:
    """The concepts of the patient's own problems that the note tells of today, and not only in a history or a list, and not as quiet."""
    return _told_today(linked) - quiet_today(linked)


def quiet_today(linked: LinkedNote) -> frozenset[str]:
    """The concepts of the problems that the note, where it tells of today, tells as quiet."""
    return quiet_problems(linked, _OF_TODAY)


def _told_today(linked: LinkedNote) -> frozenset[str]:
    told = {m.concept_id for m in linked.note.mentions if m.assertion in _STATED and m.section in _OF_TODAY}
    return _held(linked) & told


def names_listed(linker: Linker, lines: Iterable[str]) -> frozenset[str]:
    """The names of what the lines of a list of medicines name."""
    return frozenset(m.name for line in lines for m in linker.link(line).note.mentions if not m.allergen)


def is_pregnant(linked: LinkedNote) -> bool | None:
    """Whether the patient is pregnant now, by the record where it says so; None where nothing does."""
    stated = linked.record.person.pregnant if linked.record is not None else None
    return linked.patient.pregnant if stated is None else stated


def _counts(mention: Mention, when: When, held: Mapping[When, frozenset[str]], linked: LinkedNote) -> bool:
    if when in held:
        return mention.concept_id in held[when]
    if when in LIFE:
        return False
    if when is When.DONE and not _is_recent(mention, linked):
        return False
    return when is When.EVER or mention.assertion is Assertion.PRESENT


def _is_recent(mention: Mention, linked: LinkedNote) -> bool:
    """Whether an operation is of now or of the last weeks by what the record and the sentence say: no tonsils that were taken out once, no knee that waits."""
    if mention.section not in _OF_TODAY:
        return False
    record = linked.record
    told = {one.status for one in record.procedures if one.concept_id == mention.concept_id} if record else set()
    if not told or ProcedureStatus.DONE_NOW in told:
        return True
    if ProcedureStatus.PAST not in told:
        return False
    text = linked.note.text
    begin = max(text.rfind(mark, 0, mention.start_char) for mark in _ENDS) + 1
    end = min((at for at in (text.find(mark, mention.end_char) for mark in _ENDS) if at >= 0), default=len(text))
    return bool(_recent().find(plain_marks(tokens(text[begin:end]).words))[RECENT])


@lru_cache(maxsize=1)
def _recent() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(RECENT))


def _held(linked: LinkedNote) -> frozenset[str]:
    """The concepts of the patient's own problems that the record holds as confirmed and not over."""
    return frozenset(
        one.concept_id
        for one in (linked.record.stated_problems if linked.record is not None else ())
        if one.concept_id
        and one.experiencer is Experiencer.PATIENT
        and not one.hypothetical
        and one.verification_status is VerificationStatus.CONFIRMED
        and (one.clinical_status is ClinicalStatus.ACTIVE or one.chronic)
    )


def _names(cell: str) -> frozenset[str]:
    return frozenset() if cell == NONE else frozenset(cell.split("|"))


def _with_members(cell: str) -> frozenset[str]:
    """The names of a cell and the members of the classes among them, at any depth, without those behind NOT."""
    stated = _names(cell)
    without = {name.removeprefix(NOT) for name in stated if name.startswith(NOT)}
    held = {name for name in stated if not name.startswith(NOT)}
    waiting = list(held)
    while waiting:
        more = _members().get(waiting.pop(), frozenset()) - held - without
        held |= more
        waiting += more
    return frozenset(held)


@lru_cache(maxsize=1)
def _members() -> Mapping[str, frozenset[str]]:
    """The medicines and classes that are of each class of medicines, by name."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted((RULES.parent / "knowledge" / "triples").glob("*.tsv")):
        for name, in_class in _classes(path.read_text(encoding="utf-8").splitlines()):
            found[in_class].add(name)
    return {in_class: frozenset(names) for in_class, names in found.items()}


def _classes(lines: Iterable[str]) -> Iterable[tuple[str, str]]:
    rows = (line.split("\t") for line in lines)
    return ((row[0], row[2]) for row in rows if len(row) > 2 and row[1] in KINDS)


def _cell(text: str) -> str:
    return "" if text == NONE else text


_OF_TODAY = frozenset(
    {
        SectionCategory.CHIEF_COMPLAINT,
        SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.ASSESSMENT,
        SectionCategory.PLAN,
        SectionCategory.UNLABELED,
    }
)
_SUMMED_UP = frozenset({SectionCategory.CHIEF_COMPLAINT, SectionCategory.HOSPITAL_COURSE, SectionCategory.ASSESSMENT})
_IS_OVER = "findings/course/over.resolved"
_ENDS = (". ", "\n", ";")
_STATED = frozenset({Assertion.PRESENT, Assertion.HISTORICAL})
