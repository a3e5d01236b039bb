"""One medicine that a patient takes twice: a list has it under two names, or two products hold it."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from backend.knowledge.safety.dose_limits import applying, limits, over_grade
from backend.knowledge.safety.patient.clause_truth import Subject, verdict
from backend.knowledge.safety.patient.taken_amounts import Amount, converted, over_period, times_a_day
from backend.knowledge.safety.rows.clauses import Period
from backend.knowledge.safety.rows.grades import Grade, gravest_first, severity_of
from backend.nlp.measures.timing import are_parts_of_day
from backend.nlp.rules import RULES, rule_names
from backend.registry import safety_check
from backend.schemas.drafts.draft import Flag
from backend.schemas.record import Dosage, MedicationCategory
from backend.verification.fit.statement_words import way_of
from backend.verification.safety.checks import CheckedDraft, make_flag
from backend.verification.safety.medicines.interactions import KIND
from backend.verification.safety.medicines.named_medicines import LISTED_ALONE, NOTE, Listed, Medicine

_DAILY = 0.99
"""Times a day from which a medicine is taken daily."""


class _Entry(NamedTuple):
    """An entry of a list of medicines. where: the document; place: the list in it; words: the entry as written, with its name and its dose."""

    where: str
    place: tuple[MedicationCategory, int]
    name: str
    dosage: Dosage
    words: str


@safety_check("doubled_medicines", label="Doubled medicines", order=52)
def doubled_medicines(draft: CheckedDraft) -> Iterator[Flag]:
    """Yield a flag for each medicine that one list has twice by two names: severe where both together are far more than usual."""
    for medicine in draft.medicines:
        if not medicine.taken or medicine.works_less:
            continue
        entries = [entry for one in medicine.listed if (entry := _entry(one, draft)) is not None]
        pair = next((pair for pair in combinations(entries, 2) if _is_twice(*pair)), None)
        if pair is not None:
            yield _flag(medicine, pair, draft)


def _entry(one: Listed, draft: CheckedDraft) -> _Entry | None:
    """The entry that a statement is; None for what running text tells, and for what has no dose."""
    statement, dosage = one.statement, one.statement.dosage
    in_note = one.where == NOTE
    if not statement.spans or not dosage.text or (in_note and LISTED_ALONE not in statement.rule_ids):
        return None
    first = statement.spans[0]
    texts = (draft.linked.note.text[first.start_char :],) if in_note else draft.request.discharge_medicines
    sections = draft.linked.note.sections if in_note else ()
    number = next((i for i, each in enumerate(sections) if each.body_char <= first.start_char < each.end_char), -1)
    return _Entry(one.where, (statement.category, number), first.text, dosage, _written(first.text, dosage.text, texts))


def _written(name: str, dosage: str, texts: Sequence[str]) -> str:
    """What a text has from a name to its dose, with what stands between them: "quetiapine XR 300 mg nightly"."""
    for text in texts:
        at = text.find(name)
        dosed = text.find(dosage, at)
        if at >= 0 and dosed >= 0 and "\n" not in text[at:dosed]:
            return text[at : dosed + len(dosage)]
    return f"{name} {dosage}"


def _is_twice(one: _Entry, other: _Entry) -> bool:
    """Whether two entries are one medicine by two names that is taken the same way, each regularly or each as needed.

    Two doses at different parts of the day or on different days make up one, and so does what acts long with what acts at once.
    """
    if (one.where, one.place) != (other.where, other.place) or one.name.lower() == other.name.lower():
        return False
    if one.dosage.as_needed is not other.dosage.as_needed or way_of(one.dosage) != way_of(other.dosage):
        return False
    if (one.dosage.dose, one.dosage.timing) == (other.dosage.dose, other.dosage.timing):
        return True
    if one.dosage.dose != other.dosage.dose and _at_different_times(one.dosage, other.dosage):
        return False
    return _acts_long(one) is _acts_long(other)


def _at_different_times(one: Dosage, other: Dosage) -> bool:
    """Whether two dosages are for different parts of a day, or for different days of a week."""
    times = [times_a_day(each) for each in (one, other)]
    by_days = all(each is not None and each < _DAILY for each in times)
    return are_parts_of_day((one.timing, other.timing)) or by_days


def _acts_long(entry: _Entry) -> bool:
    return not _long_acting().isdisjoint(entry.words.lower().replace("-", " ").split())


@lru_cache(maxsize=1)
def _long_acting() -> frozenset[str]:
    return frozenset(rule_names(RULES / "safety" / "long_acting.txt"))


def _flag(medicine: Medicine, pair: Sequence[_Entry], draft: CheckedDraft) -> Flag:
    total = _total(pair)
    told = f" ({total.number:,.10g} {total.unit} a day in all)" if total is not None else ""
    written = " and as ".join(f"“{one.words}”" for one in pair)
    return make_flag(
        KIND,
        f"{medicine.name} stands twice in {pair[0].where}, as {written}{told}: one of the two is enough, unless both are meant.",
        severity=severity_of(_grade(medicine, pair, total, draft)),
        evidence=tuple(one.words for one in pair),
        medicine=medicine.name,
    )


def _total(pair: Sequence[_Entry]) -> Amount | None:
    """What both bring in a day; None where one does not tell it, or in another unit."""
    amounts = [over_period(one.dosage, Period.DAY) for one in pair]
    first = amounts[0]
    numbers = [None if one is None or first is None else converted(one.number, one.unit, first.unit) for one in amounts]
    known = [one for one in numbers if one is not None]
    return (
        Amount(sum(known), first.unit) if first is not None and not first.per_kg and len(known) == len(pair) else None
    )


def _grade(medicine: Medicine, pair: Sequence[_Entry], total: Amount | None, draft: CheckedDraft) -> Grade:
    """As grave as the medicine's own rows of itself, and as the amount of a day; to be avoided at least."""
    found, own = [Grade.AVOID], medicine.concept_id
    if total is not None:
        hold = applying(draft.known.doses.get(own, ()), draft.state, pair[0].dosage, medicine.reasons, at_home=True)
        most = limits(hold.rows, Period.DAY, total.unit, None)
        grade = over_grade(total.number, most.high) if most is not None else None
        found += [grade] if grade is not None else []
    subject = Subject(frozenset({own}), total=total)
    for row in draft.known.contraindications.index.together(own, own):
        if row.one == row.other == own and verdict(row.when, row.unless, draft.state, subject).holds:
            found.append(row.grade)
    return min(found, key=gravest_first)
