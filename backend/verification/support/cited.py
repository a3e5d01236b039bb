"""What a sentence cites, ready to be held against it: the cited texts sentence by sentence, with what they name and how.

It judges nothing. A general text counts for a sentence about the patient only as far as the patient's own notes, cited beside it,
name what the text is about.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from backend.interfaces import Linker
from backend.nlp.document import sentences as split
from backend.nlp.measures.measures import Measures, measures_of
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Evidence, NotePiece
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.record import MedicationStatement, MedicationStatus, ObservationStatement, PatientRecord, Statement
from backend.schemas.vocabulary import AllergyStatus, Assertion, Basis
from backend.verification.support.event_direction import EventDirection, course_events, medicine_events
from backend.verification.support.laterality import Place, places_of

_ENDED = frozenset((MedicationStatus.STOPPED, MedicationStatus.ON_HOLD, MedicationStatus.NOT_TAKEN))
PASTED, FOR_HOME = "Pasted note", "Discharge medicines"


class Unit(NamedTuple):
    """One sentence of a cited text. own: of the patient's notes."""

    text: str
    own: bool
    measures: Measures
    places: tuple[Place, ...]


class Source(NamedTuple):
    """One cited text. about: the concept it is about; empty for a piece of the patient's notes.

    asserted to unsure hold concept ids: what it states (as present or past), denies, says of the family, and only supposes.
    medicines and courses: what it says is done with each medicine, and how each complaint goes. allergens: what the patient is said to
    react to, by concept id; allergy_text: the same as written, in lower case; no_allergies: it says that there are none. observations
    and medications: what the record has read from it.
    """

    units: tuple[Unit, ...]
    own: bool
    about: str
    asserted: frozenset[str]
    denied: frozenset[str]
    family: frozenset[str]
    hypothetical: frozenset[str]
    unsure: frozenset[str]
    medicines: Mapping[str, frozenset[EventDirection]]
    courses: Mapping[str, frozenset[EventDirection]]
    allergens: frozenset[str] = frozenset()
    allergy_text: str = ""
    no_allergies: bool = False
    observations: tuple[ObservationStatement, ...] = ()
    medications: tuple[MedicationStatement, ...] = ()

    @property
    def named(self) -> frozenset[str]:
        """Every concept that the text names, however."""
        return self.asserted | self.denied | self.family | self.hypothetical | self.unsure | self.allergens


class SourceReader:
    """Build one a draft: each cited text is read once, however many sentences cite it."""

    def __init__(self, linker: Linker, linked: LinkedNote, evidence: Evidence) -> None:
        self._linker = linker
        self._linked = linked
        self._texts = {path.id: (path.supported_text, path.condition_id or "") for path in evidence.paths}
        self._texts |= {item.id: (item.text, item.concept_id) for item in evidence.graph}
        self._texts |= {passage.id: (passage.text, passage.concept_id) for passage in evidence.passages}
        self._pieces = {piece.id: piece for piece in evidence.notes}
        self._read: dict[str, Source] = {}

    def sources(self, sentence: WrittenSentence) -> list[Source]:
        """The cited texts that count for a sentence, the patient's own first."""
        found = [self._source(name) for name in sentence.citations if name in self._texts or name in self._pieces]
        own = [source for source in found if source.own]
        if sentence.basis == Basis.PATIENT:
            named = frozenset().union(*(source.named for source in own))
            # what a book says of a condition that this patient's notes do not name is nothing about this patient
            return own + [source for source in found if not source.own and source.about in named]
        return own + [source for source in found if not source.own]

    def texts(self, sentence: WrittenSentence) -> tuple[list[str], list[str]]:
        """The cited pieces of the patient's notes as written, and the other cited texts."""
        own = [self._pieces[name].text for name in sentence.citations if name in self._pieces]
        return own, [self._texts[name][0] for name in sentence.citations if name in self._texts]

    def piece(self, name: str) -> NotePiece | None:
        """The piece of the patient's notes with an id; None where there is none."""
        return self._pieces.get(name)

    def _source(self, name: str) -> Source:
        if name not in self._read:
            self._read[name] = (
                self._own(self._pieces[name]) if name in self._pieces else self._general(*self._texts[name])
            )
        return self._read[name]

    def _general(self, text: str, about: str) -> Source:
        mentions = self._linker.named(text)
        # general text speaks of what may be ("call if you have chest pain"): only a "no" denies there
        denied = {m.concept_id for m in mentions if m.assertion == Assertion.NEGATED}
        asserted = {m.concept_id for m in mentions if m.assertion != Assertion.NEGATED}
        none: frozenset[str] = frozenset()
        directions = _frozen(medicine_events(text, mentions)), _frozen(course_events(text, mentions))
        return Source(
            _units(text, False), False, about, frozenset(asserted), frozenset(denied), none, none, none, *directions
        )

    def _own(self, piece: NotePiece) -> Source:
        if piece.note_type == PASTED:
            note, at, stop = self._linked, piece.start_char, piece.end_char
        else:
            note, at, stop = self._linker.link(piece.text), 0, len(piece.text)
        # as the whole note has them: a piece alone would lose its section
        mentions = [m for m in note.note.mentions if at <= m.start_char < stop]
        listed = [item for item in note.allergies.items if at <= item.start_char < stop]
        allergens = {item.concept_id for item in listed if item.concept_id} | {
            m.concept_id for m in mentions if m.allergen
        }
        # "allergic to latex" names a disease of its own
        allergens |= {
            m.concept_id
            for item in listed
            for m in self._linker.link(f"You are allergic to {item.text}.").note.mentions
        }
        said: dict[Assertion, set[str]] = {assertion: set() for assertion in Assertion}
        for m in mentions:
            said[m.assertion].add(m.concept_id)
        moved = [m.model_copy(update={"start_char": m.start_char - at, "end_char": m.end_char - at}) for m in mentions]
        given = [m for m in moved if not m.allergen]
        medicines = medicine_events(piece.text, given)
        medicines |= {concept: {EventDirection.ENDS} for concept in _ended(note.record, mentions, at, stop)}
        if piece.note_type == FOR_HOME:
            medicines = {concept: directions | {EventDirection.RUNS} for concept, directions in medicines.items()}
        record = (note.record if piece.note_type == PASTED else None) or PatientRecord()
        return Source(
            units=_units(piece.text, True, piece.section),
            own=True,
            about="",
            asserted=frozenset(said[Assertion.PRESENT] | said[Assertion.HISTORICAL]),
            denied=frozenset(said[Assertion.NEGATED]),
            family=frozenset(said[Assertion.FAMILY]),
            hypothetical=frozenset(said[Assertion.HYPOTHETICAL]),
            unsure=frozenset(said[Assertion.UNCERTAIN]),
            medicines=_frozen(medicines),
            courses=_frozen(course_events(piece.text, moved)),
            allergens=frozenset(allergens),
            allergy_text=" ".join(item.text.lower() for item in listed),
            no_allergies=note.allergies.status == AllergyStatus.NONE_KNOWN and _holds(note, piece, at),
            observations=tuple(one for one in record.observations if _is_within(one, at, stop)),
            medications=tuple(one for one in record.medications if _is_within(one, at, stop)),
        )


def _is_within(one: Statement, at: int, stop: int) -> bool:
    return any(at <= span.start_char < stop for span in one.spans)


def _ended(record: PatientRecord | None, mentions: Sequence[Mention], at: int, stop: int) -> Iterator[str]:
    """The medicines that the record has as stopped, on hold or not taken, by words of this piece, not by the name alone."""
    names = {m.start_char for m in mentions}
    for one in record.medications if record else ():
        inside = [span for span in one.spans if at <= span.start_char < stop]
        said = any(span.start_char not in names and span.text != one.dosage.text for span in inside)
        # what a later piece tells may be what ends it: "takes lisinopril" ends nothing where the plan holds it
        later = any(span.start_char >= stop for span in one.spans)
        if said and not later and one.concept_id and one.status in _ENDED:
            yield one.concept_id


def _holds(note: LinkedNote, piece: NotePiece, at: int) -> bool:
    """Whether the words that say "no known allergies" stand in the piece."""
    words = note.allergies.text.strip()
    return bool(words) and words.lower() in piece.text.lower()


def _units(text: str, own: bool, header: str = "") -> tuple[Unit, ...]:
    """The sentences of a text; the header is part of what a note says."""
    cut = [text[a:b] for a, b in split(text)] or ([text] if text.strip() else [])
    headed = [f"{header}. {one}" if header else one for one in cut]
    return tuple(Unit(one, own, measures_of(one), places_of(one)) for one in headed)


def _frozen(directions: Mapping[str, set[EventDirection]]) -> dict[str, frozenset[EventDirection]]:
    return {concept: frozenset(found) for concept, found in directions.items()}


def concepts_of(mentions: Sequence[Mention]) -> dict[str, Mention]:
    """The first mention of each concept."""
    out: dict[str, Mention] = {}
    for m in mentions:
        out.setdefault(m.concept_id, m)
    return out


def union_of(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    """Everything in any of them; nothing where there are none."""
    return frozenset().union(*sets)
