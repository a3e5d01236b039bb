"""compose.yaml: what it publishes, and that nothing starts without a token."""

import re
from typing import Any

import yaml

from backend.settings import Settings
from tests.shipping.instructions import ROOT, environment


def _service() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]["leapnote"]


def test_ports_are_published_on_the_loopback_address_alone() -> None:
    ports = _service()["ports"]
    assert sorted(ports) == ["127.0.0.1:8501:8501", "127.0.0.1:8600:8600"]


def test_it_refuses_to_start_without_a_token() -> None:
    # `${NAME:?message}` makes compose stop with the message where NAME is empty
    assert re.fullmatch(r"\$\{LEAPNOTE_API_TOKEN:\?.+\}", _service()["environment"]["LEAPNOTE_API_TOKEN"])


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
