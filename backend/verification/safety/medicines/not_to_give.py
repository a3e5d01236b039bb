"""What should not be given to this patient, told before anybody offers it: for information, since nothing gives it yet.

Three lists: what each listed allergy forbids, what was stopped and has a reason to stay so, and what is often offered and a row of
grade never or avoid speaks against. The often offered are rows of assets/rules/safety/often_offered.tsv.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.knowledge.allergy_reach import Risk
from backend.knowledge.safety.patient.clause_truth import verdict
from backend.knowledge.safety.rows.clauses import PLANNED
from backend.knowledge.safety.rows.grades import Grade, gravest_first
from backend.knowledge.starter import concept_id
from backend.nlp.rules import RULES, rule_rows
from backend.registry import flag_kind, safety_check
from backend.schemas.record import Experiencer, MedicationStatus
from backend.schemas.vocabulary import AllergyKind, Category, Severity
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, make_flag
from backend.verification.safety.medicines.named_medicines import MEDICINES

KIND = "not_to_give"
_VACCINE = concept_id("vaccine")
_SUBSTANCES = frozenset({*MEDICINES, Category.ALLERGEN, Category.DIET, Category.SUBSTANCE})
"""What an allergen is called by; of a problem the note's words tell more ("iodine")."""
_ASKED = frozenset({Grade.NEVER, Grade.AVOID})
_STOPPED = frozenset(
    {MedicationStatus.STOPPED, MedicationStatus.ON_HOLD, MedicationStatus.COMPLETED, MedicationStatus.NOT_TAKEN}
)
_CAUSES_MOST, _STOPPED_MOST, _REASONS_MOST, _OTHERS_MOST = 10, 6, 3, 4


class Offered(NamedTuple):
    """A medicine or class that is often offered, as a reader is told it; wanted: names of what it is often given for; whom: of which one must be there, none for all."""

    medicine: str
    called: str
    wanted: tuple[str, ...]
    whom: tuple[str, ...]


class _Against(NamedTuple):
    """Why something should not be given, and how grave that is: what the patient has or takes, what comes of it, the note's words."""

    grade: Grade
    cause: str
    effect: str = ""
    words: tuple[str, ...] = ()


@flag_kind(
    KIND,
    label="Not for this patient",
    severity=Severity.INFO,
    about="What is often given, or was stopped, and should not be given to this patient: an allergy forbids it, or a row of safety speaks "
    "against it with what the patient has or takes. Nothing gives it; the list is for whoever is about to.",
    action="Look here before a medicine is added or taken up again.",
    example=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman with Parkinson's disease. She has nausea."),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman with nausea."),
)
@safety_check("not_to_give", label="What should not be given", order=66)
def not_to_give(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield what listed allergies forbid, what was stopped for a reason, and what is often offered and should not be."""
    if draft.has_note:
        yield from _by_allergy(draft)
        yield from _stopped(draft)
        yield from _often_offered(draft)


@lru_cache(maxsize=1)
def often_offered() -> tuple[Offered, ...]:
    """The rows of assets/rules/safety/often_offered.tsv."""
    rows = rule_rows(RULES / "safety" / "often_offered.tsv", 4)
    return tuple(Offered(name, called, _names(wanted), _names(whom)) for name, called, wanted, whom in rows)


def _names(cell: str) -> tuple[str, ...]:
    return () if cell == "-" else tuple(cell.split("|"))


def _by_allergy(draft: CheckedDraft) -> Iterator[Finding]:
    known, ids = draft.known, draft.known.contraindications.ids
    for item in draft.linked.allergies.items:
        if item.concept_id is None or item.concept_id not in known.graph.index:
            continue
        reached = known.reach.reached(item.concept_id)
        feared: dict[Risk, list[str]] = {}
        for one in often_offered():
            reach = reached.get(ids.get(one.medicine, ""))
            if reach is not None and reach.how != "same":
                feared.setdefault(reach.risk, []).append(one.called)
        others = [
            known.graph.row(one).name
            for one, reach in reached.items()
            if reach.how == "cross_reaction" and known.graph.row(one).category not in MEDICINES
        ]
        substance = known.graph.row(item.concept_id).category in _SUBSTANCES
        told = f"give no {', '.join((item.name if substance else item.text, *others[:_OTHERS_MOST]))}"
        if Risk.HIGH in feared:
            told += f" and no {', '.join(feared[Risk.HIGH])}"
        doubtful = [*feared.get(Risk.POSSIBLE, ()), *feared.get(Risk.LOW, ())]
        if doubtful:
            told += f"; ask before {', '.join(doubtful)}"
        reaction = f" ({item.reaction})" if item.reaction else ""
        kind = "allergy" if item.kind is AllergyKind.ALLERGY else "intolerance"
        yield make_flag(KIND, f"For the {kind} to {item.text}{reaction}: {told}.", evidence=(item.text,))


def _stopped(draft: CheckedDraft) -> Iterator[Finding]:
    """What the note has as stopped, on hold or over and nothing has as taken, where there is a reason that it stays so."""
    record, kinds = draft.linked.record, draft.known.contraindications.with_classes
    taken = {m.concept_id for m in draft.medicines if m.taken and not m.works_less}
    told: dict[str, tuple[str, ...]] = {}
    for one in record.medications if record else ():
        if one.status not in _STOPPED or one.experiencer is not Experiencer.PATIENT or one.concept_id in taken:
            continue
        reasons = [_Against(Grade.AVOID, one.why_stopped)] if one.why_stopped else []
        if one.concept_id is not None and one.concept_id in draft.known.graph.index:
            found = [] if _VACCINE in kinds(one.concept_id) else _reasons(draft, one.concept_id)
            over = (
                one.status is MedicationStatus.COMPLETED
            )  # a course of the past matters where it must never come back
            reasons += [reason for reason in found if not over or reason.grade is Grade.NEVER]
        if reasons:
            message = f"{one.name} {_STATE[one.status]}: look before it is taken up again: {_told(reasons)}."
            named = one.spans[0].text if one.spans else one.name
            told.setdefault(message, (named, *_words(reasons)))
    for message, words in list(told.items())[:_STOPPED_MOST]:
        yield make_flag(KIND, message, evidence=words)


_STATE = {
    MedicationStatus.STOPPED: "was stopped",
    MedicationStatus.ON_HOLD: "is on hold",
    MedicationStatus.COMPLETED: "was taken in the past",
    MedicationStatus.NOT_TAKEN: "is not taken",
}


def _often_offered(draft: CheckedDraft) -> Iterator[Finding]:
    """One flag for each thing that speaks against something, the gravest first; what is taken already is told of where it is taken."""
    known, present = draft.known.contraindications, draft.state.present
    taken = {kind for m in draft.medicines if m.taken and not m.works_less for kind in known.with_classes(m.concept_id)}
    by_cause: dict[str, list[tuple[_Against, Offered, bool]]] = {}
    for one in often_offered():
        concept = known.ids.get(one.medicine, "")
        fits = not one.whom or any(known.ids.get(name) in present for name in one.whom)
        wanted = any(known.ids.get(name) in present for name in one.wanted)
        for reason in _reasons(draft, concept) if concept and fits and concept not in taken else ():
            by_cause.setdefault(reason.cause, []).append((reason, one, wanted))
    found = []
    for cause, against in by_cause.items():
        against.sort(key=lambda each: (gravest_first(each[0].grade), not each[2]))
        never = [_called(r, one) for r, one, _ in against if r.grade is Grade.NEVER]
        avoid = [_called(r, one) for r, one, _ in against if r.grade is not Grade.NEVER]
        told = ". ".join(
            part
            for part in (
                f"Do not give {'; '.join(never)}" if never else "",
                f"Look before giving {'; '.join(avoid)}" if avoid else "",
            )
            if part
        )
        words = tuple(dict.fromkeys(word for r, _, _ in against for word in r.words))
        wanted = any(each[2] for each in against)
        found.append(((not never, not wanted), f"{cause[:1].upper()}{cause[1:]}: {told}.", words))
    for _, message, words in sorted(found, key=lambda one: one[0])[:_CAUSES_MOST]:
        yield make_flag(KIND, message, evidence=words)


def _reasons(draft: CheckedDraft, concept: str) -> list[_Against]:
    """What speaks against a medicine that is not taken: what the patient has, then what is taken; the gravest first."""
    known = draft.known.contraindications
    found: dict[str, _Against] = {}
    for why in known.against(concept, draft.state):
        row = why.row
        if not why.verdict.holds or row.grade not in _ASKED or row.counts(PLANNED):
            continue  # what is planned speaks of what is taken
        if row.grade is Grade.AVOID and known.treats(concept, row.condition):
            continue
        values = f" ({', '.join(why.verdict.because)})" if why.verdict.because else ""
        cause = f"{known.name_of(row.condition)}{values}"
        _keep(found, row.condition, _Against(row.grade, cause, row.reason, draft.words_of(row.condition)))
    for medicine in draft.medicines:
        if not medicine.taken or medicine.works_less or medicine.concept_id == concept:
            continue
        for pair in known.index.together(concept, medicine.concept_id):
            if pair.grade in _ASKED and pair.one != pair.other and verdict(pair.when, pair.unless, draft.state).holds:
                cause = f"beside {medicine.name}"
                _keep(found, medicine.concept_id, _Against(pair.grade, cause, pair.effect, (medicine.text,)))
    return sorted(found.values(), key=lambda one: gravest_first(one.grade))


def _called(reason: _Against, one: Offered) -> str:
    return f"{one.called}: {reason.effect}" if reason.effect else one.called


def _told(reasons: Sequence[_Against]) -> str:
    return "; ".join(f"{one.cause}{f', {one.effect}' if one.effect else ''}" for one in reasons[:_REASONS_MOST])


def _words(reasons: Sequence[_Against]) -> tuple[str, ...]:
    """The note's words for the reasons that are told."""
    return tuple(dict.fromkeys(word for one in reasons[:_REASONS_MOST] for word in one.words))


def _keep(found: dict[str, _Against], key: str, one: _Against) -> None:
    if key not in found or gravest_first(one.grade) < gravest_first(found[key].grade):
        found[key] = one
