"""The rows of the safety benchmark: vignettes, single prescriptions, probes of warning signs. One JSON object a line.

A folder holds `safety_vignettes/*.jsonl` with `names.tsv` beside them, `prescriptions.jsonl` and `red_flags.jsonl`; a part that is not
there is not measured. Each row carries its half: even may be read by those who mend the checks, odd is only measured.
"""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from pydantic import Field, ValidationError

from backend.errors import InputError
from backend.schemas.base import Frozen

VIGNETTES, PRESCRIPTIONS, RED_FLAGS = "safety_vignettes", "prescriptions.jsonl", "red_flags.jsonl"
NAMES = "names.tsv"
Half = Literal["even", "odd"]


class Level(StrEnum):
    """How soon a sign asks for help, the most urgent first."""

    CALL_AMBULANCE = "call_ambulance"
    EMERGENCY_DEPARTMENT = "emergency_department"
    CALL_TODAY = "call_today"
    NEXT_VISIT = "next_visit"


class DangerKind(StrEnum):
    """What makes a medicine dangerous to a patient."""

    ALLERGY = "allergy"
    CROSS_ALLERGY = "cross_allergy"
    INTERACTION = "interaction"
    DISEASE = "disease"
    VALUE = "value"
    PREGNANCY = "pregnancy"
    LACTATION = "lactation"
    KIDNEY_DOSE = "kidney_dose"
    AGE_DOSE = "age_dose"
    WEIGHT_DOSE = "weight_dose"
    UNIT_OR_TENFOLD = "unit_or_tenfold"
    WEEKLY_DAILY = "weekly_daily"
    DUPLICATE = "duplicate"
    MONITORING = "monitoring"


class DoseError(StrEnum):
    """What is wrong with a prescription."""

    OVER_MAXIMUM = "over_maximum"
    TENFOLD = "tenfold"
    UNIT = "unit"
    KIDNEY = "kidney"
    AGE = "age"
    LIVER = "liver"
    WEEKLY_DAILY = "weekly_daily"
    FREQUENCY = "frequency"
    WEIGHT = "weight"


class Danger(Frozen):
    """One danger of a note. medicine, partner: names and words, any of which will do."""

    what: DangerKind
    medicine: tuple[str, ...] = Field(min_length=1)
    partner: tuple[str, ...] = Field(alias="with", min_length=1)
    grade: Literal["severe", "warning"]
    because: str


class Foil(Frozen):
    """What a careless checker flags and must not."""

    medicine: str
    partner: str = Field(alias="with")
    because: str


class Neutral(Frozen):
    """A flag that is acceptable either way, up to a grade."""

    medicine: str
    partner: str = Field(alias="with")
    up_to: Literal["severe", "warning"]


class Vignette(Frozen):
    """A note with its list for home, its dangers or its foils, and what may be flagged or not."""

    id: str
    half: Half
    kind: str
    note: str
    discharge_medicines: tuple[str, ...]
    dangers: tuple[Danger, ...] = ()
    foils: tuple[Foil, ...] = ()
    neutral: tuple[Neutral, ...] = ()


class RxPatient(Frozen):
    """For whom a prescription is. weight_kg, egfr: kg, and mL/min/1.73 m2; None where unknown."""

    age_years: int
    sex: Literal["female", "male"]
    weight_kg: float | None = None
    egfr: float | None = None
    problem: str
    medicines: tuple[str, ...] = ()


class Prescription(Frozen):
    """One prescription. about: the kind of error that its pair is about; error: None where it is right."""

    id: str
    half: Half
    patient: RxPatient
    prescription: str
    medicine: str
    about: DoseError
    error: DoseError | None
    because: str


class SignProbe(Frozen):
    """A sign that a letter must tell between two levels. words: one of each group in one warning sign; `*` is any ending."""

    id: str
    half: Half
    note: str
    sign: str
    least: Level
    most: Level
    words: tuple[tuple[str, ...], ...]


class SafetyBenchmark(NamedTuple):
    """All rows of a folder that were asked for, its groups of names that mean the same, and its files."""

    vignettes: tuple[Vignette, ...]
    prescriptions: tuple[Prescription, ...]
    signs: tuple[SignProbe, ...]
    same_names: tuple[tuple[str, ...], ...]
    files: tuple[Path, ...]


Row = TypeVar("Row", Vignette, Prescription, SignProbe)


def read_benchmark(folder: Path, half: str | None = None) -> SafetyBenchmark:
    """The rows of a folder, in order.

    Args:
        folder: of the benchmark.
        half: even or odd; None for all.

    Raises:
        InputError: the folder holds no part of it, or a row cannot be read.
    """
    vignettes = sorted((folder / VIGNETTES).glob("*.jsonl"))
    prescriptions, signs, names = folder / PRESCRIPTIONS, folder / RED_FLAGS, folder / VIGNETTES / NAMES
    files = [*vignettes, *(file for file in (prescriptions, signs, names) if file.is_file())]
    own = SafetyBenchmark(
        tuple(
            sorted((row for file in vignettes for row in _rows(file, Vignette, half)), key=lambda vignette: vignette.id)
        ),
        tuple(_rows(prescriptions, Prescription, half)),
        tuple(_rows(signs, SignProbe, half)),
        _same_names(names),
        tuple(files),
    )
    if not (own.vignettes or own.prescriptions or own.signs):
        raise InputError(
            f"{folder.name} holds no {VIGNETTES}/*.jsonl, {PRESCRIPTIONS} or {RED_FLAGS}. Give tests/benchmarks."
        )
    return own


def _rows(file: Path, kind: type[Row], half: str | None) -> Iterator[Row]:
    if not file.is_file():
        return
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            row = _row(kind, line, f"{file.name}, line {number}")
            if half in (None, row.half):
                yield row


def _row(kind: type[Row], line: str, place: str) -> Row:
    """One row. No message repeats it: the odd half is not read."""
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        fields = sorted({".".join(map(str, one["loc"])) for one in error.errors()})
        raise InputError(f"{place} is no {kind.__name__.lower()}: {', '.join(fields)}.") from None


def _same_names(file: Path) -> tuple[tuple[str, ...], ...]:
    if not file.is_file():
        return ()
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split("\t")) for line in lines if line.strip() and not line.startswith("#"))
