"""Names from imported knowledge are text on every screen: none is an image, a link, a colour, a formula or a tag."""

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.message import Message

from app.components.evaluation.charts import _literal
from app.components.knowledge.graph_picture import neighbours_picture
from app.components.shell.notices import plain
from backend.schemas.visible_text import visible
from tests.app.conftest import Open, Page
from tests.app.screens.administration.test_knowledge import GOUT, TABLE, FakeReview
from tests.app.screens.research.test_results import FOUND

HOSTILE = (
    "![x](http://127.0.0.1:9/x.png)",
    "[a](javascript:alert(1))",
    ":red[x]",
    ":material/home:",
    "$x$",
    "<img src=x>",
    "`code`",
    "**bold**",
    "~~gone~~",
    "&lt;b&gt;",
    "safe\u202egnp.live",
    "zero\u200bwidth",
    "mark\u200ered\u061c\u2067x\u2069\ufeff",
)
HIDDEN = "\u202e\u200b\u200e\u061c\u2067\u2069\ufeff"
# what these fields of an element hold is shown as it is, or not at all
NOT_MARKUP = {
    "Selectbox.options",
    "MultiSelect.options",
    "TextInput.default",
    "TextInput.value",
    "Code.code_text",
    "Text.body",
    "TextArea.default",
    "TextArea.value",
}
NOT_SHOWN = {
    "id",
    "form_id",
    "query_params",
    "page_script_hash",
    "fragment_id",
    "element_id",
    "srcdoc",
    "data",
    "value",
}


def marked_up(message: Message) -> Iterator[tuple[str, str]]:
    """Every string of an element that the browser may read as Markdown, with the name of its field."""
    kind = message.DESCRIPTOR.name
    for field, value in message.ListFields():
        name = f"{kind}.{field.name}"
        if field.name in NOT_SHOWN or name in NOT_MARKUP:
            continue
        for one in value if hasattr(value, "append") else (value,):
            if isinstance(one, str):
                yield name, one
            elif isinstance(one, Message):
                yield from marked_up(one)


def texts(page: Page) -> list[tuple[str, str]]:
    """All Markdown of a page: of its elements, and of the expanders, tabs and popovers around them."""
    found: list[tuple[str, str]] = []

    def walk(node: Any) -> None:
        if isinstance(node.proto, Message):
            found.extend(marked_up(node.proto))
        for child in getattr(node, "children", {}).values():
            walk(child)

    for top in page.test._tree.children.values():
        for child in getattr(top, "children", {}).values():
            walk(child)
    return found


def spoilt(value: Any, name: str) -> Any:
    """The answer of an API whose every name is that one; ids, groups and numbers stay."""
    if isinstance(value, dict):
        stored = ("concept_id", "group", "source", "sha256", "hash", "collections_id", "setting")
        return {key: inner if key in stored else spoilt(inner, name) for key, inner in value.items()}
    if isinstance(value, list):
        return [spoilt(inner, name) for inner in value]
    return name if isinstance(value, str) else value


def assert_literal(found: list[tuple[str, str]], name: str) -> None:
    assert found
    raw = [(field, text) for field, text in found if name in text or set(HIDDEN) & set(text)]
    assert raw == []


@pytest.mark.parametrize("name", HOSTILE)
def test_graph_screen_takes_every_name_literally(open_page: Open, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_page()
    api = page.api
    concept = {
        "concept_id": "T:x",
        "name": name,
        "group": "DISO",
        "category": name,
        "synonyms": [name],
        "definition": name,
    }
    row = {"relation": name, "qualifier": name, "concept": {**concept, "concept_id": "T:y"}}
    monkeypatch.setattr(api, "concepts", lambda words, limit=20: [concept])
    monkeypatch.setattr(api, "neighbours", lambda concept_id: {"concept": concept, "neighbours": [row]})
    monkeypatch.setattr(api, "paths", lambda start, end: {"steps": [row, row]})
    page = page.go("medical_graph")
    page.test.text_input(key="words").set_value("x")
    page.test.run()
    page.test.text_input(key="other_words").set_value("y")
    page.run()
    found = texts(page)
    assert_literal(found, name)
    for field in ("Heading.body", "Markdown.body", "Option.content"):
        assert any(plain(name) in text for at, text in found if at == field), field
    table = page.test.dataframe[0].value
    assert list(table["concept"]) == [visible(name)]
    assert set(HIDDEN).isdisjoint("".join(map(str, table.to_numpy().ravel())))
    assert set(HIDDEN).isdisjoint(page.test.selectbox(key="concept").options[0])


@pytest.mark.parametrize("name", HOSTILE)
def test_settings_screen_takes_every_name_literally(
    open_page: Open, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page()
    for part in ("knowledge", "prompts", "systems"):
        stated = spoilt(getattr(page.api, part)(), name)
        monkeypatch.setattr(page.api, part, lambda stated=stated: stated)
    assert_literal(texts(page.go("settings")), name)


@pytest.mark.parametrize("name", HOSTILE)
def test_review_of_the_knowledge_takes_every_name_literally(
    open_page: Open, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, review = open_page(), FakeReview()
    kept = {"at": "2026-05-04T10:00:00Z", "until": "2026-05-04T10:00:00Z", "kind": "chapter", "verdict": "accepted"}
    item = spoilt(GOUT, name) | kept | {"id": "chapter/gout", "file": name, "state": "accepted"}
    item["history"] = [spoilt(GOUT["history"][0], name) | kept]
    held = spoilt(TABLE, name) | {"at": kept["at"], "replaced": [{"digest": "0" * 16, "rows": 1, "by": name} | kept]}
    cells = dict.fromkeys(("id", "needs", "excludes", "section", "says"), name)
    held["rows"] = [row | cells for row in held["rows"]]
    monkeypatch.setattr(review, "items", lambda *asked: {"total": 1, "items": [item]})
    monkeypatch.setattr(review, "item", lambda asked: item)
    monkeypatch.setattr(review, "table", lambda asked: held)
    monkeypatch.setattr(
        review, "journal", lambda limit: {"total": 1, "decisions": [item["history"][0] | {"item": name}]}
    )
    page.test.session_state["review_client"] = review
    page = page.go("knowledge")
    assert_literal(texts(page), name)
    for part in ("formulary", "instructions", "journal"):
        page.test.session_state["knowledge_part"] = part
        assert_literal(texts(page.run()), name)
    page.test.session_state["knowledge_part"] = "items"
    page.run()
    assert_literal(texts(page.press("open_chapter/gout")), name)


@pytest.mark.parametrize("name", HOSTILE)
def test_results_screen_takes_every_name_literally(open_page: Open, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_page()
    stated = FOUND.model_dump(mode="json") | {
        "not_available": [{"name": name, "reason": name}],
        "caveats": [name],
        "charts": [
            {
                "name": "one",
                "title": name,
                "figure": {"data": [{"type": "bar", "x": [name], "y": [1]}], "layout": {"title": {"text": name}}},
            }
        ],
        "measures": {"recall": name, name: name},
        "systems": {name: name},
    }
    broken = {"id": name, "problem": name}
    monkeypatch.setattr(page.api, "results", lambda: [stated, broken])
    page = page.go("results")
    found = texts(page)
    assert_literal([(at, text) for at, text in found if at != "PlotlyChart.spec"], name)
    assert any(plain(name) in text for at, text in found if at == "Alert.body")
    page.test.selectbox(key="result_run").select(name)
    assert_literal(texts(page.run()), name)


@pytest.mark.parametrize("name", HOSTILE)
def test_picture_draws_no_hidden_characters_and_no_tags(name: str) -> None:
    concept = {"concept_id": "T:x", "name": name, "group": "DISO"}
    row = {"relation": name, "concept": {**concept, "concept_id": "T:y"}}
    html = neighbours_picture(concept, [row], 5).html
    assert set(HIDDEN).isdisjoint(html)
    assert "<img" not in html


def test_plain_escapes_each_character_of_markup_and_drops_what_nobody_sees() -> None:
    assert plain("![x](y)") == "\\!\\[x\\]\\(y\\)"
    assert plain(":red[x] $x$ <img> &lt;") == "\\:red\\[x\\] \\$x\\$ \\<img\\> \\&lt;"
    assert plain("a\u202eb\u2066c\u200bd\ufeffe\u061cf\u200eg") == "abcdefg"
    assert plain("Ménière, 25 µg, Åse") == "Ménière, 25 µg, Åse"


def test_a_figure_s_text_holds_no_tag() -> None:
    figure = {"layout": {"title": {"text": '<a href="javascript:x">a</a> & b'}}, "data": [{"x": ["<b>", 1.5, None]}]}
    shown = _literal(figure)
    assert shown["layout"]["title"]["text"] == '&lt;a href="javascript:x">a&lt;/a> &amp; b'
    assert shown["data"] == [{"x": ["&lt;b>", 1.5, None]}]
