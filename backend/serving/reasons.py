"""Why a server ended, read from what it printed last: one line, and whether another start could help."""

import re
import signal
from typing import NamedTuple


class Ending(NamedTuple):
    """lasting: the same will happen again, so that it is not started again."""

    reason: str
    lasting: bool


class _Known(NamedTuple):
    pattern: str
    reason: str
    lasting: bool = True


# first match wins: what causes others goes first
_KNOWN = (
    _Known(
        r"No module named 'vllm'|vllm: No such file",
        "vLLM is not installed where it was looked for. Build its environment with: make llm-setup",
    ),
    _Known(
        r"[Aa]ddress already in use",
        "its port is taken. Choose another with LEAPNOTE_LLM_PORT, or 0 for a free one",
    ),
    _Known(
        r"Failed to infer device type|No CUDA GPUs are available|NVIDIA driver .{0,60}(?:too old|not found)|"
        r"Found no NVIDIA driver|no CUDA-capable device|CUDA driver version is insufficient",
        "vLLM found no GPU that it can use. Look at nvidia-smi and the driver",
    ),
    _Known(
        r"Free memory on device .{0,80}is less than desired|less than desired GPU memory utilization",
        "the GPU's memory is in use by something else. Free it, or lower LEAPNOTE_VLLM_GPU_MEMORY",
    ),
    _Known(
        r"No available memory for the cache blocks|KV cache is needed, which is larger than the available|"
        r"max seq len .{0,80}is larger than the maximum number of tokens",
        "the GPU's memory holds the model but not the text. Lower LEAPNOTE_VLLM_MAX_MODEL_LEN, raise "
        "LEAPNOTE_VLLM_GPU_MEMORY, or choose a smaller model",
    ),
    _Known(
        r"OutOfMemoryError|CUDA out of memory|HIP out of memory|std::bad_alloc|Cannot allocate memory",
        "memory ran out. Choose a smaller or quantised model, or lower LEAPNOTE_VLLM_MAX_MODEL_LEN",
    ),
    _Known(
        r"User-specified max_model_len .{0,80}is greater than the derived",
        "LEAPNOTE_VLLM_MAX_MODEL_LEN is more than the model can read. Lower it, or set 0",
    ),
    _Known(
        r"GatedRepoError|is a gated repo|401 Client Error",
        "the hub gives this model only to those who accepted its terms. Fetch it into a folder first, and name that folder",
    ),
    _Known(
        r"LocalEntryNotFoundError|OfflineModeIsEnabled|outgoing traffic has been disabled|Can't load the configuration|"
        r"couldn't connect to .{0,60}huggingface|is not a local folder|Repository Not Found|Invalid repository ID|"
        r"Repo id must be in the form",
        "the model is not on this machine. Name its folder, or allow one download with LEAPNOTE_VLLM_DOWNLOAD=true",
    ),
    _Known(
        r"Model architectures? .{0,120}(?:are|is|was) (?:not )?supported|does not recognize this architecture",
        "this version of vLLM does not know the model's architecture. Choose another model",
    ),
    _Known(
        r"`trust_remote_code=True`|contains custom code which must be executed",
        "the model brings code of its own, which is not run. Choose another model",
    ),
    _Known(
        r"unrecognized arguments: .*|invalid choice: .*",
        "an option in LEAPNOTE_VLLM_ARGS is not one of `vllm serve`",
    ),
)


def why_it_ended(status: int, last_words: str) -> Ending:
    """status: the exit status, negative for a signal. Nothing of last_words is repeated: only what is recognised is told."""
    for known in _KNOWN:
        if re.search(known.pattern, last_words):
            return Ending(known.reason, known.lasting)
    if status == 127:
        return Ending(_KNOWN[0].reason, True)
    if status < 0:
        return Ending(f"it was ended by {_signal_name(-status)}", False)
    return Ending(f"it ended with status {status}; its log says more", False)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
