"""knowledge add, load, remove for texts: what they print and how they end."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.cli.knowledge import knowledge_add, knowledge_sources
from backend.cli.program import run as run_command
from backend.errors import ConflictError, InputError, NotFoundError
from backend.settings import settings
from backend.stores.passages.sources_lock import SourceLock
from tests.conftest import WordEncoder

Run = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The commands on a folder of their own, with an encoder that needs no weights."""
    chosen = settings().model_copy(update={"data": tmp_path / "data"})
    for module in (knowledge_add, knowledge_sources):
        monkeypatch.setattr(module, "settings", lambda: chosen)
    monkeypatch.setattr("models.encoders.encoders.make_encoder", lambda _: WordEncoder())

    def command(*words: str) -> int:
        return run_command(["knowledge", *words])

    return command


@pytest.fixture
def pages(tmp_path: Path) -> str:
    path = tmp_path / "pages.jsonl"
    rows = [{"id": "a", "title": "Gout", "content": "Rest it."}, {"id": "b", "content": ""}]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return str(path)


def rows(tmp_path: Path, encoder: str = "words") -> list[dict[str, object]]:
    return knowledge_sources.listed(tmp_path / "data", encoder)


def test_add_list_and_remove(run: Run, pages: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [row["source"] for row in rows(tmp_path)] == ["guideline", "research", "wiki"]
    assert run("add", "jsonl", "--from", pages, "--source", "wiki", "--licence", "CC0", "--name", "my-pages") == 0
    captured = capsys.readouterr()
    assert "1  no content (line 2)" in captured.out
    assert "my-pages (wiki): 1 documents, 1 passages, encoder words, licence: CC0" in captured.out
    assert "1/1 passages encoded" in captured.err
    (row,) = [row for row in rows(tmp_path) if row.get("name")]
    assert {key: row[key] for key in ("source", "name", "documents", "passages", "licence", "encoder", "from")} == {
        "source": "wiki",
        "name": "my-pages",
        "documents": 1,
        "passages": 1,
        "licence": "CC0",
        "encoder": "words",
        "from": "pages.jsonl",
    }
    assert int(str(row["bytes"])) > 0
    assert len(str(row["date"])) == 10
    assert run("remove", "collection", "my-pages") == 0
    assert "my-pages is removed" in capsys.readouterr().out
    with pytest.raises(NotFoundError):
        run("remove", "collection", "my-pages")


def test_a_collection_of_another_encoder_is_listed_with_what_mends_it(run: Run, pages: str, tmp_path: Path) -> None:
    run("add", "jsonl", "--from", pages)
    assert [row for row in rows(tmp_path) if "problem" in row] == []
    (row,) = [row for row in rows(tmp_path, "another") if "problem" in row]
    assert row["name"] == "pages"
    assert "encoded by 'words' and cannot be searched with 'another'" in str(row["problem"])
    assert "knowledge load collection pages" in str(row["problem"])


def test_removing_warns_of_no_other_collection(
    run: Run, pages: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run("add", "jsonl", "--from", pages)
    run("add", "jsonl", "--from", pages, "--name", "second")
    assert run("remove", "collection", "pages") == 0
    assert "is not searched" not in caplog.text
    assert [row["name"] for row in rows(tmp_path) if row.get("name")] == ["second"]


def test_json_holds_the_reports(run: Run, pages: str, capsys: pytest.CaptureFixture[str]) -> None:
    run("add", "jsonl", "--from", pages, "--json")
    report = json.loads(capsys.readouterr().out)
    assert (report["source"], report["encoded"], report["reports"]["items"]["skipped"]) == (
        "book",
        1,
        {"no content": 1},
    )
    run("load", "collection", "pages", "--json")
    assert json.loads(capsys.readouterr().out)["taken_over"] == 1


def test_while_another_process_has_the_sources_the_command_says_so(run: Run, pages: str, tmp_path: Path) -> None:
    with SourceLock(tmp_path / "data", "the API"), pytest.raises(ConflictError, match="in use by the API"):
        run("add", "jsonl", "--from", pages)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--source", "graph"), "comes from the knowledge graph"),
        (("--limit", "0"), "--limit is 0"),
        (("--name", "No Good"), "cannot name a collection"),
    ],
)
def test_wrong_input_is_refused_before_anything_is_done(
    run: Run, pages: str, words: tuple[str, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        run("add", "jsonl", "--from", pages, *words)


def test_stopped_it_ends_with_130_and_goes_on(
    run: Run, pages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(self: object, texts: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(WordEncoder, "encode", stop)
        assert run("add", "jsonl", "--from", pages) == 130
    assert "goes on where it was" in capsys.readouterr().err
    assert {"name": "pages", "problem": "half imported: the same command goes on with it"} in rows(tmp_path)
    assert run("add", "jsonl", "--from", pages) == 0


def test_notes_of_patients(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "NOTEEVENTS.csv"
    path.write_text("SUBJECT_ID,HADM_ID,CHARTDATE,CHARTTIME,CATEGORY,ISERROR,TEXT\n1,2,2100-01-01,,ECG,,Fine.\n")
    assert run("add", "noteevents", "--from", str(path), "--to", str(tmp_path / "p.jsonl")) == 0
    captured = capsys.readouterr()
    assert "1 patients written" in captured.out
    assert "Fine." not in captured.out + captured.err


def test_drug_facts_join_the_starter_graph(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "d.xml"
    path.write_text(
        "<drugbank><drug><drugbank-id primary='true'>DB1</drugbank-id><name>Warfarin</name><description>Thins.</description></drug></drugbank>"
    )
    assert run("add", "drug-facts", "--from", str(path), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["facts"] == {"definition": 1}
    (fact,) = [json.loads(line) for line in Path(report["file"]).read_text().splitlines()]
    assert (fact["text"], fact["origin"], fact["kind"]) == ("Thins.", "DB1", "definition")
    assert fact["concept_id"]
