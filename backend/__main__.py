"""The command line: `python -m backend COMMAND`. Exit status 0 done, 2 wrong input, 3 something missing, 1 a defect."""

import argparse
import gc
import logging
import os
import sys

from backend import __version__
from backend.cli import bench, draft, visits
from backend.cli.evaluate import evaluate
from backend.cli.knowledge import knowledge
from backend.cli.operations import backup, doctor, llm, people, up
from backend.cli.study import study
from backend.cli.train import pairs, train
from backend.errors import LeapnoteError

YOUNG = 20_000
"""Values made, less those gone again, between two rounds of the garbage collector: what a command loads stays to its end."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit status. A known error is one line on standard error."""
    parser = argparse.ArgumentParser(prog="python -m backend", description="Leapnote: cited, checked clinical drafts.")
    parser.add_argument("--version", action="version", version=f"Leapnote {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for family in (up, llm, draft, visits, knowledge, pairs, train, evaluate, study, people, backup, doctor, bench):
        family.add_to(commands)
    chosen = parser.parse_args(arguments)
    gc.set_threshold(YOUNG)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        return int(chosen.run(chosen) or 0)
    except LeapnoteError as error:
        print(f"leapnote: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0


if __name__ == "__main__":
    sys.exit(main())
