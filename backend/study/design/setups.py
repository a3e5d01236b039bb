"""A study's setup: from a template (a published study's design), from a file, or from options of the command line."""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field, ValidationError

from backend.errors import InputError, NotFoundError
from backend.schemas.base import Frozen
from backend.schemas.studies.study_design import AnalysisPlan, Arm, Factor, StudySetup
from backend.study.design.instruments import FOLDER, instrument


class StudyTemplate(Frozen):
    """settings are fields of StudySetup. departs: where ours differs from the publication. '*' labels any other arm."""

    id: str
    title: str
    about: str
    departs: str
    instruments: tuple[str, ...]
    settings: dict[str, Any]
    systems: tuple[str, ...] = ()
    arms: int = Field(ge=2)
    sets: int = Field(ge=1)
    guess_labels: dict[str, str] = {}
    plan: AnalysisPlan


@lru_cache(maxsize=1)
def all_templates() -> tuple[StudyTemplate, ...]:
    """The templates that ship, a file each in assets/instruments/templates."""
    files = sorted((FOLDER / "templates").glob("*.json"))
    return tuple(StudyTemplate.model_validate_json(path.read_text(encoding="utf-8")) for path in files)


def template(name: str) -> StudyTemplate:
    """The template of an id.

    Raises:
        NotFoundError: there is none; the message lists those there are.
    """
    for entry in all_templates():
        if entry.id == name:
            return entry
    known = ", ".join(entry.id for entry in all_templates())
    raise NotFoundError(f"There is no study template {name!r}. Choose one of: {known}")


def setup_from(entry: StudyTemplate, name: str, systems: Sequence[str] = (), **changed: Any) -> StudySetup:
    """The setup of a study like the published one.

    Args:
        entry: the template.
        name: of the study.
        systems: one for each arm, when the template names none.
        changed: fields of StudySetup that differ, `arms` among them.

    Raises:
        InputError: the arms are not as many as the design has, or a value does not fit.
    """
    chosen = tuple(systems) or entry.systems
    arms = changed.pop("arms", None) or tuple(_arm(entry, system) for system in chosen)
    if len(arms) != entry.arms:
        raise InputError(f"The template {entry.id!r} compares {entry.arms} arms; {len(arms)} are given.")
    fields = {"plan": entry.plan, **entry.settings, **changed}
    try:
        return StudySetup(
            name=name,
            arms=arms,
            instruments=tuple(instrument(i) for i in entry.instruments),
            template=entry.id,
            **fields,
        )
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"The study does not fit: {where}: {first['msg']}") from None


def _arm(entry: StudyTemplate, system: str) -> Arm:
    label = entry.guess_labels.get(system, entry.guess_labels.get("*", ""))
    return Arm(id=system, system=system, guess_label=label)


COUNTS = ("raters", "overlap", "seed", "rated_cases", "calibration_items", "attention_checks", "guess_items", "spacing")
Value = TypeVar("Value", bound=Frozen)


def setup_of_options(args: Any) -> StudySetup:
    """A setup from the options of `study new`. Raises InputError that names the option or field."""
    names = ("factor", "design", "document", "evidence", "public_title", "instructions", *COUNTS)
    changed: dict[str, Any] = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    labels = dict(_pair(entry, "--guess-label") for entry in args.guess_label)
    arms = tuple(_arm_of_option(entry, labels) for entry in args.arm)
    if args.template:
        entry = template(args.template)
        if arms and not labels:
            known = entry.guess_labels
            arms = tuple(
                a.model_copy(update={"guess_label": known.get(a.system or "", known.get("*", ""))}) for a in arms
            )
        return setup_from(entry, args.name, arms=arms, **changed)
    fields: dict[str, Any] = {}
    if args.setup:
        fields = _json(args.setup)
    if args.instrument or fields:
        chosen = args.instrument or fields.get("instruments", [])
        fields["instruments"] = [instrument(one) if isinstance(one, str) else one for one in chosen]
    if arms:
        fields["arms"] = arms
        if all(arm.system is None for arm in arms):
            changed.setdefault("factor", Factor.UPLOAD.value)
    return checked(StudySetup, {**fields, "name": args.name, **changed})


def field_value(entry: str) -> tuple[str, Any]:
    """A field of the setup and its value: JSON where it is, plain words otherwise; instruments by name or file."""
    name, given = _pair(entry, "the field")
    try:
        value = json.loads(given)
    except ValueError:
        value = given
    if name == "instruments" and isinstance(value, list):
        value = [instrument(one) if isinstance(one, str) else one for one in value]
    return name, value


def _arm_of_option(entry: str, labels: dict[str, str]) -> Arm:
    name, given = _pair(entry, "--arm")
    system, _, generator = given.partition("@")
    fields = {"id": name, "system": system or None, "generator": generator or None}
    return checked(Arm, {**fields, "guess_label": labels.get(name, "")})


def _pair(entry: str, option: str) -> tuple[str, str]:
    name, equals, given = entry.partition("=")
    if not equals or not name:
        raise InputError(f"{option} {entry!r}: write it as {name or 'ID'}=…")
    return name, given


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise InputError(f"{path} is no JSON.") from None
    if not isinstance(found, dict):
        raise InputError(f"{path} holds no JSON object.")
    return found


def checked(kind: type[Value], fields: dict[str, Any]) -> Value:
    """A value of these fields.

    Raises:
        InputError: a field does not fit; the message names the first, without its value.
    """
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"The study does not fit: {where + ': ' if where else ''}{first['msg']}") from None
