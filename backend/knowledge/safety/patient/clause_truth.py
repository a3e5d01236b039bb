"""Whether the clauses of a row hold of a patient: they hold, they do not, or a value that they ask for is missing.

What is missing never fires a row; it is told, so that somebody can look.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.safety.patient.patient_state import PatientState, compares
from backend.knowledge.safety.patient.taken_amounts import Amount, converted, over_period, single_dose, way_told
from backend.knowledge.safety.rows.clauses import (
    LOCAL_ROUTES,
    AlsoClause,
    Clause,
    DoseClause,
    Held,
    HeldClause,
    PastClause,
    Period,
    PersonClause,
    Route,
    RouteClause,
    SettingClause,
    SexClause,
    Stage,
    StageClause,
    TurnClause,
    ValueClause,
    in_words,
)
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import Dosage

_DOSE = "dose"
_MASSES = frozenset({"mg", "mcg", "g"})


class Verdict(NamedTuple):
    """Whether a row's clauses hold. missing: what nobody knows, in words; a row with something missing holds not.

    because: the values and words that made it hold.
    """

    holds: bool
    missing: tuple[str, ...] = ()
    because: tuple[str, ...] = ()


class Subject(NamedTuple):
    """What a row is asked of.

    Attributes:
        medicines: concept ids of the row's first medicine as the patient has it, with its classes and ingredients.
        dosages: how it is taken; none where the record does not tell.
        stages: those of the row's own condition where it is present.
        reasons: concept ids of what the medicine is given for, as the record says.
        total: what is taken a day of the row's first medicine in all products together; None where that is no more than dosages tell.
        in_turn: of a pair, whether the note says that one of the two ends as the other begins.
        others: of a pair, the concept ids of the second medicine; other_dosages: how that is taken.
    """

    medicines: frozenset[str] = frozenset()
    dosages: tuple[Dosage, ...] = ()
    stages: frozenset[Stage] = frozenset()
    reasons: frozenset[str] = frozenset()
    total: Amount | None = None
    in_turn: bool = False
    others: frozenset[str] = frozenset()
    other_dosages: tuple[Dosage, ...] = ()


NOBODY = Subject()


def verdict(
    when: Sequence[Clause], unless: Sequence[Clause], state: PatientState, subject: Subject = NOBODY
) -> Verdict:
    """Whether all of `when` and none of `unless` hold.

    A clause that fails decides; only where none does, what is missing keeps the row from holding. What nobody knows ends nothing: a row
    against heart failure unless the ejection fraction is high holds where no ejection fraction is told.
    """
    if not when and not unless:
        return _ALWAYS
    missing: list[str] = []
    because: list[str] = []
    for clause in when:
        held = truth(clause, state, subject)
        if held is False:
            return _NEVER
        if held is None:
            missing.append(_missing(clause))
        elif isinstance(clause, ValueClause):
            because.append(state.values[clause.value].said)
    if any(_ends(clause, state, subject) for clause in unless):
        return _NEVER
    return Verdict(not missing, tuple(dict.fromkeys(missing)), tuple(dict.fromkeys(because)))


_ALWAYS, _NEVER = Verdict(True), Verdict(False)


def _ends(clause: Clause, state: PatientState, subject: Subject) -> bool:
    """Whether a clause of `unless` ends a row; a way ends it where the medicine is given in no other.

    A way that stays at one place ends it of either medicine of a pair: neither reaches the other then.
    """
    if not isinstance(clause, RouteClause):
        return truth(clause, state, subject) is True
    local = frozenset(clause.routes & LOCAL_ROUTES)
    return _given_only(clause.routes, subject.medicines, subject.dosages) or (
        bool(local) and _given_only(local, subject.others, subject.other_dosages)
    )


def _given_only(routes: Collection[str], medicines: frozenset[str], dosages: Sequence[Dosage]) -> bool:
    """Whether a medicine is given in these ways alone; an amount of which no way is told may be of another."""
    if not _product_routes(medicines).isdisjoint(routes):
        return True
    told = {dosage.route for dosage in dosages if dosage.route or dosage.unit in _MASSES}
    return bool(told) and told.issubset(routes)


def truth(clause: Clause, state: PatientState, subject: Subject) -> bool | None:
    """Whether one clause holds; None where a value or a dose that it asks for is missing."""
    match clause:
        case ValueClause():
            return compares(clause, state.values)
        case StageClause(stages):
            return not stages.isdisjoint(subject.stages)
        case PastClause() | AlsoClause():
            return True
        case TurnClause():
            return subject.in_turn
        case HeldClause():
            return _held(clause, state, subject)
        case DoseClause():
            return _dosed(clause, subject)
        case RouteClause(routes):
            ways = {way for dosage in subject.dosages if (way := way_told(dosage))}
            told = ways | _product_routes(subject.medicines)
            return not routes.isdisjoint(told) if told else False
        case SexClause(sex):
            return state.sex == sex
        case PersonClause(kind):
            return kind in state.persons
        case SettingClause(setting):
            return state.setting == setting


def _held(clause: HeldClause, state: PatientState, subject: Subject) -> bool:
    match clause.how:
        case Held.HAS:
            return any(one in state.present for one in clause.concept_ids)
        case Held.HAD:
            return any(one in state.present or one in state.past for one in clause.concept_ids)
        case Held.TAKES:
            return any(one in state.taken or one in subject.medicines for one in clause.concept_ids)
        case Held.FOR:
            return any(one in state.present or one in subject.reasons for one in clause.concept_ids)
        case Held.BEGINS:
            return any(one in state.begun for one in clause.concept_ids)


def _dosed(clause: DoseClause, subject: Subject) -> bool | None:
    """Whether any dosage compares so; None where none tells an amount in such a unit."""
    compared: list[bool] = []
    amounts: list[Amount | None] = [subject.total] if subject.total is not None and clause.period is Period.DAY else []
    for dosage in subject.dosages:
        amount = over_period(dosage, clause.period)
        if amount is None and clause.period is Period.DAY and clause.sign.startswith(">"):
            one = single_dose(dosage)  # one dose that is more than a day's amount is more, however often
            amount = one if one is not None and _exceeds(one.number, one.unit, clause) else None
        amounts.append(amount)
    for amount in amounts:
        number = None if amount is None else converted(amount.number, amount.unit, clause.unit.plain)
        if number is None:
            continue
        low, high = clause.limit, clause.limit
        compared.append({"<": number < low, "<=": number <= low, ">": number > high, ">=": number >= high}[clause.sign])
    return any(compared) if compared else None


def _exceeds(number: float, unit: str, clause: DoseClause) -> bool:
    own = converted(number, unit, clause.unit.plain)
    return own is not None and own > clause.limit


@lru_cache(maxsize=1024)
def _product_routes(medicines: frozenset[str]) -> frozenset[str]:
    """The ways that the names of products tell: eye drops, a cream, ear drops."""
    endings = product_routes()
    return frozenset(route for ending, route in endings.items() if any(one.endswith(ending) for one in medicines))


@lru_cache(maxsize=1)
def product_routes() -> Mapping[str, str]:
    """The rows of assets/rules/safety/product_routes.tsv, as ids end. A route that there is not is a KnowledgeError."""
    found: dict[str, str] = {}
    for ending, route in rule_rows(RULES / "safety" / "product_routes.tsv", 2):
        if route not in set(Route):
            raise KnowledgeError(f"product_routes.tsv: {route!r} is no route. Use one of: {', '.join(Route)}.")
        found[ending.replace(" ", "-")] = route
    return found


def _missing(clause: Clause) -> str:
    match clause:
        case ValueClause(value, _, _):
            return value
        case DoseClause():
            return _DOSE
        case _:
            return in_words(clause)


def specificity(row: DoseRow) -> int:
    """How narrowly a dose row says for whom it holds; of rows that hold, those with the most replace the others."""
    return len(row.when) + bool(row.indication)
