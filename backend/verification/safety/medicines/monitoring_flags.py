"""What medicines of the patient need to be watched by, and what of that neither the note nor the draft tells as measured or planned.

One flag a medicine and grade: a list of what is missing. A test counts as there where a value of it stands in the record, or where it is named as done
or to come.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from backend.knowledge.safety.patient.clause_truth import Subject, verdict
from backend.knowledge.safety.rows.grades import Grade, severity_of
from backend.knowledge.safety.rows.safety_rows import MonitoringRow
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.findings.measured.value_times import long_ago
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.note import Mention
from backend.schemas.record import ProcedureStatus
from backend.schemas.vocabulary import Assertion, Category, Severity
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, make_flag
from backend.verification.safety.medicines.named_medicines import Medicine

KIND = "monitoring"
MONITORED = "safety/monitored"
_LEVEL = (" level", "drug level monitoring")
_LEVEL_WITHIN = 120
"""Characters behind a medicine's name within which a level without a name is its own."""
_MARKS = ".;\n"
_NOT_THERE = (Assertion.NEGATED, Assertion.FAMILY)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_TESTS = frozenset(
    {Category.TEST, Category.FINDING, Category.PROCEDURE, Category.FOLLOW_UP, Category.PHYSIOLOGY, Category.DISEASE}
)


@flag_kind(
    KIND,
    label="Not monitored",
    severity=Severity.WARNING,
    about="A medicine of the patient needs a test or a value that neither the note nor the draft tells, as measured or as planned. It is for "
    "information where the test is usual rather than needed.",
    action="Look for the value, order the test, or write when it is due.",
    example=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman. She takes warfarin 5 mg daily."),
    counterexample=FlagExample(
        "Allergies: none\n\nHPI: A 60-year-old woman. She takes warfarin 5 mg daily. INR 2.4 today."
    ),
)
@safety_check("monitoring", label="Monitoring", order=65)
def monitoring(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield what is missing for each medicine that is taken and not over."""
    index = draft.known.contraindications.index
    taken = [m for m in draft.medicines if m.taken and not m.works_less]
    wanted = {m.concept_id: index.needed(m.concept_id) for m in taken}
    if not any(wanted.values()):
        return
    there, levels = told_tests(draft), _with_level(draft)
    given = {kind for m in taken for kind in draft.known.contraindications.with_classes(m.concept_id)}
    for medicine in taken:
        missing: dict[Grade, list[MonitoringRow]] = {}
        named: set[str] = set()
        for row in wanted[medicine.concept_id]:
            if row.needs in there or row.needs in given or row.needs in named or not _holds(row, medicine, draft):
                continue
            if medicine.concept_id in levels and draft.known.graph.row(row.needs).name.endswith(_LEVEL):
                continue
            named.add(row.needs)
            missing.setdefault(row.grade, []).append(row)
        for grade, rows in missing.items():
            told = "; ".join(
                f"{draft.known.graph.row(row.needs).name}{f' ({row.reason})' if row.reason else ''}" for row in rows
            )
            yield make_flag(
                KIND,
                f"{medicine.name} in {medicine.where}: not found as measured or planned: {told}.",
                severity=severity_of(grade),
                evidence=(medicine.text,),
                medicine=medicine.name,
            )


def _holds(row: MonitoringRow, medicine: Medicine, draft: CheckedDraft) -> bool:
    kinds = frozenset(draft.known.contraindications.with_classes(medicine.concept_id))
    return verdict(row.when, row.unless, draft.state, Subject(kinds, medicine.dosages, reasons=medicine.reasons)).holds


def told_tests(draft: CheckedDraft) -> frozenset[str]:
    """The concepts of tests that were done, have a value, or are to come, with what each holds and is a kind of."""
    linker, kinds = draft.known.linker, draft.known.contraindications.with_classes
    mentions = [
        m
        for m in draft.linked.note.mentions
        if m.assertion not in _NOT_THERE and not _is_of_years_ago(m, draft) and not _is_overdue(m, draft)
    ]
    told = [m for sentence in draft.sentences for m in linker.link(sentence.text).note.mentions]
    overdue = {m.concept_id for m in draft.linked.note.mentions if _is_overdue(m, draft)}
    mentions += [m for m in told if m.assertion not in _NOT_THERE and m.concept_id not in overdue]
    found = {kind for m in mentions if m.category in _TESTS for kind in kinds(m.concept_id)}
    record = draft.linked.record
    year = _year(draft)
    measures = {one.measure for one in (record.observations if record else ()) if not long_ago(one.date, year)}
    done = [one for one in (record.procedures if record else ()) if one.status is not ProcedureStatus.NOT_DONE]
    past = [one for one in done if any(long_ago(span.text, year) for span in one.spans)]
    found |= {one.concept_id for one in done if one.concept_id and one not in past}
    ids = draft.known.contraindications.ids
    for test, by_measures, by_tests in _measured_tests():
        held = not measures.isdisjoint(by_measures) or any(ids.get(name) in found for name in by_tests)
        if held and test in ids:
            found.add(ids[test])
    return frozenset(found)


def _is_of_years_ago(mention: Mention, draft: CheckedDraft) -> bool:
    """Whether the sentence of a test that was done puts it a year ago or more: it counts as missing again."""
    return mention.assertion is Assertion.HISTORICAL and long_ago(_sentence(mention, draft), _year(draft))


def _is_overdue(mention: Mention, draft: CheckedDraft) -> bool:
    """Whether the sentence of a test says that it was not done for long: "INR overdue", "no lithium level for over a year"."""
    return mention.category in _TESTS and bool(_told(_sentence(mention, draft), "overdue"))


def _with_level(draft: CheckedDraft) -> frozenset[str]:
    """The medicines behind whose name a level stands that has no name of its own: "lithium 600 mg at night, level 0.7"."""
    text = draft.linked.note.text
    drugs = [m for m in draft.linked.note.mentions if m.category is Category.DRUG and not m.allergen]
    ends = [m.start_char for m in drugs[1:]] + [len(text)]
    return frozenset(
        m.concept_id
        for m, end in zip(drugs, ends, strict=False)
        if _told(text[m.end_char : min(end, m.end_char + _LEVEL_WITHIN)], "level")
    )


def _sentence(mention: Mention, draft: CheckedDraft) -> str:
    text = draft.linked.note.text
    first = max(text.rfind(mark, 0, mention.start_char) for mark in _MARKS) + 1
    last = min((at for mark in _MARKS if (at := text.find(mark, mention.end_char)) >= 0), default=len(text))
    return text[first:last]


def _told(text: str, event: str) -> bool:
    found = _monitored().find(plain_marks(tokens(text).words))[MONITORED]
    return any(one.row.event == event for one in found)


@lru_cache(maxsize=1)
def _monitored() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(MONITORED))


def _year(draft: CheckedDraft) -> str:
    record = draft.linked.record
    found = _YEAR.search(record.encounter.date) if record else None
    return found[0] if found else ""


@lru_cache(maxsize=1)
def _measured_tests() -> tuple[tuple[str, frozenset[str], frozenset[str]], ...]:
    rows = rule_rows(RULES / "safety" / "measured_tests.tsv", 3)
    return tuple((test, frozenset(measures.split("|")), frozenset(tests.split("|"))) for test, measures, tests in rows)
