"""Thirty raters at once over a live server: every acknowledged answer is on the disk, and none waits long."""

import random
import statistics
import threading
import time
import uuid
from pathlib import Path

import pytest
import uvicorn

from app.clients.study_client import StudyClient
from backend.schemas.studies.study_rating import AnswerRequest
from backend.study.design.instruments import instrument
from tests.app.study_api import StudyServer
from tests.browser.conftest import free_port
from tests.study.sample import answers

RATERS = 30
THINKING_S = 1.0  # mean think time: ten times as busy as raters who think for 10 s
LONGEST_P95_S = 3.0


class Rating(threading.Thread):
    """One rater: an item at a time, every answer a request of its own, as the page sends them."""

    def __init__(self, client: StudyClient, token: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.client, self.token, self.random = client, token, random.Random(seed)
        self.acknowledged: dict[tuple[int, str], int] = {}
        self.waits: list[float] = []
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            total = self.client.rating_session(self.token).total
            for number in range(1, total + 1):
                item = self.client.rating_item(self.token, number)
                for key, _, request in answers(item, self.random.randint(1, 5)):
                    time.sleep(self.random.expovariate(1 / THINKING_S))
                    self._send(number, key, request)
        except BaseException as error:
            self.error = error

    def _send(self, number: int, key: str, request: AnswerRequest) -> None:
        began = time.monotonic()
        self.client.answer(self.token, number, str(uuid.uuid4()), request)
        self.waits.append(time.monotonic() - began)
        if request.answer.kind == "value":
            self.acknowledged[number, key] = request.answer.value


@pytest.mark.slow
def test_thirty_raters_at_once_lose_nothing_and_wait_for_nothing(tmp_path: Path) -> None:
    container = StudyServer(tmp_path)
    both = (instrument("reinrag-statements"),)
    study_id = container.frozen(6, raters=RATERS, overlap=RATERS, instruments=both)
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(container.app, port=port, log_level="error", lifespan="off"))
    serving = threading.Thread(target=server.run, daemon=True)
    serving.start()
    settings = container.settings.model_copy(update={"api_port": port})
    raters = []
    for n in range(1, RATERS + 1):
        raters.append(Rating(StudyClient(settings), container.invite(study_id, f"R{n:02}"), n))
    try:
        for rater in raters:
            rater.start()
        for rater in raters:
            rater.join(timeout=150)
    finally:
        server.should_exit = True
        serving.join(timeout=20)
    assert [str(rater.error) for rater in raters if rater.error] == []
    waits = sorted(wait for rater in raters for wait in rater.waits)
    items = container.ratings.session(raters[0].token).total
    assert len(waits) == RATERS * items * 4  # four statements each
    for rater in raters:
        stored = {
            (number, answer.key): answer.answer.value
            for number in range(1, items + 1)
            for answer in container.ratings.item(rater.token, number).answers
        }
        assert stored == rater.acknowledged
    p95 = waits[int(0.95 * len(waits))]
    print(f"{len(waits)} answers, median {statistics.median(waits) * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms")
    assert p95 < LONGEST_P95_S
    container.database.close()
