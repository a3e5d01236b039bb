"""The medicines of a patient against each other, and against those that a draft names, by the rows of safety."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.knowledge.safety.patient.clause_truth import Subject, verdict
from backend.knowledge.safety.rows.grades import Grade, at_most_monitor, gravest_first, severity_of, softened
from backend.knowledge.safety.rows.safety_rows import InteractionRow
from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.draft import Compared, Flag, NotChecked
from backend.schemas.vocabulary import Assertion, Basis, Category, Severity
from backend.verification.fit.medication_orders import orders_medicine
from backend.verification.fit.presuppositions import is_caution
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, make_flag
from backend.verification.safety.medicines.ingredient_totals import day_total, unusual_sum
from backend.verification.safety.medicines.named_medicines import NOTE, Medicine

KIND = "interaction"
_EATEN = frozenset({Category.DIET, Category.SUBSTANCE})
_ASKED = frozenset({Grade.NEVER, Grade.AVOID})
_TO_PATIENT = re.compile(r"\b(?:you|your)\b", re.IGNORECASE)
_DRINKS, _ALCOHOL = "drinks alcohol", "alcohol"


class _Pair(NamedTuple):
    """The row that counts for two medicines, with its grade as it is left, and the values that made it hold."""

    row: InteractionRow
    grade: Grade
    because: tuple[str, ...]


@flag_kind(
    KIND,
    label="Interaction",
    severity=Severity.WARNING,
    about="Two medicines of the patient interact, or belong to one class of which one is enough. What must never be "
    "combined is severe, even where the draft alone offers one of the two; what mostly asks for a look is for information.",
    action="Check the pair; stop or replace one of the two, space them, or record why both are given.",
    example=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman. She takes sildenafil and nitroglycerin."),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman. She takes methotrexate and folic acid."),
)
@safety_check("interactions", label="Interactions", order=50, forbids=True)
def interactions(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield one flag for each pair, by its gravest row, and a row that names what is taken; no row where fewer than two medicines are."""
    distinct = list({m.concept_id: m for m in draft.medicines}.values())
    taken = [m for m in distinct if m.taken]
    found: list[Finding] = []
    for i, one in enumerate(taken):
        for other in (*taken[i + 1 :], *_eaten(draft)):
            found += _of_pair(one, other, draft)
    named = [m for m in distinct if not m.taken]
    found += [flag for one in taken for other in named if (flag := _never(one, other, draft))]
    yield from found
    pairs = len(taken) * (len(taken) - 1) // 2
    if pairs:
        number = sum(isinstance(one, Flag) for one in found)
        told = f"{number} found among {pairs} pairs" if number else f"no conflict found among {pairs} checked"
        names = ", ".join(m.name for m in taken)
        yield Compared(kind="interaction", text=names, concept_id="", name=names, against=pairs, found=told)


def _eaten(draft: CheckedDraft) -> list[Medicine]:
    """Foods and substances of the note that interact as medicines do; alcohol where the record says that it is drunk."""
    drinks = _DRINKS in draft.state.persons
    found = {
        m.concept_id: Medicine(m.concept_id, m.name, m.text, NOTE, True)
        for m in draft.linked.note.mentions
        if m.category in _EATEN
        and m.assertion is Assertion.PRESENT
        and not m.allergen
        and (drinks or m.name != _ALCOHOL)
    }
    return list(found.values())


def pair_grade(one: Medicine, other: Medicine, draft: CheckedDraft) -> Grade | None:
    """The gravest grade of the rows that hold for two medicines; None where none does."""
    return min((pair.grade for pair in _holding(one, other, draft)[0]), key=gravest_first, default=None)


def _of_pair(one: Medicine, other: Medicine, draft: CheckedDraft) -> list[Finding]:
    found, missing = _holding(one, other, draft)
    out: list[Finding] = [
        NotChecked(medicine=f"{one.name} with {other.name}", missing=name, why=row.effect)
        for name, row in missing.items()
    ]
    if found and not (one.over and other.over):
        out.append(_flag(found, one, other, draft))
    return out


def _holding(one: Medicine, other: Medicine, draft: CheckedDraft) -> tuple[list[_Pair], dict[str, InteractionRow]]:
    """The rows that hold for two medicines, and of those that a missing value leaves open the first for each value."""
    index = draft.known.contraindications.index
    rows = () if _same_thing(one, other, draft) else index.together(one.concept_id, other.concept_id)
    missing: dict[str, InteractionRow] = {}
    found: list[_Pair] = []
    for row in rows:
        if row.one == row.other and _within(row.one, (one, other), draft):
            continue
        first, second = (one, other) if row.one in index.kinds(one.concept_id) else (other, one)
        known = verdict(row.when, row.unless, draft.state, _subject(row, first, second, draft))
        if known.holds:
            found.append(_Pair(row, row.grade, known.because))
        elif row.grade in _ASKED:
            missing.update({name: row for name in known.missing if name not in missing})
    return found, missing


def _within(ingredient: str, both: Sequence[Medicine], draft: CheckedDraft) -> bool:
    """Whether two products of an ingredient tell how much they bring in a day, and that is usual for this patient."""
    found = unusual_sum(ingredient, both, draft.known, draft.state)
    return found is not None and found[0].whole and found[2] is None


def _subject(row: InteractionRow, first: Medicine, second: Medicine, draft: CheckedDraft) -> Subject:
    """Whose dose and route a row asks for: the first medicine's, and the way that the second is given; what both hold is counted together."""
    kinds = draft.known.contraindications.with_classes
    return Subject(
        frozenset(kinds(first.concept_id)),
        first.dosages,
        reasons=first.reasons,
        total=day_total(row.one, (first, second), draft.known) if row.one == row.other else None,
        in_turn=first.in_turn_with(second),
        others=frozenset(kinds(second.concept_id)),
        other_dosages=second.dosages,
    )


def _flag(found: Sequence[_Pair], one: Medicine, other: Medicine, draft: CheckedDraft) -> Flag:
    """The gravest row that holds; of equal ones that which tells an effect, and of those the one about two different things."""
    best = min(found, key=lambda pair: (gravest_first(pair.grade), not pair.row.effect, pair.row.one == pair.row.other))
    graph = draft.known.graph
    if best.row.one == best.row.other:
        effect = f": {best.row.effect}" if best.row.effect else ""
        name = graph.row(best.row.one).name
        same = "both contain" if graph.row(best.row.one).category == Category.DRUG else "both belong to:"
        total = day_total(best.row.one, (one, other), draft.known)
        brought = f" ({total.number:,.10g} {total.unit} a day in all)" if total is not None and total.unit else ""
        message = f"{one.name} and {other.name} {same} {name}{brought}{effect}"
    else:
        message = f"{one.name} with {other.name}: {best.row.effect or 'effect not stated'}"
    told = f" ({', '.join(best.because)})" if best.because else ""
    apart = one.here is not other.here
    # what is given in hospital may take the place of what is taken at home, unless that goes on acting
    home = other if one.here else one
    replaced = apart and not draft.known.contraindications.lingers(home.concept_id)
    grade = softened(best.grade) if replaced and best.grade is Grade.NEVER else best.grade
    ended = [m for m in (one, other) if m.works_less]
    if any(not draft.known.contraindications.lingers(m.concept_id) or m.held for m in ended):
        grade = at_most_monitor(grade)
    elif ended:
        grade = softened(best.grade)
    return make_flag(
        KIND,
        f"{message}{told}{_over(one, other)}{_apart(one, other) if apart else ''}.",
        severity=severity_of(grade),
        evidence=(one.text, other.text),
        medicine=one.name,
    )


def _never(one: Medicine, other: Medicine, draft: CheckedDraft) -> Flag | None:
    """A medicine that the draft alone names beside one that is taken, where the two must never be combined.

    What a source says of people in general is offered to nobody: a warning, and nothing where it is another treatment of what the
    medicine that is taken is for.
    """
    if one.works_less or other.works_less or _same_thing(one, other, draft):
        return None
    rows = [
        row
        for row in draft.known.contraindications.index.together(one.concept_id, other.concept_id)
        if row.grade is Grade.NEVER and row.one != row.other
    ]
    subject = Subject(in_turn=one.in_turn_with(other))
    row = next((row for row in rows if verdict(row.when, row.unless, draft.state, subject).holds), None)
    if row is None:
        return None
    offered = _offered(other, draft)
    if offered is None and _instead(one, other, draft):
        return None
    effect = f", {row.effect}" if row.effect else ""
    return make_flag(
        KIND,
        f"{one.name} in {one.where} with {other.name} in {other.where}: never together{effect}.",
        severity=Severity.WARNING if offered is None else Severity.SEVERE,
        sentence=other.sentence if offered is None else offered,
        evidence=(one.text, other.text),
        medicine=one.name,
    )


def _offered(medicine: Medicine, draft: CheckedDraft) -> int | None:
    """The first sentence that offers a medicine to this patient; None where all that name it tell what a source says of people.

    What speaks to the patient, orders a medicine, or was typed without a source, offers it.
    """
    taken = {one.concept_id for one in draft.medicines if one.taken}
    for place, sentence in enumerate(draft.sentences):
        mentions = draft.known.linker.link(sentence.text).note.mentions
        if is_caution(sentence.text) or not any(
            m.concept_id == medicine.concept_id and m.assertion != Assertion.NEGATED for m in mentions
        ):
            continue
        of_people = sentence.basis is Basis.GENERAL and sentence.citations
        if not of_people or _TO_PATIENT.search(sentence.text) or orders_medicine(sentence.text, mentions, taken):
            return place
    return None


def _instead(one: Medicine, other: Medicine, draft: CheckedDraft) -> bool:
    """Whether two medicines treat one thing that the patient has, so that either may stand for the other."""
    treats = draft.known.contraindications.treats
    return any(treats(one.concept_id, problem) and treats(other.concept_id, problem) for problem in draft.state.present)


def _same_thing(one: Medicine, other: Medicine, draft: CheckedDraft) -> bool:
    """Whether one of two is the class of the other: no two medicines, but two names."""
    kinds = draft.known.contraindications.with_classes
    return (other.broad and other.concept_id in kinds(one.concept_id)) or (
        one.broad and one.concept_id in kinds(other.concept_id)
    )


def _over(*medicines: Medicine) -> str:
    """Says which of them the note reports as finished, or on hold."""
    over = " and ".join(m.name for m in medicines if m.over)
    held = " and ".join(m.name for m in medicines if m.held)
    told = [f"the note speaks of an earlier course of {over}" if over else "", f"{held} is on hold" if held else ""]
    said = "; ".join(one for one in told if one)
    return f" ({said})" if said else ""


def _apart(one: Medicine, other: Medicine) -> str:
    """Says which of two was given in hospital alone, where the other is taken at home."""
    return f" ({one.name if one.here else other.name} was given in hospital)"
