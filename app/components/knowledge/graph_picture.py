"""The picture of one concept of the graph with its neighbours: layered left to right, by relation, as a page of its own.

It loads nothing from anywhere and runs no script. Names are data: they are escaped, without invisible characters.
"""

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from app.words.words import _
from backend.schemas.visible_text import visible
from backend.schemas.vocabulary import GROUP_NAMES, SemanticGroup

GROUP_COLOURS = {
    "DISO": "#f3d9b1", "CHEM": "#d9cbf2", "PROC": "#bfe5e0", "ANAT": "#d5e3bb", "PHYS": "#c8daf5", "PHEN": "#c8daf5",
}  # fmt: skip
OTHER, ON_BOX = "#e2e8ec", "#17232b"
BOX_PX, RELATION_PX, GAP_PX, ROW_PX, HIGH_PX, PAD_PX = 210, 150, 48, 30, 24, 6
LONGEST, LONGEST_RELATION = 29, 24
"""Characters of a label; the whole name stands in the title."""


class Paint(NamedTuple):
    """Colours of background, text and lines; boxes are light in both themes, with dark text."""

    paper: str
    ink: str
    line: str


class Picture(NamedTuple):
    """A whole page, and the pixels that it needs."""

    html: str
    height: int


LIGHT = Paint("#ffffff", "#17232b", "#6b7a85")
DARK = Paint("#11181d", "#e6edf1", "#93a3ae")


def paint(theme: str | None) -> Paint:
    """theme: dark or light as Streamlit has it; None while it is unknown."""
    return DARK if theme == "dark" else LIGHT


def neighbours_picture(
    concept: dict[str, Any], neighbours: Sequence[dict[str, Any]], most: int, colours: Paint = LIGHT
) -> Picture:
    """A concept, left; how others are joined to it; and at most so many of them, right."""
    shown = sorted(neighbours[:most], key=lambda row: (row["relation"], row["concept"]["name"]))
    wide = 2 * BOX_PX + RELATION_PX + 2 * GAP_PX + 2 * PAD_PX
    high = max(1, len(shown)) * ROW_PX + 2 * PAD_PX
    relation_x, other_x = PAD_PX + BOX_PX + GAP_PX, PAD_PX + BOX_PX + RELATION_PX + 2 * GAP_PX
    middle = high / 2
    lines, boxes = [], [_box(PAD_PX, middle, concept, main=True)]
    for relation in dict.fromkeys(row["relation"] for row in shown):
        rows = [place for place, row in enumerate(shown) if row["relation"] == relation]
        centre = PAD_PX + (rows[0] + rows[-1] + 1) / 2 * ROW_PX
        words = visible(_(relation.replace("_", " ")))
        lines.append(_line(PAD_PX + BOX_PX, middle, relation_x, centre))
        boxes.append(
            f'<g><title>{escape(words)}</title><text x="{relation_x + RELATION_PX / 2}" y="{centre + 4:g}" text-anchor="middle" '
            f'class="relation">{escape(shortened(words, LONGEST_RELATION))}</text></g>'
        )
        for place in rows:
            row_y = PAD_PX + (place + 0.5) * ROW_PX
            lines.append(_line(relation_x + RELATION_PX, centre, other_x, row_y))
            boxes.append(_box(other_x, row_y, shown[place]["concept"]))
    style = (
        f"body{{margin:0;background:{colours.paper};font-family:'Source Sans',system-ui,sans-serif}}"
        f"svg{{display:block;width:100%;max-width:{wide}px;min-width:{wide * 3 // 4}px;height:auto}}"
        f"path{{fill:none;stroke:{colours.line};stroke-opacity:.6}}text{{font-size:13px;fill:{ON_BOX}}}"
        f".relation{{fill:{colours.ink}}}rect{{stroke:{colours.line}}}.main rect{{stroke:#0b5f86;stroke-width:2.5}}.main text{{font-weight:600}}"
    )
    html = (
        f'<!doctype html><html><head><meta charset="utf-8"><style>{style}</style></head><body>'
        f'<svg viewBox="0 0 {wide} {high:g}" role="img">{"".join(lines)}{"".join(boxes)}</svg></body></html>'
    )
    return Picture(html, int(high))


def shortened(words: str, longest: int) -> str:
    """The words, cut with a mark where they are longer."""
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}…"


def _box(x: float, y: float, concept: dict[str, Any], main: bool = False) -> str:
    name, group = visible(concept["name"]), str(concept["group"])
    known = group in {one.value for one in SemanticGroup}
    title = f"{name} ({_(GROUP_NAMES[SemanticGroup(group)])})" if known else name
    return (
        f'<g class="{"main" if main else "other"}"><title>{escape(title)}</title>'
        f'<rect x="{x}" y="{y - HIGH_PX / 2:g}" width="{BOX_PX}" height="{HIGH_PX}" rx="4" fill="{GROUP_COLOURS.get(group, OTHER)}"/>'
        f'<text x="{x + 8}" y="{y + 4:g}">{escape(shortened(name, LONGEST))}</text></g>'
    )


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    bend = (x1 + x2) / 2
    return f'<path d="M{x1:g} {y1:g}C{bend:g} {y1:g} {bend:g} {y2:g} {x2:g} {y2:g}"/>'
