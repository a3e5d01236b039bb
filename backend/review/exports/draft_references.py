"""The reference list of a draft: what its sentences cite, in the order of first citation, one entry for each document."""

from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.evidence import NotePiece, Passage
from backend.schemas.vocabulary import SectionCategory


def reference_lines(draft: Draft) -> tuple[str, ...]:
    """`[P1, P3] title (source), licence, address` and the like. A citation without evidence is left out."""
    evidence = draft.evidence
    passages = {p.id: p for p in evidence.passages}
    pieces = {n.id: n for n in evidence.notes}
    plain = {path.id: f"Reasoning path: {path.text}" for path in evidence.paths}
    plain |= {item.id: f"Graph: {item.text}" for item in evidence.graph}
    entries: dict[str, list[str]] = {}
    for citation in dict.fromkeys(c for sentence in draft.sentences for c in sentence.citations):
        if citation in passages:
            words = _passage(passages[citation])
        elif citation in pieces:
            words = _piece(pieces[citation])
        elif citation in plain:
            words = plain[citation]
        else:
            continue
        entries.setdefault(words, []).append(citation)
    return tuple(f"[{', '.join(ids)}] {words}" for words, ids in entries.items())


def _passage(passage: Passage) -> str:
    parts = [f"{passage.title or passage.document_id} ({passage.source.value})", passage.licence, passage.url]
    return ", ".join(part for part in parts if part)


def _piece(piece: NotePiece) -> str:
    section = "" if piece.section in (piece.note_type, SectionCategory.UNLABELED.value) else piece.section
    return ", ".join(part for part in (f"The patient's notes: {piece.note_type}", section, piece.date or "") if part)
