"""Who may ask what: programs, people by role, raters; and what a login is worth."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr

from backend.access.attempts import Attempts, TooManyTriesError
from backend.access.passwords import LOG_N, fits, hashed
from backend.access.people import LoginRefusedError, People
from backend.api.app import create_app
from backend.container import Container
from backend.errors import ConflictError, InputError, LeapnoteError, MissingError, NotFoundError
from backend.schemas.access import LoginRequest, PersonRole
from backend.settings import Settings
from backend.stores.database.database import Database
from backend.study.study_context import StudyContext
from tests.study.sample import StudyWorld, write

PROGRAM = "a-long-random-word-for-programs"
GOOD = "correct horse battery"
PROGRAMS = {"Authorization": f"Bearer {PROGRAM}"}


class Hospital:
    """An API that other machines reach, with a coordinator and a clinician."""

    def __init__(self, folder: Path, **changed: Any) -> None:
        url = SecretStr(f"sqlite:///{folder / 'study.sqlite'}")
        known: dict[str, Any] = {"host": "0.0.0.0", "api_token": PROGRAM, "data": folder, "database_url": url}
        self.settings = Settings(_env_file=None, **(known | changed))
        app = create_app(
            self.settings, cast(Container, SimpleNamespace(settings=self.settings, warm=dict, live=None, close=dict))
        )
        self.database = Database.of(self.settings)
        context = StudyContext(self.database, write)
        app.state.study_context = context
        self.now = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
        self.steady = 0.0
        self.people = People(self.database, lambda: self.now, Attempts(lambda: self.steady))
        app.state.people = self.people
        self.study_world = StudyWorld(self.database)
        self.study_world.studies, self.study_world.ratings = context.studies, context.ratings
        self.app = app
        self.client = TestClient(app, base_url="http://127.0.0.1")

    def logged_in(self, name: str) -> dict[str, str]:
        answer = self.client.post("/v1/logins", json={"name": name, "password": GOOD}, headers=PROGRAMS)
        assert answer.status_code == 201
        assert answer.headers["cache-control"] == "no-store"
        return {"Authorization": f"Bearer {answer.json()['token']}"}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes of a hundredth of the cost; one test makes one at its full cost."""
    monkeypatch.setattr("backend.access.passwords.LOG_N", 8)


@pytest.fixture
def hospital(tmp_path: Path) -> Iterator[Hospital]:
    made = Hospital(tmp_path)
    made.people.add("Ada Byron", PersonRole.COORDINATOR, GOOD, "root")
    made.people.add("Ben", PersonRole.CLINICIAN, GOOD, "root")
    yield made
    made.database.close()


def kind(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["kind"]


def test_a_coordinator_opens_studies_and_a_clinician_does_not(hospital: Hospital) -> None:
    ada, ben = hospital.logged_in("ada  byron"), hospital.logged_in("Ben")
    assert hospital.client.get("/v1/logins", headers=ada).json()["name"] == "Ada Byron"
    assert hospital.client.get("/v1/studies", headers=ada).status_code == 200
    for path in ("/v1/studies", "/v1/instruments", "/v1/study-templates", "/v1/studies/x/links"):
        assert kind(hospital.client.get(path, headers=ben)) == (403, "role")
    assert hospital.client.get("/v1/results", headers=ben).status_code != 403
    # an import reads files of the machine that serves
    collection = "/v1/knowledge/collections"
    assert kind(hospital.client.post(collection, json={"kind": "folder", "path": "/etc"}, headers=ben)) == (403, "role")
    assert kind(hospital.client.delete(f"{collection}/fruit", headers=ben)) == (403, "role")
    assert hospital.client.get("/v1/studies", headers=PROGRAMS).status_code == 200


def test_nobody_asks_without_a_token_or_a_login(hospital: Hospital) -> None:
    given = ({}, {"Authorization": f"Basic {PROGRAM}"}, {"Authorization": "Bearer "})
    assert {kind(hospital.client.get("/v1/studies", headers=headers)) for headers in given} == {(401, "token")}
    wrong = {"Authorization": "Bearer " + "x" * 43}
    assert kind(hospital.client.get("/v1/studies", headers=wrong)) == (401, "login")
    assert kind(hospital.client.post("/v1/logins", json={"name": "Ben", "password": GOOD})) == (401, "token")
    assert kind(hospital.client.get("/v1/logins", headers=PROGRAMS)) == (404, "NotFoundError")


def test_a_rater_s_token_opens_ratings_and_nothing_else(hospital: Hospital) -> None:
    token = hospital.study_world.invite(hospital.study_world.frozen(3))
    rater = PROGRAMS | {"Rater-Token": token}
    assert hospital.client.get("/v1/ratings/session", headers=rater).status_code == 200
    for path in ("/v1/studies", "/v1/settings", "/v1/cases", "/openapi.json", "/v1/logins", "/v1/ratingsx"):
        assert kind(hospital.client.get(path, headers=rater)) == (403, "rater")
    as_login = {"Authorization": f"Bearer {token}"}
    assert kind(hospital.client.get("/v1/studies", headers=as_login)) == (401, "login")


def test_a_rater_s_token_opens_nothing_else_on_loopback_either(tmp_path: Path) -> None:
    alone = Hospital(tmp_path, host="127.0.0.1", api_token="")
    rater = {"Rater-Token": alone.study_world.invite(alone.study_world.frozen(3))}
    assert alone.client.get("/v1/ratings/session", headers=rater).status_code == 200
    assert kind(alone.client.get("/v1/studies", headers=rater)) == (403, "rater")
    assert alone.client.get("/v1/studies").status_code == 200
    alone.database.close()


def test_on_loopback_with_a_token_alone_no_login_counts(tmp_path: Path) -> None:
    alone = Hospital(tmp_path, host="127.0.0.1")
    alone.people.add("Ada", PersonRole.COORDINATOR, GOOD, "root")
    assert kind(alone.client.get("/v1/studies", headers=alone.logged_in("Ada"))) == (401, "token")
    alone.database.close()


def test_where_people_log_in_programs_need_a_token(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="LEAPNOTE_API_TOKEN must be set"):
        Hospital(tmp_path, api_token="")


def test_what_a_person_does_is_recorded_under_their_own_name(hospital: Hospital) -> None:
    ada, study_id = hospital.logged_in("Ada Byron"), hospital.study_world.frozen(3)
    path = f"/v1/studies/{study_id}"
    assert kind(hospital.client.post(f"{path}/close", json={"author": "Ben"}, headers=ada)) == (403, "NotYouError")
    taken = hospital.client.get(f"{path}/exports/design", params={"author": "Ben"}, headers=ada)
    assert kind(taken) == (403, "NotYouError")
    two = hospital.client.get(f"{path}/exports/design?author=Ada%20Byron&author=Ben", headers=ada)
    assert kind(two) == (403, "NotYouError")
    signature = hospital.client.post("/v1/cases/x/signature", json={"author": "Ada Byron", "name": "Ben"}, headers=ada)
    assert kind(signature) == (403, "NotYouError")
    assert hospital.client.post(f"{path}/close", json={"author": "Ada Byron"}, headers=ada).status_code == 200
    assert hospital.study_world.studies.trail(study_id)[-1].actor == "Ada Byron"
    assert hospital.study_world.studies.view(study_id).state == "closed"


def test_a_login_ends_by_hand_by_silence_by_age_and_with_the_account(hospital: Hospital) -> None:
    def holds(headers: dict[str, str]) -> bool:
        return hospital.client.get("/v1/logins", headers=headers).status_code == 200

    gone = hospital.logged_in("Ben")
    assert hospital.client.delete("/v1/logins", headers=gone).status_code == 204
    assert not holds(gone)
    kept = hospital.logged_in("Ben")
    silent = hospital.logged_in("Ben")
    for _ in range(12 * 60 // 50):  # every 50 minutes, so never an hour of silence: 14 times is 11 h 40 min
        hospital.now += timedelta(minutes=50)
        assert holds(kept)
    assert not holds(silent)
    hospital.now += timedelta(minutes=21)  # 12 h 1 min
    assert not holds(kept)
    last = hospital.logged_in("Ben")
    hospital.people.change("ben", "root", role=PersonRole.COORDINATOR)
    assert not holds(last)
    last = hospital.logged_in("Ben")
    hospital.people.remove("Ben", "root")
    assert not holds(last)
    refused = hospital.client.post("/v1/logins", json={"name": "Ben", "password": GOOD}, headers=PROGRAMS)
    assert kind(refused) == (401, "LoginRefusedError")


def test_a_wall_clock_set_back_ends_a_login(hospital: Hospital) -> None:
    headers = hospital.logged_in("Ben")
    hospital.now -= timedelta(hours=3)
    assert kind(hospital.client.get("/v1/logins", headers=headers)) == (401, "login")


def test_an_unknown_name_and_a_wrong_password_get_one_answer(hospital: Hospital) -> None:
    answers = set()
    for name, password in (("Ben", "wrong"), ("Nobody", GOOD)):
        answer = hospital.client.post("/v1/logins", json={"name": name, "password": password}, headers=PROGRAMS)
        answers.add((answer.status_code, answer.text))
    assert len(answers) == 1
    assert next(iter(answers))[0] == 401
    failed = [(act, name) for _, _, act, name in hospital.people.trail() if act == "login_failed"]
    assert failed == [("login_failed", "Ben")]  # what was typed as an unknown name may be a password


def test_guessing_is_slowed_and_a_right_password_waits_as_well(hospital: Hospital) -> None:
    def tries(password: str) -> int:
        body = {"name": "Ben", "password": password}
        return hospital.client.post("/v1/logins", json=body, headers=PROGRAMS).status_code

    assert [tries("wrong") for _ in range(5)] == [401] * 5
    assert tries(GOOD) == 429  # the fifth wrong one made a wait of 1 s
    hospital.steady += 1.0
    assert tries("wrong") == 401
    hospital.steady += 1.9  # now 2 s
    assert tries(GOOD) == 429
    hospital.steady += 0.1
    assert tries(GOOD) == 201
    assert tries("wrong") == 401  # counted from the start again


def test_a_wait_is_a_minute_at_most_and_is_forgotten_after_an_hour() -> None:
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    for _ in range(40):
        attempts.begin("x")
        now[0] += 60.0
    attempts.begin("x")
    now[0] += 59.0
    with pytest.raises(TooManyTriesError, match="in 2 s"):
        attempts.begin("x")
    now[0] += 3600.0
    for _ in range(5):
        attempts.begin("x")


def test_a_password_is_kept_as_a_salted_hash_with_its_cost(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.access.passwords.LOG_N", LOG_N)
    first, second = hashed(GOOD), hashed(GOOD)
    assert first != second
    assert first.startswith("scrypt$15$8$1$")
    assert fits(GOOD, first)
    assert not fits(GOOD + " ", first)
    with pytest.raises(InputError, match="12 to 200 characters; this one has 5"):
        hashed("short")
    raw = (hospital.settings.data / "study.sqlite").read_bytes()
    wal = (hospital.settings.data / "study.sqlite-wal").read_bytes()
    headers = hospital.logged_in("Ben")
    for secret in (GOOD, headers["Authorization"].split()[1]):
        assert secret.encode() not in raw + wal


def test_a_password_is_in_no_refusal(hospital: Hospital) -> None:
    for body in (
        {"name": "", "password": GOOD},
        {"name": "Ben", "password": GOOD * 20},
        {"name": "Ben", "secret": GOOD},
    ):
        answer = hospital.client.post("/v1/logins", json=body, headers=PROGRAMS)
        assert answer.status_code == 422
        assert GOOD not in answer.text
    assert GOOD not in repr(LoginRequest(name="Ben", password=GOOD))


def test_two_names_that_differ_in_case_alone_are_one(hospital: Hospital) -> None:
    with pytest.raises(ConflictError, match="already"):
        hospital.people.add("BEN", PersonRole.CLINICIAN, GOOD, "root")
    hospital.people.remove("ben", "root")
    hospital.people.add("BEN", PersonRole.CLINICIAN, GOOD, "root")
    assert hospital.people.all() == (("Ada Byron", PersonRole.COORDINATOR), ("BEN", PersonRole.CLINICIAN))
    with pytest.raises(NotFoundError, match="people list"):
        hospital.people.remove("Cy", "root")


def test_the_trail_of_access_only_grows(hospital: Hospital) -> None:
    from sqlalchemy import text

    for act in ("DELETE FROM access_trail", "UPDATE access_trail SET actor = 'x'"):
        with pytest.raises(LeapnoteError), hospital.database.writing() as session:
            session.execute(text(act))
    assert [act for _, _, act, _ in hospital.people.trail()] == ["add", "add"]


def test_a_login_raced_by_a_removal_is_refused(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(password: str, kept: str) -> bool:
        hospital.people.remove("Ben", "root")
        return True

    monkeypatch.setattr("backend.access.people.fits", slow)
    with pytest.raises(LoginRefusedError):
        hospital.people.log_in(LoginRequest(name="Ben", password=GOOD))


def test_accounts_that_cannot_be_read_let_nobody_in_and_say_why(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = hospital.logged_in("Ben")

    def fail(token: str) -> None:
        raise MissingError("The database server does not answer.")

    monkeypatch.setattr(hospital.people, "who", fail)
    assert kind(hospital.client.get("/v1/settings", headers=ben)) == (503, "MissingError")


def test_somebody_who_is_logged_in_may_send_a_file(hospital: Hospital) -> None:
    ada = hospital.logged_in("Ada Byron")
    form = hospital.client.post("/v1/study-imports", files={"file": ("x.jsonl", b"no export")}, headers=ada)
    raw = hospital.client.post("/v1/study-imports", content=b"no export\n\xff", headers=ada)
    assert [kind(form), kind(raw)] == [(422, "InputError")] * 2
