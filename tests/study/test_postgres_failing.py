"""PostgreSQL when its disk fills up and when it is killed: what was acknowledged is there, the rest was refused in words."""

import os
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from backend.errors import MissingError
from backend.schemas.studies.study_rating import AnswerRequest
from backend.stores.database.database import Database
from backend.study import records
from tests.stores.postgres import PostgresServer
from tests.study.sample import StudyWorld

pytestmark = [pytest.mark.services, pytest.mark.timeout(300)]
DISK = "192m"
LONG = "rest and drink " * 120


def remark() -> AnswerRequest:
    """A long remark under a thread of its own, so that the tables grow."""
    answer = {"kind": "comment", "thread": str(uuid.uuid4()), "text": LONG}
    return AnswerRequest.model_validate({"key": "comment", "answer": answer})


def kept(study_world: StudyWorld, study_id: str) -> set[str]:
    with study_world.database.reading() as session:
        return {record.id for record in records.ratings_of(session, study_id)}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own in memory."""
    place = tmp_path / "disk"
    place.mkdir()
    asked = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(place)]
    message = subprocess.run(asked, capture_output=True, check=False)
    if message.returncode:
        pytest.skip("this account may not mount a small file system")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


class Served(NamedTuple):
    server: PostgresServer
    study_world: StudyWorld


@pytest.fixture
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    """A server in the small file system or, where the test asks for none, on the disk."""
    place = request.getfixturevalue("small_disk") if "small_disk" in request.fixturenames else tmp_path
    folder = place / "server"
    folder.mkdir()
    server = PostgresServer(folder)
    study_world = StudyWorld(Database(server.url))
    yield Served(server, study_world)
    study_world.database.close()
    if server.running.poll() is None:
        server.kill()


def fill(place: Path) -> Path:
    """All the room that is left, but for a few hundred kilobytes, taken by one file."""
    ballast = place / "ballast"
    free = os.statvfs(place)
    ballast.write_bytes(b"\0" * (free.f_bavail * free.f_frsize - 300_000))
    return ballast


def test_on_a_full_disk_an_answer_is_refused_in_words_and_none_is_lost(small_disk: Path, served: Served) -> None:
    server, study_world = served
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    ballast = fill(small_disk)
    said: set[str] = set()
    with pytest.raises(MissingError, match=r"Nothing was saved; free some space|does not answer"):
        for _ in range(3_000):
            answer_id = str(uuid.uuid4())
            study_world.ratings.answer(token, 1, answer_id, remark())
            said.add(answer_id)
    ballast.unlink()
    if server.running.poll() is not None:  # it ends itself where even its log finds no room
        server.start()
    assert kept(study_world, study_id) == said
    again = str(uuid.uuid4())
    study_world.ratings.answer(token, 1, again, remark())
    assert kept(study_world, study_id) == said | {again}


def test_a_server_that_is_killed_keeps_what_it_acknowledged(served: Served) -> None:
    server, study_world = served
    study_id = study_world.frozen()
    token, said = study_world.invite(study_id), set[str]()
    for round_of in range(4):
        for _ in range(5):
            answer_id = str(uuid.uuid4())
            study_world.ratings.answer(token, 1, answer_id, remark())
            said.add(answer_id)
        server.kill()
        with pytest.raises(MissingError, match="does not answer"):
            study_world.ratings.answer(token, 1, str(uuid.uuid4()), remark())
        server.start()
        assert kept(study_world, study_id) == said, f"after kill {round_of + 1}"
