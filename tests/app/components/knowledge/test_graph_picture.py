"""The picture of a concept and its neighbours loads nothing from anywhere, runs nothing, and lets no name out of its place."""

import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

from app.components.knowledge.graph_picture import neighbours_picture, paint, shortened, width_of, wrapped

MIDDLE = {"concept_id": "T:m", "name": "middle", "group": "DISO"}
ROWS = [
    {"relation": f"has_r{i % 3}", "concept": {"concept_id": f"T:{i}", "name": f"n{i}", "group": "CHEM"}}
    for i in range(40)
]


class Tags(HTMLParser):
    """Counts a page's tags, and collects what they would load."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [name for name, _ in attrs if name in ("src", "href", "data", "srcset") or name.startswith("on")]


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    html = neighbours_picture(MIDDLE, ROWS, 40).html
    assert (Tags(html).loads, "script" in Tags(html).tags) == ([], False)
    assert not re.search(r"@import|url\(", html)


def test_forty_neighbours_stand_in_layers_without_covering_each_other() -> None:
    picture = neighbours_picture(MIDDLE, ROWS, 40)
    boxes = [
        tuple(map(float, one))
        for one in re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', picture.html)
    ]
    assert len(boxes) == 41 and len({x for x, *_ in boxes}) == 2
    for place, (x, y, wide, high) in enumerate(boxes):
        assert y >= 0 and y + high <= picture.height
        for other_x, other_y, *_ in boxes[place + 1 :]:
            assert abs(other_x - x) >= wide or abs(other_y - y) >= high
    assert picture.html.count('class="relation"') == 3  # a relation stands once, with all that it joins


def test_it_stops_at_the_number_asked_for() -> None:
    assert neighbours_picture(MIDDLE, ROWS, 4).html.count('class="other"') == 4
    assert neighbours_picture(MIDDLE, [], 4).html.count('class="other"') == 0


@pytest.mark.parametrize(("theme", "paper"), [("light", "#ffffff"), ("dark", "#11181d"), (None, "#ffffff")])
def test_it_has_the_paper_of_the_theme(theme: str | None, paper: str) -> None:
    assert f"background:{paper}" in neighbours_picture(MIDDLE, [], 4, paint(theme)).html


def test_a_name_stays_text() -> None:
    evil: dict[str, Any] = {**MIDDLE, "name": "</title></svg><script>alert(1)</script><img src=x onerror=alert(1)>"}
    row = {"relation": "<b>", "concept": evil}
    plain = neighbours_picture(MIDDLE, [{"relation": "r", "concept": MIDDLE}], 5).html
    evil_tags, plain_tags = Tags(neighbours_picture(evil, [row], 5).html).tags, Tags(plain).tags
    assert [tag for tag in evil_tags if tag != "tspan"] == [tag for tag in plain_tags if tag != "tspan"]


def test_a_long_name_is_wrapped_and_cut_at_sixty_and_stands_whole_in_the_title() -> None:
    long = ("a very long name of a finding " * 4).strip()
    html = neighbours_picture({**MIDDLE, "name": long}, [], 5).html
    assert f"<title>{long} (Disorders)</title>" in html
    lines = re.findall("<tspan[^>]*>([^<]*)</tspan>", html)
    assert len(lines) > 1 and " ".join(lines) == shortened(long, 60) and all(width_of(one) <= 194 for one in lines)


def test_a_word_that_no_line_holds_is_broken_and_letters_of_full_width_take_theirs() -> None:
    """195 px hold 15 letters of 13 px."""
    assert wrapped("漢" * 31, 195) == ["漢" * 15, "漢" * 15, "漢"]
    assert wrapped("heart failure", 195) == ["heart failure"] and wrapped("", 195) == [""]


def test_a_relation_taller_than_its_one_neighbour_touches_no_other_relation() -> None:
    rows = [{"relation": f"{'is_treated_with_something_' * 2}{i}", "concept": MIDDLE} for i in range(3)]
    ys = [float(y) for y in re.findall(r'<tspan x="339" y="([\d.]+)"', neighbours_picture(MIDDLE, rows, 5).html)]
    assert len(ys) > 6 and all(below - above >= 16 for above, below in pairwise(ys))
