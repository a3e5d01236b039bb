"""What a server of our own is started with, by the settings."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from backend.errors import InputError
from backend.settings import Settings

PREFIX = "vllm:"
GPU, CPU = "gpu", "cpu"
# what has a setting of its own, what would show a key to everybody, and what would write notes into a log
_NOT_TAKEN = (
    *("--config", "--model", "--host", "--port", "--uds", "--served-model-name", "--api-key"),
    *("--enable-log-requests", "--enable-log-outputs", "--enable-log-deltas"),
)


@dataclass(frozen=True)
class ServerOptions:
    """model: a folder, or a name of the hub. port 0: a free one. max_model_len 0: as many tokens as the model can."""

    model: str
    venv: Path
    log: Path
    port: int = 0
    device: str = GPU
    gpu_memory: float = 0.9
    max_model_len: int = 0
    arguments: tuple[str, ...] = ()
    download: bool = False
    start_s: float = 1_800.0

    @property
    def program(self) -> Path:
        """The command of that environment."""
        return self.venv / "bin" / "vllm"

    @property
    def folder(self) -> Path | None:
        """The model's folder; None when it is a name of the hub."""
        path = Path(self.model).expanduser()
        return path.resolve() if path.is_dir() else None


def venv_of(chosen: Settings) -> Path:
    """Where the environment of vLLM is."""
    named = Path(chosen.vllm_venv) if chosen.vllm_venv else chosen.data / "vllm-env"
    return named.expanduser().resolve()


def options_of(model: str, chosen: Settings) -> ServerOptions:
    """What the settings say of a server for this model.

    Raises:
        InputError: no model is named, or the further options cannot be read.
    """
    if not model.strip():
        raise InputError("No model is named. Write LEAPNOTE_GENERATOR=vllm:<model>, a folder or a name of the hub.")
    try:
        arguments = tuple(shlex.split(chosen.vllm_args))
    except ValueError as error:
        raise InputError(f"LEAPNOTE_VLLM_ARGS cannot be read as a command line: {error}.") from None
    for argument in arguments:
        if (refused := _refused(argument)) is not None:
            raise InputError(
                f"LEAPNOTE_VLLM_ARGS must not hold {refused}: Leapnote sets address, port, name and key itself, and no "
                "text of a note may stand in a log. Take it out."
            )
    return ServerOptions(
        model=model.strip(),
        venv=venv_of(chosen),
        log=chosen.data / "logs" / "vllm.log",
        port=chosen.llm_port,
        device=chosen.vllm_device,
        gpu_memory=chosen.vllm_gpu_memory,
        max_model_len=chosen.vllm_max_model_len,
        arguments=arguments,
        download=chosen.vllm_download,
        start_s=chosen.vllm_start_s,
    )


def model_of(generator: str) -> str | None:
    """The model that `vllm:<model>` names; None for every other generator."""
    return generator.removeprefix(PREFIX) if generator.startswith(PREFIX) else None


def _refused(argument: str) -> str | None:
    """The option that is not taken, also when it is shortened or written with underscores, as vLLM allows."""
    name = argument.partition("=")[0].replace("_", "-")
    if not name.startswith("--") or len(name) < 4:
        return None
    return next((option for option in _NOT_TAKEN if option.startswith(name)), None)
