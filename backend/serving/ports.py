"""The ports a start needs, looked at before anything starts and held for it as long as it runs."""

import contextlib
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from backend.errors import InputError


class Port(NamedTuple):
    """A port that something listens on. setting: the environment variable that chooses it. what: "the API", in words."""

    number: int
    setting: str
    what: str


def check_ports(host: str, *ports: Port) -> None:
    """Find out that every port is free, and that no two parts share one.

    Args:
        host: the address to listen on, by name or number.
        ports: all that one start needs.

    Raises:
        InputError: one is not; the message names each such port and its setting, in one line.
    """
    found = [reason for number, port in enumerate(ports) if (reason := _obstacle(host, port, ports[:number]))]
    if found:
        raise InputError(" ".join(found))


@contextlib.contextmanager
def held_ports(address: str, *ports: Port) -> Iterator[None]:
    """Hold ports for one start of this user: a second start is told so at once, even while the first is still loading.

    Args:
        address: where the page of the start is reached.
        ports: all that the start needs.

    Raises:
        InputError: another start holds one of them.
    """
    with contextlib.ExitStack() as held:
        for port in {one.number: one for one in ports}.values():  # one number twice is check_ports' to refuse
            lock = FileLock(_lock_file(port.number))
            try:
                held.enter_context(lock.acquire(timeout=0))
            except Timeout:
                others = ", ".join(f"{one.setting}=…" for one in ports)
                raise InputError(
                    f"Leapnote is starting or running here already, with port {port.number} for {port.what}. Open {_page_of(port) or address}, "
                    f"or end the other with Ctrl-C first. A second one beside it needs ports of its own: {others}"
                ) from None
            _address_file(port.number).write_text(address, encoding="utf-8")
        yield


def _page_of(port: Port) -> str:
    """Where the page of the start that holds a port is reached; empty where it has not said so yet."""
    try:
        return _address_file(port.number).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _address_file(number: int) -> Path:
    return _lock_file(number).with_suffix(".address")  # a look at the lock empties the lock's own file


def _lock_file(number: int) -> Path:
    user = os.getuid() if hasattr(os, "getuid") else 0
    return Path(tempfile.gettempdir()) / f"leapnote-{user}-port-{number}.lock"


def _obstacle(host: str, port: Port, before: tuple[Port, ...]) -> str:
    """Why a port cannot be used, and what to do; empty where it can."""
    choose = f"Choose another with {port.setting}=…"
    shared = next((one for one in before if one.number == port.number), None)
    if shared is not None:
        return f"Port {port.number} cannot serve both {shared.what} and {port.what}. {choose}"
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port whose last user has just ended is free
        try:
            probe.bind((host, port.number))
        except OSError as error:
            return f"Port {port.number} for {port.what} cannot be used on {host} ({error.strerror}). {choose}"
    return ""
