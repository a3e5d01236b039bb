"""docs/results agrees with the tables of the documents, and holds nothing of the machine it was measured on."""

import re
from pathlib import Path

import pytest

from backend.evaluation.reports.document_tables import documents, named, with_tables
from backend.evaluation.reports.kept_figures import RESULTS, read_kept
from tests.shipping.instructions import ROOT

FILES = sorted(RESULTS.glob("*.json"))
PLACE = re.compile(r"(?<![\w.~/-])/(?:home|root|tmp|work|mnt|usr|var|opt|srv|media|Users)/|[A-Z]:\\\\")


def test_there_are_results() -> None:
    assert len(FILES) >= 5


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_result_says_how_it_was_measured_and_names_no_place(path: Path) -> None:
    kept = read_kept(path)
    assert kept.command.startswith("python -m backend ")
    assert kept.figures and kept.version and kept.cores >= 1
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", kept.date)
    assert kept.inputs and all(re.fullmatch(r"[0-9a-f]{64}", value) for value in kept.inputs.values())
    assert not PLACE.search(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_tables_of_a_document_are_those_of_the_results(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert with_tables(text) == text, "make tables writes them anew"


def test_every_result_stands_in_a_document_or_is_linked_there() -> None:
    texts = [path.read_text(encoding="utf-8") for path in documents()]
    shown = [f"{name}.json" for text in texts for name in named(text)]
    linked = {link.rpartition("/")[2] for text in texts for link in re.findall(r"\]\(([^)#]+\.json)\)", text)}
    assert not [path.stem for path in FILES if not any(map(path.match, shown)) and path.name not in linked]


def test_every_result_that_is_linked_exists() -> None:
    text = (RESULTS / "README.md").read_text(encoding="utf-8")
    assert not [link for link in re.findall(r"\]\(([^)#]+\.json)\)", text) if not (RESULTS / link).is_file()]
