"""Builds the stages of a system's pipeline from the house's parts."""

from typing import TYPE_CHECKING

from backend.container.language_models import COMPOSER, Chosen
from backend.container.settings_values import patient_search
from backend.container.strategy_parts import make_strategy
from backend.errors import KnowledgeError
from backend.generation.layout import DocumentLayout
from backend.generation.model.repair import ModelRepairer
from backend.generation.writers.sample_uncertainty import SampledWriter, SampleUncertainty
from backend.generation.writers.writer_parts import WriterParts, make_writer
from backend.interfaces import PathRetriever, PatientNotes
from backend.pipeline.stages import Stages
from backend.planning.source_plan import SourceChoice
from backend.retrieval.paths.guided_paths import GuidedPaths, InsteadPaths, NoPaths
from backend.retrieval.paths.path_baselines import DrKnows, Random1hop, Sim1hop
from backend.retrieval.paths.policy_paths import PolicyPaths
from backend.retrieval.patient_notes.note_pieces import NotePieces
from backend.retrieval.patient_notes.two_stage_notes import TwoStageNotes
from backend.stores.graph.graph import ConceptNames
from backend.systems import GatheringKind, PathKind, System
from backend.verification.consistency.uncertainty import (
    Consistency,
    EmbeddingConsistency,
    InferenceConsistency,
    JudgedConsistency,
    luq,
)
from backend.verification.readability import TextReadability
from backend.verification.support.second_opinion import JudgeScorer, Scorer
from backend.verification.support.support import CitedTextVerifier

if TYPE_CHECKING:
    from backend.container.container import Container

WITHOUT_STARTER = (
    "the graph {graph} does not hold the starter knowledge: allergies and medicines are checked by the starter's own names and "
    "facts beside it, but conditions are ranked, and advice is kept from the patient, by what that graph states alone; join both "
    "with: python -m backend knowledge load graph {graph} --with-starter"
)


def make_stages(container: "Container", entry: System, choice: SourceChoice, models: Chosen) -> Stages:
    """The stages of a system over the sources that may be searched, with the models that serve now."""
    model = models.roles.writer
    parts = WriterParts(
        container.linker,
        container.encoder,
        container.reach,
        container.plain,
        container.earlier.with_pasted,
        container.against,
        model,
        container.safety.forbidden_options,
    )
    writer, composer = make_writer(models.setting, parts), make_writer(COMPOSER, parts)
    verifier = make_verifier(container, models)
    paths, instead = _paths(container, entry)
    return Stages(
        system=entry.name,
        versions=container.versions | {"verifier": verifier.name},
        generator=models.generator,
        linker=container.linker,
        ranker=container.ranker if entry.conditions else None,
        paths=paths,
        paths_are_evidence=not entry.thinks_by_paths,
        strategy=make_strategy(container, entry, choice, models.roles),
        notes=_notes(container, entry),
        writer=writer,
        stand_in=composer if writer.name != composer.name else None,
        repairer=ModelRepairer(model, container.linker, verifier) if model and container.settings.repair else None,
        doubt=_doubt(container, writer, models) if isinstance(writer, SampledWriter) else None,
        verifier=verifier,
        safety=container.safety,
        layout=DocumentLayout(),
        readable=TextReadability(),
        notices=(*_notices(container, entry), *(() if entry.thinks_by_paths else instead)),
    )


def make_verifier(container: "Container", models: Chosen) -> CitedTextVerifier:
    """The rules, and what further opinions the settings ask for."""
    scorers: list[Scorer] = [container.entailment] if container.entailment else []
    if container.settings.judge_support and models.roles.judge:
        scorers.append(JudgeScorer(models.roles.judge))
    return CitedTextVerifier(container.linker, container.encoder, scorers, container.broader, container.plain)


def _doubt(container: "Container", writer: SampledWriter, models: Chosen) -> SampleUncertainty | None:
    """What scores a model's draft by samples; None where no samples are wanted."""
    samples = container.settings.uncertainty_samples
    if not samples:
        return None
    scorer = make_scorer(container, models)
    return SampleUncertainty(writer, samples, lambda draft, told: luq(draft, told, scorer))


def make_scorer(container: "Container", models: Chosen) -> Consistency:
    """What tells how far samples agree: the entailment model, as LUQ has it, else a judge of its own, else cosines."""
    if container.entailment:
        return InferenceConsistency(container.entailment)
    if container.settings.judge_model and models.roles.judge:
        return JudgedConsistency(models.roles.judge)
    return EmbeddingConsistency(container.encoder)


def _notices(container: "Container", entry: System) -> tuple[str, ...]:
    """A graph without the starter knowledge, and sources that hold something which cannot be searched."""
    lacking = (WITHOUT_STARTER.format(graph=container.graph_name),) if container.lacks_starter else ()
    if entry.gathering == GatheringKind.NONE:
        return lacking
    container.sources.filled()
    return (*lacking, *(f"source {source.value}: {why}" for source, why in container.sources.refused.items()))


def _notes(container: "Container", entry: System) -> PatientNotes:
    names = ConceptNames(container.graph)
    if not entry.two_stage_notes:
        return NotePieces(container.linker, names)
    search = patient_search(container.settings)
    return TwoStageNotes(container.linker, names, container.encoder, search, vectors=container.patient_vectors)


def _paths(container: "Container", entry: System) -> tuple[PathRetriever | None, tuple[str, ...]]:
    """What finds a system's paths, and what has to be said where that is not the policy it is named for."""
    graph, most = container.graph, container.settings.paths
    kind = PathKind.LEAPNOTE if entry.thinks_by_paths else entry.paths
    match kind:
        case PathKind.NONE:
            return None, ()
        case PathKind.LEAPNOTE:
            walked, why = _walked(container, "leapnote")
            guided = GuidedPaths(graph, container.reach, container.encoder, container.vectors, most)
            return (walked, ()) if walked else (InsteadPaths(guided, why), (f"paths by graph edges: {why}",))
        case PathKind.REINRAG:
            walked, why = _walked(container, "reinrag")
            return (walked, ()) if walked else (NoPaths(why), (f"no paths: {why}",))
        case PathKind.RANDOM1HOP:
            return Random1hop(graph, most), ()
        case PathKind.SIM1HOP:
            return Sim1hop(graph, container.encoder, container.vectors, most), ()
        case PathKind.DRKNOWS:
            return DrKnows(graph, container.encoder, container.vectors, most), ()


def _walked(container: "Container", name: str) -> tuple[PolicyPaths | None, str]:
    """The paths of a policy, or None and why not: it fits another graph, or a graph from outside has no vectors yet."""
    checkpoint, why = container.policy(name)
    if checkpoint is None:
        return None, why
    try:
        vectors, most = container.concept_vectors, container.settings.paths
    except KnowledgeError as error:
        return None, str(error)
    live = container.live.walk if container.live else None
    where = container.live_name if container.live else ""
    fillers = container.open_concepts
    return PolicyPaths(
        container.graph, vectors, container.encoder, checkpoint, container.reach, fillers, most, live, where
    ), ""
