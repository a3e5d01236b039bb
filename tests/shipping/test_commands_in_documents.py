"""Every command that a document shows is real: it is parsed, its flags and targets exist, and cheap ones are run."""

import json
import os
import re
import socket
from pathlib import Path

import pytest

from backend.__main__ import main
from backend.settings import ROOT, Settings, settings
from tests.shipping.commands import Command, commands, commands_in

OTHERS = {"make", "docker", "curl", "echo", "cp", "cd", "git", "pip", "pg_dump", "pg_restore", "nvidia-smi"}
LONGEST = 600  # characters of a line of help
CASE = "heart-failure-ace-angioedema"
CHEAP = {
    ("draft",),
    ("link",),
    ("evidence",),
    ("ask",),
    ("doctor",),
    ("knowledge", "list"),
    ("people", "list"),
}
"""The commands that are run where nothing marks them; those that are marked: test_marked_commands."""

ALL = commands()
BACKEND = [command for command in ALL if command.backend is not None]
RUN = sorted(
    {
        command.backend
        for command in BACKEND
        if not command.marked and any(command.backend[: len(c)] == c for c in CHEAP)
    }
)


def shown(command: Command) -> str:
    """The name of a test: the document and the line."""
    return f"{command.document}: {command.line}"


def ended(arguments: list[str]) -> int:
    """The exit status of a command in this process."""
    try:
        return int(main(arguments) or 0)
    except SystemExit as error:
        return int(error.code or 0)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Help is printed without breaking names of options."""
    monkeypatch.setenv("COLUMNS", str(LONGEST))
    monkeypatch.setenv("TERMINAL_WIDTH", str(LONGEST))
    monkeypatch.setenv("NO_COLOR", "1")


def missing_flags(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The options of a command that its subcommand's help does not have; the whole command where it has no help."""
    first = next((at for at, word in enumerate(words) if word.startswith("--") or word == "-v"), len(words))
    capsys.readouterr()
    if ended([*words[:first], "--help"]) != 0:
        return [" ".join(words)]
    help_text = capsys.readouterr().out
    flags = [word.partition("=")[0] for word in words if re.match(r"--\w", word)]
    return [flag for flag in flags if not re.search(rf"(?<![\w-]){re.escape(flag)}(?![\w-])", help_text)]


def test_documents_show_commands() -> None:
    assert len(BACKEND) >= 20
    assert len(RUN) >= 5


@pytest.mark.parametrize("command", BACKEND, ids=shown)
def test_the_command_and_its_flags_exist(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.backend is not None
    assert not missing_flags(command.backend, capsys)


@pytest.mark.parametrize("command", [one for one in ALL if one.variables], ids=shown)
def test_what_is_set_before_a_command_is_a_setting(command: Command) -> None:
    known = {f"LEAPNOTE_{name.upper()}" for name in Settings.model_fields}
    assert set(command.variables) <= known | {"PYTHON", "PYTHONPATH", "CUDA_VISIBLE_DEVICES", "LEAPNOTE_TEST_DATA"}


@pytest.mark.parametrize("command", [one for one in ALL if one.backend is None], ids=shown)
def test_another_command_is_a_target_a_program_of_ours_or_a_common_one(command: Command) -> None:
    first, *rest = command.words or ("echo",)
    if first == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        assert {word for word in rest if "=" not in word and not word.startswith("-")} <= set(targets)
    elif first.rpartition("/")[2] in ("python", "python3"):
        module = rest[1] if rest[:1] == ["-m"] else rest[0]
        file = module if module.endswith(".py") else f"{module.replace('.', '/')}.py"
        package = ROOT / module.replace(".", "/")
        assert module in ("pytest", "pip", "venv", "-c") or (ROOT / file).is_file() or package.is_dir()
    else:
        assert first in OTHERS or first.startswith(".venv/bin/"), f"what is {first}?"


@pytest.mark.parametrize("arguments", RUN, ids=" ".join)
def test_a_cheap_command_does_what_the_document_says(
    arguments: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    note = json.loads((ROOT / "assets" / "cases" / f"{CASE}.json").read_text(encoding="utf-8"))["text"]
    for name in ("NOTE.txt", "note.txt"):
        (tmp_path / name).write_text(note, encoding="utf-8")
    for name in [name for name in os.environ if name.startswith("LEAPNOTE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("LEAPNOTE_DATA", str(tmp_path / "data"))
    for name in ("LEAPNOTE_API_PORT", "LEAPNOTE_PAGE_PORT"):
        monkeypatch.setenv(name, str(free_port()))
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    try:
        assert ended(list(arguments)) == 0
    finally:
        settings.cache_clear()
    assert "".join(capsys.readouterr()).strip()


def test_a_block_is_read_as_the_shell_reads_it() -> None:
    text = (
        "```sh\nLEAPNOTE_GRAPH=umls python -m backend up   # server\n"
        'python -m backend ask "What is gout?" --json | python -m json.tool\n'
        "# data: both\nmake llm \\\n  MODEL=x && docker compose exec leapnote python -m backend people list\n\nmake test\n```\n"
        "```\npython -m backend nothing\n```\n"
    )
    assert [(c.words, c.variables, c.marked) for c in commands_in(text)] == [
        (("python", "-m", "backend", "up"), ("LEAPNOTE_GRAPH",), True),
        (("python", "-m", "backend", "ask", "What is gout?", "--json"), (), False),
        (("python", "-m", "json.tool"), (), False),
        (("make", "llm", "MODEL=x"), (), True),
        (("docker", "compose", "exec", "leapnote", "python", "-m", "backend", "people", "list"), (), True),
        (("make", "test"), (), False),
    ]


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("draft", "NOTE.txt", "--json"), []),
        (("draft", "NOTE.txt", "--jso"), ["--jso"]),
        (("knowledge", "check", "--against", "FOLDER", "--nothing=3"), ["--nothing"]),
        (("knowledge", "nothing", "--json"), ["knowledge nothing --json"]),
    ],
)
def test_a_flag_that_is_none_is_found(
    words: tuple[str, ...], wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert missing_flags(words, capsys) == wrong
