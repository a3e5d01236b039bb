"""How the service is, over HTTP: every part is told, and one that is down does not hide the others."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pydantic import SecretStr

from backend import __version__
from backend.api.routers import routes_status
from backend.api.routers.routes_status import status
from backend.errors import MissingError
from backend.settings import Settings


def served(folder: Path, **parts: Any) -> Any:
    """A request to an application whose container has these parts."""
    settings = Settings(_env_file=None, data=folder, database_url=SecretStr(f"sqlite:///{folder / 'db.sqlite'}"))
    kept: dict[str, Any] = {
        "settings": settings, "encoder": SimpleNamespace(name="words"), "policy_name": "none", "graph_name": "starter",
        "graph": range(3), "passages": range(2), "sources": Held(),
    }  # fmt: skip
    container = SimpleNamespace(**(kept | parts))
    return cast(Any, SimpleNamespace(app=SimpleNamespace(state=SimpleNamespace(container=container))))


class Held(dict[str, Any]):
    refused: dict[Any, str] = {}


@pytest.fixture(autouse=True)
def composer(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"setting": "", "name": "composer", "reason": "no language model server is set", "where": ""}
    monkeypatch.setattr(routes_status, "writers", lambda container: [row])


def test_every_part_is_told_with_versions_and_the_disk_of_the_data_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 1000)
    found = status(served(tmp_path))
    assert [part.name for part in found.parts if not part.ok] in ([], ["disk"])
    assert {"database", "knowledge", "encoder", "policy", "writer", "model_server", "sources", "disk"} == {
        part.name for part in found.parts
    }
    assert found.version == __version__ and "streamlit" in found.packages
    assert found.disk.data_bytes >= 1000 and 0 < found.disk.free_bytes <= found.disk.total_bytes


def test_a_part_that_is_down_says_why_and_the_others_stand(tmp_path: Path) -> None:
    class Broken:
        @property
        def name(self) -> str:
            raise MissingError("The encoder's weights are missing.")

    parts = {part.name: part for part in status(served(tmp_path, encoder=Broken())).parts}
    assert (parts["encoder"].ok, parts["encoder"].found) == (False, "The encoder's weights are missing.")
    assert parts["knowledge"].ok


def test_a_full_disk_is_a_part_that_is_not_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes_status, "LOW_FREE_BYTES", 10**18)
    assert [part.name for part in status(served(tmp_path)).parts if not part.ok] == ["disk"]
