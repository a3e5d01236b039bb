"""Builds the stages of a system's pipeline from the house's parts."""

from typing import TYPE_CHECKING

from backend.assembly.gathering import make_gatherer
from backend.assembly.models import Chosen
from backend.assembly.settings_values import patient_search
from backend.errors import KnowledgeError
from backend.generation.composer import Composer
from backend.generation.layout import DocumentLayout
from backend.generation.model_doubt import ModelDoubt
from backend.generation.model_repair import ModelRepairer
from backend.generation.model_writer import ModelWriter
from backend.interfaces import PathRetriever, PatientNotes
from backend.planning.source_plan import SourceChoice
from backend.retrieval.baselines import DrKnows, Random1hop, Sim1hop
from backend.retrieval.notes import NotePieces
from backend.retrieval.paths import GuidedPaths, InsteadPaths, NoPaths
from backend.retrieval.patient_notes import TwoStageNotes
from backend.retrieval.policy_paths import PolicyPaths
from backend.stages import Stages
from backend.stores.concept_names import ConceptNames
from backend.systems import GatheringKind, PathKind, System
from backend.verification.readability import TextReadability
from backend.verification.second_opinion import JudgeScorer, Scorer
from backend.verification.support import CitedTextVerifier
from backend.verification.uncertainty import (
    Consistency,
    EmbeddingConsistency,
    InferenceConsistency,
    JudgedConsistency,
    luq,
)

if TYPE_CHECKING:
    from backend.assembly.house import House

WITHOUT_STARTER = (
    "the graph {graph} does not hold the starter knowledge: allergies and medicines are checked by the starter's own names and "
    "facts beside it, but conditions are ranked, and advice is kept from the patient, by what that graph states alone; join both "
    "with: python -m backend knowledge load graph {graph} --with-starter"
)


def make_stages(house: "House", entry: System, choice: SourceChoice, models: Chosen) -> Stages:
    """The stages of a system over the sources that may be searched, with the models that serve now."""
    model = models.roles.writer
    forbids = house.safety.forbidden_options
    writer = ModelWriter(model, house.linker, house.encoder, forbids=forbids) if model else None
    composer = Composer(house.linker, house.reach, house.plain, house.earlier.with_pasted, house.against, forbids)
    verifier = make_verifier(house, models)
    paths, instead = _paths(house, entry)
    return Stages(
        system=entry.name,
        versions=house.versions | {"verifier": verifier.name},
        generator=models.generator,
        linker=house.linker,
        ranker=house.ranker if entry.conditions else None,
        paths=paths,
        paths_are_evidence=not entry.thinks_by_paths,
        gatherer=make_gatherer(house, entry, choice, models.roles),
        notes=_notes(house, entry),
        writer=writer or composer,
        stand_in=composer if writer else None,
        repairer=ModelRepairer(model, house.linker, verifier) if model and house.settings.repair else None,
        doubt=_doubt(house, writer, models) if writer else None,
        verifier=verifier,
        safety=house.safety,
        layout=DocumentLayout(),
        readable=TextReadability(),
        notices=(*_notices(house, entry), *(() if entry.thinks_by_paths else instead)),
    )


def make_verifier(house: "House", models: Chosen) -> CitedTextVerifier:
    """The rules, and what further opinions the settings ask for."""
    scorers: list[Scorer] = [house.entailment] if house.entailment else []
    if house.settings.judge_support and models.roles.judge:
        scorers.append(JudgeScorer(models.roles.judge))
    return CitedTextVerifier(house.linker, house.encoder, scorers, house.broader, house.plain)


def _doubt(house: "House", writer: ModelWriter, models: Chosen) -> ModelDoubt | None:
    """What scores a model's draft by samples; None where no samples are wanted."""
    samples = house.settings.uncertainty_samples
    if not samples:
        return None
    scorer = make_scorer(house, models)
    return ModelDoubt(writer, samples, lambda draft, told: luq(draft, told, scorer))


def make_scorer(house: "House", models: Chosen) -> Consistency:
    """What tells how far samples agree: the entailment model, as LUQ has it, else a judge of its own, else cosines."""
    if house.entailment:
        return InferenceConsistency(house.entailment)
    if house.settings.judge_model and models.roles.judge:
        return JudgedConsistency(models.roles.judge)
    return EmbeddingConsistency(house.encoder)


def _notices(house: "House", entry: System) -> tuple[str, ...]:
    """A graph without the starter knowledge, and sources that hold something which cannot be searched."""
    lacking = (WITHOUT_STARTER.format(graph=house.graph_name),) if house.lacks_starter else ()
    if entry.gathering == GatheringKind.NONE:
        return lacking
    house.sources.filled()
    return (*lacking, *(f"source {source.value}: {why}" for source, why in house.sources.refused.items()))


def _notes(house: "House", entry: System) -> PatientNotes:
    names = ConceptNames(house.graph)
    if not entry.two_stage_notes:
        return NotePieces(house.linker, names)
    search = patient_search(house.settings)
    return TwoStageNotes(house.linker, names, house.encoder, search, vectors=house.patient_vectors)


def _paths(house: "House", entry: System) -> tuple[PathRetriever | None, tuple[str, ...]]:
    """What finds a system's paths, and what has to be said where that is not the policy it is named for."""
    graph, most = house.graph, house.settings.paths
    kind = PathKind.LEAPNOTE if entry.thinks_by_paths else entry.paths
    match kind:
        case PathKind.NONE:
            return None, ()
        case PathKind.LEAPNOTE:
            walked, why = _walked(house, "leapnote")
            guided = GuidedPaths(graph, house.reach, house.encoder, house.vectors, most)
            return (walked, ()) if walked else (InsteadPaths(guided, why), (f"paths by graph edges: {why}",))
        case PathKind.REINRAG:
            walked, why = _walked(house, "reinrag")
            return (walked, ()) if walked else (NoPaths(why), (f"no paths: {why}",))
        case PathKind.RANDOM1HOP:
            return Random1hop(graph, most), ()
        case PathKind.SIM1HOP:
            return Sim1hop(graph, house.encoder, house.vectors, most), ()
        case PathKind.DRKNOWS:
            return DrKnows(graph, house.encoder, house.vectors, most), ()


def _walked(house: "House", name: str) -> tuple[PolicyPaths | None, str]:
    """The paths of a policy, or None and why not: it fits another graph, or a graph from outside has no vectors yet."""
    checkpoint, why = house.policy(name)
    if checkpoint is None:
        return None, why
    try:
        vectors, most = house.concept_vectors, house.settings.paths
    except KnowledgeError as error:
        return None, str(error)
    live = house.live.walk if house.live else None
    where = house.live_name if house.live else ""
    fillers = house.open_concepts
    return PolicyPaths(house.graph, vectors, house.encoder, checkpoint, house.reach, fillers, most, live, where), ""
