"""What is advised because of what else a patient has, takes or lives with, beside what the letter is about.

A situation (pregnancy, a donated organ, failed kidneys, a blood thinner) holds whatever a patient came with. A medicine has its whole
advice where it is new, changed or for home from now on, or where it treats what the letter is about; one that goes on as before has been
explained, and one of a short course is soon over: of these the letter tells the gravest dangers alone.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import NamedTuple

from backend.generation.composer.material import Material, QuotedSentence
from backend.generation.composer.wording import Glossary
from backend.generation.letter.medicines.medicine_decisions import Kind, is_taken_now, kind_of, was_started_on
from backend.generation.letter.medicines.medicine_prompts import Prompt, asks
from backend.generation.letter.medicines.stated.regimens import stated as says_how
from backend.generation.letter.medicines.stated.told_events import events_of
from backend.knowledge.advice.pointing_words import points, with_names
from backend.knowledge.advice.red_flags import EMERGENCIES, WARNING_SIGNS, level_of
from backend.nlp.medications.tolerance import advisable
from backend.nlp.people.care_frames import is_office_visit
from backend.nlp.people.situations import (
    MEDICINES,
    ONE_SENTENCE,
    PREGNANCY,
    PROBLEMS,
    Situation,
    When,
    situations_of,
    unsettled_today,
)
from backend.schemas.drafts.medicines import MedicineRow
from backend.schemas.drafts.note import Mention
from backend.schemas.record import ClinicalStatus, MedicationStatement
from backend.schemas.vocabulary import Category
from backend.verification.fit.statement_words import is_local

_WEEKS = re.compile(r"\b\d{1,2}(?:[\s-]*(?:weeks?|wks?)\b|w\d?|\+\d)|\bpregnan", re.IGNORECASE)
_AT_HOME = frozenset((Kind.TAKEN, Kind.CONTINUED, Kind.CHANGED, Kind.STARTED, Kind.DISCHARGE))
_BEGUN = frozenset((Kind.CHANGED, Kind.STARTED, Kind.DISCHARGE))
MOST: Mapping[str, int] = MappingProxyType({"Precautions": 3, "Warning signs": 4, "Follow-up": 2})
"""Sentences of one part of a situation's chapter."""
REMINDED = 1
"""Sentences of one part of a medicine's chapter where it goes on as before and treats nothing that the letter is about."""
GRAVEST = 2
"""Emergencies that a letter tells of a medicine of a short course, and of any after a visit, which adds one sign to call for."""


def situations(material: Material, left: Collection[str] = (), part: str = "") -> list[Situation]:
    """Those of the note and of the list for home; a medicine brings one where it is taken at home, a problem where none tells it over.

    What a patient has had for long brings one where today is about it and it is not quiet, or where it shows today: asthma beside a cough.

    Args:
        material: of the patient.
        left: concepts of medicines that the letter tells to leave: how they are taken is no advice.
        part: of the chapters, for which they are asked.
    """
    home, over, today = _home(material, left, part), _over(material), unsettled_today(material.linked)
    return [
        s
        for s in situations_of(material.linked, listed=material.listed)
        if (s.row.when not in MEDICINES or _own(s, home) or not s.row.names.isdisjoint(material.listed))
        and (s.row.when not in PROBLEMS or any(m.concept_id not in over for m in s.mentions))
        and (s.row.when is not When.KNOWN or any(m.concept_id in today or _shows(material, m) for m in s.mentions))
    ]


def taken(material: Material, kinds: Collection[Kind] = _AT_HOME) -> frozenset[str]:
    """The concepts of the medicines that the record has as taken at home, or begun for home, and through the body, each combination with its ingredients.

    What was taken once before somebody came is none of them, nor what the patient was told not to take again.

    Args:
        material: of the patient.
        kinds: what a statement says of a medicine that counts, beside what a plan begins.
    """
    body = [(m, kind_of(m)) for m in advisable(material.record) if not is_local(m.dosage)]
    home = [(m, kind) for m, kind in body if kind in kinds or (kind is Kind.PLANNED and _is_begun(m))]
    own = [m for m, kind in home if kind is not Kind.TAKEN or is_taken_now(m)]
    return frozenset(concept for m in own for concept in (m.concept_id, *m.ingredients) if concept)


def _home(material: Material, left: Collection[str], part: str) -> frozenset[str]:
    """What is taken at home by the record; for warning signs what was begun as well, though nothing says that it goes on.

    A sign that nobody needs does no harm, and who was started on a medicine and not told its signs may come too late.
    """
    home = taken(material)
    return (home | _started_on(material) if part == WARNING_SIGNS else home) - frozenset(left)


def _started_on(material: Material) -> frozenset[str]:
    body = [m for m in advisable(material.record) if not is_local(m.dosage)]
    begun = [m for m in body if kind_of(m) is Kind.TAKEN and was_started_on(m)]
    return frozenset(concept for m in begun for concept in (m.concept_id, *m.ingredients) if concept)


def _shows(material: Material, mention: Mention) -> bool:
    present = material.fit.present
    return present is not None and present.holds(material.shows_as(mention.concept_id))


def _over(material: Material) -> frozenset[str]:
    """The concepts of the patient's problems that one of their statements tells as past, whatever another says."""
    return frozenset(
        one.concept_id
        for one in material.record.stated_problems
        if one.concept_id and one.clinical_status is not ClinicalStatus.ACTIVE and not one.chronic
    )


def stated(material: Material, situation: Situation, glossary: Glossary) -> tuple[str, tuple[str, ...]]:
    """The sentence that says what the note says, with its citations; none where its row has none or the note no piece for it."""
    home = taken(material)
    if not situation.row.sentence:
        return "", ()
    mentions = _own(situation, home) if situation.row.when in MEDICINES else situation.mentions
    if situation.row.when in MEDICINES and not mentions:
        return "", ()  # the note tells nothing of what the list for home alone names
    cites = cited(material, mentions)
    if "{name}" not in situation.row.sentence:
        return situation.row.sentence, cites
    mention = mentions[0]
    text = situation.row.sentence.format(name=glossary.term(mention.concept_id, mention.name))
    return text, (*cites, *glossary.source(mention.concept_id)) if cites else ()


def cited(material: Material, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """The piece that says who the patient is where it counts weeks ("G2P1 at 29w4d"), else that of the first mention."""
    start = material.linked.patient.start_char
    piece = material.piece_at(start) if start is not None else None
    pregnant = not mentions or mentions[0].name == PREGNANCY
    if piece and pregnant and _WEEKS.search(piece.text):
        return (piece.id,)
    return material.piece_ids(mentions[:1])


class Advised(NamedTuple):
    """A sentence of a situation's chapter, with the concepts and the names of the medicines that bring it; none for another situation."""

    quote: QuotedSentence
    concepts: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def said(self, rows: Sequence[MedicineRow]) -> tuple[str, tuple[str, ...]]:
        """The sentence with the patient's medicines by name for "this blood pressure pill", and the pieces that name them.

        Empty where the sentence points to a medicine and no row names it: nobody could tell which of their pills is meant.
        """
        text = self.quote.text
        if not points(text):
            return text, ()
        held = [row for row in rows if self._is_of(row)]
        if not held:
            return "", ()
        names = " or ".join(dict.fromkeys(row.name for row in held))
        return with_names(text, names), tuple(dict.fromkeys(cite for row in held for cite in row.citations[:1]))

    def _is_of(self, row: MedicineRow) -> bool:
        if asks(row.prompt, (Prompt.CLASS, Prompt.CLASS_KEPT)):
            return False
        own = self.concepts & {row.concept_id or "", *row.ingredients}
        return bool(own) or not self.names.isdisjoint(
            {row.name.lower(), row.name.rpartition("(")[2].rstrip(")").lower()}
        )


def advice(
    material: Material, part: str, left: Collection[str] = (), whens: Collection[When] = frozenset(When)
) -> Iterator[Advised]:
    """Yield the sentences of one part of the chapters: the first of each situation, the gravest before, then the second of each.

    What sends to emergency treatment goes before all else. What the letter is about has its own chapter in it already; of an illness
    that the patient did not come for one sentence is enough, of one of today one of each level of emergency.

    Args:
        material: of the patient.
        part: of the chapters.
        left: concepts of medicines that the letter tells to leave.
        whens: the rows that count.
    """
    about = {condition.name for condition in material.focus}
    home, begun = _home(material, left, part), taken(material, _BEGUN) | _started_on(material)
    held = [
        s
        for s in situations(material, left, part)
        if part in s.row.parts and s.row.when in whens and s.row.chapter and s.row.chapter not in about
    ]
    told = [
        [
            Advised(quote, frozenset(m.concept_id for m in _own(s, home)), s.row.names & material.listed)
            if s.row.when in MEDICINES
            else Advised(quote)
            for quote in _quotes(material, s, part, home, begun)
        ]
        for s in held
    ]
    all_told = [one for round_ in zip_longest(*told) for one in round_ if one is not None]
    yield from sorted(
        all_told, key=lambda one: level_of(one.quote.text) not in EMERGENCIES if part == WARNING_SIGNS else False
    )


def _quotes(
    material: Material, situation: Situation, part: str, home: frozenset[str], begun: frozenset[str]
) -> Sequence[QuotedSentence]:
    """The sentences of one part of a situation's chapter."""
    when, chapter = situation.row.when, situation.row.chapter
    whole = material.situation_quotes(chapter, part, MOST[part])
    if when in (When.TODAY, When.GRAVE) and part == WARNING_SIGNS:
        first = {level_of(quote.text): quote for quote in reversed(whole)}
        return [one for one in whole if one is whole[0] or one in (first.get(level) for level in EMERGENCIES)]
    if when in ONE_SENTENCE:
        return whole[:1]
    if when not in MEDICINES:
        return whole
    urgent = [one for one in whole if level_of(one.text) in EMERGENCIES]
    own = [mention.concept_id for mention in _own(situation, home)]
    if _is_of_today(material, situation, home, begun):
        if own and not any(map(material.fit.takes_for_long, own)):
            return urgent[:GRAVEST] or whole[:REMINDED]
        visit = is_office_visit(material.record)
        return [*urgent[:GRAVEST], *[one for one in whole if one not in urgent][:REMINDED]] if visit else whole
    if part != WARNING_SIGNS:
        return whole[:REMINDED]
    if when is When.TAKEN:
        return urgent or whole[:REMINDED]
    # of a sign that is there today a medicine warns however long it is taken
    present = material.fit.present
    return [one for one in whole if present is not None and present.touches(one.text)]


def _is_of_today(material: Material, situation: Situation, home: frozenset[str], begun: frozenset[str]) -> bool:
    """Whether a situation's medicine is new, changed or on the list for home, or treats what the letter is about.

    One whose dangers stay may as well treat another illness of today that is not quiet.
    """
    own = {mention.concept_id for mention in _own(situation, home)}
    about = {condition.concept_id for condition in material.focus}
    if situation.row.when is When.TAKEN:
        ills = {one.concept_id for one in material.linked.note.mentions if one.category is Category.DISEASE}
        about |= ills & unsettled_today(material.linked)
    return (
        not own.isdisjoint(begun)
        or not situation.row.names.isdisjoint(material.listed)
        or any(material.treats(medicine, problem) for medicine in own for problem in about)
    )


def _own(situation: Situation, home: frozenset[str]) -> tuple[Mention, ...]:
    return tuple(m for m in situation.mentions if m.concept_id in home)


def _is_begun(one: MedicationStatement) -> bool:
    """Whether a plan begins a medicine: it orders it, or tells how it is taken."""
    return bool(events_of(one) & {"ORDERED", "STARTED"}) or says_how((one.dosage,))
