"""Figures that documents show: runs a measuring command and keeps what it prints, with what it was run on.

`python -m backend.evaluation.reports.kept_figures NAME COMMAND ...` writes docs/results/NAME.json. With --first-sight the figures
also stay there as those of the first measurement, whatever is measured after it.
"""

import hashlib
import json
import os
import platform
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import Field, ValidationError

from backend import __version__
from backend.errors import InputError, LeapnoteError, MissingError
from backend.evaluation.reports.journal import file_sha256
from backend.schemas.base import Frozen
from backend.schemas.evaluation_results import Result
from backend.settings import ROOT

RESULTS = ROOT / "docs" / "results"
MEASURING = ("bench", "evaluate")
ALWAYS_READ = ("assets/cases", "assets/knowledge", "assets/rules", "models/checkpoints", "models/passages")
READING_RULES = ("assets/rules", "backend/nlp")
"""What decides how a text is read: rows, and the code that applies them."""
LEFT_OUT = ("charts",)
"""Fields of a result that no table shows."""
ROWS = ("figures", "differences")
"""Fields of a result that have a row a measure."""
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SHORTEST_HOST = 4


class FirstSight(Frozen):
    """What was measured the first time on data that nobody who writes rules reads, and which rules were measured."""

    date: str = Field(description="Day of the run, ISO")
    version: str = Field(description="Leapnote's version")
    rules: dict[str, str] = Field(description="sha256 of each folder of rules")
    measures: dict[str, float | None] = Field(description="Value of each measure, of the first system")


class KeptFigures(Frozen):
    """One file of docs/results: the figures of one run of one command, and what they depend on.

    No field holds a path outside the repository or the name of a machine.
    """

    command: str = Field(
        description="As it is typed in the repository's root; files from elsewhere by their names alone"
    )
    date: str = Field(description="Day of the run, ISO")
    version: str = Field(description="Leapnote's version")
    seconds: float = Field(description="How long the command took on the clock")
    cores: int = Field(description="Processor cores that the command could use")
    load: tuple[float, float] = Field(description="One-minute load average of the machine, before and after")
    own_data: bool = Field(description="Whether LEAPNOTE_DATA held imported sources; else an empty folder was used")
    inputs: dict[str, str] = Field(description="sha256 of each file or folder that the figures rest on")
    figures: tuple[Any, ...] = Field(description="What the command printed as JSON, one value a line")
    first_sight: FirstSight | None = Field(
        default=None, description="The first measurement where one was asked to be kept; it stays as it is"
    )


def keep(
    name: str,
    words: Sequence[str],
    *,
    data: Path | None,
    day: str,
    results: Path = RESULTS,
    first_sight: bool = False,
    measures: Sequence[str] = (),
    systems: Sequence[str] = (),
) -> Path:
    """Run `python -m backend WORDS --json` and write docs/results/NAME.json.

    Args:
        name: of the file, lower-case words joined by hyphens.
        words: the command, beginning with bench or evaluate.
        data: a folder to use as LEAPNOTE_DATA; None for an empty one, so that the starter knowledge alone is measured.
            Every other setting is at its default.
        day: ISO date of the run.
        results: the folder to write to.
        first_sight: whether to keep these figures as the first measurement, where the file has none yet.
        measures: of a result, the measures whose figures and differences are kept; all where none is named.
        systems: likewise of its systems, with the differences between them.

    Returns:
        The written file.

    Raises:
        InputError: the name, the command or what it printed does not fit.
    """
    if not _NAME.fullmatch(name):
        raise InputError(f"{name!r} is no name of a result. Use lower-case letters and digits, joined by hyphens.")
    if not words or words[0] not in MEASURING:
        raise InputError(f"{' '.join(words) or 'nothing'!r} measures nothing. Begin with: {', '.join(MEASURING)}")
    given = dict(_files(words))
    asked = [*words] if "--json" in words else [*words, "--json"]
    before, started = os.getloadavg()[0], time.monotonic()
    with tempfile.TemporaryDirectory() as empty:
        printed = _printed(asked, data or Path(empty))
        _refuse_places(printed, [empty, str(data) if data else "", *(str(path.parent) for path in given.values())])
    path = results / f"{name}.json"
    figures = tuple(_of(one, measures, systems) for one in parsed(printed))
    first = read_kept(path).first_sight if path.is_file() else None
    if first is None and first_sight:
        first = _first_sight(figures, day)
    kept = KeptFigures(
        command=shown_command(asked, given),
        date=day,
        version=__version__,
        seconds=round(time.monotonic() - started, 1),
        cores=len(os.sched_getaffinity(0)),
        load=(round(before, 1), round(os.getloadavg()[0], 1)),
        own_data=data is not None,
        inputs={path.name: hash_of(path) for path in given.values()}
        | {folder: hash_of(ROOT / folder) for folder in ALWAYS_READ},
        figures=figures,
        first_sight=first,
    )
    results.mkdir(parents=True, exist_ok=True)
    path.write_text(kept.model_dump_json(indent=1, exclude=None if first else {"first_sight"}) + "\n", encoding="utf-8")
    return path


def read_kept(path: Path) -> KeptFigures:
    """One file of docs/results.

    Raises:
        InputError: it cannot be read as such a file.
    """
    try:
        return KeptFigures.model_validate_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"{path.name} holds no kept figures ({type(error).__name__}). Measure them again.") from None


def parsed(printed: str) -> tuple[Any, ...]:
    """The JSON values of a command's output, one a line, without what no table shows.

    Raises:
        InputError: a line is no JSON, or there is none.
    """
    try:
        found = [json.loads(line) for line in printed.splitlines() if line.strip()]
    except ValueError:
        raise InputError("The command printed something else than JSON lines.") from None
    if not found:
        raise InputError("The command printed nothing.")
    return tuple(_without(value) for value in found)


def shown_command(words: Sequence[str], given: Mapping[str, Path]) -> str:
    """The command line as a document may show it: a file outside the repository stands there by its name."""
    shown = []
    for word in words:
        path = given.get(word)
        outside = path is not None and not path.resolve().is_relative_to(ROOT)
        shown.append(word.replace(word.partition("=")[2] or word, path.name) if path and outside else word)
    return shlex.join(["python", "-m", "backend", *shown])


def hash_of(path: Path) -> str:
    """sha256 of a file, or of a folder's files with their names, in the order of the names."""
    if path.is_file():
        return file_sha256(path)
    whole = hashlib.sha256()
    for file in sorted(one for one in path.rglob("*") if one.is_file() and "__pycache__" not in one.parts):
        whole.update(f"{file.relative_to(path).as_posix()}\0{file_sha256(file)}\n".encode())
    return whole.hexdigest()


def _first_sight(figures: Sequence[Any], day: str) -> FirstSight:
    """The first measurement of an evaluation's result.

    Raises:
        InputError: the figures are no result of an evaluation.
    """
    try:
        result = Result.model_validate(figures[0])
    except ValidationError:
        raise InputError("Only a result of `evaluate` has a first sight. Leave --first-sight out.") from None
    return FirstSight(
        date=day,
        version=__version__,
        rules={folder: hash_of(ROOT / folder) for folder in READING_RULES},
        measures={one.measure: one.value for one in result.figures if one.system == result.figures[0].system},
    )


def _files(words: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Each word that names a file or folder, as itself or behind `NAME=`, with its path."""
    for word in words[1:]:
        for text in (word, word.partition("=")[2]):
            if text and ("/" in text or "." in text) and Path(text).exists():
                yield word, Path(text)
                break


def _printed(words: Sequence[str], data: Path) -> str:
    own = [name for name in os.environ if name.startswith("LEAPNOTE_") and not name.startswith("LEAPNOTE_TEST_")]
    environment = {name: value for name, value in os.environ.items() if name not in own}
    done = subprocess.run(
        [sys.executable, "-m", "backend", *words],
        cwd=ROOT,
        env={**environment, "LEAPNOTE_DATA": str(data)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise MissingError(f"The command ended with status {done.returncode}; see the lines above. Nothing is kept.")
    return done.stdout


def _refuse_places(printed: str, places: Sequence[str]) -> None:
    host = platform.node()
    private = [str(ROOT), str(Path.home()), *places, host if len(host) >= _SHORTEST_HOST else ""]
    if any(place in printed for place in private if place.strip("./")):
        raise InputError("What the command printed holds a path or the name of this machine. Nothing is kept.")


def _without(value: Any) -> Any:
    return {name: inner for name, inner in value.items() if name not in LEFT_OUT} if isinstance(value, dict) else value


def _of(value: Any, measures: Sequence[str], systems: Sequence[str]) -> Any:
    """A result with the rows of some measures and systems alone."""

    def kept(row: dict[str, Any]) -> bool:
        between = {row["system"], row.get("baseline", row["system"])}
        return (not measures or row["measure"] in measures) and (not systems or between <= set(systems))

    if not (measures or systems) or not isinstance(value, dict):
        return value
    return {**value, **{name: [row for row in value[name] if kept(row)] for name in ROWS if name in value}}


app = typer.Typer(add_completion=False)


@app.command(context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True}, help=__doc__)
def main(
    name: Annotated[str, typer.Argument(metavar="NAME", help="of the file in docs/results")],
    words: Annotated[list[str], typer.Argument(metavar="COMMAND", help="bench ... or evaluate ...")],
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="FOLDER", help="LEAPNOTE_DATA with imported sources; default: empty"),
    ] = None,
    first_sight: Annotated[
        bool, typer.Option("--first-sight", help="keep the figures as the first measurement, if there is none yet")
    ] = False,
    measures: Annotated[
        list[str] | None, typer.Option("--measure", metavar="NAME", help="keep these alone; default: all")
    ] = None,
    systems: Annotated[
        list[str] | None, typer.Option("--system", metavar="NAME", help="keep these alone; default: all")
    ] = None,
) -> None:
    """Write the file and print its place.

    Raises:
        Exit: with status 2 and a reason, where nothing was written.
    """
    try:
        path = keep(
            name,
            words,
            data=data,
            day=date.today().isoformat(),
            first_sight=first_sight,
            measures=measures or (),
            systems=systems or (),
        )
    except LeapnoteError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(2) from None
    print(path.relative_to(ROOT))


if __name__ == "__main__":
    app()
