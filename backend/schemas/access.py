"""Who may open the page: people with a name, a role and a password, and the logins they hold."""

import ipaddress
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.patients.case_text import Person

LONGEST_PASSWORD = 200
Password = Annotated[str, Field(min_length=1, max_length=LONGEST_PASSWORD, repr=False)]


class PersonRole(StrEnum):
    """clinician: everything but rating studies and changes to the sources. coordinator: those as well. administrator: people too."""

    CLINICIAN = "clinician"
    COORDINATOR = "coordinator"
    ADMINISTRATOR = "administrator"


class LoginRequest(Frozen):
    """A person's name and password."""

    name: Person
    password: Password


class LoggedIn(Frozen):
    """Who is logged in. name: as it goes into every trail."""

    name: Person
    role: PersonRole
    ends_at: datetime


class Account(Frozen):
    """Somebody who can log in. last_used: of their newest login, to the minute; None where no login is left of them."""

    name: Person
    role: PersonRole
    created_at: datetime
    last_used: datetime | None = None


class NewAccount(Frozen):
    """An account to make. password: 12 to 200 characters; whoever makes it tells the person."""

    name: Person
    role: PersonRole = PersonRole.CLINICIAN
    password: Password


class AccountChange(Frozen):
    """Another role, another password, or both. It ends the person's logins."""

    role: PersonRole | None = None
    password: Annotated[str, Field(min_length=1, max_length=LONGEST_PASSWORD)] | None = Field(default=None, repr=False)


class AccessEvent(Frozen):
    """Who logged in, failed to, or changed whose account."""

    at: datetime
    actor: str
    act: str
    name: str


class GivenLogin(LoggedIn):
    """token: for the header `Authorization: Bearer`; given this once."""

    token: str = Field(repr=False)


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def login_needed(host: str, wanted: bool) -> bool:
    """Whether people must log in: where other machines reach the page, or where the settings want it."""
    return wanted or not is_loopback(host)
