"""Evidence and sentences about a tiny note."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.linking.linker import DictionaryLinker
from backend.retrieval.notes import pasted_pieces
from backend.schemas.draft import Verdict, WrittenSentence
from backend.schemas.evidence import Evidence, Passage
from backend.schemas.vocabulary import Basis, Source
from backend.verification.support import CitedTextVerifier

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
