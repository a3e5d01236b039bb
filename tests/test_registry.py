"""The registries of the seams: loaded by any thread, listed in order, and put back after a trial."""

import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from backend import registry
from backend.registry import Registry

SLOW_MODULE = """
import time
from backend import registry
time.sleep(0.2)
registry.FIRST.register("one")(object)
time.sleep(0.2)
registry.SECOND.register("two")(object)
"""


def test_two_seams_of_one_package_are_loaded_by_two_threads_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "two_seams"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "both.py").write_text(SLOW_MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    first: Registry[Any] = Registry("first", "two_seams")
    second: Registry[Any] = Registry("second", "two_seams")
    monkeypatch.setattr(registry, "FIRST", first, raising=False)
    monkeypatch.setattr(registry, "SECOND", second, raising=False)
    threads = [threading.Thread(target=one.load, daemon=True) for one in (second, first)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert not any(thread.is_alive() for thread in threads), "each waits for the other"
    assert (first.names(), second.names()) == (("one",), ("two",))
    sys.modules.pop("two_seams.both", None)
