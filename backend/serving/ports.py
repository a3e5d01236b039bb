"""The ports a start needs, looked at before anything starts."""

import socket
from typing import NamedTuple

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
