"""Concepts as columns: hundreds of thousands of rows in a few arrays, decoded one at a time.

Takes arrays, in memory or memory-mapped; gives what a tuple of rows and a dictionary of ids would give. The ids are
sorted, so that an id is found by binary search. It knows no edges.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, overload

import numpy as np

from backend.schemas.vocabulary import SemanticGroup
from backend.stores.graph.graph_rows import ConceptRow
from backend.stores.graph.text_column import TextColumn, TextWriter

GROUP_CODES: tuple[str, ...] = tuple(group.value for group in SemanticGroup)
GROUP_INDEX: dict[str, int] = {code: index for index, code in enumerate(GROUP_CODES)}
CONDITION, MUST_NOT_MISS = 1, 2  # bits of flags
_STRIDE = 64  # every 64th id is kept as bytes: most of a search is then over a list that fits the cache
_KEPT = (
    16_384  # rows and ids kept as objects, the last ones asked for: a note asks for the same few thousand; about 20 MB
)


class IdIndex(Mapping[str, int]):
    """Where an id stands in a column of ids in ascending order, found by binary search."""

    def __init__(self, ids: TextColumn) -> None:
        self._ids = ids
        # code points and UTF-8 bytes have the same order, so ids sorted as text are sorted as bytes
        self._marks = [bytes(ids.raw(i)) for i in range(0, len(ids), _STRIDE)]
        self._kept = lru_cache(_KEPT)(self._find)

    def __getitem__(self, concept_id: str) -> int:
        place = self._kept(concept_id)
        if place < 0:
            raise KeyError(concept_id)
        return place

    def _find(self, concept_id: str) -> int:
        """The place of an id, or -1."""
        wanted = concept_id.encode("utf-8", "surrogatepass") if isinstance(concept_id, str) else b""
        block = bisect_right(self._marks, wanted) - 1
        first, last = max(0, block * _STRIDE), min((block + 1) * _STRIDE, len(self._ids))
        place = bisect_left(range(last), wanted, first, last, key=lambda i: bytes(self._ids.raw(i)))
        return place if place < last and self._ids.raw(place) == wanted else -1

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


class ConceptColumns(NamedTuple):
    """n concepts, ids in ascending order.

    synonym_offsets: (n + 1,) int64 into synonyms. groups: (n,) int8 into SemanticGroup. category_ids: (n,) uint16 into
    categories. flags: (n,) uint8, CONDITION and MUST_NOT_MISS.
    """

    ids: TextColumn
    names: TextColumn
    synonyms: TextColumn
    synonym_offsets: np.ndarray
    definitions: TextColumn
    groups: np.ndarray
    category_ids: np.ndarray
    categories: tuple[str, ...]
    flags: np.ndarray

    def take(self, order: np.ndarray) -> "ConceptColumns":
        """The concepts of these places, in this order."""
        counts = np.diff(self.synonym_offsets)[order]
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
        places = np.arange(int(offsets[-1])) + np.repeat(self.synonym_offsets[:-1][order] - offsets[:-1], counts)
        return ConceptColumns(
            self.ids.take(order),
            self.names.take(order),
            self.synonyms.take(places),
            offsets,
            self.definitions.take(order),
            self.groups[order],
            self.category_ids[order],
            self.categories,
            self.flags[order],
        )


class ConceptTable(Sequence[ConceptRow]):
    """The rows of ConceptColumns, each made when it is asked for."""

    def __init__(self, columns: ConceptColumns) -> None:
        self.columns = columns
        self.by_id = IdIndex(columns.ids)
        self._synonym_starts = columns.synonym_offsets.data
        self._kept = lru_cache(_KEPT)(self._row)

    def __len__(self) -> int:
        return len(self.columns.ids)

    @overload
    def __getitem__(self, place: int) -> ConceptRow: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[ConceptRow, ...]: ...
    def __getitem__(self, place: int | slice) -> ConceptRow | tuple[ConceptRow, ...]:
        if isinstance(place, slice):
            return tuple(self[i] for i in range(*place.indices(len(self))))
        if not -len(self) <= place < len(self):
            raise IndexError(f"There are {len(self)} concepts; {place} is none of them")
        return self._kept(place % len(self))

    def _row(self, place: int) -> ConceptRow:
        columns, flags = self.columns, int(self.columns.flags[place])
        return ConceptRow(
            columns.ids[place],
            columns.names[place],
            GROUP_CODES[columns.groups[place]],
            columns.categories[columns.category_ids[place]],
            columns.synonyms[self._synonym_starts[place] : self._synonym_starts[place + 1]],
            columns.definitions[place],
            bool(flags & CONDITION),
            bool(flags & MUST_NOT_MISS),
        )

    def __iter__(self) -> Iterator[ConceptRow]:
        return (self._row(i) for i in range(len(self)))


class ConceptWriter:
    """Collects rows for a table, in any order; the ids must differ."""

    def __init__(self) -> None:
        self._texts = tuple(TextWriter() for _ in range(4))
        self._synonym_ends: list[int] = [0]
        self._codes = bytearray()
        self._categories: dict[str, int] = {}
        self._category_ids: list[int] = []

    def __len__(self) -> int:
        return len(self._category_ids)

    def add(self, row: ConceptRow) -> None:
        """Raises KeyError for a group that is none of the 15."""
        code = GROUP_INDEX[row.group]
        ids, names, synonyms, definitions = self._texts
        ids.add(row.concept_id)
        names.add(row.name)
        definitions.add(row.definition)
        for synonym in row.synonyms:
            synonyms.add(synonym)
        self._synonym_ends.append(len(synonyms))
        self._category_ids.append(self._categories.setdefault(str(row.category), len(self._categories)))
        self._codes += bytes((code, row.condition * CONDITION + row.must_not_miss * MUST_NOT_MISS))

    def columns(self) -> ConceptColumns:
        """The rows so far, in the order they were added."""
        ids, names, synonyms, definitions = (writer.column() for writer in self._texts)
        codes = np.frombuffer(bytes(self._codes), dtype=np.uint8).reshape(-1, 2)
        return ConceptColumns(
            ids,
            names,
            synonyms,
            np.array(self._synonym_ends, dtype=np.int64),
            definitions,
            codes[:, 0].astype(np.int8),
            np.array(self._category_ids, dtype=np.uint16),
            tuple(self._categories),
            codes[:, 1].copy(),
        )


def concept_columns(rows: Sequence[ConceptRow]) -> ConceptColumns:
    """The columns of rows that are sorted by id; those of a table as they are."""
    if isinstance(rows, ConceptTable):
        return rows.columns
    writer = ConceptWriter()
    for row in rows:
        writer.add(row)
    return writer.columns()
