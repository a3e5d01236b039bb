"""The registries: by name, in an order that no import decides, loaded once and from any thread."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.errors import NotFoundError
from backend.registry import Registry, seam_list
from backend.schemas.seams import Seam


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty package `seam_under_test` on the path."""
    folder = tmp_path / "seam_under_test"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.startswith("seam_under_test")]:
        del sys.modules[name]


def test_entries_come_by_their_order_and_then_by_name() -> None:
    registry: Registry[str] = Registry("thing")
    registry.register("b", label="B")(str)
    registry.register("a")(int)
    registry.register("z", order=1)(float)
    assert registry.names() == ("z", "a", "b")
    assert (registry.get("b").label, registry.get("a").label) == ("B", "a")


def test_what_an_entry_is_comes_from_its_registration_or_from_its_own_docstring() -> None:
    class Said:
        """Said by the class.

        Not said.
        """

    registry: Registry[object] = Registry("thing")
    registry.register("class")(Said)
    registry.register("given", about="Said here.")(Said())
    registry.register("value")(Said())  # the words of its class are not its own
    assert [registry.get(name).about for name in ("class", "given", "value")] == [
        "Said by the class.",
        "Said here.",
        "",
    ]


@pytest.mark.parametrize("seam", seam_list(), ids=lambda seam: seam.name)
def test_whatever_is_registered_has_a_label_and_says_what_it_is_in_words_of_its_own(seam: Seam) -> None:
    assert [one.name for one in seam.registered if one.label == one.name or not one.about] == []
    abouts = [one.about for one in seam.registered]
    assert len(set(abouts)) == len(abouts) > 0
    assert all(one.action for one in seam.registered) == (seam.name == "flag kind")


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    registry: Registry[str] = Registry("thing")
    registry.register("one")(str)
    with pytest.raises(NotFoundError, match=r"There is no thing 'two'\. Choose one of: one"):
        registry.get("two")


def test_two_implementations_of_one_name_are_refused() -> None:
    registry: Registry[str] = Registry("thing")
    registry.register("one")(str)
    with pytest.raises(ValueError, match="two of thing 'one'"):
        registry.register("one")(int)


def test_a_package_is_imported_when_it_is_first_asked_for(package: Path) -> None:
    (package / "one.py").write_text("from backend.registry import PLANNERS\nLOADED = True\n")
    registry: Registry[str] = Registry("thing", "seam_under_test")
    assert "seam_under_test" not in sys.modules
    assert registry.names() == ()
    assert "seam_under_test.one" in sys.modules


def test_another_thread_registers_while_the_package_is_loaded(package: Path) -> None:
    """A module that another thread is importing registers; whoever loads the package waits for that module in turn."""
    registry: Registry[object] = Registry("thing", "seam_under_test")
    done: list[bool] = []
    thread = threading.Thread(target=lambda: registry.register("from another thread")(str))

    def during() -> None:
        thread.start()
        thread.join(5)
        done.append(not thread.is_alive())

    sys.modules["seam_under_test_hook"] = type(sys)("seam_under_test_hook")
    sys.modules["seam_under_test_hook"].during = during  # type: ignore[attr-defined]
    (package / "one.py").write_text("import seam_under_test_hook\nseam_under_test_hook.during()\n")
    assert registry.names() == ("from another thread",)
    assert done == [True]


def test_what_is_registered_in_scratch_goes_again() -> None:
    registry: Registry[str] = Registry("thing")
    registry.register("one")(str)
    with registry.scratch():
        registry.register("two")(int)
        assert registry.names() == ("one", "two")
    assert registry.names() == ("one",)
