"""The house: everything that is loaded once and shared by all pipelines."""

import copy
import logging
import threading
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Self

from backend.container.language_models import LanguageModels
from backend.container.loaded_knowledge import Knowledge
from backend.container.process_tuning import one_core, settle, share_quickly
from backend.container.stage_parts import make_stages
from backend.container.strategy_parts import reranker_of
from backend.container.text_sources import TextSources, open_sources
from backend.diagnosis.condition_ranking import GraphConditionRanker
from backend.diagnosis.courses import read_courses
from backend.diagnosis.demographic_limits import DemographicLimit, read_limits
from backend.diagnosis.likelihoods import read_common
from backend.diagnosis.needs import read_needs
from backend.diagnosis.pictures import read_pictures
from backend.errors import InputError, KnowledgeError, LeapnoteError
from backend.interfaces import Reranker
from backend.knowledge.allergy_reach import AllergyReach
from backend.knowledge.contraindications import Contraindications
from backend.nlp.cached_linker import CachedLinker
from backend.nlp.lexicon.plain_names import starter_first, with_plain_names
from backend.nlp.linker import DictionaryLinker
from backend.nlp.rules import RULES, rule_names
from backend.pipeline.draft_pipeline import DraftPipeline
from backend.pipeline.evidence_cache import EvidenceCache
from backend.pipeline.evidence_queue import EvidenceQueue
from backend.planning.source_plan import SourceChoice
from backend.retrieval.entities.entity_collections import EntityCollections
from backend.retrieval.entities.entity_index import EntityVectors
from backend.retrieval.entities.entity_search import EntitySearch
from backend.retrieval.passages.passage_rows import passage_text
from backend.retrieval.passages.source_search import IndexedSearch
from backend.retrieval.patient_notes.content_vectors import ContentVectors
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source
from backend.settings import ROOT, STARTER, Settings
from backend.stores.passages.collections import MemoryCollection
from backend.systems import system
from backend.verification.safety.earlier_allergies import EarlierAllergies
from backend.verification.safety.safety import GraphSafetyCheck
from backend.verification.safety.starter_safety import StarterToo
from backend.verification.support.second_opinion import EntailmentScorer

log = logging.getLogger("leapnote")
MOST_PIPELINES = 64


class Container(Knowledge):
    """Each part is built when first asked for. keeper: the name under which this process alone may change the sources."""

    def __init__(self, settings: Settings, keeper: str = "") -> None:
        super().__init__(settings)
        self.keeper = keeper
        self.keeps_not = ""
        self._one_core = one_core()
        self._pipelines: dict[tuple[object, ...], DraftPipeline] = {}

    @cached_property
    def handbook(self) -> MemoryCollection | None:
        """The starter knowledge's passages, ready to search; they fill the source `book`."""
        texts = [passage_text(row) for row in self.passages]
        return MemoryCollection(self.passages, texts, self.vectors.vectors(texts, self.encoder)) if texts else None

    @cached_property
    def sources(self) -> TextSources:
        opened, self.keeps_not = open_sources(self.settings.data, self.encoder.name, self.handbook, self.keeper)
        return opened

    @cached_property
    def search(self) -> IndexedSearch:
        return IndexedSearch(self.sources, self.encoder.encode_queries)

    @cached_property
    def reranker(self) -> Reranker | None:
        return reranker_of(self)

    @cached_property
    def unfinished(self) -> EvidenceCache:
        return EvidenceCache()

    @cached_property
    def line(self) -> EvidenceQueue:
        return EvidenceQueue()

    @cached_property
    def models(self) -> LanguageModels:
        return LanguageModels(self.settings, serving=bool(self.keeper))

    @cached_property
    def dictionary(self) -> DictionaryLinker:
        rows = starter_first(with_plain_names(self.graph.concepts, self.worded))
        return DictionaryLinker(rows, self.graph.neighbour_ids)

    @cached_property
    def linker(self) -> CachedLinker:
        return CachedLinker(self.dictionary)

    @cached_property
    def patient_vectors(self) -> ContentVectors:
        return ContentVectors(self.encoder)

    @cached_property
    def entity_collections(self) -> EntityCollections:
        """Which passages name which concept; the dictionary reads each once, so no memory of texts is wanted."""
        return EntityCollections(
            self.graph, self.dictionary, self.settings.data, self.passages, lambda: self.sources.stored
        )

    @cached_property
    def entity_search(self) -> EntitySearch:
        try:
            vectors, missing = self.concept_vectors, ""
        except KnowledgeError as error:
            vectors, missing = None, str(error)
        near = EntityVectors(self.graph, vectors, self.encoder.encode, missing)
        return EntitySearch(self.graph, near, self.entity_collections, self.search)

    @cached_property
    def safety(self) -> GraphSafetyCheck | StarterToo:
        """The check of the graph in use; beside an imported one, the starter's as well."""
        doses = [row for row, _ in self.starter.doses]
        own = GraphSafetyCheck(self.graph, self.reach, doses, self.linker, self.earlier)
        if self.settings.graph == STARTER:
            return own
        rows = with_plain_names(self.starter_graph.concepts, self.worded)
        linker = CachedLinker(DictionaryLinker(rows, self.starter_graph.neighbour_ids))
        reach = AllergyReach(self.starter_graph, rule_names(RULES / "allergy_families.tsv"))
        starter = GraphSafetyCheck(self.starter_graph, reach, doses, linker)
        return StarterToo(own, self.graph, self.linker, starter, linker)

    @cached_property
    def earlier(self) -> EarlierAllergies:
        """What the patient's earlier notes list; a note is read once for all stages."""
        return EarlierAllergies(self.linker)

    @cached_property
    def entailment(self) -> EntailmentScorer | None:
        """The entailment model that is set, loaded once; None where none is. Raises MissingError when it cannot be loaded."""
        return EntailmentScorer(self.settings.entailment) if self.settings.entailment else None

    @cached_property
    def broader(self) -> Callable[[str], frozenset[str]]:
        """The kinds that a concept is of, by id: of furosemide, the loop diuretics."""
        return cache(lambda concept: frozenset(self.graph.related(concept, "isa", "has_class")))

    @cached_property
    def limits(self) -> dict[str, DemographicLimit]:
        return read_limits(ROOT / "assets" / "rules" / "condition_limits.tsv", self.graph)

    @cached_property
    def ranker(self) -> GraphConditionRanker:
        needs = read_needs(RULES / "condition_needs.tsv", self.graph)
        courses = read_courses(RULES / "condition_courses.tsv", self.graph)
        common = read_common(RULES / "common_findings.tsv", self.graph)
        pictures = read_pictures(RULES / "condition_pictures.tsv", self.graph)
        return GraphConditionRanker(self.graph, self.limits, self.settings.conditions, needs, courses, common, pictures)

    @cached_property
    def reach(self) -> AllergyReach:
        return AllergyReach(self.graph, rule_names(ROOT / "assets" / "rules" / "allergy_families.tsv"))

    @cached_property
    def against(self) -> Contraindications:
        return Contraindications(self.graph)

    def warm(self) -> None:
        """Load what the first request would wait for."""
        self.encoder.load()
        self.encoder.encode(["warm"])
        for part in ("sources", "reach", "ranker", "entailment"):
            getattr(self, part)
        self.linker.link("Allergies: none known. Chief complaint: cough.")  # rule files are read at the first note
        if self.live:
            try:
                self.live.walk()
            except LeapnoteError as error:
                log.warning("paths are walked in memory: %s", error)
        self.models.warm()
        settle()
        share_quickly()
        threading.Thread(target=self._read_entities, name="entities", daemon=True).start()
        log.info("ready: %d concepts, %d passages", len(self.graph), len(self.passages))

    def _read_entities(self) -> None:
        """The handbook's entities, for which the first draft of clinicalrag would wait some seconds."""
        self.entity_collections.parts(Source.BOOK, lambda done, total, what: None)

    def pipeline(self, name: str, generator: str | None = None, sources: Sequence[Source] = ()) -> DraftPipeline:
        """The pipeline of a system, a generator and the sources it may search; none given: all of them.

        Raises NotFoundError for a name that does not exist, InputError for a generator that is none.
        """
        choice = SourceChoice(tuple(sources)) if sources else SourceChoice()
        chosen = self.models.chosen(generator or "")
        key = ((name, chosen.generator, choice), self.sources.state)
        if key not in self._pipelines:
            made = DraftPipeline(make_stages(self, system(name), choice, chosen), self.unfinished, self.line)
            # what was built over sources as they no longer are is let go
            # a copy is changed: other requests read meanwhile. Reasons change, as the seconds a server has been starting.
            kept = [(held, pipeline) for held, pipeline in self._pipelines.items() if held[1] == key[1]]
            self._pipelines = dict(kept[-MOST_PIPELINES:]) | {key: made}
            return made
        return self._pipelines[key]

    def check_conditions(self, request: DraftRequest) -> None:
        """Raises InputError when a condition that was confirmed or ruled out is not in the graph: it would be passed over."""
        for concept in (*request.confirmed_conditions, *request.ruled_out_conditions):
            if concept not in self.graph.index:
                raise InputError(
                    f"The graph holds no concept {concept!r} to confirm or rule out. "
                    "Take the concept_id from the conditions of a draft, or search with GET /v1/concepts?q=…"
                )

    def changed(self, **values: object) -> Self:
        """The same house under other settings, for parts that are not loaded by them: how a sweep varies one setting."""
        other = copy.copy(self)
        other.settings = self.settings.model_copy(update=values)
        other._pipelines = {}
        vars(other).pop("models", None)
        return other

    def close(self) -> None:
        """Give back what other processes may wait for."""
        if "sources" in vars(self):
            self.sources.close()
        if self.live:
            self.live.close()
        if "models" in vars(self):
            self.models.close()
