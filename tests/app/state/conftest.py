"""The state of one tab as a plain dictionary."""

from typing import Any

import pytest
import streamlit as st


@pytest.fixture
def tab(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What this tab holds; every module of app.state reads and writes it."""
    held: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", held)
    return held
