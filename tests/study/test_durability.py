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
from backend.schemas.studies.study_rating import AnswerRequest
from backend.settings import ROOT
from backend.study import records
from tests.study.sample import StudyWorld

CLICK = AnswerRequest.model_validate({"key": "q1", "part": "A", "answer": {"kind": "value", "value": 3}})


def stored(study_world: StudyWorld, study_id: str) -> dict[str, int]:
    with study_world.database.reading() as session:
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


def kill_and_look(study_world: StudyWorld, tmp_path: Path, rounds: int) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    said: dict[str, int] = {}
    rng = random.Random(1)
    for _ in range(rounds):
        said |= dict(killed_once(tmp_path / "study.sqlite", token, rng.randint(3, 30)))
        kept = stored(study_world, study_id)
        assert {answer: kept.get(answer) for answer in said} == said
    assert len(said) >= 3 * rounds
    with sqlite3.connect(tmp_path / "study.sqlite") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    # revisions of each answer count on without a gap, whatever was killed
    with study_world.database.reading() as session:
        found = records.ratings_of(session, study_id)
    places: dict[tuple[str, str], list[int]] = {}
    for record in found:
        places.setdefault((record.item_id, record.question), []).append(record.revision)
    assert all(revisions == list(range(1, len(revisions) + 1)) for revisions in places.values())


def test_killed_in_mid_stream_no_acknowledged_answer_is_lost(study_world: StudyWorld, tmp_path: Path) -> None:
    kill_and_look(study_world, tmp_path, rounds=1)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_a_hundred_times_no_acknowledged_answer_is_lost(study_world: StudyWorld, tmp_path: Path) -> None:
    kill_and_look(study_world, tmp_path, rounds=100)


def test_on_a_full_disk_an_answer_is_refused_in_words_and_nothing_is_half_written(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    study_world.ratings.answer(token, 1, str(uuid.uuid4()), CLICK)
    before, trail = stored(study_world, study_id), study_world.studies.trail(study_id)
    sizes = {"max_page_count": 1}  # SQLite then keeps the pages it has: the file cannot grow

    @event.listens_for(study_world.database.engine, "connect")
    def limit(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count={sizes['max_page_count']}")

    study_world.database.engine.dispose()
    acknowledged: dict[str, int] = {}
    with pytest.raises(MissingError, match=r"full or failing\. Nothing was saved"):
        for _ in range(500):
            answer_id = str(uuid.uuid4())
            study_world.ratings.answer(token, 1, answer_id, CLICK)
            acknowledged[answer_id] = 3
    assert stored(study_world, study_id) == before | acknowledged
    assert study_world.studies.trail(study_id) == trail
    sizes["max_page_count"] = 1_000_000
    study_world.database.engine.dispose()
    assert study_world.ratings.answer(token, 1, str(uuid.uuid4()), CLICK).revision == len(acknowledged) + 2


def test_on_a_full_disk_a_study_is_not_frozen_by_half(study_world: StudyWorld) -> None:
    from backend.schemas.studies.study_views import FreezeRequest

    study_id = study_world.ready(8)
    before = study_world.studies.view(study_id)

    @event.listens_for(study_world.database.engine, "connect")
    def limit(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA max_page_count=1")

    study_world.database.engine.dispose()
    with pytest.raises(MissingError, match="full or failing"):
        study_world.studies.freeze(study_id, FreezeRequest(accept_warnings=True))
    assert study_world.studies.view(study_id) == before


def test_raters_and_their_tabs_at_once_lose_nothing(study_world: StudyWorld) -> None:
    study_id = study_world.frozen(raters=4, overlap=2)
    tokens = [study_world.invite(study_id, f"R{n:02}") for n in range(1, 5)]
    said: list[str] = []

    def tab(token: str) -> None:
        for _ in range(6):
            answer_id = str(uuid.uuid4())
            study_world.ratings.answer(token, 1, answer_id, CLICK)
            said.append(answer_id)

    threads = [threading.Thread(target=tab, args=(token,)) for token in tokens for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(said) == 48  # 4 raters, 2 tabs, 6 answers
    assert set(stored(study_world, study_id)) == set(said)
