"""Options that several commands share, and groups of options as dataclasses.

A dataclass whose fields are annotated with `typer.Option` is a group of options: `with_options` puts them into the help
of a command, and the command gets one value. An option with a metavar that ends with " ..." takes several words, and one
whose metavar begins with "[" may stand without a word (`backend.cli.program`).
"""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from backend.systems import SYSTEMS, all_systems

Options = TypeVar("Options")
Result = TypeVar("Result")

Json = Annotated[bool, typer.Option("--json", help="print JSON")]
Name = Annotated[str, typer.Argument(metavar="NAME", show_default=False)]
Seed = Annotated[int, typer.Option("--seed", help="of every draw")]
Generator = Annotated[str | None, typer.Option("--generator", help="auto, composer, vllm:…, openai:…, transformers:…")]
Sources = Annotated[list[str], typer.Option("--sources", metavar="SOURCE ...", help="search these sources alone")]
DropSource = Annotated[list[str], typer.Option("--drop-source", metavar="SOURCE ...", help="leave these sources out")]


MOST = 999_999_999


def count_option(flag: str, about: str) -> Any:
    """An option that takes a whole number of 0 or more, of at most nine digits."""
    return typer.Option(flag, min=0, max=MOST, metavar="N", help=about)


def _systems_beginning(incomplete: str) -> list[str]:
    """Completes the name of a system, added ones too; a command checks it where the system is looked up."""
    return [entry.name for entry in all_systems() if entry.name.startswith(incomplete)]


System = Annotated[
    str,
    typer.Option(
        "--system",
        help=f"one of: {', '.join(entry.name for entry in SYSTEMS)}; or one that is added (`seams` lists them)",
        autocompletion=_systems_beginning,
    ),
]


def with_options(kind: type[Options]) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """The decorator of a command that takes a group of options as its keyword argument `options`.

    Args:
        kind: a dataclass; each field is annotated with a `typer.Option`.

    Returns:
        A decorator that gives a function with the fields in its signature in place of `options`.
    """
    hints = get_type_hints(kind, include_extras=True)
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]

    def decorate(command: Callable[..., Result]) -> Callable[..., Result]:
        own = inspect.signature(command, eval_str=True).parameters.values()

        def run(**given: Any) -> Result:
            picked = {name: given.pop(name) for name in names}
            return command(**given, options=kind(**picked))

        run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
        parameters = [parameter for parameter in own if parameter.name != "options"]
        parameters += [_parameter(field, hints[field.name]) for field in fields(kind)]  # type: ignore[arg-type]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate


def _parameter(field: Any, annotation: Any) -> inspect.Parameter:
    default = field.default if field.default is not MISSING else inspect.Parameter.empty
    if field.default_factory is not MISSING:
        default = field.default_factory()
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def comma_list(text: str) -> list[str]:
    """The names in `A,B`, without blanks around them; an empty list for an empty text."""
    return [name.strip() for name in text.split(",") if name.strip()]
