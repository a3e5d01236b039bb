"""What the pinned line says: whose draft this is, the allergies, alerts, who writes, and what the knowledge is.

Takes what is known so far; gives plain values for the view. It decides what is said, not how it looks.
"""

from typing import Any

from app.draft_run import Progress
from app.entry import Entry
from backend.schemas.draft import Flag
from backend.schemas.note import Allergies, LinkedNote, Patient
from backend.schemas.vocabulary import AllergyStatus, FlagKind, Severity

NOTICE = "Starter knowledge: written for this project, not reviewed by a clinician, not a guideline, adults only"
MOST_OTHERS = 2  # more severe flags than these are counted in the pinned line and listed above the draft
STATED = {
    AllergyStatus.NONE_KNOWN: "none known, as the note says",
    AllergyStatus.NOT_STATED: "the note does not say. Ask the patient",
    AllergyStatus.UNREADABLE: "the entry could not be read. Read it in the note",
}


def pinned(seen: Progress | None, label: str, house: dict[str, Any] | None, entry: Entry) -> dict[str, Any]:
    """The values of the pinned line.

    seen: the draft in the making, None before the first. house: the API's answer on systems, None when unreachable.
    """
    linked = linked_note(seen)
    note_is_drafted = seen is not None and seen.request.text == entry.note
    conflicts, others = alerts(seen)
    shown = others if len(others) <= MOST_OTHERS else ()
    return {
        "label": label,
        "person": person(linked.patient) if linked else "",
        "stale": bool(seen is not None and not note_is_drafted),
        "allergies": allergy_line(linked.allergies) if linked else None,
        "alerts": [*conflicts, *shown],
        "more_alerts": len(others) - len(shown),
        "writer": writer(seen, house),
        "notice": (house or {}).get("notice") or NOTICE,
    }


def alerts(seen: Progress | None) -> tuple[tuple[dict[str, str], ...], tuple[dict[str, str], ...]]:
    """The allergy conflicts, each of which is always shown, and the other severe flags: level and message of each."""
    if seen is None or seen.draft is None:
        return (), ()
    flags = {flag.message: flag for flag in seen.draft.flags}.values()
    conflicts = [flag for flag in flags if flag.kind == FlagKind.ALLERGY_CONFLICT]
    others = [flag for flag in flags if flag.severity == Severity.SEVERE and flag not in conflicts]
    return tuple(_alert(flag) for flag in conflicts), tuple(_alert(flag) for flag in others)


def linked_note(seen: Progress | None) -> LinkedNote | None:
    """The linked note of a run, from the finished draft when there is one."""
    if seen is None:
        return None
    if seen.draft is not None:
        return LinkedNote(note=seen.draft.note, allergies=seen.draft.allergies, patient=seen.draft.patient)
    return seen.linked


def person(patient: Patient) -> str:
    """Age and sex as the note has them; what it does not state is said."""
    age = f"{patient.age} years" if patient.age is not None else "age not stated"
    sex = patient.sex or "sex not stated"
    return f"{age}, {sex}{', pregnant' if patient.pregnant else ''}"


def allergy_line(allergies: Allergies) -> dict[str, Any]:
    """status in words, and each item with what was, or was not, checked."""
    items = [
        {
            "text": item.text,
            "reaction": item.reaction,
            "kind": item.kind.value,
            "checked": item.checked,
        }
        for item in allergies.items
    ]
    said = STATED.get(allergies.status, "")
    return {"status": allergies.status.value, "said": "" if items else said, "items": items}


def writer(seen: Progress | None, house: dict[str, Any] | None) -> dict[str, str]:
    """Who writes, and why."""
    if seen is not None and seen.draft is not None:
        return {"name": seen.draft.generator.name, "reason": seen.draft.generator.reason}
    if house is None:
        return {"name": "unknown", "reason": "the API does not answer"}
    generator = house.get("generator", {})
    return {"name": str(generator.get("name", "unknown")), "reason": str(generator.get("reason", ""))}


def _alert(flag: Flag) -> dict[str, str]:
    return {"level": flag.severity.value, "message": flag.message}
