"""Draws how a saved draft was written: by whom, where its text was sent, and which sentences were reworded or removed."""

from collections.abc import Iterable
from typing import Any

import streamlit as st

from app.components.shell.notices import plain
from backend.schemas.drafts.draft import Draft
from backend.schemas.vocabulary import DraftStatus


def draw_writing(draft: Draft, written: dict[str, Any]) -> None:
    """written: the writer's name, reason and where the text went, in words."""
    where = f" {written['where']}." if written["where"] else ""
    st.markdown(plain(f"Written by {written['name']}: {written['reason'].rstrip('.')}.{where}"))
    if "prompt" in draft.versions:
        st.markdown(plain(f"Prompt {draft.versions['prompt']}."))
    if "verifier" in draft.versions:
        st.markdown(plain(f"Sentences were checked against what they cite by: {draft.versions['verifier']}."))
    if draft.status != DraftStatus.COMPLETE:
        st.markdown(plain(f"The draft is not whole: {draft.status.value.replace('_', ' ')}."))
    draw_texts("Ran otherwise than the system's name says", draft.fallbacks)
    draw_texts(
        "Citations proposed by the program",
        (f"{s.text} ({_cited(s.citations)})" for s in draft.sentences if s.proposed),
    )
    draw_texts("Reworded by a repair, were before", (s.before_repair for s in draft.sentences if s.before_repair))
    draw_texts("Removed by a repair", draft.removed_sentences)


def draw_texts(title: str, texts: Iterable[str]) -> None:
    """A titled list; nothing where there is none."""
    rows = [f"- {plain(' '.join(text.split()))}" for text in texts]
    if rows:
        st.markdown("\n".join((f"**{plain(title)}**", "", *rows)))


def _cited(citations: tuple[str, ...]) -> str:
    return ", ".join(citations)
