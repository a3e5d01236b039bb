"""Evidence gathered from the tiny graph and a small handbook, ready to be written from."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from backend.diagnosis.floor import FlooredRanker
from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.generation.writers.composer_writer import Composer
from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.paths.graph_facts import GraphFactRetriever
from backend.retrieval.patient_notes.note_pieces import NotePieces
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence, Passage
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source
from backend.stores.graph.graph import Graph

CHAPTER = {
    "What it is": "Heart failure means that the heart pumps too weakly.",
    "Medicines": "Furosemide removes extra water. Lisinopril can help a weak heart.",
    "Diet": "A low salt diet helps in heart failure.",
    "Activity": "Walk a little each day with heart failure.",
    "Precautions": "Ask your team before you take ibuprofen. Tell every doctor about your medicine allergies. Weigh yourself every day.",
    "Warning signs": "Call your doctor if your legs swell more.",
    "Follow-up": "People with heart failure see their doctor within a week.",
}


class Written(NamedTuple):
    sentences: tuple[WrittenSentence, ...]
    evidence: Evidence
    answer: str
    conditions: tuple[Condition, ...] = ()


Write = Callable[..., Written]


@pytest.fixture
def write(tiny_graph: Graph, tiny_reach: AllergyReach, tiny_linker: DictionaryLinker) -> Write:
    """Compose a document for a note; the handbook knows heart failure alone."""
    names = {row.concept_id: row.name for row in tiny_graph.concepts}
    plain = {row.concept_id: row.definition for row in tiny_graph.concepts if row.definition}
    composer = Composer(tiny_linker, tiny_reach, plain)
    book = tuple(
        Passage(
            id=f"P{i}",
            source=Source.BOOK,
            document_id="handbook/heart-failure",
            title=f"Heart failure: {part}",
            text=text,
            start_char=0,
            end_char=len(text),
            section=part,
            concept_id="T:heart-failure",
        )
        for i, (part, text) in enumerate(CHAPTER.items(), start=1)
    )

    def run(note: str, passages: tuple[Passage, ...] = book, **fields: Any) -> Written:
        request = DraftRequest(text=note, **fields)
        linked = tiny_linker.read(note)
        conditions = FlooredRanker(GraphConditionRanker(tiny_graph, {}), tiny_graph).rank(linked, request)
        evidence = Evidence(
            graph=GraphFactRetriever(tiny_graph).facts(linked, conditions),
            passages=passages,
            notes=NotePieces(tiny_linker, names).pieces(linked, request),
        )
        sentences = tuple(composer.write(request, linked, conditions, evidence))
        return Written(sentences, evidence, composer.answer(request, linked, conditions, evidence), conditions)

    return run
