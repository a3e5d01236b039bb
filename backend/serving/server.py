"""The vLLM server that a command owns: checked before it starts, on the loopback address, told in lines and in a file."""

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pydantic import SecretStr

from backend.errors import InputError
from backend.serving.command import HOST, server_command, server_variables
from backend.serving.preflight import check
from backend.serving.process import ServerProcess
from backend.serving.server_options import ServerOptions
from backend.serving.status import ServerState, ServerStatus, write_status
from backend.serving.supervisor import Patience, Supervisor

HEALTH_S = 1.0
REPORT_S = 30.0
STATUS_FILE = "llm-status.json"
Say = Callable[[str], None]


class ModelServer:
    """Not started yet when it is made: the first `step` does. Whoever owns it calls `step` several times a second."""

    def __init__(self, options: ServerOptions, folder: Path, key: SecretStr, say: Say, warn: Say) -> None:
        """folder: where it stands and its status is written. key: what requests must send; empty: nothing.

        say and warn take a line each. Raises InputError or MissingError when it is clear that it cannot run.
        """
        self._where = check(options)
        port = options.port or _free_port()
        _check_free(port)
        folder.mkdir(parents=True, exist_ok=True)
        self.status_file = folder / STATUS_FILE
        self._log, self._say, self._warn = options.log, say, warn
        self._started_s = self._reported_s = 0.0
        command, variables = server_command(options, port), server_variables(options)
        if key.get_secret_value():
            variables["VLLM_API_KEY"] = key.get_secret_value()  # not on the command line, which everybody can read
        self._supervisor = Supervisor(
            model=options.model,
            url=f"http://{HOST}:{port}/v1",
            start=lambda: ServerProcess(command, variables, folder, options.log),
            healthy=lambda: healthy(port),
            report=self._report,
            clock=time.monotonic,
            wall=time.time,
            patience=Patience(start_s=options.start_s),
        )

    @property
    def url(self) -> str:
        """Up to and with /v1; the same over all starts."""
        return self._supervisor.status.url

    def step(self) -> ServerStatus:
        """Look after the server once; a start that takes long is reported."""
        status = self._supervisor.step()
        now = time.time()
        if status.state == ServerState.STARTING and now - self._reported_s >= REPORT_S:
            self._reported_s = now
            self._say(f"The language model is still loading: {now - self._started_s:.0f} s.")
        return status

    def stop(self) -> None:
        """End the server."""
        self._supervisor.stop()

    def _report(self, status: ServerStatus) -> None:
        write_status(self.status_file, status)
        match status.state:
            case ServerState.STARTING:
                self._started_s = self._reported_s = status.since
                self._say(f"The language model {status.model} is starting {self._where}, at {status.url} ...")
            case ServerState.READY:
                self._say(f"The language model is ready after {status.since - self._started_s:.0f} s.")
            case ServerState.WAITING:
                self._warn(f"The language model ended and starts again soon: {status.reason}. Its log: {self._log}")
            case ServerState.FAILED:
                self._warn(f"The language model ended and is not started again: {status.reason}. Its log: {self._log}")


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
