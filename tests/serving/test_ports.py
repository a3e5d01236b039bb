"""Ports that are taken are named before anything starts."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.serving.ports import Port, check_ports, held_ports
from backend.settings import ROOT

HOST = "127.0.0.1"


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as other:
        other.bind((HOST, 0))
        other.listen()
        yield int(other.getsockname()[1])


def free() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def test_free_ports_pass_and_stay_free() -> None:
    port = Port(free(), "LEAPNOTE_API_PORT", "the API")
    check_ports(HOST, port)
    check_ports(HOST, port)


def test_every_port_that_is_taken_is_named_with_its_setting(taken: int) -> None:
    with pytest.raises(InputError) as error:
        check_ports(HOST, Port(free(), "A", "the API"), Port(taken, "LEAPNOTE_PAGE_PORT", "the page"))
    assert str(error.value).startswith(f"Port {taken} for the page cannot be used on {HOST} (Address already in use).")
    assert str(error.value).endswith("Choose another with LEAPNOTE_PAGE_PORT=…")


def test_one_port_for_two_parts_is_refused() -> None:
    port = free()
    with pytest.raises(InputError, match=f"Port {port} cannot serve both the API and the page.*B=…"):
        check_ports(HOST, Port(port, "A", "the API"), Port(port, "B", "the page"))


@pytest.mark.parametrize("setting", ["LEAPNOTE_API_PORT", "LEAPNOTE_PAGE_PORT"])
def test_up_says_so_in_one_line_and_starts_nothing(taken: int, setting: str, tmp_path: Path) -> None:
    ports = {"LEAPNOTE_API_PORT": str(free()), "LEAPNOTE_PAGE_PORT": str(free()), setting: str(taken)}
    ended = subprocess.run(
        [sys.executable, "-m", "backend", "up"],
        cwd=ROOT,
        env={**os.environ, **ports, "LEAPNOTE_DATA": str(tmp_path / "data"), "LEAPNOTE_HOST": HOST},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert str(taken) in line and setting in line
    assert not (tmp_path / "data").exists()


def test_ports_that_another_start_holds_are_refused_though_nothing_listens_on_them_yet(tmp_path: Path) -> None:
    ports = Port(free(), "LEAPNOTE_API_PORT", "the API"), Port(free(), "LEAPNOTE_PAGE_PORT", "the page")
    address = f"http://{HOST}:{ports[1].number}"
    with held_ports(address, *ports):
        check_ports(HOST, *ports)  # both are free to bind: the other is still loading
        ended = subprocess.run(
            [sys.executable, "-m", "backend", "up"],
            cwd=ROOT,
            env={**os.environ, **{one.setting: str(one.number) for one in ports}, "LEAPNOTE_HOST": HOST},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert (ended.returncode, ended.stdout) == (2, "")
    (line,) = ended.stderr.splitlines()
    assert "already" in line and address in line and "LEAPNOTE_API_PORT=" in line
    # a third one that shares the API's port alone is told of the page that runs, not of its own
    other = f"http://{HOST}:{ports[1].number + 1}"
    with (
        held_ports(address, *ports),
        pytest.raises(InputError, match=rf"Open {address}, "),
        held_ports(other, ports[0], Port(ports[1].number + 1, "LEAPNOTE_PAGE_PORT", "the page")),
    ):
        pass
    with held_ports(address, *ports):  # the first has ended: its ports are free again
        pass


def test_a_start_that_is_killed_holds_its_ports_no_longer() -> None:
    port = Port(free(), "LEAPNOTE_API_PORT", "the API")
    code = f"from backend.serving.ports import *\nwith held_ports('', Port({port.number}, 'A', 'the API')): print('held', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        with pytest.raises(InputError), held_ports("", port):
            pass
        other.kill()
    with held_ports("", port):
        pass
