"""Draws plotly figures that come as JSON, in the page's own colours."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from backend.schemas.visible_text import visible


def draw_figure(figure: Mapping[str, Any], key: str) -> None:
    """A figure whose every text is text: plotly would read tags in it, links among them."""
    shown = _literal(figure)
    st.plotly_chart(shown, width="stretch", theme="streamlit", key=key, config={"displaylogo": False})


def _literal(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value).replace("&", "&amp;").replace("<", "&lt;")
    if isinstance(value, Mapping):
        return {name: _literal(inner) for name, inner in value.items()}
    return [_literal(inner) for inner in value] if isinstance(value, list | tuple) else value
