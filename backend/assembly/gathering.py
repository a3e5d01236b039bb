"""Builds what gathers evidence for a system: thought, plan, passages and graph facts."""

from typing import TYPE_CHECKING

from backend.errors import KnowledgeError
from backend.interfaces import LanguageModel, Reranker
from backend.planning.planned import Desk
from backend.planning.rules import RulesPlanner
from backend.planning.source_plan import SourceChoice
from backend.planning.table import TRAINED, source_planner
from backend.retrieval.gathering import TEXT_SOURCES, Gatherer
from backend.retrieval.gathering_entities import ENTITY_SOURCES, EntityGatherer, EntitySettings
from backend.retrieval.gathering_follow_up import FollowUpGatherer, FollowUpSettings
from backend.retrieval.gathering_graph import GraphLookup
from backend.retrieval.gathering_leapnote import LeapnoteGatherer, LeapnoteSettings
from backend.retrieval.gathering_plan import PlanGatherer, PlanSettings
from backend.retrieval.gathering_text import TextFinder
from backend.retrieval.gathering_thought import ThoughtGatherer, ThoughtMode, ThoughtSettings
from backend.retrieval.graph_facts import GraphFactRetriever
from backend.schemas.vocabulary import Source
from backend.systems import GatheringKind, System
from models.engines import RoleModels
from models.rerankers import make_reranker

if TYPE_CHECKING:
    from backend.assembly.house import House

FUSION = "fusion"


def make_gatherer(house: "House", entry: System, choice: SourceChoice, models: RoleModels) -> Gatherer | None:
    """What gathers for a system; None where it retrieves no text."""
    planner = models.planner
    chosen = house.settings
    finder = TextFinder(house.search, tuple(s for s in TEXT_SOURCES if choice.allows(s)), chosen.rar2_documents)
    match entry.gathering:
        case GatheringKind.NONE:
            return None
        case GatheringKind.LEAPNOTE:
            filled = house.sources.filled()
            settings = LeapnoteSettings(chosen.passages, chosen.evidence_tokens, sources=choice.sources)
            rules, facts = RulesPlanner(filled), GraphFactRetriever(house.graph)
            planned = source_planner("model", _desk(house, choice, planner)) if planner else None
            return LeapnoteGatherer(rules, house.search, facts, settings, planner, planned)
        case GatheringKind.THOUGHT:
            mode = ThoughtMode(entry.name)
            thinking = ThoughtSettings(mode, chosen.rar2_thoughts, chosen.rar2_with_question)
            return ThoughtGatherer(thinking, finder, planner)
        case GatheringKind.FOLLOW_UP:
            asking = FollowUpSettings(chosen.imedrag_rounds, chosen.imedrag_questions)
            return FollowUpGatherer(asking, finder, planner)
        case GatheringKind.PLAN:
            trained = entry.name in TRAINED and entry.name == chosen.planner_trained_for
            named = source_planner(entry.name, _desk(house, choice, planner), trained)
            withheld = Source(chosen.spo_withheld) if chosen.spo_withheld else None
            plan = PlanSettings(found=chosen.spo_found, kept=chosen.spo_kept, withheld=withheld)
            return PlanGatherer(named, house.search, house.reranker, graph_lookup(house, house.reranker), plan)
        case GatheringKind.ENTITIES:
            return EntityGatherer(
                house.entity_search,
                house.graph,
                house.linker,
                _entities(house, choice),
                models.extractor,
                f"Knowledge graph {house.graph_name}",
            )


def _entities(house: "House", choice: SourceChoice) -> EntitySettings:
    chosen = house.settings
    return EntitySettings(
        k=chosen.clinicalrag_k,
        least=chosen.clinicalrag_least,
        tokens=chosen.clinicalrag_tokens,
        most=chosen.clinicalrag_entities,
        extraction=chosen.clinicalrag_extraction,
        language=chosen.clinicalrag_language,
        references=chosen.clinicalrag_references,
        whole=chosen.clinicalrag_whole,
        sources=tuple(source for source in ENTITY_SOURCES if choice.allows(source)),
    )


def _desk(house: "House", choice: SourceChoice, model: LanguageModel | None) -> Desk:
    """The graph counts as filled where a term's relations can be ordered."""
    graph = {Source.GRAPH} if graph_lookup(house, None) is not None else set[Source]()
    return Desk(frozenset(house.sources.filled()) | graph, model, choice)


def graph_lookup(house: "House", reranker: Reranker | None) -> GraphLookup | None:
    """The graph as a source; None where a graph from outside has no vectors yet."""
    try:
        vectors = house.concept_vectors
    except KnowledgeError:
        return None
    return GraphLookup(
        house.graph, house.linker, house.encoder.encode_queries, vectors, reranker, texts=house.drug_texts
    )


def reranker_of(house: "House") -> Reranker | None:
    """The cross-encoder that is set. None for rank fusion, for which no text need be encoded again."""
    name = house.settings.reranker
    return None if name == FUSION else make_reranker(name, house.encoder)
