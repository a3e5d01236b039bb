"""people: who may log in to the page, from the server's own command line."""

import argparse
import getpass
import json
import os
import sys
from typing import Any

from pydantic import TypeAdapter, ValidationError

from backend.errors import InputError
from backend.schemas.access import PersonRole
from backend.schemas.patients.saved_case import Person
from backend.settings import settings


def add_to(commands: Any) -> None:
    """The parsers of this family."""
    parser = commands.add_parser("people", help="accounts of the page: add, list, change, remove")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    roles = [role.value for role in PersonRole]
    add = actions.add_parser("add", help="a new account; asks for its password, or reads it from standard input")
    add.add_argument("name", help="as it goes into the audit trail")
    add.add_argument("--role", choices=roles, default=PersonRole.CLINICIAN.value)
    add.set_defaults(run=run_add)
    password = actions.add_parser("password", help="another password; it ends the person's logins")
    password.add_argument("name")
    password.set_defaults(run=run_password)
    role = actions.add_parser("role", help="another role; it ends the person's logins")
    role.add_argument("name")
    role.add_argument("role", choices=roles)
    role.set_defaults(run=run_role)
    remove = actions.add_parser("remove", help="from now on the account opens nothing")
    remove.add_argument("name")
    remove.set_defaults(run=run_remove)
    shown = actions.add_parser("list", help="names and roles")
    shown.set_defaults(run=run_list)
    trail = actions.add_parser("trail", help="who logged in, failed to, and changed accounts")
    trail.set_defaults(run=run_trail)
    for action in actions.choices.values():
        action.add_argument("--author", default=os.environ.get("USER") or "server", help="who does it, for the trail")
        action.add_argument("--json", action="store_true", help="print JSON")


def run_add(args: argparse.Namespace) -> None:
    name, role = _name(args.name), PersonRole(args.role)
    _people().add(name, role, _asked_password(), args.author)
    _tell(args, name, f"{name} can log in as {role.value}")


def run_password(args: argparse.Namespace) -> None:
    name = _name(args.name)
    _people().change(name, args.author, password=_asked_password())
    _tell(args, name, f"{name} has a new password and is logged out")


def run_role(args: argparse.Namespace) -> None:
    name = _name(args.name)
    _people().change(name, args.author, role=PersonRole(args.role))
    _tell(args, name, f"{name} is {args.role} and is logged out")


def run_remove(args: argparse.Namespace) -> None:
    name = _name(args.name)
    _people().remove(name, args.author)
    _tell(args, name, f"{name} cannot log in any more")


def run_list(args: argparse.Namespace) -> None:
    found = _people().all()
    if args.json:
        print(json.dumps([{"name": name, "role": role.value} for name, role in found], ensure_ascii=False))
        return
    for name, role in found:
        print(f"{role.value:12} {name}")
    if not found:
        print("Nobody can log in yet. Add somebody with: python -m backend people add NAME", file=sys.stderr)


def run_trail(args: argparse.Namespace) -> None:
    for at, actor, act, name in _people().trail():
        told = {"at": at.isoformat(), "actor": actor, "act": act, "name": name}
        print(json.dumps(told, ensure_ascii=False) if args.json else f"{at:%Y-%m-%d %H:%M:%S} {actor} {act} {name}")


def _name(text: str) -> str:
    try:
        return TypeAdapter(Person).validate_python(text)
    except ValidationError as error:
        raise InputError(f"The name does not fit: {error.errors()[0]['msg']}.") from None


def _asked_password() -> str:
    """Typed twice without an echo; or one line of standard input, so that it stands in no list of processes."""
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


def _tell(args: argparse.Namespace, name: str, words: str) -> None:
    print(json.dumps({"name": name}, ensure_ascii=False) if args.json else words)
