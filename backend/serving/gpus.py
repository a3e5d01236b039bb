"""The NVIDIA GPUs of this machine, as nvidia-smi tells them, and how much of their memory is free."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from typing import NamedTuple

from backend.errors import MissingError

_FIELDS = "index,uuid,name,memory.total,memory.free"
_SECONDS = 20
MIB = 1024 * 1024


class Gpu(NamedTuple):
    """total, free: bytes; None where the machine shares one memory and does not say."""

    number: str
    uuid: str
    name: str
    total: int | None
    free: int | None


def gpus(variables: Mapping[str, str] | None = None) -> tuple[Gpu, ...]:
    """Those that CUDA_VISIBLE_DEVICES leaves, in its order.

    Raises:
        MissingError: there is none, with what to do.
    """
    environment = os.environ if variables is None else variables
    program = shutil.which("nvidia-smi", path=environment.get("PATH"))
    if program is None:
        raise MissingError(
            "There is no GPU that vLLM could use: nvidia-smi is not installed. Install the NVIDIA driver, or write drafts "
            "with LEAPNOTE_GENERATOR=composer, or name a server elsewhere (openai:<url>#<model>)."
        )
    try:
        done = subprocess.run(
            [program, f"--query-gpu={_FIELDS}", "--format=csv,noheader,nounits"],
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
            env=dict(environment),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingError(f"nvidia-smi does not answer ({type(error).__name__}). Look at the GPU's driver.") from None
    if done.returncode:
        raise MissingError(
            f"nvidia-smi ended with status {done.returncode}: the GPU's driver does not run. Run it by hand to see why."
        )
    found = _visible([_read(line) for line in done.stdout.splitlines() if line.strip()], environment)
    if not found:
        raise MissingError("There is no GPU that vLLM could use. Look at nvidia-smi and at CUDA_VISIBLE_DEVICES.")
    return found


def _read(line: str) -> Gpu:
    parts = [part.strip() for part in line.split(",")]
    if len(parts) != 5:
        raise MissingError(f"nvidia-smi answers in another form than expected ({len(parts)} fields, not 5).")
    number, uuid, name, total, free = parts
    return Gpu(number, uuid, name, _bytes(total), _bytes(free))


def _bytes(mebibytes: str) -> int | None:
    return int(mebibytes) * MIB if mebibytes.isdigit() else None


def _visible(found: list[Gpu], environment: Mapping[str, str]) -> tuple[Gpu, ...]:
    named = environment.get("CUDA_VISIBLE_DEVICES")
    if named is None:
        return tuple(found)
    wanted = [part.strip() for part in named.split(",") if part.strip()]
    # a part of a GPU (MIG) has a name that nvidia-smi lists otherwise: its memory is not known here
    return tuple(
        next(
            (gpu for gpu in found if part == gpu.number or gpu.uuid.startswith(part)), Gpu(part, part, part, None, None)
        )
        for part in wanted
        if part != "-1"
    )
