"""The pieces of a quoted clause: with whom and when something is to be, in the note's words, and the clause without its joins."""

import re
from functools import lru_cache

from backend.nlp.attributes.family import person_words
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.measures.dates import date_beside
from backend.nlp.rules import RULES, rule_names, rule_rows
from backend.schemas.record import PlanKind

FAMILY = "plan/when"
_TITLED = re.compile(r"(?:Dr|Drs|Doctor)\.?\s+[A-Z][\w'-]*(?:\s+[A-Z][\w'-]+)?")
_OPEN_MARKS = frozenset(",;-*:\n")
_PERSONS = frozenset((PlanKind.CARER, PlanKind.DISPOSITION))


def trimmed(note: ParsedNote, first: int, last: int) -> tuple[int, int]:
    """The tokens of a clause without the number, the marks and the joining words at its ends; a full stop stays."""
    joins = _joins()
    while first < last and (note.words[first] in joins or not note.tokens.word[first]):
        first += 1
    if first + 1 < last and note.words[first].isdigit() and note.words[first + 1] in ".)":
        first += 2
    while last > first and (note.words[last - 1] in joins or note.words[last - 1] in _OPEN_MARKS):
        last -= 1
    return first, last


def whom_of(note: ParsedNote, first: int, last: int, kind: PlanKind) -> str:
    """The physician or service of a follow-up, the person who looks after the patient; empty for none."""
    start, end = note.tokens.starts[first], note.tokens.ends[last - 1]
    if kind in _PERSONS:
        persons = person_words().others
        return next((note.words[i] for i in range(first, last) if note.words[i] in persons), "")
    match = _TITLED.search(note.text, start, end)
    if match:
        return match[0]
    whom, parts = _whom()
    for i in range(first, last):
        if note.words[i] in whom:
            begin = i
            while begin > first and (note.words[begin - 1] in parts or note.words[begin - 1] in whom):
                begin -= 1
            stop = i + 1
            while stop < last and note.words[stop] in whom:
                stop += 1
            return note.written(begin, stop)
    return ""


def when_of(note: ParsedNote, first: int, last: int) -> tuple[str, str] | None:
    """The time of a piece of the plan and the rule that found it; None for none."""
    for t in note.triggers_within(FAMILY, first, last):
        start, end = note.trigger_span(t)
        return note.text[start:end], t.row.rule_id
    start, end = note.tokens.starts[first], note.tokens.ends[last - 1]
    date = date_beside(note, start, start + 1)
    return (date.text, "procedures/dates") if date and date.end_char <= end else None


@lru_cache(maxsize=1)
def _joins() -> frozenset[str]:
    return frozenset(rule_names(RULES / "plan" / "words_joins.txt"))


@lru_cache(maxsize=1)
def _whom() -> tuple[frozenset[str], frozenset[str]]:
    rows = rule_rows(RULES / "plan" / "words_whom.tsv", 2)
    return (
        frozenset(word for word, kind in rows if kind == "whom"),
        frozenset(word for word, kind in rows if kind == "part"),
    )
