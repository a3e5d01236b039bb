"""backup and restore: one moment of the database, nothing lost, nothing overwritten unasked."""

import argparse
import sqlite3
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.commands import backup
from backend.errors import ConflictError, InputError
from backend.settings import settings
from backend.stores.source_lock import SourceLock

Run = Callable[..., None]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    with sqlite3.connect(folder / backup.DATABASE) as opened:
        opened.execute("pragma journal_mode=wal")
        opened.execute("create table notes (text text)")
        opened.execute("insert into notes values ('kept')")
    return folder


@pytest.fixture
def run(data: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    def command(*words: str, folder: Path = data) -> None:
        monkeypatch.setattr(backup, "settings", lambda: settings().model_copy(update={"data": folder}))
        parser = argparse.ArgumentParser()
        backup.add_to(parser.add_subparsers(dest="command"))
        args = parser.parse_args(list(words))
        args.run(args)

    return command


def rows(folder: Path) -> list[str]:
    with sqlite3.connect(folder / backup.DATABASE) as opened:
        return [text for (text,) in opened.execute("select text from notes order by rowid")]


def test_a_backup_while_another_writes_holds_one_moment_and_comes_back(run: Run, data: Path, tmp_path: Path) -> None:
    writing = sqlite3.connect(data / backup.DATABASE)
    writing.execute("insert into notes values ('not yet committed')")
    run("backup", str(tmp_path / "b.tar.gz"))
    writing.commit()
    assert rows(data) == ["kept", "not yet committed"]
    writing.close()
    fresh = tmp_path / "fresh"
    run("restore", str(tmp_path / "b.tar.gz"), folder=fresh)
    assert rows(fresh) == ["kept"]
    assert (tmp_path / "b.tar.gz").stat().st_mode & 0o077 == 0


def test_what_is_there_is_refused_or_set_aside_never_overwritten(run: Run, data: Path, tmp_path: Path) -> None:
    run("backup", str(tmp_path / "b.tar.gz"))
    with pytest.raises(InputError, match="is there already"):
        run("backup", str(tmp_path / "b.tar.gz"))
    with sqlite3.connect(data / backup.DATABASE) as opened:
        opened.execute("insert into notes values ('later')")
    with pytest.raises(ConflictError, match="set aside, not deleted"):
        run("restore", str(tmp_path / "b.tar.gz"))
    assert rows(data) == ["kept", "later"]
    run("restore", str(tmp_path / "b.tar.gz"), "--replace")
    assert rows(data) == ["kept"]
    (aside,) = data.glob("before-restore-*")
    assert rows(aside) == ["kept", "later"]


def test_imported_knowledge_comes_along_without_what_is_being_built(run: Run, data: Path, tmp_path: Path) -> None:
    for name in ("sources/wiki/done/meta.json", "sources/wiki/.next.building/meta.json", "graphs/mine/graph.bin"):
        (data / name).parent.mkdir(parents=True)
        (data / name).write_text("x")
    run("backup", str(tmp_path / "b.tar.gz"), "--with-knowledge")
    run("restore", str(tmp_path / "b.tar.gz"), folder=tmp_path / "fresh")
    found = {str(path.relative_to(tmp_path / "fresh")) for path in (tmp_path / "fresh").rglob("*") if path.is_file()}
    assert found == {backup.DATABASE, "sources/wiki/done/meta.json", "graphs/mine/graph.bin"} | (
        {"sources/.lock"} & found
    )


def test_nothing_is_restored_while_the_program_runs(run: Run, data: Path, tmp_path: Path) -> None:
    run("backup", str(tmp_path / "b.tar.gz"))
    with SourceLock(data, "the API"), pytest.raises(ConflictError, match="in use by the API"):
        run("restore", str(tmp_path / "b.tar.gz"), "--replace")
    assert not list(data.glob("before-restore-*"))


def test_a_file_that_is_no_backup_or_would_write_elsewhere_is_refused(run: Run, data: Path, tmp_path: Path) -> None:
    (tmp_path / "junk").write_bytes(b"junk")
    with pytest.raises(InputError, match="cannot be read as a backup"):
        run("restore", str(tmp_path / "junk"))
    with tarfile.open(tmp_path / "evil.tar.gz", "w:gz") as archive:
        (tmp_path / "x").write_text("{}")
        archive.add(tmp_path / "x", backup.ABOUT)
        archive.add(tmp_path / "x", "../../outside")
    with pytest.raises(InputError):
        run("restore", str(tmp_path / "evil.tar.gz"))
    assert rows(data) == ["kept"]
    with pytest.raises(InputError, match="nothing to back up"):
        run("backup", str(tmp_path / "c.tar.gz"), folder=tmp_path / "empty")
