"""Instruments and study templates: data files, checked when they are read."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError

from backend.errors import InputError, KnowledgeError, NotFoundError
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


@lru_cache(maxsize=1)
def shipped() -> tuple[Instrument, ...]:
    """The instruments that ship, by id. Raises KnowledgeError for a file that does not hold together."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        try:
            instrument = Instrument.model_validate_json(path.read_text(encoding="utf-8"))
        except ValidationError as error:
            raise KnowledgeError(f"{path.name}: {_told(error)}") from None
        if instrument.id != path.stem:
            raise KnowledgeError(f"{path.name}: its id is {instrument.id!r}; name the file after it.")
        found.append(instrument)
    return tuple(found)


def instrument(name: str) -> Instrument:
    """One that ships by its id, or your own by the path of its file. Raises NotFoundError or InputError."""
    for entry in shipped():
        if entry.id == name:
            return entry
    path = Path(name)
    if path.suffix != ".json":
        known = ", ".join(entry.id for entry in shipped())
        raise NotFoundError(f"There is no instrument {name!r}. Choose of {known}, or give the path of a .json file.")
    return read_instrument(path)


def read_instrument(path: Path) -> Instrument:
    """An instrument of your own. Raises InputError that says what in the file does not fit."""
    try:
        return Instrument.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"The instrument {path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"The instrument {path} is not UTF-8 text.") from None
    except ValidationError as error:
        raise InputError(
            f"The instrument {path.name} does not fit: {_told(error)}. docs/studies.md has the form."
        ) from None


def asked(instruments: tuple[Instrument, ...]) -> tuple[AskedAs, ...]:
    """All questions in order, under the keys q1, q2, … that raters' views use."""
    pairs = [(entry, question) for entry in instruments for question in entry.questions]
    return tuple(
        AskedAs(f"q{n}", f"{entry.id}/{question.id}", question) for n, (entry, question) in enumerate(pairs, 1)
    )


def asked_of_items(instruments: tuple[Instrument, ...]) -> tuple[AskedAs, ...]:
    return tuple(entry for entry in asked(instruments) if entry.question.target != Target.ARM)


def asked_of_arms(instruments: tuple[Instrument, ...]) -> tuple[AskedAs, ...]:
    """The closing questions."""
    return tuple(entry for entry in asked(instruments) if entry.question.target == Target.ARM)


@lru_cache(maxsize=1)
def planted_texts() -> tuple[PlantedText, ...]:
    text = (FOLDER / "planted" / "errors.json").read_text(encoding="utf-8")
    return TypeAdapter(tuple[PlantedText, ...]).validate_json(text)


@lru_cache(maxsize=1)
def templates() -> dict[str, dict[str, Any]]:
    """The study templates by id, as their files have them."""
    read = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((FOLDER / "templates").glob("*.json"))]
    return {entry["id"]: entry for entry in read}


def _told(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])
