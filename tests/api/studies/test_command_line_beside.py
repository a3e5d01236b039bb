"""The API and the command line on one database at once: every answer that the API acknowledged is there afterwards."""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx
import pytest
from sqlalchemy import create_engine, text

from backend.schemas.studies.study_rating import AnswerRequest
from backend.serving.process import ended_with_us
from backend.settings import ROOT
from backend.stores.database.database import FILE, POSTGRES, Database
from backend.study import records
from tests.browser.conftest import free_port, wait_for
from tests.stores.database.test_postgres import url  # noqa: F401  (the server it starts)
from tests.study.sample import StudyWorld

NUMBERS = count(1)
CLICK = AnswerRequest.model_validate({"key": "q1", "part": "A", "answer": {"kind": "value", "value": 3}})


class Beside:
    """The API on a database, and the command line beside it. place: the database's URL."""

    def __init__(self, folder: Path, place: str) -> None:
        database = Database(place)
        study_world = StudyWorld(database)
        self.study_id = study_world.frozen()
        self.token = study_world.invite(self.study_id)
        database.close()  # from here on only the API and the command line have it open
        self.place = place
        self.variables = {**os.environ, "LEAPNOTE_DATA": str(folder), "LEAPNOTE_DATABASE_URL": place}
        port = free_port()
        self.api = httpx.Client(base_url=f"http://127.0.0.1:{port}/v1", timeout=30, trust_env=False)
        command = [sys.executable, "-m", "tests.api.studies.served", str(port)]
        # without the launcher between: this is the process whose open files are looked at
        self.running = subprocess.Popen(command, cwd=ROOT, env=self.variables)
        wait_for(f"http://127.0.0.1:{port}/v1/health", self.running)

    def answer(self) -> str:
        """Give one answer; its id, once it is acknowledged."""
        answer_id = str(uuid.uuid4())
        body = CLICK.model_dump(mode="json")
        said = self.api.put(f"/ratings/items/1/answers/{answer_id}", json=body, headers={"Rater-Token": self.token})
        assert said.status_code == 200, said.text
        return answer_id

    def command(self, *words: str) -> str:
        done = subprocess.run(
            ended_with_us([sys.executable, "-m", "backend", *words]),
            cwd=ROOT,
            env=self.variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def astray(self) -> set[str]:
        """The names of the database under which the API has another file open than stands on the disk."""
        found = set()
        for handle in Path(f"/proc/{self.running.pid}/fd").iterdir():
            try:
                there, opened = Path(str(handle.readlink()).removesuffix(" (deleted)")), handle.stat()
            except FileNotFoundError:
                continue  # closed meanwhile, as connections of clients are
            if there.name.startswith(FILE) and (not there.exists() or there.stat().st_ino != opened.st_ino):
                found.add(there.name)
        return found

    def kept(self) -> set[str]:
        """The ids of the answers in the database, once the API was killed."""
        self.running.kill()
        self.running.wait(timeout=30)
        database = Database(self.place)
        with database.reading() as session:
            found = {record.id for record in records.ratings_of(session, self.study_id)}
        database.close()
        return found

    def stop(self) -> None:
        self.api.close()
        self.running.kill()
        self.running.wait(timeout=30)


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Iterator[Beside]:
    made = Beside(tmp_path, f"sqlite:///{tmp_path / FILE}")
    yield made
    made.stop()


@pytest.fixture
def on_postgres(tmp_path: Path, url: str) -> Iterator[Beside]:  # noqa: F811
    name = f"beside_{next(NUMBERS)}"
    server = create_engine(url.replace("postgresql", POSTGRES, 1), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    server.dispose()
    made = Beside(tmp_path, f"{url.rpartition('/')[0]}/{name}")
    yield made
    made.stop()


def work_side_by_side(beside: Beside, *more: tuple[str, ...]) -> None:
    """Open every part of the API that keeps something, then answer before, between and after commands."""
    assert beside.api.get("/studies").status_code == 200
    assert beside.api.get("/cases").status_code == 200
    assert beside.api.post("/logins", json={"name": "Nobody", "password": "a wrong one"}).status_code == 401
    status = ("study", "status", beside.study_id)
    said, astray = set(), set()
    for words in (status, ("people", "list"), *more, status):
        for _ in range(12):
            said.add(beside.answer())
            astray |= beside.astray()
        beside.command(*words)
    for _ in range(12):
        said.add(beside.answer())
        astray |= beside.astray()
    assert (said - beside.kept(), astray) == (set(), set())


def test_no_acknowledged_answer_is_lost_to_a_command_beside_the_api(on_sqlite: Beside, tmp_path: Path) -> None:
    work_side_by_side(on_sqlite, ("backup", str(tmp_path / "b.tar.gz")))


@pytest.mark.services
@pytest.mark.timeout(300)
def test_no_acknowledged_answer_is_lost_to_a_command_beside_the_api_on_postgresql(on_postgres: Beside) -> None:
    work_side_by_side(on_postgres)
