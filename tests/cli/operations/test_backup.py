"""backup and restore: one moment of the database, nothing lost, nothing overwritten unasked."""

import json
import os
import shutil
import sqlite3
import stat
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from backend.cli.operations import backup
from backend.cli.program import run as run_command
from backend.errors import ConflictError, InputError
from backend.settings import settings
from backend.stores.passages.sources_lock import SourceLock

Run = Callable[..., None]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    with sqlite3.connect(folder / backup.DATABASE) as database:
        database.execute("pragma journal_mode=wal")
        database.execute("create table notes (text text)")
        database.execute("insert into notes values ('kept')")
    return folder


@pytest.fixture
def run(data: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    def command(*words: str, folder: Path = data, url: str = "") -> None:
        changed = {"data": folder, "database_url": SecretStr(url)}
        monkeypatch.setattr(backup, "settings", lambda: settings().model_copy(update=changed))
        run_command(words)

    return command


def rows(folder: Path) -> list[str]:
    with sqlite3.connect(folder / backup.DATABASE) as database:
        return [text for (text,) in database.execute("select text from notes order by rowid")]


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
    with sqlite3.connect(data / backup.DATABASE) as database:
        database.execute("insert into notes values ('later')")
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


def test_a_database_outside_the_data_folder_is_saved_and_comes_back_there(
    run: Run, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = tmp_path / "other" / "cases.sqlite"
    elsewhere.parent.mkdir()
    (data / backup.DATABASE).unlink()
    with closing(sqlite3.connect(elsewhere)) as opened, opened:
        opened.execute("create table notes (text text)")
        opened.execute("insert into notes values ('kept')")
    url = f"sqlite:///{elsewhere}"
    run("backup", str(tmp_path / "b.tar.gz"), "--json", url=url)
    assert json.loads(capsys.readouterr().out)["database"] == str(elsewhere)
    with closing(sqlite3.connect(elsewhere)) as opened, opened:
        opened.execute("insert into notes values ('later')")
    with pytest.raises(ConflictError, match=f"{elsewhere.parent} holds {elsewhere.name}"):
        run("restore", str(tmp_path / "b.tar.gz"), url=url)
    run("restore", str(tmp_path / "b.tar.gz"), "--replace", url=url)
    with closing(sqlite3.connect(elsewhere)) as opened:
        assert opened.execute("select text from notes").fetchall() == [("kept",)]
    assert not (data / backup.DATABASE).exists()
    assert [path.name for path in elsewhere.parent.glob("before-restore-*/*.sqlite")] == [elsewhere.name]


def test_a_backup_without_a_database_says_so(
    run: Run, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "graphs").mkdir()
    run("backup", str(tmp_path / "b.tar.gz"), "--with-knowledge", url=f"sqlite:///{tmp_path / 'gone.sqlite'}")
    assert f"It holds no database: there is none at {tmp_path / 'gone.sqlite'}." in capsys.readouterr().out


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+pg8000"])
def test_a_database_on_a_server_is_its_own_to_back_up(run: Run, tmp_path: Path, scheme: str) -> None:
    for words in (("backup", str(tmp_path / "b.tar.gz")), ("restore", str(tmp_path / "b.tar.gz"))):
        with pytest.raises(InputError, match="pg_dump"):
            run(*words, url=f"{scheme}://someone:secret@127.0.0.1:1/name")
    assert not (tmp_path / "b.tar.gz").exists()


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
        assert os.umask(mask) == mask  # the command leaves it as it was
    finally:
        os.umask(before)


def open_to_others(*places: Path) -> list[str]:
    """What under these folders another account may read, write or enter, with its mode."""
    paths = [path for place in places for path in (place, *place.rglob("*"))]
    return [f"{path.name} {stat.S_IMODE(path.stat().st_mode):o}" for path in paths if path.stat().st_mode & 0o077]


@pytest.fixture
def at_work(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], list[str]]:
    """Called with a folder: from then on notes what in it is open to others at each step of backup and restore."""

    def watch(folder: Path) -> list[str]:
        seen: list[str] = []

        def watched(name: str, step: Callable[..., Any]) -> Callable[..., Any]:
            def run(*given: Any) -> Any:
                done = step(*given)
                seen.append(f"{name}: {', '.join(open_to_others(folder)) or 'nothing'}")
                return done

            return run

        for name in ("_copy_database", "_unpacked", "_check_database", "_not_in_use"):
            monkeypatch.setattr(backup, name, watched(name, getattr(backup, name)))
        return seen

    return watch


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_backup_and_restore_write_for_their_owner_alone(
    run: Run, data: Path, tmp_path: Path, at_work: Callable[[Path], list[str]], mask: int
) -> None:
    with umask(0):
        (data / "sources" / "wiki" / "done").mkdir(parents=True)
        (data / "sources" / "wiki" / "done" / "meta.json").touch(0o666)
        (data / "graphs").mkdir()
        (data / "graphs" / "graph.bin").touch(0o777)
    (data / backup.DATABASE).chmod(0o644)
    for name in ("safe", "fresh"):
        (tmp_path / name).mkdir(mode=0o700)
    safe, fresh = tmp_path / "safe", tmp_path / "fresh" / "new" / "data"
    with umask(mask):
        backing_up = at_work(safe)
        run("backup", str(safe / "b.tar.gz"), "--with-knowledge")
        restoring = at_work(tmp_path / "fresh")
        run("restore", str(safe / "b.tar.gz"), folder=fresh)
        run("restore", str(safe / "b.tar.gz"), "--replace", folder=fresh)
    assert open_to_others(safe, tmp_path / "fresh") == []
    assert "_copy_database: nothing" in backing_up
    assert "_check_database: nothing" in restoring
    assert [line for line in (*backing_up, *restoring) if not line.endswith(": nothing")] == []
    assert {path.name for path in fresh.rglob("*.*") if path.is_file()} >= {backup.DATABASE, "meta.json", "graph.bin"}
    (aside,) = fresh.glob("before-restore-*")
    assert rows(aside) == rows(fresh) == ["kept"]


def test_the_log_of_a_database_that_is_gone_does_not_meet_the_restored_one(
    run: Run, data: Path, tmp_path: Path
) -> None:
    run("backup", str(tmp_path / "b.tar.gz"))
    fresh, log = tmp_path / "fresh", f"{backup.DATABASE}-wal"
    fresh.mkdir()
    with sqlite3.connect(data / backup.DATABASE) as database:
        database.execute("update notes set text = 'of another database'")
        database.commit()
        shutil.copy(data / log, fresh / log)
    with pytest.raises(ConflictError, match=rf"holds {log} already"):
        run("restore", str(tmp_path / "b.tar.gz"), folder=fresh)
    run("restore", str(tmp_path / "b.tar.gz"), "--replace", folder=fresh)
    assert rows(fresh) == ["kept"]
    assert [path.name for path in next(fresh.glob("before-restore-*")).iterdir()] == [log]
