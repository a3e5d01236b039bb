"""Registers the page's own components, from the script and style files beside it.

The scripts of one component are joined in the order given, so that they share one scope without a build step. Data
reaches the page through textContent alone; the scripts never write markup from data.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

FOLDER = Path(__file__).parent


def component(name: str, scripts: tuple[str, ...], styles: tuple[str, ...]) -> "ComponentRenderer":
    """A mounting command. scripts and styles: files of the components folder, in order."""
    return st.components.v2.component(
        name,
        js="\n".join((FOLDER / script).read_text(encoding="utf-8") for script in scripts),
        css="\n".join((FOLDER / style).read_text(encoding="utf-8") for style in styles),
    )
