"""A Dockerfile as its instructions, for the tests beside this file."""

import json
import shlex
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Instruction(NamedTuple):
    """word in capitals, and the rest of the line with continued lines joined."""

    word: str
    rest: str

    def exec_form(self) -> list[str]:
        """The command of CMD, or of HEALTHCHECK's CMD, which must be written as a JSON list."""
        return [str(part) for part in json.loads(self.rest[self.rest.index("[") :])]


def read_instructions(path: Path = ROOT / "Dockerfile") -> list[Instruction]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [Instruction(*line.strip().split(None, 1)) for line in joined.splitlines() if line.strip()]


def only(word: str) -> Instruction:
    """The one instruction of a word."""
    found = [item for item in read_instructions() if item.word == word]
    assert len(found) == 1, f"{word} stands {len(found)} times"
    return found[0]


def environment() -> dict[str, str]:
    return dict(
        part.split("=", 1) for item in read_instructions() if item.word == "ENV" for part in shlex.split(item.rest)
    )


def copied() -> list[tuple[str, str]]:
    """(source, target) of every COPY."""
    return [tuple(item.rest.split()) for item in read_instructions() if item.word == "COPY"]  # type: ignore[misc]
