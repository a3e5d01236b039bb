"""The patient's own story: what the note says of this patient, in plain words, each sentence with what it rests on.

Takes the record, the note with its pieces, and the plain words of concepts; gives why they came and how it went, what was found and
done, what is decided, and for the clinician alone what the note says in two ways. Three steps, each a module: which clauses matter
(story_selection), their wording (plain_terms, second_person), and the frames by setting (frames). A clause that cannot be turned surely
is quoted; nothing is added to what the note says.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from backend.generation.letter.contradictions import Contradiction, contradictions
from backend.generation.letter.faithful import is_faithful
from backend.generation.letter.frames import framed, object_of
from backend.generation.letter.letter_words import lists, words_of
from backend.generation.letter.plain_terms import PlainTerms, to_you
from backend.generation.letter.second_person import Addressee, has_finite_verb, second_person
from backend.generation.letter.story_selection import PASTED, Part, Unit, units
from backend.generation.letter.verb_forms import verbs
from backend.nlp.lexicon.variants import stem
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.record import (
    MedicationStatement,
    ObservationStatement,
    PatientRecord,
    PlanKind,
    ProblemStatement,
    ProcedureStatement,
    Setting,
    SocialStatement,
    VerificationStatus,
)
from backend.schemas.vocabulary import SectionCategory

MOST_WORDS = 210
"""Words of a story: about a page that is read to its end."""
CHILD = 16
"""Years below which a letter speaks to the parent."""
_LONGEST, _LONGEST_NOTE, _LONGEST_QUOTE = 42, 65, 30
_JOINED = 4
"""Telegrams of one frame that make one sentence."""
_SHORT_REASON = 24
_SAID_ALREADY = 0.75
_FEWEST = 3


class StorySentence(NamedTuple):
    """A sentence for the patient. citations: ids of the pieces it rests on. statement_ids: of the record."""

    text: str
    citations: tuple[str, ...]
    statement_ids: tuple[str, ...]


class Story(NamedTuple):
    """The parts of a story in order; contradictions are for the clinician, never for the letter."""

    why: tuple[StorySentence, ...] = ()
    found: tuple[StorySentence, ...] = ()
    decided: tuple[StorySentence, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


class _Told(NamedTuple):
    """A unit in words. frame: what stands before a telegram; empty where the text is a sentence."""

    unit: Unit
    text: str
    frame: str = ""


def story(
    record: PatientRecord,
    note_text: str,
    pieces: Sequence[NotePiece],
    plain: Mapping[str, str],
    most_words: int = MOST_WORDS,
) -> Story:
    """Tell a note to its patient.

    Args:
        record: of the note.
        note_text: the note, which the record's spans and the pasted pieces index.
        pieces: the patient's notes as evidence; only pieces of the pasted note are told.
        plain: everyday words by concept id.
        most_words: the length, in words of the letter.
    """
    return _Teller(record, note_text, pieces, plain).told(most_words)


def addressee(record: PatientRecord) -> Addressee:
    """To whom a letter of this record speaks."""
    age = record.person.age_years
    return Addressee(record.person.sex, age is not None and age < CHILD)


class _Teller:
    """Tells one note. Use once."""

    def __init__(
        self, record: PatientRecord, note_text: str, pieces: Sequence[NotePiece], plain: Mapping[str, str]
    ) -> None:
        self._record = record
        self._note = note_text
        self._pieces = [p for p in pieces if p.note_type == PASTED]
        self._terms = PlainTerms(record.statements, plain)
        self._patient = addressee(record)
        self._setting = record.encounter.setting

    def told(self, most_words: int) -> Story:
        every = units(self._record, self._note, self._pieces)
        opening, used = self._opening(every)
        left = most_words - sum(len(one.text.split()) for one in opening)
        said = [_stems(one.text) for one in opening]
        chosen: list[_Told] = []
        for unit in sorted(every, key=lambda one: (-one.weight, one.start)):
            if unit.weight <= 0 or unit.start in used:
                continue
            told = self._worded(unit)
            if told is None:
                continue
            words = _stems(told.text)
            if _repeats(words, said):
                continue
            length = len(told.text.split()) + 2 * bool(told.frame)
            if length > left:
                continue
            left -= length
            said.append(words)
            chosen.append(told)
        chosen.sort(key=lambda one: one.unit.start)
        parts = {part: tuple(self._sentences([one for one in chosen if one.unit.part is part])) for part in Part}
        found = contradictions(self._record)
        return Story((*opening, *parts[Part.WHY]), parts[Part.FOUND], parts[Part.DECIDED], found)

    def _opening(self, every: Sequence[Unit]) -> tuple[tuple[StorySentence, ...], frozenset[int]]:
        """Why they came: the sentence of the history that tells it, else the stated reason in the frame of the setting."""
        first = next((u for u in every if u.opening and u.section is SectionCategory.HISTORY_OF_PRESENT_ILLNESS), None)
        reason = self._record.encounter.reason
        if first is not None:
            told = self._worded(first)
            covered = told is not None and (not reason or len(_stems(reason) & _stems(told.text)) * 2 >= len(_stems(reason)))
            if told is not None and not told.frame and covered:
                return (self._sentence(told.text, [first]),), frozenset((first.start,))
        if not reason or not self._record.encounter.spans:
            return (), frozenset()
        span = self._record.encounter.spans[0]
        about = [u for u in every if u.start < span.end_char and span.start_char < u.end]
        text = self._reason(reason, span.start_char)
        if not text:
            return (), frozenset()
        ids = tuple(one.id for u in about for one in u.statements)
        sentence = StorySentence(text, self._cited(span.start_char, span.end_char), ("encounter", *ids))
        whole = frozenset(u.start for u in about if u.section is SectionCategory.CHIEF_COMPLAINT)
        return (sentence,), whole

    def _reason(self, reason: str, start: int) -> str:
        """The stated reason as a sentence; empty where it cannot be told."""
        said = " ".join(self._terms.said(reason, start).split())
        said = re.sub(r"[.,;]?\s*(?:^|\s)\d{1,2}[.)]\s+", ", ", said).strip(" .,;:")
        parts = re.split(r"(?<=[a-z])\.\s+(?=[A-Z])", said)
        if len(parts) > 1 and not has_finite_verb(said):
            said = ", ".join([parts[0], *(_lowered(part) for part in parts[1:])])
        words = said.split()
        if self._terms.residue(said) or not words or len(words) > _LONGEST:
            return ""
        if said[0] in "\"“" and said[-1] in "\"”":
            return framed("said", self._setting, self._patient, said)
        turned = second_person(said, self._patient)
        if turned is None or not is_faithful(said, turned, self._patient):
            return ""
        turned = to_you(turned)
        if has_finite_verb(turned):
            return _stopped(turned)
        frame = "came" if len(words) <= _SHORT_REASON and ":" not in said else "reason"
        return _stopped(framed(frame, self._setting, self._patient, _lowered(turned)))

    def _worded(self, unit: Unit) -> _Told | None:
        """A unit in words for the patient: a sentence, a telegram with its frame, or a quotation; None where it is not told."""
        text = " ".join(unit.text.split())
        said = self._terms.said(unit.text, unit.start)
        said = " ".join(said.split())
        if len(said.split()) > _LONGEST_NOTE or self._terms.residue(said):
            return self._quoted(unit, text)
        imperative = self._imperative(unit, said)
        if imperative is not None:
            return imperative
        turned = second_person(said, self._patient, unit.before)
        if turned is None or not is_faithful(said, turned, self._patient):
            return self._quoted(unit, text)
        if any(len(one.split()) > _LONGEST for one in re.split(r"(?<=[.!?])\s+(?=[A-Z])", turned)):
            return self._quoted(unit, text)
        if has_finite_verb(turned):
            return _Told(unit, _stopped(to_you(turned)))
        frame = self._frame(unit) if unit.statements else self._bare(unit)
        return _Told(unit, _lowered(turned).rstrip(" ."), frame) if frame else self._quoted(unit, text)

    def _imperative(self, unit: Unit, said: str) -> _Told | None:
        """A decision in the imperative: to the patient what is theirs to do, the rest as the plan of the team."""
        words = words_of(said)
        if unit.part is not Part.DECIDED or not words or words[0].low not in verbs():
            return None
        verb = words[0].low
        following = words[1].low if len(words) > 1 else ""
        if following in ("is", "was", "are", "were", ":") or len(words) < 2:
            return None
        turned = second_person(said, self._patient, unit.before)
        if turned is None or not is_faithful(said, turned, self._patient):
            return None
        if unit.kind in _TO_PATIENT or (unit.kind is PlanKind.FOLLOW_UP and verb in ("follow", "return", "call", "see", "come")):
            return _Told(unit, _stopped(turned))
        put = object_of(verb, self._patient)
        rest = turned.split(" ", 1)[1] if " " in turned else ""
        if put and (put.endswith(" to") or following in lists()["prepositions"] or following == "home"):
            if put.endswith(" to") and rest.startswith("to "):
                rest = rest[3:]
            if not rest.startswith((f"{self._patient.you} ", "you ")):
                rest = f"{put} {rest}"
        return _Told(unit, f"{verb} {rest}".rstrip(" ."), _TO_DO)

    def _frame(self, unit: Unit) -> str:
        """What a telegram is told as; empty where no frame is sure."""
        if unit.part is Part.DECIDED:
            if any(isinstance(one, SocialStatement) for one in unit.statements):
                return "habits"
            if unit.kind is None or unit.kind is PlanKind.OTHER:
                if any(isinstance(one, MedicationStatement) for one in unit.statements):
                    return "medicine"
                return "other"
            return unit.kind.value
        if unit.part is Part.FOUND:
            return self._found(unit)
        if unit.section in _HISTORIES:
            return "history"
        if unit.section is SectionCategory.SOCIAL_HISTORY:
            return "habits"
        if unit.section is SectionCategory.MEDICATIONS:
            return "medicine"
        problems = [one for one in unit.statements if isinstance(one, ProblemStatement)]
        if problems and problems[0].verification_status is VerificationStatus.REFUTED:
            return "denied" if re.match(r"no\b", unit.text, re.IGNORECASE) else ""
        if problems and problems[0].spans[0].start_char - unit.start <= _NEAR and not problems[0].hypothetical:
            return "felt"
        return ""

    def _bare(self, unit: Unit) -> str:
        """The frame of a telegram in which nothing was read: only of a plan or an assessment it is known what it is."""
        if unit.section in (SectionCategory.PLAN, SectionCategory.INSTRUCTIONS):
            return "other"
        return "noted" if unit.section is SectionCategory.ASSESSMENT else ""

    def _found(self, unit: Unit) -> str:
        if unit.section is SectionCategory.PHYSICAL_EXAM:
            return "exam"
        if unit.section is SectionCategory.ASSESSMENT:
            return "assessment"
        if unit.section is SectionCategory.HOSPITAL_COURSE:
            if any(isinstance(one, ProblemStatement) for one in unit.statements):
                return "course"
            tested = any(isinstance(one, ObservationStatement | ProcedureStatement) for one in unit.statements)
            return "results" if tested else "course"
        return "results"

    def _quoted(self, unit: Unit, text: str) -> _Told | None:
        """What cannot be turned, in the note's own words; only what decides or is found is worth reading so."""
        if len(text.split()) > _LONGEST_QUOTE or unit.weight < _WORTH_QUOTING or len(text.split()) < 2:
            return None
        return _Told(unit, text.replace("“", "'").replace("”", "'").replace('"', "'"), _QUOTE)

    def _sentences(self, told: Sequence[_Told]) -> Iterator[StorySentence]:
        """The sentences of a part in order; telegrams of one frame that follow one another are joined."""
        planned = False
        i = 0
        while i < len(told):
            one = told[i]
            group = [one]
            while one.frame and i + len(group) < len(told) and told[i + len(group)].frame == one.frame and len(group) < _JOINED:
                group.append(told[i + len(group)])
            i += len(group)
            parts = [other.unit for other in group]
            if not one.frame:
                yield self._sentence(one.text, parts)
                continue
            frame = "to_do_next" if one.frame == _TO_DO and planned else one.frame
            planned = planned or one.frame == _TO_DO
            text = framed(frame, self._setting, self._patient, _listed(one.frame, [other.text for other in group]))
            yield self._sentence(text if one.frame == _QUOTE else _stopped(text), parts)

    def _sentence(self, text: str, parts: Sequence[Unit]) -> StorySentence:
        cites = tuple(dict.fromkeys(c for unit in parts for c in self._cited(unit.start, unit.end)))
        ids = tuple(dict.fromkeys(one.id for unit in parts for one in unit.statements))
        return StorySentence(text, cites, ids)

    def _cited(self, start: int, end: int) -> tuple[str, ...]:
        return tuple(p.id for p in self._pieces if p.start_char < end and start < p.end_char)


_TO_DO, _QUOTE = "to_do", "quote"
_TO_PATIENT = frozenset((PlanKind.RETURN_PRECAUTION, PlanKind.ACTIVITY, PlanKind.DIET))
_HISTORIES = frozenset((SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY))
_NEAR = 25
_WORTH_QUOTING = 3.0


def _listed(frame: str, texts: Sequence[str]) -> str:
    if frame == _TO_DO:
        return "; to ".join(texts)
    if frame == _QUOTE:
        return " … ".join(texts)
    return "; ".join([texts[0], *(_lowered(text) for text in texts[1:])])


def _lowered(text: str) -> str:
    """A text that goes on a sentence: its first letter small, unless its first word is a name or a short form."""
    first = text.split(" ", 1)[0]
    plain = first[1:].islower() or len(first) == 1
    return text[:1].lower() + text[1:] if plain and first not in ("I",) else text


def _stopped(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", "”")) else f"{text.rstrip(' ,;:')}."


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in re.findall(r"[a-z0-9]{3,}", text.lower())) - _COMMON


def _repeats(words: frozenset[str], said: Sequence[frozenset[str]]) -> bool:
    return len(words) >= 1 and any(
        len(words & other) >= _SAID_ALREADY * len(words) and len(words) <= len(other) + _FEWEST for other in said
    )


_COMMON = frozenset(stem(word) for word in ("the", "and", "you", "your", "with", "was", "were", "had", "has", "have", "for", "that", "are", "from", "this", "which", "but", "not", "who", "about"))  # fmt: skip
