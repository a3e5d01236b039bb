"""Discharge instructions: this patient's own story first, then advice that fits, then gaps, in plain words.

The story and the medicines come from the patient record, each sentence cited; advice is quoted from the passages on what the draft
may be about (`Condition.written`), red flags first, within a length that is read to its end. What only the ward can know stays a
visible gap.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Generator as Steps
from itertools import islice

from backend.generation.composer.advice_budget import (
    OF_SITUATIONS,
    SITUATION_WORDS,
    STAYS,
    AdviceBudget,
    Part,
    by_importance,
)
from backend.generation.composer.lead_sentences import (
    calls_it,
    is_illness,
    is_sure,
    lead_sentences,
    operation_sentences,
    patient_sentence,
)
from backend.generation.composer.material import Material, QuotedSentence
from backend.generation.composer.patient_sentences import allergy_sentences, asked_allergies, no_medicines_sentences
from backend.generation.composer.situation_advice import advice, situations, stated
from backend.generation.composer.wording import Glossary
from backend.generation.composer.written_so_far import WrittenSoFar
from backend.generation.letter.found.found_lines import found_lines
from backend.generation.letter.medicines.listed_rows import BOTH, THE_LIST
from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.generation.letter.medicines.medicine_sentences import (
    KEPT,
    KEPT_TOO,
    OF_THE_STAY,
    medicine_sentences,
)
from backend.generation.letter.medicines.medicine_table import left_alone
from backend.generation.letter.medicines.repeated_rows import repeats_rows
from backend.generation.letter.medicines.stated.visit_decisions import (
    continuing_all,
    holds_decisions,
    is_outside,
    is_visit,
)
from backend.generation.letter.plan_items.plan_slots import names_visit
from backend.generation.letter.story import Story, StorySentence, addressee, story
from backend.generation.letter.untold.left_out import LeftOut
from backend.generation.letter.untold.open_parts import lacks_course, names_appointment
from backend.generation.standing.general_warnings import general_warnings
from backend.knowledge.advice.red_flags import EMERGENCIES, WARNING_SIGNS, level_of
from backend.knowledge.advice.sign_classes import Level
from backend.nlp.people.care_frames import cannot_read, comfort_goal
from backend.nlp.people.situations import LIFE, When, quiet_today
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.gaps import GAP, OF_STAY, UntoldLine, gap_text
from backend.schemas.drafts.headings import (
    ACTIVITY,
    DIET,
    FOLLOW_UP,
    FOUND,
    MEDICINES_PART,
    PRECAUTIONS,
    WARNING,
    WHY,
)
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.record import PatientRecord
from backend.schemas.vocabulary import AllergyStatus, Basis, ConditionStatus, Fit, Length
from backend.verification.fit.presuppositions import is_caution

_GOES_ON = frozenset({MedicineAction.CONTINUE, MedicineAction.TAKE, MedicineAction.CHANGED, MedicineAction.NEW})
_DECIDED = _GOES_ON | {MedicineAction.AS_NEEDED, MedicineAction.STOPPED, MedicineAction.ON_HOLD}
_MEANING = re.compile(r" \([^()]*\)")
ALLERGY_ADVICE = re.compile(r"^tell every\b.*\ballerg", re.IGNORECASE)


def discharge_instructions(
    material: Material,
    glossary: Glossary,
    request: DraftRequest,
    rows: Sequence[MedicineRow],
    standing: Sequence[WrittenSentence] = (),
) -> Steps[WrittenSentence, None, tuple[UntoldLine, ...]]:
    """Yield the letter's sentences by heading; nothing for a note in which nothing was recognised.

    Args:
        material: what may be said.
        glossary: explains terms at first use.
        request: as it came; its length says how much advice is given.
        rows: the medicine table.
        standing: what every letter of this patient has, whoever writes it.

    Returns:
        What the note decides or found and the letter does not tell.
    """
    linked, record = material.linked, material.record
    if not record.statements[2:] and not linked.note.mentions and not request.hospital_course:
        return ()
    letter = _Letter(material, glossary, request, rows, standing)
    told = list(letter.sentences())
    repeated = letter.repeated()
    yield from sorted((one for one in told if one.text not in repeated), key=_place)
    return letter.left_out.lines()


ORDER = (WHY, FOUND, MEDICINES_PART, FOLLOW_UP, WARNING, PRECAUTIONS, DIET, ACTIVITY)


class _Letter:
    """One letter. Use once."""

    def __init__(
        self,
        material: Material,
        glossary: Glossary,
        request: DraftRequest,
        rows: Sequence[MedicineRow],
        standing: Sequence[WrittenSentence],
    ) -> None:
        self._material = material
        self._glossary = glossary
        self._request = request
        self._rows = rows
        self._standing = standing
        self._left_alone = left_alone(rows)
        self._record: PatientRecord = material.record
        self._written = WrittenSoFar()
        self._unread = cannot_read(self._record, request.going_home)
        self._unadvised = comfort_goal(self._record) or self._unread
        self._signs = material.fit.told_signs()
        self._signed = frozenset(one.text for one in standing)
        self._warned, self._emergencies = 0, 0
        self._visits_asked = self._followed = self._planned = self._has_own_warning = self._diagnosed = False
        self._cautioned = frozenset[str]()
        self.left_out = LeftOut(material.linked.note.text, material.pieces_of("Pasted note"))
        stay = bool(request.hospital_course) or self._record.encounter.setting in STAYS
        self._budget = AdviceBudget(request.length, stay=stay, record=self._record)
        self._quiet = quiet_today(material.linked)
        self._left, self._situation_left = self._budget.room.words, SITUATION_WORDS[request.length]

    def repeated(self) -> frozenset[str]:
        """The warnings of the handbook that a later one tells too, as urgently and of more cases."""
        own = {one for one in general_warnings() if level_of(one) not in EMERGENCIES and self._has_own_warning}
        return self._signs.repeated() - (self._signed - frozenset(general_warnings())) | own

    def sentences(self) -> Iterator[WrittenSentence]:
        """Yield them in the order in which they are decided; the layout's order is another."""
        material = self._material
        for one in self._standing:
            # a crisis line tells at once for what the chapters send to the emergency department
            self._written.is_new(one.text, at=Level.EMERGENCY_DEPARTMENT if one.section == WARNING else None)
            # what the hospital signed is beside the advice that a letter has room for
            counts = one.basis is Basis.GENERAL and one.citations and one.section == WARNING
            words = self._told(one.section, one.text)
            if one.section == WARNING and not self._signs.is_new(words) and one.text in general_warnings():
                continue
            self._left -= len(words.split()) if counts else 0
            self._warned += one.section == WARNING and one.text not in general_warnings()
            yield one.model_copy(update={"text": words})
        if self._unread:
            yield _gap(WHY, "what the family should know; the patient cannot read this letter")
            yield from self._allergies()
            return
        rests = (self._record, material.linked.note.text, material.evidence.notes, self._glossary.plain)
        patient_story: Story = story(*rests, corrections=self._request.corrections)
        named = list(lead_sentences(material, self._glossary, patient_story))
        self._diagnosed = patient_story.opening > 1
        opens = patient_story.why[: patient_story.opening]  # what they came for comes first
        yield from self._story_part(WHY, opens)
        yield from named
        yield from self._story_part(WHY, patient_story.why[len(opens) :])
        said = [*(one.text for one in (*patient_story.why, *patient_story.found)), *(one.text for one in named)]
        operations = list(operation_sentences(material, self._glossary, said))
        yield from operations
        yield from self._story_part(FOUND, patient_story.found)
        course = material.pieces_of("Hospital course")
        leads = [condition.name for condition in material.focus]
        found = found_lines(*rests, patient_story, leads, self._request.corrections)
        yield from self._story_part(FOUND, found.sentences)
        self.left_out.add(FOUND, () if course else found.untold)
        self.left_out.add(FOLLOW_UP, patient_story.to_put)
        yield from (patient_sentence(FOUND, piece.text, (piece.id,)) for piece in course)
        told = bool(operations or patient_story.found or found.sentences or found.untold)
        if not course and lacks_course(self._record, material.linked.note.text, told=told):
            yield _gap(FOUND, "what was found and done during the stay")
        yield from self._medicines()
        yield from self._story_part(FOLLOW_UP, [one for one in patient_story.decided if not one.help])
        yield from self._story_part(WARNING, [one for one in patient_story.decided if one.help])
        if not any(names_appointment(one.text) for one in patient_story.decided if not one.help):
            self._visits_asked = True
            places = (material.piece_at(one.start) for one in patient_story.to_put if names_appointment(one.text))
            cited = tuple(dict.fromkeys(piece.id for piece in places if piece is not None))
            yield _gap(FOLLOW_UP, "appointments, with dates and places", cited)
        yield from self._allergies()
        # what sends to emergency treatment is told before what can wait for a call, whatever brings it
        warnings, others = self._budget.parts[:1], self._budget.parts[1:]
        yield from self._advice(warnings, self._material.focus, EMERGENCIES)
        if not self._unadvised:
            yield from islice(self._of_situations(WARNING, WARNING_SIGNS, EMERGENCIES), OF_SITUATIONS[WARNING_SIGNS])
            yield from self._of_situations(PRECAUTIONS, "Precautions", whens=LIFE)  # whatever else there is room for
        yield from self._advice(warnings, self._material.focus)
        yield from self._advice(self._budget.first_of_all, self._material.focus[:1])
        yield from self._situations()
        yield from self._advice(others, self._material.focus)
        if not self._unadvised:
            yield from islice(self._of_situations(FOLLOW_UP, "Follow-up"), OF_SITUATIONS["Follow-up"])
        if not self._warned and not self._has_own_warning:
            yield _gap(WARNING, "when to call or come back, for this patient")

    def _told(self, heading: str, text: str) -> str:
        """A general sentence as this patient is told it: only warnings differ, by their level and by what is there already."""
        return self._material.fit.told(text) if heading == WARNING else text

    def _story_part(self, heading: str, sentences: Sequence[StorySentence]) -> Iterator[WrittenSentence]:
        for one in sentences:
            pieces = [piece for piece in self._material.evidence.notes if piece.id in one.citations]
            if one.explained and self._material.fit.claims(one.text, pieces).fit is Fit.NOT_FOR_THIS_PATIENT:
                one = one._replace(
                    text=_MEANING.sub("", one.text), explained=()
                )  # a name may fit where its meaning does not
            if self._material.fit.claims(one.text, pieces).fit is Fit.NOT_FOR_THIS_PATIENT:
                continue  # turned wrongly, or read wrongly: what is in doubt is not told
            if heading == FOLLOW_UP and repeats_rows(one.text, self._rows):
                continue
            if self._written.is_new(one.text, whole=True) or heading == FOLLOW_UP:  # what was found repeats no decision
                self._followed |= heading == FOLLOW_UP
                self._planned |= heading in (FOLLOW_UP, WARNING)
                if heading == WARNING:
                    self._has_own_warning = self._signs.told_by_note(one.text)
                sources = tuple(g for concept in one.explained for g in self._glossary.source(concept))
                yield patient_sentence(heading, one.text, (*one.citations, *sources))

    def _medicines(self) -> Iterator[WrittenSentence]:
        none = all(row.prompt in OF_THE_STAY or row.action is MedicineAction.HOSPITAL_ONLY for row in self._rows)
        nothing = list(no_medicines_sentences(self._material, addressee(self._record).you)) if none else []
        told = [*nothing, *medicine_sentences(self._rows)]
        listed = self._request.discharge_medicines or any(row.source in (THE_LIST, BOTH) for row in self._rows)
        kept = None if listed or not is_visit(self._record) else continuing_all(self._record)
        piece = self._material.piece_at(kept.spans[0].start_char) if kept is not None and kept.spans else None
        if piece is not None and not any(row.action is MedicineAction.CONTINUE for row in self._rows):
            asked = next((i for i, (text, _) in enumerate(told) if GAP.search(text)), len(told))
            told.insert(asked, (KEPT_TOO if asked else KEPT, (piece.id,)))
        yield from (patient_sentence(MEDICINES_PART, text, cites) for text, cites in told)
        # a visit's note tells what it leaves as it is, and what it decides
        decided = any(
            row.prompt == Prompt.UNCHANGED or (row.action in _DECIDED and not row.prompt) for row in self._rows
        )
        visit = decided or piece is not None or bool(nothing)
        visit &= is_outside(self._record) and holds_decisions(self._record, self._material.linked.note.text)
        if not listed and not visit and not any(GAP.search(text) for text, _ in told):
            yield _gap(MEDICINES_PART, "which medicines to take, change or stop, with doses")
        elif not listed and not visit and (given := self._given_here()):
            yield _gap(MEDICINES_PART, OF_STAY, given)

    def _given_here(self) -> tuple[str, ...]:
        """What tells of medicines that a stay gave, where nobody has decided yet what goes on at home."""
        if self._record.encounter.setting not in STAYS or any(row.action in _GOES_ON for row in self._rows):
            return ()
        given = (row for row in self._rows if row.action is MedicineAction.HOSPITAL_ONLY)
        return tuple(dict.fromkeys(cited for row in given for cited in row.citations))

    def _allergies(self) -> Iterator[WrittenSentence]:
        material = self._material
        yield from (patient_sentence(PRECAUTIONS, text, cites) for text, cites in allergy_sentences(material))
        allergies = material.linked.allergies
        if allergies.items and not self._unadvised:
            if quote := next((q for q in material.all_quotes() if ALLERGY_ADVICE.search(q.text)), None):
                yield from self._quote(PRECAUTIONS, quote, None)
        elif allergies.possible and not allergies.items:
            pieces = [material.piece_at(one.start_char) for one in allergies.possible]
            cites = tuple(dict.fromkeys(piece.id for piece in pieces if piece is not None))
            yield _gap(PRECAUTIONS, asked_allergies(allergies.possible), cites)
        elif not allergies.items and allergies.status in (AllergyStatus.NOT_STATED, AllergyStatus.UNREADABLE):
            yield _gap(PRECAUTIONS, "allergies; the note does not say")

    def _situations(self) -> Iterator[WrittenSentence]:
        """Yield what a situation of the patient asks for, whatever the letter is about: a pregnancy, a donated organ."""
        material = self._material
        for situation in situations(material, self._left_alone):
            text, cites = stated(material, situation, self._glossary)
            if cites:
                yield patient_sentence(PRECAUTIONS, text, cites)
        if self._unadvised:
            return
        for heading, part in ((WARNING, "Warning signs"), (PRECAUTIONS, "Precautions")):
            yield from islice(self._of_situations(heading, part), OF_SITUATIONS[part])

    def _of_situations(
        self, heading: str, part: str, levels: Collection[Level] = (), whens: Collection[When] = frozenset(When)
    ) -> Iterator[WrittenSentence]:
        reached = self._material.reached
        rows = [row for row in self._rows if row.concept_id not in reached and reached.isdisjoint(row.ingredients)]
        for advised in advice(self._material, part, self._left_alone, whens):
            text, cites = advised.said(rows)
            text = self._told(heading, text)
            if not text or (levels and level_of(text) not in levels):
                continue
            if heading == FOLLOW_UP and advised.concepts and not self._followed:
                continue  # when a medicine is checked is no follow-up of what they came for
            words = len(text.split())
            if levels or words <= self._situation_left:
                for one in self._quote(heading, advised.quote, None, text, cites):
                    self._situation_left -= 0 if levels else words
                    yield one

    def _advice(
        self,
        parts: Sequence[Part],
        conditions: Sequence[Condition],
        levels: Collection[Level] = (),
    ) -> Iterator[WrittenSentence]:
        """Yield what some parts of the chapters of the written conditions say and fits: the first in full, the second briefly.

        They are about curing and preventing at home, so there is none where comfort is the goal, or for who cannot read them.
        """
        if self._unadvised:
            return
        for place, condition in enumerate(conditions):
            illness = is_illness(condition, self._record)
            sure, quiet = is_sure(condition, self._record), condition.concept_id in self._quiet
            explained = condition.concept_id in self._glossary.plain or (self._diagnosed and not illness)
            for heading, part, most in parts:
                if heading == WHY and explained and self._request.length is not Length.FULL:
                    continue  # its name has stood there with what it means, or the diagnosis says where the complaint comes from
                quotes = by_importance(self._material.quotes(condition, part), part, self._material.fit.takes)
                if heading == WHY and any(one.chapter != condition.name.lower() for one in quotes):
                    continue  # what tells of it is the chapter of something broader
                for quote in quotes[: self._budget.of(part, most, place, illness=illness, sure=sure, quiet=quiet)]:
                    if heading != WARNING and not illness and calls_it(condition, quote.text):
                        continue  # swollen lips that the chapter on angioedema tells of are no angioedema yet
                    text = self._told(heading, quote.text)
                    if levels and level_of(text) not in levels:
                        continue
                    yield from self._quote(heading, quote, condition, text)

    def _quote(
        self,
        heading: str,
        quote: QuotedSentence,
        condition: Condition | None,
        said: str = "",
        cites: tuple[str, ...] = (),
    ) -> Iterator[WrittenSentence]:
        """Yield a quote as a sentence of the letter. said: it, with the patient's own medicines by name; cites: the pieces that name them."""
        text, words = said or quote.text, len((said or quote.text).split())
        room, urgent = self._budget.room, level_of(text) in EMERGENCIES
        if heading == WARNING and (self._warned >= room.warnings or (urgent and self._emergencies >= room.emergencies)):
            return
        after = {"planned": self._followed if heading == FOLLOW_UP else self._planned}
        after["already"] = self._material.fit.has_already(quote.text)
        if self._budget.leaves_out(text, quote.passage.section, **after):
            return
        if heading == FOLLOW_UP and self._visits_asked and names_visit(text):
            return  # when to come the team is asked
        about = condition.concept_id if condition is not None else ""
        if words > self._left or not self._material.is_for_patient(quote, about):
            return
        if heading == MEDICINES_PART and not self._material.is_of_own_medicines(quote, begun=self._budget.visit):
            return
        cautioned = quote.medicines if heading == PRECAUTIONS and is_caution(text) else frozenset[str]()
        if (cautioned and cautioned <= self._cautioned) or not self._written.is_new(text):
            return
        if heading == WARNING and not self._signs.is_new(text):
            return
        self._cautioned |= cautioned
        self._left -= words
        self._warned += heading == WARNING
        self._emergencies += heading == WARNING and urgent
        self._followed |= heading == FOLLOW_UP
        possible = condition is not None and condition.status is ConditionStatus.POSSIBLE
        yield WrittenSentence(
            text=text,
            section=heading,
            basis=Basis.POSSIBLE if possible else Basis.GENERAL,
            citations=(quote.passage.id, *cites),
            condition_id=condition.concept_id
            if condition and condition.status is not ConditionStatus.CONFIRMED
            else None,
        )


def _place(one: WrittenSentence) -> tuple[int, int]:
    """Where a sentence stands: by its heading, and a warning by its level, the note's own first, gaps behind; a gap of medicines asks of those before it."""
    level = level_of(one.text) if one.section == WARNING and one.basis is not Basis.PATIENT else None
    behind = one.text.startswith("[") and one.section != MEDICINES_PART
    return ORDER.index(one.section), level.rank + 1 if level else len(Level) + 1 if behind else 0


def _gap(section: str, what: str, cites: tuple[str, ...] = ()) -> WrittenSentence:
    basis = Basis.PATIENT if cites else Basis.GENERAL
    return WrittenSentence(text=gap_text(what), section=section, basis=basis, citations=cites)
