"""What checks a draft: allergies, contraindications, interactions, and the support of each sentence."""

import logging
from collections.abc import Callable
from functools import cache

from backend.container.lazy_part import lazy_part
from backend.container.loaded_knowledge import LoadedGraph, ShippedKnowledge
from backend.container.note_reading import NoteReading
from backend.generation.letter.found.exam_findings import plain_signs
from backend.interfaces import LanguageModel
from backend.knowledge.advice.applicability import Applicability
from backend.knowledge.allergy_reach import AllergyReach, allergy_families
from backend.knowledge.contraindications import Contraindications
from backend.knowledge.hospital.formulary import Formulary
from backend.nlp.extraction.cached_linker import CachedLinker
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.lexicon.plain_names import ids_by_name, with_plain_names
from backend.verification.consistency.uncertainty import (
    Consistency,
    EmbeddingConsistency,
    InferenceConsistency,
    JudgedConsistency,
)
from backend.verification.fit.fit_check import FitCheck
from backend.verification.safety.safety import GraphSafetyCheck
from backend.verification.safety.starter_safety import StarterToo
from backend.verification.support.second_opinion import EntailmentScorer, JudgeScorer, Scorer
from backend.verification.support.support import CitedTextVerifier

log = logging.getLogger(__name__)

KINDS_ABOVE = ("isa", "has_class", "subclass_of", "has_ingredient")
"""The relations to what a thing is a kind of: apixaban is a blood thinner."""


class DraftChecks:
    """The checks over the graph and the patient's notes.

    Args:
        shipped: the starter knowledge and the encoder.
        loaded: the graph.
        reading: reads the patient's notes.
        entailment: the entailment model that gives a second opinion: a folder or hub name; empty for none.
    """

    def __init__(self, shipped: ShippedKnowledge, loaded: LoadedGraph, reading: NoteReading, entailment: str) -> None:
        self._shipped = shipped
        self._loaded = loaded
        self._reading = reading
        self._entailment = entailment

    @lazy_part
    def reach(self) -> AllergyReach:
        """What an allergy reaches: ingredients, classes and families."""
        return AllergyReach(self._loaded.graph, allergy_families())

    @lazy_part
    def contraindications(self) -> Contraindications:
        """Which medicines speak against which conditions."""
        return self._starter_rows if self._loaded.is_starter else Contraindications(self._loaded.graph)

    @lazy_part
    def _starter_rows(self) -> Contraindications:
        """The rows of safety over the starter's graph."""
        starter = self._shipped.tables.rows
        return Contraindications(self._shipped.graph, starter.safety, starter.implied)

    @lazy_part
    def _formulary(self) -> Formulary:
        """The hospital's own formulary, by the names of the graph."""
        rows = self._shipped.hospital.formulary
        names = (
            {word.lower(): row.concept_id for row in self._loaded.graph.concepts for word in row.synonyms}
            if rows
            else {}
        )
        names |= {name.lower(): one for name, one in ids_by_name(self._loaded.graph).items()} if rows else {}
        found = Formulary(rows, lambda name: names.get(name.lower()))
        if found.unknown:
            log.warning("the formulary names %d medicines that the graph does not know", len(found.unknown))
        return found

    @lazy_part
    def safety(self) -> GraphSafetyCheck | StarterToo:
        """The check of the graph in use; beside an imported one, the starter's as well."""
        doses = [row for row, _ in self._shipped.tables.rows.doses]
        graph, reading = self._loaded.graph, self._reading
        own = GraphSafetyCheck(
            graph, self.reach, doses, reading.linker, reading.earlier, self.contraindications, self._formulary
        )
        if self._loaded.is_starter:
            return own
        known = self._shipped.graph
        rows = with_plain_names(known.concepts, self._shipped.concept_ids)
        linker = CachedLinker(DictionaryLinker(rows, known.neighbour_ids))
        reach = AllergyReach(known, allergy_families())
        shipped = GraphSafetyCheck(known, reach, doses, linker, contraindications=self._starter_rows)
        return StarterToo(own, graph, reading.linker, shipped, linker)

    @lazy_part
    def fit(self) -> FitCheck:
        """Whether sentences belong to a patient, by the record and the handbook's rows of applicability."""
        graph = self._loaded.graph
        broader = cache(lambda concept: frozenset(graph.related(concept, *KINDS_ABOVE)))
        return FitCheck(self._reading.linker, Applicability(self._shipped.tables.rows.applicability), broader)

    @lazy_part
    def entailment(self) -> EntailmentScorer | None:
        """The entailment model that is set, loaded once; None where none is. One that cannot be loaded is a MissingError."""
        return EntailmentScorer(self._entailment) if self._entailment else None

    @lazy_part
    def broader(self) -> Callable[[str], frozenset[str]]:
        """The broader concepts of a concept, by id: of furosemide, the loop diuretics."""
        graph = self._loaded.graph
        return cache(lambda concept: frozenset(graph.related(concept, "isa", "has_class")))

    def verifier(self, judge: LanguageModel | None) -> CitedTextVerifier:
        """The rules, and the further opinions.

        Args:
            judge: a model that is asked of each sentence too; None for none.
        """
        scorers: list[Scorer] = [self.entailment] if self.entailment else []
        if judge is not None:
            scorers.append(JudgeScorer(judge))
        return CitedTextVerifier(
            self._reading.linker,
            self._shipped.encoder,
            scorers,
            self.broader,
            self._everyday_words,
            self.safety.usual_unit,
        )

    @lazy_part
    def _everyday_words(self) -> dict[str, tuple[str, ...]]:
        """By concept id its everyday words in the starter's graph, and what a letter says of it as a sign of an examination."""
        told, names = plain_signs(), {row.concept_id: row.name.lower() for row in self._shipped.graph.concepts}
        plain = self._shipped.plain
        words = {concept: (plain.get(concept, ""), told.get(name, "")) for concept, name in names.items()}
        return {concept: kept for concept, both in words.items() if (kept := tuple(filter(None, both)))}

    def consistency(self, judge: LanguageModel | None) -> Consistency:
        """What scores how far samples agree: the entailment model, as LUQ has it, else the judge, else cosines.

        Args:
            judge: a judge of its own, which is not the writer; None for none.
        """
        if self.entailment:
            return InferenceConsistency(self.entailment)
        return JudgedConsistency(judge) if judge is not None else EmbeddingConsistency(self._shipped.encoder)
