"""One pasted note as the composer holds it, read by the starter's dictionary."""

from backend.generation.composer.material import Material, PassageReader
from backend.retrieval.patient_notes.note_pieces import NotePieces
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.vocabulary import Document
from tests.nlp.fresh import linker


def request_of(text: str, *earlier: PatientNote) -> DraftRequest:
    return DraftRequest(text=text, question="What now?", document=Document.PROGRESS_NOTE, patient_notes=earlier)


def material_of(text: str, *earlier: PatientNote) -> Material:
    linked = linker().read(text)
    pieces = NotePieces(linker(), {}).pieces(linked, request_of(text, *earlier))
    return Material(linked, (), Evidence(notes=pieces), PassageReader(linker()), frozenset())


def cited_texts(material: Material, cites: tuple[str, ...]) -> list[str]:
    """The pieces of some citations, in their order."""
    held = {piece.id: piece.text for piece in material.evidence.notes}
    return [held[one] for one in cites]
