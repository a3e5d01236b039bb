"""The pyvis pictures load nothing from anywhere and let no name out of its string."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from app.components.knowledge.graph_picture import neighbours_picture, paint, paths_picture, without_outside
from tests.app.fake_api import EVIDENCE

LOADING = {"src", "href", "data", "poster", "srcset", "action"}


class References(HTMLParser):
    """Collects what a page's tags would load."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.found += [value for name, value in attrs if name in LOADING and value]


def references(html: str) -> References:
    parser = References()
    parser.feed(html)
    return parser


@pytest.fixture(scope="module")
def paths_html() -> str:
    return paths_picture(EVIDENCE.paths)


def test_picture_s_page_loads_nothing_from_another_machine(paths_html: str) -> None:
    assert [one for one in references(paths_html).found if re.match(r"(https?:)?//", one)] == []
    assert not re.search(r"@import|url\(\s*['\"]?https?:", paths_html)


def test_outside_tags_are_taken_out_and_inside_ones_stay() -> None:
    html = '<link rel="x" href="https://a/b.css"/><script src="https://a/b.js" x></script><script>1</script>'
    assert without_outside(html) == "<script>1</script>"


def test_picture_has_a_dashed_leap_and_each_concept_once(paths_html: str) -> None:
    nodes = re.search(r"nodes = new vis.DataSet\((\[.*?\])\);", paths_html)
    edges = re.search(r"edges = new vis.DataSet\((\[.*?\])\);", paths_html)
    assert nodes is not None
    assert edges is not None
    assert nodes[1].count('"label"') == 3
    assert edges[1].count('"dashes": [') == 1
    assert edges[1].count('"label": "leap"') == 1
    assert edges[1].count('"label": "finding of"') == 1


def test_an_edge_and_a_leap_between_the_same_two_are_both_drawn() -> None:
    (path,) = EVIDENCE.paths
    before, after = path.steps[:2]
    leapt = path.model_copy(update={"id": "K2", "steps": (before, after.model_copy(update={"leap": True}))})
    html = paths_picture([path.model_copy(update={"steps": (before, after)}), leapt])
    edges = re.search(r"edges = new vis.DataSet\((\[.*?\])\);", html)
    assert edges is not None
    # one of two edges is dashed, and each says whose path it is on
    assert (edges[1].count('"from"'), edges[1].count('"dashes": [')) == (2, 1)
    assert '"title": "K1"' in edges[1]
    assert '"title": "K2: no edge joins the two, a search hint"' in edges[1]


@pytest.mark.parametrize(("theme", "paper"), [("light", "#ffffff"), ("dark", "#11181d"), (None, "#ffffff")])
def test_picture_has_the_paper_of_the_theme(theme: str | None, paper: str) -> None:
    html = paths_picture(EVIDENCE.paths, paint(theme))
    assert f"body{{margin:0;background:{paper}}}" in html
    assert f"background-color: {paper}" in html


def test_a_name_cannot_end_the_picture_s_script() -> None:
    evil: dict[str, Any] = {"concept_id": "T:x", "name": "</script><img src=x onerror=alert(1)>", "group": "DISO"}
    plain = {**evil, "name": "x"}
    assert references(neighbours_picture(evil, [], 5)).scripts == references(neighbours_picture(plain, [], 5)).scripts
    assert "<img src=x" not in neighbours_picture(evil, [], 5)


def test_picture_of_neighbours_stops_at_the_number_asked_for() -> None:
    middle = {"concept_id": "T:m", "name": "middle", "group": "DISO"}
    rows = [{"relation": "r", "concept": {"concept_id": f"T:{i}", "name": f"n{i}", "group": "CHEM"}} for i in range(9)]
    assert neighbours_picture(middle, rows, 4).count('"label": "n') == 4


def test_a_long_name_is_cut_and_stands_whole_in_the_title() -> None:
    long = "a very long name of a finding " * 4
    html = neighbours_picture({"concept_id": "T:m", "name": long.strip(), "group": "DISO"}, [], 5)
    (label,) = re.findall(r'"label": "(a very.*?)"', html)
    assert len(label.encode().decode("unicode_escape")) <= 60
    assert f'"title": "{long.strip()} (DISO)"' in html
    assert '"widthConstraint"' in html  # longer labels than a box are wrapped
