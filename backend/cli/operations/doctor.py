"""doctor: look at each part Leapnote needs and say what is wrong and how to mend it."""

import json
import sys
from collections.abc import Callable
from typing import Any

import httpx

from backend.cli.cli_options import Json
from backend.cli.program import CommandLine
from backend.cli.tables import print_table
from backend.errors import LeapnoteError, MissingError
from backend.serving.ports import Port, check_ports
from backend.settings import Settings, settings

ANSWER_S = 2.0
app = CommandLine()


@app.add("doctor", "check that everything needed is there")
def doctor(as_json: Json = False) -> int:
    """Print a line for each part. 0 when every part is in order, 3 otherwise."""
    chosen = settings()
    rows = [_row(name, check, chosen) for name, check in CHECKS]
    if as_json:
        for row in rows:
            print(json.dumps(row))
    else:
        lines = [("ok  " if row["ok"] else "FAIL", row["part"], row["found"]) for row in rows]
        print_table(("", "part", "found"), lines, lambda cells: f"{cells[0]} {cells[1]}: {cells[2]}")
    return 0 if all(row["ok"] for row in rows) else 3


def _row(name: str, check: Callable[[Settings], str], chosen: Settings) -> dict[str, Any]:
    try:
        return {"part": name, "ok": True, "found": check(chosen)}
    except LeapnoteError as error:
        return {"part": name, "ok": False, "found": str(error)}


def _python(chosen: Settings) -> str:
    return sys.version.split()[0]


def _encoder(chosen: Settings) -> str:
    from models.encoders.encoders import make_encoder

    return make_encoder(chosen.encoder).name


def _knowledge(chosen: Settings) -> str:
    from backend.knowledge.starter import read_starter

    if not chosen.knowledge.is_dir():
        raise MissingError(
            f"There is no knowledge folder {chosen.knowledge.name!r}. Set LEAPNOTE_KNOWLEDGE to the folder that holds it."
        )
    starter = read_starter(chosen.knowledge)
    return f"{len(starter.concepts)} concepts, {len(starter.triples)} triples"


def _api_port(chosen: Settings) -> str:
    from backend.cli.operations.up import api_port

    return _free_or_ours(chosen, api_port(chosen))


def _page_port(chosen: Settings) -> str:
    from backend.cli.operations.up import page_port

    return _free_or_ours(chosen, page_port(chosen))


def _free_or_ours(chosen: Settings, port: Port) -> str:
    """A port that Leapnote itself has is in order. Raises MissingError for one that another program has."""
    if _runs(chosen):
        return f"{port.number}: Leapnote runs"
    check_ports(chosen.host, port)
    return f"{port.number} is free"


def _runs(chosen: Settings) -> bool:
    """Whether API and page both answer where the settings have them. A body that is not the API's own counts as another's."""
    from backend.cli.operations.up import shown

    host = shown(chosen.host)
    try:
        api = httpx.get(f"http://{host}:{chosen.api_port}/v1/health", timeout=ANSWER_S, trust_env=False)
        page = httpx.get(f"http://{host}:{chosen.page_port}/_stcore/health", timeout=ANSWER_S, trust_env=False)
        return api.json().get("status") == "ready" and page.status_code == 200
    except (httpx.HTTPError, ValueError, AttributeError):
        return False


CHECKS: tuple[tuple[str, Callable[[Settings], str]], ...] = (
    ("Python", _python),
    ("encoder", _encoder),
    ("knowledge", _knowledge),
    ("API port", _api_port),
    ("page port", _page_port),
)
