"""Findings that together are the picture of a condition, from assets/rules/condition_pictures.tsv: fever with a low neutrophil count.

Summed one by one, findings count as if they were independent; clinicians know some conditions by their coming together. A picture
is complete or it is nothing. It knows no order and no time.
"""

from collections.abc import Iterable
from pathlib import Path

from backend.diagnosis.named_conditions import PAST
from backend.diagnosis.ranking.condition_courses import with_kinds
from backend.errors import KnowledgeError
from backend.nlp.lexicon.plain_names import ids_by_name
from backend.nlp.rules import rule_rows
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion, Category
from backend.stores.graph.graph import Graph

PICTURE = 2.0  # nats for a picture that is complete, over what its findings say one by one
PART, EITHER = " + ", "|"
_OF_NOW = frozenset(
    {Category.SYMPTOM, Category.FINDING}
)  # must be of today; a disease or a medicine may be known for long

Pictures = dict[str, tuple[tuple[frozenset[str], ...], ...]]


def complete(pictures: Pictures, mentions: Iterable[Mention]) -> frozenset[str]:
    """The ids of the conditions of which the mentions of a note show a whole picture."""
    present = {mention.concept_id for mention in mentions if _counts(mention)}
    return frozenset(
        condition
        for condition, shown in pictures.items()
        if any(all(not part.isdisjoint(present) for part in picture) for picture in shown)
    )


def read_pictures(path: Path, graph: Graph) -> Pictures:
    """Pictures by condition id, each the alternatives of its parts, kinds included.

    A picture of which the graph lacks the condition or all names of a part is passed over: another graph may be loaded.

    Raises:
        KnowledgeError: a line has another shape.
    """
    by_name = ids_by_name(graph)
    pictures: dict[str, list[tuple[frozenset[str], ...]]] = {}
    for name, signs in rule_rows(path, 2):
        parts = signs.split(PART)
        if len(parts) < 2:
            raise KnowledgeError(f"{path.name}, '{name}': {signs!r} is one part; join two or more by '{PART}'.")
        known = [with_kinds(graph, [by_name[one] for one in part.split(EITHER) if one in by_name]) for part in parts]
        if name in by_name and all(known):
            pictures.setdefault(by_name[name], []).append(tuple(known))
    return {condition: tuple(shown) for condition, shown in pictures.items()}


def _counts(mention: Mention) -> bool:
    if mention.assertion == Assertion.PRESENT:
        return mention.category not in _OF_NOW or mention.section not in PAST
    return mention.assertion == Assertion.HISTORICAL and mention.category not in _OF_NOW
