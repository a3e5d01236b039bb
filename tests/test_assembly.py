"""Who writes, and the reason that is shown for it."""

import pytest

from backend.assembly import chosen_generator
from backend.errors import NotFoundError


def test_auto_without_a_server_says_that_none_is_set() -> None:
    assert "LEAPNOTE_LLM_URL is empty" in chosen_generator("auto", "").reason


def test_auto_with_a_server_set_says_that_it_cannot_be_used() -> None:
    chosen = chosen_generator("auto", "http://127.0.0.1:8000/v1")
    assert chosen.name == "composer"
    assert "no engine" in chosen.reason
    assert "empty" not in chosen.reason


def test_an_unknown_generator_is_refused_with_the_names() -> None:
    with pytest.raises(NotFoundError, match="auto, composer, vllm"):
        chosen_generator("magic")
