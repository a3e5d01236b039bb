"""bench: measure what the design sets targets for; each row runs in a process of its own, so that its memory is its own."""

import argparse
import json
import subprocess
import sys
from typing import Any

from backend.bench.measuring import BenchRow, Peer
from backend.bench.rows import ROWS, measure, row
from backend.errors import MissingError
from backend.settings import ROOT

FUSION = "fusion"


def add_to(commands: Any) -> None:
    """The parser of this command."""
    parser = commands.add_parser("bench", help="measure speed and memory against their targets")
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"{', '.join(entry.name for entry in ROWS)}; or fusion, which compares rankings on public data. All but fusion by default",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON line a row")
    parser.add_argument(
        "--peer-python", metavar="PATH", help="an interpreter that has medspaCy, to compare `link` with"
    )
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(run=run_bench)


def run_bench(args: argparse.Namespace) -> int:
    """0 when every row was measured, whether or not it reached its target."""
    names = args.names or [entry.name for entry in ROWS]
    for name in names:
        if name != FUSION:
            row(name)  # a wrong name is told before the first row runs
    for name in names:
        if name == FUSION:
            _fusion(args.json)
        elif args.here:
            print(measure(name, args.peer_python).model_dump_json(), flush=True)
        else:
            found = _in_own_process(name, args.peer_python)
            print(found.model_dump_json() if args.json else as_text(found), flush=True)
    return 0


def as_text(found: BenchRow) -> str:
    """A row in one line for a reader."""
    peer = found.peer
    told = f"peer {peer.name}: {_times(peer)}" if peer else f"no peer: {found.peer_reason}"
    built = f", built in {found.build_s:.1f} s" if found.build_s is not None else ""
    verdict = "reached" if found.median_ms <= found.target_ms else "MISSED"
    cpu = f" (processor time {found.cpu_ms:g} ms)" if found.cpu_ms is not None else ""
    return f"{found.name}: {_times(found)}{cpu}{built}; target {found.target_ms:g} ms {verdict}; {told}"


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
