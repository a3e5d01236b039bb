"""A supervised vLLM server from its options: checked first, on the loopback address, told in a status file."""

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pydantic import SecretStr

from backend.errors import InputError
from backend.serving.command import HOST, server_command, server_variables
from backend.serving.options import ServerOptions
from backend.serving.preflight import check
from backend.serving.process import ServerProcess
from backend.serving.status import ServerStatus, write_status
from backend.serving.supervisor import DEFAULT_PATIENCE, Patience, Supervisor

HEALTH_S = 1.0
STATUS_FILE = "llm-status.json"


def supervised(
    options: ServerOptions,
    folder: Path,
    key: SecretStr,
    tell: Callable[[ServerStatus], None],
    patience: Patience = DEFAULT_PATIENCE,
) -> Supervisor:
    """Not started yet: the first `step` does. folder: where it stands and where its status is written.

    key: what requests must send; empty: nothing. Raises InputError or MissingError when it is clear that it cannot run.
    """
    check(options)
    port = options.port or _free_port()
    _check_free(port)
    folder.mkdir(parents=True, exist_ok=True)
    command, variables = server_command(options, port), server_variables(options)
    if key.get_secret_value():
        variables["VLLM_API_KEY"] = key.get_secret_value()  # not on the command line, where everybody could read it

    def told(status: ServerStatus) -> None:
        write_status(folder / STATUS_FILE, status)
        tell(status)

    return Supervisor(
        model=options.model,
        url=f"http://{HOST}:{port}/v1",
        start=lambda: ServerProcess(command, variables, folder, options.log),
        healthy=lambda: healthy(port),
        tell=told,
        clock=time.monotonic,
        wall=time.time,
        patience=patience._replace(start_s=options.start_s),
    )


def healthy(port: int) -> bool:
    """Whether the server says that its engine runs."""
    import httpx

    with suppress(httpx.HTTPError):
        return httpx.get(f"http://{HOST}:{port}/health", timeout=HEALTH_S, trust_env=False).status_code == 200
    return False


def _free_port() -> int:
    with socket.socket() as held:
        held.bind((HOST, 0))
        return int(held.getsockname()[1])


def _check_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise InputError(
                f"Port {port} for the language model server cannot be used on {HOST} ({error.strerror}). "
                "Choose another with LEAPNOTE_LLM_PORT, or 0 for a free one."
            ) from None
