"""Puts a system's pipeline together: looks up what its row names, and gives each the parts it is built from."""

import threading
from collections.abc import Callable
from typing import NamedTuple

from backend.container.draft_checks import DraftChecks
from backend.container.language_models import Chosen
from backend.container.loaded_knowledge import LoadedGraph, ShippedKnowledge
from backend.container.note_reading import Diagnosis, NoteReading
from backend.container.settings_values import patient_search
from backend.container.text_sources import TextSearch
from backend.errors import KnowledgeError
from backend.generation.composer.answers.misspelt_topic import TopicReader
from backend.generation.layout import DocumentLayout
from backend.generation.letter.medicines.draft_medicines import DraftMedicines
from backend.generation.model.repair import ModelRepairer
from backend.generation.standing.standing_instructions import SignedInstructions
from backend.generation.writers.sample_uncertainty import SampledWriter, SampleUncertainty
from backend.generation.writers.writer_parts import WriterParts, make_writer, material_maker
from backend.interfaces import LanguageModel, PatientNotes, Reranker, SourcePlanner
from backend.nlp.extraction.model_reader import ModelRecordReader
from backend.pipeline.draft_pipeline import DraftPipeline
from backend.pipeline.stages import PipelineParts
from backend.planning.note_planner import RuleNotePlanner
from backend.planning.source_plan import PlannerParts, SourceChoice, make_planner
from backend.retrieval.paths.path_parts import PathParts, make_paths
from backend.retrieval.patient_notes.note_pieces import NotePieces
from backend.retrieval.patient_notes.two_stage_notes import TwoStageNotes
from backend.retrieval.strategies.graph_lookup import GraphLookup
from backend.retrieval.strategies.strategy_parts import StrategyParts, make_strategy
from backend.schemas.vocabulary import Locale, Source
from backend.settings import Settings
from backend.stores.graph.graph import ConceptNames
from backend.systems import DEFAULT_SYSTEM, System
from backend.verification.consistency.uncertainty import Consistency, luq
from backend.verification.readability import TextReadability
from backend.verification.support.support import CitedTextVerifier
from models.llm.engine_choice import COMPOSER
from models.llm.engines import RoleModels

MOST_PIPELINES = 64
WITHOUT_STARTER = (
    "the graph {graph} does not hold the starter knowledge: allergies and medicines are checked by the starter's own names and "
    "facts beside it, but conditions are ranked, and advice is kept from the patient, by what that graph states alone; join both "
    "with: python -m backend knowledge load graph {graph} --with-starter"
)


class PipelineAssembly(NamedTuple):
    """What pipelines are assembled from.

    Attributes:
        settings: the program's settings.
        shipped: the starter knowledge and the encoder.
        loaded: the graph that is set.
        reading: what reads notes.
        diagnosis: what ranks conditions.
        checks: what checks drafts.
        text: what searches the text sources.
    """

    settings: Settings
    shipped: ShippedKnowledge
    loaded: LoadedGraph
    reading: NoteReading
    diagnosis: Diagnosis
    checks: DraftChecks
    text: TextSearch

    def pipeline_parts(self, system: System, choice: SourceChoice, models: Chosen) -> PipelineParts:
        """The stages of a system over the sources that may be searched, with the models that serve now."""
        model, linker = models.roles.writer, self.reading.linker
        writers = WriterParts(
            linker,
            self.shipped.encoder,
            self.checks.reach,
            self.shipped.plain,
            self.reading.earlier.with_pasted,
            self.checks.contraindications,
            model,
            self.checks.safety.forbidden_options,
            self.checks.fit,
            self.checks.safety.cautioned_options,
            self.checks.safety,
        )
        writer, composer = make_writer(models.setting, writers), make_writer(COMPOSER, writers)
        verifier = self.verifier(models)
        # a thought from paths is leapnote's, whatever the system
        paths, notices = make_paths(DEFAULT_SYSTEM if system.thinks_by_paths else system.paths, self.path_parts())
        return PipelineParts(
            system=system.name,
            versions=self.loaded.versions | self._rankers(system) | {"verifier": verifier.name},
            generator=models.generator,
            linker=linker,
            ranker=self.diagnosis.ranker if system.conditions else None,
            paths=paths,
            paths_are_evidence=not system.thinks_by_paths,
            strategy=make_strategy(self.strategy_parts(system, choice, models.roles)),
            notes=self._notes(system),
            writer=writer,
            stand_in=composer if writer.name != composer.name else None,
            repairer=ModelRepairer(model, verifier, material_maker(writers))
            if model and self.settings.repair
            else None,
            doubt=self._uncertainty(writer, models) if isinstance(writer, SampledWriter) else None,
            verifier=verifier,
            safety=self.checks.safety,
            layout=DocumentLayout(),
            readable=TextReadability(),
            medicines=DraftMedicines(
                linker,
                self.checks.reach,
                self.reading.earlier.with_pasted,
                self.checks.contraindications,
                self.checks.safety,
            ),
            fit=self.checks.fit,
            instructions=SignedInstructions(
                self.shipped.tables.rows.standing,
                self.checks.fit,
                self.shipped.hospital.signed,
                self.shipped.hospital.instructions,
            ),
            extractor=ModelRecordReader(models.roles.extractor)
            if self.settings.extractor_model and models.roles.extractor
            else None,
            locale=Locale(self.settings.locale),
            topics=TopicReader(self.reading.dictionary.index, linker),
            notices=(*self._notices(system), *(() if system.thinks_by_paths else notices)),
        )

    def _rankers(self, system: System) -> dict[str, str]:
        """The names of the rankers that the system's drafts depend on, for their record."""
        conditions = {"condition_ranker": self.settings.condition_ranker} if system.conditions else {}
        return conditions | ({"passage_ranker": self.settings.passage_ranker} if system.retrieves_text else {})

    def strategy_parts(self, system: System, choice: SourceChoice, models: RoleModels) -> StrategyParts:
        """What the system's strategy is built from."""

        def planner(name: str) -> SourcePlanner:
            return make_planner(self.planner_parts(name, choice, models.planner))

        return StrategyParts(
            system=system,
            settings=self.settings,
            sources=choice.sources,
            search=self.text.index,
            graph=self.loaded.graph,
            graph_name=self.loaded.graph_name,
            linker=self.reading.linker,
            encoder=self.shipped.encoder,
            note_planner=RuleNotePlanner(self.text.sources.filled(), self.reading.linker),
            planner=planner,
            planner_model=models.planner,
            extractor_model=models.extractor,
            reranker=lambda: self.text.reranker,
            graph_lookup=self.graph_lookup,
            entities=lambda: self.text.entities,
        )

    def planner_parts(self, name: str, choice: SourceChoice, model: LanguageModel | None) -> PlannerParts:
        """What a source planner is built from. The graph counts as filled where a term's relations can be ordered."""
        graph = set[Source]() if self.graph_lookup(None) is None else {Source.GRAPH}
        filled = frozenset(self.text.sources.filled()) | graph
        return PlannerParts(name, filled, model, choice, self.settings.planner_trained_for)

    def graph_lookup(self, reranker: Reranker | None) -> GraphLookup | None:
        """The graph as a source; None where a graph from outside has no vectors yet."""
        try:
            vectors = self.loaded.concept_vectors
        except KnowledgeError:
            return None
        encode = self.shipped.encoder.encode_queries
        return GraphLookup(
            self.loaded.graph, self.reading.linker, encode, vectors, reranker, texts=self.text.drug_texts
        )

    def path_parts(self) -> PathParts:
        """What a path retriever is built from."""
        live = self.loaded.live
        return PathParts(
            graph=self.loaded.graph,
            reach=self.checks.reach,
            encoder=self.shipped.encoder,
            vectors=lambda: self.loaded.vectors,
            concept_vectors=lambda: self.loaded.concept_vectors,
            policy=self.loaded.policy,
            fillers=lambda: self.loaded.open_concepts,
            live_walk=live.walk if live else None,
            live_name=self.loaded.live_place,
            most=self.settings.paths,
            settings=self.settings,
            note_side=lambda: self.loaded.note_side,
        )

    def verifier(self, models: Chosen) -> CitedTextVerifier:
        """What checks each sentence, with the judge where the settings ask for its opinion."""
        return self.checks.verifier(models.roles.judge if self.settings.judge_support else None)

    def consistency(self, models: Chosen) -> Consistency:
        """What scores how far samples of a draft agree; a judge only where it has a model of its own."""
        return self.checks.consistency(models.roles.judge if self.settings.judge_model else None)

    def _uncertainty(self, writer: SampledWriter, models: Chosen) -> SampleUncertainty | None:
        """What scores a model's draft by samples; None where no samples are wanted."""
        samples = self.settings.uncertainty_samples
        if not samples:
            return None
        scorer = self.consistency(models)
        return SampleUncertainty(writer, samples, lambda draft, texts: luq(draft, texts, scorer))

    def _notices(self, system: System) -> tuple[str, ...]:
        """A graph without the starter knowledge, and sources that hold something which cannot be searched."""
        lacking = (WITHOUT_STARTER.format(graph=self.loaded.graph_name),) if self.loaded.lacks_starter else ()
        if not system.retrieves_text:
            return lacking
        self.text.sources.filled()
        refused = self.text.sources.refused
        return (*lacking, *(f"source {source.value}: {why}" for source, why in refused.items()))

    def _notes(self, system: System) -> PatientNotes:
        names, linker = ConceptNames(self.loaded.graph), self.reading.linker
        if not system.two_stage_notes:
            return NotePieces(linker, names)
        search = patient_search(self.settings)
        return TwoStageNotes(linker, names, self.shipped.encoder, search, vectors=self.reading.patient_vectors)


class PipelineCache:
    """Pipelines by what they were built for, until the sources change. Each is built once, whoever asks at once.

    Args:
        most: pipelines held; the oldest goes first.
    """

    def __init__(self, most: int = MOST_PIPELINES) -> None:
        self._most = most
        self._held: dict[tuple[object, object], DraftPipeline] = {}
        self._building = threading.Lock()

    @property
    def pipelines(self) -> tuple[DraftPipeline, ...]:
        """Those that are held."""
        return tuple(self._held.values())

    def get(self, key: object, state: object, build: Callable[[], DraftPipeline]) -> DraftPipeline:
        """The pipeline of a key.

        Args:
            key: names system, generator and sources.
            state: of what pipelines are built over; those of another state are let go.
            build: makes it where there is none.
        """
        held = self._held.get((key, state))  # one that is there waits for no other that is built
        if held is not None:
            return held
        with self._building:
            held = self._held.get((key, state))
            if held is None:
                held = build()
                kept = [(place, pipeline) for place, pipeline in self._held.items() if place[1] == state]
                # replaced, not changed: other threads read meanwhile
                self._held = dict(kept[-(self._most - 1) :] if self._most > 1 else ()) | {(key, state): held}
            return held
