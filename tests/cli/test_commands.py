"""The command line: what each command prints, and its exit status: 0 done, 2 wrong input, 3 missing, 1 a defect."""

import io
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from backend.__main__ import main
from backend.cli import draft_commands
from backend.container import Container
from backend.ingest.patient_records.fhir_record import bundle_to_record
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.note import LinkedNote
from backend.settings import ROOT

NOTE = "Allergies: penicillin (hives)\n\nChief Complaint: cough and fever\n\nHPI: A 60-year-old woman. She denies chest pain.\n"


class Done(NamedTuple):
    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(container: Container, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A command in this process, on the session's container."""
    monkeypatch.setattr(draft_commands, "_container", lambda: container)

    def command(*arguments: str, given: bytes = b"") -> Done:
        stdin = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", stdin)
        try:
            status = main(list(arguments))
        except SystemExit as ended:  # argparse
            status = int(ended.code or 0)
        said = capsys.readouterr()
        return Done(status, said.out, said.err)

    return command


@pytest.fixture
def note(tmp_path: Path) -> str:
    path = tmp_path / "note.txt"
    path.write_text(NOTE)
    return str(path)


def test_draft_prints_allergies_flags_and_sentences_with_their_marks(run: Run, note: str) -> None:
    done = run("draft", note)
    assert (done.status, done.err) == (0, "")
    assert "Allergies: listed penicillin" in done.out
    assert "(!)" in done.out
    assert "stated in the cited text" in done.out
    assert "You were seen because of cough and fever." in done.out
    assert done.out.rstrip().splitlines()[-1].startswith("complete; timings")


def test_draft_reads_standard_input_and_prints_the_whole_json(run: Run) -> None:
    done = run("draft", "-", "--json", "--seed", "5", "--system", "random1hop", given=NOTE.encode())
    draft = Draft.model_validate_json(done.out)
    assert (draft.seed, draft.system, draft.note.text) == (5, "random1hop", NOTE)


def test_draft_takes_what_the_ward_adds(run: Run, note: str, tmp_path: Path) -> None:
    earlier = tmp_path / "earlier.jsonl"
    earlier.write_text('{"note_type": "Clinic", "date": "2025-01-02", "text": "Cough for a week."}\n\n')
    done = run(
        *("draft", note, "--json", "--document", "discharge_instructions", "--style", "paragraph"),
        *("--confirm", "LN:pneumonia", "--medicine", "Amoxicillin 500 mg three times a day"),
        *("--hospital-course", "You had a chest film.", "--patient-notes", str(earlier)),
    )
    draft = Draft.model_validate_json(done.out)
    assert "allergy_conflict" in {flag.kind for flag in draft.flags}
    assert "Your team found that you have pneumonia" in draft.text
    assert "You had a chest film." in draft.text
    assert "\n" not in draft.text
    # a clinic note is one of MIMIC-III's Physician notes
    assert ("Physician", "Cough for a week.") in {(p.note_type, p.text) for p in draft.evidence.notes}


def test_evidence_prints_paths_and_passages_but_no_text(run: Run, note: str) -> None:
    done = run("evidence", note, "--json")
    draft = Draft.model_validate_json(done.out)
    assert draft.evidence.paths
    assert draft.evidence.passages
    assert draft.text == ""


def test_link_prints_the_mentions_or_json(run: Run, note: str) -> None:
    linked = LinkedNote.model_validate_json(run("link", note, "--json").out)
    assert {m.name: m.assertion.value for m in linked.note.mentions}["chest pain"] == "negated"
    printed = run("link", note).out
    assert "allergies: listed" in printed
    assert "negated" in printed


def test_link_prints_the_record_as_a_fhir_bundle(run: Run, note: str) -> None:
    done = run("link", note, "--fhir")
    record = bundle_to_record(json.loads(done.out))
    assert (done.status, record.person.sex) == (0, "female")
    assert [(item.agent, item.reaction) for item in record.allergies.items] == [("penicillin", "hives")]
    assert {one.name: one.verification_status for one in record.problems}["chest pain"] == "refuted"
    assert run("link", note, "--fhir").out == done.out


def test_ask_answers_a_question_with_options(run: Run) -> None:
    done = run("ask", "Which test shows pneumonia?", "--option", "chest x-ray", "--option", "knee x-ray")
    assert done.status == 0
    assert "Answer: A: chest x-ray" in done.out


@pytest.mark.parametrize(
    ("arguments", "given", "says"),
    [
        (("draft", "/none/such.txt"), b"", "cannot be read"),
        (("draft", "-"), b"", "empty"),
        (("draft", "-"), b"   \n", "empty"),
        (("draft", "-"), b"\xff\xfe\x00f", "not UTF-8"),
        (("link", "-"), b"fever\x00", "null bytes"),
        (("draft", "-"), b"x" * 60_000, "at most 50,000"),
        (("draft", "-", "--system", "magic"), NOTE.encode(), "There is no system 'magic'"),
        (("draft", "-", "--generator", "magic"), NOTE.encode(), "'magic' names no language model"),
        (("ask", "What is it?", "--option", "only one"), b"", "One option is no choice"),
        (("draft", "-", "--patient-notes", "/none/such.jsonl"), NOTE.encode(), "cannot be read"),
        (("draft", "-", "--document", "poem"), NOTE.encode(), "'poem' is not one of 'discharge_instructions'"),
        (("nonsense",), b"", "There is no command 'nonsense'. Choose one of: up, serve"),
    ],
)
def test_wrong_input_ends_with_two_and_says_how_to_mend_it(
    run: Run, arguments: tuple[str, ...], given: bytes, says: str
) -> None:
    done = run(*arguments, given=given)
    assert done.status == 2
    assert says in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_a_line_of_earlier_notes_that_is_none_is_named(run: Run, note: str, tmp_path: Path) -> None:
    path = tmp_path / "earlier.jsonl"
    path.write_text('{"text": "ok"}\n{"words": 3}\n')
    done = run("draft", note, "--patient-notes", str(path))
    assert done.status == 2
    assert "line 2" in done.err


def test_wrong_input_is_refused_before_anything_is_loaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load() -> Container:
        raise AssertionError("nothing should be loaded")

    monkeypatch.setattr(draft_commands, "_container", load)
    for command in (("draft", "/none/such.txt"), ("evidence", "/none/such.txt"), ("link", "/none/such.txt")):
        assert main(list(command)) == 2
        assert "cannot be read" in capsys.readouterr().err


@pytest.fixture
def free_ports() -> Iterator[dict[str, str]]:
    with socket.socket() as first, socket.socket() as second:
        first.bind(("127.0.0.1", 0))
        second.bind(("127.0.0.1", 0))
        ports = first.getsockname()[1], second.getsockname()[1]
    yield {"LEAPNOTE_API_PORT": str(ports[0]), "LEAPNOTE_PAGE_PORT": str(ports[1])}


def process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "backend", *arguments],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_doctor_finds_every_part_in_order(free_ports: dict[str, str], tmp_path: Path) -> None:
    done = process("doctor", "--json", LEAPNOTE_DATA=str(tmp_path), **free_ports)
    rows = {row["part"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert {"Python", "encoder", "knowledge", "API port", "page port"} <= set(rows)
    assert [name for name, row in rows.items() if not row["ok"]] == []
    assert done.returncode == 0


def test_doctor_ends_with_three_and_names_the_setting_when_a_port_is_taken(free_ports: dict[str, str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = process("doctor", **{**free_ports, "LEAPNOTE_API_PORT": port})
    assert done.returncode == 3
    assert "LEAPNOTE_API_PORT" in done.stdout
    assert "Traceback" not in done.stderr


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"status": "ready"}')

    def log_message(self, *said: object) -> None: ...


def test_doctor_finds_ports_in_order_that_leapnote_itself_has(tmp_path: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), Answers) as api, HTTPServer(("127.0.0.1", 0), Answers) as page:
        for server in (api, page):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        ports = {"LEAPNOTE_API_PORT": str(api.server_port), "LEAPNOTE_PAGE_PORT": str(page.server_port)}
        done = process("doctor", LEAPNOTE_DATA=str(tmp_path), **ports)
        api.shutdown()
        page.shutdown()
    assert "FAIL" not in done.stdout
    assert f"{ports['LEAPNOTE_API_PORT']}: Leapnote runs" in done.stdout
    assert done.returncode == 0


def test_doctor_says_that_the_knowledge_is_missing(free_ports: dict[str, str], tmp_path: Path) -> None:
    done = process("doctor", LEAPNOTE_KNOWLEDGE=str(tmp_path / "none"), **free_ports)
    assert done.returncode == 3
    assert "FAIL knowledge" in done.stdout
    assert "LEAPNOTE_KNOWLEDGE" in done.stdout
    assert "Traceback" not in done.stderr


def test_knowledge_check_ends_with_two_and_names_the_line_of_a_breach(tmp_path: Path) -> None:
    for kind in ("concepts", "triples", "doses", "handbook"):
        (tmp_path / kind).mkdir()
    relations = ROOT / "assets" / "knowledge" / "relations.tsv"
    (tmp_path / "relations.tsv").write_text(relations.read_text())
    (tmp_path / "concepts" / "joints.tsv").write_text("name\tgroup\tcategory\nknee\tANAT\tanatomy\n")
    done = process("knowledge", "check", LEAPNOTE_KNOWLEDGE=str(tmp_path))
    assert done.returncode == 2
    assert "joints:2: knee: orphan" in done.stdout
    missing = process("knowledge", "check", LEAPNOTE_KNOWLEDGE=str(tmp_path / "none"))
    assert missing.returncode == 2
    assert "LEAPNOTE_KNOWLEDGE" in missing.stderr


def test_the_version_and_a_missing_command() -> None:
    assert process("--version").stdout.startswith("Leapnote ")
    assert process().returncode == 2
