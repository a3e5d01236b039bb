"""The service goes on answering while a collection is imported through it, whoever is killed, and nothing is lost.

A real `serve` with a data folder of its own; every command is a process of its own, as a person would start it.
"""

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from backend.bench.notes.synthetic_texts import made_up_words
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document
from backend.serving.process import ended_with_us
from backend.settings import ROOT
from tests.services.llm_servers import free_port

pytestmark = [pytest.mark.services, pytest.mark.timeout(900)]
PASSAGES = 1_280  # five windows of encoding, which last longer than the commands that are sent meanwhile
ENCODING = "passages encoded"
READY_S = 240.0  # on a machine with much other work
NOTE = "ALLERGIES: penicillin (rash)\nCHIEF COMPLAINT: dyspnea\nHISTORY OF PRESENT ILLNESS: She has had leg swelling for {} days."


class Service:
    """A running `serve`, and commands that see the same settings."""

    def __init__(self, data: Path) -> None:
        self.data, self.port = data, free_port()
        changed = {"LEAPNOTE_DATA": str(data), "LEAPNOTE_API_PORT": str(self.port), "LEAPNOTE_GENERATOR": "composer"}
        self.variables = os.environ | changed
        self.log = data.parent / f"{data.name}.log"
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                ended_with_us([sys.executable, "-m", "backend", "serve"]),
                cwd=ROOT,
                env=self.variables,
                stdout=log,
                stderr=log,
            )
        wait_until(self.answers, READY_S)

    def answers(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()[-2_000:]
        try:
            return httpx.get(f"{self.address}/v1/health", timeout=2.0, trust_env=False).status_code == 200
        except httpx.TransportError:
            return False

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def draft(self, number: int) -> float:
        """Seconds that a draft took; no two notes are the same."""
        body = DraftRequest(text=NOTE.format(number), document=Document.DISCHARGE_INSTRUCTIONS).model_dump(
            mode="json", exclude_defaults=True
        )
        begun = time.perf_counter()
        got = httpx.post(
            f"{self.address}/v1/drafts", json=body, headers={"Accept": "application/json"}, timeout=60, trust_env=False
        )
        spent = time.perf_counter() - begun
        assert got.status_code == 200, got.text
        assert got.json()["status"] == "complete" and f"{number} days" in got.json()["note"]["text"]
        return spent

    def begin(self, *words: str) -> "Command":
        return Command([sys.executable, "-m", "backend", *words], self.variables, self.data.parent)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "backend", *words]
        return subprocess.run(command, cwd=ROOT, env=self.variables, capture_output=True, text=True, check=False)

    def listed(self) -> list[dict[str, Any]]:
        done = self.run("knowledge", "list", "--json")
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def half_imported(self, name: str) -> bool:
        return any(row.get("name") == name and "half imported" in str(row.get("problem")) for row in self.listed())

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(timeout=60)


class Command:
    """A command that runs; what it says on standard error is read from a file."""

    def __init__(self, words: list[str], variables: dict[str, str], folder: Path) -> None:
        number = len(list(folder.glob("said-*")))
        self.said, self.out = folder / f"said-{number}", folder / f"out-{number}"
        with self.said.open("wb") as said, self.out.open("wb") as out:
            self.process = subprocess.Popen(words, cwd=ROOT, env=variables, stdout=out, stderr=said)

    def is_encoding(self) -> bool:
        assert self.process.poll() is None, self.said.read_text()[-2_000:]
        return ENCODING in self.said.read_text()

    def result(self) -> dict[str, Any]:
        assert self.process.wait(timeout=300) == 0, self.said.read_text()[-2_000:]
        found: dict[str, Any] = json.loads(self.out.read_text())
        return found

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=30)


def wait_until(true: Callable[[], bool], limit: float) -> None:
    end = time.monotonic() + limit
    while not true():
        assert time.monotonic() < end, f"not within {limit:.0f} s"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Passages of made-up words; each line is a document of one passage."""
    rng, words = random.Random(0), made_up_words(3_000)
    path = tmp_path_factory.mktemp("lines") / "lines.jsonl"
    rows = [
        {"id": f"d{n}", "title": words[n], "content": " ".join(rng.choices(words, k=60))[:900]} for n in range(PASSAGES)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path / "data")
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def fingerprint(lines: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """That of an import that nothing disturbed, by a command without a service."""
    data = tmp_path_factory.mktemp("undisturbed")
    done = subprocess.run(
        [sys.executable, "-m", "backend", *adding(lines, "large")],
        cwd=ROOT,
        env=os.environ | {"LEAPNOTE_DATA": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return str(json.loads(done.stdout)["fingerprint"])


def adding(lines: Path, name: str) -> list[str]:
    return ["knowledge", "add", "jsonl", "--from", str(lines), "--name", name, "--json"]


def test_drafts_are_answered_during_an_import_that_no_other_import_and_no_removal_disturbs(
    service: Service, lines: Path, fingerprint: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    small = tmp_path / "small.jsonl"
    small.write_text(json.dumps({"id": "s", "title": "Rest", "content": "Resting the leg helps."}) + "\n")
    assert service.begin(*adding(small, "small")).result()["passages"] == 1
    service.draft(1)
    quiet = [service.draft(number) for number in range(2, 12)]

    importing = service.begin(*adding(lines, "large"))
    wait_until(importing.is_encoding, 120)
    # a second import, the removal of what is being made, of what is there, and the list
    second = service.run(*adding(small, "other"))
    assert (second.returncode, second.stdout) == (2, "")
    assert "Another import is running" in second.stderr
    refused = service.run("knowledge", "remove", "collection", "large")
    assert refused.returncode == 2 and "while an import runs" in refused.stderr
    assert service.half_imported("large")
    gone = service.run("knowledge", "remove", "collection", "small", "--json")
    assert (gone.returncode, json.loads(gone.stdout)) == (0, {"removed": "small"})
    assert importing.process.poll() is None

    busy, number = [], 100
    while importing.process.poll() is None:
        busy.append(service.draft(number))
        number += 1
    made = importing.result()
    assert (made["passages"], made["fingerprint"]) == (PASSAGES, fingerprint)
    assert {row.get("name", "handbook") for row in service.listed() if row.get("source") == "book"} == {
        "handbook",
        "large",
    }
    assert busy, "the import was over before a draft was asked for"
    seconds = {name: round(statistics.median(times), 3) for name, times in (("quiet", quiet), ("importing", busy))}
    seconds |= {"longest": round(max(busy), 3), "drafts": len(busy)}
    record_property("draft_seconds", seconds)
    print(f"\ndrafts, seconds: {seconds}")


def test_a_command_that_is_killed_stops_its_import_which_the_same_command_ends(
    service: Service, lines: Path, fingerprint: str
) -> None:
    first = service.begin(*adding(lines, "large"))
    wait_until(first.is_encoding, 120)
    first.kill()
    # the service notices that nobody listens, and takes the next import
    retried: list[dict[str, Any]] = []

    def taken() -> bool:
        done = service.run(*adding(lines, "large"))
        if done.returncode == 2 and "Another import is running" in done.stderr:
            return False
        assert done.returncode == 0, done.stderr[-2_000:]
        retried.append(json.loads(done.stdout))
        return True

    wait_until(lambda: service.half_imported("large"), 60)
    service.draft(1)
    wait_until(taken, 240)
    assert retried[0]["fingerprint"] == fingerprint
    assert 0 < retried[0]["encoded"] < PASSAGES  # what the killed one had encoded is not encoded again


def test_an_import_through_a_service_that_is_killed_goes_on_by_the_same_command(
    service: Service, lines: Path, fingerprint: str
) -> None:
    first = service.begin(*adding(lines, "large"))
    wait_until(first.is_encoding, 120)
    service.stop(signal.SIGKILL)
    assert first.process.wait(timeout=60) in (2, 3)
    assert not first.out.read_text()
    assert "Traceback" not in first.said.read_text()

    service.start()
    assert service.half_imported("large")
    service.draft(1)
    again = service.begin(*adding(lines, "large")).result()
    assert again["fingerprint"] == fingerprint
    assert again["encoded"] < PASSAGES
