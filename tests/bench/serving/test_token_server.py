"""The chat server of fixed times: what it answers, and that one that does not start is told."""

import json
import sys
import time

import httpx
import pytest

from backend.bench.serving.token_server import BYTES_A_TOKEN, CONTEXT, MODEL, REPLY, TOKENS, token_server
from backend.errors import MissingError


def test_it_speaks_as_a_model_server_does() -> None:
    with token_server(0.0, 0.0) as url, httpx.Client(trust_env=False, timeout=30) as client:
        assert client.get(f"{url}/models").json()["data"] == [{"id": MODEL, "max_model_len": CONTEXT}]
        counted = client.post(url.removesuffix("/v1") + "/tokenize", content=b"x" * 8 * BYTES_A_TOKEN).json()
        assert counted == {"count": 9, "max_model_len": CONTEXT}
        body = client.post(f"{url}/chat/completions", json={"stream": True}).text
    data = [line.removeprefix("data: ") for line in body.splitlines() if line]
    assert data[-1] == "[DONE]"
    *pieces, usage = [json.loads(line) for line in data[:-1]]
    assert "".join(piece["choices"][0]["delta"]["content"] for piece in pieces) == " ".join(REPLY)
    assert [piece["choices"][0]["finish_reason"] for piece in pieces] == [None] * (TOKENS - 1) + ["stop"]
    assert usage["usage"]["completion_tokens"] == len(pieces) == TOKENS


def test_no_token_comes_before_its_time() -> None:
    first_s, between_s = 0.05, 0.002
    with token_server(first_s, between_s) as url, httpx.Client(trust_env=False, timeout=30) as client:
        began = time.monotonic()
        with client.stream("POST", f"{url}/chat/completions", json={}) as answer:
            came = [time.monotonic() - began for line in answer.iter_lines() if '"delta"' in line]
    assert came[0] >= first_s
    assert came[-1] >= first_s + (TOKENS - 1) * between_s


def test_a_server_that_does_not_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/true")
    with pytest.raises(MissingError, match="did not start"), token_server(0.0, 0.0):
        raise AssertionError("it gave an address")
