"""ReinRAG's retrieval baselines: Random1hop, Sim1hop and DR.KNOWS.

Random1hop and Sim1hop give flat lists of one-hop concepts of the keywords (ReinRAG section 3.1): each "path" is the
concept alone. DR.KNOWS walks from each keyword and keeps, hop by hop, the paths nearest to the note; its published
ranker is trained, and no trained weights are to be had, so paths are ranked by the encoder's cosine, which the reason says.
None starts at a filler ("patient", "medicine"), goes through one or gives one: `allowed` is (concepts,) bool, None for all.
"""

from collections.abc import Sequence

import numpy as np

from backend.interfaces import Encoder
from backend.schemas.drafts.evidence import Condition, PolicyStep, ReasoningPath, Step
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.record import (
    ClinicalStatus,
    Experiencer,
    MedicationStatus,
    PatientRecord,
    VerificationStatus,
)
from backend.schemas.vocabulary import Assertion
from backend.stores.graph.graph import GROUPS, Edge, Graph
from backend.stores.graph.vector_file import VectorFile

Found = tuple[tuple[ReasoningPath, ...], tuple[PolicyStep, ...], str]
HOPS = 2
BEAM = 30


class Random1hop:
    """One-hop neighbours of the keywords, drawn without replacement by the request's seed."""

    def __init__(self, graph: Graph, most: int, allowed: np.ndarray | None = None) -> None:
        self._graph = graph
        self._allowed = allowed
        self._most = most

    def paths(self, linked: LinkedNote, conditions: Sequence[Condition], seed: int) -> Found:
        """One-hop concepts of the keywords, drawn by the seed."""
        near = one_hop(self._graph, linked, self._allowed)
        if not near:
            return (), (), "no keyword has a neighbour in the graph"
        chosen = np.random.default_rng(seed).permutation(sorted(near))[: self._most]
        paths = tuple(flat(self._graph, i, int(c), near[int(c)], 0.0) for i, c in enumerate(chosen, start=1))
        return paths, (), f"{len(paths)} of {len(near)} one-hop concepts, drawn with seed {seed}"


class Sim1hop:
    """One-hop neighbours of the keywords, those most similar to the whole note."""

    def __init__(
        self, graph: Graph, encoder: Encoder, vectors: VectorFile, most: int, allowed: np.ndarray | None = None
    ) -> None:
        self._graph = graph
        self._allowed = allowed
        self._encoder = encoder
        self._vectors = vectors
        self._most = most

    def paths(self, linked: LinkedNote, conditions: Sequence[Condition], seed: int) -> Found:
        """One-hop concepts of the keywords, the most similar to the whole note first."""
        near = one_hop(self._graph, linked, self._allowed)
        if not near:
            return (), (), "no keyword has a neighbour in the graph"
        concepts = sorted(near)
        rows = self._vectors.vectors([self._graph.concepts[c].name for c in concepts], self._encoder)
        cosine = rows @ self._encoder.encode([linked.note.text])[0]
        order = np.lexsort((concepts, -cosine))[: self._most]
        paths = tuple(
            flat(self._graph, number, concepts[i], near[concepts[i]], float(cosine[i]))
            for number, i in enumerate(order.tolist(), start=1)
        )
        return paths, (), f"{len(paths)} of {len(near)} one-hop concepts, by cosine to the whole note"


class DrKnows:
    """Paths of up to two hops from the keywords, kept hop by hop by the cosine of their text to the note."""

    def __init__(
        self, graph: Graph, encoder: Encoder, vectors: VectorFile, most: int, allowed: np.ndarray | None = None
    ) -> None:
        self._graph = graph
        self._allowed = allowed
        self._encoder = encoder
        self._vectors = vectors
        self._most = most

    def paths(self, linked: LinkedNote, conditions: Sequence[Condition], seed: int) -> Found:
        """Multi-hop paths, ranked hop by hop against the note."""
        graph = self._graph
        note = self._encoder.encode([linked.note.text])[0]
        start = {graph.row(c).name: graph.index[c] for c in keywords(graph, linked, self._allowed)}
        beam: list[tuple[float, str, tuple[Edge, ...]]] = [(0.0, name, ()) for name in sorted(start)]
        kept: list[tuple[float, str, tuple[Edge, ...]]] = []
        for _ in range(HOPS):
            longer: dict[tuple[str, int], tuple[float, str, tuple[Edge, ...]]] = {}
            for _, name, edges in beam:
                last = edges[-1].tail if edges else start[name]
                seen = {start[name], *(edge.tail for edge in edges)}
                for edge in graph.edges(last):
                    if edge.tail not in seen and _open(self._allowed, edge.tail):
                        longer.setdefault((name, edge.tail), (0.0, name, (*edges, edge)))
            if not longer:
                break
            tails = [edges[-1].tail for _, _, edges in longer.values()]
            rows = self._vectors.vectors([graph.concepts[tail].name for tail in tails], self._encoder)
            ranked = [
                (float(score), name, edges)
                for score, (_, name, edges) in zip(rows @ note, longer.values(), strict=True)
            ]
            ranked.sort(key=lambda item: (-item[0], item[1], item[2][-1].tail))
            beam = ranked[:BEAM]
            kept.extend(beam)
        kept.sort(key=lambda item: (-item[0], item[1], item[2][-1].tail))
        paths = tuple(self._path(i, *item, start) for i, item in enumerate(kept[: self._most], start=1))
        if not paths:
            return (), (), "no keyword has a neighbour in the graph"
        return paths, (), f"{len(paths)} paths of at most {HOPS} hops, by cosine (the publication's ranker is trained)"

    def _path(
        self, number: int, score: float, name: str, edges: tuple[Edge, ...], start: dict[str, int]
    ) -> ReasoningPath:
        steps = [as_step(self._graph, start[name])]
        steps.extend(as_step(self._graph, edge.tail, edge.relation, edge.qualifier) for edge in edges)
        text = name + "".join(
            f" → {self._graph.relation_words(edge.relation)} → {self._graph.concepts[edge.tail].name}" for edge in edges
        )
        return ReasoningPath(
            id=f"K{number}", keyword=name, steps=tuple(steps), score=round(score, 4), text=text, supported_text=text
        )


def keyword_ids(linked: LinkedNote) -> list[str]:
    """Ids of what starts paths, distinct: the present mentions in note order, then the record's active problems and medicines.

    An allergen is none.
    """
    found = [m.concept_id for m in linked.note.mentions if m.assertion == Assertion.PRESENT and not m.allergen]
    allergens = {*linked.allergies.concept_ids, *(m.concept_id for m in linked.note.mentions if m.allergen)}
    return list(dict.fromkeys([*found, *(one for one in _of_record(linked.record) if one not in allergens)]))


def _of_record(record: PatientRecord | None) -> list[str]:
    """The patient's active problems that are not in doubt, and the medicines that are taken."""
    if record is None:
        return []
    problems = [
        one.concept_id
        for one in record.stated_problems
        if one.experiencer == Experiencer.PATIENT
        and one.clinical_status == ClinicalStatus.ACTIVE
        and one.verification_status == VerificationStatus.CONFIRMED
        and not one.hypothetical
    ]
    medicines = [
        one.concept_id
        for one in record.medications
        if one.experiencer == Experiencer.PATIENT and one.status == MedicationStatus.ACTIVE and not one.refused
    ]
    return [concept for concept in [*problems, *medicines] if concept]


def keywords(graph: Graph, linked: LinkedNote, allowed: np.ndarray | None = None) -> list[str]:
    """Those of them that the graph holds and that are no fillers."""
    held = [concept for concept in keyword_ids(linked) if concept in graph.index]
    return [concept for concept in held if _open(allowed, graph.index[concept])]


def one_hop(graph: Graph, linked: LinkedNote, allowed: np.ndarray | None = None) -> dict[int, str]:
    """Each one-hop concept with the first keyword that reaches it; keywords themselves are left out, and fillers."""
    starts = keywords(graph, linked, allowed)
    indices = {graph.index[concept] for concept in starts}
    near: dict[int, str] = {}
    for concept in starts:
        for edge in graph.edges(concept):
            if edge.tail not in indices and _open(allowed, edge.tail):
                near.setdefault(edge.tail, graph.row(concept).name)
    return near


def _open(allowed: np.ndarray | None, concept: int) -> bool:
    return allowed is None or bool(allowed[concept])


def flat(graph: Graph, number: int, concept: int, keyword: str, score: float) -> ReasoningPath:
    """A one-hop concept as an entry of a flat list."""
    row = graph.concepts[concept]
    text = f"{row.name} [{GROUPS[int(graph.groups[concept])].value}]"
    return ReasoningPath(
        id=f"K{number}",
        keyword=keyword,
        steps=(as_step(graph, concept),),
        score=round(score, 4),
        text=text,
        supported_text=text,
    )


def as_step(graph: Graph, concept: int, relation: str = "", qualifier: str = "") -> Step:
    """A concept as a step of a path, with the relation that leads to it."""
    row = graph.concepts[concept]
    group = GROUPS[int(graph.groups[concept])]
    return Step(relation=relation, concept_id=row.concept_id, name=row.name, group=group, qualifier=qualifier)
