"""compose.yaml: what it publishes, and that nothing starts without a token."""

import re
from typing import Any

import yaml

from backend import __version__
from backend.settings import Settings
from tests.shipping.instructions import ROOT, environment

FIXED = {
    "LEAPNOTE_DATA": "the volume is mounted there",
    "LEAPNOTE_HOST": "a port is published only where the program binds to the container's own address",
    "LEAPNOTE_API_PORT": "the port that is published",
    "LEAPNOTE_PAGE_PORT": "the port that is published",
}


def _service() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]["leapnote"]


def test_ports_are_published_on_the_loopback_address_alone() -> None:
    ports = _service()["ports"]
    assert sorted(ports) == ["127.0.0.1:8501:8501", "127.0.0.1:8600:8600"]


def test_it_refuses_to_start_without_a_token() -> None:
    # `${NAME:?message}` makes compose stop with the message where NAME is empty
    assert re.fullmatch(r"\$\{LEAPNOTE_API_TOKEN:\?.+\}", _service()["environment"]["LEAPNOTE_API_TOKEN"])


def test_every_setting_of_the_env_file_reaches_the_container_but_those_that_cannot_be_another_there() -> None:
    """As compose does it: first the lines of env_file, then `environment`, whose places `${…}` it fills from .env too."""
    service = _service()
    assert service["env_file"] == [{"path": ".env", "required": False}]
    written = {f"LEAPNOTE_{name.upper()}": f"my {name}" for name in Settings.model_fields}
    fixed = {
        name: written[place[1]] if (place := re.match(r"\$\{(\w+)", value)) else value
        for name, value in service["environment"].items()
    }
    held = {**written, **fixed}
    assert {name for name, value in written.items() if held[name] != value} == set(FIXED)


def test_the_image_has_the_version_of_the_program_where_no_tag_is_set() -> None:
    assert _service()["image"] == f"leapnote:${{LEAPNOTE_TAG:-{__version__}}}"


def test_every_variable_is_a_setting() -> None:
    known = {f"LEAPNOTE_{name.upper()}" for name in Settings.model_fields}
    assert set(_service()["environment"]) <= known
    assert {name for name in environment() if name.startswith("LEAPNOTE_")} <= known


def test_data_outlives_the_container() -> None:
    whole = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    name, target = whole["services"]["leapnote"]["volumes"][0].split(":")
    assert target == environment()["LEAPNOTE_DATA"]
    assert name in whole["volumes"]


def test_it_has_no_more_rights_than_it_needs() -> None:
    service = _service()
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "privileged" not in service
