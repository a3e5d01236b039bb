"""`--vary NAME=a,b`: a setting's values, each of which makes one more cell of every system, compared with the cell unvaried."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.reports.cell_use import VARIED
from backend.evaluation.reports.run_identity import figure_settings
from backend.settings import Settings

PREFIX = "leapnote_"


class Variation(NamedTuple):
    """One setting at one value. label: as it stands in a cell's name."""

    name: str
    value: Any
    label: str


def read_variations(given: Sequence[str], settings: Settings) -> tuple[Variation, ...]:
    """The variations that are asked for.

    Args:
        given: each NAME=a,b, with a setting's name as in the environment, with or without LEAPNOTE_, in any case.
        settings: those that are set; a value that they have already varies nothing and is refused.

    Raises:
        InputError: no such setting, one that changes no figure, or a value that it cannot take.
    """
    found = list[Variation]()
    known = figure_settings(settings)
    for text in given:
        named, mark, values = text.partition("=")
        name = named.strip().lower().removeprefix(PREFIX)
        wanted = [one.strip() for one in values.split(",") if one.strip()]
        if not mark or not wanted:
            raise InputError(f"--vary {text!r} is not NAME=VALUE,VALUE, as passages=8,16.")
        if name not in known:
            near = ", ".join(one for one in known if name.split("_")[0] in one) or ", ".join(known)
            raise InputError(f"--vary {named.strip()!r}: no setting of that name changes a figure. Choose from: {near}")
        for value in wanted:
            taken = _taken(settings, name, value)
            if taken == getattr(settings, name):
                raise InputError(f"--vary {name}={value}: that is the value that is set, so nothing varies.")
            found.append(Variation(name, taken, f"{VARIED}{name}={value}"))
    if len({one.label for one in found}) != len(found):
        raise InputError("--vary: give each value of a setting once.")
    return tuple(found)


def containers(container: Container, variations: Sequence[Variation]) -> Iterator[tuple[str, Container]]:
    """The container as it is set, and one for each variation; what does not depend on the setting is shared.

    Yields:
        The end of its cells' names, empty for the one that is set, and the container.
    """
    yield "", container
    for one in variations:
        yield one.label, container.changed(**{one.name: one.value})


def numbers_set(settings: Settings) -> dict[str, float]:
    """The settings that change a figure and are numbers, at their values: where an unvaried cell stands on a curve."""
    numbers = figure_settings(settings).items()
    return {
        name: float(value) for name, value in numbers if isinstance(value, int | float) and not isinstance(value, bool)
    }


def _taken(settings: Settings, name: str, value: str) -> Any:
    try:
        checked = Settings.model_validate({**settings.model_dump(), name: value})
    except ValidationError as error:
        why = "; ".join(str(one["msg"]) for one in error.errors(include_url=False) if one["loc"][:1] == (name,))
        raise InputError(f"--vary {name}={value}: {why or 'the setting cannot take this value'}.") from None
    return getattr(checked, name)
