"""The style around the components: less empty space than Streamlit leaves, a pinned line that stays in sight."""

from pathlib import Path

import streamlit as st

WORDMARK = Path(__file__).parent / "wordmark.svg"

STYLE = """
<style>
.stMainBlockContainer { padding: 4.1rem 1.5rem 2rem; max-width: 1760px; }
.stMainBlockContainer > .stVerticalBlock { gap: 0.75rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-pinned) { position: sticky; top: 4rem; z-index: 90; }
.st-key-prose { max-width: 44rem; }
.st-key-prose li { margin-bottom: 0.3rem; }
.st-key-prose p, .st-key-prose li { line-height: 1.55; }
.st-key-stop_place:not(:has(button)) { display: none; }
.stTextArea textarea { line-height: 1.5; }
.st-key-case_buttons button { min-height: 2rem; padding: 0.1rem 0.6rem; }
.st-key-case_buttons { gap: 0.4rem; }
.st-key-case_text, .st-key-case_text .stVerticalBlock { gap: 0.35rem; }
.st-key-case_text .stHorizontalBlock { gap: 1rem; }
h1 { padding: 0.25rem 0 0.5rem !important; }
footer { display: none; }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
</style>
"""


def draw_style() -> None:
    st.logo(WORDMARK, size="medium")
    st.html(STYLE)


def theme() -> str | None:
    """light or dark, None while the browser has not said."""
    return st.context.theme.type
