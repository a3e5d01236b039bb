"""ClinicalRAG: entities of the note, looked up in graph, book and online text, put in words, listed as references.

Extraction, entity index, knowledge to language and reference list (backend/retrieval/entities) are the paper's four agents;
each but the index can be switched off, as its ablation has it. The sources alternate, each one's best first, and what the
input limit has no room for is dropped from the end. "Online" is a corpus that was downloaded with permission, the source wiki: nothing is fetched.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from backend.interfaces import LanguageModel, Linker, NoteContext
from backend.prompts.asking import Asker
from backend.prompts.task import first_words
from backend.prompts.template import NewFence, fresh_fence
from backend.registry import strategy
from backend.retrieval.entities.entity_extraction import Entity, Extracted, extracted
from backend.retrieval.entities.entity_search import EntityQuery, EntitySearch, Reach, SourceFinds
from backend.retrieval.entities.knowledge_to_language import Verbalised, item_of, marked, verbalised_by_model
from backend.retrieval.entities.reference_list import reference_list, without_duplicates
from backend.retrieval.passages.passage_rows import numbered, passage_key
from backend.retrieval.strategies.strategy import (
    Progress,
    RetrievedEvidence,
    counted,
    estimated_tokens,
    retrieved,
    silent,
)
from backend.retrieval.strategies.strategy_parts import StrategyParts
from backend.schemas.drafts.evidence import GraphItem, Passage, Plan, Reference, SubQuery
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source
from backend.stores.graph.graph import Graph

ENTITY_SOURCES = (Source.GRAPH, Source.BOOK, Source.WIKI)
SHOWN_WORDS = 32  # of a whole note, where it is the query


@dataclass(frozen=True)
class EntitySettings:
    """How entities are looked up.

    Attributes:
        k: pieces an entity brings from each source (Eq. 3).
        least: the cosine from which two entities are near, -1 to 1.
        tokens: what note, question, options and knowledge may take together; the paper compares 4096, 2048 and 1024.
        most: entities looked up.
        extraction: name entities (agent MEE); else the note as a whole is the query.
        language: put graph knowledge into words (agent KNL).
        references: give a reference list without duplicates (agent KRG).
        whole: entities that the whole note leads to without extraction.
        sources: those that may be read.

    Raises:
        ValueError: a count below 1, or a cosine outside -1 to 1.
    """

    k: int = 5
    least: float = 0.85
    tokens: int = 4096
    most: int = 32
    extraction: bool = True
    language: bool = True
    references: bool = True
    whole: int = 10
    sources: tuple[Source, ...] = ENTITY_SOURCES

    def __post_init__(self) -> None:
        wrong = [name for name in ("k", "tokens", "most", "whole") if getattr(self, name) < 1]
        if wrong or not -1 <= self.least <= 1:
            values = ", ".join(f"{name}={getattr(self, name)}" for name in wrong) or f"least={self.least}"
            raise ValueError(f"ClinicalRAG cannot run with {values}. Counts are at least 1, a cosine lies in -1 to 1.")


class EntityStrategy:
    """Entities, their facts and passages, and a reference list.

    Args:
        search: the entity index.
        graph: the knowledge graph.
        linker: reads a text; it remembers what it has read.
        settings: how entities are looked up.
        model: the agents' model; without one, dictionary and templates.
        graph_title: names the graph as a reference.
        graph_licence: of the graph as a reference.
        new_fence: gives the fence of a request's prompts.
        count_tokens: tokens of a text.
    """

    def __init__(
        self,
        search: EntitySearch,
        graph: Graph,
        linker: Linker,
        settings: EntitySettings = EntitySettings(),
        model: LanguageModel | None = None,
        graph_title: str = "Knowledge graph",
        graph_licence: str = "",
        new_fence: NewFence = fresh_fence,
        count_tokens: Callable[[str], int] | None = None,
    ) -> None:
        self._search = search
        self._graph = graph
        self._linker = linker
        self._settings = settings
        self._model = model
        self._graph_title = graph_title
        self._graph_licence = graph_licence
        self._new_fence = new_fence
        self._count = count_tokens or estimated_tokens

    def retrieve(self, context: NoteContext, progress: Progress = silent) -> RetrievedEvidence:
        """What graph, books and encyclopaedia hold of the entities."""
        linked, request = context.linked, context.request
        settings = self._settings
        asker = Asker(self._model, request.seed, self._new_fence) if self._model is not None else None
        parts = dict.fromkeys(
            (request.question.strip(), linked.note.text.strip())
        )  # a question alone is the linked text
        text = "\n".join(part for part in parts if part)
        progress(0, 3, "entities")
        named = self._entities(linked, request, asker)
        entities = named.entities[: settings.most]
        progress(1, 3, "looking up entities")
        query = self._search.query(entities, "" if settings.extraction else text)
        finds = self._finds(query, progress)
        progress(2, 3, "knowledge to language")
        pieces, dropped = self._chosen(finds)
        kept = self._within(pieces, self._count("\n".join((text, *request.options))))
        passages = numbered([p for p in kept if isinstance(p, Passage)])
        items = tuple(
            item.model_copy(update={"id": f"G{number}"})
            for number, item in enumerate((p for p in kept if isinstance(p, GraphItem)), start=1)
        )
        verbalised = (
            verbalised_by_model(asker, items, self._linker)
            if asker is not None and settings.language
            else Verbalised({})
        )
        items = self._in_words(items, verbalised, passages, text, request)
        progress(3, 3, "references")
        listed: tuple[Reference, ...] = ()
        if settings.references:
            listed = reference_list(passages, items, self._graph_title, self._graph_licence)
        exact = f"entity vectors: {self._search.exact} So an entity finds itself alone." if self._search.exact else ""
        thoughts = marked(verbalised, asker.name if asker else "")
        return retrieved(
            Plan(thoughts=thoughts, sub_queries=self._sub_queries(entities, text, finds)),
            passages,
            reasons=(
                _words_reason(verbalised, asker.name if asker else "", settings.language),
                self._plan_reason(named),
                self._found_reason(passages, items, dropped, len(pieces) - len(kept)),
            ),
            graph=items,
            listed=listed,
            fallbacks=(
                named.fell,
                exact,
                *(text for find in finds.values() for text in find.fallbacks),
                verbalised.fell,
            ),
        )

    def _entities(self, linked: LinkedNote, request: DraftRequest, asker: Asker | None) -> Extracted:
        if not self._settings.extraction:
            return Extracted((), "")
        beside = request.question.strip() and request.text.strip()
        question = self._linker.link(request.question) if beside else None
        return extracted(linked, question, self._linker, asker)

    def _finds(self, query: EntityQuery, progress: Progress) -> dict[Source, SourceFinds]:
        """What each source that is read has found."""
        settings = self._settings
        reach = Reach(settings.k, settings.least, settings.whole)
        finds: dict[Source, SourceFinds] = {}
        for source in (s for s in ENTITY_SOURCES if s in settings.sources):
            if source == Source.GRAPH:
                finds[source] = self._search.facts(query, reach, settings.references)
            else:
                finds[source] = self._search.passages(source, query, reach, settings.references, progress)
        return finds

    def _chosen(self, finds: Mapping[Source, SourceFinds]) -> tuple[list[Passage | GraphItem], int]:
        """The pieces in turn over the sources, in words, and how many were left out as saying the same."""
        lists: list[list[Passage | GraphItem]] = []
        for find in finds.values():
            facts = [item_of(self._graph, fact, "G0", not self._settings.language) for fact in find.facts]
            lists.append([*facts, *find.passages])
        most = max((len(one) for one in lists), default=0)
        alternating = [one[place] for place in range(most) for one in lists if place < len(one)]
        if not self._settings.references:
            return alternating, 0
        distinct = without_duplicates([piece for piece in alternating if isinstance(piece, Passage)], self._linker)
        kept = {passage_key(passage) for passage in distinct.passages}
        return [p for p in alternating if not isinstance(p, Passage) or passage_key(p) in kept], distinct.dropped

    def _within(self, pieces: Sequence[Passage | GraphItem], spent: int) -> list[Passage | GraphItem]:
        """The pieces in order until the next one would break the input limit; spent: tokens of note and question."""
        for place, piece in enumerate(pieces):
            title = f"{piece.title}. " if isinstance(piece, Passage) else ""
            spent += self._count(f"{title}{piece.text}")
            if spent > self._settings.tokens:
                return list(pieces[:place])
        return list(pieces)

    def _in_words(
        self,
        items: Sequence[GraphItem],
        verbalised: Verbalised,
        passages: Sequence[Passage],
        text: str,
        request: DraftRequest,
    ) -> tuple[GraphItem, ...]:
        """The items with what a model says of them (Eq. 4), as far as the input limit has room beside what was found."""
        left = self._settings.tokens - self._count("\n".join((text, *request.options)))
        left -= sum(self._count(f"{p.title}. {p.text}") for p in passages) + sum(self._count(i.text) for i in items)
        out = []
        for item in items:
            said = verbalised.texts.get(item.id, "")
            cost = self._count(said) if said else 0
            fits = said and cost <= left
            left -= cost if fits else 0
            out.append(item.model_copy(update={"wording": said}) if fits else item)
        return tuple(out)

    def _sub_queries(
        self, entities: Sequence[Entity], text: str, finds: Mapping[Source, SourceFinds]
    ) -> tuple[SubQuery, ...]:
        planned: list[SubQuery] = []
        for source in Source:
            find = finds.get(source)
            if find is None or not find.holds:
                planned.append(SubQuery(source=source, text="", skipped=self._why_not(source)))
            elif not self._settings.extraction:
                planned.append(SubQuery(source=source, text=first_words(text, SHOWN_WORDS), reason="the whole note"))
            elif not entities:
                planned.append(SubQuery(source=source, text="", skipped="There is no entity to look up."))
            else:
                brought = find.brought or (0,) * len(entities)
                planned.extend(
                    SubQuery(
                        source=source,
                        text=entity.name,
                        reason=f"{entity.category}: {counted(found, 'piece')} found",
                        skipped="" if found else "This source holds no entity near enough.",
                    )
                    for entity, found in zip(entities, brought, strict=True)
                )
        return tuple(planned)

    def _why_not(self, source: Source) -> str:
        if source not in ENTITY_SOURCES:
            return "This system reads the graph, books and the encyclopaedia."
        if source not in self._settings.sources:
            return "Left out by choice."
        return f"No passages are indexed for source '{source.value}'."

    def _plan_reason(self, named: Extracted) -> str:
        if not self._settings.extraction:
            return f"the whole note is the query: its {self._settings.whole} nearest entities of each source"
        kinds = Counter(entity.category.value for entity in named.entities)
        by_kind = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common())
        number = len(named.entities)
        parts = [
            f"{number} {'entity' if number == 1 else 'entities'} by {named.by}{f' ({by_kind})' if by_kind else ''}"
        ]
        if number > self._settings.most:
            parts.append(f"the first {self._settings.most} looked up")
        if named.excluded:
            parts.append(f"{named.excluded} denied, of a relative, supposed or allergens, not looked up")
        if named.made_up:
            parts.append(f"{named.made_up} dropped, since the text does not hold them as given")
        return "; ".join(parts)

    def _found_reason(self, passages: Sequence[Passage], items: Sequence[GraphItem], same: int, cut: int) -> str:
        parts = [f"{counted(len(passages), 'passage')}, {counted(len(items), 'graph item')} by entity"]
        if not self._settings.language:
            parts.append("facts as raw triples")
        if same:
            parts.append(f"{same} left out as saying the same")
        if cut:
            parts.append(f"{cut} dropped by the input limit of {self._settings.tokens:,} tokens, the last ranked first")
        return "; ".join(parts)


def _words_reason(verbalised: Verbalised, name: str, language: bool) -> str:
    if not language:
        return "left out: knowledge is not put into words"
    if not name:
        return "left out: this system looks up entities; facts are worded by template"
    refused = f", {verbalised.refused} refused for saying more than their fact" if verbalised.refused else ""
    return f"{counted(len(verbalised.texts), 'fact')} worded anew by {name}, marked and no evidence{refused}"


@strategy("clinicalrag", label="Entities")
def entity_strategy(parts: StrategyParts) -> EntityStrategy:
    """Entities with categories, looked up in graph, book and wiki (ClinicalRAG)."""
    chosen = parts.settings
    settings = EntitySettings(
        k=chosen.clinicalrag_k,
        least=chosen.clinicalrag_least,
        tokens=chosen.clinicalrag_tokens,
        most=chosen.clinicalrag_entities,
        extraction=chosen.clinicalrag_extraction,
        language=chosen.clinicalrag_language,
        references=chosen.clinicalrag_references,
        whole=chosen.clinicalrag_whole,
        sources=tuple(source for source in ENTITY_SOURCES if source in parts.sources),
    )
    return EntityStrategy(
        parts.entities(),
        parts.graph,
        parts.linker,
        settings,
        parts.extractor_model,
        f"Knowledge graph {parts.graph_name}",
        new_fence=parts.new_fence,
    )
