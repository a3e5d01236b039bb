"""Build pipelines from settings and a system's name. The only place that chooses an implementation."""

import gc
import logging
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

import numpy as np

from backend import __version__
from backend.errors import InputError, KnowledgeError, LeapnoteError, NotFoundError
from backend.generation.composer import Composer
from backend.generation.layout import DocumentLayout
from backend.ingest.handbook import handbook_passages
from backend.ingest.starter import Starter, read_starter
from backend.interfaces import PathRetriever, PatientNotes
from backend.linking.cached import CachedLinker
from backend.linking.linker import DictionaryLinker
from backend.linking.plain_names import with_plain_names
from backend.pipeline import DraftPipeline, Stages
from backend.planning.rules import RulesPlanner
from backend.retrieval.baselines import DrKnows, Random1hop, Sim1hop
from backend.retrieval.conditions import GraphConditionRanker
from backend.retrieval.graph_facts import GraphFactRetriever
from backend.retrieval.limits import DemographicLimit, read_limits
from backend.retrieval.notes import NotePieces
from backend.retrieval.passages import HybridRetriever, SourceIndex, passage_text
from backend.retrieval.paths import GuidedPaths, InsteadPaths, NoPaths
from backend.retrieval.patient_notes import TwoStageNotes
from backend.retrieval.patient_search import PatientSearchSettings, SearchStages
from backend.retrieval.patient_vectors import ContentVectors
from backend.retrieval.policy_paths import PolicyPaths, open_concepts
from backend.schemas.draft import Generator
from backend.schemas.vocabulary import Source
from backend.settings import ROOT, STARTER, Settings
from backend.stores.concept_encoding import encode_concepts
from backend.stores.concept_names import ConceptNames
from backend.stores.concept_vectors import ConceptVectors
from backend.stores.folders import MARK
from backend.stores.graph import Graph
from backend.stores.graph_vectors import GraphVectors, StoredFirst
from backend.stores.graphs import ImportedGraphs
from backend.stores.neo4j import Neo4jAddress
from backend.stores.neo4j_live import LiveGraph
from backend.stores.passages import PassageRow, PassageVectors
from backend.stores.reactions import AllergyReach
from backend.stores.snapshot import read_snapshot
from backend.stores.vectors import VectorFile
from backend.systems import PathKind, System, system
from backend.text.note_chunks import ChunkSettings
from backend.text.rules import rule_names
from backend.verification.readability import TextReadability
from backend.verification.safety import GraphSafetyCheck
from backend.verification.support import CitedTextVerifier
from models.checkpoint import Checkpoint, load_checkpoint
from models.encoders import MiniLMEncoder, SentenceEncoder, make_encoder

log = logging.getLogger("leapnote")
ENCODED_AT_ONCE = 512  # names between two notes of how far an encoding has come: some seconds on two cores


class House:
    """Everything that is loaded once and shared by all pipelines; each part is built when first asked for."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._one_core = one_core()
        self._pipelines: dict[tuple[str, str], DraftPipeline] = {}
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
    def vector_path(self) -> Path:
        return self.settings.knowledge / "vectors" / f"{self.encoder.name}.npz"

    @cached_property
    def passages(self) -> list[PassageRow]:
        return handbook_passages(self.starter.handbook)

    @cached_property
    def indexes(self) -> dict[Source, SourceIndex]:
        """The indexed sources; the starter knowledge fills `book` alone."""
        texts = [passage_text(row) for row in self.passages]
        vectors = self.vectors.vectors(texts, self.encoder)
        store = PassageVectors(self.encoder.name)
        return {Source.BOOK: SourceIndex(Source.BOOK, self.passages, vectors, store)} if texts else {}

    @cached_property
    def linker(self) -> CachedLinker:
        rows = with_plain_names(self.graph.concepts, self.worded)
        return CachedLinker(DictionaryLinker(rows, self.graph.neighbour_ids))

    @cached_property
    def worded(self) -> frozenset[str]:
        """Ids of the starter's concepts: their definitions are everyday words, those of others are sentences."""
        return frozenset(row.concept_id for row, _ in self.starter.concepts)

    @cached_property
    def safety(self) -> GraphSafetyCheck:
        return GraphSafetyCheck(self.graph, self.reach, [row for row, _ in self.starter.doses], self.linker)

    @cached_property
    def limits(self) -> dict[str, DemographicLimit]:
        return read_limits(ROOT / "assets" / "rules" / "condition_limits.tsv", self.graph)

    @cached_property
    def ranker(self) -> GraphConditionRanker:
        return GraphConditionRanker(self.graph, self.limits, self.settings.conditions)

    @cached_property
    def plain(self) -> dict[str, str]:
        """Everyday words by concept id, for wording."""
        return {row.concept_id: row.definition for row, _ in self.starter.concepts if row.definition}

    @cached_property
    def reach(self) -> AllergyReach:
        return AllergyReach(self.graph, rule_names(ROOT / "assets" / "rules" / "allergy_families.tsv"))

    @cached_property
    def versions(self) -> dict[str, str]:
        graph = f"{self.graph_name}, {len(self.graph)} concepts, {self.graph.edge_count} directed edges"
        told = {"leapnote": __version__, "graph": graph, "encoder": self.encoder.name, "policy": self.policy_name}
        if self.settings.graph != STARTER:
            told["handbook"] = "starter knowledge"  # else nothing would say that the passages are
        return told | ({"walked in": self.live_name} if self.live else {})

    @cached_property
    def graph_name(self) -> str:
        return STARTER if self.settings.graph == STARTER else self.imported.find(self.settings.graph).name

    @cached_property
    def live(self) -> LiveGraph | None:
        """The graph in Neo4j that policies walk, or None where they walk in memory."""
        if not self.settings.neo4j_graph:
            return None
        return LiveGraph(neo4j_address(self.settings), self.settings.neo4j_graph, self.graph)

    @property
    def live_name(self) -> str:
        return f"Neo4j graph {self.settings.neo4j_graph!r}"

    @property
    def policy_name(self) -> str:
        """The policy of the system leapnote with the hash of its training data, or none."""
        found, _ = self.policy("leapnote")
        return f"{found.name} {found.learned_from}, data {found.card['data']['hash'][:8]}" if found else "none"

    def texts_to_encode(self) -> Iterable[str]:
        """Every text whose vector ships: passages with their titles, and the starter's concept names."""
        return [*(passage_text(row) for row in self.passages), *(row.name for row in self.starter_graph.concepts)]

    def warm(self) -> None:
        """Load what the first request would wait for."""
        self.encoder.load()
        self.encoder.encode(["warm"])
        for part in ("indexes", "reach", "ranker"):
            getattr(self, part)
        self.linker.link("Allergies: none known. Chief complaint: cough.")  # rule files are read at the first note
        if self.live:
            try:
                self.live.walk()
            except LeapnoteError as error:
                log.warning("paths are walked in memory: %s", error)
        settle()
        log.info("ready: %d concepts, %d passages", len(self.graph), len(self.passages))

    def pipeline(self, name: str, generator: str | None = None) -> DraftPipeline:
        """The pipeline of a system and a generator. Raises NotFoundError for a name that does not exist."""
        key = (name, generator or self.settings.generator)
        if key not in self._pipelines:
            self._pipelines[key] = DraftPipeline(self._stages(system(name), key[1]))
        return self._pipelines[key]

    def _stages(self, entry: System, generator: str) -> Stages:
        graph = self.graph
        return Stages(
            system=entry.name,
            versions=self.versions,
            generator=chosen_generator(generator, self.settings.llm_url),
            linker=self.linker,
            ranker=self.ranker if entry.conditions else None,
            paths=self._paths(entry),
            planner=RulesPlanner(tuple(self.indexes)) if entry.passages else None,
            retriever=HybridRetriever(self.indexes, self.encoder, self.settings.passages) if entry.passages else None,
            facts=GraphFactRetriever(graph) if entry.graph_facts else None,
            notes=self._notes(entry),
            writer=Composer(self.linker, self.reach, self.plain),
            verifier=CitedTextVerifier(self.linker, self.encoder),
            safety=self.safety,
            layout=DocumentLayout(),
            readable=TextReadability(),
        )

    @cached_property
    def patient_vectors(self) -> ContentVectors:
        return ContentVectors(self.encoder)

    def _notes(self, entry: System) -> PatientNotes:
        names = ConceptNames(self.graph)
        if not entry.two_stage_notes:
            return NotePieces(self.linker, names)
        search = patient_search(self.settings)
        return TwoStageNotes(self.linker, names, self.encoder, search, vectors=self.patient_vectors)

    def _paths(self, entry: System) -> PathRetriever | None:
        graph, most = self.graph, self.settings.paths
        match entry.paths:
            case PathKind.NONE:
                return None
            case PathKind.LEAPNOTE:
                found, why = self.policy(entry.name)
                guided = GuidedPaths(graph, self.reach, self.encoder, self.vectors, most)
                walked, why = self._walked(found) if found else (None, why)
                return walked or InsteadPaths(guided, why)
            case PathKind.REINRAG:
                found, why = self.policy(entry.name)
                walked, why = self._walked(found) if found else (None, why)
                return walked or NoPaths(why)
            case PathKind.RANDOM1HOP:
                return Random1hop(graph, most)
            case PathKind.SIM1HOP:
                return Sim1hop(graph, self.encoder, self.vectors, most)
            case PathKind.DRKNOWS:
                return DrKnows(graph, self.encoder, self.vectors, most)

    def _walked(self, checkpoint: Checkpoint) -> tuple[PolicyPaths | None, str]:
        """The paths of a policy, or None and why not: a graph from outside may have no vectors yet."""
        try:
            vectors, most = self.concept_vectors, self.settings.paths
        except KnowledgeError as error:
            return None, str(error)
        live = self.live.walk if self.live else None
        where = self.live_name if self.live else ""
        return PolicyPaths(self.graph, vectors, checkpoint, self.reach, self.open_concepts, most, live, where), ""


def patient_search(chosen: Settings) -> PatientSearchSettings:
    """How the patient's notes are cut and searched. Raises InputError for weights or an overlap that cannot be."""
    try:
        return PatientSearchSettings(
            stages=SearchStages(chosen.patient_stages),
            chunks=ChunkSettings(chosen.patient_chunk_chars, chosen.patient_chunk_overlap, chosen.patient_headers),
            previous_visit=chosen.patient_previous_visit,
            per_question=chosen.patient_per_question,
            per_sub_query=chosen.patient_per_sub_query,
            bm25_weight=chosen.patient_bm25_weight,
            cosine_weight=chosen.patient_cosine_weight,
            symptom_boost=chosen.patient_symptom_boost,
            rerank_depth=chosen.patient_rerank_depth,
            most_pieces=chosen.patient_pieces,
            visit_gap_days=chosen.patient_visit_gap_days,
        )
    except ValueError as error:
        raise InputError(f"The settings LEAPNOTE_PATIENT_… do not fit together. {error}") from None


def one_core() -> object:
    """Keep each matrix product of numpy on one core, for as long as the value is kept.

    A walk makes hundreds of small products; shared out over cores that others use as well, they took ten times as long.
    """
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1, user_api="blas")


def settle() -> None:
    """Put all that is loaded outside the garbage collector's rounds: walking it again and again took a third of a link."""
    gc.collect()
    gc.freeze()


def neo4j_address(settings: Settings) -> Neo4jAddress:
    """Where Neo4j is, by the settings."""
    return Neo4jAddress(
        settings.neo4j_uri,
        settings.neo4j_user,
        settings.neo4j_password,
        settings.neo4j_database,
        settings.neo4j_connect_s,
        settings.neo4j_query_s,
        settings.neo4j_retry_s,
    )


def chosen_generator(setting: str, llm_url: str = "") -> Generator:
    """Who writes, and why. Without an engine for what the setting names, the composer writes and says so."""
    if setting == "composer":
        return Generator(name="composer", reason="chosen by the setting")
    if setting == "auto" and llm_url:
        told = "LEAPNOTE_LLM_URL is set, but this version has no engine that could use it; the composer writes instead"
        return Generator(name="composer", reason=told)
    if setting == "auto":
        return Generator(name="composer", reason="no language model server is set (LEAPNOTE_LLM_URL is empty)")
    kind = setting.split(":", 1)[0]
    if kind in ("vllm", "openai", "transformers"):
        return Generator(
            name="composer", reason=f"this version has no engine for {kind!r}; the composer writes instead"
        )
    raise NotFoundError(
        f"There is no generator {setting!r}. Use auto, composer, vllm:<model>, openai:<base url>#<model> or transformers:<folder>"
    )
