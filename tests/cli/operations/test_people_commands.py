"""people, as a person would type it: the password comes from standard input and stands nowhere."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.access.people import People
from backend.cli.operations import people_commands
from backend.cli.program import run as run_command
from backend.errors import InputError, NotFoundError
from backend.schemas.access import LoginRequest
from backend.stores.database.database import Database

GOOD = "correct horse battery"


@pytest.fixture(autouse=True)
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[People]:
    monkeypatch.setattr("backend.access.passwords.LOG_N", 8)
    database = Database(f"sqlite:///{tmp_path / 'people.sqlite'}")
    made = People(database)
    monkeypatch.setattr(people_commands, "_people", lambda: made)
    yield made
    database.close()


def command(*arguments: str) -> None:
    run_command(["people", *arguments])


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_an_account_is_made_changed_and_removed(
    people: People, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, GOOD + "\n")
    command("add", "  Ada   Byron ", "--role", "coordinator", "--author", "root")
    assert capsys.readouterr().out == "Ada Byron can log in as coordinator\n"
    token = people.log_in(LoginRequest(name="ada byron", password=GOOD)).token
    typed(monkeypatch, "another good one\n")
    command("password", "Ada Byron")
    assert people.who(token) is None
    command("role", "Ada Byron", "clinician", "--json")
    command("list", "--json")
    said = capsys.readouterr().out
    assert json.loads(said.splitlines()[-1]) == [{"name": "Ada Byron", "role": "clinician"}]
    command("remove", "Ada Byron")
    command("list")
    assert "Nobody can log in yet" in capsys.readouterr().err
    command("trail", "--json")
    acts = [json.loads(line)["act"] for line in capsys.readouterr().out.splitlines()]
    assert acts == ["add", "login", "change", "change", "remove"]
    assert GOOD not in said


@pytest.mark.parametrize(("text", "message"), [("short\n", "12 to 200"), ("", "this one has 0")])
def test_a_password_that_does_not_fit_makes_no_account(
    people: People, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    typed(monkeypatch, text)
    with pytest.raises(InputError, match=message):
        command("add", "Ben")
    assert people.all() == ()


def test_what_was_typed_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotFoundError, match="people list"):
        command("remove", "Nobody")
    typed(monkeypatch, GOOD + "\n")
    with pytest.raises(InputError, match="The name does not fit"):
        command("add", "  ")


def test_two_different_passwords_at_a_terminal_change_nothing(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    given = iter([GOOD, GOOD + "!"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda prompt: next(given))
    with pytest.raises(InputError, match="differ"):
        command("add", "Ben")
    assert people.all() == ()
