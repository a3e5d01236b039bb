"""When to get help whatever the cause: a passage of our own, where nothing retrieved warns of the patient's own condition.

Without it a letter about a condition that no chapter tells of, or about a symptom, leaves its reader without any warning sign. Of a
child, beside a crisis line, and where comfort is the goal, the team says it; so it does for who came to a clinic, of whom nothing
that was found asks for such a line. The lines are rows of assets/rules/letter/general_warnings.tsv.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.diagnosis.todays_problems import is_own
from backend.interfaces import Linker
from backend.nlp.people.care_frames import cannot_read, comfort_goal, crisis_problems, is_child, is_office_visit
from backend.nlp.people.situations import names_listed, situations_of
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.drafts.evidence import Condition, Passage
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.record import (
    ClinicalStatus,
    PatientRecord,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    Setting,
)
from backend.schemas.vocabulary import Document, SectionCategory, Source

DOCUMENT, TITLE = "standing/general-warnings", "When to get help"
_ACUTE = frozenset({Setting.EMERGENCY, Setting.ADMISSION, Setting.HOSPITAL_CONSULT, Setting.UNKNOWN})
_WARNING = "Warning signs"
_ELSEWHERE = frozenset(
    {
        SectionCategory.REVIEW_OF_SYSTEMS,
        SectionCategory.PHYSICAL_EXAM,
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.MEDICATIONS,
    }
)
"""Sections that tell nothing of what the letter is about."""


def with_general_warnings(
    passages: Sequence[Passage],
    linked: LinkedNote,
    request: DraftRequest,
    conditions: Sequence[Condition],
    linker: Linker,
) -> tuple[Passage, ...]:
    """The passages, and behind them the general warnings where none warns of what the letter is about.

    Args:
        passages: as retrieved; where there are none, the system retrieves nothing or found nothing, and nothing is added.
        linked: the note with its record.
        request: as it came; only a letter to an adult has them.
        conditions: as ranked.
        linker: reads the list for home.
    """
    record = linked.record
    written = {one.concept_id for one in conditions if one.written}
    warned = any(one.section == _WARNING and one.concept_id in written for one in passages)
    letter = request.document is Document.DISCHARGE_INSTRUCTIONS and bool(request.text.strip())
    if not passages or not letter or warned or record is None or is_child(record):
        return tuple(passages)
    if comfort_goal(record) or cannot_read(record, request.going_home) or crisis_problems(record):
        return tuple(passages)
    chapters = {
        one.row.chapter for one in situations_of(linked, listed=names_listed(linker, request.discharge_medicines))
    }
    today, at_clinic = _today(record), record.encounter.setting not in _ACUTE or is_office_visit(record)
    text = " ".join(
        row.line
        for row in _rows()
        if chapters.isdisjoint(row.unless)
        and (not row.needs or not today.isdisjoint(row.needs))
        and today.isdisjoint(row.spared)
        and not (row.acute and at_clinic)
    )
    if not text:
        return tuple(passages)
    number = 1 + max((int(p.id[1:]) for p in passages if p.id[1:].isdigit()), default=0)
    lines = Passage(
        id=f"P{number}",
        source=Source.BOOK,
        document_id=DOCUMENT,
        title=TITLE,
        text=text,
        start_char=0,
        end_char=len(text),
    )
    return (*passages, lines)


def general_warnings() -> tuple[str, ...]:
    """The sentences, the most urgent first."""
    return tuple(row.line for row in _rows())


class _Row(NamedTuple):
    """A sentence; unless: the situations that have a more urgent level for the same sign. needs: words of what it is for, none for all. spared: of what it is not for. acute: no letter of a clinic has it."""

    line: str
    unless: frozenset[str]
    needs: frozenset[str]
    spared: frozenset[str]
    acute: bool


def _today(record: PatientRecord) -> frozenset[str]:
    """The words of what the patient has today, outside a list of questions, the examination and the histories, and of what was done now."""
    told = (one for one in record.stated_problems if one.section not in _ELSEWHERE)
    own = (one for one in told if one.clinical_status is ClinicalStatus.ACTIVE and is_own(one))
    done = (one for one in record.procedures if one.status is ProcedureStatus.DONE_NOW)
    held: list[ProblemStatement | ProcedureStatement] = [*own, *done]
    names = [text for one in held for text in (one.name, *(span.text for span in one.spans[:1]))]
    return frozenset(word for name in names for word in re.findall(r"[^\W\d_]+", name.lower()))


def _words(cell: str) -> frozenset[str]:
    return frozenset(cell.split("|")) - {"-"}


@lru_cache(maxsize=1)
def _rows() -> tuple[_Row, ...]:
    rows = rule_rows(RULES / "letter" / "general_warnings.tsv", 5)
    return tuple(
        _Row(line, frozenset(unless.split("|")), _words(needs), _words(spared), setting == "acute")
        for line, unless, needs, spared, setting in rows
    )
