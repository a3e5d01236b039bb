"""Values kept as they were built: loaded by the next process, never stale, never from another account."""

import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType

import pytest

from backend.container.loaded_knowledge import ShippedTables, shipped_tables
from backend.settings import ROOT
from backend.stores import compiled as module
from backend.stores.compiled import compiled, digest_of

KNOWLEDGE = ROOT / "assets" / "knowledge"


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    digest_of.cache_clear()
    yield
    digest_of.cache_clear()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "one.tsv").write_text("a\t5\n")
    return folder


class Builds:
    """Counts how often a value was built."""

    def __init__(self, value: object = ("built",)) -> None:
        self.value, self.times = value, 0

    def __call__(self) -> object:
        self.times += 1
        return self.value


def files(home: Path) -> list[Path]:
    return sorted(home.glob("*.pickle"))


def test_a_value_is_built_once_and_then_loaded(table: Path, tmp_path: Path) -> None:
    build = Builds({"rows": MappingProxyType({"a": 5})})
    first = compiled("thing", [table], build, tmp_path / "home")
    second = compiled("thing", [table], build, tmp_path / "home")
    assert build.times == 1
    assert first == second and first is not second
    assert (tmp_path / "home").stat().st_mode & 0o077 == 0
    assert files(tmp_path / "home")[0].stat().st_mode & 0o077 == 0


def test_a_changed_table_is_another_value_even_with_the_same_size_and_time(table: Path, tmp_path: Path) -> None:
    home, build = tmp_path / "home", Builds()
    compiled("thing", [table], build, home)
    file = table / "one.tsv"
    before = file.stat()
    file.write_text("a\t6\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    digest_of.cache_clear()
    compiled("thing", [table], build, home)
    assert build.times == 2
    assert len(files(home)) == 1  # the older one is gone


@pytest.mark.parametrize("part", ["CODE", "RULES", "LIBRARIES"])
def test_another_program_builds_anew(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "one.py").write_text("a = 1\n")
    monkeypatch.setattr(module, "CODE", (tmp_path / "code",))
    monkeypatch.setattr(module, "RULES", tmp_path / "code")
    build = Builds()
    compiled("thing", [table], build, tmp_path / "home")
    other = {"CODE": (table,), "RULES": table, "LIBRARIES": ("numpy",)}[part]
    monkeypatch.setattr(module, part, other)
    compiled("thing", [table], build, tmp_path / "home")
    assert build.times == 2


@pytest.mark.parametrize("content", [b"", b"\x80", b"no pickle", pickle.dumps(("x",))[:-2]])
def test_what_cannot_be_read_is_built_anew(table: Path, tmp_path: Path, content: bytes) -> None:
    home, build = tmp_path / "home", Builds()
    compiled("thing", [table], build, home)
    files(home)[0].write_bytes(content)
    assert compiled("thing", [table], build, home) == ("built",)
    assert build.times == 2


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_can_write_is_never_loaded(table: Path, tmp_path: Path, mode: int) -> None:
    home, build = tmp_path / "home", Builds()
    compiled("thing", [table], build, home)
    kept = files(home)[0]
    kept.write_bytes(pickle.dumps("another's"))
    kept.chmod(mode)
    assert compiled("thing", [table], build, home) == ("built",)


def test_a_folder_that_others_can_write_is_neither_read_nor_written(table: Path, tmp_path: Path) -> None:
    home, build = tmp_path / "home", Builds()
    home.mkdir()
    home.chmod(0o777)
    compiled("thing", [table], build, home)
    compiled("thing", [table], build, home)
    assert build.times == 2 and not files(home)


def test_another_accounts_file_and_a_link_are_never_loaded(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, build = tmp_path / "home", Builds()
    compiled("thing", [table], build, home)
    kept = files(home)[0]
    elsewhere = tmp_path / "elsewhere.pickle"
    elsewhere.write_bytes(pickle.dumps("another's"))
    kept.unlink()
    kept.symlink_to(elsewhere)
    assert compiled("thing", [table], build, home) == ("built",)
    monkeypatch.setattr(os, "geteuid", lambda: 4_242_424)
    assert compiled("thing", [table], build, home) == ("built",)
    assert build.times == 3


def test_where_nothing_can_be_kept_the_value_is_built(table: Path, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    assert compiled("thing", [table], Builds(), tmp_path / "home") == ("built",)
    assert compiled("thing", [table], lambda: (x for x in ()), tmp_path / "other") is not None  # it cannot be pickled
    assert not list((tmp_path / "other").glob("*"))


def test_errors_of_a_build_pass_through(table: Path, tmp_path: Path) -> None:
    def broken() -> object:
        raise KeyError("row")

    with pytest.raises(KeyError):
        compiled("thing", [table], broken, tmp_path / "home")


class Big:
    """What is too large to keep twice."""


def test_what_is_kept_apart_is_the_one_of_the_loading_process(table: Path, tmp_path: Path) -> None:
    big, home = Big(), tmp_path / "home"
    compiled("thing", [table], lambda: {"of": big, "list": [big, 5]}, home, apart={"big": big})
    assert b"Big" not in files(home)[0].read_bytes()
    other = Big()
    found = compiled("thing", [table], Builds(), home, apart={"big": other})
    assert found == {"of": other, "list": [other, 5]} and found["list"][0] is other


def test_a_value_whose_part_apart_is_not_given_is_built_anew(table: Path, tmp_path: Path) -> None:
    big, home = Big(), tmp_path / "home"
    compiled("thing", [table], lambda: [big], home, apart={"big": big})
    build = Builds()
    assert compiled("thing", [table], build, home) == build.value and build.times == 1


def test_the_knowledge_that_ships_is_the_same_when_it_is_loaded(tmp_path: Path) -> None:
    built = compiled("shipped", [KNOWLEDGE], lambda: shipped_tables(KNOWLEDGE), tmp_path / "home")
    loaded = compiled("shipped", [KNOWLEDGE], Builds(), tmp_path / "home")
    assert isinstance(loaded, ShippedTables)
    alike = [name for name in built.rows._fields if getattr(loaded.rows, name) == getattr(built.rows, name)]
    assert set(built.rows._fields) - set(alike) <= {"sign_classes"}  # which has no equality
    assert vars(loaded.rows.sign_classes).keys() == vars(built.rows.sign_classes).keys()
    assert loaded.passages == built.passages
    assert loaded.graph.fingerprint == built.graph.fingerprint
    assert loaded.words.search("chest pain and sweating", 20) == built.words.search("chest pain and sweating", 20)
