"""What the API tells of prompts and of who writes."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from backend.container.language_models import LanguageModels
from backend.prompts.prompt_registry import PROMPTS
from backend.serving.status import ServerState, ServerStatus, write_status

URL = "http://10.0.0.7:8000/v1"
SMALL = f"openai:{URL}#small"


def prompts_of(make: Callable[..., TestClient], **changed: object) -> dict[str, Any]:
    """What GET /v1/systems says under other settings; the models are chosen anew by them."""
    client = make(**changed)
    container = client.app.state.container  # type: ignore[attr-defined]
    container.models = LanguageModels(container.settings)
    found: dict[str, Any] = client.get("/v1/systems").json()
    return found


def test_every_prompt_is_listed_with_version_hash_and_all_that_is_asked(client: TestClient) -> None:
    rows = {row["name"]: row for row in client.get("/v1/prompts").json()}
    assert list(rows) == list(PROMPTS)
    for name, prompt in PROMPTS.items():
        row = rows[name]
        assert (row["version"], row["hash"], row["instructions"]) == (prompt.version, prompt.hash, prompt.instructions)
    assert rows["discharge-instructions"]["ending"]
    assert rows["plan"]["ending"] == ""


def test_without_a_model_there_is_one_writer_and_the_text_stays(client_with: Callable[..., TestClient]) -> None:
    found = prompts_of(client_with, generator="auto", llm_url="")
    assert [row["setting"] for row in found["generators"]] == [""]
    assert found["generator"] == {
        "name": "composer", "reason": "no language model server is set", "where": "stays in this program",
    }  # fmt: skip
    assert (found["roles"], found["waiting"]) == ([], "")


def test_a_model_that_is_set_comes_first_and_the_composer_can_be_chosen(client_with: Callable[..., TestClient]) -> None:
    first, second = prompts_of(client_with, generator=SMALL)["generators"]
    assert (first["setting"], first["name"], first["where"]) == ("", SMALL, "goes to 10.0.0.7:8000, not encrypted")
    assert (second["setting"], second["name"], second["where"]) == ("composer", "composer", "stays in this program")


def test_a_role_with_a_model_of_its_own_is_told_with_where_its_text_goes(
    client_with: Callable[..., TestClient],
) -> None:
    found = prompts_of(client_with, generator="composer", planner_model=SMALL, judge_model="composer")
    assert found["roles"] == [{"role": "planner", "name": SMALL, "where": "goes to 10.0.0.7:8000, not encrypted"}]


def test_a_server_that_starts_is_waited_for_and_one_that_failed_is_not(
    client_with: Callable[..., TestClient], tmp_path: Path
) -> None:
    path = tmp_path / "llm.json"
    found = {}
    for state in ServerState:
        write_status(path, ServerStatus(state=state, model="small", url=URL, since=time.time() - 35, reason="why"))
        found[state] = prompts_of(client_with, generator="vllm:small", llm_status=str(path), llm_url=URL)
    assert str(found[ServerState.STARTING]["waiting"]).startswith("small: starting again (why): 3")
    assert str(found[ServerState.WAITING]["waiting"]).startswith("small: it ended and will be started again soon")
    for state in (ServerState.READY, ServerState.FAILED, ServerState.STOPPED):
        assert found[state]["waiting"] == "", state
    assert found[ServerState.READY]["generator"]["name"] == "vllm:small"
    assert found[ServerState.FAILED]["generator"]["name"] == "composer"
