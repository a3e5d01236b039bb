"""Builds what gathers evidence for a system: thought, plan, passages and graph facts."""

from typing import TYPE_CHECKING

from backend.errors import KnowledgeError
from backend.interfaces import LanguageModel, Reranker
from backend.planning.planner_parts import PlannerTools
from backend.planning.planner_table import TRAINED, source_planner
from backend.planning.rules_planner import RulesPlanner
from backend.planning.source_plan import SourceChoice
from backend.retrieval.paths.graph_facts import GraphFactRetriever
from backend.retrieval.strategies.entity_lookup import ENTITY_SOURCES, EntitySettings, EntityStrategy
from backend.retrieval.strategies.follow_up import FollowUpSettings, FollowUpStrategy
from backend.retrieval.strategies.graph_lookup import GraphLookup
from backend.retrieval.strategies.leapnote import LeapnoteSettings, LeapnoteStrategy
from backend.retrieval.strategies.source_plan_search import PlanSettings, SourcePlanStrategy
from backend.retrieval.strategies.strategy import TEXT_SOURCES, Strategy
from backend.retrieval.strategies.text_search import TextFinder
from backend.retrieval.strategies.thought_search import ThoughtMode, ThoughtSettings, ThoughtStrategy
from backend.schemas.vocabulary import Source
from backend.systems import GatheringKind, System
from models.encoders.rerankers import make_reranker
from models.llm.engines import RoleModels

if TYPE_CHECKING:
    from backend.container.container import Container

FUSION = "fusion"


def make_strategy(container: "Container", entry: System, choice: SourceChoice, models: RoleModels) -> Strategy | None:
    """What gathers for a system; None where it retrieves no text."""
    planner = models.planner
    chosen = container.settings
    finder = TextFinder(container.search, tuple(s for s in TEXT_SOURCES if choice.allows(s)), chosen.rar2_documents)
    match entry.gathering:
        case GatheringKind.NONE:
            return None
        case GatheringKind.LEAPNOTE:
            filled = container.sources.filled()
            settings = LeapnoteSettings(chosen.passages, chosen.evidence_tokens, sources=choice.sources)
            rules, facts = RulesPlanner(filled), GraphFactRetriever(container.graph)
            planned = source_planner("model", _tools(container, choice, planner)) if planner else None
            return LeapnoteStrategy(rules, container.search, facts, settings, planner, planned)
        case GatheringKind.THOUGHT:
            mode = ThoughtMode(entry.name)
            thinking = ThoughtSettings(mode, chosen.rar2_thoughts, chosen.rar2_with_question)
            return ThoughtStrategy(thinking, finder, planner)
        case GatheringKind.FOLLOW_UP:
            asking = FollowUpSettings(chosen.imedrag_rounds, chosen.imedrag_questions)
            return FollowUpStrategy(asking, finder, planner)
        case GatheringKind.PLAN:
            trained = entry.name in TRAINED and entry.name == chosen.planner_trained_for
            named = source_planner(entry.name, _tools(container, choice, planner), trained)
            withheld = Source(chosen.spo_withheld) if chosen.spo_withheld else None
            plan = PlanSettings(found=chosen.spo_found, kept=chosen.spo_kept, withheld=withheld)
            return SourcePlanStrategy(
                named, container.search, container.reranker, graph_lookup(container, container.reranker), plan
            )
        case GatheringKind.ENTITIES:
            return EntityStrategy(
                container.entity_search,
                container.graph,
                container.linker,
                _entities(container, choice),
                models.extractor,
                f"Knowledge graph {container.graph_name}",
            )


def _entities(container: "Container", choice: SourceChoice) -> EntitySettings:
    chosen = container.settings
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


def _tools(container: "Container", choice: SourceChoice, model: LanguageModel | None) -> PlannerTools:
    """The graph counts as filled where a term's relations can be ordered."""
    graph = {Source.GRAPH} if graph_lookup(container, None) is not None else set[Source]()
    return PlannerTools(frozenset(container.sources.filled()) | graph, model, choice)


def graph_lookup(container: "Container", reranker: Reranker | None) -> GraphLookup | None:
    """The graph as a source; None where a graph from outside has no vectors yet."""
    try:
        vectors = container.concept_vectors
    except KnowledgeError:
        return None
    return GraphLookup(
        container.graph,
        container.linker,
        container.encoder.encode_queries,
        vectors,
        reranker,
        texts=container.drug_texts,
    )


def reranker_of(container: "Container") -> Reranker | None:
    """The cross-encoder that is set. None for rank fusion, for which no text need be encoded again."""
    name = container.settings.reranker
    return None if name == FUSION else make_reranker(name, container.encoder)
