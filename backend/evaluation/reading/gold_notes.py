"""Annotated notes: NAME.txt is the note, NAME.json what is in it, as a careful reader annotated it without any program."""

import json
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from backend.errors import InputError


class _Gold(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class GoldPatient(_Gold):
    """Who the patient is; None where the note does not say."""

    age_years: float | None = None
    sex: str | None = None
    pregnant: bool | None = None


class GoldLead(_Gold):
    """What today is about: every name that counts as right, or that an honest reader names none."""

    names: tuple[str, ...] = ()
    named_in_note: bool = False
    abstain: bool = False


class GoldProblem(_Gold):
    """A stated diagnosis or symptom."""

    name: str
    quote: str
    status: Literal["active", "chronic", "past", "denied", "family", "uncertain", "planned", "other person"]


class GoldMedicine(_Gold):
    """A stated medicine; dose and frequency in the annotator's words, None where the note gives none."""

    name: str
    quote: str
    dose: str | None = None
    frequency: str | None = None
    as_needed: bool | None = False
    status: Literal[
        "home", "stopped", "held", "given here", "started here", "planned", "past", "refused", "other person"
    ]


class GoldAllergy(_Gold):
    """A listed allergy or intolerance."""

    agent: str
    reaction: str | None = None
    quote: str = ""


class GoldAllergies(_Gold):
    """The allergies of a note as a whole."""

    status: Literal["none_known", "listed", "not_stated"]
    items: tuple[GoldAllergy, ...] = ()


class GoldProcedure(_Gold):
    """A stated procedure."""

    name: str
    quote: str
    status: Literal["done now", "past", "planned"]


class GoldFact(_Gold):
    """What a letter to this patient should tell, with where the note says it."""

    fact: str
    quote: str


class GoldTrap(_Gold):
    """What would be false or unsafe to tell this patient."""

    statement: str
    because: str = ""


class GoldDanger(_Gold):
    """What a clinical pharmacist would flag."""

    what: str
    severity: str
    because: str = ""


class GoldNote(_Gold):
    """The annotation of one note. synthetic: the note was written for measuring, of no real patient."""

    id: str
    setting: str
    synthetic: bool = False
    patient: GoldPatient = GoldPatient()
    lead: GoldLead = GoldLead()
    problems: tuple[GoldProblem, ...] = ()
    medicines: tuple[GoldMedicine, ...] = ()
    allergies: GoldAllergies
    procedures: tuple[GoldProcedure, ...] = ()
    must_have: tuple[GoldFact, ...] = ()
    must_not: tuple[GoldTrap, ...] = ()
    dangers: tuple[GoldDanger, ...] = ()


class AnnotatedNote(NamedTuple):
    """A note with its annotation. name is the files' stem."""

    name: str
    text: str
    gold: GoldNote


def read_gold(gold: Path, notes: Path) -> list[AnnotatedNote]:
    """The annotated notes of a folder, by name.

    Args:
        gold: the folder of NAME.json.
        notes: the folder of NAME.txt; often the same.

    Raises:
        InputError: a folder holds none, a note is missing, an annotation does not fit the format, or a quote is not in its note.
    """
    files = sorted(gold.glob("*.json")) if gold.is_dir() else []
    if not files:
        raise InputError(f"'{gold.name}' holds no annotation. Give the folder of NAME.json as GOLD.")
    found = []
    for file in files:
        note = notes / f"{file.stem}.txt"
        if not note.is_file():
            raise InputError(
                f"The note {note.name} is missing from '{notes.name}'. Give its folder with --notes FOLDER."
            )
        text = note.read_text(encoding="utf-8")
        try:
            annotation = GoldNote.model_validate(json.loads(file.read_text(encoding="utf-8")))
        except (ValueError, ValidationError) as error:
            where = ""
            if isinstance(error, ValidationError):
                first = error.errors()[0]
                where = f" at {'.'.join(map(str, first['loc']))}: {first['msg']}"
            raise InputError(f"{file.name} is no annotation{where}. The format stands in docs/reading.md.") from error
        quoted: list[GoldProblem | GoldMedicine | GoldProcedure | GoldFact] = [
            *annotation.problems, *annotation.medicines, *annotation.procedures, *annotation.must_have,
        ]  # fmt: skip
        for one in quoted:
            if one.quote not in text:
                raise InputError(
                    f"{file.name}: a quote of {type(one).__name__} is not in its note, character by character."
                )
        found.append(AnnotatedNote(file.stem, text, annotation))
    return found
