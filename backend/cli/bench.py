"""bench: measure what docs/architecture.md sets targets for; each row runs in a process of its own, so that its memory is its own."""

import json
import subprocess
import sys
from typing import Annotated

import typer

from backend.bench.measuring import BenchRow, Peer
from backend.bench.rows import ROWS, measure, row
from backend.bench.serving.workspace import can_run
from backend.cli.program import CommandLine
from backend.errors import MissingError
from backend.settings import ROOT

FUSION = "fusion"
NAMES = f"{', '.join(entry.name for entry in ROWS)}; or fusion, which compares rankings on public data. All but fusion by default"
app = CommandLine()


@app.add("bench", "measure speed and memory against their targets")
def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help=NAMES, show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON line a row")] = False,
    peer_python: Annotated[
        str | None,
        typer.Option("--peer-python", metavar="PATH", help="an interpreter that has medspaCy, to compare `link` with"),
    ] = None,
    here: Annotated[bool, typer.Option("--here", hidden=True)] = False,
) -> int:
    """Print each row. 0 when every row was measured, whether or not it reached its target."""
    wanted = names or [entry.name for entry in ROWS if can_run() or not entry.browser]
    for name in wanted:
        if name != FUSION:
            row(name)  # a wrong name is refused before the first row runs
    for name in wanted:
        if name == FUSION:
            _fusion(as_json)
        elif here:
            print(measure(name, peer_python).model_dump_json(), flush=True)
        else:
            found = _in_own_process(name, peer_python)
            print(found.model_dump_json() if as_json else as_text(found), flush=True)
    return 0


def as_text(found: BenchRow) -> str:
    """A row in one line for a reader."""
    peer = found.peer
    compared = f"peer {peer.name}: {_times(peer)}" if peer else f"no peer: {found.peer_reason}"
    built = f", built in {found.build_s:.1f} s" if found.build_s is not None else ""
    verdict = "reached" if found.median_ms <= found.target_ms else "MISSED"
    cpu = f" (processor time {found.cpu_ms:g} ms)" if found.cpu_ms is not None else ""
    stages = "".join(f"\n  {name}: {took:g} ms" for name, took in found.stages_ms.items())
    return f"{found.name}: {_times(found)}{cpu}{built}; target {found.target_ms:g} ms {verdict}; {compared}{stages}"


def _times(found: BenchRow | Peer) -> str:
    memory = "" if found.rss_mb is None else f", {found.rss_mb:.0f} MB"
    return f"median {found.median_ms:g} ms, p95 {found.p95_ms:g} ms, n {found.n}{memory}"


def _in_own_process(name: str, peer_python: str | None) -> BenchRow:
    command = [sys.executable, "-m", "backend", "bench", name, "--json", "--here"]
    command += ["--peer-python", peer_python] if peer_python else []
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise MissingError(f"The row {name!r} ended with status {done.returncode}; see the lines above.")
    return BenchRow.model_validate_json(done.stdout.strip().splitlines()[-1])


def _fusion(as_json: bool) -> None:
    from backend.bench.search.fusion_choice import compare_rankings

    for found in compare_rankings():
        print(json.dumps(found.model_dump()) if as_json else found.as_text(), flush=True)
