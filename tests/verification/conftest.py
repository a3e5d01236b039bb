"""Evidence and sentences about a tiny note."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.patient_notes.note_pieces import pasted_pieces
from backend.schemas.drafts.draft import Checks, Flag, Sentence, Verdict, WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence, Passage
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.vocabulary import Basis, Document, Source
from backend.stores.graph.graph import Graph
from backend.verification.safety.safety import GraphSafetyCheck
from backend.verification.support.support import CitedTextVerifier
from tests.verification.flags import DOSES, Check

NOTE = "She has left leg swelling since Monday. She denies fever. Her mother had a rash. She takes furosemide 40 mg daily.\n\nAllergies: naproxen\n"
BOOK = (
    "Heart failure can make your legs swell. Weigh yourself every day. Call your doctor if you gain 3 pounds in 2 days."
)
MORE = "Stop and call your doctor if you have a rash. A rash can come from a medicine."
Judge = Callable[..., Verdict]


@pytest.fixture
def judge(tiny_linker: DictionaryLinker, encoder: Any) -> Judge:
    """The verdict on one sentence. N1 to N5 are the note's sentences, P1 and P2 are the book."""
    linked = tiny_linker.link(NOTE)
    pieces = [piece.model_copy(update={"id": f"N{i}"}) for i, piece in enumerate(pasted_pieces(linked), start=1)]
    book = Passage(id="P1", source=Source.BOOK, document_id="d", title="t", text=BOOK, start_char=0, end_char=len(BOOK))
    more = book.model_copy(update={"id": "P2", "text": MORE, "end_char": len(MORE)})
    evidence = Evidence(passages=(book, more), notes=tuple(pieces))
    verifier = CitedTextVerifier(tiny_linker, encoder)

    def verdict(text: str, *citations: str, basis: Basis = Basis.PATIENT) -> Verdict:
        sentence = WrittenSentence(text=text, section="s", basis=basis, citations=citations)
        (found,) = verifier.verify([sentence], linked, evidence)
        return found

    return verdict


@pytest.fixture
def check(tiny_graph: Graph, tiny_reach: AllergyReach, tiny_linker: DictionaryLinker) -> Check:
    safety = GraphSafetyCheck(tiny_graph, tiny_reach, DOSES, tiny_linker)

    def run(
        note: str,
        *sentences: Sentence,
        conditions: tuple[Condition, ...] = (),
        document: Document = Document.CLINICAL_ANSWER,
        medicines: tuple[str, ...] = (),
        earlier: tuple[PatientNote, ...] = (),
    ) -> tuple[tuple[Flag, ...], Checks]:
        request = DraftRequest(text=note, document=document, discharge_medicines=medicines, patient_notes=earlier)
        return safety.check(request, tiny_linker.link(note), conditions, sentences)

    return run
