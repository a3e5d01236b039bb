"""The medicine table of one draft: the rows with their citations, and what the patient's allergies reach."""

from collections.abc import Callable, Iterable, Sequence

from backend.generation.letter.medicines.medicine_kinds import Against, TableKnowledge, usual
from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.generation.letter.medicines.medicine_table import Cite, medicine_rows
from backend.generation.letter.medicines.stated.usual_units import DoseKnowledge, no_unit
from backend.interfaces import Linker
from backend.knowledge.allergy_reach import AllergyReach, Risk
from backend.knowledge.contraindications import Contraindications
from backend.nlp.allergies.dangerous_reactions import endangered_life
from backend.nlp.medications.tolerance import tolerated
from backend.schemas.drafts.evidence import Evidence, NotePiece
from backend.schemas.drafts.medicines import MedicineRow
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.record import PatientRecord
from backend.schemas.vocabulary import AllergyKind, Assertion

_STATED = frozenset({Assertion.PRESENT, Assertion.HISTORICAL})
_COURSES = frozenset(("acute", "chronic"))
AvoidedConcepts = Callable[[DraftRequest, LinkedNote], Iterable[str]]
"""Concept ids of whatever a patient is said to react to."""


def _no_more_than_told(name: str, written: str) -> str:
    """The name of what speaks against a medicine; the note's own words where the name says acute or chronic and they do not."""
    if not written or _COURSES.isdisjoint(set(name.lower().split()) - set(written.lower().split())):
        return name
    return f"{written[:1].lower()}{written[1:]}" if written[1:2].islower() else written


def citers(pieces: Iterable[NotePiece], discharge_medicines: Sequence[str]) -> tuple[Cite, Cite]:
    """The functions `cite` and `cite_entry` over the pieces of a draft's evidence."""
    held = list(pieces)
    pasted = [piece for piece in held if piece.note_type == "Pasted note"]
    listed = iter([piece.id for piece in held if piece.note_type == "Discharge medicines"])
    ids = [next(listed, "") if entry.strip() else "" for entry in discharge_medicines]

    def cite(place: int) -> tuple[str, ...]:
        return tuple(piece.id for piece in pasted if piece.start_char <= place < piece.end_char)[:1]

    def cite_entry(number: int) -> tuple[str, ...]:
        return (ids[number],) if number < len(ids) and ids[number] else ()

    return cite, cite_entry


class DraftMedicines:
    """Makes the medicine table of a draft, whoever writes it. It holds no state between requests.

    Args:
        linker: reads the entries of a discharge list.
        reach: how far an allergy reaches.
        avoided: concept ids of whatever a patient is said to react to, wherever it is said.
        contraindications: what speaks against a medicine; without it no row asks about it.
        doses: the usual doses; without them no row asks about a dose.
    """

    def __init__(
        self,
        linker: Linker,
        reach: AllergyReach,
        avoided: AvoidedConcepts,
        contraindications: Contraindications | None = None,
        doses: DoseKnowledge | None = None,
    ) -> None:
        self._linker = linker
        self._reach = reach
        self._avoided = avoided
        self._contraindications = contraindications
        self._doses = doses

    def blocked(self, request: DraftRequest, linked: LinkedNote) -> frozenset[str]:
        """The concepts that an allergy of the patient reaches and that the note does not tell to be tolerated."""
        listed = frozenset(item.concept_id for item in linked.allergies.items if item.concept_id)
        harmless = frozenset(tolerated(linked)) - listed  # as the note says; the check names it all the same
        allergens = frozenset(self._avoided(request, linked)) - harmless
        reached = (c for a in allergens for c in (*self._reach.avoided(a), *self._reach.narrow_classes(a)))
        return frozenset(reached) - harmless

    def rows(self, request: DraftRequest, linked: LinkedNote, evidence: Evidence) -> tuple[MedicineRow, ...]:
        """The rows, changed and new medicines first, those that somebody has to decide last."""
        cite, cite_entry = citers(evidence.notes, request.discharge_medicines)
        asked: dict[str, str] = {}
        listed = {sure: self._reached(linked, sure=sure) for sure in (True, False)}
        rows = medicine_rows(
            linked.record or PatientRecord(),
            request.discharge_medicines,
            self._linker,
            cite,
            listed[True],
            cite_entry=cite_entry,
            note_text=linked.note.text,
            known=TableKnowledge(
                self._reach.classes,
                self._against(linked, asked),
                intolerances=self._intolerances(linked),
                allergy_siblings=listed[True] - self._themselves(linked, AllergyKind.ALLERGY),
                allergy_kin=listed[False] - listed[True],
                far_above=self._doses.is_far_above if self._doses else usual,
                usual_unit=self._doses.usual_unit if self._doses else no_unit,
                kept_up=self._kept_up,
            ),
        )
        places = {m.concept_id: m.start_char for m in reversed(linked.note.mentions) if m.assertion in _STATED}

        def with_reason(row: MedicineRow) -> MedicineRow:
            """The row with the piece of the note that names what speaks against it."""
            place = places.get(asked.get(row.prompt, ""))
            cited = row.citations if place is None else tuple(dict.fromkeys((*row.citations, *cite(place))))
            return row.model_copy(update={"citations": cited})

        return tuple(map(with_reason, rows))

    def _against(self, linked: LinkedNote, asked: dict[str, str]) -> Callable[[str], Against]:
        """What is to be decided of a medicine that what the note states as the patient's speaks against; of the empty prompt where nothing does.

        asked: gets the concept that speaks against it, by what is asked.
        """
        known = self._contraindications
        if known is None:
            return lambda _: Against()
        state = known.state(linked)
        stated = {m.concept_id: m.text for m in reversed(linked.note.mentions) if m.assertion in _STATED}

        def against(medicine: str) -> Against:
            spoken, kept_up = known.speaks_against(medicine, state, stated.keys()), known.not_stopped_alone(medicine)
            what = Prompt.KEEP if kept_up else Prompt.LEAVE if spoken.never else Prompt.ASK
            if not spoken.condition:
                return Against(f"{Prompt.VALUE}. {what}" if known.value_against(medicine, state) else "")
            named = _no_more_than_told(known.name_of(spoken.condition), stated.get(spoken.condition, ""))
            if spoken.condition not in stated:  # what may lie behind a symptom is not what the note says
                named = f"it may be {named}"
            prompt = f"{Prompt.AGAINST}: {named}. {what}"
            asked[prompt] = spoken.condition
            return Against(prompt, spoken.never)

        return against

    def _kept_up(self, medicine: str) -> bool:
        return self._contraindications is not None and self._contraindications.not_stopped_alone(medicine)

    def _reached(self, linked: LinkedNote, *, sure: bool) -> frozenset[str]:
        """The concepts that a listed allergy reaches: surely, or only so that somebody has to ask; what is little to be feared is a flag's to tell.

        Surely are the allergen, what holds it and its family where all its members are to be feared, or some of them and the known reaction
        endangered life. What may cross-react is asked about, but for a high risk where the known reaction endangered life.
        """
        found: set[str] = set()
        for item in linked.allergies.items:
            if item.concept_id is None or item.kind is not AllergyKind.ALLERGY:
                continue
            for concept, reach in self._reach.reached(item.concept_id).items():
                endangered = endangered_life(item.reaction)
                asked = reach.how == "cross_reaction"
                grave = reach.risk is Risk.HIGH and (endangered or not asked)
                grave |= reach.risk is Risk.POSSIBLE and endangered and not asked
                if grave if sure else reach.risk in (Risk.HIGH, Risk.POSSIBLE):
                    found.add(concept)
        return frozenset(found)

    def _themselves(self, linked: LinkedNote, kind: AllergyKind) -> frozenset[str]:
        """The agents of one kind of entry, what holds them, and what is of them where a class is listed."""
        return frozenset(
            concept
            for item in linked.allergies.items
            if item.concept_id and item.kind is kind
            for concept, reach in self._reach.reached(item.concept_id).items()
            if reach.how in ("same", "contains") or (reach.how == "family" and reach.through == item.concept_id)
        )

    def _intolerances(self, linked: LinkedNote) -> frozenset[str]:
        """What the note lists as not tolerated, with what holds it or is of it; what one does is told of no other of its class."""
        return self._themselves(linked, AllergyKind.INTOLERANCE)
