"""A setup from a template: a published study's design, with the coordinator's own arms and name."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field, ValidationError

from backend.errors import InputError, NotFoundError
from backend.schemas.base import Frozen
from backend.schemas.studies.study import AnalysisPlan, Arm, StudySetup
from backend.study.design.instruments import instrument, templates


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


def all_templates() -> tuple[StudyTemplate, ...]:
    return tuple(StudyTemplate.model_validate(entry) for entry in templates().values())


def template(name: str) -> StudyTemplate:
    """Raises NotFoundError that lists the names there are."""
    if name not in templates():
        raise NotFoundError(f"There is no study template {name!r}. Choose one of: {', '.join(templates())}")
    return StudyTemplate.model_validate(templates()[name])


def setup_from(entry: StudyTemplate, name: str, systems: Sequence[str] = (), **changed: Any) -> StudySetup:
    """The setup of a study like the published one. systems: one for each arm, when the template names none.

    changed: fields of StudySetup that differ, `arms` among them. Raises InputError when the arms are not as many as the
    design has, or a value does not fit.
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
