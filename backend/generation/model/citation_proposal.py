"""Proposes the evidence for a sentence that a model wrote without a citation.

Evidence that shares concepts with the sentence, and of those that share most the nearest by meaning. Only a proposal: the
sentence is marked, and the verifier judges the two as it judges any other.
"""

import re
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import NamedTuple

from backend.generation.model.injected_evidence import PASTED
from backend.interfaces import Encoder, Linker
from backend.schemas.drafts.evidence import Evidence, NotePiece
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.vocabulary import Assertion

COMPARED = 8  # candidates that are encoded; those that share most come first
ALIKE = 0.5  # cosine from which a text without a shared concept is proposed


class _Candidate(NamedTuple):
    id: str
    text: str
    concepts: frozenset[str]
    words: frozenset[str]


class Proposer:
    """Build one a draft; the evidence is read when the first sentence needs it. refused: ids that are never proposed."""

    def __init__(
        self, linker: Linker, encoder: Encoder, linked: LinkedNote, evidence: Evidence, refused: Collection[str]
    ) -> None:
        self._linker = linker
        self._encoder = encoder
        self._linked = linked
        self._evidence = evidence
        self._refused = frozenset(refused)

    def propose(self, text: str, mentions: Sequence[Mention], notes_only: bool) -> str:
        """The id of the best evidence, or nothing where none is near. notes_only: the patient's own notes alone."""
        asked = frozenset(m.concept_id for m in mentions if m.assertion != Assertion.NEGATED)
        denied = frozenset(m.concept_id for m in mentions) - asked
        words = _words(text)
        shares = [
            (len((asked | denied) & c.concepts), len(words & c.words), place)
            for place, c in enumerate(self._candidates)
            if c.id.startswith("N") or not notes_only
        ]
        shares = sorted((s for s in shares if s[0] or s[1]), key=lambda s: (-s[0], -s[1], s[2]))[:COMPARED]
        if not shares:
            return ""
        near = [self._candidates[place] for *_, place in shares]
        vectors = self._encoder.encode([text, *(c.text for c in near)])
        cosines = vectors[1:] @ vectors[0]
        best = max(range(len(near)), key=lambda i: (shares[i][0], float(cosines[i]), -i))
        return near[best].id if shares[best][0] or float(cosines[best]) >= ALIKE else ""

    @cached_property
    def _candidates(self) -> list[_Candidate]:
        found = [(n.id, n.text, self._of_piece(n)) for n in self._evidence.notes if n.id not in self._refused]
        others = [
            *((p.id, f"{p.title}. {p.text}") for p in self._evidence.passages),
            *((g.id, g.text) for g in self._evidence.graph),
            *((k.id, k.supported_text) for k in self._evidence.paths if k.supported_text),
        ]
        found += [(name, text, self._of_text(text)) for name, text in others if name not in self._refused]
        return [_Candidate(name, text, concepts, _words(text)) for name, text, concepts in found]

    def _of_piece(self, piece: NotePiece) -> frozenset[str]:
        """What a piece names; of the pasted note as the whole note has it."""
        if piece.note_type != PASTED:
            return self._of_text(piece.text)
        inside = self._linked.note.mentions
        return frozenset(m.concept_id for m in inside if piece.start_char <= m.start_char < piece.end_char)

    def _of_text(self, text: str) -> frozenset[str]:
        return frozenset(m.concept_id for m in self._linker.link(text).note.mentions)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]{4,}|\d+", text.lower()))
