"""The command line and the environment of `vllm serve`: what we ask of it every time, and why."""

import json
import os
from collections.abc import Mapping

from backend.serving.server_options import ServerOptions

HOST = "127.0.0.1"
# Replies that follow a schema are written without room for spaces between their parts: where any are allowed, a small
# model may write nothing else until its limit. guidance takes more of JSON Schema than the other that can do this.
SCHEMAS = {"backend": "guidance", "disable_any_whitespace": True}
# never ours to hand on: the server gets no settings of ours, so no password or token either
_OURS = "LEAPNOTE_"


def server_command(options: ServerOptions, port: int) -> list[str]:
    """Where an option stands twice the later one counts: those of LEAPNOTE_VLLM_ARGS come last."""
    limits = ["--max-model-len", str(options.max_model_len)] if options.max_model_len else []
    memory = ["--gpu-memory-utilization", str(options.gpu_memory)] if options.device == "gpu" else []
    return [
        *(str(options.program), "serve", str(options.folder or options.model)),
        *("--served-model-name", options.model),
        *("--host", HOST, "--port", str(port)),
        "--enable-prefix-caching",
        "--enable-prompt-tokens-details",  # says how much of a prompt the cache spared
        *("--structured-outputs-config", json.dumps(SCHEMAS)),
        # no text of a note in a log: neither requests nor replies, nor who asked when
        "--no-enable-log-requests",
        "--no-enable-log-outputs",
        "--disable-uvicorn-access-log",
        *limits,
        *memory,
        *options.arguments,
    ]


def server_variables(options: ServerOptions, present: Mapping[str, str] | None = None) -> dict[str, str]:
    """All of the server's environment: this process's own (or `present`), without our settings, and without calls home."""
    kept = {name: value for name, value in (present or os.environ).items() if not name.startswith(_OURS)}
    # the last of these would print replies
    for ours in (
        "PYTHONPATH",
        "PYTHONHOME",
        "VIRTUAL_ENV",
        "HF_HUB_OFFLINE",
        "TRANSFORMERS_OFFLINE",
        "VLLM_DEBUG_LOG_API_SERVER_RESPONSE",
    ):
        kept.pop(ours, None)
    offline = {} if options.download else {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    return (
        kept
        | offline
        | {
            "VLLM_NO_USAGE_STATS": "1",
            "DO_NOT_TRACK": "1",
            "VLLM_LOGGING_LEVEL": "INFO",  # a finer one prints what is asked
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "VLLM_HOST_IP": HOST,  # its own processes talk over the loopback address too
            "PATH": f"{options.venv / 'bin'}{os.pathsep}{kept.get('PATH', os.defpath)}",
        }
    )
