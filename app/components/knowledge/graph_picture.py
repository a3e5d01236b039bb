"""The picture of one concept of the graph with its neighbours: layered left to right, by relation, as a page of its own.

Labels are wrapped, and cut at sixty characters: each stands in a height that is its own.

It loads nothing from anywhere and runs no script. Names are data: they are escaped, without invisible characters.
"""

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple
from unicodedata import east_asian_width

from app.words.words import _
from backend.schemas.visible_text import visible
from backend.schemas.vocabulary import GROUP_NAMES, SemanticGroup

GROUP_COLOURS = {
    "DISO": "#f3d9b1", "CHEM": "#d9cbf2", "PROC": "#bfe5e0", "ANAT": "#d5e3bb", "PHYS": "#c8daf5", "PHEN": "#c8daf5",
}  # fmt: skip
OTHER, ON_BOX = "#e2e8ec", "#17232b"
BOX_PX, RELATION_PX, GAP_PX, LINE_PX, PAD_PX, BETWEEN_PX = 210, 150, 48, 16, 6, 6
FONT_PX, INDENT_PX = 13, 8
LONGEST = 60
"""Characters of a label; the whole name stands in the title."""
WIDTHS = {0.34: "iljtfrI.,:;'|!()[]/-", 0.95: "mwMW@%—…", 0.74: "ABCDEFGHJKLNOPQRSTUVXYZ&+=<>~#"}
"""Widths of a letter in heights of the font, at most, for Source Sans and Arial in bold; any other Latin letter is 0.62."""
LETTER_WIDTH, WIDE_LETTER = 0.62, 1.0


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
    relation_x, other_x = PAD_PX + BOX_PX + GAP_PX, PAD_PX + BOX_PX + RELATION_PX + 2 * GAP_PX
    boxes, joined, below = [], [], float(PAD_PX)
    for relation in dict.fromkeys(row["relation"] for row in shown):
        of_relation = [row["concept"] for row in shown if row["relation"] == relation]
        words = visible(_(relation.replace("_", " ")))
        label = wrapped(words, RELATION_PX)
        heights = [_box_height(visible(one["name"])) + BETWEEN_PX for one in of_relation]
        high = max(sum(heights), len(label) * LINE_PX + BETWEEN_PX)
        centre, top = below + high / 2, below + (high - sum(heights)) / 2
        middles = [top + sum(heights[:place]) + own / 2 for place, own in enumerate(heights)]
        boxes.append(
            f'<g class="relation"><title>{escape(words)}</title>'
            f"{_text(label, relation_x + RELATION_PX / 2, centre, 'middle')}</g>"
        )
        boxes += [_box(other_x, row_y, one) for row_y, one in zip(middles, of_relation, strict=True)]
        joined.append((centre, middles))
        below += high
    tall = max(below, _box_height(visible(concept["name"])) + PAD_PX + BETWEEN_PX) + PAD_PX
    middle = tall / 2
    boxes.append(_box(PAD_PX, middle, concept, main=True))
    lines = [_line(PAD_PX + BOX_PX, middle, relation_x, centre) for centre, _rows in joined]
    lines += [_line(relation_x + RELATION_PX, centre, other_x, row_y) for centre, rows in joined for row_y in rows]
    style = (
        f"body{{margin:0;background:{colours.paper};font-family:'Source Sans',system-ui,sans-serif}}"
        f"svg{{display:block;width:100%;max-width:{wide}px;min-width:{wide * 3 // 4}px;height:auto}}"
        f"path{{fill:none;stroke:{colours.line};stroke-opacity:.6}}text{{font-size:{FONT_PX}px;fill:{ON_BOX}}}"
        f".relation text{{fill:{colours.ink}}}rect{{stroke:{colours.line}}}.main rect{{stroke:#0b5f86;stroke-width:2.5}}.main text{{font-weight:600}}"
    )
    html = (
        f'<!doctype html><html><head><meta charset="utf-8"><style>{style}</style></head><body>'
        f'<svg viewBox="0 0 {wide} {tall:g}" role="img">{"".join(lines)}{"".join(boxes)}</svg></body></html>'
    )
    return Picture(html, int(tall))


def shortened(words: str, longest: int) -> str:
    """The words, cut with a mark where they are longer."""
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}…"


def wrapped(words: str, wide: float) -> list[str]:
    """The words, cut at LONGEST characters, in lines no wider than so many pixels; a word that is wider alone is broken."""
    lines = [""]
    for word in shortened(words, LONGEST).split():
        longer = f"{lines[-1]} {word}".lstrip()
        if width_of(longer) <= wide:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and width_of(lines[-1] + letter) > wide:
                lines.append("")
            lines[-1] += letter
    return lines


def width_of(words: str) -> float:
    """Pixels that the words take at most, in the picture's font: nothing measures text before the page is shown."""
    known = {letter: width for width, letters in WIDTHS.items() for letter in letters}
    return FONT_PX * sum(
        known.get(letter, WIDE_LETTER if east_asian_width(letter) in "WF" else LETTER_WIDTH) for letter in words
    )


def _box_height(name: str) -> int:
    return len(wrapped(name, BOX_PX - 2 * INDENT_PX)) * LINE_PX + 8


def _box(x: float, y: float, concept: dict[str, Any], main: bool = False) -> str:
    name, group = visible(concept["name"]), str(concept["group"])
    known = group in {one.value for one in SemanticGroup}
    title = f"{name} ({_(GROUP_NAMES[SemanticGroup(group)])})" if known else name
    high = _box_height(name)
    return (
        f'<g class="{"main" if main else "other"}"><title>{escape(title)}</title>'
        f'<rect x="{x}" y="{y - high / 2:g}" width="{BOX_PX}" height="{high}" rx="4" fill="{GROUP_COLOURS.get(group, OTHER)}"/>'
        f"{_text(wrapped(name, BOX_PX - 2 * INDENT_PX), x + INDENT_PX, y)}</g>"
    )


def _text(lines: Sequence[str], x: float, middle: float, anchor: str = "start") -> str:
    first = middle - (len(lines) - 1) / 2 * LINE_PX + 4
    spans = [
        f'<tspan x="{x:g}" y="{first + place * LINE_PX:g}">{escape(line)}</tspan>' for place, line in enumerate(lines)
    ]
    return f'<text text-anchor="{anchor}">{"".join(spans)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    bend = (x1 + x2) / 2
    return f'<path d="M{x1:g} {y1:g}C{bend:g} {y1:g} {bend:g} {y2:g} {x2:g} {y2:g}"/>'
