"""The knowledge that is loaded once: graph, vectors, handbook, policies, and which versions they are."""

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

import numpy as np

from backend import __version__
from backend.container.settings_values import neo4j_address
from backend.errors import KnowledgeError
from backend.ingest.graphs.drugbank import read_drug_texts
from backend.knowledge.handbook import handbook_passages
from backend.knowledge.starter import Starter, read_starter
from backend.nlp.rules import rule_names
from backend.retrieval.passages.passage_rows import passage_text
from backend.retrieval.paths.policy_paths import open_concepts
from backend.settings import ROOT, STARTER, Settings
from backend.stores.graph.concept_encoding import encode_concepts
from backend.stores.graph.concept_vectors import ConceptVectors
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_vectors import GraphVectors, StoredFirst
from backend.stores.graph.imported_graphs import ImportedGraphs
from backend.stores.graph.snapshot import read_snapshot
from backend.stores.graph.vector_file import VectorFile
from backend.stores.neo4j.live_graph import LiveGraph
from backend.stores.passages.passage_index import PassageRow
from backend.stores.swapped_folder import MARK
from models.encoders.encoders import MiniLMEncoder, SentenceEncoder, make_encoder
from models.policy.checkpoint import Checkpoint, load_checkpoint

ENCODED_AT_ONCE = 512  # names between two notes of how far an encoding has come: some seconds on two cores


class Knowledge:
    """Each part is read when first asked for."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._policies: dict[str, tuple[Checkpoint | None, str]] = {}

    @cached_property
    def starter(self) -> Starter:
        return read_starter(self.settings.knowledge)

    @cached_property
    def imported(self) -> ImportedGraphs:
        return ImportedGraphs(self.settings.data)

    @cached_property
    def starter_graph(self) -> Graph:
        concepts = [row for row, _ in self.starter.concepts]
        return Graph(concepts, [row for row, _ in self.starter.triples], self.starter.relations)

    @cached_property
    def graph(self) -> Graph:
        """The starter knowledge's graph, or the snapshot that LEAPNOTE_GRAPH names."""
        if self.settings.graph == STARTER:
            return self.starter_graph
        return read_snapshot(self.imported.find(self.settings.graph))

    @cached_property
    def lacks_starter(self) -> bool:
        """Whether the graph in use was imported and holds not every concept of the starter knowledge."""
        return any(concept_id not in self.graph.index for concept_id in self.starter_graph.ids)

    @cached_property
    def graph_name(self) -> str:
        return STARTER if self.settings.graph == STARTER else self.imported.find(self.settings.graph).name

    @cached_property
    def encoder(self) -> MiniLMEncoder | SentenceEncoder:
        return make_encoder(self.settings.encoder)

    @cached_property
    def vectors(self) -> VectorFile:
        """The vectors that ship, and with a graph from outside those of its concepts, where they are finished."""
        if self.settings.graph == STARTER or not (self.concept_vector_folder / MARK).is_file():
            return VectorFile(self.vector_path)
        return GraphVectors(self.vector_path, (self.concept_vector_folder,), self.encoder)

    @cached_property
    def concept_vectors(self) -> np.ndarray:
        """(concepts, d) in the order of the graph's ids, rows of length 1: float32, or float16 mapped from a file.

        Raises KnowledgeError when a graph from outside has no finished vectors.
        """
        if self.settings.graph == STARTER:
            return self.vectors.vectors([row.name for row in self.graph.concepts], self.encoder)
        stored = ConceptVectors(self.concept_vector_folder)
        stored.check(self.graph, self.encoder.name)
        return stored.matrix

    @property
    def concept_vector_folder(self) -> Path:
        return self.imported.vectors(self.graph, self.encoder.name)

    def encoded_concepts(self, progress: Callable[[int, int, str], None]) -> np.ndarray:
        """The same, encoding first what has no vector yet."""
        if self.settings.graph != STARTER:
            known = self.imported.encoded(self.encoder.name)
            encoder = StoredFirst(VectorFile(self.vector_path), self.encoder)  # a union has the starter's names
            encode_concepts(self.graph, encoder, self.concept_vector_folder, ENCODED_AT_ONCE, progress, known)
        return self.concept_vectors

    @property
    def vector_path(self) -> Path:
        return self.settings.knowledge / "vectors" / f"{self.encoder.name}.npz"

    @cached_property
    def passages(self) -> list[PassageRow]:
        return handbook_passages(self.starter.handbook)

    def texts_to_encode(self) -> Iterable[str]:
        """Every text whose vector ships: passages with their titles, and the starter's concept names."""
        return [*(passage_text(row) for row in self.passages), *(row.name for row in self.starter_graph.concepts)]

    @cached_property
    def drug_texts(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """What DrugBank says of the graph's medicines, by concept id; empty where it was not imported."""
        return read_drug_texts(self.settings.data / "definitions" / f"{self.graph.fingerprint}-drugbank.jsonl")

    @cached_property
    def worded(self) -> frozenset[str]:
        """Ids of the starter's concepts: their definitions are everyday words, those of others are sentences."""
        return frozenset(row.concept_id for row, _ in self.starter.concepts)

    @cached_property
    def plain(self) -> dict[str, str]:
        """Everyday words by concept id, for wording."""
        return {row.concept_id: row.definition for row, _ in self.starter.concepts if row.definition}

    @cached_property
    def open_concepts(self) -> np.ndarray:
        return open_concepts(self.graph, rule_names(ROOT / "assets" / "rules" / "path_fillers.tsv"))

    def policy(self, name: str) -> tuple[Checkpoint | None, str]:
        """The policy of a name that fits graph and encoder, else None and why not."""
        if name not in self._policies:
            try:
                found = load_checkpoint(self.settings.policies / name)
                found.check(self.graph.fingerprint, self.encoder.name)
                self._policies[name] = (found, "")
            except KnowledgeError as error:
                self._policies[name] = (None, str(error))
        return self._policies[name]

    @property
    def policy_name(self) -> str:
        """The policy of the system leapnote with the hash of its training data, or none."""
        found, _ = self.policy("leapnote")
        return f"{found.name} {found.learned_from}, data {found.card['data']['hash'][:8]}" if found else "none"

    @cached_property
    def live(self) -> LiveGraph | None:
        """The graph in Neo4j that policies walk, or None where they walk in memory."""
        if not self.settings.neo4j_graph:
            return None
        return LiveGraph(neo4j_address(self.settings), self.settings.neo4j_graph, self.graph)

    @property
    def live_name(self) -> str:
        return f"Neo4j graph {self.settings.neo4j_graph!r}"

    @cached_property
    def versions(self) -> dict[str, str]:
        graph = f"{self.graph_name}, {len(self.graph)} concepts, {self.graph.edge_count} directed edges"
        told = {"leapnote": __version__, "graph": graph, "encoder": self.encoder.name, "policy": self.policy_name}
        if self.settings.graph != STARTER:
            told["handbook"] = "starter knowledge"  # else nothing would say that the passages are
        return told | ({"walked in": self.live_name} if self.live else {})
