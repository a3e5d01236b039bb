"""Two systems side by side on one note."""

from tests.app.conftest import Open
from tests.app.fake_api import NOTE


def test_compare_sets_two_systems_side_by_side_on_the_same_note(open_page: Open) -> None:
    page = open_page().draft(NOTE).run()
    assert [part["label"] for part in page.parts("leapnote_reading")] == ["leapnote", "no-retrieval"]
    assert page.parts("leapnote_reading")[0]["sections"][0]["sentences"][0]["text"]
    assert {request.text for request in page.api.asked} == {NOTE}
    assert list(page.test.dataframe[0].value["System"]) == ["leapnote", "no-retrieval"]


def test_compare_without_a_note_offers_cases(open_page: Open) -> None:
    page = open_page().go("compare")
    assert page.test.text_area(key="note").value == ""
    page.test.selectbox(key="compare_sample").set_value("hf")
    assert page.run().test.text_area(key="note").value
