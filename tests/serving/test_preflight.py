"""What is known before vLLM starts. The GPUs are made up: a script stands in for nvidia-smi."""

import os
from pathlib import Path

import pytest

from backend.errors import InputError, LeapnoteError, MissingError
from backend.serving.gpus import gpus
from backend.serving.preflight import check
from backend.serving.server_options import ServerOptions
from tests.serving import stand_in

GIB = 1024**3
ONE = "0, GPU-aaaa, NVIDIA H100 80GB HBM3, 81559, 81000"
BUSY = "0, GPU-aaaa, NVIDIA H100 80GB HBM3, 81559, 20000"
SHARED = "0, GPU-aaaa, NVIDIA GB10, [N/A], [N/A]"
TWO = f"{ONE}\n1, GPU-bbbb, NVIDIA H100 80GB HBM3, 81559, 81000"


def smi(folder: Path, prints: str = "", status: int = 0) -> dict[str, str]:
    """An environment whose nvidia-smi prints this; the variables."""
    folder.mkdir(exist_ok=True)
    program = folder / "nvidia-smi"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{prints}\nEND\nexit {status}\n")
    program.chmod(0o755)
    return {"PATH": f"{folder}{os.pathsep}/bin{os.pathsep}/usr/bin"}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A folder with 100 GiB of weights, which take no room: the file is all hole."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    with (folder / "model-00001.safetensors").open("wb") as file:
        file.truncate(100 * GIB)
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"0" * 1000)
    return folder


def options(tmp_path: Path, model: object, installed: bool = True, **changes: object) -> ServerOptions:
    venv = tmp_path / "venv"
    if installed:
        stand_in.install(venv)
    return ServerOptions(**({"model": str(model), "venv": venv, "log": tmp_path / "l"} | changes))  # type: ignore[arg-type]


def test_where_vllm_is_not_installed_the_command_that_does_it_is_told(tmp_path: Path, small: Path) -> None:
    with pytest.raises(MissingError, match="make llm-setup"):
        check(options(tmp_path, small, installed=False))


def test_without_nvidia_smi_there_is_no_gpu(tmp_path: Path, small: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(MissingError, match=r"no GPU.*nvidia-smi is not installed"):
        check(options(tmp_path, small), {"PATH": str(tmp_path / "empty")})


def test_a_driver_that_does_not_run_is_told(tmp_path: Path, small: Path) -> None:
    with pytest.raises(MissingError, match="status 9"):
        check(options(tmp_path, small), smi(tmp_path / "bin", "NVIDIA-SMI has failed", status=9))


@pytest.mark.parametrize("prints", ["", "No devices were found"])
def test_a_machine_whose_gpus_are_none_is_told(tmp_path: Path, small: Path, prints: str) -> None:
    with pytest.raises(MissingError, match=r"GPU|form"):
        check(options(tmp_path, small), smi(tmp_path / "bin", prints))


def test_a_gpu_that_is_hidden_is_not_there(tmp_path: Path, small: Path) -> None:
    with pytest.raises(MissingError, match="CUDA_VISIBLE_DEVICES"):
        check(options(tmp_path, small), smi(tmp_path / "bin", ONE) | {"CUDA_VISIBLE_DEVICES": ""})


def test_visible_gpus_come_in_the_order_that_was_set(tmp_path: Path) -> None:
    variables = smi(tmp_path / "bin", TWO)
    assert [gpu.uuid for gpu in gpus(variables)] == ["GPU-aaaa", "GPU-bbbb"]
    assert [gpu.number for gpu in gpus(variables | {"CUDA_VISIBLE_DEVICES": "1,0"})] == ["1", "0"]
    assert [gpu.number for gpu in gpus(variables | {"CUDA_VISIBLE_DEVICES": "GPU-bb"})] == ["1"]
    assert gpus(variables)[0].total == 81559 * 1024**2
    part = gpus(variables | {"CUDA_VISIBLE_DEVICES": "MIG-cc"})[0]
    assert (part.total, part.free) == (None, None)


def test_a_model_that_fits_is_told_with_its_gpu(tmp_path: Path, small: Path) -> None:
    assert check(options(tmp_path, small), smi(tmp_path / "bin", TWO)) == "on NVIDIA H100 80GB HBM3 and 1 more"


def test_on_the_processor_no_gpu_is_looked_for(tmp_path: Path, small: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert check(options(tmp_path, small, device="cpu"), {"PATH": str(tmp_path / "empty")}) == "on the processor"


def test_weights_larger_than_the_memory_are_refused_with_both_sizes(tmp_path: Path, model: Path) -> None:
    # 81559 MiB = 79.6 GiB, of which 0.9 are 71.7
    with pytest.raises(MissingError, match=r"100\.0 GiB of weights; vLLM may take 71\.7 GiB"):
        check(options(tmp_path, model), smi(tmp_path / "bin", TWO))


@pytest.mark.parametrize("arguments", [("--tensor-parallel-size", "2"), ("-tp=2",), ("--quantization", "fp8")])
def test_weights_spread_over_gpus_or_made_smaller_may_fit(
    tmp_path: Path, model: Path, arguments: tuple[str, ...]
) -> None:
    check(options(tmp_path, model, arguments=arguments), smi(tmp_path / "bin", TWO))


def test_weights_spread_over_more_gpus_than_there_are_are_refused(tmp_path: Path, model: Path) -> None:
    with pytest.raises(MissingError, match="over 4 GPUs; there are 2"):
        check(options(tmp_path, model, arguments=("--tensor-parallel-size", "4")), smi(tmp_path / "bin", TWO))


def test_memory_that_others_hold_is_told(tmp_path: Path, small: Path) -> None:
    # 20000 MiB = 19.5 GiB
    with pytest.raises(MissingError, match=r"19\.5 GiB free of 79\.6"):
        check(options(tmp_path, small), smi(tmp_path / "bin", BUSY))
    check(options(tmp_path / "b", small, gpu_memory=0.2), smi(tmp_path / "bin", BUSY))  # 15.9 GiB


def test_memory_that_is_not_told_is_no_reason_to_refuse(tmp_path: Path, model: Path) -> None:
    assert check(options(tmp_path, model), smi(tmp_path / "bin", SHARED)) == "on NVIDIA GB10"


@pytest.mark.parametrize("name", ["/no/such", "./no", "~/no-such-folder", "a/b/c", "with space"])
def test_a_name_that_is_no_folder_and_no_model_is_wrong_input(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="folder"):
        check(options(tmp_path, name))


def test_a_folder_without_a_model_is_wrong_input(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"config\.json"):
        check(options(tmp_path, tmp_path / "empty"))


def test_a_model_of_the_hub_must_be_here_or_its_download_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    chosen = options(tmp_path, "owner/some-model")
    variables = smi(tmp_path / "bin", ONE)
    with pytest.raises(MissingError, match="LEAPNOTE_VLLM_DOWNLOAD"):
        check(chosen, variables)
    check(options(tmp_path / "b", "owner/some-model", download=True), variables)
    # the cache as the hub's own library lays it out
    snapshot = tmp_path / "hub" / "models--owner--some-model" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    refs = tmp_path / "hub" / "models--owner--some-model" / "refs"
    refs.mkdir()
    (refs / "main").write_text("abc")
    check(chosen, variables)
    with (snapshot / "model.safetensors").open("wb") as file:
        file.truncate(100 * GIB)
    with pytest.raises(LeapnoteError, match=r"100\.0 GiB of weights"):
        check(chosen, variables)
