"""Pictures of the graph by pyvis: all reasoning paths of a draft, or one concept with its neighbours.

Gives a whole HTML page that loads nothing from anywhere: pyvis writes its own scripts into it, and the references to
outside style sheets that it adds all the same are taken out. Names are data: pyvis puts them into a script as JSON
with <, > and & escaped, and the picture draws them on a canvas.
"""

import re
from collections.abc import Sequence
from typing import Any

from backend.schemas.evidence import ReasoningPath

GROUP_COLOURS = {
    "DISO": "#f3d9b1", "CHEM": "#d9cbf2", "PROC": "#bfe5e0", "ANAT": "#d5e3bb", "PHYS": "#c8daf5", "PHEN": "#c8daf5",
}  # fmt: skip
OTHER = "#e2e8ec"
OUTSIDE = re.compile(
    r"<link\b[^>]*\bhref\s*=\s*[\"']?https?:[^>]*>|<script\b[^>]*\bsrc\s*=\s*[\"']?https?:[^>]*>\s*</script>",
    re.IGNORECASE | re.DOTALL,
)
MARGINS = (
    "<style>body{margin:0;background:#fff}.card{border:0!important}center,h1{display:none}"
    "#mynetwork{border:0!important;float:none!important}</style>"
)


def paths_picture(paths: Sequence[ReasoningPath]) -> str:
    """All paths as one graph: edges solid, leaps dashed, keywords boxed."""
    network = _network()
    joined: set[tuple[str, str]] = set()
    for path in paths:
        for place, step in enumerate(path.steps):
            _node(network, step.concept_id, step.name, step.group.value, keyword=place == 0)
        for before, step in zip(path.steps, path.steps[1:], strict=False):
            if (before.concept_id, step.concept_id) in joined:
                continue
            joined.add((before.concept_id, step.concept_id))
            words = "leap" if step.leap else step.relation.replace("_", " ")
            network.add_edge(before.concept_id, step.concept_id, label=words, dashes=step.leap, title=path.id)
    return _html(network)


def neighbours_picture(concept: dict[str, Any], neighbours: Sequence[dict[str, Any]], most: int) -> str:
    """One concept in the middle and at most so many neighbours around it."""
    network = _network()
    _node(network, concept["concept_id"], concept["name"], concept["group"], keyword=True)
    for row in neighbours[:most]:
        other = row["concept"]
        _node(network, other["concept_id"], other["name"], other["group"], keyword=False)
        network.add_edge(concept["concept_id"], other["concept_id"], label=row["relation"].replace("_", " "))
    return _html(network)


def without_outside(html: str) -> str:
    """The page without the tags that would fetch something from another machine."""
    return OUTSIDE.sub("", html)


def _network() -> Any:
    from pyvis.network import Network

    network = Network(height="540px", width="100%", directed=True, cdn_resources="in_line", bgcolor="#ffffff")
    network.set_options(
        '{"nodes": {"shape": "box", "font": {"size": 15, "face": "sans-serif"}, "borderWidth": 1},'
        ' "edges": {"font": {"size": 11, "face": "sans-serif"}, "arrows": {"to": {"scaleFactor": 0.5}}, "color": "#6b7a85",'
        ' "smooth": {"type": "dynamic"}},'
        ' "physics": {"barnesHut": {"gravitationalConstant": -6000, "springLength": 150}, "stabilization": {"iterations": 250}},'
        ' "interaction": {"hover": true, "keyboard": {"enabled": true, "bindToWindow": false}}}'
    )
    return network


def _node(network: Any, concept_id: str, name: str, group: str, keyword: bool) -> None:
    if concept_id in network.get_nodes():
        return
    colour = {"background": GROUP_COLOURS.get(group, OTHER), "border": "#0b5f86" if keyword else "#8796a1"}
    # the group travels in the title: pyvis's own `group` would override the colour
    network.add_node(
        concept_id, label=name, shape="box", title=f"{name} ({group})", color=colour, borderWidth=3 if keyword else 1
    )


def _html(network: Any) -> str:
    html: str = network.generate_html(notebook=False)
    return without_outside(html).replace("</head>", MARGINS + "</head>", 1)
