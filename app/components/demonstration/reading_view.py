"""Mounts the reading view: a draft that is read, with its sources, and not changed."""

from typing import Any

from app.components.component import component

reading_view = component(
    "leapnote_reading", ("dom.js", "demonstration/reading.js"), ("tokens.css", "demonstration/reading.css")
)


def draw_reading(key: str, data: dict[str, Any], label: str = "") -> None:
    """A draft. data: see reading_data.reading. label: what it is, for screen readers."""
    reading_view(key=key, data={**data, "label": label})
