"""The address of an OpenAI-compatible server, and the client that reaches it and nothing else."""

import logging
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from pydantic import SecretStr

from models.llm.engine_setup import NO_KEY, EngineLimits

if TYPE_CHECKING:
    from openai import AsyncOpenAI

HEADERS = frozenset({"host", "connection", "accept", "accept-encoding", "content-type", "content-length", "user-agent"})
"""The headers that are sent, besides the key."""


class Address(NamedTuple):
    """base_url: up to and with /v1. key: empty when the server wants none."""

    base_url: str
    model: str
    key: SecretStr = NO_KEY

    @property
    def place(self) -> str:
        """Host and port, as messages tell it."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2]


def make_client(address: Address, limits: EngineLimits) -> "AsyncOpenAI":
    """The protocol's own client, with what it would do unasked turned off.

    It reads keys, headers, proxies and passwords from the environment and from ~/.netrc, follows redirects and tells the server
    about this machine. A note goes to the address that was set, by the shortest way, and with nothing else.
    """
    import openai

    for name in ("openai", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)
    key = address.key.get_secret_value()

    async def keep_few(request: Any) -> None:
        for name in [name for name in request.headers if name.lower() not in HEADERS]:
            del request.headers[name]
        if key:
            request.headers["Authorization"] = f"Bearer {key}"

    http = openai.DefaultAsyncHttpxClient(
        trust_env=False,
        follow_redirects=False,
        timeout=openai.Timeout(None, connect=limits.connect_s, write=limits.first_token_s),
        event_hooks={"request": [keep_few]},
    )
    return openai.AsyncOpenAI(base_url=address.base_url, api_key="none", max_retries=0, http_client=http)
