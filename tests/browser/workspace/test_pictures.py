"""The pictures of paths and of a concept's neighbours: labels wrapped, cut at sixty characters, over no other, at forty concepts."""

from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from app.components.knowledge.graph_picture import neighbours_picture
from tests.browser.workspace.steps import HELD, drafted, open_workspace

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
LONG = "Angiotensin converting enzyme inhibitor therapy for patients with chronic kidney disease"
NAMES = ("Pain", LONG, "Dihydroxyacetonephosphateacyltransferase deficiency", "WWWWWWWW MMMMMMMM " * 3, "Heart failure")
RELATIONS = ("cause_of", "may_be_treated_by", "is_contraindicated_with_a_mechanism_of_action_of_a_drug_that_holds")
LEAST_FONT_PX = 9.5
# of every label and box: its place on the screen, with what it is; and of every text its place and its box's
PLACES = """(svg) => {
  const place = (e) => { const r = e.getBoundingClientRect(); return [r.x, r.y, r.right, r.bottom]; };
  const groups = [...svg.querySelectorAll("g")].filter((g) => [...g.children].some((one) => one.tagName === "text"));
  const own = (g) => g.querySelector("rect") || g.querySelector("text");
  const shown = (g) => [...g.querySelectorAll("tspan")].map((one) => one.textContent).join(" ");
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return groups.map((g) => ({ whole: g.querySelector("title").textContent, shown: shown(g), lines: g.querySelectorAll("tspan").length,
    box: place(own(g)), text: place(g.querySelector("text")), font: scale * parseFloat(getComputedStyle(g.querySelector("text")).fontSize) }));
}"""


def forty_concepts() -> list[dict[str, Any]]:
    """Ten paths of four steps, each through concepts of its own."""
    steps = [
        {
            "concept_id": f"T:{place}",
            "name": f"{NAMES[place % len(NAMES)]} {place}",
            "relation": RELATIONS[place % 3] if place % 4 else "",
            "leap": False,
        }
        for place in range(40)
    ]
    return [
        {
            "id": f"K{row}",
            "keyword": steps[4 * row]["name"],
            "text": "t",
            "supported_text": "t",
            "steps": steps[4 * row : 4 * row + 4],
        }
        for row in range(10)
    ]


def overlap(one: list[float], other: list[float]) -> bool:
    return one[0] < other[2] - 0.5 and other[0] < one[2] - 0.5 and one[1] < other[3] - 0.5 and other[1] < one[3] - 0.5


def check(picture: Locator, concepts: int) -> None:
    """No label leaves its box, none lies over another, long ones are wrapped and cut at sixty, and all can be read."""
    labels = picture.evaluate(PLACES)
    assert len(labels) > concepts
    assert [(a["whole"], b["whole"]) for a, b in combinations(labels, 2) if overlap(a["box"], b["box"])] == []
    for label in labels:
        box, text = label["box"], label["text"]
        assert text[0] >= box[0] - 1 and text[2] <= box[2] + 1 and text[1] >= box[1] - 2 and text[3] <= box[3] + 2, (
            label
        )
        assert len(label["shown"]) <= 60 + label["lines"] and label["font"] >= LEAST_FONT_PX
    long = [label for label in labels if label["whole"].startswith("Angiotensin")]
    assert long and all(label["lines"] > 1 and label["shown"].endswith("…") for label in long)
    assert all(len(label["shown"]) > 50 for label in long)  # cut at sixty, not at what fits in a line


def test_paths_through_forty_concepts_can_all_be_read(context: BrowserContext, address: str) -> None:
    page = drafted(open_workspace(context, address))
    page.evaluate(
        f"(paths) => {{ const view = {HELD}.view; window.leapnoteWorkspace.store.set({{ how: true, dialog: {{ kind: 'picture' }}, "
        "view: { ...view, draft: { ...view.draft, evidence: { ...view.draft.evidence, paths } } } }); }",
        forty_concepts(),
    )
    picture = page.locator("dialog .picture svg")
    expect(picture.locator(".node")).to_have_count(40)
    expect(picture.locator(".edge-label")).to_have_count(30)
    check(picture, 40)


def test_forty_neighbours_can_all_be_read(context: BrowserContext) -> None:
    rows = [
        {
            "relation": RELATIONS[place % 3],
            "concept": {"concept_id": f"T:{place}", "name": f"{NAMES[place % len(NAMES)]} {place}", "group": "CHEM"},
        }
        for place in range(40)
    ]
    page = context.new_page()
    page.set_viewport_size({"width": 700, "height": 900})
    page.set_content(neighbours_picture({"concept_id": "T:m", "name": LONG, "group": "DISO"}, rows, 40).html)
    check(page.locator("svg"), 41)
