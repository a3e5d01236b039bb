"""Small text sources in memory, for gatherers."""

from collections.abc import Mapping
from typing import Any

from backend.retrieval.passages.passage_rows import passage_text
from backend.retrieval.passages.source_search import IndexedSearch, InMemory
from backend.schemas.vocabulary import Source
from backend.stores.passages.passage_index import PassageRow

BOOK = {
    "Heart failure: Diet": "Salt makes the body hold water. Eat less salt.",
    "Heart failure: Activity": "Walk a little every day.",
    "Pneumonia: Diet": "Drink water when you have a fever.",
    "Gout: Diet": "Beer can bring on gout.",
    "Botulism": "Infant botulism brings weak arms and constipation.",
}
WIKI = {"Heart failure": "Heart failure is a weak pump. Swelling of legs.", "Sodium": "Sodium is a part of salt."}


def rows_of(source: Source, texts: Mapping[str, str]) -> list[PassageRow]:
    return [
        PassageRow(f"{source}{i}", source, f"{source}/{i}", title, text, 0, len(text), licence="none")
        for i, (title, text) in enumerate(texts.items())
    ]


def in_memory(source: Source, texts: Mapping[str, str], encoder: Any) -> InMemory:
    rows = rows_of(source, texts)
    return InMemory(rows, encoder.encode([passage_text(row) for row in rows]))


def searched(encoder: Any, **texts: Mapping[str, str]) -> IndexedSearch:
    """`book=BOOK` and so on."""
    held = {Source(name): in_memory(Source(name), found, encoder) for name, found in texts.items()}
    return IndexedSearch(held, encoder.encode)
