"""The command line as a whole: what help imports, one-line errors, exit statuses, options of several words, completion."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.main import get_group

from backend import __version__
from backend.cli import FAMILIES, draft_commands
from backend.cli.cli_options import with_options
from backend.cli.operations import doctor
from backend.cli.program import CommandLine, command_options, main, run
from backend.errors import LeapnoteError, MissingError
from backend.settings import ROOT
from tests.cli.parsing import parsed

# a family's module, or what registers, would bring one of these
HEAVY = ("pydantic", "numpy", "torch", "fastapi", "sqlalchemy", "httpx", "backend.registry", "backend.systems")
IMPORTERS = ("backend.ingest.graphs", "backend.ingest.umls", "backend.ingest.corpora")


def python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def test_help_lists_every_family_and_imports_none() -> None:
    out = python("import sys; from backend.cli.program import main; main(['--help']); print('\\n'.join(sys.modules))")
    imported = set(out.splitlines())
    assert [family.name for family in FAMILIES if f" {family.name} " not in out] == []
    assert [family.module for family in FAMILIES if family.module in imported] == []
    assert [name for name in HEAVY if name in imported] == []


@pytest.mark.parametrize("words", ["knowledge", "knowledge load", "knowledge list", "draft", "seams"])
def test_help_imports_no_importer(words: str) -> None:
    out = python(
        "import sys; from backend.cli.program import main; "
        f"main({words.split()} + ['--help']); print('\\n'.join(sys.modules))"
    )
    assert [name for name in out.splitlines() if name.startswith(IMPORTERS)] == []


@pytest.mark.parametrize("name", [family.name for family in FAMILIES])
def test_every_family_has_help_of_its_own(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert f"Usage: python -m backend {name} " in capsys.readouterr().out


def test_commands_lists_every_command_with_its_options() -> None:
    found = command_options()
    assert {words.split()[0] for words in found} == {family.name for family in FAMILIES}
    assert "--system" in found["draft"]
    assert "--from" in found["knowledge add obo"]
    assert found["people list"] == ("--author", "--json")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "Missing command."),
        (("nonsense",), "There is no command 'nonsense'. Choose one of: up, serve, llm, draft"),
        (("knowledge", "add", "paper"), "There is no kind 'paper'. Choose one of: umls, obo, tsv"),
        (("doctor", "--jso"), "No such option: --jso (Possible options: --json). See: python -m backend doctor --help"),
        (("draft",), "Missing argument 'note'. See: python -m backend draft --help"),
        (("draft", "-", "--seed", "x"), "Invalid value for '--seed'"),
        (("link", "-", "more"), "unexpected extra argument"),
        (("draft", "-", "--sources"), "'--sources' requires"),
    ],
)
def test_a_wrong_use_ends_with_two_and_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    assert main(list(words)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("leapnote: ") and said.err.count("\n") == 1
    assert says in said.err


def test_an_option_of_several_words_takes_them_all_or_one_at_a_time() -> None:
    together = parsed("draft", "note.txt", "--sources", "book", "wiki", "--seed", "-3", "--drop-source", "graph")
    assert (together["sources"], together["drop_source"], together["seed"]) == (["book", "wiki"], ["graph"], -3)
    apart = parsed("draft", "--sources", "book", "--sources", "wiki", "--json", "note.txt")
    assert (apart["sources"], apart["note"]) == (["book", "wiki"], "note.txt")


def test_an_option_may_stand_without_a_word_where_that_means_something() -> None:
    texts = ("knowledge", "add", "jsonl", "--from", "x.jsonl")
    given = [parsed(*texts, *more)["ray"] for more in ((), ("--ray",), ("--ray", "--json"), ("--ray", "host:1"))]
    assert given == [None, "", "", "host:1"]
    assert parsed("evaluate", "planted", "--vignettes", "a.tsv", "b.tsv")["vignettes"] == ["a.tsv", "b.tsv"]
    assert parsed("evaluate", "planted", "--vignettes")["vignettes"] == [""]
    assert not parsed("evaluate", "planted")["vignettes"]


@pytest.mark.parametrize(
    ("raised", "status"),
    [(KeyboardInterrupt(), 130), (MissingError("The server is away."), 3), (LeapnoteError("It broke."), 1)],
)
def test_what_a_command_raises_becomes_its_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], raised: BaseException, status: int
) -> None:
    def settings() -> None:
        raise raised

    monkeypatch.setattr(doctor, "settings", settings)
    assert main(["doctor"]) == status
    said = capsys.readouterr().err
    assert said == (f"leapnote: {raised}\n" if isinstance(raised, LeapnoteError) else "")


def test_a_defect_is_one_line_with_its_kind_and_place_and_none_of_its_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def container() -> None:
        raise ZeroDivisionError("words of the note")

    monkeypatch.setattr(draft_commands, "_container", container)
    note = tmp_path / "note.txt"
    note.write_text("Chief Complaint: cough")
    assert main(["link", str(note)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("leapnote: Leapnote failed (ZeroDivisionError in test_program.py, line ")
    assert said.count("\n") == 1 and "words of the note" not in said
    with pytest.raises(ZeroDivisionError):
        run(["link", str(note)])


def test_a_command_whose_reader_went_away_is_done() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "backend", "seams", "--json"]
    done = subprocess.run(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"Leapnote {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_is_printed_for_a_command_that_runs_this_program(
    capsys: pytest.CaptureFixture[str], shell: str
) -> None:
    assert main(["--show-completion", shell]) == 0
    script = capsys.readouterr().out
    assert script.startswith(f'leapnote() {{ {sys.executable} -m backend "$@"; }}\n')
    assert f"_LEAPNOTE_COMPLETE=complete_{shell} {sys.executable} -m backend" in script
    assert main(["--show-completion", "tcsh"]) == 2


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("leapnote knowl", {"knowledge"}),
        ("leapnote knowledge re", {"review", "remove"}),
        ("leapnote draft --sys", {"--system"}),
        ("leapnote draft --system rar2-", {"rar2-parallel", "rar2-iterative"}),
    ],
)
def test_words_are_completed(words: str, found: set[str]) -> None:
    asked = {"_LEAPNOTE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    done = subprocess.run(
        [sys.executable, "-m", "backend"],
        cwd=ROOT,
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert set(done.stdout.split()) == found


def test_a_group_of_options_is_one_value(capsys: pytest.CaptureFixture[str]) -> None:
    @dataclass(frozen=True)
    class Two:
        first: Annotated[str, typer.Option("--first")]
        second: Annotated[int, typer.Option("--second")] = 2

    app = CommandLine()

    @app.add("show", "show them")
    @with_options(Two)
    def show(name: Annotated[str, typer.Argument()], options: Two) -> None:
        print(name, options)

    get_group(app).main(["show", "x", "--first", "y"], "test", standalone_mode=False)
    assert capsys.readouterr().out.startswith("x ") and "first='y', second=2" in repr(Two("y"))
