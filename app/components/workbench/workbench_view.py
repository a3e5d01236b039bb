"""Draws the workbench: note, draft and evidence side by side, linked by one selection in the browser."""

from collections.abc import Callable
from typing import Any

from app.components.component import component

SCRIPTS = ("model", "note", "draft", "concept", "paths", "policy", "evidence", "tabs_checks", "main")

workbench = component(
    "leapnote_workbench",
    ("dom.js", *(f"workbench/{script}.js" for script in SCRIPTS)),
    ("tokens.css", "workbench/workbench.css"),
)


def draw_bench(
    key: str,
    data: dict[str, Any],
    on_judged: Callable[[], None],
    on_concept: Callable[[], None],
) -> None:
    """The workbench.

    Args:
        key: the key of the component.
        data: see bench_data.
        on_judged: called when a condition was confirmed, ruled out, or that was undone.
        on_concept: called when a concept was asked for.
    """
    workbench(key=key, data=data, on_condition_change=on_judged, on_concept_change=on_concept)
