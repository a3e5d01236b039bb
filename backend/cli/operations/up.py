"""up and serve: start the API, the page and, if asked for, a language model server; watch them; end them together."""

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from types import FrameType
from typing import Annotated

import typer
from pydantic import SecretStr

from backend.cli.program import CommandLine
from backend.errors import MissingError
from backend.serving.ports import Port, check_ports, held_ports
from backend.serving.process import ended_with_us
from backend.serving.server import ModelServer
from backend.serving.server_options import model_of, options_of
from backend.settings import ROOT, Settings, settings

STARTUP_S = 120.0
POLL_S = 0.1
app = CommandLine()


@app.add("serve", "start the API alone")
def serve() -> None:
    """Serve until Ctrl-C or SIGTERM. Raises InputError for a port that is taken."""
    import uvicorn

    from backend.api.app import create_app

    chosen = settings()
    check_ports(chosen.host, api_port(chosen))
    api = create_app(chosen)
    uvicorn.run(api, host=chosen.host, port=chosen.api_port, log_level="warning", access_log=False)


@app.add("up", "start the API and the page")
def up(
    generator: Annotated[
        str | None,
        typer.Option(
            "--generator",
            metavar="G",
            help="who writes, instead of LEAPNOTE_GENERATOR; vllm:<model> starts a server too",
        ),
    ] = None,
) -> int:
    """0 after Ctrl-C or SIGTERM.

    The language model server may end: it is started again, and meanwhile drafts are written as without it. A MissingError passes
    through when the API or the page ended by itself.
    """
    chosen = settings()
    ports = api_port(chosen), page_port(chosen)
    with held_ports(page_address(chosen), *ports):
        check_ports(chosen.host, *ports)
        return _run(chosen, generator or chosen.generator)


def _run(chosen: Settings, generator: str) -> int:
    """Start, watch and end the parts.

    Raises:
        MissingError: when the API or the page ended by itself.
    """
    variables = {"LEAPNOTE_GENERATOR": generator}
    watched: ModelServer | None = None
    if (model := model_of(generator)) is not None:
        watched = _model_server(model, chosen, variables)
    stop = StopSignal()
    parts: dict[str, subprocess.Popen[bytes]] = {}
    print("Leapnote is starting ...", flush=True)
    try:
        parts["API"] = _start([sys.executable, "-m", "backend", "serve"], variables)
        parts["page"] = _start(page_command(chosen), {"LEAPNOTE_GENERATOR": generator}, quiet=True)
        _wait_ready(chosen, parts, stop, watched)
        if not stop.asked:
            print(f"Leapnote is ready: {page_address(chosen)}   (Ctrl-C ends it)", flush=True)
        while not stop.asked:
            for name, part in parts.items():
                if part.poll() is not None:
                    raise MissingError(
                        f"The {name} ended with status {part.returncode}; see the lines above. Start again."
                    )
            if watched is not None:
                watched.step()
            time.sleep(POLL_S)
    finally:
        for part in parts.values():
            _end(part)
        if watched is not None:
            watched.stop()  # after the API, so that no draft breaks off in mid-sentence on the way out
    print("Leapnote has ended.", flush=True)
    return 0


def _model_server(model: str, chosen: Settings, variables: dict[str, str]) -> ModelServer:
    """The server to watch; what the API must know about it goes into variables."""
    options = options_of(model, chosen)
    # a key of its own for this start: other users of this machine can reach the loopback address
    key = chosen.llm_key if chosen.llm_key.get_secret_value() else SecretStr(secrets.token_urlsafe(24))
    watched = ModelServer(options, chosen.data, key, say, warn)
    variables["LEAPNOTE_LLM_URL"] = watched.url
    variables["LEAPNOTE_LLM_KEY"] = key.get_secret_value()
    variables["LEAPNOTE_LLM_STATUS"] = str(watched.status_file.resolve())
    return watched


def say(line: str) -> None:
    """Print a line now."""
    print(line, flush=True)


def warn(line: str) -> None:
    """Print a line to standard error now."""
    print(line, file=sys.stderr, flush=True)


def api_port(chosen: Settings) -> Port:
    """Where the API listens."""
    return Port(chosen.api_port, "LEAPNOTE_API_PORT", "the API")


def page_port(chosen: Settings) -> Port:
    """Where the page listens."""
    return Port(chosen.page_port, "LEAPNOTE_PAGE_PORT", "the page")


def page_address(chosen: Settings) -> str:
    """Where a browser on this machine opens the page."""
    return f"http://{shown(chosen.host)}:{chosen.page_port}"


def page_command(chosen: Settings) -> list[str]:
    """Streamlit without telemetry, file watching or a browser of its own."""
    return [
        *(sys.executable, "-m", "streamlit", "run", str(ROOT / "app" / "serve.py")),
        *("--server.address", chosen.host),
        *("--server.port", str(chosen.page_port)),
        # behind a proxy the Host is the proxy's choice; the page's own check of both headers comes first (backend.settings.hosts)
        *(part for name in chosen.allowed_hosts.split() for part in ("--server.corsAllowedOrigins", f"https://{name}")),
        *("--server.headless", "true"),
        *("--server.fileWatcherType", "none"),
        *("--browser.gatherUsageStats", "false"),
        *("--client.toolbarMode", "minimal"),
        *("--client.showErrorDetails", "none"),
        *("--logger.level", "error"),
    ]


class StopSignal:
    """Turn SIGINT and SIGTERM into a flag, so that all parts are ended in order."""

    def __init__(self) -> None:
        """Take the place of both signals' handlers. asked: whether one came."""
        self.asked = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.asked = True


def _start(command: list[str], variables: Mapping[str, str], quiet: bool = False) -> subprocess.Popen[bytes]:
    # a session of its own: Ctrl-C reaches only this process, which then ends all parts
    environment = {**os.environ, **variables, "PYTHONPATH": str(ROOT)}
    # the page's banner names an address before it is ready; what goes wrong there is on standard error
    output = subprocess.DEVNULL if quiet else None
    return subprocess.Popen(
        ended_with_us(command),
        cwd=ROOT,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=output,
        env=environment,
    )


def _wait_ready(
    chosen: Settings, parts: dict[str, subprocess.Popen[bytes]], stop: StopSignal, watched: ModelServer | None
) -> None:
    import httpx

    host = shown(chosen.host)
    open_parts = {
        "API": f"http://{host}:{chosen.api_port}/v1/health",
        "page": f"http://{host}:{chosen.page_port}/_stcore/health",
    }
    deadline = time.monotonic() + STARTUP_S
    while open_parts and not stop.asked:
        if watched is not None:
            watched.step()
        for name, address in list(open_parts.items()):
            if parts[name].poll() is not None:
                raise MissingError(f"The {name} ended with status {parts[name].returncode} while starting; see above.")
            try:
                if httpx.get(address, timeout=1.0, trust_env=False).status_code == 200:
                    del open_parts[name]
            except httpx.HTTPError:
                pass
        if time.monotonic() > deadline:
            raise MissingError(
                f"Not ready after {STARTUP_S:.0f} s: {', '.join(open_parts)}. Run: python -m backend doctor"
            )
        time.sleep(POLL_S)


def shown(host: str) -> str:
    """Where a server that binds to a host is reached from this machine."""
    return "127.0.0.1" if host in ("0.0.0.0", "::") else host


def _end(part: subprocess.Popen[bytes]) -> None:
    if part.poll() is None:
        part.terminate()
        try:
            part.wait(timeout=8)
        except subprocess.TimeoutExpired:
            part.kill()
            part.wait()
