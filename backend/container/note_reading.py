"""What reads a note and ranks its conditions: built once over the graph."""

from backend.container.lazy_part import is_built, lazy_part
from backend.container.loaded_knowledge import LoadedGraph, ShippedKnowledge
from backend.diagnosis.floor import FlooredRanker
from backend.diagnosis.ranking.ranker_parts import RankerParts, make_ranker
from backend.interfaces import ConditionRanker
from backend.nlp.extraction.cached_linker import CachedLinker
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.lexicon.names import NameIndex
from backend.nlp.lexicon.plain_names import starter_first, with_plain_names
from backend.retrieval.patient_notes.content_vectors import ContentVectors
from backend.stores.compiled import compiled
from backend.stores.graph.graph_rows import ConceptRow
from backend.verification.safety.earlier_allergies import EarlierAllergies


class NoteReading:
    """Reads the pasted note and the patient's earlier ones.

    Args:
        shipped: the starter knowledge and the encoder.
        loaded: the graph whose names are recognised.
    """

    def __init__(self, shipped: ShippedKnowledge, loaded: LoadedGraph) -> None:
        self._shipped = shipped
        self._loaded = loaded

    def forget(self) -> None:
        """Let go of what was kept of the notes that were read."""
        for name in ("linker", "earlier", "patient_vectors"):
            if is_built(self, name):
                getattr(self, name).forget()

    @lazy_part
    def dictionary(self) -> DictionaryLinker:
        """The linker that remembers nothing: for texts that are read once."""
        graph = self._loaded.graph
        if not self._loaded.is_starter:
            return DictionaryLinker(self._rows(), graph.neighbour_ids)
        names = compiled("names", [self._shipped.hospital.folder], lambda: NameIndex.build(self._rows()))
        return DictionaryLinker(names, graph.neighbour_ids)

    def _rows(self) -> list[ConceptRow]:
        return list(starter_first(with_plain_names(self._loaded.graph.concepts, self._shipped.concept_ids)))

    @lazy_part
    def linker(self) -> CachedLinker:
        """The linker that remembers what it has read."""
        return CachedLinker(self.dictionary)

    @lazy_part
    def earlier(self) -> EarlierAllergies:
        """What the patient's earlier notes list; a note is read once for all stages."""
        return EarlierAllergies(self.linker)

    @lazy_part
    def patient_vectors(self) -> ContentVectors:
        """Vectors of pieces of the patient's notes, kept by content."""
        return ContentVectors(self._shipped.encoder)


class Diagnosis:
    """Ranks conditions.

    Args:
        shipped: the chapters of complaints.
        loaded: the graph that relates findings to conditions.
        name: of the ranker.
        most: candidates shown, besides must-not-miss ones.
    """

    def __init__(self, shipped: ShippedKnowledge, loaded: LoadedGraph, name: str, most: int) -> None:
        self._shipped = shipped
        self._loaded = loaded
        self._name = name
        self._most = most

    @lazy_part
    def ranker(self) -> ConditionRanker:
        """The ranker that is set, with the floor of what may be written about."""
        graph = self._loaded.graph
        parts = RankerParts(graph, self._most)
        if self._loaded.is_starter:
            kept = f"ranker-{self._name}-{self._most}"
            tables = [self._shipped.hospital.folder]
            ranker = compiled(kept, tables, lambda: make_ranker(self._name, parts), apart={"graph": graph})
        else:
            ranker = make_ranker(self._name, parts)
        return FlooredRanker(ranker, graph, self._shipped.chapters_of_complaints)
