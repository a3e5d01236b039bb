"""The API in a process of its own, as `serve` starts it, and how a test talks to it: events as they come, its log read at the end."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import httpx

from backend.schemas.drafts.draft import Draft
from backend.serving.process import ended_with_us
from backend.settings import ROOT
from tests.services.llm_servers import free_port

T = TypeVar("T")
START_S = 120.0
SECRETS = ("Quillfeather", "xylophonist", "Brambleton")
NOTE = (
    "Allergies: penicillin (hives)\n\nChief Complaint: shortness of breath\n\n"
    f"History of Present Illness: Mr {SECRETS[0]}, an 80-year-old {SECRETS[1]} from {SECRETS[2]}, has heart failure. He has been "
    "short of breath for three days, and his legs are swollen. He denies chest pain.\n"
)
"""The words of SECRETS stand nowhere else: where they turn up, the note does."""


class Event(tuple[str, dict[str, Any]]):
    """A stage and its data; a heartbeat is the stage `heartbeat` without data."""

    @property
    def stage(self) -> str:
        return self[0]

    @property
    def data(self) -> dict[str, Any]:
        return self[1]["data"]  # type: ignore[no-any-return]

    @property
    def reason(self) -> str:
        return str(self[1]["reason"])


class Served:
    """The process. log: what it wrote to both its outputs."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.log = folder / "served.log"
        self.port = free_port()
        own = {"LEAPNOTE_DATA": str(folder / "data"), "LEAPNOTE_API_PORT": str(self.port)}
        clean = {name: value for name, value in os.environ.items() if not name.startswith("LEAPNOTE_")}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                ended_with_us([sys.executable, "-m", "backend", "serve"]),
                cwd=ROOT,
                env=clean
                | {"LEAPNOTE_GENERATOR": "composer", "LEAPNOTE_MORE_GENERATORS": "openai:http://127.0.0.1:*"}
                | own
                | variables,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._seeds = count()
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}/v1", timeout=60, trust_env=False)

    def ready(self) -> bool:
        assert self.process.poll() is None, f"the API ended: {self.log.read_text()[-2000:]}"
        try:
            return self.client.get("/health", timeout=1).status_code == 200
        except httpx.HTTPError:
            return False

    def events(self, generator: str, **more: Any) -> Iterator[Event]:
        """As they come; closing the iterator closes the connection."""
        with self.client.stream("POST", "/drafts", json=self.body(generator, **more)) as answer:
            assert answer.status_code == 200, answer.read()
            yield from read_events(answer.iter_lines())

    def draft(self, generator: str, **more: Any) -> Draft:
        """The last event's draft."""
        *_, last = self.events(generator, **more)
        assert last.stage == "draft", last
        return Draft.model_validate(last.data)

    def body(self, generator: str, **more: Any) -> dict[str, Any]:
        """With a seed of its own, so that no evidence is kept for it from a draft that broke off."""
        return {"text": NOTE, "generator": generator, "system": "leapnote", "seed": next(self._seeds)} | more

    def said(self) -> str:
        return self.log.read_text(errors="replace")


@contextmanager
def served(folder: Path, **variables: str) -> Iterator[Served]:
    running = Served(folder, **variables)
    try:
        wait_until(running.ready, START_S)
        yield running
    finally:
        running.client.close()
        running.process.send_signal(signal.SIGINT)
        try:
            running.process.wait(20)
        except subprocess.TimeoutExpired:
            running.process.kill()
            running.process.wait()
            raise


def read_events(lines: Iterator[str]) -> Iterator[Event]:
    name = ""
    for line in lines:
        if line.startswith(":"):
            yield Event(("heartbeat", {"data": {}, "reason": ""}))
        elif line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield Event((name, json.loads(line.removeprefix("data: "))))


def wait_until(condition: Callable[[], T], seconds: float) -> T:
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"it did not happen within {seconds:g} s"
        time.sleep(0.05)
    return found
