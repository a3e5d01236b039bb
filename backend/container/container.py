"""Everything that is loaded once and shared by all pipelines, wired from the settings."""

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Self, TypeVar

import numpy as np

from backend.container.draft_checks import DraftChecks
from backend.container.language_models import LanguageModels
from backend.container.loaded_knowledge import LoadedGraph, ShippedKnowledge
from backend.container.note_reading import Diagnosis, NoteReading
from backend.container.pipeline_assembly import PipelineAssembly, PipelineCache
from backend.container.process_tuning import freeze_loaded, one_core, share_quickly
from backend.container.settings_values import neo4j_address
from backend.container.text_sources import TextSearch, TextSources
from backend.errors import InputError, LeapnoteError
from backend.interfaces import ConditionRanker, Encoder, Reranker
from backend.knowledge.allergy_reach import AllergyReach
from backend.knowledge.hospital.hospital_knowledge import hospital_knowledge
from backend.knowledge.review.knowledge_review import KnowledgeReview
from backend.knowledge.starter import Starter
from backend.nlp.extraction.cached_linker import CachedLinker
from backend.pipeline.draft_pipeline import DraftPipeline
from backend.pipeline.evidence_cache import EvidenceCache
from backend.pipeline.evidence_queue import EvidenceQueue
from backend.planning.source_plan import SourceChoice
from backend.retrieval.entities.entity_collections import EntityCollections
from backend.retrieval.passages.source_search import IndexedSearch
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source
from backend.settings import STARTER, Settings
from backend.stores.graph.graph import Graph
from backend.stores.graph.imported_graphs import ImportedGraphs
from backend.stores.graph.vector_file import VectorFile
from backend.stores.passages.passage_index import PassageRow
from backend.systems import system
from backend.verification.safety.safety import GraphSafetyCheck
from backend.verification.safety.starter_safety import StarterToo

log = logging.getLogger("leapnote")
Group = TypeVar("Group")


class Container:
    """The groups of parts, each built from the settings that it depends on; a part is loaded when first asked for.

    Args:
        settings: the program's settings.
        keeper: the name under which this process alone may change the sources; empty where it only searches.
        beside: another container; groups are shared with it where the settings they depend on are the same.
    """

    def __init__(self, settings: Settings, keeper: str = "", beside: "Container | None" = None) -> None:
        self.settings = settings
        self.keeper = keeper
        self._one_core = one_core()
        self.imported = ImportedGraphs(settings.data)
        self.review = KnowledgeReview(settings.knowledge, settings.data)
        hospital = hospital_knowledge(self.review, settings.data)
        shipped = (settings.knowledge, settings.encoder, hospital)
        neo4j = tuple(value for name, value in settings if name.startswith("neo4j_"))
        # a graph from outside lies in the data folder
        data = settings.data if settings.graph != STARTER else None
        graph = (shipped, settings.name_encoder, settings.graph, data, neo4j)
        self._keys: dict[str, object] = {
            "shipped": shipped,
            "graph": graph,
            "loaded": (graph, settings.policies),
            "reading": graph,
            "diagnosis": (graph, settings.condition_ranker, settings.conditions),
            "checks": (graph, settings.entailment),
            "text": (graph, settings.data, settings.passage_ranker, settings.reranker, keeper),
            "queue": (),
        }

        def shared(name: str, build: Callable[[], Group]) -> Group:
            if beside is not None and beside._keys[name] == self._keys[name]:
                group: Group = getattr(beside, name)
                return group
            return build()

        self.shipped = shared("shipped", lambda: ShippedKnowledge(settings.knowledge, settings.encoder, hospital))
        self.loaded = shared("loaded", lambda: self._loaded(beside))
        self.reading = shared("reading", lambda: NoteReading(self.shipped, self.loaded))
        self.diagnosis = shared(
            "diagnosis", lambda: Diagnosis(self.shipped, self.loaded, settings.condition_ranker, settings.conditions)
        )
        self.checks = shared(
            "checks", lambda: DraftChecks(self.shipped, self.loaded, self.reading, settings.entailment)
        )
        self.text = shared(
            "text",
            lambda: TextSearch(
                self.shipped,
                self.loaded,
                self.reading,
                settings.data,
                settings.passage_ranker,
                settings.reranker,
                keeper,
            ),
        )
        self.queue = shared("queue", EvidenceQueue)
        self.models = LanguageModels(settings, serving=bool(keeper))
        self.evidence_cache = EvidenceCache()
        self.assembly = PipelineAssembly(
            settings, self.shipped, self.loaded, self.reading, self.diagnosis, self.checks, self.text
        )
        self._pipelines = PipelineCache()

    def pipeline(self, name: str, generator: str | None = None, sources: Sequence[Source] = ()) -> DraftPipeline:
        """The pipeline of a system.

        A name that is no system is a NotFoundError; a generator that is none, or that whoever asks may not name, an
        InputError.

        Args:
            name: of the system.
            generator: who writes; the one that is set where none is given.
            sources: those it may search; all where none are given.
        """
        choice = SourceChoice(tuple(sources)) if sources else SourceChoice()
        chosen = self.models.chosen(generator or "")

        def build() -> DraftPipeline:
            parts = self.assembly.pipeline_parts(system(name), choice, chosen)
            return DraftPipeline(parts, self.evidence_cache, self.queue)

        # the generator's reason changes, as the seconds that a server has been starting
        return self._pipelines.get((name, chosen.generator, choice), self.text.sources.state, build)

    def changed(self, **values: object) -> Self:
        """A container under other settings, which shares what does not depend on them: how a sweep varies one setting."""
        return type(self)(self.settings.model_copy(update=values), self.keeper, beside=self)

    def forget_notes(self) -> None:
        """Let go of what was kept of notes and texts that were read, so that the next reading of one costs what the first does."""
        self.reading.forget()
        self.evidence_cache.forget()
        for pipeline in self._pipelines.pipelines:
            pipeline.forget()

    def check_conditions(self, request: DraftRequest) -> None:
        """Refuse a condition that was confirmed or ruled out and is not in the graph: it would be passed over.

        Raises:
            InputError: there is such a condition.
        """
        leading = (request.leading_condition,) if request.leading_condition else ()
        for concept in (*leading, *request.confirmed_conditions, *request.ruled_out_conditions):
            if concept not in self.graph.index:
                raise InputError(
                    f"The graph holds no concept {concept!r} to confirm or rule out. "
                    "Take the concept_id from the conditions of a draft, or search with GET /v1/concepts?q=…"
                )

    def load_ahead(self) -> None:
        """Begin to load the encoder's weights in the background, while what needs the interpreter is built."""

        def load() -> None:
            with contextlib.suppress(LeapnoteError):  # whoever needs the encoder is told
                self.encoder.encode(["warm"])

        threading.Thread(target=load, name="load-encoder", daemon=True).start()

    def warm(self) -> None:
        """Load what the first request would wait for."""
        self.encoder.encode(["warm"])
        _ = self.sources, self.reach, self.ranker, self.checks.entailment
        self.linker.link("Allergies: none known. Chief complaint: cough.")  # rule files are read at the first note
        if self.loaded.live:
            try:
                self.loaded.live.walk()
            except LeapnoteError as error:
                log.warning("paths are walked in memory: %s", error)
        self.models.warm()
        freeze_loaded()
        share_quickly()
        threading.Thread(target=self._read_entities, name="entities", daemon=True).start()
        log.info("ready: %d concepts, %d passages", len(self.graph), len(self.passages))

    def close(self) -> None:
        """Give back what other processes may wait for."""
        self.text.close()
        self.loaded.close()
        self.models.close()

    def _loaded(self, beside: "Container | None") -> LoadedGraph:
        """The graph that is set: that of another container where only the policies are others."""
        if beside is not None and beside._keys["graph"] == self._keys["graph"]:
            return beside.loaded.walked_by(self.settings.policies)
        return LoadedGraph(
            self.settings.graph,
            self.imported,
            self.shipped,
            self.settings.policies,
            self.settings.neo4j_graph,
            neo4j_address(self.settings),
            self.settings.name_encoder,
        )

    def _read_entities(self) -> None:
        """The handbook's entities, for which the first draft of clinicalrag would wait some seconds."""
        self.entity_collections.parts(Source.BOOK, lambda done, total, what: None)

    @property
    def encoder(self) -> Encoder:
        """What turns texts into vectors."""
        return self.shipped.encoder

    @property
    def starter(self) -> Starter:
        """The starter knowledge's tables."""
        return self.shipped.starter

    @property
    def starter_graph(self) -> Graph:
        """The starter knowledge's graph, whichever graph is set."""
        return self.shipped.graph

    @property
    def passages(self) -> list[PassageRow]:
        """The handbook in passages."""
        return self.shipped.passages

    @property
    def graph(self) -> Graph:
        """The graph that is set."""
        return self.loaded.graph

    @property
    def graph_name(self) -> str:
        """What the graph is called in drafts."""
        return self.loaded.graph_name

    @property
    def vectors(self) -> VectorFile:
        """The vectors that ship, and those of a graph from outside."""
        return self.loaded.vectors

    @property
    def concept_vectors(self) -> np.ndarray:
        """(concepts, d) in the order of the graph's ids; see `LoadedGraph.concept_vectors`."""
        return self.loaded.concept_vectors

    def encoded_concepts(self, progress: Callable[[int, int, str], None]) -> np.ndarray:
        """The concept vectors, encoding first what has none yet."""
        return self.loaded.encoded_concepts(progress)

    @property
    def open_concepts(self) -> np.ndarray:
        """(n,) bool: False for fillers, which no path starts at or ends in."""
        return self.loaded.open_concepts

    @property
    def policy_name(self) -> str:
        """The policy of the system leapnote with the hash of its training data, or none."""
        return self.loaded.policy_name

    @property
    def versions(self) -> dict[str, str]:
        """Of program, graph, encoder and policy, for a draft's record."""
        return self.loaded.versions

    @property
    def linker(self) -> CachedLinker:
        """Reads notes; it remembers what it has read."""
        return self.reading.linker

    @property
    def ranker(self) -> ConditionRanker:
        """Ranks conditions."""
        return self.diagnosis.ranker

    @property
    def reach(self) -> AllergyReach:
        """What an allergy reaches."""
        return self.checks.reach

    @property
    def safety(self) -> GraphSafetyCheck | StarterToo:
        """The flags of a draft."""
        return self.checks.safety

    @property
    def sources(self) -> TextSources:
        """The text sources by name."""
        return self.text.sources

    @property
    def search(self) -> IndexedSearch:
        """BM25 and vectors over the text sources."""
        return self.text.index

    @property
    def reranker(self) -> Reranker | None:
        """The cross-encoder that is set; None for rank fusion."""
        return self.text.reranker

    @property
    def entity_collections(self) -> EntityCollections:
        """Which passages name which concept."""
        return self.text.entity_collections
