"""Two people edit one letter while the API is killed again and again: what was acknowledged is there, once, and nothing is torn."""

import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from backend.serving.process import ended_with_us
from backend.settings import ROOT
from tests.app.test_serve import free_port
from tests.review.scripted_letter import PROBLEMS, REQUEST, letter_of

START_S = 60.0


class Api:
    """The API on one port, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}/v1", timeout=20, trust_env=False)
        self._folder = folder
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.api.letters_served", str(self.port), str(self._folder)]
        self._running = subprocess.Popen(ended_with_us(command), cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
        until = time.monotonic() + START_S
        while not self.answers():
            assert self._running.poll() is None and time.monotonic() < until
            time.sleep(0.02)

    def answers(self) -> bool:
        try:
            return self.client.get("/flag-answers").status_code == 200
        except httpx.HTTPError:
            return False

    def kill(self) -> None:
        self._running.kill()
        self._running.wait(timeout=30)


class Writer(threading.Thread):
    """A page that sends an edit until it is answered, under one key, and then the next."""

    def __init__(self, api: Api, letter: str, name: str, over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.api, self.letter, self.person, self.over = api, letter, name, over
        self.acknowledged: list[str] = []
        self.refused: list[str] = []
        self.version = 1

    def run(self) -> None:
        number = 0
        while not self.over.is_set():
            number += 1
            text = f"{self.person} wrote {number}."
            edits = [{"kind": "insert_after", "sentence": "S1", "text": text, "author": self.person}]
            if number % 4 == 0:
                problem = PROBLEMS[number // 4 % len(PROBLEMS)]
                edits.append({"kind": "confirm_condition", "concept_id": problem, "author": self.person})
            self.send({"edits": edits, "key": f"{self.person}-{number}"}, text)

    def send(self, body: dict[str, object], text: str) -> None:
        while True:
            try:
                answer = self.api.client.post(
                    f"/cases/{self.letter}/edits", params={"evidence": "no"}, json={**body, "version": self.version}
                )
            except httpx.HTTPError:
                if self.over.is_set():
                    return
                time.sleep(0.02)
                continue
            if answer.status_code == 200:
                self.version = answer.json()["version"]
                self.acknowledged.append(text)
                return
            if answer.status_code == 422:  # the problem is confirmed already: nothing of it was saved
                self.refused.append(text)
                return
            assert answer.status_code == 409, answer.text
            self.version = answer.json()["error"]["newest"]


def killed(folder: Path, times: int) -> None:
    api, rng, over = Api(folder), random.Random(7), threading.Event()
    body = {"draft": letter_of(REQUEST).model_dump(mode="json"), "request": REQUEST.model_dump(mode="json")}
    letter = api.client.post("/cases", json={**body, "author": "Ada"}).json()["id"]
    writers = [Writer(api, letter, name, over) for name in ("Ada", "Ben")]
    for writer in writers:
        writer.start()
    for _ in range(times):
        time.sleep(rng.uniform(0.05, 0.5))
        api.kill()
        api.start()
    before = sum(len(writer.acknowledged) for writer in writers)
    until = time.monotonic() + START_S
    while sum(len(writer.acknowledged) for writer in writers) < before + 4 and time.monotonic() < until:
        time.sleep(0.05)
    over.set()
    for writer in writers:
        writer.join(timeout=30)
        assert not writer.is_alive()
    now = api.client.get(f"/cases/{letter}").json()
    api.kill()
    texts = [s["text"] for s in now["sentences"] if not s["deleted"]]
    for writer in writers:
        assert len(writer.acknowledged) > times / 4
        assert [texts.count(text) for text in writer.acknowledged] == [1] * len(writer.acknowledged)
        assert not set(writer.refused) & set(texts)
    assert [v["version"] for v in now["versions"]] == list(range(1, now["version"] + 1))
    assert len({s["id"] for s in now["sentences"]}) == len(now["sentences"])


def test_killed_while_two_people_write_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    killed(tmp_path, times=3)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_thirty_times_while_two_people_write_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    killed(tmp_path, times=30)
