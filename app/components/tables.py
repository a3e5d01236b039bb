"""Draws rows as a table of the page: its headings in the page's language, each with a capital."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from app.words.words import _

ROW_PX = 35
"""The height of a row, and of the headings."""


def draw_rows(
    rows: Sequence[Mapping[str, Any]], most: int | None = None, columns: Mapping[str, Mapping[str, Any]] | None = None
) -> None:
    """A table that keeps its place from the first drawing on.

    Args:
        rows: cells by the heading of their column.
        most: how many rows stand open; the others scroll. None: as Streamlit has it.
        columns: more about a column, by its heading, as `st.column_config` makes it.
    """
    held = [dict(row) for row in rows]
    given = columns or {}
    heads = dict.fromkeys(name for row in held for name in row)
    shown: dict[str, Any] = {name: dict(given.get(name, {})) | {"label": heading(name)} for name in heads}
    height: Any = "auto" if most is None else ROW_PX * (min(len(held), most) + 1) + 3
    st.dataframe(held, hide_index=True, width="stretch", height=height, column_config=shown)


def heading(name: str) -> str:
    """What stands above a column."""
    words = _(name)
    return words[:1].upper() + words[1:]
