"""Pictures of the graph by pyvis: all reasoning paths of a draft, or one concept with its neighbours.

Gives a whole HTML page that loads nothing from anywhere: pyvis writes its own scripts into it, and the references to
outside style sheets that it adds all the same are taken out. Names are data: pyvis puts them into a script as JSON
with <, > and & escaped, and the picture draws them on a canvas.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.words.words import _
from backend.schemas.drafts.evidence import ReasoningPath
from backend.schemas.visible_text import visible

GROUP_COLOURS = {
    "DISO": "#f3d9b1", "CHEM": "#d9cbf2", "PROC": "#bfe5e0", "ANAT": "#d5e3bb", "PHYS": "#c8daf5", "PHEN": "#c8daf5",
}  # fmt: skip
OTHER = "#e2e8ec"
LEAP = "leap"
LONGEST_LABEL = 60  # characters; the whole name stands in the title
OUTSIDE = re.compile(
    r"<link\b[^>]*\bhref\s*=\s*[\"']?https?:[^>]*>|<script\b[^>]*\bsrc\s*=\s*[\"']?https?:[^>]*>\s*</script>",
    re.IGNORECASE | re.DOTALL,
)
MARGINS = (
    "<style>body{margin:0;background:%s}.card{border:0!important}center,h1{display:none}"
    "#mynetwork{border:0!important;float:none!important}</style>"
)


class Paint(NamedTuple):
    """Colours of background, text and lines; boxes are light in both themes, with dark text."""

    paper: str
    ink: str
    line: str


LIGHT = Paint("#ffffff", "#17232b", "#6b7a85")
DARK = Paint("#11181d", "#e6edf1", "#93a3ae")


def paint(theme: str | None) -> Paint:
    """theme: dark or light as Streamlit has it; None while it is unknown."""
    return DARK if theme == "dark" else LIGHT


def paths_picture(paths: Sequence[ReasoningPath], colours: Paint = LIGHT) -> str:
    """All paths as one graph: edges solid with their relation, leaps dashed, keywords with a strong border.

    Between two concepts an edge and a leap are two lines; the same one on several paths is drawn once.
    """
    network = _network(colours)
    joined: dict[tuple[str, str, str], list[str]] = {}
    for path in paths:
        for place, step in enumerate(path.steps):
            _node(network, step.concept_id, step.name, step.group.value, keyword=place == 0)
        for before, step in zip(path.steps, path.steps[1:], strict=False):
            words = LEAP if step.leap else _(visible(step.relation.replace("_", " ")))
            joined.setdefault((before.concept_id, step.concept_id, words), []).append(path.id)
    for (head, tail, words), ids in joined.items():
        leap = words == LEAP
        network.add_edge(
            head, tail, label=words, dashes=[7, 6] if leap else False, width=2 if leap else 1,
            title=f"{', '.join(ids)}{': no edge joins the two, a search hint' if leap else ''}",
        )  # fmt: skip
    return _html(network, colours)


def neighbours_picture(
    concept: dict[str, Any], neighbours: Sequence[dict[str, Any]], most: int, colours: Paint = LIGHT
) -> str:
    """One concept in the middle and at most so many neighbours around it."""
    network = _network(colours)
    _node(network, concept["concept_id"], concept["name"], concept["group"], keyword=True)
    for row in neighbours[:most]:
        other = row["concept"]
        _node(network, other["concept_id"], other["name"], other["group"], keyword=False)
        network.add_edge(
            concept["concept_id"], other["concept_id"], label=_(visible(row["relation"].replace("_", " ")))
        )
    return _html(network, colours)


def without_outside(html: str) -> str:
    """The page without the tags that would fetch something from another machine."""
    return OUTSIDE.sub("", html)


def _network(colours: Paint) -> Any:
    from pyvis.network import Network

    network = Network(height="540px", width="100%", directed=True, cdn_resources="in_line", bgcolor=colours.paper)
    words = {"size": 14, "face": "sans-serif", "color": colours.ink, "strokeColor": colours.paper, "strokeWidth": 4}
    options = {
        "nodes": {
            "shape": "box",
            "font": {"size": 17, "face": "sans-serif"},
            "borderWidth": 1,
            "widthConstraint": {"maximum": 190},
        },
        "edges": {
            "font": words,
            "arrows": {"to": {"scaleFactor": 0.5}},
            "color": colours.line,
            "smooth": {"type": "dynamic"},
        },
        # paths that share no concept are pulled to the middle, else they drift apart and the words become small
        "physics": {
            "barnesHut": {
                "gravitationalConstant": -5000,
                "centralGravity": 1.0,
                "springLength": 160,
                "avoidOverlap": 1.0,
            },
            "stabilization": {"iterations": 250},
        },
        "interaction": {"hover": True, "keyboard": {"enabled": True, "bindToWindow": False}},
    }
    network.set_options(json.dumps(options))
    return network


def _node(network: Any, concept_id: str, name: str, group: str, keyword: bool) -> None:
    if concept_id in network.get_nodes():
        return
    name = visible(name)
    colour = {"background": GROUP_COLOURS.get(group, OTHER), "border": "#0b5f86" if keyword else "#8796a1"}
    label = name if len(name) <= LONGEST_LABEL else f"{name[: LONGEST_LABEL - 1].rstrip()}…"
    # the group travels in the title: pyvis's own `group` would override the colour
    network.add_node(
        concept_id, label=label, shape="box", title=f"{name} ({group})", color=colour, borderWidth=3 if keyword else 1
    )


def _html(network: Any, colours: Paint) -> str:
    html: str = network.generate_html(notebook=False)
    return without_outside(html).replace("</head>", MARGINS % colours.paper + "</head>", 1)
