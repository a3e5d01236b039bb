"""What can be known before vLLM is started: that it is installed, that the model is there, that a GPU can hold it."""

import os
from collections.abc import Mapping
from pathlib import Path

from backend.errors import InputError, MissingError
from backend.serving.gpus import Gpu, gpus
from backend.serving.server_options import GPU, ServerOptions

GIB = 1024**3
# what makes weights smaller, or spreads them otherwise, than their files tell
_OTHER_SIZES = ("--quantization", "-q", "--cpu-offload-gb", "--load-format", "--pipeline-parallel-size", "-pp")


def check(options: ServerOptions, variables: Mapping[str, str] | None = None) -> str:
    """One line on what will serve the model.

    Raises:
        MissingError: vLLM, a GPU, memory or the weights are missing; the message says what to do. A model's name that is
            none raises InputError.
    """
    if not os.access(options.program, os.X_OK):
        raise MissingError(f"vLLM is not installed in {options.venv}. Build that environment with: make llm-setup")
    weights = _weights(options)
    if options.device != GPU:
        return "on the processor"
    found = gpus(variables)
    fits(options, found, weights)
    return f"on {found[0].name}" + (f" and {len(found) - 1} more" if len(found) > 1 else "")


def fits(options: ServerOptions, found: tuple[Gpu, ...], weights: int | None) -> None:
    """Hold the weights against the memory of the GPUs.

    Weights that fit may still leave too little for the text; vLLM measures that when it starts, and says so.

    Raises:
        MissingError: the weights (bytes, None: not known) cannot fit in what vLLM may take of the GPUs.
    """
    spread = _spread(options.arguments)
    if len(found) < spread:
        raise MissingError(
            f"LEAPNOTE_VLLM_ARGS spreads the model over {spread} GPUs; there are {len(found)}. Lower that number."
        )
    for gpu in found[:spread]:
        if gpu.total is None or gpu.free is None:
            continue
        taken = gpu.total * options.gpu_memory
        if gpu.free < taken:
            raise MissingError(
                f"GPU {gpu.number} ({gpu.name}) has {gpu.free / GIB:.1f} GiB free of {gpu.total / GIB:.1f}; vLLM wants "
                f"{taken / GIB:.1f} (LEAPNOTE_VLLM_GPU_MEMORY={options.gpu_memory:g}). End what uses it (nvidia-smi shows it), or lower that setting."
            )
        if weights is not None and weights / spread > taken and not set(_OTHER_SIZES) & _names(options.arguments):
            raise MissingError(
                f"{options.model!r} has {weights / GIB:.1f} GiB of weights; vLLM may take {taken / GIB:.1f} GiB of each of {spread} "
                f"GPU(s). Choose a smaller or quantised model, or add --tensor-parallel-size to LEAPNOTE_VLLM_ARGS."
            )


def _weights(options: ServerOptions) -> int | None:
    """Bytes of the model's weights; None when it has yet to be fetched.

    Raises:
        InputError: the model is neither a folder nor a name of the hub.
        MissingError: the folder holds no weights, or the model is not on this machine and may not be fetched.
    """
    folder = options.folder
    if folder is None:
        if options.model.startswith(("/", "./", "../", "~")):
            raise InputError(
                f"There is no folder {options.model!r}. Write vllm:<folder of a model> or vllm:<hub name>."
            )
        folder = _cached(options.model)
    elif not (folder / "config.json").is_file():
        raise InputError(
            f"{options.model!r} holds no model: there is no config.json in it. Name the folder that has one."
        )
    if folder is None:
        if options.download:
            return None
        raise MissingError(
            f"The model {options.model!r} is not on this machine. Allow its download once with "
            "LEAPNOTE_VLLM_DOWNLOAD=true, or name a folder that holds it."
        )
    return _bytes(folder)


def _cached(name: str) -> Path | None:
    """The folder of a model that the hub's own cache holds.

    Raises:
        InputError: the name is none that a hub has.
    """
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(name, "config.json")
    except HFValidationError:
        raise InputError(f"{name!r} is neither a folder nor a name of the hub (owner/model). Mend it.") from None
    return Path(found).parent if isinstance(found, str) else None


def _bytes(folder: Path) -> int | None:
    # what a folder holds twice, in two forms, is loaded once, and vLLM prefers safetensors
    for pattern in ("*.safetensors", "*.bin", "*.gguf"):
        sizes = [path.stat().st_size for path in folder.glob(pattern) if not path.name.startswith("consolidated")]
        if sizes:
            return sum(sizes)
    return None


def _names(arguments: tuple[str, ...]) -> set[str]:
    return {argument.partition("=")[0] for argument in arguments}


def _spread(arguments: tuple[str, ...]) -> int:
    """Over how many GPUs each layer is spread."""
    for i, argument in enumerate(arguments):
        name, given, value = argument.partition("=")
        if name in ("--tensor-parallel-size", "-tp"):
            number = value if given else "".join(arguments[i + 1 : i + 2])
            if number.isdigit() and int(number) > 0:
                return int(number)
    return 1
