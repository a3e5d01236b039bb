"""llm: a vLLM server by itself, beside the program; and the environment that it lives in."""

import time
from dataclasses import replace
from typing import Annotated

import typer

from backend.cli.operations.up import POLL_S, StopSignal, say, warn
from backend.cli.program import CommandLine
from backend.errors import InputError, MissingError
from backend.serving.server import ModelServer
from backend.serving.server_options import model_of, options_of, venv_of
from backend.serving.status import ServerState
from backend.serving.vllm_environment import build
from backend.settings import ROOT, settings

PORT = 8000  # where others look for a vLLM server
REQUIREMENTS = ROOT / "requirements-vllm.txt"


app = CommandLine("serve a language model by vLLM, or set that up")


@app.add("serve", "start vLLM, wait until it is ready, and watch it")
def serve_model(
    model: Annotated[str, typer.Argument(help="a folder, or a name of the hub", show_default=False)],
    port: Annotated[
        int | None,
        typer.Option("--port", help=f"instead of LEAPNOTE_LLM_PORT ({PORT} where that is 0); 0: a free one"),
    ] = None,
) -> int:
    """0 after Ctrl-C or SIGTERM.

    Raises:
        MissingError: when the server ended and is not started again.
        InputError: a port there is not.
    """
    chosen = settings()
    model = model_of(model) or model
    port = port if port is not None else chosen.llm_port or PORT
    if not 0 <= port <= 65535:
        raise InputError(f"--port {port} is no port. Give a number of 0 to 65535.")
    # status and log of its own: `up` may watch another server at the same time
    options = replace(options_of(model, chosen), port=port, log=chosen.data / "logs" / "llm.log")
    watched = ModelServer(options, chosen.data / "llm", chosen.llm_key, say, warn)
    stop = StopSignal()
    announced = False
    try:
        while not stop.asked:
            status = watched.step()
            if status.state == ServerState.FAILED:
                raise MissingError("The language model server does not run; the line above says why.")
            if status.state == ServerState.READY and not announced:
                announced = True
                say(f"Write with it:   LEAPNOTE_LLM_URL={watched.url} python -m backend up   (Ctrl-C ends the server)")
            time.sleep(POLL_S)
    finally:
        watched.stop()
    say("The language model server has ended.")
    return 0


@app.add("setup", "install vLLM into an environment of its own")
def set_up() -> None:
    """Build the environment and say where it is."""
    folder = venv_of(settings())
    build(folder, REQUIREMENTS, warn)
    say(f"vLLM is installed in {folder}")
