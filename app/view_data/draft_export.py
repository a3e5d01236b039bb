"""A draft as text for download: marked as a draft, with its citations and what they stand for."""

from app.view_data.pinned_data import COMPOSER
from app.words.words import later
from backend.schemas.drafts.draft import Draft, Sentence
from backend.schemas.drafts.evidence import ReasoningPath
from backend.schemas.vocabulary import Basis, DraftStatus, Support

SUPPORT_WORDS = {
    Support.SUPPORTED: later("found in source"),
    Support.PARTIAL: later("partly found in source"),
    Support.UNSUPPORTED: later("not found in source"),
    Support.NOT_SCORED: later("not compared"),
}
BASIS_WORDS = {
    Basis.PATIENT: "",
    Basis.POSSIBLE: "unconfirmed",
    Basis.GENERAL: "general: check that it fits this patient",
}


def as_text(draft: Draft, label: str, notice: str) -> str:
    """The draft with a mark and its citations after each sentence, the flags before it and the evidence after it."""
    by = f", written by {draft.generator.name}" if draft.generator.name != COMPOSER else ""
    partial = {
        DraftStatus.PARTIAL: " PARTIAL: the writer broke off.",
        DraftStatus.CANCELLED: " PARTIAL: it was stopped.",
    }
    head = [
        f"DRAFT, not reviewed, not signed.{partial.get(draft.status, '')}".removesuffix("."),
        f"{label}. {draft.document.value.replace('_', ' ').capitalize()}{by}. Draft {draft.id}.",
        notice + ".",
    ]
    flags = [f"[{flag.severity.value}] {flag.message}" for flag in draft.flags]
    parts = ["\n".join(head), allergies(draft), "\n".join(flags), unchecked(draft), body(draft), cited(draft)]
    return "\n\n".join(part for part in parts if part) + "\n"


def unchecked(draft: Draft) -> str:
    """What was not recognised, and which rules lacked a value, a line each; empty where all was checked."""
    lines = [f"Not recognised, not checked: {one.text} ({one.kind})" for one in draft.checks.unrecognised]
    lines += [
        f"Not checked: {one.medicine}, no {one.missing}{f' ({one.why})' if one.why else ''}"
        for one in draft.checks.not_checked
    ]
    return "\n".join(lines)


def allergies(draft: Draft) -> str:
    """The allergies in one line, as stated."""
    found = draft.allergies
    if not found.items:
        return f"Allergies: {found.status.value.replace('_', ' ')}"
    items = [
        f"{item.text}{f' ({item.reaction})' if item.reaction else ''}{'' if item.checked else ': not recognised, not checked'}"
        for item in found.items
    ]
    return "Allergies: " + "; ".join(items)


def body(draft: Draft) -> str:
    """The sentences under their headings, each with its marks."""
    out: list[str] = []
    section = None
    for sentence in draft.sentences:
        if sentence.section != section:
            section = sentence.section
            out += ["", section] if section else [""]
        out.append(f"- {sentence.text} {marks(sentence)}")
    return "\n".join(out).strip()


def marks(sentence: Sentence) -> str:
    """Citations, basis and support in brackets."""
    proposed = "citation proposed by the program" if sentence.proposed else ""
    words = [*sentence.citations, proposed, BASIS_WORDS[sentence.basis], SUPPORT_WORDS[sentence.support]]
    return "[" + "; ".join(word for word in words if word) + "]"


def cited(draft: Draft) -> str:
    """Every piece of evidence that a sentence cites."""
    wanted = {mark for sentence in draft.sentences for mark in sentence.citations}
    evidence = draft.evidence
    rows = [
        *((path.id, path_words(path)) for path in evidence.paths),
        *((fact.id, fact.text) for fact in evidence.graph),
        *((p.id, f"{p.title} ({p.source.value}; {p.licence}): {p.text}") for p in evidence.passages),
        *((n.id, f"{n.note_type}, {n.section}{f', {n.date}' if n.date else ''}: {n.text}") for n in evidence.notes),
    ]
    shown = [f"{mark}  {text}" for mark, text in rows if mark in wanted]
    return "\n".join(["What it cites", *shown]) if shown else ""


def path_words(path: ReasoningPath) -> str:
    """The part of a path that may support a sentence, and that a leap follows it."""
    if not any(step.leap for step in path.steps):
        return path.text
    return f"{path.supported_text} The path then leaps to a search hint, which supports nothing.".strip()
