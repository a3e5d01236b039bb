"""The values of the workbench (note, draft, evidence): one shape for a running draft and a finished one.

Texts are passed on as they are: the component shows them as text.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.clients.api_errors import ApiError
from app.clients.client import ApiClient
from app.jobs.draft_run import Progress
from app.jobs.event_run import Phase
from app.view_data.pinned_data import COMPOSER, linked_note
from backend.schemas.base import Frozen
from backend.schemas.drafts.draft import Draft, WrittenSentence
from backend.schemas.drafts.headings import MEDICINES_PART
from backend.schemas.visible_text import visible
from backend.schemas.vocabulary import GROUP_NAMES, DraftStatus

DOCUMENT_NAMES = {
    "discharge_instructions": "Discharge instructions",
    "progress_note": "Progress note (SOAP)",
    "clinical_answer": "Clinical answer",
}
DOUBTS = (
    (1 / 3, "low"),
    (2 / 3, "moderate"),
    (1.0, "high"),
)  # thirds of the scale: a word to read, not a measured limit


def bench_data(
    seen: Progress,
    views: tuple[str, ...] = ("note", "draft", "evidence"),
    concept: dict[str, Any] | None = None,
    known_stages: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Everything the workbench shows.

    Args:
        seen: the draft.
        views: the columns to show; without `evidence`, it opens under the sentence.
        concept: the one last looked up.
        known_stages: the stages that the API lists.

    Returns:
        JSON values.
    """
    draft = seen.draft
    evidence = draft.evidence if draft else seen.evidence
    linked = linked_note(seen)
    return {
        "views": list(views),
        "id": draft.id if draft else "",
        "phase": seen.phase.value,
        "status": status(seen),
        "message": seen.message,
        "stages": stages(seen, known_stages),
        "document": document_name(seen.request.document.value),
        "system": seen.request.system,
        "question": seen.request.question,
        "options": list(seen.request.options),
        "answer": draft.answer_text if draft else "",
        "note": _json(linked.note) if linked else {"text": seen.request.text, "sections": [], "mentions": []},
        "conditions": [_json(c) for c in (draft.conditions if draft else seen.conditions)],
        "confirmed": list(seen.request.confirmed_conditions),
        "ruled_out": list(seen.request.ruled_out_conditions),
        "plan": _json(draft.plan if draft else seen.plan),
        "evidence": _json(evidence),
        "sentences": sentences(seen),
        "medicines": [{**_json(row), "what_to_do": row.what_to_do} for row in draft.medicines] if draft else [],
        "medicines_heading": MEDICINES_PART,
        "growing": seen.piece if seen.phase == Phase.RUNNING else "",
        "flags": [_json(flag) for flag in draft.flags] if draft else [],
        "checks": _json(draft.checks) if draft else {"compared": [], "unrecognised": [], "not_checked": []},
        "readability": _json(draft.readability) if draft else None,
        "fallbacks": list(draft.fallbacks if draft else seen.fallbacks),
        "removed_sentences": list(draft.removed_sentences) if draft else [],
        "uncertainty": draft.uncertainty if draft else None,
        "doubt": doubt_word(draft.uncertainty if draft else None),
        "stood_in": stood_in(seen),
        "by_model": bool(draft and draft.generator.name != COMPOSER),
        "generator": _json(draft.generator) if draft else None,
        "removed_citations": draft.removed_citations if draft else 0,
        "concept": concept,
        "groups": {group.value: name for group, name in GROUP_NAMES.items()},
    }


def document_name(name: str) -> str:
    """The words of the page for a document; its name where there are none."""
    return DOCUMENT_NAMES.get(name, name)


def status(seen: Progress) -> str:
    """running, complete, partial, nothing_found, stopped or failed."""
    if seen.draft is not None:
        return "stopped" if seen.draft.status == DraftStatus.CANCELLED else seen.draft.status.value
    if seen.phase in (Phase.STOPPED, Phase.RUNNING):
        return seen.phase.value
    return "partial" if seen.written else "failed"


def stood_in(seen: Progress) -> str:
    """Why the composer wrote although a model was asked; empty where it did not.

    Such a draft names the same reason twice: beside its writer, and among what ran otherwise.
    """
    draft = seen.draft
    if draft is None or draft.generator.name != COMPOSER or draft.generator.reason not in draft.fallbacks:
        return ""
    return draft.generator.reason


def doubt_word(uncertainty: float | None) -> str:
    """low, moderate or high, of 0 to 1; empty where it was not scored."""
    return next((word for most, word in DOUBTS if uncertainty is not None and uncertainty <= most), "")


def stages(seen: Progress, known: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every stage in order: done with what it found and its time, now, or waiting. Optional ones only where they ran.

    known: name, label and optional of each stage; where the API has not listed any, those that ran stand by their names.
    """
    done = {stage.name: stage for stage in seen.stages}
    rows: list[dict[str, Any]] = []
    for stage in known or [{"name": name, "label": name, "optional": True} for name in done]:
        name = str(stage["name"])
        if stage["optional"] and name not in done:
            continue
        if name in done:
            state, reason, ms = "done", done[name].reason, done[name].ms
        else:
            first = not any(row["state"] != "done" for row in rows)
            state, reason, ms = "now" if first and seen.phase == Phase.RUNNING else "waiting", "", None
            if name == "write" and seen.written:
                reason = f"{len(seen.written)} sentence{'' if len(seen.written) == 1 else 's'} so far"
        rows.append({"key": name, "name": stage["label"], "state": state, "reason": reason, "ms": ms})
    return rows


def sentences(seen: Progress) -> list[dict[str, Any]]:
    """Sentences with their verdicts; while it is written, those that came so far, marked as not yet checked."""
    if seen.draft is not None:
        return [{**_json(sentence), "doubt": doubt_word(sentence.uncertainty)} for sentence in seen.draft.sentences]
    return [_unchecked(written) for written in seen.written]


def _unchecked(written: WrittenSentence) -> dict[str, Any]:
    """A sentence that has not reached its checks: `unchecked` is no verdict of the API's."""
    return {
        "text": written.text,
        "section": written.section,
        "basis": written.basis.value,
        "citations": list(written.citations),
        "condition_id": written.condition_id,
        "support": "unchecked",
        "support_score": None,
        "uncertainty": None,
        "doubt": "",
        "proposed": written.proposed,
        "before_repair": "",
        "reason": "",
    }


def counts(draft: Draft) -> dict[str, int]:
    """How many sentences there are of each support."""
    return {
        "sentences": len(draft.sentences),
        **{kind: sum(s.support == kind for s in draft.sentences) for kind in ("supported", "partial", "unsupported")},
        "not_scored": sum(s.support == "not_scored" for s in draft.sentences),
        "cited": sum(bool(s.citations) for s in draft.sentences),
    }


def _json(value: Frozen) -> dict[str, Any]:
    return value.model_dump(mode="json")


SHOWN = ("concept_id", "name", "group", "category", "definition")


def concept_card(client: ApiClient, concept_id: str) -> dict[str, Any]:
    """What the workbench shows of a concept: names, definition, and its neighbours.

    Returns:
        concept_id, name, group, category, definition, synonyms, neighbours, and error: the API's message, empty when all
        went well. The draft beside it stays in any case.
    """
    try:
        found = client.neighbours(concept_id)
    except ApiError as error:
        nothing: dict[str, Any] = {**dict.fromkeys(SHOWN, ""), "synonyms": [], "neighbours": []}
        return {**nothing, "concept_id": concept_id, "error": str(error)}
    concept = found["concept"]
    return {
        **{name: concept[name] for name in SHOWN},
        **{name: visible(concept[name]) for name in ("name", "definition")},
        "synonyms": [visible(name) for name in concept["synonyms"]],
        "neighbours": [neighbour(row) for row in found["neighbours"]],
        "error": "",
    }


def neighbour(row: dict[str, Any]) -> dict[str, str]:
    """One edge, without what the panel shows only of the concept itself."""
    other = row["concept"]
    return {
        "relation": visible(row["relation"]),
        "qualifier": visible(row["qualifier"]),
        "concept_id": other["concept_id"],
        "name": visible(other["name"]),
        "group": other["group"],
    }
