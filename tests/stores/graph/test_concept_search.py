"""Concepts by part of a name: whole names, then beginnings, then parts, as a plain search over all rows would have them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.stores.graph.concept_search import ConceptSearch
from backend.stores.graph.graph_rows import ConceptRow

NAMES = st.text("ab \u00e9\u0130", min_size=1, max_size=4)


def rows(*names: tuple[str, ...]) -> list[ConceptRow]:
    return [ConceptRow(f"c{n}", first, "DISO", "disease", synonyms=more) for n, (first, *more) in enumerate(names)]


def plain(concepts: list[ConceptRow], words: str, most: int) -> list[int]:
    """What a look at every name gives."""
    ranked, wanted = [], words.lower().strip()
    for place, row in enumerate(concepts):
        names = [name.lower() for name in (row.name, *row.synonyms)]
        kinds = (wanted in names, any(n.startswith(wanted) for n in names), any(wanted in n for n in names))
        if wanted and any(kinds):
            ranked.append((kinds.index(True), row.name, place))
    return [place for *_, place in sorted(ranked)[:most]]


def test_whole_names_come_before_beginnings_and_those_before_parts() -> None:
    search = ConceptSearch(rows(("podagra of the gout",), ("gouty arthritis",), ("pain", "Gout"), ("rest",)))
    assert search.find(" GOUT ", 9) == [2, 1, 0]
    assert search.find("gout", 2) == [2, 1]
    assert search.find("zebra", 9) == search.find("  ", 9) == []


def test_words_of_two_names_beside_each_other_are_no_name() -> None:
    search = ConceptSearch(rows(("heart", "cor"), ("failure",)))
    assert search.find("heart\ncor", 9) == search.find("tc", 9) == search.find("rf", 9) == []


@given(st.lists(st.lists(NAMES, min_size=1, max_size=3, unique=True).map(tuple), max_size=6), NAMES, st.integers(1, 4))
def test_it_finds_what_a_plain_search_finds(names: list[tuple[str, ...]], words: str, most: int) -> None:
    concepts = rows(*names)
    assert ConceptSearch(concepts).find(words, most) == plain(concepts, words, most)


@pytest.mark.parametrize("words", ["a", "\u00e9", "b a"])
def test_a_graph_without_concepts_holds_nothing(words: str) -> None:
    assert ConceptSearch([]).find(words, 3) == []
