"""The floor: which conditions a draft may write about. The one place that decides it.

A condition is written about when a clinician confirmed it, when the note names it as what today is about
(`todays_problems`), or, where the note names nothing, when the ranking is sure. All else stays in the evidence pane with its
reasons: what is known for long, past, doubted, asked about or merely fits.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from backend.diagnosis.todays_problems import (
    PLAINLY,
    TodaysProblem,
    course_headings,
    is_own,
    is_reason,
    todays_problems,
)
from backend.interfaces import ConditionRanker
from backend.schemas.drafts.evidence import NAMED, Condition, Reason
from backend.schemas.drafts.note import LinkedNote, Section
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.record import (
    PatientRecord,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    RecordSpan,
    VerificationStatus,
)
from backend.schemas.vocabulary import Category, ConditionStatus, SectionCategory
from backend.stores.graph.graph import Graph

SURE_MARGIN, SURE_FINDINGS = 3.0, 4
"""How far (in nats) the best fit must lead, and how many findings must speak for it, to be written about unnamed: odds of
20 to 1 against its best rival. Every such lead of the annotated notes was right; between 1 and 3 nats fewer than half were
(docs/results/drafts-clinic-notes-odd.json)."""
BROADER = ("isa",)
FINDINGS = ("has_finding", "may_have_finding")
COMPLICATION_OF = "complication_of"
CONSEQUENCE_OF = ("finding_of", "possible_finding_of", COMPLICATION_OF)
_OPERATION = "surgery"
_DONE = frozenset((ProcedureStatus.DONE_NOW, ProcedureStatus.PAST))
_ASSESSED = SectionCategory.ASSESSMENT
TRAITS = 10
"""Of how many conditions something is a risk factor that tells of the patient rather than of today: obesity, hypertension."""
MOST_WRITTEN, BESIDE = 2, 0.75
"""How many conditions a draft is about, and the share of the weightiest problem's weight that the second needs."""


class FlooredRanker:
    """A ranker whose conditions have passed the floor.

    Args:
        ranker: ranks.
        graph: of the concepts.
        chapter_of: by id of a complaint, the id of the one whose chapter tells of it.
    """

    def __init__(
        self, ranker: ConditionRanker, graph: Graph, chapter_of: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self._ranker = ranker
        self._graph = graph
        self._chapter_of = chapter_of

    def rank(self, linked: LinkedNote, request: DraftRequest) -> tuple[Condition, ...]:
        """What the draft may be about first, then the others by rank."""
        ranked = self._ranker.rank(linked, request)
        sections = (*linked.note.sections, *course_headings(linked.note))
        return with_floor(linked.record, ranked, self._graph, self._chapter_of, sections)


def with_floor(
    record: PatientRecord | None,
    conditions: Sequence[Condition],
    graph: Graph,
    chapter_of: Mapping[str, str] = MappingProxyType({}),
    sections: Sequence[Section] = (),
) -> tuple[Condition, ...]:
    """The conditions with their status by the note, and marked what may be written about; what leads comes first.

    A problem that leads and that no ranking has (a diagnosis without a chapter, a symptom) is added, so that it is named and
    no other is written in its place.

    Args:
        record: of the note; None where none was made of it: then nothing is changed, and nothing may be written about.
        conditions: as ranked.
        graph: of the concepts.
        chapter_of: by id of a complaint, the id of the one whose chapter tells of it.
        sections: of the note.
    """
    if record is None:
        return tuple(conditions)
    named = {_of_chapter(graph, s.concept_id) for s in record.stated_problems if s.concept_id and _is_named(s)}
    ruled_out = {c.concept_id for c in conditions if c.status is ConditionStatus.RULED_OUT}
    known = [
        c.model_copy(update={"status": ConditionStatus.IN_NOTE})
        if c.concept_id in named and c.status is ConditionStatus.POSSIBLE
        else c
        for c in conditions
    ]
    sure = {c.concept_id for c in conditions if _leads_clearly(c)}
    operated = _operated(record, graph)
    today = [
        one
        for one in todays_problems(
            record,
            {c.concept_id: (c.score, c.stated) for c in conditions},
            {
                c.concept_id: frozenset(r.concept_id for r in c.because)
                | (frozenset(graph.related(c.concept_id, *FINDINGS)) if c.concept_id in sure else frozenset())
                for c in conditions
            },
            sections,
            sure,
            operated,
            {s.concept_id for s in record.problems if s.concept_id and _is_trait(s.concept_id, graph)},
            {s.concept_id: graph.related(s.concept_id, *CONSEQUENCE_OF) for s in record.problems if s.concept_id},
        )
        if one.statement.concept_id not in ruled_out and not _is_of_operation(one.statement, record, graph)
    ]
    if confirmed := [c for c in known if c.status is ConditionStatus.CONFIRMED]:
        leading = confirmed[:MOST_WRITTEN]
    elif today:
        leading = _once((_condition(one, known, graph, chapter_of) for one in _leading(today, graph, operated)), graph)
        leading = _with_operation(leading, today[0].statement, record, known, graph)
    else:
        leading = [c for c in known if _is_sure(c)][:1]
    led = {c.concept_id for c in leading}
    return (*(_of_status(c, True) for c in leading), *(_of_status(c, False) for c in known if c.concept_id not in led))


def _of_chapter(graph: Graph, concept: str) -> str:
    """The condition that a disease is a kind of; itself where it is a condition, or a kind of none."""
    return _with_chapter(graph, concept, {}) or concept


def _is_named(statement: ProblemStatement) -> bool:
    return is_own(statement) and statement.verification_status is VerificationStatus.CONFIRMED


def _leading(today: Sequence[TodaysProblem], graph: Graph, operated: Collection[str]) -> list[TodaysProblem]:
    """The first, and a disease beside it that is stated about as plainly, or that it comes of: a bleed and its ulcer.

    No concept twice, no guess beside what is certain, beside an illness nothing that is a risk of much else, and beside what was operated
    on in this stay nothing but its cause: what else is listed came after, or is told by the operation.
    """
    first, *others = today
    heaviest = max(one.weight for one in today)
    causes = graph.related(first.statement.concept_id or "", COMPLICATION_OF)
    beside = [
        one
        for one in others
        if one.statement.category is Category.DISEASE
        and (_is_certain(one) or not _is_certain(first))
        and (
            (one.weight >= BESIDE * heaviest and first.statement.concept_id not in operated)
            or (one.statement.concept_id in causes and not one.statement.chronic)
        )
        and one.statement.name != first.statement.name
        and one.statement.section in PLAINLY
        and not (one.statement.chronic and not one.statement.stage and _is_trait(one.statement.concept_id or "", graph))
        and (not one.statement.chronic or one.order > first.order or one.statement.section is not _ASSESSED)
    ]
    return [first, *beside][:MOST_WRITTEN]


def _is_certain(one: TodaysProblem) -> bool:
    return one.statement.verification_status is VerificationStatus.CONFIRMED


def _operated(record: PatientRecord, graph: Graph) -> frozenset[str]:
    """The conditions that an operation of this stay treats."""
    return frozenset(
        treated for one in _operations(record, graph) for treated in graph.related(one.concept_id or "", "treats")
    )


def _operations(record: PatientRecord, graph: Graph) -> list[ProcedureStatement]:
    """The operations of this stay that the graph knows."""
    done = [one for one in record.procedures if one.status is ProcedureStatus.DONE_NOW and one.concept_id]
    return [
        one
        for one in done
        if any(graph.row(of).name == _OPERATION for of in graph.related(one.concept_id or "", *BROADER))
    ]


def _with_operation(
    leading: list[Condition], first: ProblemStatement, record: PatientRecord, known: Sequence[Condition], graph: Graph
) -> list[Condition]:
    """What leads, with an operation of this stay that has a chapter of its own: worn joints that were replaced need no advice for living with them.

    It takes the place of what is known for long and was treated by it, comes before its own complication and beside an illness of
    now; what has nothing to do with it is left alone.
    """
    for one in _operations(record, graph):
        concept = one.concept_id or ""
        if not graph.row(concept).condition:
            continue
        operation = _named(concept, _said(concept, one.spans[0]), known, graph)
        if first.concept_id in graph.related(concept, "treats"):
            rest = [c for c in leading if not (first.chronic and c.concept_id == first.concept_id)]
            return _once([operation, *rest] if first.chronic else [*rest[:1], operation], graph)[:MOST_WRITTEN]
        if first.concept_id in graph.related(concept, "has_complication"):
            return _once([operation, *leading], graph)[:MOST_WRITTEN]
    return leading


def _is_of_operation(statement: ProblemStatement, record: PatientRecord, graph: Graph) -> bool:
    """Whether a story tells a complication of an operation that it names before, with what was the matter: why the patient came is the operation, or what it was for."""
    if statement.section in PLAINLY or is_reason(statement, record.encounter):
        return False
    of = graph.related(statement.concept_id or "", "complication_of")
    begin = statement.spans[0].start_char
    told_before = any(
        is_own(one) and one.category is Category.DISEASE and one.section is statement.section
        for one in record.stated_problems
        if one.spans[0].start_char < begin
    )
    return told_before and any(
        one.concept_id in of and one.spans[0].start_char < begin
        for one in record.procedures
        if one.concept_id and one.status in _DONE and _is_operation(one.concept_id, graph)
    )


def _is_operation(concept: str, graph: Graph) -> bool:
    return any(graph.row(one).name == _OPERATION for one in (concept, *graph.related(concept, *BROADER)))


def _is_trait(concept: str, graph: Graph) -> bool:
    return len(graph.related(concept, "risk_factor_of")) >= TRAITS


def _once(conditions: Iterable[Condition], graph: Graph) -> list[Condition]:
    """The conditions, each concept at its first place: two complaints may be told by one chapter; and a name that the graph knows once."""
    once = list({condition.concept_id: condition for condition in reversed(list(conditions))}.values())[::-1]
    known = {condition.name for condition in once if condition.concept_id in graph.index}
    return [one for one in once if one.concept_id in graph.index or one.name not in known]


def _condition(
    one: TodaysProblem, known: Sequence[Condition], graph: Graph, chapter_of: Mapping[str, str]
) -> Condition:
    statement = one.statement
    unsure = statement.verification_status is not VerificationStatus.CONFIRMED
    concept = _with_chapter(graph, statement.concept_id, chapter_of) or statement.id
    # a disease that another's chapter tells of keeps its name: a cold is no "blocked nose"
    own = concept not in graph.index or (concept != statement.concept_id and statement.category is Category.DISEASE)
    said = _said(statement.concept_id or statement.id, statement.spans[0])
    return _named(concept, said, known, graph, own_name=statement.name if own else "", unsure=unsure)


def _said(concept: str, span: RecordSpan) -> Reason:
    """Where the note names a concept."""
    return Reason(
        concept_id=concept,
        name=span.text,
        relation=NAMED,
        start_char=span.start_char,
        end_char=span.end_char,
        weight=0.0,
    )


def _named(
    concept: str, reason: Reason, known: Sequence[Condition], graph: Graph, *, own_name: str = "", unsure: bool = False
) -> Condition:
    """What the note names, as ranked or added to what was.

    Args:
        concept: whose chapter tells of it.
        reason: where the note names it.
        known: as ranked.
        graph: of the concepts.
        own_name: its name where the concept's is another's.
        unsure: the note only calls it likely.
    """
    fields = {
        "status": ConditionStatus.IN_NOTE,
        "stated": not unsure,
        "confidence": "moderate: the note calls it likely" if unsure else "high: the note names it as today's",
    }
    for condition in known:
        if condition.concept_id == concept:
            return condition.model_copy(update={**fields, "because": (reason, *condition.because)})
    row = graph.row(concept) if concept in graph.index else None
    added = Condition(
        concept_id=concept,
        name=own_name or (row.name if row else reason.name),
        plain="" if own_name or row is None else row.definition,
        score=0.0,
        status=ConditionStatus.IN_NOTE,
        because=(reason,),
        must_not_miss=row.must_not_miss if row else False,
    )
    return added.model_copy(update=fields)


def _with_chapter(graph: Graph, concept: str | None, chapter_of: Mapping[str, str]) -> str | None:
    """The concept, or a broader one that the handbook has a chapter on: a community-acquired pneumonia is a pneumonia.

    A complaint without a chapter is told by the one that chapter_of names, or by a broader complaint's own.
    """
    if concept is None or concept not in graph.index or graph.row(concept).condition:
        return concept
    if concept in chapter_of:
        return chapter_of[concept]
    broader = graph.related(concept, *BROADER)
    if named := next((one for one in broader if graph.row(one).condition), None):
        return named
    return next(
        (one for one in broader if chapter_of.get(one) == one), concept
    )  # an arm's swelling is told by no leg's


def _is_sure(condition: Condition) -> bool:
    return condition.status is ConditionStatus.POSSIBLE and _leads_clearly(condition)


def _leads_clearly(condition: Condition) -> bool:
    return condition.margin is not None and condition.margin >= SURE_MARGIN and condition.findings >= SURE_FINDINGS


def _of_status(condition: Condition, written: bool) -> Condition:
    written = written and condition.status is not ConditionStatus.RULED_OUT
    return condition.model_copy(update={"focus": written, "written": written})
