"""A whole draft by the command line in a process that may connect to nothing but itself."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from backend.schemas.drafts.draft import Draft
from backend.settings import ROOT

NOTE = (
    "Allergies: penicillin (hives)\n\nChief Complaint: cough and fever\n\nHPI: A 60-year-old woman with chest pain.\n"
)
# Python runs this before anything else; a refusal is written down, so that a caught one shows as well.
GUARD = """
import ipaddress, os, socket
_connect, _connect_ex, _lookup = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo
def _check(address):
    if isinstance(address, (str, bytes)):
        return
    host = str(address[0])
    try:
        local = ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        local = host in ("localhost", "")
    if not local:
        with open(os.environ["LEAPNOTE_TEST_CALLS"], "a") as calls:
            calls.write(host + chr(10))
        raise OSError("no network in this test: " + host)
def connect(self, address):
    _check(address)
    return _connect(self, address)
def connect_ex(self, address):
    _check(address)
    return _connect_ex(self, address)
def getaddrinfo(host, *rest, **more):
    _check((host or "",))
    return _lookup(host, *rest, **more)
socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo = connect, connect_ex, getaddrinfo
"""


@pytest.fixture
def guarded(tmp_path: Path) -> dict[str, str]:
    """An environment in which Python refuses and notes every call to another machine."""
    (tmp_path / "sitecustomize.py").write_text(GUARD)
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
        "LEAPNOTE_TEST_CALLS": str(tmp_path / "calls.txt"),
        "LEAPNOTE_DATA": str(tmp_path / "data"),
        "HF_HUB_OFFLINE": "0",  # being offline must not depend on a switch
    }


def test_the_guard_itself_refuses_and_notes_a_call(guarded: dict[str, str]) -> None:
    code = "import urllib.request; urllib.request.urlopen('http://leapnote.invalid/')"
    run = subprocess.run(
        [sys.executable, "-c", code], check=False, env=guarded, capture_output=True, text=True, timeout=60
    )
    assert run.returncode != 0
    assert "no network in this test: leapnote.invalid" in run.stderr
    assert Path(guarded["LEAPNOTE_TEST_CALLS"]).read_text() == "leapnote.invalid\n"


def test_a_draft_from_standard_input_calls_no_other_machine(guarded: dict[str, str]) -> None:
    command = [sys.executable, "-m", "backend", "draft", "-", "--json", "--seed", "3"]
    run = subprocess.run(
        command, input=NOTE, env=guarded, cwd=ROOT, capture_output=True, text=True, timeout=170, check=False
    )
    assert run.returncode == 0, run.stderr
    draft = Draft.model_validate(json.loads(run.stdout))
    assert (draft.seed, draft.status) == (3, "complete")
    assert draft.evidence.passages
    calls = Path(guarded["LEAPNOTE_TEST_CALLS"])
    assert not calls.exists(), calls.read_text()
    assert "penicillin" not in run.stderr  # no note text in a log
