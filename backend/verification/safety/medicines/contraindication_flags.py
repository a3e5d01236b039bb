"""Medicines against what the patient has, has had where that counts, or is written about as possible, by the rows of safety."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.knowledge.contraindications import Against
from backend.knowledge.safety.patient.patient_state import LEADING, PatientState, add
from backend.knowledge.safety.rows.clauses import ValueClause, condition_in_words
from backend.knowledge.safety.rows.grades import (
    Grade,
    at_most_avoid,
    at_most_monitor,
    gravest_first,
    severity_of,
    softened,
)
from backend.knowledge.safety.rows.safety_rows import DOSE_CHANGED
from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.draft import Compared, Flag, NotChecked
from backend.schemas.vocabulary import ConditionStatus, Severity
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, make_flag
from backend.verification.safety.medicines.named_medicines import Medicine

KIND = "contraindication"
_ASKED = frozenset({Grade.NEVER, Grade.AVOID})
"""Grades of rows that are told as not checked where a value is missing."""


class _Found(NamedTuple):
    """A row that holds, the name of its condition, and the grade that is left of its own; others: further conditions of the same harm."""

    why: Against
    name: str
    grade: Grade
    others: tuple["_Found", ...] = ()

    @property
    def every(self) -> tuple["_Found", ...]:
        """It and its others."""
        return (self, *self.others)


@flag_kind(
    KIND,
    label="Contraindication",
    severity=Severity.WARNING,
    about="A row of safety speaks against a medicine with something that the patient has, or may have: severe where it must never be used "
    "so, for information where it asks for watching or another dose. One grade lower where the draft alone names the medicine, where its "
    "course is over or on hold, and where the condition is only possible.",
    action="Check the reason; stop or replace the medicine, or record why it is given.",
    example=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman with heart failure. She takes ibuprofen."),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman with heart failure. She takes furosemide."),
)
@safety_check("contraindications", label="Contraindications", order=40, forbids=True)
def contraindications(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield what speaks against every medicine: what the patient has, then, where it is taken, what the document is about."""
    state, supposed = draft.state, _supposed(draft)
    count = len(state.present) + len(state.past - state.present.keys())
    for medicine in draft.medicines:
        against = draft.known.contraindications.against(medicine.concept_id, state, medicine.dosages, medicine.reasons)
        found = _gravest(medicine, against, draft)
        yield from _flags(medicine, found, draft)
        names = [one.name for group in found for one in group.every]
        if medicine.taken:
            unasked = draft.known.contraindications.unasked(
                medicine.concept_id, state, medicine.dosages, medicine.reasons
            )
            yield from _not_checked(medicine, [*against, *unasked], draft)
        if medicine.taken and not medicine.works_less and supposed is not None:
            possible = draft.known.contraindications.against(
                medicine.concept_id, supposed, medicine.dosages, medicine.reasons
            )
            mine = [one for one in possible if one.row.condition not in state.present]
            more = [
                one._replace(grade=at_most_avoid(one.grade))
                for one in _gravest(medicine, mine, draft)
                if one.why.row.grade in _ASKED and not any(each.name in names for each in one.every)
            ]
            names += [one.name for one in more]
            yield from _flags(medicine, more, draft, possible=True)
        yield Compared(
            kind="medicine",
            text=medicine.text,
            concept_id=medicine.concept_id,
            name=medicine.name,
            against=count,
            found=f"conflict: {', '.join(names)}" if names else f"no conflict found among {count} checked",
        )


def _supposed(draft: CheckedDraft) -> PatientState | None:
    """The patient with what the document is about, which nobody has confirmed; None where there is no such thing."""
    about = [
        c.concept_id
        for c in draft.conditions
        if c.focus and c.status is ConditionStatus.POSSIBLE and c.concept_id not in draft.state.present
    ]
    if not about:
        return None
    present = dict(draft.state.present)
    for concept in about:
        add(present, concept, LEADING, draft.known.contraindications.with_classes)
    return draft.state._replace(present=present)


def _gravest(medicine: Medicine, against: Sequence[Against], draft: CheckedDraft) -> list[_Found]:
    """The rows that hold, the gravest of each condition, the gravest first."""
    found: dict[str, _Found] = {}
    for why in against:
        if not why.verdict.holds or (not medicine.taken and why.row.grade not in _ASKED):
            continue
        if _told_by_treatment(medicine, why, draft) or _dose_is_known(medicine, why, draft):
            continue
        grade = _grade(why.row.grade, medicine)
        one = _Found(why, draft.known.graph.row(why.row.condition).name, grade)
        known = found.get(why.row.condition)
        if known is None or gravest_first(grade) < gravest_first(known.grade):
            found[why.row.condition] = one
    return _merged(sorted(found.values(), key=lambda one: gravest_first(one.grade)))


def _merged(found: Sequence[_Found]) -> list[_Found]:
    """Those that do the same harm as one, under the gravest: rows with one reason, or that rest on the same values."""
    out: list[_Found] = []
    for one in found:
        row, because = one.why.row, one.why.verdict.because
        same = next(
            (
                place
                for place, known in enumerate(out)
                if (row.reason and row.reason == known.why.row.reason)
                or (because and because == known.why.verdict.because)
            ),
            None,
        )
        if same is None:
            out.append(one)
        else:
            out[same] = out[same]._replace(others=(*out[same].others, one))
    return out


def _grade(grade: Grade, medicine: Medicine) -> Grade:
    """As grave as the row for what is taken; less for what is on hold, over, or named by the draft alone."""
    if medicine.held:
        return at_most_monitor(grade)
    if medicine.works_less:
        return softened(grade)
    return grade if medicine.taken else at_most_avoid(grade)


def _told_by_treatment(medicine: Medicine, why: Against, draft: CheckedDraft) -> bool:
    """Whether a row that asks nothing more names what its medicine treats: what is given for the very condition is no conflict with it.

    What the draft alone names is offered with the row's own words where it treats the condition.
    """
    if why.row.grade is Grade.NEVER or (medicine.taken and (why.row.when or why.row.unless)):
        return False
    return draft.known.contraindications.treats(medicine.concept_id, why.row.condition)


def _dose_is_known(medicine: Medicine, why: Against, draft: CheckedDraft) -> bool:
    """Whether a row only says that the dose changes and the table of doses has the figure, so that the dose itself is checked."""
    rows = draft.known.doses.get(medicine.concept_id, ())
    return why.row.changes_dose and any(row.when for row in rows)


def _flags(
    medicine: Medicine, found: Sequence[_Found], draft: CheckedDraft, *, possible: bool = False
) -> Iterator[Flag]:
    """One flag for all that asks for the same of a medicine, as grave as the gravest: it names every reason, that one first."""
    groups: dict[str, list[_Found]] = {}
    for one in found:
        groups.setdefault(_asked(one), []).append(one)
    over = " The note speaks of an earlier course." if medicine.over else " It is on hold." if medicine.held else ""
    for asked, own in groups.items():
        reasons = ". Also ".join(_reason(one) for one in own)
        words = [word for group in own for one in group.every for word in draft.words_of(one.why.row.condition)]
        yield make_flag(
            KIND,
            f"{medicine.name} in {medicine.where}{asked} {reasons}{', which is possible here' if possible else ''}.{over}",
            severity=severity_of(own[0].grade),
            sentence=medicine.sentence,
            evidence=(medicine.text, *dict.fromkeys(words)),
            medicine=medicine.name,
        )


def _asked(one: _Found) -> str:
    """What a row asks for, after the medicine's name."""
    if one.why.row.changes_dose:
        return ": the dose must be changed"
    return " should not be used" if one.why.row.grade in _ASKED else " asks for care"


def _reason(one: _Found) -> str:
    """The conditions of one harm, with how each holds, and the harm."""
    causes = [
        f"at {', '.join(each.why.verdict.because)}" if each.why.by_value else f"with {each.name}{_how(each)}"
        for each in one.every
    ]
    reason = one.why.row.reason.removeprefix(DOSE_CHANGED).lstrip(":, ")
    harm = f": {reason}" if reason and not any(reason in cause for cause in causes) else ""
    return f"{' and '.join(dict.fromkeys(causes))}{harm}"


def _how(one: _Found) -> str:
    """Why a row holds, in brackets: the values that it compared, and what else it asked."""
    rest = [clause for clause in one.why.row.when if not isinstance(clause, ValueClause)]
    words = [*one.why.verdict.because, condition_in_words(rest, ())]
    said = ", ".join(word for word in words if word)
    return f" ({said})" if said else ""


def _not_checked(medicine: Medicine, against: Sequence[Against], draft: CheckedDraft) -> Iterator[NotChecked]:
    """One row for each thing that is missing, with the gravest reason why it matters."""
    seen: set[str] = set()
    for why in sorted(against, key=lambda one: gravest_first(one.row.grade)):
        for missing in why.verdict.missing:
            if why.row.grade in _ASKED and missing not in seen:
                seen.add(missing)
                name = draft.known.graph.row(why.row.condition).name
                told = f": {why.row.reason}" if why.row.reason else ""
                yield NotChecked(medicine=medicine.name, missing=missing, why=f"{name}, {why.row.qualifier}{told}")
