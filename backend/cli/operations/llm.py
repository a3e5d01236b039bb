"""llm: a vLLM server by itself, beside the program; and the environment that it lives in."""

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from backend.cli.operations.up import POLL_S, StopSignal, say, warn
from backend.errors import InputError, MissingError
from backend.serving.server import ModelServer
from backend.serving.server_options import model_of, options_of, venv_of
from backend.serving.status import ServerState
from backend.serving.vllm_environment import build
from backend.settings import ROOT, settings

PORT = 8000  # where others look for a vLLM server
REQUIREMENTS = ROOT / "requirements-vllm.txt"


def add_to(commands: Any) -> None:
    """The parsers of this family."""
    family = commands.add_parser("llm", help="serve a language model by vLLM, or set that up")
    verbs = family.add_subparsers(dest="verb", required=True, metavar="VERB")
    serve = verbs.add_parser("serve", help="start vLLM, wait until it is ready, and watch it")
    serve.add_argument("model", help="a folder, or a name of the hub")
    serve.add_argument("--port", type=int, help=f"instead of LEAPNOTE_LLM_PORT ({PORT} where that is 0); 0: a free one")
    serve.set_defaults(run=run_serve)
    setup = verbs.add_parser("setup", help="install vLLM into an environment of its own")
    setup.set_defaults(run=run_setup)


def run_serve(args: argparse.Namespace) -> int:
    """0 after Ctrl-C or SIGTERM, 3 when the server ended and is not started again."""
    chosen = settings()
    model = model_of(args.model) or args.model
    port = args.port if args.port is not None else chosen.llm_port or PORT
    if not 0 <= port <= 65535:
        raise InputError(f"--port {port} is no port. Give a number of 0 to 65535.")
    # status and log of its own: `up` may watch another server at the same time
    options = replace(options_of(model, chosen), port=port, log=chosen.data / "logs" / "llm.log")
    watched = ModelServer(options, chosen.data / "llm", chosen.llm_key, say, warn)
    stop = StopSignal()
    told = False
    try:
        while not stop.asked:
            status = watched.step()
            if status.state == ServerState.FAILED:
                raise MissingError("The language model server does not run; the line above says why.")
            if status.state == ServerState.READY and not told:
                told = True
                say(f"Write with it:   LEAPNOTE_LLM_URL={watched.url} python -m backend up   (Ctrl-C ends the server)")
            time.sleep(POLL_S)
    finally:
        watched.stop()
    say("The language model server has ended.")
    return 0


def run_setup(args: argparse.Namespace) -> int:
    folder: Path = venv_of(settings())
    build(folder, REQUIREMENTS, warn)
    say(f"vLLM is installed in {folder}")
    return 0
