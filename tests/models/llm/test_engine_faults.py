"""Retry-After, half characters, and the limits that cannot be."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.schemas.chat import Finish, Message, most_tokens
from models.llm.engine_faults import retry_after, too_long
from models.llm.engine_setup import EngineLimits
from models.llm.engine_wire import Growing, whole_characters
from models.llm.server_check import follows


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("-2", 0.0),
        ("Wed, 21 Oct 2026 07:28:10 GMT", 10.0),
        ("Wed, 21 Oct 2026 07:27:00 GMT", 0.0),  # in the past
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_by_number_and_by_date(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, datetime(2026, 10, 21, 7, 28, 0, tzinfo=UTC)) == seconds


@pytest.mark.parametrize(
    ("said", "limit"),
    [
        ("This model's maximum context length is 4096 tokens. However, you requested 9000", "4,096 tokens"),
        ("the request exceeds the available context size (512 tokens), try increasing it", "512 tokens"),
        ("Input is longer than the model's context length (8192 tokens)", "8,192 tokens"),
        ("too long", "not told by the server"),
    ],
)
def test_the_limit_is_read_from_what_servers_say(said: str, limit: str) -> None:
    assert f"its limit is {limit}" in too_long("The server", 0, said).message


def test_a_known_limit_goes_before_what_the_server_says() -> None:
    assert "2,048 tokens" in too_long("The server", 2048, "maximum context length is 4096").message


@given(st.text(st.characters(codec=None), max_size=30))
def test_whatever_a_server_sends_can_be_encoded_afterwards(text: str) -> None:
    mended = whole_characters(text)
    mended.encode("utf-8")
    if text.isprintable():  # without half characters
        assert mended == text


def test_half_characters_are_replaced_and_pairs_of_halves_joined() -> None:
    assert whole_characters("a\ud83d b") == "a\ufffd b"
    assert whole_characters("\ud83d\ude00") == "😀"


@given(st.lists(st.text(max_size=40), max_size=4))
def test_an_estimate_is_never_below_a_token_a_byte(texts: list[str]) -> None:
    assert most_tokens(tuple(Message("user", text) for text in texts)) >= sum(len(text.encode()) for text in texts)


@pytest.mark.parametrize("name", ["connect_s", "first_token_s", "between_s", "backoff_s", "rest_s"])
def test_a_limit_of_no_time_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        EngineLimits(**{name: 0})


@pytest.mark.parametrize("name", ["tries", "failures", "concurrent"])
def test_a_limit_of_nothing_at_all_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        EngineLimits(**{name: 0})


@pytest.mark.parametrize(
    ("text", "finish", "bites"),
    [
        ('{"answer": "probe-12345678"}', Finish.STOP, True),
        ('{\n  "answer":\t"probe-12345678" }', Finish.LENGTH, True),
        ('{"answer": "probe-12345', Finish.LENGTH, True),
        ('{"answer": "probe-12345', Finish.STOP, False),  # ended by itself, unfinished
        ('{"answer": "probe-', Finish.LENGTH, False),  # nothing of the random part
        ("{" + " " * 50, Finish.LENGTH, False),
        ('{"answer": "hello"}', Finish.STOP, False),
        ('Hello! {"answer": "probe-12345678"}', Finish.STOP, False),
        ("", Finish.LENGTH, False),
    ],
)
def test_a_schema_bites_where_the_reply_could_be_no_other(text: str, finish: Finish, bites: bool) -> None:
    reply = Growing()
    reply.parts, reply.finish = [text], finish
    assert follows(reply, "probe-12345678") is bites
