"""What the note says under its headers, each header with its content: quoted, or from the record where that is shorter.

Past history stays history wherever it stands, and what is measured or found is objective wherever it is told. A sentence that the plan
repeats, or the vital signs say already, is not quoted again.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from backend.generation.composer.material import Material
from backend.generation.composer.patient_sentences import asked_allergies
from backend.generation.composer.progress.note_plan import DECIDED
from backend.generation.composer.progress.visit_changes import TAKEN
from backend.generation.composer.progress.vital_signs import SAID_AS, VitalSign
from backend.generation.composer.wording import listed
from backend.generation.letter.medicines.stated.regimens import as_one
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.note import AllergyItem
from backend.schemas.record import (
    ClinicalStatus,
    Experiencer,
    MedicationStatement,
    MedicationStatus,
    ObservationStatement,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    Statement,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, Assertion, Category, SectionCategory

STORY = (
    SectionCategory.CHIEF_COMPLAINT,
    SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
    SectionCategory.UNLABELED,
    SectionCategory.HOSPITAL_COURSE,
)
HISTORY = (
    SectionCategory.PAST_MEDICAL_HISTORY,
    SectionCategory.PAST_SURGICAL_HISTORY,
    SectionCategory.FAMILY_HISTORY,
    SectionCategory.SOCIAL_HISTORY,
    SectionCategory.IMMUNIZATIONS,
)
FOUND = (
    SectionCategory.VITAL_SIGNS,
    SectionCategory.PHYSICAL_EXAM,
    SectionCategory.RESULTS,
    SectionCategory.IMAGING,
    SectionCategory.PROCEDURES,
)
LABELS: dict[SectionCategory, str] = {
    SectionCategory.CHIEF_COMPLAINT: "Chief complaint",
    SectionCategory.HOSPITAL_COURSE: "Course",
    SectionCategory.PAST_MEDICAL_HISTORY: "Past medical history",
    SectionCategory.PAST_SURGICAL_HISTORY: "Past surgical history",
    SectionCategory.FAMILY_HISTORY: "Family history",
    SectionCategory.SOCIAL_HISTORY: "Social history",
    SectionCategory.IMMUNIZATIONS: "Immunizations",
    SectionCategory.MEDICATIONS: "Medicines",
    SectionCategory.PHYSICAL_EXAM: "Examination",
    SectionCategory.RESULTS: "Results",
    SectionCategory.IMAGING: "Imaging",
    SectionCategory.PROCEDURES: "Procedures",
}
MOST_STORY = 15
MOST_OF_A_HEADER = 24
_QUOTED_REVIEW = 3
MOST_DENIED = 15
"""Denials of a review of systems that are named."""
_LABEL = 3
_NEAR_ITS_START = 12
"""Characters before a value or a test that still begin its sentence ("On exam, ")."""

Line = tuple[str, tuple[str, ...]]
"""A sentence with its citations."""


class HeaderLines:
    """Sorts one note's sentences into story, history and findings. Build one a draft.

    Args:
        material: of the draft.
        vitals: the vital signs as they are told.
        planned: spans of the note that the plan quotes.
    """

    def __init__(self, material: Material, vitals: Sequence[VitalSign], planned: Sequence[tuple[int, int]]) -> None:
        self._material = material
        self._record = material.record
        self._vitals = vitals
        self._planned = planned
        self._statements: list[tuple[int, int, Statement]] = [
            (span.start_char, span.end_char, one)
            for one in self._record.statements
            for span in one.spans[:1]
            if one.id not in (self._record.person.id, self._record.encounter.id)
        ]

    def story(self) -> list[NotePiece]:
        """Why they came and how it went: where it is long, the sentences that state most."""
        pieces = [p for p in self._pieces(STORY) if not self.is_found(p)]
        return [*pieces[:1], *_telling(pieces[1:], MOST_STORY - 1, lambda piece: len(self._of(piece)))]

    def history(self) -> Iterator[list[NotePiece]]:
        """Yield what stands under each header of history; what only tells the past stands there wherever the note has it."""
        for category in HISTORY:
            own = self._pieces((category,))
            if category is SectionCategory.PAST_MEDICAL_HISTORY:
                own += [p for p in self._pieces(FOUND) if self._is_past(p)]
            if own:
                yield own[:MOST_OF_A_HEADER]

    def findings(self) -> Iterator[list[NotePiece]]:
        """Yield what stands under each header of examination and results, then results that are told elsewhere."""
        for category in FOUND:
            own = [p for p in self._pieces((category,)) if not self._is_past(p) and not self._said_by_vitals(p)]
            if own:
                yield _telling(own, MOST_OF_A_HEADER, self._abnormal)
        elsewhere = [p for p in self._pieces((*STORY, SectionCategory.MEDICATIONS)) if self.is_found(p)]
        if elsewhere := [p for p in elsewhere if not self._said_by_vitals(p)]:
            yield _telling(elsewhere, MOST_OF_A_HEADER, self._abnormal)

    def _abnormal(self, piece: NotePiece) -> int:
        """1 for a finding that is there, 0 where the lexicon knows none, -1 where all that it names is denied."""
        found = [
            m.assertion is not Assertion.NEGATED
            for m in self._material.linked.note.mentions
            if piece.start_char <= m.start_char < piece.end_char and m.category in _SIGNS
        ]
        return 0 if not found else 1 if any(found) else -1

    def beside_medicines(self) -> list[NotePiece]:
        """The sentences under the medicines that name none."""
        own = self._pieces((SectionCategory.MEDICATIONS,))
        return [
            p
            for p in own
            if not self.is_found(p) and not any(isinstance(one, MedicationStatement) for one in self._of(p, every=True))
        ][:MOST_OF_A_HEADER]

    def is_found(self, piece: NotePiece) -> bool:
        """Whether a sentence of the story begins with a value or a test, and so tells what was found and no complaint."""
        return any(
            start - piece.start_char <= _NEAR_ITS_START
            for start, _, one in self._statements
            if piece.start_char <= start < piece.end_char and isinstance(one, ObservationStatement)
        ) or any(
            m.start_char - piece.start_char <= _NEAR_ITS_START
            for m in self._material.linked.note.mentions
            if piece.start_char <= m.start_char < piece.end_char and m.category is Category.TEST and not m.allergen
        )

    def medicines(self) -> Iterator[Line]:
        """Yield the medicines with dose and timing, by what becomes of them: taken, on hold, stopped."""
        own = [m for m in self._record.medications if m.experiencer is Experiencer.PATIENT and m.spans]
        own = [m for m in own if m.section not in _NO_PRESCRIPTION]
        header = bool(self._pieces((SectionCategory.MEDICATIONS,)))
        listed_here = [m for m in own if self._is_listed(m)] if header else own
        # elsewhere a bare name is often a class, or what a test was positive for
        beside = [m for m in own if m not in listed_here and as_one((m.dosage,))]
        for label, statuses, chosen in (*((a, b, listed_here) for a, b in _MEDICINES), (_ALSO, TAKEN, beside)):
            # what the plan starts or changes stands there
            held = [m for m in chosen if m.status in statuses and not (m.section in DECIDED and m.change in _CHANGED)]
            if held:
                said = "; ".join(dict.fromkeys(_dosed(m) for m in held))
                yield f"{label}: {said}.", self._cited(held)

    @property
    def lists_medicines(self) -> bool:
        """Whether a medicine stands under the header of medicines."""
        return any(self._is_listed(m) for m in self._record.medications)

    def _is_listed(self, one: MedicationStatement) -> bool:
        places = (self._material.category_at(span.start_char) for span in one.spans)
        return SectionCategory.MEDICATIONS in places

    def review(self) -> Iterator[Line]:
        """Yield the review of systems in one sentence; what states nothing is quoted."""
        pieces = self._pieces((SectionCategory.REVIEW_OF_SYSTEMS,))
        spans = [(p.start_char, p.end_char) for p in pieces]
        asked = [
            (one, start)
            for one in self._record.stated_problems
            for start in (s.start_char for s in one.spans)
            if one.experiencer is Experiencer.PATIENT and any(a <= start < b for a, b in spans)
        ]
        denied = [one.name for one, _ in asked if one.verification_status is VerificationStatus.REFUTED]
        there = [one.name for one, _ in asked if one.verification_status is not VerificationStatus.REFUTED]
        said = [listed(there)] if there else []
        few = [*denied[:MOST_DENIED], "others"] if len(denied) > MOST_DENIED + 1 else denied
        said += [f"denies {listed(few)}"] if denied else []
        if said:
            cites = [p.id for p in pieces if any(p.start_char <= start < p.end_char for _, start in asked)]
            yield f"Review of systems: {'; '.join(said)}.", tuple(cites)
            return
        for place, piece in enumerate(pieces[:_QUOTED_REVIEW]):
            yield f"{'' if place else 'Review of systems: '}{piece.text}", (piece.id,)

    def allergies(self) -> tuple[Line | None, str]:
        """The sentence on allergies, or else what the team has to say of them; what is only suspected is asked too."""
        found = self._material.linked.allergies
        asked = asked_allergies(found.possible)
        if found.items:
            pieces = [self._material.piece_at(one.start_char) for one in found.items]
            cites = tuple(dict.fromkeys(p.id for p in pieces if p is not None))
            return (f"Allergies: {'; '.join(map(_allergy, found.items))}.", cites), asked
        if found.status is AllergyStatus.NONE_KNOWN:
            words = " ".join(found.text.split())
            place = self._material.linked.note.text.find(found.text) if words else -1
            piece = self._material.piece_at(place) if place >= 0 else None
            quoted = f" (\u201c{words}\u201d)" if words else ""
            return (f"Allergies: none recorded{quoted}.", (piece.id,) if piece else ()), asked
        if found.status is AllergyStatus.UNREADABLE:
            return None, "allergies: what the note says could not be read"
        return None, asked or "allergies: not stated"

    def _pieces(self, sections: Iterable[SectionCategory]) -> list[NotePiece]:
        """The note's sentences under some headers that the plan does not quote; a letter's greeting tells nothing."""
        return [
            p
            for p in self._material.pieces_in(sections)
            if not _GREETING.match(p.text)
            and not self._is_label(p)
            and not any(a <= p.start_char and p.end_char <= b + 1 for a, b in self._planned)
        ]

    def _is_label(self, piece: NotePiece) -> bool:
        """Whether a line states nothing: a mark, or a date or number of the form."""
        if not re.search(r"\w", piece.text):
            return True
        few = len(piece.text.split()) <= _LABEL and re.search(r"\d", piece.text) is not None
        unlabelled = self._material.category_at(piece.start_char) is SectionCategory.UNLABELED
        return few and unlabelled and not self._of(piece, every=True)

    def _of(self, piece: NotePiece, *, every: bool = False) -> list[Statement]:
        """The statements that a sentence holds; without `every` only those by their first place."""
        if every:
            return [
                one
                for one in self._record.statements
                if any(piece.start_char <= span.start_char < piece.end_char for span in one.spans)
            ]
        return [one for start, _, one in self._statements if piece.start_char <= start < piece.end_char]

    def _is_past(self, piece: NotePiece) -> bool:
        """Whether all that a sentence states is over, and nothing is measured in it."""
        stated = self._of(piece, every=True)
        if stated:
            return all(_over(one) for one in stated)
        named = [
            m
            for m in self._material.linked.note.mentions
            if piece.start_char <= m.start_char < piece.end_char and m.category in _EVENTS
        ]
        return bool(named) and all(m.assertion is Assertion.HISTORICAL for m in named)

    def _said_by_vitals(self, piece: NotePiece) -> bool:
        """Whether every number of a sentence is one of the vital signs told."""
        places = [place for one in self._vitals for place in one.places]
        if not any(piece.start_char <= place < piece.end_char for place in places):
            return False
        left = piece.text
        for one in self._record.observations:
            if one.measure in SAID_AS and any(piece.start_char <= s.start_char < piece.end_char for s in one.spans):
                left = left.replace(one.spans[0].text, " ")
        return not re.search(r"\d", left)

    def _cited(self, statements: Iterable[Statement]) -> tuple[str, ...]:
        pieces = (self._material.piece_at(span.start_char) for one in statements for span in one.spans)
        return tuple(dict.fromkeys(p.id for p in pieces if p is not None))


def _telling(pieces: list[NotePiece], most: int, weight: Callable[[NotePiece], int]) -> list[NotePiece]:
    """At most so many of the sentences, in the note's order: those that tell most."""
    ranked = sorted(pieces, key=lambda p: (-weight(p), p.start_char))[:most]
    return sorted(ranked, key=lambda p: p.start_char)


def _over(one: Statement) -> bool:
    if isinstance(one, ProcedureStatement):
        return one.status is ProcedureStatus.PAST
    if isinstance(one, ProblemStatement):
        return one.clinical_status is ClinicalStatus.RESOLVED and one.verification_status is not _REFUTED
    return False


def _dosed(one: MedicationStatement) -> str:
    return " ".join(part for part in (one.name, as_one((one.dosage,))) if part)


def _allergy(item: AllergyItem) -> str:
    kind = "intolerance" if item.kind is AllergyKind.INTOLERANCE else ""
    said = ": ".join(part for part in (kind, item.reaction.strip()) if part)
    return f"{item.text}{f' ({said})' if said else ''}"


_CHANGED = frozenset({"started", "increased", "decreased", "changed"})
_EVENTS = frozenset({Category.DISEASE, Category.SYMPTOM, Category.FINDING, Category.PROCEDURE, Category.TEST})
_REFUTED = VerificationStatus.REFUTED
_SIGNS = frozenset({Category.DISEASE, Category.SYMPTOM, Category.FINDING})
_NO_PRESCRIPTION = frozenset(
    {
        SectionCategory.PHYSICAL_EXAM,
        SectionCategory.REVIEW_OF_SYSTEMS,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.FAMILY_HISTORY,
    }
)
_ALSO = "Medicines also named"
_MEDICINES: tuple[tuple[str, frozenset[MedicationStatus]], ...] = (
    ("Medicines", TAKEN - {MedicationStatus.INTENDED}),
    ("Medicines on hold", frozenset({MedicationStatus.ON_HOLD})),
    ("Medicines that are not taken", frozenset({MedicationStatus.NOT_TAKEN})),
    ("Medicines that were stopped", frozenset({MedicationStatus.STOPPED})),
)
_GREETING = re.compile(
    r"(?:dear|yours|kind(?:est)? regards|best (?:wishes|regards)|many thanks|with thanks|sincerely)\b(?:\W+[\w.]+){0,6}\W*$",
    re.IGNORECASE,
)
