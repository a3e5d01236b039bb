"""Which safety rows no check can reach: for each row a patient is made up of whom all its clauses hold, and the checks' own index is asked.

A row is dead where no member of its class is left to it, where what ends it always holds, where more special rows always take its place, or where
nothing reads the value that it compares. Takes rows and the graph; gives one line for each dead row.
"""

from collections.abc import Iterator, Sequence

from backend.knowledge.safety.dose_limits import applying
from backend.knowledge.safety.patient.clause_truth import Subject, verdict
from backend.knowledge.safety.patient.patient_state import EVERY_STAGE, PatientState
from backend.knowledge.safety.patient.patient_values import PatientValue
from backend.knowledge.safety.rows.clauses import (
    Clause,
    DoseClause,
    Held,
    HeldClause,
    Period,
    PersonClause,
    RouteClause,
    SettingClause,
    SexClause,
    StageClause,
    TurnClause,
    ValueClause,
)
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.row_checks import RowBreach
from backend.knowledge.safety.rows.safety_rows import ContraindicationRow, InteractionRow, SafetyRows
from backend.knowledge.safety.rows.value_table import value_table
from backend.knowledge.safety.safety_index import SafetyIndex
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.record import Dosage
from backend.schemas.vocabulary import Category
from backend.stores.graph.graph import Graph

_MEASURES = "procedures/measure"
_TIMINGS = dict.fromkeys(Period, "") | {Period.DAY: "daily", Period.WEEK: "weekly", Period.MONTH: "monthly"}
_MOST_TRIED = 400


def dead_rows(graph: Graph, rows: SafetyRows, doses: Sequence[DoseRow]) -> Iterator[RowBreach]:
    """One breach for each row that no check can reach.

    Yields:
        file and line of the row, and why nothing reaches it.
    """
    index = SafetyIndex(graph, rows)
    unread = _unread_values()
    for row in rows.contraindications:
        if why := _unread(row.when, unread) or _contraindication(row, index):
            yield RowBreach(row.file, row.line, f"no check reaches it: {why}")
    for pair in rows.interactions:
        if why := _unread(pair.when, unread) or _interaction(pair, index):
            yield RowBreach(pair.file, pair.line, f"no check reaches it: {why}")
    for need in rows.monitoring:
        state, subject = _made_up(need.when, ())
        if why := _unread(need.when, unread) or (
            ""
            if any(_holds(need.when, need.unless, state, subject, one, index) for one in _members(need.medicine, index))
            else _ENDED
        ):
            yield RowBreach(need.file, need.line, f"no check reaches it: {why}")
    for missing in rows.untreated:
        if why := _unread(missing.when, unread):
            yield RowBreach(missing.file, missing.line, f"no check reaches it: {why}")
    by_drug: dict[str, list[DoseRow]] = {}
    for dose in doses:
        by_drug.setdefault(dose.drug_id, []).append(dose)
    for dose in doses:
        if why := _unread(dose.when, unread) or _dose(dose, by_drug[dose.drug_id]):
            yield RowBreach(dose.file, dose.line, f"no check reaches it: {why}")


_ENDED = "what ends it holds of every medicine that it is about"


def _contraindication(row: ContraindicationRow, index: SafetyIndex) -> str:
    state, subject = _made_up(row.when, (row.condition,))
    own = [one for one in _members(row.medicine, index) if row in index.against(one)]
    if not own:
        return "each of its medicines has a row of its own for the condition"
    return "" if any(_holds(row.when, row.unless, state, subject, one, index) for one in own) else _ENDED


def _interaction(row: InteractionRow, index: SafetyIndex) -> str:
    state, subject = _made_up(row.when, ())
    tried = 0
    for one in _members(row.one, index):
        for other in _members(row.other, index):
            same = one == other or one in index.kinds(other) or other in index.kinds(one)
            tried += 1
            if tried > _MOST_TRIED:
                return ""
            if same and not (one != other and row.one == row.other):
                continue
            both = state._replace(taken=state.taken | {*index.kinds(one), *index.kinds(other)})
            if row in index.together(one, other) and _holds(row.when, row.unless, both, subject, one, index):
                return ""
    return "no two different medicines are what it is about, or what ends it holds of all"


def _dose(row: DoseRow, rows: Sequence[DoseRow]) -> str:
    state, subject = _made_up(row.when, (row.indication,) if row.indication else ())
    taken = {"route": row.route or subject.dosages[0].route, "timing_text": _TIMINGS[row.period]}
    dosage = subject.dosages[0].model_copy(update=taken)
    return (
        ""
        if row in applying(rows, state, dosage).rows
        else "rows that say more for whom they hold always take its place"
    )


def _holds(
    when: Sequence[Clause],
    unless: Sequence[Clause],
    state: PatientState,
    subject: Subject,
    medicine: str,
    index: SafetyIndex,
) -> bool:
    asked = {stage for one in when if isinstance(one, StageClause) for stage in one.stages}
    ended = {stage for one in unless if isinstance(one, StageClause) for stage in one.stages}
    mine = subject._replace(medicines=frozenset(index.kinds(medicine)), stages=frozenset(asked - ended))
    return verdict(when, unless, _knowing(unless, state), mine).holds


def _members(concept: str, index: SafetyIndex) -> list[str]:
    """The medicines below a class, what is no class itself first; the concept alone where it has none."""
    below = [one for one in index.members(concept) if index.graph.row(one).category == Category.DRUG]
    return [*below, concept]


def _made_up(when: Sequence[Clause], conditions: Sequence[str]) -> tuple[PatientState, Subject]:
    """A patient, and a medicine as it is taken, of whom all of some clauses hold where nothing in them contradicts."""
    present = list(conditions)
    taken: set[str] = set()
    begun: set[str] = set()
    persons: set[str] = set()
    sex = setting = ""
    spans: dict[str, tuple[float, float]] = {}
    dosage = Dosage()
    for clause in when:
        match clause:
            case ValueClause(name, sign, limit):
                row = value_table()[name]
                low, high = spans.get(name, (row.least, row.most))
                spans[name] = (low, min(high, limit)) if sign.startswith("<") else (max(low, limit), high)
            case HeldClause(Held.TAKES, ids, _):
                taken.add(ids[0])
            case HeldClause(Held.BEGINS, ids, _):
                begun.add(ids[0])
            case HeldClause(_, ids, _):
                present.append(ids[0])
            case PersonClause(kind):
                persons.add(kind)
            case SexClause(own):
                sex = own
            case SettingClause(own):
                setting = own
            case RouteClause(routes):
                dosage = dosage.model_copy(update={"route": min(routes)})
            case DoseClause(sign, limit, unit, period):
                amount = limit * 2 + 1 if sign.startswith(">") else limit / 2
                times = {"dose": amount, "unit": unit.plain, "timing_text": _TIMINGS[period], "per_kg": unit.by_weight}
                dosage = dosage.model_copy(update=times)
            case _:
                pass
    values = {name: PatientValue(name, _inside(name, low, high), name) for name, (low, high) in spans.items()}
    state = PatientState(
        dict.fromkeys(present, EVERY_STAGE), frozenset(), values, frozenset(taken), {}, sex, frozenset(persons), setting
    )._replace(begun=frozenset(begun))
    turn = any(isinstance(clause, TurnClause) for clause in when)
    return state, Subject(dosages=(dosage,), in_turn=turn)


def _inside(name: str, low: float, high: float) -> float:
    """A value between two limits; next to the one that a clause names where it names one, so that a narrower row does not hold as well."""
    row = value_table()[name]
    if (low > row.least) == (high < row.most):
        return (low + high) / 2
    near = (high - low) / 1000
    return high - near if high < row.most else low + near


def _knowing(unless: Sequence[Clause], state: PatientState) -> PatientState:
    """The patient with every value known that could end a row, each at an end where it does not."""
    values = dict(state.values)
    for clause in unless:
        if isinstance(clause, ValueClause) and clause.value not in values:
            row = value_table()[clause.value]
            values[clause.value] = PatientValue(
                clause.value, row.most if clause.sign.startswith("<") else row.least, clause.value
            )
    return state._replace(values=values)


def _unread_values() -> frozenset[str]:
    """The values whose measures no rule reads."""
    read = {row.event for row in trigger_rows(_MEASURES)}
    return frozenset(
        row.name
        for row in value_table().values()
        if row.measures and not any(measure in read for measure, _ in row.measures)
    )


def _unread(when: Sequence[Clause], unread: frozenset[str]) -> str:
    named = next((one.value for one in when if isinstance(one, ValueClause) and one.value in unread), "")
    return f"no rule reads {named}" if named else ""
