"""A killed import takes up after the last finished file, and never from half a checkpoint."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from backend.ingest.umls.umls import UmlsRelease
from backend.ingest.umls.umls_settings import RelationList, UmlsSettings
from tests.ingest.umls_synthetic import write

# Dies without a chance to tidy up, the moment the named table is opened.
KILLED = """
import os, signal, sys
from pathlib import Path
from backend.ingest.umls.umls import UmlsRelease
def progress(done, total, what):
    if what == sys.argv[3]:
        os.kill(os.getpid(), signal.SIGKILL)
release = UmlsRelease(Path(sys.argv[1]), work=Path(sys.argv[2]))
list(release.concepts(progress))
list(release.triples(progress))
"""
Outcome = tuple[list[object], list[object], str, list[str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("release")
    write(made, concepts=300, others=1, seed=7)
    return made


def _import(folder: Path, work: Path | None, settings: UmlsSettings | None = None) -> Outcome:
    """Concepts, triples, the report, and the tables that were read."""
    tables: list[str] = []
    release = UmlsRelease(folder, settings, work)

    def progress(done: int, total: int, what: str) -> None:
        if done == 0:
            tables.append(what)

    concepts, triples = list(release.concepts(progress)), list(release.triples(progress))
    return [*concepts], [*triples], release.report.as_text(), tables


@pytest.mark.parametrize(
    ("killed_in", "read_again"),
    [
        ("MRCONSO", ["MRCONSO", "MRSTY", "MRDEF", "MRREL"]),
        ("MRSTY", ["MRSTY", "MRDEF", "MRREL"]),
        ("MRDEF", ["MRDEF", "MRREL"]),
        ("MRREL", ["MRREL"]),
    ],
)
def test_a_killed_import_reads_finished_files_no_second_time(
    folder: Path, tmp_path: Path, killed_in: str, read_again: list[str]
) -> None:
    work = tmp_path / "work"
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder), str(work), killed_in], check=False)
    assert done.returncode == -signal.SIGKILL
    *resumed, tables = _import(folder, work)
    *whole, _ = _import(folder, None)
    assert tables == read_again
    assert resumed == whole
    assert _import(folder, work)[3] == []


def test_a_half_written_checkpoint_is_made_anew(folder: Path, tmp_path: Path) -> None:
    *whole, _ = _import(folder, tmp_path)
    path = tmp_path / "facts.checkpoint.npz"
    data = path.read_bytes()
    for broken in (data[: len(data) // 2], data[:-1], b"", data[:200] + b"\0\0\0\0" + data[204:]):
        path.write_bytes(broken)
        *again, tables = _import(folder, tmp_path)
        assert tables == ["MRREL"]
        assert again == whole


def test_what_a_killed_write_left_behind_is_never_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "terms.partial.npz").write_bytes(b"half of something")
    *first, tables = _import(folder, tmp_path)
    assert tables == ["MRCONSO", "MRSTY", "MRDEF", "MRREL"]
    *whole, _ = _import(folder, None)
    assert first == whole
    assert not list(tmp_path.glob("*.partial.npz"))


def test_other_settings_or_other_files_start_anew(folder: Path, tmp_path: Path) -> None:
    _import(folder, tmp_path)
    assert _import(folder, tmp_path, UmlsSettings(relation_list=RelationList.ALL))[3][0] == "MRCONSO"
    _import(folder, tmp_path)
    with (folder / "MRREL.RRF").open("a") as out:
        out.write("\n")
    assert _import(folder, tmp_path)[3][0] == "MRCONSO"


def test_checkpoints_can_be_cleared(folder: Path, tmp_path: Path) -> None:
    release = UmlsRelease(folder, work=tmp_path)
    list(release.triples())
    assert list(tmp_path.iterdir())
    release.clear()
    assert not list(tmp_path.iterdir())


def test_the_synthetic_release_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, concepts=50, others=1, seed=3)
    assert all(
        path.read_bytes() == (tmp_path / "two" / path.name).read_bytes() for path in (tmp_path / "one").iterdir()
    )
