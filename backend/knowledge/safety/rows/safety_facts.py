"""The graph's facts that safety rows state: paths, evidence and composers read them as they read every other fact."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.knowledge.safety.rows.clauses import ConceptNames, HeldClause, ValueClause, condition_in_words
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.grades import Grade
from backend.knowledge.safety.rows.safety_rows import SafetyRows
from backend.schemas.vocabulary import Category
from backend.stores.graph.graph_rows import TripleRow

INTERACTS, CONTRAINDICATED, DOSE_ADJUSTED = "interacts_with", "contraindicated_with", "dose_adjusted_in"
SAFETY_RELATIONS = frozenset({INTERACTS, CONTRAINDICATED, DOSE_ADJUSTED})
"""Relations whose facts about medicines are safety rows."""
NEVER = "do not combine"
"""How the fact of an interaction says that two medicines are never given together."""
_KIDNEY, _OLDER = "chronic kidney disease", "older adult"
_OLDER_FROM = 60
_ADJUSTS = frozenset({Category.DISEASE, Category.FINDING, Category.PERSON})


class SafetyFact(NamedTuple):
    """A fact, and where the row of it stands."""

    triple: TripleRow
    file: str
    line: int


def safety_facts(rows: SafetyRows, doses: Sequence[DoseRow], names: ConceptNames) -> Iterator[SafetyFact]:
    """The facts of all rows, each once, in the order of the rows."""
    seen: set[TripleRow] = set()
    pairs: set[tuple[str, str, str]] = set()
    for fact in (*_of_interactions(rows), *_of_contraindications(rows), *_of_doses(doses, names)):
        triple = fact.triple
        ends = (triple.head, triple.relation, triple.tail)
        back = (triple.tail, triple.relation, triple.head)
        known = triple in seen or (
            triple.relation == INTERACTS and triple._replace(head=triple.tail, tail=triple.head) in seen
        )
        if known or (triple.relation == DOSE_ADJUSTED and ends in pairs) or triple.head == triple.tail:
            continue
        seen.add(triple)
        pairs |= {ends, back} if triple.relation == INTERACTS else {ends}
        yield fact


def _of_interactions(rows: SafetyRows) -> Iterator[SafetyFact]:
    for row in rows.interactions:
        words = [row.effect, NEVER if row.grade is Grade.NEVER else "", condition_in_words(row.when, row.unless)]
        qualifier = ", ".join(word for word in words if word)
        yield SafetyFact(TripleRow(row.one, INTERACTS, row.other, qualifier), row.file, row.line)


def _of_contraindications(rows: SafetyRows) -> Iterator[SafetyFact]:
    for row in rows.contraindications:
        relation = DOSE_ADJUSTED if row.changes_dose else CONTRAINDICATED
        yield SafetyFact(TripleRow(row.medicine, relation, row.condition, row.qualifier), row.file, row.line)


def _of_doses(doses: Sequence[DoseRow], names: ConceptNames) -> Iterator[SafetyFact]:
    """What a dose row of its own says: another dose in kidney disease, in older adults, or with a disease that it names."""
    for row in doses:
        for clause in row.when:
            tails: list[str] = []
            if isinstance(clause, HeldClause):
                tails = [names.find(one) for one in clause.names if names.category(one) in _ADJUSTS]
            elif isinstance(clause, ValueClause) and clause.value == "eGFR" and clause.sign.startswith("<"):
                tails = [names.find(_KIDNEY)]
            elif (
                isinstance(clause, ValueClause)
                and clause.value == "age"
                and clause.sign.startswith(">")
                and clause.limit >= _OLDER_FROM
            ):
                tails = [names.find(_OLDER)]
            words = condition_in_words(
                [one for one in row.when if isinstance(one, ValueClause) and one.value != "age"], ()
            )
            for tail in filter(None, tails):
                yield SafetyFact(TripleRow(row.drug_id, DOSE_ADJUSTED, tail, words), row.file, row.line)
