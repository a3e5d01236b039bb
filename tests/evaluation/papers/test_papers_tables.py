"""Each command that docs/results names for a table or figure of a paper makes that table, on miniatures with tiny models.

The models have random weights: what they write means nothing, but prompts, replies out of form, tokens and times are those of a
real run. What learns from a model's answers is asked of one that is right by halves. Long: `pytest -m slow`.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from backend.cli.evaluate import evaluate, evaluate_judges, evaluate_more
from backend.container import Container
from backend.settings import ROOT, settings
from backend.stores.torch_threads import one_torch_thread
from tests.cli.train.test_train_data import Expert, chosen
from tests.evaluation.papers.miniatures import write_miniatures, writer
from tests.models.encoders.test_rerankers import tiny
from tests.shipping.test_marked_commands import ended

TABLES = "## The papers' tables"
COMMANDS = ("ask", "evaluate", "knowledge", "pairs", "study", "train")
FEW = "--limit 1 --resamples 50"
SHORT = {
    "evaluate table1": FEW,
    "evaluate paths": f"{FEW} --budgets 5 --no-variants --retrievers random1hop popularity",
    "evaluate answers": FEW,
    "evaluate plans": FEW,
    "evaluate judges": "--resamples 50",
    "evaluate notes": FEW,
    "train gro": "--epochs 1 --rollouts 2 --steps 2 --policy-notes 4",
    "train pairs": "--workers 1",
    "train plans": "--workers 1",
}
"""Flags that make a command short, by its first two words; those that the table gives are not given twice."""
MEASURES = {
    "evaluate table1": ("P", "R", "F1", "J", "HL ↓", "RG-L", "BL-2", "F1 BERT", "MTR, no synonyms", "SBERT"),
    "evaluate paths": ("own 5", "common 5"),
    "evaluate answers": ("accuracy", "no_answer", "model_calls", "tokens_read", "retrieval_s", "inference_s"),
    "evaluate plans": ("queries", "words", "diversity"),
    "evaluate judges": ("accuracy",),
    "evaluate notes": ("completeness", "alignment", "ordered", "rouge_l"),
    "evaluate sets": ("set", "task", "questions", "options", "words"),
}
"""What a table's heads, or the heads of its lines, hold."""
SAYS = {
    "knowledge list": ("concepts",),
    "pairs statistics": ("patients", "documents"),
    "study new": (r"\w",),
    "ask": ('"plan"', '"text"'),
    "train plans": ('"cost"', '"retrieval_s"', '"inference_s"'),
    "train pairs": (r"\w",),
    "train gro": (r"\w",),
}


class Row(NamedTuple):
    """A line of the table: the paper, what of it, and a command."""

    paper: str
    what: str
    command: str


def rows() -> list[Row]:
    """Every command of the table."""
    text = (ROOT / "docs" / "results" / "README.md").read_text(encoding="utf-8").partition(TABLES)[2]
    cells = [line.split("|")[1:4] for line in text.splitlines() if line.startswith("|")]
    return [
        Row(paper, what, command)
        for paper, what, cell in cells
        for command in re.findall(r"`([^`]+)`", cell)
        if command.partition(" ")[0] in COMMANDS
    ]


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    """Tiny models on a busy machine wait for threads longer than they reckon."""
    with one_torch_thread():
        yield


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, Path]:
    """Two writers of random weights as settings, and a cross-encoder's folder."""
    folder = tmp_path_factory.mktemp("models")
    return writer(folder / "first", 0), writer(folder / "second", 1), tiny(folder / "cross", 3, labels=1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working folder."""
    monkeypatch.setenv("LEAPNOTE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    settings.cache_clear()


def line_of(command: str, models: Sequence[str]) -> list[str]:
    """The command's words with models in place of A and B, a question for QUESTION, and what makes it short."""
    first, second = models[:2]
    line = re.sub(r"(--generators |--judges |planner_model=)A,B", lambda found: f"{found[1]}{first},{second}", command)
    line = line.replace("QUESTION", '"What eases gout?"')
    words = shlex.split(line)
    for flag, value in _pairs(SHORT.get(" ".join(words[:2]), "")):
        if flag not in words:
            words += [flag, *value]
    return words


def expected(words: Sequence[str]) -> set[str]:
    """The cells that the flags of a command ask for, by the names that its table gives them."""
    given: dict[str, list[str]] = {}
    for flag, value in pairwise(words):
        if flag.startswith("--") and not value.startswith("--"):
            given.setdefault(flag, []).append(value)
    systems = [name for value in given.get("--systems", []) for name in value.split(",")]
    systems += [value.rpartition("=")[0] for value in given.get("--policy", [])]
    if words[1] == "judges":  # each signal by each judge, but for the one that asks none
        judges = [Path(name).name for name in given["--judges"][0].split(",")]
        signals = given["--signals"][0].split(",")
        return {name for one in signals for name in ([one] if one == "rerank" else [f"{one} {by}" for by in judges])}
    generators = [name for value in given.get("--generators", []) for name in value.split(",")]
    cells = {f"{name}+{writer}" for name in systems for writer in generators} if generators else set(systems)
    for value in given.get("--vary", []):
        setting, _, values = value.partition("=")
        cells |= {f"{name}@{setting}={one}" for name in systems for one in values.split(",")}
    for flag in ("--documents", "--thoughts"):
        cells |= {
            f"{name}@{flag[2:]}={one}" for name in systems for value in given.get(flag, []) for one in value.split(",")
        }
    return cells


def tables_of(printed: str) -> list[tuple[list[str], list[list[str]]]]:
    """The Markdown tables of a text: heads and lines."""
    found, block = [], list[list[str]]()
    for line in [*printed.splitlines(), ""]:
        if line.startswith("|"):
            block.append([cell.strip().strip("`") for cell in line.strip("|").split("|")])
        elif block:
            found.append((block[0], block[2:]))
            block = []
    return found


def _pairs(flags: str) -> Iterator[tuple[str, list[str]]]:
    for part in re.split(r"(?=--)", flags):
        if words := part.split():
            yield words[0], words[1:]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.paper} {row.what} {row.command[:60]}")
def test_a_command_makes_its_table(
    row: Row,
    folder: Path,
    models: tuple[str, str, Path],
    container: Container,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, second, cross = models
    write_miniatures(folder, container, diagnoses="diagnosis=TEST" in row.command)
    writing = container.changed(generator=first, reranker=str(cross), data=folder / "data")
    for module in (evaluate, evaluate_judges, evaluate_more):
        monkeypatch.setattr(module, "evaluation_container", lambda graph=None: nullcontext(writing))
    if row.command.startswith(("train pairs", "train plans")):
        monkeypatch.setattr("backend.container.Container", lambda chosen: container)
        monkeypatch.setattr(
            "backend.container.language_models.LanguageModels.chosen", lambda models, *given: chosen(Expert(""))
        )
    words = line_of(row.command, (first, second))
    status = ended(shlex.join(words))
    said = capsys.readouterr()
    print(said.out)
    assert status == 0, said.err[-2000:]
    kind = " ".join(words[:2]) if words[0] != "ask" else "ask"
    for pattern in SAYS.get(kind, ()):
        assert re.search(pattern, said.out)
    if kind.startswith("evaluate"):
        tables = tables_of(said.out)
        assert tables and all(len(line) == len(heads) for heads, lines in tables for line in lines)
        alone = "--generators" not in words  # then the writer is no part of a cell's name, where the table gives it
        named = [
            {name.replace(f"+{first}", "") if alone else name for name in (*heads, *(line[0] for line in lines))}
            for heads, lines in tables
        ]
        wanted = {*MEASURES[kind], *expected(words)}
        wanted = {"accuracy medqa" if one == "accuracy" and "medqa=" in row.command else one for one in wanted}
        wanted = {"accuracy diagnosis" if one == "accuracy" and "diagnosis=" in row.command else one for one in wanted}
        assert kind != "evaluate table1" or "Not available: bertscore" not in said.out
        assert any(wanted <= names for names in named), sorted(
            wanted - max(named, key=lambda names: len(wanted & names))
        )
    elif words[0] == "train":
        assert list((folder / "data" / "runs").rglob("*.json"))
