"""The command line as a whole: lazy families, one-line errors, exit status, shell completion.

Exit status: 0 done, 2 the user's input is wrong, 3 something is missing or cannot be reached, 1 a defect, 130 Ctrl-C.
"""

import gc
import logging
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from backend import __version__
from backend.cli import FAMILIES, Family
from backend.errors import LeapnoteError, NotFoundError

PROGRAM = "python -m backend"
COMPLETED = "leapnote"  # the shell function that is completed: a shell completes a command's first word alone
COMPLETION_VARIABLE = "_LEAPNOTE_COMPLETE"
SHELLS = ("bash", "zsh")
YOUNG = 500_000
"""Values made, less those gone again, between two rounds of the garbage collector: what a command loads stays to its end."""
INTERRUPTED = 130
DEFECT = 1
HELP = {"help_option_names": ["-h", "--help"]}
Run = TypeVar("Run", bound=Callable[..., Any])


class Command(TyperCommand):
    """One command. Its options may take several words (metavar "X ...") or none (metavar "[X]" or "[X ...]")."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the command line, those of options with several or no words first."""
        several = {flag: param for param in self.params for flag in param.opts if _several(param) or _maybe(param)}
        return super().parse_args(ctx, list(_repeated(args, several)))

    def invoke(self, ctx: Any) -> Any:
        """Run the command. When nobody reads its output any more, it is done."""
        try:
            status = super().invoke(ctx)
            sys.stdout.flush()
            return status
        except BrokenPipeError:
            with suppress(OSError):  # what is left in the buffer goes nowhere, and says nothing at the end
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0


class Group(TyperGroup):
    """Several commands under one name. noun: what one of them is, in the message for a name that is none."""

    noun = "command"

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names.

        Raises:
            NotFoundError: that lists those there are.
        """
        if args and not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            names = ", ".join(self.list_commands(ctx))
            raise NotFoundError(f"There is no {self.noun} {args[0]!r}. Choose one of: {names}")
        return super().resolve_command(ctx, args)


class KindGroup(Group):
    """Commands that stand for kinds of input or output."""

    noun = "kind"


class Program(Group):
    """Every family of the table. Help lists the table; a family's module is imported when its command is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the table, in its order."""
        return [family.name for family in FAMILIES]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A stand-in with the table's line of help, or None."""
        for family in FAMILIES:
            if family.name == cmd_name:
                return TyperCommand(family.name, help=family.about, rich_help_panel=family.panel)
        return None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The family's own command, imported now."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed and load(next(family for family in FAMILIES if family.name == name)), rest


class CommandLine(typer.Typer):
    """A family's app: its commands are `Command`s, without a completion of their own."""

    def __init__(self, about: str = "", cls: type[TyperGroup] = Group) -> None:
        """about: the line of help of the whole group, where it is one."""
        super().__init__(
            cls=cls, help=about or None, add_completion=False, context_settings=HELP, rich_markup_mode="rich"
        )

    def add(self, name: str, about: str, **more: Any) -> Callable[[Run], Run]:
        """The decorator of a command.

        Args:
            name: the word that calls it.
            about: its line of help in the list of commands.
            more: what `typer.Typer.command` takes besides, such as `help` for what its own help says.
        """
        words = {"help": about, "short_help": about} | more
        return self.command(name, cls=Command, context_settings=HELP, **words)

    def group(self, name: str, about: str, cls: type[TyperGroup] = Group) -> "CommandLine":
        """A group of commands under this one."""
        made = CommandLine(about, cls)
        self.add_typer(made, name=name)
        return made


def load(family: Family) -> Any:
    """A family's command, from its module's app: the command of its name, else the whole app as a group."""
    whole = get_group(import_module(family.module).app)
    found: Any = whole.commands.get(family.name, whole)
    found.name, found.help, found.rich_help_panel = family.name, found.help or family.about, family.panel
    return found


def run(words: Sequence[str]) -> int:
    """Run one command and let its errors through, and for words that do not fit a `typer.TyperException`.

    Args:
        words: those after `python -m backend`.

    Returns:
        The exit status of a command that came to its end; 130 after Ctrl-C.
    """
    status = program().main(list(words), PROGRAM, COMPLETION_VARIABLE, standalone_mode=False)
    return int(status or 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and turn its errors into exit statuses.

    Args:
        arguments: the words after `python -m backend`; those of this process where none are given.

    Returns:
        The exit status. What the user can mend is one line on standard error.
    """
    gc.set_threshold(YOUNG)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    if COMPLETION_VARIABLE in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()
    try:
        return run(sys.argv[1:] if arguments is None else arguments)
    except typer.TyperException as error:
        print(f"leapnote: {_usage(error)}", file=sys.stderr)
        return error.exit_code
    except LeapnoteError as error:
        print(f"leapnote: {error}", file=sys.stderr)
        return error.exit_status
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        print(f"leapnote: {_defect(error)}", file=sys.stderr)
        return DEFECT


def command_options() -> dict[str, tuple[str, ...]]:
    """Every command by its words, with its options in the order of its help."""
    return {
        " ".join(words): tuple(flag for param in command.params for flag in param.opts if flag.startswith("--"))
        for family in FAMILIES
        for words, command in _leaves((family.name,), load(family))
    }


def _leaves(words: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not isinstance(command, TyperGroup):
        yield words, command
        return
    context = typer.Context(command)
    for name in command.list_commands(context):
        yield from _leaves((*words, name), command.get_command(context, name))


def program() -> Any:
    """The whole command line, as the object that reads words."""
    root = typer.Typer(cls=Program, add_completion=False, context_settings=HELP, rich_markup_mode="rich")
    root.callback(help="Leapnote: cited, checked clinical drafts.")(_root)
    return get_command(root)


def _version(asked: bool) -> None:
    if asked:
        print(f"Leapnote {__version__}")
        raise typer.Exit


def _completion(shell: str | None) -> None:
    """Print what a shell evaluates: a function `leapnote` that runs this program, and the completion of its words.

    Raises:
        BadParameter: another shell.
        Exit: it is printed, so nothing else is done.
    """
    if shell is None:
        return
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    if shell not in SHELLS:
        raise typer.BadParameter(f"{shell!r} is none of {', '.join(SHELLS)}")
    program = f"{sys.executable} -m backend"
    script = get_completion_script(prog_name=COMPLETED, complete_var=COMPLETION_VARIABLE, shell=shell)
    asked = f"{COMPLETION_VARIABLE}=complete_{shell}"
    print(f'{COMPLETED}() {{ {program} "$@"; }}')
    print(script.replace(f"{asked} {'$1' if shell == 'bash' else COMPLETED}", f"{asked} {program}"))
    raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version and exit")
    ] = False,
    completion: Annotated[
        str | None,
        typer.Option(
            "--show-completion",
            callback=_completion,
            is_eager=True,
            metavar="SHELL",
            help=f"for {' or '.join(SHELLS)}: print a command {COMPLETED} with completion, to be evaluated there",
        ),
    ] = None,
) -> None:
    """Nothing is done before a command is chosen."""


def _usage(error: typer.TyperException) -> str:
    """A wrong use of the command line in one line, with where its help is."""
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else PROGRAM
    message = " ".join(error.format_message().replace("Value error, ", "").split())
    ending = "" if message.endswith((".", "?")) else "."
    return f"{message}{ending} See: {where} --help"


def _defect(error: Exception) -> str:
    """A defect in one line: its kind and its place, without its words, which may be a note's."""
    *_, last = traceback.extract_tb(error.__traceback__)
    place = f"{Path(last.filename).name}, line {last.lineno}"
    return f"Leapnote failed ({type(error).__name__} in {place}). The whole traceback: python -X dev -m backend …"


def _several(param: Any) -> bool:
    return str(param.metavar or "").rstrip("]").endswith(" ...") and param.param_type_name == "option"


def _maybe(param: Any) -> bool:
    """An option that may stand without a word; `[NAME=]FILE` is no such one."""
    metavar = str(param.metavar or "")
    return metavar.startswith("[") and metavar.endswith("]") and param.param_type_name == "option"


def _repeated(words: Sequence[str], several: dict[str, Any]) -> Iterator[str]:
    """`--sources a b` as `--sources a --sources b`, and `--ray` without a word as `--ray` with an empty one.

    Yields:
        The words as the parser takes them.
    """
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            yield from words[at - 1 :]
            return
        if word not in several:
            yield word
            continue
        end = at
        while end < len(words) and not _is_flag(words[end]) and (end == at or _several(several[word])):
            end += 1
        if end == at and not _maybe(several[word]):
            yield word  # its value is missing, which the parser says
        for value in words[at:end] or ([""] if _maybe(several[word]) else []):
            yield from (word, value)
        at = end


def _is_flag(word: str) -> bool:
    return len(word) > 1 and word.startswith("-")
