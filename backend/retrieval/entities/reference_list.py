"""The reference list: knowledge once each, by relevance, in one standard style (ClinicalRAG section 3.4, the KRG agent).

Two passages are one piece of knowledge when their texts are the same, or nearly, and so are their titles. A text that
differs in a concept, a number or a denial is another one, however alike the rest is. The style is that of Vancouver as far as our
sources tell their data: title, kind of source, licence, address; they name no authors and no year.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import fuzz, process

from backend.interfaces import Linker
from backend.retrieval.passages.passage_rows import references
from backend.schemas.drafts.evidence import GraphItem, Passage, Reference
from backend.schemas.vocabulary import Source

SAME_TEXT = 92.0
"""token_sort_ratio from which two texts say the same, 0 to 100; see docs/retrieval.md for how it was chosen."""
SAME_TITLE = 90.0
"""token_set_ratio of the titles: "Heart failure" and "Heart failure: Diet" may head the same text."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_CHANGES_MEANING = re.compile(
    r"\b(?:no|not|never|none|without|nor|neither|cannot|avoid|start|stop|except|\w+n[’']t|more|less|high|higher|low|lower|"
    r"raised?|increased?|decreased?|before|after|left|right|upper)\b"
)
"""Words that turn what a sentence says, though they are but one word of many."""
_MARKS = re.compile(r"[\W_]+")


class Distinct(NamedTuple):
    """passages: the first of each kind, in order. dropped: how many said what an earlier one says."""

    passages: tuple[Passage, ...]
    dropped: int


def without_duplicates(passages: Sequence[Passage], linker: Linker) -> Distinct:
    """passages: best first. Of those that say the same, the first stays. linker: names the concepts of texts alike."""
    titles = [_normal(passage.title) for passage in passages]
    # titles are short, and few are alike: only those passages' texts are compared
    alike = process.cdist(titles, titles, scorer=fuzz.token_set_ratio, score_cutoff=SAME_TITLE) if titles else ()
    texts = [_normal(passage.text) for passage in passages]
    kept: list[int] = []
    for place in range(len(passages)):
        rivals = [other for other in kept if alike[place][other] >= SAME_TITLE]
        same = (other for other in rivals if fuzz.token_sort_ratio(texts[place], texts[other]) >= SAME_TEXT)
        if not any(_same(passages[place].text, passages[other].text, linker) for other in same):
            kept.append(place)
    return Distinct(tuple(passages[place] for place in kept), len(passages) - len(kept))


def reference_list(
    passages: Sequence[Passage], graph: Sequence[GraphItem], graph_title: str, graph_licence: str = ""
) -> tuple[Reference, ...]:
    """One entry a source document, in the order of its best passage; the graph, which is one document, comes last."""
    heads = {passage.id: _document_title(passage) for passage in passages}
    listed = tuple(r.model_copy(update={"title": heads[r.evidence[0]]}) for r in references(passages))
    if not graph:
        return listed
    entry = Reference(
        number=len(listed) + 1,
        title=graph_title,
        source=Source.GRAPH,
        licence=graph_licence,
        evidence=tuple(item.id for item in graph),
    )
    return (*listed, entry)


def styled(reference: Reference) -> str:
    """`1. Heart failure [book]. Licence: CC BY 4.0. Available from: https://…` What is not known is left out."""
    parts = [f"{reference.title.rstrip('.')} [{reference.source.row.reference}]."]
    if reference.licence:
        parts.append(f"Licence: {reference.licence.rstrip('.')}.")
    if reference.url:
        parts.append(f"Available from: {reference.url}")
    return f"{reference.number}. {' '.join(parts)}"


def _document_title(passage: Passage) -> str:
    """The passage's title without its section: a reference names the document."""
    return passage.title.removesuffix(f": {passage.section}") if passage.section else passage.title


def _same(one: str, other: str, linker: Linker) -> bool:
    """For two texts nearly alike: whether nothing that matters tells them apart."""
    for pattern in (_NUMBER, _CHANGES_MEANING):
        if sorted(pattern.findall(one.lower())) != sorted(pattern.findall(other.lower())):
            return False
    named, also = (frozenset(m.concept_id for m in linker.link(text).note.mentions) for text in (one, other))
    return named == also


def _normal(text: str) -> str:
    return _MARKS.sub(" ", text.casefold()).strip()
