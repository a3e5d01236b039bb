"""A written draft as it is read: sections, sentences, numbered sources. No name of a part of the program is in it. Pure functions."""

from collections.abc import Mapping
from typing import Any

from app.words.words import _, later
from backend.schemas.drafts.draft import Draft, Sentence
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT
from backend.schemas.vocabulary import Basis, Fit, Source, Support

SUPPORT_MARKS = {Support.PARTIAL: later("partly found in source"), Support.UNSUPPORTED: later("not found in source")}
SOURCE_NAMES = {source: source.row.label for source in Source} | {
    Source.BOOK: later("Handbook"),
    Source.GUIDELINE: later("Guideline"),
    Source.RESEARCH: later("Research"),
    Source.WIKI: later("Encyclopaedia"),
}
PASTED = "Pasted note"


def reading(draft: Draft) -> dict[str, Any]:
    """The values of the reading view: sections in order, each with its sentences; sources numbered in the order of the text."""
    numbers: dict[str, int] = {}
    known = sources(draft)
    sections: list[dict[str, Any]] = []
    for sentence in draft.sentences:
        if not sections or sections[-1]["title"] != sentence.section:
            sections.append({"title": sentence.section, "sentences": []})
        cited = [mark for mark in sentence.citations if mark in known]
        for mark in cited:
            numbers.setdefault(mark, len(numbers) + 1)
        sections[-1]["sentences"].append(
            {
                "text": sentence.text,
                "marks": marks(sentence),
                "sources": [{"n": numbers[mark], **known[mark]} for mark in dict.fromkeys(cited)],
            }
        )
    return {"sections": sections, "words": words()}


def counts(draft: Draft) -> dict[str, int]:
    """How many sentences there are of each support."""
    return {
        "sentences": len(draft.sentences),
        **{kind: sum(s.support == kind for s in draft.sentences) for kind in ("supported", "partial", "unsupported")},
        "not_scored": sum(s.support == "not_scored" for s in draft.sentences),
        "cited": sum(bool(s.citations) for s in draft.sentences),
    }


def words() -> dict[str, str]:
    """The texts of the reading view itself."""
    return {"source": _("Source {n}"), "nothing": _("Nothing was written."), "document": _("Written text")}


def marks(sentence: Sentence) -> list[str]:
    """What a reader must know of a sentence; nothing where it is in order."""
    found = [SUPPORT_MARKS.get(sentence.support, "")]
    if sentence.basis == Basis.POSSIBLE:
        found.append(later("unconfirmed"))
    if sentence.fit == Fit.NOT_FOR_THIS_PATIENT:
        found.append(later("may not fit this patient"))
    return [_(one) for one in found if one]


def sources(draft: Draft) -> Mapping[str, dict[str, str]]:
    """Every piece of evidence by its id: what it is, and its words."""
    evidence = draft.evidence
    found = {one.id: _source(_("Medical knowledge"), one.supported_text or one.text) for one in evidence.paths}
    found |= {one.id: _source(_("Medical knowledge"), one.text) for one in evidence.graph}
    found |= {
        one.id: _source(f"{_(SOURCE_NAMES.get(one.source, ''))}: {one.title}", one.text) for one in evidence.passages
    }
    for one in evidence.notes:
        kind = {PASTED: _("This note"), PREVIOUS_VISIT: _("Previous visit")}.get(one.note_type, one.note_type)
        found[one.id] = _source(", ".join(part for part in (kind, one.date or "") if part), one.text)
    return found


def _source(label: str, text: str) -> dict[str, str]:
    return {"label": label, "text": text}
