"""How far a sentence of a clinical text stands out from the rest of it, without any citation.

Three things speak against a sentence: the text itself says otherwise elsewhere (the rules of `contrary`, measures and sides); what it
concludes or decides does not fit the condition that the rest of the text points to (`claims`); and, for little, the graph knows no
tie where there should be one: a medicine that treats nothing the text names, or that is contraindicated with something it names; a
disease of which the text names no finding, test or treatment; an organism that causes none of its diseases. A text may be right and
unusual, so a suspicion is a place to look, never a verdict; scores compare within one text only.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from backend.interfaces import Linker
from backend.nlp.document import sentences as split
from backend.nlp.measures.measures import measures_of
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Evidence, NotePiece
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.vocabulary import Assertion, Basis, Category
from backend.stores.graph.graph import Graph
from backend.verification.consistency.claims import ClaimReader, Sentence
from backend.verification.consistency.hallmarks import Hallmarks, shipped
from backend.verification.support.cited import PASTED, Source, SourceReader
from backend.verification.support.contrary import said_against
from backend.verification.support.laterality import places_of, unmatched_places
from backend.verification.support.measures_match import unmatched
from backend.verification.support.shared_words import COMMON, compared

OTHERWISE, MEASURED, UNTREATED, AGAINST, ALONE, NOT_CAUSED = 1.0, 0.6, 0.5, 0.4, 0.5, 0.6
UNRELATED = 0.15  # what the graph's missing ties count: it knows far from all
SUSPECTED_AT = 0.5
"""The score from which a sentence is one to look at."""
SAME_MATTER = 0.5  # share of a sentence's words that another has, from which both are about one matter
_STATED = frozenset({Assertion.PRESENT, Assertion.UNCERTAIN, Assertion.HISTORICAL})
# one sentence denies this and another reports that
_REPORTING = frozenset({"the cited text has reported, not denied", "the cited text has denied, not reported"})
_TREATS = ("treated_by", "managed_by", "relieved_by", "prevented_by")
_SHOWS = (
    *(
        "has_finding",
        "may_have_finding",
        "has_warning_sign",
        "has_risk_factor",
        "due_to",
        "has_complication",
        "has_finding_site",
    ),
    *("diagnosed_by", "found_by", "monitored_by", "may_progress_to", "isa", *_TREATS),
)


class Suspicion(NamedTuple):
    """A sentence of a text: its offsets, a score of 0 or more, and the reasons."""

    start: int
    end: int
    score: float
    reasons: tuple[str, ...]


class TextConsistency:
    """Build one a graph; it holds no text."""

    def __init__(self, linker: Linker, graph: Graph, hallmarks: Hallmarks | None = None) -> None:
        self._linker = linker
        self._graph = graph
        self._claims = ClaimReader(hallmarks or shipped())
        self._relations: dict[str, Mapping[str, frozenset[str]]] = {}

    def suspicions(self, linked: LinkedNote) -> list[Suspicion]:
        """Every sentence of the text, in order; a score of 0 where nothing stands out."""
        text = linked.note.text
        pieces = [
            NotePiece(id=f"N{i}", note_type=PASTED, section="", text=text[a:b], start_char=a, end_char=b)
            for i, (a, b) in enumerate(_cut(linked))
        ]
        reader = SourceReader(self._linker, linked, Evidence(notes=tuple(pieces)))
        sources = [reader.sources(_citing(piece)) for piece in pieces]
        out = []
        misfits = self._claims.misfits([self._sentence(piece, linked) for piece in pieces])
        for place, piece in enumerate(pieces):
            inside = [m for m in linked.note.mentions if piece.start_char <= m.start_char < piece.end_char]
            outside = {
                m.concept_id
                for m in linked.note.mentions
                if not piece.start_char <= m.start_char < piece.end_char and m.assertion in _STATED
            }
            found = [
                *self._otherwise(piece, [s for i, s in enumerate(sources) if i != place]),
                *((weight * UNRELATED, why) for weight, why in self._unrelated(inside, outside)),
            ]
            if misfits[place].score:
                found.append(misfits[place])
            score = round(sum(weight for weight, _ in found), 3)
            out.append(Suspicion(piece.start_char, piece.end_char, score, tuple(why for _, why in found if why)))
        return out

    def _sentence(self, piece: NotePiece, linked: LinkedNote) -> Sentence:
        """A piece with what it names as present; medicines under their names and classes."""
        inside = [
            m
            for m in linked.note.mentions
            if piece.start_char <= m.start_char < piece.end_char
            and m.assertion in (Assertion.PRESENT, Assertion.UNCERTAIN)
        ]
        medicines = [m for m in inside if m.category == Category.DRUG and m.concept_id in self._graph.index]
        kinds = [
            (
                m.name,
                *(self._graph.row(kind).name for kind in self._graph.related(m.concept_id, "has_class", "isa")),
                m.text,
            )
            for m in medicines
        ]
        return Sentence(piece.text, tuple(m.name for m in inside), tuple(kinds))

    def _otherwise(self, piece: NotePiece, others: Sequence[Sequence[Source]]) -> list[tuple[float, str]]:
        """What other sentences about the same matter say otherwise."""
        found: list[tuple[float, str]] = []
        claim = self._linker.link(piece.text)
        for sources in others:
            units = [unit.text for source in sources for unit in source.units]
            if compared(piece.text, units, ()).overlap < SAME_MATTER:
                continue
            found += [
                (OTHERWISE, why)
                for why in said_against(claim, Basis.PATIENT, sources, COMMON).contraries
                if why not in _REPORTING
            ]
            bound = [
                why
                for why in unmatched(measures_of(piece.text), [u.measures for s in sources for u in s.units])[0]
                if "(" in why
            ]
            wrong, _ = unmatched_places(places_of(piece.text), [p for s in sources for u in s.units for p in u.places])
            found += [(MEASURED, why) for why in (*bound, *wrong)]
        return found[:3]

    def _unrelated(self, inside: Sequence[Mention], outside: set[str]) -> list[tuple[float, str]]:
        """What the graph ties to nothing else in the text."""
        found: list[tuple[float, str]] = []
        around = outside | {m.concept_id for m in inside if m.assertion in _STATED}
        for m in {
            m.concept_id: m
            for m in inside
            if m.assertion in _STATED and not m.allergen and m.concept_id in self._graph.index
        }.values():
            relations = self._relations_of(m.concept_id)
            rest = around - {m.concept_id}
            if m.category == Category.DRUG:
                if relations["treats"] and not relations["treats"] & rest:
                    found.append((UNTREATED, f"treats nothing that the text names: {m.name}"))
                if relations["against"] & rest:
                    found.append((AGAINST, f"contraindicated with what the text names: {m.name}"))
            elif m.category == Category.DISEASE and len(relations["shows"]) >= 3 and not relations["shows"] & rest:
                found.append((ALONE, f"nothing else in the text belongs to it: {m.name}"))
            elif m.category == Category.ORGANISM and relations["causes"] and not relations["causes"] & rest:
                found.append((NOT_CAUSED, f"causes nothing that the text names: {m.name}"))
        return found

    def _relations_of(self, concept: str) -> Mapping[str, frozenset[str]]:
        """What the graph ties to a concept, kind by kind."""
        if concept not in self._relations:
            related, inverse = self._graph.related, self._graph.inverse
            family = (concept, *related(concept, "has_class", "has_ingredient"))
            back = tuple(inverse[name] for name in _TREATS if name in inverse)
            shows = (*_SHOWS, *(inverse[name] for name in _SHOWS if name in inverse))
            self._relations[concept] = {
                "treats": frozenset(other for one in family for other in related(one, *back)),
                "against": frozenset(other for one in family for other in related(one, "contraindicated_with")),
                "shows": frozenset(related(concept, *shows)),
                "causes": frozenset(related(concept, "causative_agent_of")),
            }
        return self._relations[concept]


def _cut(linked: LinkedNote) -> list[tuple[int, int]]:
    text = linked.note.text
    return [span for section in linked.note.sections for span in split(text, section.body_char, section.end_char)]


def _citing(piece: NotePiece) -> WrittenSentence:
    return WrittenSentence(text=piece.text, section="", basis=Basis.PATIENT, citations=(piece.id,))
