"""The values of the pinned line: case, allergies, alerts, writer, and the notice of the knowledge."""

from typing import Any

from app.jobs.draft_run import Progress
from app.view_data.entry import Entry, changed_since
from app.words.api_words import flag_words
from app.words.words import _, later
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.note import Allergies, LinkedNote, Patient
from backend.schemas.vocabulary import AllergyStatus, Severity

NOTICE = "Starter knowledge: written for this project, not reviewed by a clinician, not a guideline, adults only"
COMPOSER = "composer"
ALLERGY_CONFLICT = "allergy_conflict"
UNTIL_READY = "until the language model that is set is ready"
COMPOSER_WORDS = later("Leapnote itself, without a language model")
REASONS = {"no language model server is set": later("no server for a language model is set")}
"""What the API says of a writer in set phrases, in the page's words."""
STATED = {
    AllergyStatus.NONE_KNOWN: "none known, as the note says",
    AllergyStatus.NOT_STATED: "the note does not say. Ask the patient",
    AllergyStatus.UNREADABLE: "the entry could not be read. Read it in the note",
}


def pinned(seen: Progress | None, label: str, service: dict[str, Any] | None, entry: Entry) -> dict[str, Any]:
    """The values of the pinned line.

    Args:
        seen: the current draft, None before the first.
        label: what the case is called.
        service: the API's answer on systems, None when it cannot be reached.
        entry: the fields as they are now, to see whether the draft is older than they are.

    Returns:
        The JSON values of the component.
    """
    linked = linked_note(seen)
    conflicts, others = alerts(seen)
    return {
        "label": label,
        "person": person(linked.patient) if linked else "",
        "stale": seen is not None and changed_since(entry, seen.request),
        "allergies": allergy_line(linked.allergies) if linked else None,
        # a conflict that may be none never stands above what is severe
        "alerts": sorted((*conflicts, *others), key=lambda alert: alert["level"] != Severity.SEVERE),
        "writer": writer(seen, service),
        "notice": (service or {}).get("notice") or NOTICE,
    }


def words() -> dict[str, str]:
    """The texts of the line itself."""
    return {
        "region": _("Patient and allergies"),
        "allergies": _("ALLERGIES"),
        "reading": _("Allergies: known once the notes are read"),
        "intolerance": _("intolerance"),
        "unchecked": _("not recognised, not checked"),
        "n_severe": _("{n} severe"),
        "n_to_look": _("{n} to review"),
        "severe": _("Severe:"),
        "warning": _("To look at:"),
        "info": _("For information:"),
        "stays": _("Stays on this computer"),
        "goes": _("Text goes to {where}"),
    }


def alerts(seen: Progress | None) -> tuple[tuple[dict[str, str], ...], tuple[dict[str, str], ...]]:
    """The allergy conflicts, each of which is always shown, and the other severe flags: level and message of each."""
    if seen is None or seen.draft is None:
        return (), ()
    flags = {flag.message: flag for flag in seen.draft.flags}.values()
    conflicts = [flag for flag in flags if flag.kind == ALLERGY_CONFLICT]
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
    """Status in words, and each item with what was, or was not, checked."""
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


def writer(seen: Progress | None, service: dict[str, Any] | None) -> dict[str, Any]:
    """Who writes, why, and where the text is sent: of a finished draft as it says itself, else as the API is set.

    Returns:
        setting: the writer as settings name it. where: in words, empty where it is not known. others: models with a role
        of their own, which may read the note too.
    """
    if seen is not None and seen.draft is not None:
        made = seen.draft.generator
        return _writer("Written by", made.name, made.reason, made.where)
    if service is None:
        return _writer("Writer", "unknown", "the API does not answer", "")
    now = written_by(seen, service)
    # the seconds of a server that starts would stand still here: the write screen counts them
    reason = UNTIL_READY if service.get("waiting") and not now.get("setting") else str(now.get("reason", ""))
    values = _writer("Writer", str(now.get("name", "unknown")), reason, str(now.get("where", "")))
    others = [
        f"{row['role']} {called(str(row['name']))}: text {row['where']}"
        for row in service.get("roles", ())
        if row["name"] != now.get("name")
    ]
    return {**values, "others": others, "leaves": values["leaves"] or any("text goes to" in other for other in others)}


def written_by(seen: Progress | None, service: dict[str, Any]) -> dict[str, Any]:
    """Who writes the draft in the making, or the next one."""
    now: dict[str, Any] = service.get("generator", {})
    if seen is None:
        return now
    asked = seen.request.generator or ""
    return next((dict(row) for row in service.get("generators", ()) if row["setting"] == asked), now)


def called(name: str) -> str:
    """A writer's name for people: the model's own, which a setting ends with, after `kind:` or `kind:address#`."""
    if name == COMPOSER:
        return _(COMPOSER_WORDS)
    return name.partition(":")[2].rpartition("#")[2] or name


def reason_words(reason: str) -> str:
    """Why it writes: the API's words, where they are a set phrase in the page's own."""
    return _(REASONS[reason]) if reason in REASONS else reason


def _writer(head: str, name: str, reason: str, where: str) -> dict[str, Any]:
    return {
        "head": head,
        "name": called(name),
        "setting": name,
        "reason": reason_words(reason),
        "where": f"Text {where}" if where else "",
        "leaves": where.startswith("goes to"),
        "others": [],
    }


def _alert(flag: Flag) -> dict[str, str]:
    return {"level": flag.severity.value, "message": flag_words(flag)}
