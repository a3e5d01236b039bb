"""Rating instruments: a JSON file each in assets/instruments, checked when the seam is first asked for.

A new file is enough: command line, API and page list it.
"""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pydantic import Field, TypeAdapter, ValidationError

from backend.errors import InputError, KnowledgeError, NotFoundError
from backend.registry import INSTRUMENTS, Registry
from backend.schemas.base import Frozen
from backend.schemas.studies.study_instrument import Instrument, Question, Target
from backend.settings import ROOT

FOLDER = ROOT / "assets" / "instruments"


class PlantedText(Frozen):
    """An error no clinician would pass. It is never shown but as an attention check."""

    id: str
    text: str = Field(min_length=10)


class AskedAs(NamedTuple):
    """A question of a study: its key in rater views, and its name in the record, 'instrument/question'."""

    key: str
    name: str
    question: Question


def register_rows(registry: Registry[Instrument]) -> None:
    """Register every file of the folder under the id it holds.

    Raises:
        KnowledgeError: a file does not hold together, or is not named after its id.
    """
    for path in sorted(FOLDER.glob("*.json")):
        try:
            found = Instrument.model_validate_json(path.read_text(encoding="utf-8"))
        except ValidationError as error:
            raise KnowledgeError(f"{path.name}: {_first_error(error)}") from None
        if found.id != path.stem:
            raise KnowledgeError(f"{path.name}: its id is {found.id!r}; name the file after it.")
        registry.register(found.id, label=found.title, about=_about(found))(found)


def shipped() -> tuple[Instrument, ...]:
    """The instruments that ship, by id."""
    return tuple(entry.value for entry in INSTRUMENTS.entries())


def instrument(name: str) -> Instrument:
    """One that ships by its id, or your own by the path of its file. Raises InputError for a file that does not fit.

    Raises:
        NotFoundError: there is none of this name.
    """
    known = INSTRUMENTS.names()
    if name in known:
        found: Instrument = INSTRUMENTS.get(name).value
        return found
    path = Path(name)
    if path.suffix != ".json":
        listed = ", ".join(known)
        raise NotFoundError(f"There is no instrument {name!r}. Choose of {listed}, or give the path of a .json file.")
    return read_instrument(path)


def read_instrument(path: Path) -> Instrument:
    """An instrument of your own, from its file.

    Raises:
        InputError: it cannot be read, or does not fit; the message says what in it.
    """
    try:
        return Instrument.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"The instrument {path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"The instrument {path} is not UTF-8 text.") from None
    except ValidationError as error:
        raise InputError(
            f"The instrument {path.name} does not fit: {_first_error(error)}. docs/studies.md has the form."
        ) from None


def asked(instruments: tuple[Instrument, ...]) -> tuple[AskedAs, ...]:
    """All questions in order, under the keys q1, q2, … that raters' views use."""
    pairs = [(entry, question) for entry in instruments for question in entry.questions]
    return tuple(
        AskedAs(f"q{n}", f"{entry.id}/{question.id}", question) for n, (entry, question) in enumerate(pairs, 1)
    )


def asked_of_items(instruments: tuple[Instrument, ...]) -> tuple[AskedAs, ...]:
    """The questions about drafts and items, without the closing ones."""
    return tuple(entry for entry in asked(instruments) if entry.question.target != Target.ARM)


def asked_of_arms(instruments: tuple[Instrument, ...]) -> tuple[AskedAs, ...]:
    """The closing questions."""
    return tuple(entry for entry in asked(instruments) if entry.question.target == Target.ARM)


@lru_cache(maxsize=1)
def planted_texts() -> tuple[PlantedText, ...]:
    """The errors that can be planted in a draft as attention checks."""
    text = (FOLDER / "planted" / "errors.json").read_text(encoding="utf-8")
    return TypeAdapter(tuple[PlantedText, ...]).validate_json(text)


def _about(found: Instrument) -> str:
    count = len(found.questions)
    many = f"{count} questions, first" if count > 1 else "One question"
    return f"{many}: {found.questions[0].prompt}"


def _first_error(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])
