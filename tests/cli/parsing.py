"""What a command reads from its words, without running it."""

from typing import Any

from typer.core import TyperGroup

from backend.cli.program import program


def parsed(*words: str) -> dict[str, Any]:
    """The value of every option and argument by its name in the command's signature."""
    command, rest = program(), list(words)
    while isinstance(command, TyperGroup):
        _, command, rest = command.resolve_command(None, rest)
    return dict(command.make_context("command", rest).params)
