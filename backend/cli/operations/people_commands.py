"""people: who may log in to the page, from the server's own command line."""

import getpass
import json
import os
import sys
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter, ValidationError

from backend.cli.cli_options import Json
from backend.cli.program import CommandLine
from backend.cli.tables import print_table
from backend.errors import InputError
from backend.schemas.access import PersonRole
from backend.schemas.patients.case_text import Person
from backend.settings import settings

app = CommandLine("accounts of the page: add, list, change, remove")
Account = Annotated[str, typer.Argument(metavar="NAME", help="as it goes into the audit trail", show_default=False)]
Author = Annotated[str, typer.Option("--author", help="who does it, for the trail")]
ME = os.environ.get("USER") or "server"


@app.add("add", "a new account; asks for its password, or reads it from standard input")
def add(
    name: Account,
    role: Annotated[PersonRole, typer.Option("--role")] = PersonRole.CLINICIAN,
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Make an account."""
    name = _name(name)
    _people().add(name, role, _asked_password(), author)
    _print(name, f"{name} can log in as {role.value}", as_json)


@app.add("password", "another password; it ends the person's logins")
def change_password(name: Account, author: Author = ME, as_json: Json = False) -> None:
    """Ask for another password and keep it."""
    name = _name(name)
    _people().change(name, author, password=_asked_password())
    _print(name, f"{name} has a new password and is logged out", as_json)


@app.add("role", "another role; it ends the person's logins")
def change_role(
    name: Account,
    role: Annotated[PersonRole, typer.Argument(show_default=False)],
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Give a person another role."""
    name = _name(name)
    _people().change(name, author, role=role)
    _print(name, f"{name} is {role.value} and is logged out", as_json)


@app.add("remove", "from now on the account opens nothing")
def remove(name: Account, author: Author = ME, as_json: Json = False) -> None:
    """Remove an account; its name stays in the trails."""
    name = _name(name)
    _people().remove(name, author)
    _print(name, f"{name} cannot log in any more", as_json)


@app.add("list", "names and roles")
def list_people(author: Author = ME, as_json: Json = False) -> None:
    """Print the accounts by name."""
    found = _people().all()
    if as_json:
        print(json.dumps([{"name": name, "role": role.value} for name, role in found], ensure_ascii=False))
        return
    rows = [(role.value, name) for name, role in found]
    print_table(("role", "name"), rows, lambda cells: f"{cells[0]:12} {cells[1]}")
    if not found:
        print("Nobody can log in yet. Add somebody with: python -m backend people add NAME", file=sys.stderr)


@app.add("trail", "who logged in, failed to, and changed accounts")
def trail(author: Author = ME, as_json: Json = False) -> None:
    """Print the trail of access, oldest first."""
    for at, actor, act, name in _people().trail():
        row = {"at": at.isoformat(), "actor": actor, "act": act, "name": name}
        print(json.dumps(row, ensure_ascii=False) if as_json else f"{at:%Y-%m-%d %H:%M:%S} {actor} {act} {name}")


def _name(text: str) -> str:
    try:
        return TypeAdapter(Person).validate_python(text)
    except ValidationError as error:
        raise InputError(f"The name does not fit: {error.errors()[0]['msg']}.") from None


def _asked_password() -> str:
    """Typed twice without an echo; or one line of standard input, so that it stands in no list of processes.

    Raises:
        InputError: the two differ.
    """
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass("Password: ")
    if first != getpass.getpass("Again: "):
        raise InputError("The two passwords differ. Nothing was changed.")
    return first


def _people() -> Any:
    from backend.access.people import People
    from backend.stores.database.database import Database

    return People(Database.of(settings()))


def _print(name: str, text: str, as_json: bool) -> None:
    print(json.dumps({"name": name}, ensure_ascii=False) if as_json else text)
