"""Build pipelines from settings and a system's name. The only place that chooses an implementation."""

import gc
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from backend import __version__
from backend.errors import KnowledgeError, NotFoundError
from backend.generation.composer import Composer
from backend.generation.layout import DocumentLayout
from backend.ingest.handbook import handbook_passages
from backend.ingest.starter import Starter, read_starter
from backend.interfaces import PathRetriever
from backend.linking.cached import CachedLinker
from backend.linking.linker import DictionaryLinker
from backend.pipeline import DraftPipeline, Stages
from backend.planning.rules import RulesPlanner
from backend.retrieval.baselines import DrKnows, Random1hop, Sim1hop
from backend.retrieval.conditions import GraphConditionRanker
from backend.retrieval.graph_facts import GraphFactRetriever
from backend.retrieval.limits import DemographicLimit, read_limits
from backend.retrieval.notes import NotePieces
from backend.retrieval.passages import HybridRetriever, SourceIndex, passage_text
from backend.retrieval.paths import GuidedPaths, InsteadPaths, NoPaths
from backend.retrieval.policy_paths import PolicyPaths, open_concepts, read_fillers
from backend.schemas.draft import Generator
from backend.schemas.vocabulary import Category, Source
from backend.settings import ROOT, STARTER, Settings
from backend.stores.concept_encoding import encode_concepts
from backend.stores.concept_vectors import ConceptVectors
from backend.stores.graph import Graph
from backend.stores.passages import PassageRow, PassageVectors
from backend.stores.reactions import AllergyReach, read_families
from backend.stores.rows import ConceptRow
from backend.stores.snapshot import read_snapshot
from backend.stores.vectors import VectorFile
from backend.systems import PathKind, System, system
from backend.verification.readability import TextReadability
from backend.verification.safety import GraphSafetyCheck
from backend.verification.support import CitedTextVerifier
from models.checkpoint import Checkpoint, load_checkpoint
from models.encoders import MiniLMEncoder, SentenceEncoder, make_encoder

log = logging.getLogger("leapnote")


class House:
    """Everything that is loaded once and shared by all pipelines; each part is built when first asked for."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._pipelines: dict[tuple[str, str], DraftPipeline] = {}
        self._policies: dict[str, tuple[Checkpoint | None, str]] = {}

    @cached_property
    def starter(self) -> Starter:
        return read_starter(self.settings.knowledge)

    @cached_property
    def graph(self) -> Graph:
        """The starter knowledge's graph, or the snapshot that LEAPNOTE_GRAPH names."""
        if self.settings.graph != STARTER:
            return read_snapshot(Path(self.settings.graph))
        concepts = [row for row, _ in self.starter.concepts]
        return Graph(concepts, [row for row, _ in self.starter.triples], self.starter.relations)

    @cached_property
    def encoder(self) -> MiniLMEncoder | SentenceEncoder:
        return make_encoder(self.settings.encoder)

    @cached_property
    def vectors(self) -> VectorFile:
        return VectorFile(self.vector_path)

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
        return self.settings.data / "vectors" / f"{self.graph.fingerprint}-{self.encoder.name.replace('/', '_')}"

    def encoded_concepts(self, progress: Callable[[int, int, str], None]) -> np.ndarray:
        """The same, encoding first what has no vector yet."""
        if self.settings.graph != STARTER:
            encode_concepts(self.graph, self.encoder, self.concept_vector_folder, progress=progress)
        return self.concept_vectors

    @cached_property
    def open_concepts(self) -> np.ndarray:
        return open_concepts(self.graph, read_fillers(ROOT / "assets" / "rules" / "path_fillers.tsv"))

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
        return CachedLinker(DictionaryLinker(with_plain_names(self.graph.concepts), self.graph.neighbour_ids))

    @cached_property
    def safety(self) -> GraphSafetyCheck:
        return GraphSafetyCheck(self.graph, self.reach, [row for row, _ in self.starter.doses], self.linker)

    @cached_property
    def limits(self) -> dict[str, DemographicLimit]:
        return read_limits(ROOT / "assets" / "rules" / "condition_limits.tsv", self.graph)

    @cached_property
    def plain(self) -> dict[str, str]:
        """Everyday words by concept id, for wording."""
        return {row.concept_id: row.definition for row in self.graph.concepts if row.definition}

    @cached_property
    def reach(self) -> AllergyReach:
        return AllergyReach(self.graph, read_families(ROOT / "assets" / "rules" / "allergy_families.tsv"))

    @cached_property
    def versions(self) -> dict[str, str]:
        name = STARTER if self.settings.graph == STARTER else Path(self.settings.graph).name
        graph = f"{name}, {len(self.graph)} concepts, {self.graph.edge_count} directed edges"
        return {"leapnote": __version__, "graph": graph, "encoder": self.encoder.name, "policy": self.policy_name}

    @property
    def policy_name(self) -> str:
        """The policy of the system leapnote with the hash of its training data, or none."""
        found, _ = self.policy("leapnote")
        return f"{found.name}, data {found.card['data']['hash'][:8]}" if found else "none"

    def texts_to_encode(self) -> Iterable[str]:
        """Every text whose vector ships: passages with their titles, and concept names."""
        return [*(passage_text(row) for row in self.passages), *(row.name for row in self.graph.concepts)]

    def warm(self) -> None:
        """Load what the first request would wait for."""
        self.encoder.load()
        self.encoder.encode(["warm"])
        for part in ("indexes", "reach"):
            getattr(self, part)
        self.linker.link("Allergies: none known. Chief complaint: cough.")  # rule files are read at the first note
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
            ranker=GraphConditionRanker(graph, self.limits, self.settings.conditions) if entry.conditions else None,
            paths=self._paths(entry),
            planner=RulesPlanner(tuple(self.indexes)) if entry.passages else None,
            retriever=HybridRetriever(self.indexes, self.encoder, self.settings.passages) if entry.passages else None,
            facts=GraphFactRetriever(graph) if entry.graph_facts else None,
            notes=NotePieces(self.linker, {row.concept_id: row.name for row in graph.concepts}),
            writer=Composer(self.linker, self.reach, self.plain),
            verifier=CitedTextVerifier(self.linker, self.encoder),
            safety=self.safety,
            layout=DocumentLayout(),
            readable=TextReadability(),
        )

    def _paths(self, entry: System) -> PathRetriever | None:
        graph, most = self.graph, self.settings.paths
        match entry.paths:
            case PathKind.NONE:
                return None
            case PathKind.LEAPNOTE:
                found, why = self.policy(entry.name)
                guided = GuidedPaths(graph, self.reach, self.encoder, self.vectors, most)
                return self._walked(found) if found else InsteadPaths(guided, why)
            case PathKind.REINRAG:
                found, why = self.policy(entry.name)
                return self._walked(found) if found else NoPaths(why)
            case PathKind.RANDOM1HOP:
                return Random1hop(graph, most)
            case PathKind.SIM1HOP:
                return Sim1hop(graph, self.encoder, self.vectors, most)
            case PathKind.DRKNOWS:
                return DrKnows(graph, self.encoder, self.vectors, most)

    def _walked(self, checkpoint: Checkpoint) -> PolicyPaths:
        vectors, most = self.concept_vectors, self.settings.paths
        return PolicyPaths(self.graph, vectors, checkpoint, self.reach, self.open_concepts, most)


def settle() -> None:
    """Put all that is loaded outside the garbage collector's rounds: walking it again and again took a third of a link."""
    gc.collect()
    gc.freeze()


def with_plain_names(rows: Sequence[ConceptRow]) -> list[ConceptRow]:
    """The rows with a symptom's everyday words among its names, where no other concept has those words.

    A draft says `feeling sick to the stomach` for nausea; the linker must read it back as nausea.
    """
    taken = Counter(name.lower() for row in rows for name in (row.name, *row.synonyms))
    taken.update(row.definition.lower() for row in rows)
    spoken = (Category.SYMPTOM, Category.FINDING)
    return [
        row._replace(synonyms=(*row.synonyms, row.definition))
        if row.category in spoken and row.definition and taken[row.definition.lower()] == 1
        else row
        for row in rows
    ]


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
