"""The examples of docs/extending.md: complete, short, registered in the seam of their recipe, and passing its suite."""

import os
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from backend import registry
from backend.registry import SEAMS, Registry
from tests.shipping.instructions import ROOT

PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
MOST_LINES = 40
RECIPES: dict[str, Registry[Any]] = {
    "Strategy": registry.STRATEGIES,
    "Planner": registry.PLANNERS,
    "Path retriever": registry.PATH_RETRIEVERS,
    "Passage ranker": registry.PASSAGE_RANKERS,
    "Condition ranker": registry.CONDITION_RANKERS,
    "Writer": registry.WRITERS,
    "Flag kind": registry.FLAG_KINDS,
    "Exporter": registry.EXPORTERS,
    "Text importer": registry.CORPUS_IMPORTERS,
    "Graph importer": registry.GRAPH_IMPORTERS,
    "Note importer": registry.NOTE_IMPORTERS,
    "Encoder": registry.ENCODERS,
    "Language model engine": registry.ENGINES,
    "Study instrument": registry.INSTRUMENTS,
}
INSTRUMENT = """from backend.registry import INSTRUMENTS
from backend.schemas.studies.study_instrument import Instrument

found = Instrument.model_validate_json({!r})
INSTRUMENTS.register(found.id, label=found.title, about=found.questions[0].prompt)(found)
"""
SAMPLES = '''"""The inputs that the importers' suite reads."""

import json

from tests.conformance import importer_samples as samples


def notebook(folder):
    (folder / "a.txt").write_text("= Gout\\nRest the joint.\\n= Cough\\nDrink water.\\n= Nothing\\n")
    return samples.TextSample(folder / "a.txt")


def node_link(folder):
    nodes = [{"id": "A", "name": "asthma", "group": "DISO"}, {"id": "B", "name": "salbutamol", "group": "CHEM"}]
    links = [{"source": "B", "relation": "eases", "target": tail} for tail in "AZ"]
    graph = {"nodes": [*nodes, {"id": "C", "name": "", "group": "DISO"}], "links": links}
    (folder / "a.json").write_text(json.dumps(graph))
    (folder / "broken.json").write_text('{"nodes": [')
    return samples.GraphSample((folder / "a.json",), (folder / "broken.json",), "broken.json")


BLOCKS = b"NOTE Nursing 2031-02-01\\nWalked.\\nNOTE Physician 2031-02-02\\n\\n"
samples.TEXTS["notebook"] = notebook
samples.GRAPHS["node-link"] = node_link
samples.NOTES["blocks"] = samples.NoteSample(BLOCKS, ("Walked.",), True)
'''


class Example(NamedTuple):
    """A fenced block under one heading."""

    heading: str
    language: str
    code: str

    @property
    def module(self) -> str:
        """The block as Python that registers it."""
        return self.code if self.language == "python" else INSTRUMENT.format(self.code)


def examples(page: str) -> tuple[Example, ...]:
    """The fenced python and json blocks of a page, in order."""
    found = []
    for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        heading = part.split("\n", 1)[0].strip()
        blocks = re.findall(r"^```(python|json)\n(.*?)^```", part, flags=re.MULTILINE | re.DOTALL)
        found += [Example(heading, language, code) for language, code in blocks]
    return tuple(found)


EXAMPLES = examples(PAGE)


def added_by(example: Example, seam: Registry[Any]) -> set[str]:
    """The names that a block registers in the seam. They are forgotten again."""
    with ExitStack() as stack:
        for one in SEAMS:
            stack.enter_context(one.scratch())
        before = set(seam.names())
        exec(compile(example.module, f"docs/extending.md, {example.heading}", "exec"), {"__name__": "example"})
        return set(seam.names()) - before


def test_every_recipe_has_one_example() -> None:
    assert sorted(example.heading for example in EXAMPLES) == sorted(RECIPES)
    assert all(f"\n## {heading}\n" in PAGE for heading in RECIPES)


def test_every_seam_is_one_of_the_recipes_or_registered_beside_one() -> None:
    beside = {"safety check"}  # the recipe of a flag kind registers one
    assert not {seam.seam for seam in SEAMS} - {seam.seam for seam in RECIPES.values()} - beside


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.heading)
def test_an_example_has_at_most_forty_lines(example: Example) -> None:
    assert len(example.code.strip().splitlines()) <= MOST_LINES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.heading)
def test_an_example_registers_in_the_seam_of_its_recipe(example: Example) -> None:
    assert added_by(example, RECIPES[example.heading])


@pytest.mark.parametrize("example", [one for one in EXAMPLES if one.language == "python"], ids=lambda one: one.heading)
def test_an_example_is_written_as_the_code_is(example: Example) -> None:
    """Docstrings, imports and style by ruff, as `make lint` asks of the code."""
    rules = ["--select", "D1,E,F,I,B,UP,SIM", "--ignore", "D107,E501"]
    for command in (["check", *rules, "-"], ["format", "--check", "-"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command],
            input=example.code,
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(900)
def test_every_example_passes_the_conformance_suite_of_its_seam(tmp_path: Path) -> None:
    """The suites run over what is registered, so a process that registers the examples runs them too."""
    names = {name: example.heading for example in EXAMPLES for name in added_by(example, RECIPES[example.heading])}
    plugins = {f"extending_{number}": example.module for number, example in enumerate(EXAMPLES)}
    plugins["extending_samples"] = SAMPLES
    for plugin, code in plugins.items():
        (tmp_path / f"{plugin}.py").write_text(code, encoding="utf-8")
    loaded = [word for plugin in plugins for word in ("-p", plugin)]
    suites = [
        "tests/conformance",
        "tests/test_registry.py",
        "-vv",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=-m 'not services'",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *suites, *loaded, "-k", " or ".join([*names, "whatever_is_registered"])],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    passed = re.findall(r"\[(.+)\] PASSED", done.stdout)
    unheld = {names[name] for name in names if not any(name in one for one in passed)}
    assert not unheld, done.stdout[-6000:]


def test_a_block_that_registers_nothing_is_found() -> None:
    seam: Registry[Any] = Registry("nothing", "backend.schemas")
    assert not added_by(Example("Planner", "python", "VALUE = 1\n"), seam)
