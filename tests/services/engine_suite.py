"""What the tests of real engines share: the talk, the limits, and how vLLM is seen to be at rest."""

import time
from collections.abc import Callable

import httpx

from backend.schemas.chat import Message
from models.llm.engine_openai import OpenAIEngine
from models.llm.engine_setup import EngineLimits
from models.llm.engine_transformers import TransformersEngine

Engine = OpenAIEngine | TransformersEngine
TALK = (Message("system", "You help the team."), Message("user", "Mr Secret has shortness of breath."))
LIMITS = EngineLimits(first_token_s=60, between_s=20, backoff_s=0.05, backoff_most_s=0.1)
SHAPE = {
    "type": "object",
    "properties": {"source": {"type": "string", "enum": ["book", "guideline"]}, "number": {"type": "integer"}},
    "required": ["source", "number"],
    "additionalProperties": False,
}
LAYERS = 24
LONG = 800
"""Tokens of a greedy reply, which is left before its end."""
KINDS = ("vllm", "transformers serve", "transformers in process")


def kind(engine: Engine) -> str:
    if isinstance(engine, TransformersEngine):
        return KINDS[2]
    return KINDS[0] if engine.abilities.counts_tokens else KINDS[1]


def is_quiet(idle: Callable[[], bool], within_s: float = 10.0) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if idle():
            return True
        time.sleep(0.05)
    return False


def metric(url: str, *names: str) -> float:
    """The sum of these figures that vLLM keeps of itself."""
    text = httpx.get(url.removesuffix("/v1") + "/metrics", trust_env=False).text
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.split("{")[0] in names)


def running(url: str) -> float:
    """Requests that vLLM is working on."""
    return metric(url, "vllm:num_requests_running", "vllm:num_requests_waiting")


def is_stopped(leave: Callable[[], None], whole: int, url: str) -> bool:
    """After leave(), which asks and goes away, vLLM falls idle before it has written the whole reply.

    On a busy machine it may be done before anyone gets away, so there are three tries.
    """
    for _ in range(3):
        before = metric(url, "vllm:generation_tokens_total")
        leave()
        assert is_quiet(lambda: running(url) == 0)
        if metric(url, "vllm:generation_tokens_total") - before < whole:
            return True
    return False
