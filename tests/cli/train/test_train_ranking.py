"""`train expansion`: what paths count beside a question, fitted on a small source; files that do not go together."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backend.cli.program import run as run_command
from backend.container import Container
from backend.errors import InputError
from backend.ingest.documents.import_task import ImportTask
from backend.ingest.documents.importing import ImportJob
from backend.schemas.vocabulary import Source

Expansion = Callable[..., int]
PAGES = {
    "gout": ("Gout", "Gout is a sore joint. Colchicine eases gout. Beer worsens gout."),
    "flu": ("Influenza", "Influenza is a fever with a cough. Rest eases influenza."),
    "copd": ("COPD", "COPD is a disease of the lungs. Smoking worsens COPD and cough."),
}


@pytest.fixture
def expansion(container: Container, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Expansion]:
    """The command over three pages in the wiki."""
    own = Container(container.settings.model_copy(update={"data": tmp_path / "data"}), "a test", beside=container)
    rows = [{"id": name, "title": title, "content": text} for name, (title, text) in PAGES.items()]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)))
    ImportJob(
        ImportTask("jsonl", Source.WIKI, tmp_path / "pages.jsonl", "pages"), own.sources.stored, own.encoder
    ).run()
    monkeypatch.setattr("backend.container.Container", lambda settings: own)
    yield lambda *words: run_command(["train", "expansion", *map(str, words)])
    own.sources.close()


def asked(folder: Path, name: str, *rows: tuple[str, str]) -> tuple[str, ...]:
    """The flags of a set: each question with the page that answers it."""
    queries, qrels = folder / f"{name}.tsv", folder / f"{name}.txt"
    queries.write_text("".join(f"{name}{i}\t{text}\n" for i, (text, _) in enumerate(rows)))
    qrels.write_text("".join(f"{name}{i} 0 {page} 1\n" for i, (_, page) in enumerate(rows)))
    return ("--queries", str(queries), "--qrels", str(qrels))


def test_a_share_is_written_with_its_card(expansion: Expansion, tmp_path: Path) -> None:
    one = asked(tmp_path, "a", ("does beer worsen gout and cough", "gout"), ("influenza with a cough", "flu"))
    two = asked(tmp_path, "b", ("smoking and COPD cough", "copd"), ("what eases gout or influenza", "gout"))
    out = tmp_path / "card.json"
    assert expansion(*one, *two, "--out", out) == 0
    card = json.loads(out.read_text())
    assert set(card["questions"]) == {"a.tsv", "b.tsv"} and all(card["questions"].values())
    assert card["share"] == (
        card["fitted_share"] if card["ndcg_10_gained_under_the_share_of_the_other_sets"][1] > 0 else 0
    )
    assert set(card["files"]) == {"a.tsv", "b.tsv", "a.txt", "b.txt"}


def test_files_that_do_not_go_together_and_a_set_alone_are_refused(expansion: Expansion, tmp_path: Path) -> None:
    one = asked(tmp_path, "a", ("does beer worsen gout and cough", "gout"))
    with pytest.raises(InputError, match="one --qrels for each"):
        expansion(*one, "--queries", tmp_path / "a.tsv")
    with pytest.raises(InputError, match="Fewer than two sets"):
        expansion(*one)
