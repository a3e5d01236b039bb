"""Nothing acknowledged is lost: killed in mid-stream, on a full disk, or with many raters at once."""

import random
import sqlite3
import subprocess
import sys
import threading
import uuid
from pathlib import Path

import pytest
from sqlalchemy import event

from backend.errors import MissingError
from backend.schemas.study_rating import AnswerRequest
from backend.settings import ROOT
from backend.study import records
from tests.study.sample import Desk

CLICK = AnswerRequest.model_validate({"key": "q1", "part": "A", "answer": {"kind": "value", "value": 3}})


def stored(desk: Desk, study_id: str) -> dict[str, int]:
    with desk.database.reading() as session:
        found = records.ratings_of(session, study_id)
    return {record.id: record.answer.model_dump()["value"] for record in found}


def killed_once(file: Path, token: str, after: int) -> list[tuple[str, int]]:
    """Start a rater, kill it with SIGKILL after so many acknowledgements, and return all it had printed."""
    command = [sys.executable, "-m", "tests.study.writer", str(file), token]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        lines = [process.stdout.readline() for _ in range(after)]
        process.kill()
        lines += process.stdout.read().splitlines(keepends=True)
    whole = [line.split() for line in lines if line.endswith("\n")]
    return [(answer_id, int(value)) for answer_id, value in whole]


def kill_and_look(desk: Desk, tmp_path: Path, rounds: int) -> None:
    study_id = desk.frozen()
    token = desk.invite(study_id)
    said: dict[str, int] = {}
    rng = random.Random(1)
    for _ in range(rounds):
        said |= dict(killed_once(tmp_path / "study.sqlite", token, rng.randint(3, 30)))
        kept = stored(desk, study_id)
        assert {answer: kept.get(answer) for answer in said} == said
    assert len(said) >= 3 * rounds
    with sqlite3.connect(tmp_path / "study.sqlite") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    # revisions of each answer count on without a gap, whatever was killed
    with desk.database.reading() as session:
        found = records.ratings_of(session, study_id)
    places: dict[tuple[str, str], list[int]] = {}
    for record in found:
        places.setdefault((record.item_id, record.question), []).append(record.revision)
    assert all(revisions == list(range(1, len(revisions) + 1)) for revisions in places.values())


def test_killed_in_mid_stream_no_acknowledged_answer_is_lost(desk: Desk, tmp_path: Path) -> None:
    kill_and_look(desk, tmp_path, rounds=1)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_a_hundred_times_no_acknowledged_answer_is_lost(desk: Desk, tmp_path: Path) -> None:
    kill_and_look(desk, tmp_path, rounds=100)


def test_on_a_full_disk_an_answer_is_refused_in_words_and_nothing_is_half_written(desk: Desk) -> None:
    study_id = desk.frozen()
    token = desk.invite(study_id)
    desk.ratings.answer(token, 1, str(uuid.uuid4()), CLICK)
    before, trail = stored(desk, study_id), desk.studies.trail(study_id)
    sizes = {"max_page_count": 1}  # SQLite then keeps the pages it has: the file cannot grow

    @event.listens_for(desk.database.engine, "connect")
    def limit(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count={sizes['max_page_count']}")

    desk.database.engine.dispose()
    acknowledged: dict[str, int] = {}
    with pytest.raises(MissingError, match=r"full or failing\. Nothing was saved"):
        for _ in range(500):
            answer_id = str(uuid.uuid4())
            desk.ratings.answer(token, 1, answer_id, CLICK)
            acknowledged[answer_id] = 3
    assert stored(desk, study_id) == before | acknowledged
    assert desk.studies.trail(study_id) == trail
    sizes["max_page_count"] = 1_000_000
    desk.database.engine.dispose()
    assert desk.ratings.answer(token, 1, str(uuid.uuid4()), CLICK).revision == len(acknowledged) + 2


def test_on_a_full_disk_a_study_is_not_frozen_by_half(desk: Desk) -> None:
    from backend.schemas.study_views import FreezeRequest

    study_id = desk.ready(8)
    before = desk.studies.view(study_id)

    @event.listens_for(desk.database.engine, "connect")
    def limit(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA max_page_count=1")

    desk.database.engine.dispose()
    with pytest.raises(MissingError, match="full or failing"):
        desk.studies.freeze(study_id, FreezeRequest(accept_warnings=True))
    assert desk.studies.view(study_id) == before


def test_raters_and_their_tabs_at_once_lose_nothing(desk: Desk) -> None:
    study_id = desk.frozen(raters=4, overlap=2)
    tokens = [desk.invite(study_id, f"R{n:02}") for n in range(1, 5)]
    said: list[str] = []

    def tab(token: str) -> None:
        for _ in range(6):
            answer_id = str(uuid.uuid4())
            desk.ratings.answer(token, 1, answer_id, CLICK)
            said.append(answer_id)

    threads = [threading.Thread(target=tab, args=(token,)) for token in tokens for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(said) == 48  # 4 raters, 2 tabs, 6 answers
    assert set(stored(desk, study_id)) == set(said)
