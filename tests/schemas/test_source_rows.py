"""Kinds of source are rows: what a table may say, and what a sixth one reaches."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.schemas.source_rows import DOCUMENTS, ROWS, SourceRow, read_rows
from backend.schemas.vocabulary import Document, Source
from backend.settings import ROOT

HEADER = "\t".join(SourceRow._fields)
LABELS = "label\tDrug labels\tdrug label\tlabels of medicines\ta section of a label\t{name} {part}\t"
TEXTS = (
    {"id": "a", "title": "Nulisorb", "section": "Indications", "text": "Nulisorb is indicated for gout in adults."},
    {"id": "b", "title": "Nulisorb", "section": "Warnings", "text": "Patients should not drive when Nulisorb is new."},
)


def table(folder: Path, *rows: str) -> Path:
    path = folder / "sources.tsv"
    path.write_text("\n".join((HEADER, *rows)) + "\n", encoding="utf-8")
    return path


def test_every_source_has_a_row_and_the_documents_are_those_of_the_vocabulary() -> None:
    assert [source.value for source in Source] == list(ROWS)
    assert [document.value for document in Document] == list(DOCUMENTS)


def test_a_row_without_documents_is_asked_for_all(tmp_path: Path) -> None:
    (row,) = read_rows(table(tmp_path, LABELS))
    assert (row.name, row.documents) == ("label", DOCUMENTS)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (LABELS.replace("label\tDrug", "wiki\tDrug"), "a name that there is already: wiki"),
        (LABELS.replace("label\tDrug", "Drug label\tDrug"), "needs a name of small letters"),
        (LABELS.replace("{part}", "{page}"), "may hold {name} and {part} alone"),
        (LABELS + "letter", "documents of discharge_instructions"),
        (LABELS.replace("labels of medicines", " "), "has no about"),
    ],
)
def test_a_row_that_is_not_usable_says_what_to_mend(tmp_path: Path, row: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_rows(table(tmp_path, row))


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"LEAPNOTE_SOURCES names .*none\.tsv"):
        read_rows(tmp_path / "none.tsv")


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a hospital with drug labels as a sixth source, imported by an importer that ships."""
    folder = tmp_path_factory.mktemp("labels")
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in TEXTS), encoding="utf-8")
    held = os.environ | {"LEAPNOTE_SOURCES": str(table(folder, LABELS)), "LEAPNOTE_DATA": str(folder / "data")}
    run(held, "-m", "backend", "knowledge", "add", "jsonl", "--source", "label", "--from", str(folder / "labels.jsonl"))
    return held


def run(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_sixth_source_is_planned_for_searched_and_quoted(labelled: dict[str, str]) -> None:
    question = "Can I drive while taking Nulisorb?"
    planned = json.loads(run(labelled, "-m", "backend", "ask", question, "--system", "spo", "--json"))
    assert ("label", question) in {(q["source"], q["text"]) for q in planned["plan"]["sub_queries"]}
    answer = json.loads(run(labelled, "-m", "backend", "ask", question, "--json"))
    assert answer["evidence"]["passages"][0]["source"] == "label"
    assert "should not drive" in answer["text"]


def test_a_source_can_be_left_out_by_its_name_and_is_evaluated_by_it(labelled: dict[str, str], tmp_path: Path) -> None:
    asked = ("ask", "What is Nulisorb for?", "--drop-source", "label", "--json")
    without = json.loads(run(labelled, "-m", "backend", *asked))
    assert all(passage["source"] != "label" for passage in without["evidence"]["passages"])
    (tmp_path / "q.tsv").write_text("q1\tdriving with Nulisorb\n", encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("q1 0 b 1\n", encoding="utf-8")
    files = ("--from", str(tmp_path / "q.tsv"), "--qrels", str(tmp_path / "qrels.txt"), "--out", str(tmp_path))
    evaluated = (
        "evaluate",
        "retrieval",
        "queries",
        *files,
        "--source",
        "label",
        "--retrievers",
        "bm25,leapnote",
        "--json",
    )
    assert json.loads(run(labelled, "-m", "backend", *evaluated))["figures"]


def test_a_model_s_form_has_a_list_for_it_and_the_page_names_it(labelled: dict[str, str]) -> None:
    code = (
        "from backend.planning.model_plan import _asked_for; from backend.schemas.vocabulary import Source;"
        "from backend.prompts.evidence_prompts import sources_text; from app.view_data.reading_data import SOURCE_NAMES;"
        "form = _asked_for((Source.BOOK, Source('label')));"
        "print(sorted(form.model_json_schema()['properties']), form(label=('x',)).queries()[Source('label')]);"
        "print(sources_text((Source('label'),)), SOURCE_NAMES[Source('label')])"
    )
    assert run(labelled, "-c", code).splitlines() == [
        "['book', 'label'] ('x',)",
        "- label: labels of medicines Drug labels",
    ]
