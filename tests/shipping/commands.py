"""The commands that the documents' `sh` blocks show, as words."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from tests.shipping.instructions import ROOT

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
NEEDS = re.compile(r"#\s*(?:only parsed|needs?|data|server|minutes|terminal|docker|GPU)\b", re.IGNORECASE)
ASSIGNMENT = re.compile(r"[A-Z][A-Z0-9_]*=.*")
PYTHON = (".venv/bin/python", "python", "python3", "$PY")
OURS = ("-m", "backend")
FOLDERS_LEFT_OUT = {".venv", ".git", "node_modules", "tests"}


class Command(NamedTuple):
    """One command of a document.

    words: the command, without what is assigned before it and without its comment. variables: what is assigned. marked:
    whether a comment says that it needs data, a server or the like.
    """

    document: str
    line: str
    words: tuple[str, ...]
    variables: tuple[str, ...]
    marked: bool

    @property
    def backend(self) -> tuple[str, ...] | None:
        """What follows `python -m backend`, also inside a container; None for another command."""
        for at in range(len(self.words) - 2):
            if self.words[at] in PYTHON and self.words[at + 1 : at + 3] == OURS:
                return self.words[at + 3 :]
        return None


def documents() -> list[Path]:
    """Every Markdown file of the project but those of the tests' samples."""
    found = (path for path in ROOT.rglob("*.md") if not FOLDERS_LEFT_OUT & set(path.relative_to(ROOT).parts))
    return sorted(found)


def commands() -> list[Command]:
    """The commands of all documents, in their order."""
    return [command for path in documents() for command in commands_in(path.read_text(encoding="utf-8"), path.name)]


def commands_in(text: str, document: str = "") -> list[Command]:
    """The commands of a text's `sh` blocks; parts of a pipe and of `&&` are commands of their own.

    A comment on a line of its own marks the commands below it up to an empty line.
    """
    found = []
    for block in BLOCK.findall(text):
        marked = False
        for line in re.sub(r"\\\n\s*", " ", block).splitlines():
            if not line.strip():
                marked = False
            elif line.lstrip().startswith("#"):
                marked = bool(NEEDS.match(line.lstrip()))
            else:
                said = NEEDS.search(line) is not None
                found += [Command(document, line.strip(), *_parted(words), marked or said) for words in _commands(line)]
    return found


def _commands(line: str) -> list[list[str]]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;")
    lexer.whitespace_split = True
    parts: list[list[str]] = [[]]
    for word in lexer:
        if set(word) <= set("|&;"):
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _parted(words: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    first = next((at for at, word in enumerate(words) if not ASSIGNMENT.fullmatch(word)), len(words))
    return tuple(words[first:]), tuple(word.partition("=")[0] for word in words[:first])
