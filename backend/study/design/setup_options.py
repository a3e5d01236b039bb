"""A study's setup from options of the command line, a file, or a template."""

import argparse
import json
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from backend.errors import InputError
from backend.schemas.base import Frozen
from backend.schemas.studies.study import Arm, Factor, StudySetup
from backend.study.design.instruments import instrument
from backend.study.design.templates import setup_from, template

COUNTS = ("raters", "overlap", "seed", "rated_cases", "calibration_items", "attention_checks", "guess_items", "spacing")
Value = TypeVar("Value", bound=Frozen)


def setup_of_options(args: argparse.Namespace) -> StudySetup:
    """A setup from the options of `study new`. Raises InputError that names the option or field."""
    names = ("factor", "design", "document", "evidence", "public_title", "instructions", *COUNTS)
    changed: dict[str, Any] = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    labels = dict(_pair(entry, "--guess-label") for entry in args.guess_label)
    arms = tuple(_arm(entry, labels) for entry in args.arm)
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
    name, told = _pair(entry, "the field")
    try:
        value = json.loads(told)
    except ValueError:
        value = told
    if name == "instruments" and isinstance(value, list):
        value = [instrument(one) if isinstance(one, str) else one for one in value]
    return name, value


def _arm(entry: str, labels: dict[str, str]) -> Arm:
    name, told = _pair(entry, "--arm")
    system, _, generator = told.partition("@")
    fields = {"id": name, "system": system or None, "generator": generator or None}
    return checked(Arm, {**fields, "guess_label": labels.get(name, "")})


def _pair(entry: str, option: str) -> tuple[str, str]:
    name, equals, told = entry.partition("=")
    if not equals or not name:
        raise InputError(f"{option} {entry!r}: write it as {name or 'ID'}=…")
    return name, told


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
    """A value of these fields. Raises InputError that names the first that does not fit, without its value."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"The study does not fit: {where + ': ' if where else ''}{first['msg']}") from None
