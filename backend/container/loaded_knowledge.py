"""The knowledge that is loaded once: what ships, the graph that is set with its vectors and policies, and which versions they are."""

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from backend import __version__
from backend.container.lazy_part import is_built, lazy_part
from backend.errors import KnowledgeError
from backend.interfaces import Encoder
from backend.knowledge.handbook import UNREVIEWED, handbook_passages
from backend.knowledge.hospital.hospital_knowledge import HospitalKnowledge
from backend.knowledge.starter import Starter, chapters_of_complaints, read_starter
from backend.nlp.rules import rule_names
from backend.retrieval.passages.passage_rows import passage_text
from backend.retrieval.paths.policy_paths import open_concepts
from backend.settings import ROOT, STARTER
from backend.stores.compiled import compiled
from backend.stores.graph.concept_encoding import encode_concepts
from backend.stores.graph.concept_vectors import ConceptVectors
from backend.stores.graph.graph import Graph
from backend.stores.graph.imported_graphs import ImportedGraphs
from backend.stores.graph.snapshot import read_snapshot
from backend.stores.graph.vector_file import GraphVectors, StoredFirst, VectorFile
from backend.stores.neo4j.connection import Neo4jAddress
from backend.stores.neo4j.live_graph import LiveGraph
from backend.stores.passages.bm25 import Bm25Index
from backend.stores.passages.collections import MemoryCollection
from backend.stores.passages.passage_index import PassageRow
from backend.stores.passages.passage_table import topic_text
from backend.stores.swapped_folder import MARK
from models.encoders.encoders import make_encoder
from models.policy.checkpoint import Checkpoint, load_checkpoint

ENCODED_AT_ONCE = 512  # names between two reports of how far an encoding has come: some seconds on two cores


class ShippedTables(NamedTuple):
    """The starter knowledge as drafting reads it, together, so that what shares rows shares them when it is loaded again.

    Attributes:
        rows: the tables, without the triples, which the graph holds.
        graph: of the concepts and triples.
        passages: the handbook's, in file order, with nobody's review in their licence.
        words: lexical index of the passages with their titles.
    """

    rows: Starter
    graph: Graph
    passages: list[PassageRow]
    words: Bm25Index


def shipped_tables(folder: Path) -> ShippedTables:
    """The tables of a folder of starter knowledge."""
    starter = read_starter(folder)
    graph = Graph([row for row, _ in starter.concepts], [row for row, _ in starter.triples], starter.relations)
    passages = handbook_passages(starter.handbook)
    words = Bm25Index([passage_text(row) for row in passages])
    return ShippedTables(starter._replace(triples=[]), graph, passages, words)


class ShippedKnowledge:
    """The starter knowledge, and the encoder whose vectors ship with it.

    Args:
        folder: of the starter knowledge, as it ships, with its vectors.
        encoder: the setting that names the encoder.
        hospital: what the hospital has made of it.
    """

    def __init__(self, folder: Path, encoder: str, hospital: HospitalKnowledge) -> None:
        self._shipped = folder
        self._encoder = encoder
        self.hospital = hospital

    @lazy_part
    def encoder(self) -> Encoder:
        """What turns texts into vectors."""
        return make_encoder(self._encoder)

    @lazy_part
    def starter(self) -> Starter:
        """The starter knowledge's tables, whole: what is checked and reviewed. Drafting reads `tables`."""
        return read_starter(self.hospital.folder)

    @lazy_part
    def tables(self) -> ShippedTables:
        """The starter knowledge as drafting reads it, kept as it was built."""
        folder = self.hospital.folder
        return compiled("shipped", [folder], lambda: shipped_tables(folder))

    @lazy_part
    def review_words(self) -> str:
        """How far the handbook was reviewed when it was loaded, in words."""
        reviewed, chapters = len(self.hospital.chapters), len({one.condition for one in self.tables.rows.handbook})
        return f"{reviewed} of {chapters} chapters reviewed by a clinician" if reviewed else UNREVIEWED

    @lazy_part
    def graph(self) -> Graph:
        """The starter knowledge's graph."""
        return self.tables.graph

    @lazy_part
    def passages(self) -> list[PassageRow]:
        """The handbook in passages."""
        reviews = dict(self.hospital.chapters)
        return handbook_passages(self.tables.rows.handbook, reviews) if reviews else self.tables.passages

    @property
    def vector_path(self) -> Path:
        """The file of the vectors that ship for this encoder."""
        return self._shipped / "vectors" / f"{self.encoder.name}.npz"

    @lazy_part
    def vectors(self) -> VectorFile:
        """The vectors that ship."""
        return VectorFile(self.vector_path)

    def vectors_of(self, encoder: Encoder) -> VectorFile:
        """The vectors that ship for an encoder; an empty file for one that none ship for."""
        return VectorFile(self._shipped / "vectors" / f"{encoder.name}.npz")

    @lazy_part
    def handbook(self) -> MemoryCollection | None:
        """The passages, ready to search; they fill the source `book`."""
        texts = [passage_text(row) for row in self.passages]
        if not texts:
            return None
        rows = [self.graph.row(passage.concept_id) for passage in self.passages]
        topics = self.vectors.vectors([topic_text(row.name, row.synonyms) for row in rows], self.encoder)
        return MemoryCollection(self.passages, self.tables.words, self.vectors.vectors(texts, self.encoder), topics)

    @lazy_part
    def synonyms(self) -> dict[str, tuple[str, ...]]:
        """The other names of a concept by each of its names, in small letters; a name of several concepts is no key."""
        found: dict[str, tuple[str, ...]] = {}
        several: set[str] = set()
        for row in self.graph.concepts:
            names = (row.name, *row.synonyms)
            for name in {one.lower() for one in names}:
                if name in found:
                    several.add(name)
                found[name] = tuple(one for one in names if one.lower() != name)
        return {name: others for name, others in found.items() if name not in several}

    def other_names(self, title: str) -> tuple[str, ...]:
        """What else the starter's graph calls what a title names; none where it does not know the title."""
        return self.synonyms.get(title.lower(), ())

    @lazy_part
    def concept_ids(self) -> frozenset[str]:
        """Ids of the starter's concepts: their definitions are everyday words, those of others are sentences."""
        return frozenset(self.graph.ids)

    @lazy_part
    def chapters_of_complaints(self) -> dict[str, str]:
        """By id of a symptom, the id of the one whose chapter tells of it."""
        return chapters_of_complaints(self.tables.rows)

    @lazy_part
    def plain(self) -> dict[str, str]:
        """Everyday words by concept id, for wording."""
        return {row.concept_id: row.definition for row in self.graph.concepts if row.definition}

    def texts_to_encode(self) -> Iterable[str]:
        """Every text whose vector ships: passages with their titles, the starter's concept names, and the chapters' topics."""
        rows = [self.graph.row(passage.concept_id) for passage in self.passages]
        return [
            *(passage_text(row) for row in self.passages),
            *(row.name for row in self.graph.concepts),
            *dict.fromkeys(topic_text(row.name, row.synonyms) for row in rows),
        ]


class LoadedGraph:
    """The graph that is set, its vectors, and the policies that walk it.

    Args:
        name: `starter`, the name of an imported graph, or a folder.
        imported: the graphs that were imported.
        shipped: the starter knowledge and the encoder.
        policies: folder of the trained path policies.
        live_name: the export in Neo4j that paths are walked in; empty where they are walked in memory.
        live_address: where Neo4j is.
        name_encoder: the setting of the encoder of names that policies walk; empty for the one of all texts.
    """

    def __init__(
        self,
        name: str,
        imported: ImportedGraphs,
        shipped: ShippedKnowledge,
        policies: Path,
        live_name: str,
        live_address: Neo4jAddress,
        name_encoder: str = "",
    ) -> None:
        self._name = name
        self._name_encoder = name_encoder
        self._imported = imported
        self._shipped = shipped
        self._policy_folder = policies
        self._live_name = live_name
        self._live_address = live_address
        self._policies: dict[str, tuple[Checkpoint | None, str]] = {}
        self._loading_policy = threading.Lock()

    def walked_by(self, policies: Path) -> Self:
        """The same graph and vectors, walked by the policies of another folder: nothing is loaded again but those."""
        _ = self.graph  # else each would load its own
        shared = ("graph", "vectors", "name_encoder", "concept_vectors", "note_side", "open_concepts", "lacks_starter")
        other = type(self)(
            self._name, self._imported, self._shipped, policies, self._live_name, self._live_address, self._name_encoder
        )
        for name in shared:
            if is_built(self, name):
                vars(other)[name] = getattr(self, name)
        return other

    @lazy_part
    def graph(self) -> Graph:
        """The starter knowledge's graph, or the snapshot of the name."""
        return self._shipped.graph if self._name == STARTER else read_snapshot(self._imported.find(self._name))

    @lazy_part
    def lacks_starter(self) -> bool:
        """Whether the graph in use was imported and holds not every concept of the starter knowledge."""
        return any(concept_id not in self.graph.index for concept_id in self._shipped.graph.ids)

    @property
    def is_starter(self) -> bool:
        """Whether the graph that is set is the starter's own."""
        return self._name == STARTER

    @lazy_part
    def graph_name(self) -> str:
        """What the graph is called in drafts."""
        return STARTER if self._name == STARTER else self._imported.find(self._name).name

    @property
    def concept_vector_folder(self) -> Path:
        """Where the vectors of an imported graph's concepts lie."""
        return self._imported.vectors(self.graph, self._shipped.encoder.name)

    @lazy_part
    def vectors(self) -> VectorFile:
        """The vectors that ship, and with a graph from outside those of its concepts, where they are finished."""
        if self._name == STARTER or not (self.concept_vector_folder / MARK).is_file():
            return self._shipped.vectors
        return GraphVectors(self._shipped.vector_path, (self.concept_vector_folder,), self._shipped.encoder)

    @lazy_part
    def name_encoder(self) -> Encoder:
        """What encodes the names of concepts that policies walk."""
        return make_encoder(self._name_encoder) if self._name_encoder else self._shipped.encoder

    @property
    def path_encoder(self) -> str:
        """The name of what the walk's vectors are made by, which a policy must have been trained with."""
        names, texts = self.name_encoder.name, self._shipped.encoder.name
        return names if names == texts else f"{names} for names, {texts} for notes"

    @lazy_part
    def concept_vectors(self) -> np.ndarray:
        """(concepts, d) in the order of the graph's ids, rows of length 1: float32, or float16 mapped from a file.

        A graph from outside that has no finished vectors is a KnowledgeError.
        """
        return self._names_by(self.name_encoder)

    @lazy_part
    def note_side(self) -> np.ndarray | None:
        """(concepts, e): the same names by the encoder of notes, for cosines to whole notes; None where one encodes both."""
        return None if self.name_encoder.name == self._shipped.encoder.name else self._names_by(self._shipped.encoder)

    def _names_by(self, encoder: Encoder) -> np.ndarray:
        if self._name == STARTER:
            kept = self._shipped.vectors if encoder is self._shipped.encoder else self._shipped.vectors_of(encoder)
            return kept.vectors([row.name for row in self.graph.concepts], encoder)
        stored = ConceptVectors(self._imported.vectors(self.graph, encoder.name))
        stored.check(self.graph, encoder.name)
        return stored.matrix

    def encoded_concepts(self, progress: Callable[[int, int, str], None]) -> np.ndarray:
        """The concept vectors, encoding first what has none yet, by each encoder that is set."""
        if self._name != STARTER:
            for encoder in {one.name: one for one in (self.name_encoder, self._shipped.encoder)}.values():
                known = self._imported.encoded(encoder.name)
                stored = StoredFirst(self._shipped.vectors_of(encoder), encoder)  # a union has the starter's names
                folder = self._imported.vectors(self.graph, encoder.name)
                encode_concepts(self.graph, stored, folder, ENCODED_AT_ONCE, progress, known)
        return self.concept_vectors

    @lazy_part
    def open_concepts(self) -> np.ndarray:
        """(n,) bool: False for fillers, which no path starts at or ends in."""
        return open_concepts(self.graph, rule_names(ROOT / "assets" / "rules" / "path_fillers.tsv"))

    def policy(self, name: str) -> tuple[Checkpoint | None, str]:
        """The policy of a name that fits graph and encoder, else None and why not."""
        with self._loading_policy:
            if name not in self._policies:
                try:
                    found = load_checkpoint(self._policy_folder / name).fitted(self.graph, self.path_encoder)
                    self._policies[name] = (found, "")
                except KnowledgeError as error:
                    self._policies[name] = (None, str(error))
            return self._policies[name]

    @property
    def policy_name(self) -> str:
        """The policy of the system leapnote with the hash of its training data, or none."""
        found, _ = self.policy("leapnote")
        if found is None:
            return "none"
        words = f"{found.name} {found.learned_from}, data {found.card['data']['hash'][:8]}"
        return f"{words}, {found.carried}" if found.carried else words

    @lazy_part
    def live(self) -> LiveGraph | None:
        """The graph in Neo4j that policies walk, or None where they walk in memory."""
        return LiveGraph(self._live_address, self._live_name, self.graph) if self._live_name else None

    @property
    def live_place(self) -> str:
        """Where paths are walked, in words; empty in memory."""
        return f"Neo4j graph {self._live_name!r}" if self._live_name else ""

    @lazy_part
    def versions(self) -> dict[str, str]:
        """Of program, graph, encoder and policy, for a draft's record."""
        graph = f"{self.graph_name}, {len(self.graph)} concepts, {self.graph.edge_count} directed edges"
        encoder = self._shipped.encoder.name
        found = {"leapnote": __version__, "graph": graph, "encoder": encoder, "policy": self.policy_name}
        if self.path_encoder != encoder:
            found["path_encoder"] = self.path_encoder
        found["knowledge_review"] = self._shipped.review_words
        if self._name != STARTER:
            found["handbook"] = "starter knowledge"  # else nothing would say that the passages are
        return found | ({"walked in": self.live_place} if self._live_name else {})

    def close(self) -> None:
        """End the connection to Neo4j, where there is one."""
        if is_built(self, "live") and self.live is not None:
            self.live.close()
