"""The coordinator's form, and how it becomes a study's setup and plan. Pure functions.

Fields are those of the form, one name each; `fields_of` and `setup_of` are inverse. A ValueError (pydantic's own among
them) names the field, never its text.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from app.view_data.study_files import first_of
from app.words.words import _, later
from backend.schemas.studies.study_design import AnalysisPlan, Arm, Factor, StudySetup
from backend.schemas.studies.study_instrument import Instrument

Fields = dict[str, Any]
SAME = ("public_title", "instructions", "design", "factor", "document", "style", "raters", "overlap", "seed",
        "calibration_items", "attention_checks", "guess_items", "spacing", "evidence", "fastest_wpm")  # fmt: skip
LISTS = ("extra_terms", "extra_headings")
ARMS_OF = {
    Factor.SYSTEM: "systems",
    Factor.GENERATOR: "writers, one a line",
    Factor.UPLOAD: "names for the arms of the drafts you upload, one a line",
}


def empty_fields() -> Fields:
    """A new study as the form opens."""
    known = StudySetup.model_fields
    fields: Fields = {name: _plain(known[name].default) for name in SAME}
    return fields | {
        "name": "", "template": "", "rated_cases": None, "instruments": [], "systems": [], "generator": "",
        "system": "", "generators": "", "uploads": "", "labels": "", "own": {}, **dict.fromkeys(LISTS, ""),
    }  # fmt: skip


def template_fields(template: Mapping[str, Any]) -> Fields:
    """What a published design fills in. Its arms are the coordinator's to choose where it names none."""
    labels: dict[str, str] = dict(template["guess_labels"])
    systems = [str(name) for name in template["systems"]]
    other = labels.pop("*", "")
    guesses: dict[str, str] = {name: labels.get(name, other) for name in systems} if systems else labels
    return (
        empty_fields()
        | {name: _plain(value) for name, value in template["settings"].items()}
        | {
            "template": template["id"],
            "instruments": list(template["instruments"]),
            "systems": systems,
            "labels": _lines_of(guesses),
        }
    )


def fields_of(setup: StudySetup) -> Fields:
    """The form of a study that exists."""
    fields = empty_fields() | {name: _plain(getattr(setup, name)) for name in SAME}
    arms = setup.arms
    return fields | {
        "name": setup.name,
        "template": setup.template,
        "rated_cases": setup.rated_cases,
        "instruments": [one.id for one in setup.instruments],
        "own": {one.id: one for one in setup.instruments},
        "systems": [arm.system for arm in arms if arm.system],
        "generator": (arms[0].generator or "") if setup.factor == Factor.SYSTEM else "",
        "system": (arms[0].system or "") if setup.factor == Factor.GENERATOR else "",
        "generators": "\n".join(arm.generator or "" for arm in arms) if setup.factor == Factor.GENERATOR else "",
        "uploads": "\n".join(arm.id for arm in arms) if setup.factor == Factor.UPLOAD else "",
        "labels": _lines_of({arm.id: arm.guess_label for arm in arms if arm.guess_label}),
        **{name: "\n".join(getattr(setup, name)) for name in LISTS},
    }


def setup_of(fields: Mapping[str, Any], shipped: Sequence[Instrument], plan: Any = None) -> StudySetup:
    """The setup of a filled form.

    Args:
        fields: the form.
        shipped: the instruments that can be chosen beside the form's own.
        plan: the analysis plan of the study, as a value or as its fields.

    Returns:
        The setup.

    Raises:
        ValueError: a field is missing or does not fit.
    """
    known = {one.id: one for one in shipped} | dict(fields["own"])
    if not str(fields["name"]).strip():
        raise ValueError("The study has no name. Raters do not see it.")
    if not fields["instruments"]:
        raise ValueError("Choose an instrument: without one raters are asked nothing.")
    missing = [name for name in fields["instruments"] if name not in known]
    if missing:
        raise ValueError(f"There is no instrument {missing[0]!r}.")
    unfit = [known[name].title for name in fields["instruments"] if fields["design"] not in known[name].designs]
    if unfit:
        raise ValueError(
            f"{unfit[0]!r} cannot be asked of what raters see. Choose another instrument, or another design."
        )
    values = {
        **{name: fields[name] for name in SAME},
        **{name: _lines(fields[name]) for name in LISTS},
        "name": str(fields["name"]).strip(),
        "template": fields["template"],
        "arms": _arms(fields),
        "instruments": [known[name] for name in fields["instruments"]],
        "rated_cases": fields["rated_cases"] or None,
        "plan": plan,
    }
    return StudySetup.model_validate(values)


def own_instrument(text: str) -> Instrument:
    """An instrument from the coordinator's JSON file; raises ValueError where it does not fit."""
    try:
        return Instrument.model_validate_json(text)
    except ValidationError as error:
        raise ValueError(f"The instrument does not fit: {first_of(error)}. docs/studies.md has the form.") from None


def outcomes(setup: StudySetup) -> list[str]:
    """What can be the primary outcome: questions about drafts or items, and means of an instrument's scales."""
    found = []
    for instrument in setup.instruments:
        asked = [q for q in instrument.questions if q.kind.value not in ("text",) and q.target.value != "arm"]
        found += [f"{instrument.id}/{question.id}" for question in asked]
        if sum(question.kind.value == "scale" for question in asked) > 1:
            found.insert(0, f"{instrument.id}/mean")
    return found


def plan_of(fields: Mapping[str, Any]) -> AnalysisPlan:
    """The analysis plan of the freeze form. The unit of analysis is the case."""
    return AnalysisPlan.model_validate({"unit_of_analysis": "case", **fields})


def when(at: datetime) -> str:
    """Day and minute in UTC, the zone of the audit trail."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _arms(fields: Mapping[str, Any]) -> tuple[Arm, ...]:
    labels = _pairs(fields["labels"])
    factor = Factor(fields["factor"])
    match factor:
        case Factor.SYSTEM:
            writer = str(fields["generator"]).strip() or None
            found = [(name, name, writer) for name in fields["systems"]]
        case Factor.GENERATOR:
            names = _lines(fields["generators"])
            found = [(f"writer-{n}", fields["system"] or None, name) for n, name in enumerate(names, 1)]
        case Factor.UPLOAD:
            found = [(name, None, None) for name in _lines(fields["uploads"])]
    if len(found) < 2:
        raise ValueError(f"A study compares two arms or more; this one has {len(found)}: choose {ARMS_OF[factor]}.")
    unknown = [name for name in labels if name not in [arm for arm, _, _ in found]]
    if unknown:
        raise ValueError(f"What raters guess: there is no arm {unknown[0]!r}.")
    return tuple(
        Arm(id=name, system=system, generator=writer, guess_label=labels.get(name, ""))
        for name, system, writer in found
    )


def _pairs(text: str) -> dict[str, str]:
    found = {}
    for line in _lines(text):
        name, equals, words = line.partition("=")
        if not equals:
            raise ValueError("What raters guess: write each line as ARM = words.")
        found[name.strip()] = words.strip()
    return found


def _lines_of(pairs: Mapping[str, str]) -> str:
    return "\n".join(f"{name} = {words}" for name, words in pairs.items() if words)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in str(text).splitlines() if line.strip()]


def _plain(value: Any) -> Any:
    return getattr(value, "value", value)


DOCUMENT_NAMES = {
    "discharge_instructions": later("Discharge instructions"),
    "progress_note": later("Progress note"),
    "clinical_answer": later("Clinical answer"),
}


def document_name(name: str) -> str:
    """The words of the page for a document; its name where there are none."""
    return _(DOCUMENT_NAMES[name]) if name in DOCUMENT_NAMES else name
