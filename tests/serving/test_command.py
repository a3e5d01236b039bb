"""What `vllm serve` is asked for every time. That vLLM takes these options is tested in tests/services."""

import json
from pathlib import Path

import pytest
from pydantic import SecretStr

from backend.errors import InputError
from backend.serving.command import server_command, server_variables
from backend.serving.server_options import ServerOptions, model_of, options_of
from backend.settings import Settings


def options(**changes: object) -> ServerOptions:
    return ServerOptions(**({"model": "owner/m", "venv": Path("/v"), "log": Path("/l")} | changes))  # type: ignore[arg-type]


def value(command: list[str], name: str) -> str:
    return command[command.index(name) + 1]


def test_it_listens_on_the_loopback_address_alone() -> None:
    command = server_command(options(), 8123)
    assert command[:3] == ["/v/bin/vllm", "serve", "owner/m"]
    assert value(command, "--host") == "127.0.0.1"
    assert value(command, "--port") == "8123"


def test_it_keeps_prefixes_and_logs_no_requests() -> None:
    command = server_command(options(), 1)
    assert "--enable-prefix-caching" in command
    assert {"--no-enable-log-requests", "--no-enable-log-outputs", "--disable-uvicorn-access-log"} <= set(command)


def test_schemas_leave_no_room_for_spaces_without_end() -> None:
    config = json.loads(value(server_command(options(), 1), "--structured-outputs-config"))
    assert config == {"backend": "guidance", "disable_any_whitespace": True}


def test_limits_are_given_where_they_are_set() -> None:
    assert "--max-model-len" not in server_command(options(), 1)
    assert value(server_command(options(max_model_len=4096), 1), "--max-model-len") == "4096"
    assert value(server_command(options(gpu_memory=0.5), 1), "--gpu-memory-utilization") == "0.5"
    assert "--gpu-memory-utilization" not in server_command(options(device="cpu"), 1)


def test_a_folder_is_served_under_the_name_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weights").mkdir()
    monkeypatch.chdir(tmp_path)
    command = server_command(options(model="./weights"), 1)
    assert command[2] == str(tmp_path / "weights")  # the server stands in another folder
    assert value(command, "--served-model-name") == "./weights"  # requests name what the setting names


def test_further_options_come_last_so_that_they_count() -> None:
    command = server_command(options(arguments=("--max-model-len", "9", "--dtype", "half"), max_model_len=7), 1)
    assert command[-4:] == ["--max-model-len", "9", "--dtype", "half"]
    assert command.index("--max-model-len") < len(command) - 4


def test_no_setting_of_ours_reaches_the_server_and_it_calls_nobody() -> None:
    present = {
        "LEAPNOTE_API_TOKEN": "t",
        "LEAPNOTE_NEO4J_PASSWORD": "p",
        "PATH": "/bin",
        "HOME": "/h",
        "PYTHONPATH": "x",
    }
    variables = server_variables(options(), present)
    assert not [name for name in variables if name.startswith("LEAPNOTE_")]
    assert "PYTHONPATH" not in variables
    assert variables["HOME"] == "/h"
    assert variables["VLLM_LOGGING_LEVEL"] == "INFO"  # DEBUG prints what is asked
    assert variables["PATH"] == "/v/bin:/bin"
    assert variables["VLLM_NO_USAGE_STATS"] == variables["DO_NOT_TRACK"] == "1"


def test_the_hub_is_asked_only_where_the_setting_says_so() -> None:
    assert server_variables(options(), {})["HF_HUB_OFFLINE"] == "1"
    # ours is offline whatever the setting of the server
    assert "HF_HUB_OFFLINE" not in server_variables(options(download=True), {"HF_HUB_OFFLINE": "1"})


@pytest.mark.parametrize(
    ("generator", "model"),
    [
        ("vllm:owner/m", "owner/m"),
        ("vllm:/a/b", "/a/b"),
        ("composer", None),
        ("auto", None),
        ("openai:http://x#m", None),
    ],
)
def test_a_generator_names_its_model(generator: str, model: str | None) -> None:
    assert model_of(generator) == model


def server_settings(folder: Path, **given: object) -> Settings:
    return Settings(_env_file=None, data=folder, **given)  # type: ignore[arg-type, call-arg]


def test_options_are_read_from_the_settings(tmp_path: Path) -> None:
    found = options_of(" owner/m ", server_settings(tmp_path, vllm_args="--dtype half --x 'a b'", llm_port=7))
    assert found.model == "owner/m"
    assert found.venv == tmp_path / "vllm-env"
    assert found.log == tmp_path / "logs" / "vllm.log"
    assert found.arguments == ("--dtype", "half", "--x", "a b")
    assert found.port == 7
    named = options_of("m", server_settings(tmp_path, vllm_venv=str(tmp_path / "other")))
    assert named.venv == tmp_path / "other"
    assert server_settings(tmp_path, llm_key="k").llm_key == SecretStr("k")


@pytest.mark.parametrize(("model", "arguments"), [("", ""), ("  ", ""), ("m", "--x 'open")])
def test_what_cannot_be_read_is_refused(tmp_path: Path, model: str, arguments: str) -> None:
    with pytest.raises(InputError):
        options_of(model, server_settings(tmp_path, vllm_args=arguments))


@pytest.mark.parametrize(
    "arguments",
    ["--host 0.0.0.0", "--port=9", "--api-key k", "--enable-log-requests", "--enable_log_outputs", "--enable-log-req"],
)
def test_what_is_set_elsewhere_or_would_log_notes_is_refused(tmp_path: Path, arguments: str) -> None:
    with pytest.raises(InputError, match="LEAPNOTE_VLLM_ARGS must not hold"):
        options_of("m", server_settings(tmp_path, vllm_args=arguments))


@pytest.mark.parametrize(
    "arguments", ["--dtype half", "-tp 2", "--max-model-len 9", "--no-enable-log-requests", "--", "-"]
)
def test_other_options_are_taken(tmp_path: Path, arguments: str) -> None:
    assert options_of("m", server_settings(tmp_path, vllm_args=arguments)).arguments == tuple(arguments.split())
