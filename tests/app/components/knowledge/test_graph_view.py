"""Concepts of the graph, their neighbours, and ways between them, drawn."""

from typing import Any

import pytest

from app.components.knowledge import graph_view
from app.components.knowledge.graph_picture import Picture
from tests.app.conftest import Drawn


def concept(name: str, **more: Any) -> dict[str, Any]:
    return {
        "concept_id": f"T:{name}", "name": name, "group": "DISO", "category": "disease", "synonyms": [], "definition": "",
    } | more  # fmt: skip


def step(relation: str, name: str) -> dict[str, Any]:
    return {"relation": relation, "qualifier": "", "concept": concept(name)}


def test_a_way_names_each_step_after_the_first_with_its_relation() -> None:
    steps = [step("", "gout"), step("treated_by", "colchicine"), step("may_cause", "*rash*")]
    (way,) = Drawn(lambda: graph_view.draw_way(steps)).test.markdown
    assert way.value == r"gout — treated by → **colchicine** — may cause → **\*rash\***"
    assert "No way of at most four edges" in Drawn(lambda: graph_view.draw_way([])).said()


def test_neighbours_stand_by_relation_and_name_and_none_is_said() -> None:
    rows = [step("treated_by", "b"), step("may_cause", "z"), step("may_cause", "a")]
    table = Drawn(lambda: graph_view.draw_neighbours(rows)).test.dataframe[0].value
    assert list(zip(table["relation"], table["concept"], strict=True)) == [
        ("may cause", "a"), ("may cause", "z"), ("treated by", "b"),
    ]  # fmt: skip
    assert "Nothing is joined to it." in Drawn(lambda: graph_view.draw_neighbours([])).said()


def test_a_concept_without_synonyms_or_definition_leaves_them_out() -> None:
    plain = Drawn(lambda: graph_view.draw_concept(concept("gout"), 2))
    assert "Also called" not in plain.said() and plain.test.markdown.len == 0
    whole = concept("gout", synonyms=["podagra"], definition="Crystals in a *joint*.")
    drawn = Drawn(lambda: graph_view.draw_concept(whole, 2))
    assert "Also called: podagra." in drawn.said() and "2 edges" in drawn.said()
    assert drawn.test.markdown[0].value == r"Crystals in a \*joint\*\."


def test_the_concept_chosen_is_the_first_found_or_none() -> None:
    chosen: list[Any] = []
    rows = [concept("gout"), concept("gouty arthritis")]
    Drawn(lambda: chosen.append(graph_view.draw_found(rows, "one")))
    none = Drawn(lambda: chosen.append(graph_view.draw_found([], "two")))
    assert chosen == [rows[0], None] and "no such concept" in none.said()


@pytest.mark.parametrize(("count", "told"), [(3, False), (4, True)])
def test_a_picture_says_when_some_are_left_out(count: int, told: bool) -> None:
    drawn = Drawn(lambda: graph_view.draw_picture(Picture("<p>x</p>", 100), count, 3))
    assert ("The first 3 of 4" in drawn.said()) is told


def test_a_concept_of_the_note_is_searched_for_by_its_button() -> None:
    found: list[str] = []
    drawn = Drawn(lambda: graph_view.draw_offers(["heart *failure*"], found.append))
    assert drawn.test.button[0].label == r"heart \*failure\*"
    drawn.press("offer-heart *failure*")
    assert found == ["heart *failure*"]
    assert "After a draft" in Drawn(lambda: graph_view.draw_offers([], found.append)).said()
