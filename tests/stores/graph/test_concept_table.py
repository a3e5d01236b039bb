"""Columns of concepts: the same rows, the same index, whatever the texts hold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.schemas.vocabulary import SemanticGroup
from backend.stores.graph.concept_table import ConceptTable, ConceptWriter, concept_columns
from backend.stores.graph.graph_rows import ConceptRow
from backend.stores.graph.text_column import TextColumn, text_column

TEXTS = st.text(max_size=8)
ROWS = st.lists(
    st.builds(
        ConceptRow,
        TEXTS,
        TEXTS,
        st.sampled_from([group.value for group in SemanticGroup]),
        st.sampled_from(["disease", "drug", "test"]),
        st.lists(TEXTS, max_size=3).map(tuple),
        TEXTS,
        st.booleans(),
        st.booleans(),
    ),
    max_size=90,
    unique_by=lambda row: row.concept_id,
).map(lambda rows: sorted(rows, key=lambda row: row.concept_id))


@settings(max_examples=60, deadline=None)
@given(ROWS, TEXTS)
def test_a_table_is_the_rows_and_finds_their_ids(rows: list[ConceptRow], other: str) -> None:
    table = ConceptTable(concept_columns(rows))
    assert list(table) == rows
    assert [table[i] for i in range(-len(rows), 0)] == rows
    assert table[1:3] == tuple(rows[1:3])
    assert dict(table.by_id) == {row.concept_id: i for i, row in enumerate(rows)}
    assert (other in table.by_id) == (other in {row.concept_id for row in rows})


@settings(max_examples=60, deadline=None)
@given(ROWS, st.randoms())
def test_taking_rows_in_another_order_takes_all_their_texts(rows: list[ConceptRow], random: object) -> None:
    order = list(range(len(rows)))
    random.shuffle(order)  # type: ignore[attr-defined]
    writer = ConceptWriter()
    for row in rows:
        writer.add(row)
    taken = writer.columns().take(np.array(order, dtype=np.int64))
    assert list(ConceptTable(taken)) == [rows[i] for i in order]


def test_many_ids_are_found_by_binary_search() -> None:
    ids = sorted(f"C{i:04d}" for i in range(0, 3000, 3))
    table = ConceptTable(concept_columns([ConceptRow(i, i, "DISO", "disease") for i in ids]))
    assert [table.by_id[i] for i in ids] == list(range(1000))
    assert table.by_id.get("C0001") is None
    assert table.by_id.get("") is None
    assert table.by_id.get("D") is None
    assert "\udc80" not in table.by_id
    with pytest.raises(KeyError, match="C0001"):
        table.by_id["C0001"]


def test_a_place_outside_is_an_error() -> None:
    column = text_column(["a", "é"])
    assert (column[-1], column[:2], list(column)) == ("é", ("a", "é"), ["a", "é"])
    for place in (2, -3):
        with pytest.raises(IndexError, match="2 texts"):
            column[place]
    table = ConceptTable(concept_columns([ConceptRow("a", "a", "DISO", "disease")]))
    assert table[-1] == table[0]
    for place in (1, -2):
        with pytest.raises(IndexError, match="1 concepts"):
            table[place]
    with pytest.raises(IndexError):
        ConceptTable(concept_columns([]))[0]


def test_a_column_is_not_copied() -> None:
    column = TextColumn(np.zeros(0, dtype=np.uint8), np.zeros(1, dtype=np.int64))
    assert text_column(column) is column
    assert len(column) == 0


def test_a_group_that_is_none_is_refused() -> None:
    with pytest.raises(KeyError, match="XXXX"):
        ConceptWriter().add(ConceptRow("a", "a", "XXXX", "disease"))
