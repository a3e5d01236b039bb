"""Everyday words of symptoms as names, so that the linker reads back what a draft says."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from backend.schemas.vocabulary import Category
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow


def with_plain_names(rows: Sequence[ConceptRow], worded: Collection[str] | None = None) -> Iterator[ConceptRow]:
    """The rows with a symptom's everyday words among its names, where no other concept has those words.

    A draft says `feeling sick to the stomach` for nausea; the linker must read it back as nausea.

    Args:
        rows: gone through twice and not held.
        worded: the ids whose definitions are such words; all by default.

    Yields:
        The rows in their order.
    """
    spoken = (Category.SYMPTOM, Category.FINDING)
    definitions = [(row.concept_id, row.definition.lower()) for row in rows if row.definition]
    definitions = [(concept, words) for concept, words in definitions if worded is None or concept in worded]
    said = Counter(words for _, words in definitions)
    named = {name.lower() for row in rows for name in (row.name, *row.synonyms)} & said.keys()
    for row in rows:
        words = row.definition.lower()
        own = words and row.category in spoken and (worded is None or row.concept_id in worded)
        if own and said[words] == 1 and words not in named:
            yield row._replace(synonyms=(*row.synonyms, row.definition))
        else:
            yield row


STARTER_PREFIX = "LN:"


def is_starter(concept_id: str) -> bool:
    """Whether an id is of the starter knowledge."""
    return concept_id.startswith(STARTER_PREFIX)


def starter_first(rows: Iterable[ConceptRow]) -> Iterator[ConceptRow]:
    """The starter's rows as they come, then the others as they came."""
    others = []
    for row in rows:
        if is_starter(row.concept_id):
            yield row
        else:
            others.append(row)
    yield from others


def ids_by_name(graph: Graph) -> dict[str, str]:
    """The id of each preferred name: the starter's where it has one, else the last of the graph's order."""
    found = dict(zip(graph.names, graph.ids, strict=True))
    found.update((name, one) for name, one in zip(graph.names, graph.ids, strict=True) if is_starter(one))
    return found
