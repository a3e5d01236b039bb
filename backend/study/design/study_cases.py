"""Cases for a study: from JSONL, a folder of texts, demonstration cases or saved ones. Each becomes the study's own copy."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from backend.errors import InputError, NotFoundError
from backend.schemas.base import Frozen
from backend.schemas.canonical_json import order_key
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.patients.saved_case import CaseView
from backend.schemas.studies.study_design import CaseRole, StudyCase
from backend.schemas.studies.study_views import UploadedDraft
from backend.settings import ROOT

DEMONSTRATION = ROOT / "assets" / "cases"
LARGEST_LINE = 2_000_000  # characters
Value = TypeVar("Value", bound=Frozen)


def read_cases(path: Path) -> tuple[StudyCase, ...]:
    """A JSONL file of cases, or a folder of .txt files whose names become the ids.

    A folder may hold NAME.reference.txt beside NAME.txt. Raises InputError with the line or file that does not fit.
    """
    if path.is_dir():
        return _from_folder(path)
    return tuple(read_jsonl(path, StudyCase, "a case: id, text or question, and if there is one reference"))


def read_uploads(path: Path) -> tuple[UploadedDraft, ...]:
    """Drafts made elsewhere: JSONL with case, arm, and text or failed."""
    return tuple(read_jsonl(path, UploadedDraft, "a draft: case, arm, and text or failed"))


def read_jsonl(path: Path, kind: type[Value], what: str) -> list[Value]:
    """Every line as a value.

    Raises:
        InputError: a line does not fit, or there is none; the message names the line, never its text.
    """
    found = []
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        if len(line) > LARGEST_LINE:
            raise InputError(f"{path.name}, line {number}: longer than {LARGEST_LINE:,} characters.")
        try:
            found.append(kind.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise InputError(f"{path.name}, line {number}: not {what} ({where}: {first['msg']}).") from None
    if not found:
        raise InputError(f"{path.name} holds no line. Each line is {what}.")
    return found


def demonstration(names: Iterable[str] = ()) -> tuple[StudyCase, ...]:
    """Demonstration cases by name; all of them when no name is given. A study on them is stamped.

    Raises:
        NotFoundError: there is no case of a name.
    """
    read = [
        DemonstrationCase.model_validate(json.loads(path.read_text(encoding="utf-8")))
        for path in sorted(DEMONSTRATION.glob("*.json"))
    ]
    wanted = list(names)
    unknown = [name for name in wanted if name not in {case.name for case in read}]
    if unknown:
        raise NotFoundError(f"There is no demonstration case {unknown[0]!r}. GET /v1/cases/demonstration lists them.")
    return tuple(
        StudyCase(
            id=case.name,
            label=case.label,
            text=case.text,
            demonstration=True,
            hospital_course=case.hospital_course,
            discharge_medicines=case.discharge_medicines,
            confirmed_conditions=case.confirmed_conditions,
        )
        for case in read
        if not wanted or case.name in wanted
    )


def saved(ids: Iterable[str], view: Callable[[str], CaseView]) -> tuple[StudyCase, ...]:
    """Copies of the notes of saved cases; deleting a case later takes nothing from the study. view: raises NotFoundError."""
    found = [view(name) for name in ids]
    return tuple(
        StudyCase(id=one.id, label=one.label, text=one.draft.note.text, question=one.draft.question) for one in found
    )


def with_roles(cases: Sequence[StudyCase], rated: int | None, calibration: int, seed: int) -> tuple[StudyCase, ...]:
    """The cases with their roles, as many rated as wanted; marked roles stand, the rest is drawn by seed.

    Cases that are not needed are left out.

    Raises:
        InputError: there are too few; the message says the way out.
    """
    marked = [case for case in cases if case.role != CaseRole.RATED]
    free = sorted((c for c in cases if c.role == CaseRole.RATED), key=lambda c: order_key(seed, "role", c.id))
    wanting = max(0, calibration - sum(case.role == CaseRole.CALIBRATION for case in marked))
    most = len(free) - wanting
    wanted = most if rated is None else rated
    if wanted < 1 or wanted > most:
        raise InputError(
            f"{len(free)} cases are too few for {rated or 'any'} rated and {wanting} more for calibration. "
            "Add cases, or lower rated_cases or calibration_items."
        )
    roles = {case.id: CaseRole.RATED for case in free[:wanted]}
    roles |= {case.id: CaseRole.CALIBRATION for case in free[wanted : wanted + wanting]}
    roles |= {case.id: case.role for case in marked}
    return tuple(case.model_copy(update={"role": roles[case.id]}) for case in cases if case.id in roles)


def _from_folder(path: Path) -> tuple[StudyCase, ...]:
    files = [file for file in sorted(path.glob("*.txt")) if not file.name.endswith(".reference.txt")]
    if not files:
        raise InputError(f"The folder {path} holds no .txt file.")
    found = []
    for file in files:
        beside = file.with_name(f"{file.stem}.reference.txt")
        try:
            reference = _text(beside) if beside.exists() else ""
            found.append(StudyCase(id=file.stem, label=file.stem, text=_text(file), reference=reference))
        except ValidationError as error:
            raise InputError(f"{file.name}: {error.errors(include_input=False)[0]['msg']}") from None
    return tuple(found)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path.name} is not UTF-8 text.") from None
