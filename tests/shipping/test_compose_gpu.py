"""The GPU profile of compose.yaml. That it runs was not tried: there is no GPU and no container engine in the tests."""

from pathlib import Path
from typing import Any

import yaml

from backend.serving.command import server_command
from backend.serving.server_options import ServerOptions
from tests.shipping.instructions import ROOT

WHOLE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
VLLM: dict[str, Any] = WHOLE["services"]["vllm"]


def test_it_starts_only_when_it_is_asked_for() -> None:
    assert VLLM["profiles"] == ["gpu"]
    assert "vllm" not in WHOLE["services"]["leapnote"].get("depends_on", {})


def test_it_is_the_version_that_the_requirements_pin() -> None:
    pinned = next(
        line.split()[0].removeprefix("vllm==")
        for line in (ROOT / "requirements-vllm.txt").read_text().splitlines()
        if line.startswith("vllm==")
    )
    assert VLLM["image"] == f"vllm/vllm-openai:v{pinned}"


def test_it_is_reached_by_leapnote_alone_and_reaches_nobody() -> None:
    assert "ports" not in VLLM
    assert VLLM["networks"] == ["llm"]
    assert WHOLE["networks"]["llm"] == {"internal": True}
    assert set(WHOLE["services"]["leapnote"]["networks"]) == {"default", "llm"}


def test_it_asks_vllm_for_what_up_asks_it_for() -> None:
    command = server_command(ServerOptions("m", Path("/v"), Path("/l"), device="cpu"), 8000)
    # our command has options and values apart; of those that differ here the name alone counts
    ours = " ".join(command[3:]).replace(": ", ":").replace(", ", ",").split()
    theirs = {part for option in VLLM["command"] for part in option.split("=", 1)}
    differ = {"m", "127.0.0.1"}
    assert set(ours) - differ <= theirs


def test_it_calls_no_home() -> None:
    variables = VLLM["environment"]
    assert variables["HF_HUB_OFFLINE"] == variables["VLLM_NO_USAGE_STATS"] == variables["DO_NOT_TRACK"] == "1"


def test_it_has_a_gpu_and_its_models_are_read_only() -> None:
    (device,) = VLLM["deploy"]["resources"]["reservations"]["devices"]
    assert device["driver"] == "nvidia"
    assert device["capabilities"] == ["gpu"]
    assert VLLM["volumes"][0].endswith(":/models:ro")
    assert VLLM["volumes"][1].split(":")[0] in WHOLE["volumes"]


def test_without_the_profile_no_variable_is_asked_for() -> None:
    # compose fills in the variables of services that do not start too: `${NAME:?…}` would stop everybody
    assert not [word for word in VLLM["command"] if ":?" in word]


def test_it_has_no_more_rights_than_it_needs() -> None:
    assert VLLM["cap_drop"] == ["ALL"]
    assert VLLM["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in VLLM
