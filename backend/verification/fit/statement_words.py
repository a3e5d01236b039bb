"""The words and concepts of a record's statements, the course of its medicines, and what matches a statement: the words of a kind of need (assets/rules/fit/kinds.tsv)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from backend.knowledge.safety.patient.clause_truth import product_routes
from backend.schemas.drafts.note import Mention
from backend.schemas.record import (
    Dosage,
    Experiencer,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    RecordSpan,
    Statement,
)

LOCAL = frozenset({"ophthalmic", "otic", "topical", "nasal", "vaginal"})
"""Ways by which a medicine stays at one place of the body."""
BESIDE = 6
"""Words over which a part of the body that is named is the place of a complaint."""
_SHORT_DAYS = 30.0
_ONCE = ("ONCE", "STAT")
_SENTENCE_ENDS = re.compile(r"[.;\n]")


def place_of(statement: Statement) -> int:
    """Where a statement stands in the note; before it where it has no place."""
    return statement.spans[0].start_char if statement.spans else -1


def concepts_of(statement: Statement) -> tuple[str | None, ...]:
    """The concepts of a statement, a combination's ingredients among them."""
    return (getattr(statement, "concept_id", None), *getattr(statement, "ingredients", ()))


def names_of(statements: Iterable[Statement]) -> Iterator[str]:
    """The names of statements, with the side where one is told, and their words in the note."""
    for one in statements:
        name, side = str(getattr(one, "name", "")), str(getattr(one, "body_side", ""))
        yield name
        if side:
            yield f"{side} {name}"
        if one.spans:
            yield one.spans[0].text


def last_statements(medications: Sequence[MedicationStatement]) -> list[MedicationStatement]:
    """The patient's own statements, of one medicine and place the last: a plan to stop stands behind the list of what was taken."""
    last: dict[tuple[str, bool], MedicationStatement] = {}
    for one in medications:
        if one.experiencer is Experiencer.PATIENT:
            key = (one.concept_id or one.name.lower(), one.category is MedicationCategory.INPATIENT)
            before = last.get(key)
            if before is None or place_of(before) <= place_of(one):
                last[key] = one
    return list(last.values())


def is_begun(one: MedicationStatement) -> bool:
    """Whether a medicine was started, changed or is to be taken from now on."""
    return bool(one.change) or one.status is MedicationStatus.INTENDED


def ends(one: MedicationStatement) -> bool:
    """Whether a medicine is taken for a short time that ends, or in one dose."""
    short = one.dosage.days is not None and one.dosage.days <= _SHORT_DAYS
    return bool(one.ends or one.course or short or one.dosage.timing in _ONCE)


def way_of(dosage: Dosage) -> str:
    """How a dosage is given: by its route, or by the form that it names, a gel or a cream; a strength in percent alone tells none."""
    if dosage.route:
        return dosage.route
    words = dosage.text.lower().split()
    formed = next((route for ending, route in product_routes().items() if ending in words), "")
    if formed:
        return formed
    return "" if dosage.unit == "%" else "unknown"


def is_local(dosage: Dosage) -> bool:
    """Whether a dosage is for one place of the body: a cream, drops, or a strength in percent alone."""
    return way_of(dosage) in LOCAL or (dosage.unit == "%" and not dosage.route)


def stands_beside(span: RecordSpan, parts: Iterable[Mention], text: str) -> bool:
    """Whether a part of the body is named right beside a complaint, in its sentence: "pain of the right finger"."""
    gaps = (text[min(span.end_char, one.end_char) : max(span.start_char, one.start_char)] for one in parts)
    return any(len(gap.split()) <= BESIDE and not _SENTENCE_ENDS.search(gap) for gap in gaps)


@lru_cache(maxsize=256)
def pattern_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """What matches one of the words of a kind in a statement: as such, "=" the whole statement, "+" all the words of one."""
    return re.compile("|".join(map(_shape, words)), re.IGNORECASE)


def _shape(word: str) -> str:
    if word.startswith("="):
        return rf"\A{re.escape(word[1:])}\Z"
    if "+" in word:
        return r"\A" + "".join(f"(?=.*?{_shape(part.strip())})" for part in word.split("+"))
    return rf"(?<![\w-]){re.escape(word)}(?![\w-])".replace(r"\*", r"[\w-]*").replace(r"\ ", r"\s+")
