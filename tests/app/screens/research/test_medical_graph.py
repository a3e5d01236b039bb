"""The graph: a concept, its neighbours, and a way to another."""

from tests.app.conftest import Open
from tests.app.fake_api import NOTE


def test_graph_shows_a_concept_its_neighbours_and_a_way_to_another(open_page: Open) -> None:
    page = open_page().go("medical_graph")
    page.test.text_input(key="words").set_value("heart")
    page.run()
    assert "too" in page.said()  # the definition, its asterisks taken literally
    assert list(page.test.dataframe[0].value["concept"]) == ["dyspnea"]
    assert page.test.get("iframe")
    page.test.text_input(key="other_words").set_value("dysp")
    page.run()
    assert "has finding" in page.said()


def test_graph_offers_the_concepts_of_the_note_and_a_click_searches_for_one(open_page: Open) -> None:
    page = open_page().go("medical_graph")
    assert "After a draft" in page.said() and "concepts" in page.said()
    page = open_page().draft(NOTE).go("medical_graph")
    offered = next(button for button in page.test.button if (button.key or "").startswith("offer-"))
    offered.click()
    assert page.run().test.text_input(key="words").value == offered.label


def test_graph_says_when_it_holds_no_such_concept(open_page: Open) -> None:
    page = open_page().go("medical_graph")
    page.test.text_input(key="words").set_value("qqq")
    assert "no such concept" in page.run().said()
