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
from backend.generation.letter.second_person import Addressee, is_telegram, second_person
from backend.generation.letter.story_selection import PASTED, Part, Unit, is_withheld, units
from backend.generation.letter.verb_forms import SURE, is_participle, is_past, verbs
from backend.nlp.injected_instructions import has_injected_instructions
from backend.nlp.lexicon.variants import english_words, stem
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.record import (
    HabitStatus,
    MedicationStatement,
    ObservationStatement,
    PatientRecord,
    PlanKind,
    ProblemStatement,
    ProcedureStatement,
    RecordSpan,
    SocialKind,
    SocialStatement,
    Statement,
    VerificationStatus,
)
from backend.schemas.vocabulary import SectionCategory

MOST_WORDS = 220
"""Words of a story: about a page that is read to its end."""
CHILD = 16
"""Years below which a letter speaks to the parent."""
SURELY_A_CHILD = 10
"""Years below which habits or work that the note names are of somebody else in the household."""
_LONGEST, _LONGEST_NOTE, _LONGEST_QUOTE = 42, 65, 30
_LEAST = -1.3
"""The weight above which a clause is told where there is room."""
_MOST_QUOTED = 90
"""Words of a note in its own telegrams that a letter may quote."""
_SHARES = {Part.WHY: 0.5, Part.FOUND: 0.35, Part.DECIDED: 0.6}
"""Of a story's words what each part may take before the others have had theirs."""
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
    person = record.person
    grown = person.pregnant or any(
        one.kind is SocialKind.WORK or (one.kind in _HABITS and one.status in _KEPT) for one in record.social
    )
    young = CHILD if not grown else SURELY_A_CHILD
    child = person.age_years is not None and person.age_years < young
    return Addressee(person.sex, child)


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
        self._every: list[Unit] = []
        self._opened: frozenset[int] = frozenset()
        named = (getattr(one, "name", "") for one in record.statements)
        self._common = frozenset(word for name in named if name == name.lower() for word in name.split())

    def told(self, most_words: int) -> Story:
        every = self._every = units(self._record, self._note, self._pieces)
        opening, used = self._opening(every)
        self._opened = used
        chosen = self._chosen([u for u in every if u.start not in used], opening, most_words)
        parts = {part: tuple(self._sentences([one for one in chosen if one.unit.part is part])) for part in Part}
        found = contradictions(self._record)
        return Story((*opening, *parts[Part.WHY]), parts[Part.FOUND], parts[Part.DECIDED], found)

    def _chosen(self, candidates: Sequence[Unit], opening: Sequence[StorySentence], most_words: int) -> list[_Told]:
        """What is told beside the opening, in the note's order: the weightiest first, and of each part its share."""
        spent = sum(len(one.text.split()) for one in opening)
        said = [_stems(one.text) for one in opening]
        shares = {part: most_words * share for part, share in _SHARES.items()}
        shares[Part.WHY] -= spent
        quoted = 0
        chosen: dict[int, _Told] = {}
        ranked = sorted(candidates, key=lambda one: (-one.weight, one.start))
        worded: dict[int, _Told | None] = {}
        for part_by_part, least in ((True, 0.0), (False, 0.0), (False, _LEAST)):
            for unit in ranked:
                if unit.weight <= least or unit.start in chosen or (unit.follows and not self._after(unit, chosen)):
                    continue
                if unit.start not in worded:
                    worded[unit.start] = self._worded(unit)
                told = worded[unit.start]
                if told is None or (told.frame == _QUOTE and unit.weight < _WORTH_QUOTING and least == 0):
                    continue
                words, length = _stems(told.text), len(told.text.split()) + 2 * bool(told.frame)
                room = most_words - spent if not part_by_part else min(shares[unit.part], most_words - spent)
                quote = length if told.frame == _QUOTE else 0
                if length > room or quoted + quote > _MOST_QUOTED or _repeats(words, said):
                    continue
                spent += length
                quoted += quote
                shares[unit.part] -= length
                said.append(words)
                chosen[unit.start] = told
        return sorted(chosen.values(), key=lambda one: one.unit.start)

    def _after(self, unit: Unit, chosen: Mapping[int, _Told]) -> bool:
        """Whether what stands right before a unit is told."""
        before = [one for one in self._every if one.end <= unit.start]
        return bool(before) and (before[-1].start in chosen or before[-1].start in self._opened)

    def _opening(self, every: Sequence[Unit]) -> tuple[tuple[StorySentence, ...], frozenset[int]]:
        """Why they came: the sentence of the history that tells it, else the stated reason in the frame of the setting."""
        first = next((u for u in every if u.opening and u.section is SectionCategory.HISTORY_OF_PRESENT_ILLNESS), None)
        reason = self._record.encounter.reason
        if first is not None:
            told = self._worded(first)
            covered = told is not None and (
                not reason or len(_stems(reason) & _stems(told.text)) * 2 >= len(_stems(reason))
            )
            if told is not None and not told.frame and covered:
                return (self._sentence(told.text, [first]),), frozenset((first.start,))
        if not reason or not self._record.encounter.spans or is_withheld(reason) or has_injected_instructions(reason):
            return (), frozenset()
        span = self._record.encounter.spans[0]
        about = [u for u in every if u.start < span.end_char and span.start_char < u.end]
        complaint = any(u.section is SectionCategory.CHIEF_COMPLAINT for u in about)
        if not complaint and not any(_within(one, span) for u in about for one in u.statements):
            return (), frozenset()
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
        parts = [part for part in _REASONS.split(said) if part]
        if parts and parts[0][0] in '"“' and parts[0][-1] in '"”':
            parts = parts[:1]
        while len(parts) > 1 and not is_telegram(parts[-1]) and is_telegram(parts[0]):
            parts.pop()
        said = ", ".join([parts[0], *(self._lowered(part) for part in parts[1:])]).strip(" .,;:") if parts else ""
        words = said.split()
        if self._terms.residue(said) or not words or len(words) > _LONGEST:
            return ""
        if said[0] in '"“' and said[-1] in '"”':
            return framed("said", self._setting, self._patient, said)
        turned = second_person(said, self._patient)
        if turned is None or not is_faithful(reason, said, turned, self._patient):
            return ""
        turned = to_you(turned)
        if not is_telegram(turned):
            return _stopped(turned)
        frame = "came" if len(words) <= _SHORT_REASON and ":" not in said else "reason"
        return _stopped(framed(frame, self._setting, self._patient, self._lowered(turned)))

    def _worded(self, unit: Unit) -> _Told | None:
        """A unit in words for the patient: a sentence, a telegram with its frame, or a quotation; None where it is not told."""
        text = " ".join(unit.text.split())
        said = self._terms.said(unit.text, unit.start)
        said = " ".join(said.split())
        if len(said.split()) > _LONGEST_NOTE or self._terms.residue(said):
            return self._quoted(unit, text)
        imperative = self._imperative(unit, text, said)
        if imperative is not None:
            return imperative
        turned = second_person(said, self._patient, unit.before)
        if turned is None or not is_faithful(text, said, turned, self._patient):
            return self._quoted(unit, text)
        if any(len(one.split()) > _LONGEST for one in re.split(r"(?<=[.!?])\s+(?=[A-Z])", turned)):
            return self._quoted(unit, text)
        if not is_telegram(turned):
            return _Told(unit, _stopped(to_you(turned)))
        frame = self._frame(unit) if unit.statements else self._bare(unit)
        return _Told(unit, self._lowered(turned).rstrip(" ."), frame) if frame else self._quoted(unit, text)

    def _imperative(self, unit: Unit, text: str, said: str) -> _Told | None:
        """A decision in the imperative: to the patient what is theirs to do, the rest as the plan of the team."""
        words = words_of(said)
        if unit.part is not Part.DECIDED or not words or words[0].low not in verbs():
            return None
        verb = words[0].low
        following = words[1].low if len(words) > 1 else ""
        if following in ("is", "was", "are", "were", ":") or len(words) < 2 or not self._orders(unit, verb):
            return None
        turned = second_person(said, self._patient, unit.before)
        if turned is None or not is_faithful(text, said, turned, self._patient):
            return None
        if (
            unit.kind in _TO_PATIENT
            or (unit.kind is PlanKind.FOLLOW_UP and verb == "follow")
            or verb in lists()["patient_verbs"]
        ):
            return _Told(unit, _stopped(turned))
        put = object_of(verb, self._patient)
        rest = turned.split(" ", 1)[1] if " " in turned else ""
        if put and (put.endswith(" to") or following in lists()["prepositions"] or following == "home"):
            if put.endswith(" to") and rest.startswith("to "):
                rest = rest[3:]
            if not rest.startswith((f"{self._patient.you} ", "you ")):
                rest = f"{put} {rest}"
        return _Told(unit, f"{verb} {rest}".rstrip(" ."), _TO_DO)

    def _orders(self, unit: Unit, verb: str) -> bool:
        """Whether a verb form that opens a clause is one: some are nouns too ("shift pattern letter")."""
        sure = verbs()[verb].kind == SURE or verb in lists()["patient_verbs"]
        return sure or any(span.start_char == unit.start for one in unit.statements for span in one.spans[1:])

    def _frame(self, unit: Unit) -> str:
        """What a telegram is told as; empty where no frame is sure."""
        if unit.part is Part.DECIDED:
            if (
                unit.section is SectionCategory.ASSESSMENT
                and _leads_with_problem(unit)
                and unit.kind in (None, PlanKind.OTHER)
            ):
                return "assessment"
            if any(isinstance(one, SocialStatement) for one in unit.statements):
                return "goals"
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
        if unit.text[0] in '"“' and unit.text[-1] in '"”':
            return "said"
        if any(isinstance(one, ObservationStatement) for one in unit.statements):
            return "results"
        problems = [one for one in unit.statements if isinstance(one, ProblemStatement)]
        if problems and problems[0].verification_status is VerificationStatus.REFUTED:
            return "denied" if re.match(r"no\b", unit.text, re.IGNORECASE) else ""
        if problems and not problems[0].hypothetical:
            return self._felt(unit, problems[0])
        return self._bare(unit)

    def _felt(self, unit: Unit, problem: ProblemStatement) -> str:
        """The frame of a telegram that begins with what the patient felt."""
        lead = unit.text[: max(0, problem.spans[0].start_char - unit.start)]
        words = [word.lower() for word in re.findall(r"[^\W\d_]+", lead)]
        first = re.match(r"[^\W\d_]+", unit.text)
        if first is not None and is_past(first[0].lower()):
            return "" if words else "did"
        unfit = any(word in lists()["openers"] or is_participle(word) or word == "to" for word in words)
        return "felt" if len(lead) <= _NEAR and not unfit else ""

    def _bare(self, unit: Unit) -> str:
        """The frame of a telegram in which nothing was read: only of a plan or an assessment it is known what it is."""
        if unit.section in (SectionCategory.PLAN, SectionCategory.INSTRUCTIONS):
            return "other"
        return "noted" if unit.section in _NOTED else ""

    def _found(self, unit: Unit) -> str:
        if unit.section is SectionCategory.PHYSICAL_EXAM:
            return "exam"
        if unit.section is SectionCategory.ASSESSMENT:
            return "assessment" if _leads_with_problem(unit) else "noted"
        if unit.section is SectionCategory.HOSPITAL_COURSE:
            if any(isinstance(one, ProblemStatement) for one in unit.statements):
                return "course"
            tested = any(isinstance(one, ObservationStatement | ProcedureStatement) for one in unit.statements)
            return "results" if tested else "course"
        return "results"

    def _lowered(self, text: str) -> str:
        """A text that goes on a sentence: its first letter small, unless its first word is a name or a short form."""
        first = re.sub(r"\W+$", "", text.split(" ", 1)[0])
        known = first.lower() in english_words() or first.lower() in self._common
        return text[:1].lower() + text[1:] if known and first != "I" and first[1:] == first[1:].lower() else text

    def _quoted(self, unit: Unit, text: str) -> _Told | None:
        """What cannot be turned, in the note's own words; only what decides or is found is worth reading so."""
        if len(text.split()) > _LONGEST_QUOTE or unit.weight < _WORTH_KEEPING or len(text.split()) < 2:
            return None
        return _Told(unit, text.replace("“", "'").replace("”", "'").replace('"', "'"), _QUOTE)

    def _sentences(self, told: Sequence[_Told]) -> Iterator[StorySentence]:
        """The sentences of a part in order; telegrams of one frame that follow one another are joined."""
        planned = False
        i = 0
        while i < len(told):
            one = told[i]
            group = [one]
            while (
                one.frame
                and i + len(group) < len(told)
                and told[i + len(group)].frame == one.frame
                and len(group) < _JOINED
            ):
                group.append(told[i + len(group)])
            i += len(group)
            parts = [other.unit for other in group]
            if not one.frame:
                yield self._sentence(one.text, parts)
                continue
            frame = "to_do_next" if one.frame == _TO_DO and planned else one.frame
            planned = planned or one.frame == _TO_DO
            text = framed(
                frame,
                self._setting,
                self._patient,
                _joined(one.frame, [group[0].text, *(self._lowered(other.text) for other in group[1:])]),
            )
            yield self._sentence(text if one.frame == _QUOTE else _stopped(text), parts)

    def _sentence(self, text: str, parts: Sequence[Unit]) -> StorySentence:
        cites = tuple(dict.fromkeys(c for unit in parts for c in self._cited(unit.start, unit.end)))
        ids = tuple(dict.fromkeys(one.id for unit in parts for one in unit.statements))
        return StorySentence(text, cites, ids)

    def _cited(self, start: int, end: int) -> tuple[str, ...]:
        return tuple(p.id for p in self._pieces if p.start_char < end and start < p.end_char)


def _within(one: Statement, span: RecordSpan) -> bool:
    return isinstance(one, ProblemStatement | ProcedureStatement) and (
        span.start_char <= one.spans[0].start_char < span.end_char
    )


_REASONS = re.compile(r"(?:^|[.,;]?\s+)\d{1,2}[.)]\s+|(?<=[a-z])\.\s+(?=[A-Z])|(?<=[.!?][\"”])\s+")
_TO_DO, _QUOTE = "to_do", "quote"
_TO_PATIENT = frozenset((PlanKind.RETURN_PRECAUTION, PlanKind.ACTIVITY, PlanKind.DIET))
_NOTED = frozenset(
    (
        SectionCategory.ASSESSMENT,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.RESULTS,
        SectionCategory.UNLABELED,
        SectionCategory.OTHER,
    )
)
_HISTORIES = frozenset((SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY))
_HABITS = frozenset((SocialKind.TOBACCO, SocialKind.ALCOHOL, SocialKind.DRUGS))
_KEPT = frozenset((HabitStatus.CURRENT, HabitStatus.FORMER))
_NEAR = 25
_WORTH_QUOTING, _WORTH_KEEPING = 3.0, 1.0


def _joined(frame: str, texts: Sequence[str]) -> str:
    if frame == _TO_DO:
        return "; to ".join(texts)
    if frame == _QUOTE:
        return " … ".join(texts)
    return "; ".join(texts)


def _leads_with_problem(unit: Unit) -> bool:
    """Whether a clause begins with what the patient has, and not with what is done."""
    first = unit.statements[0] if unit.statements else None
    return isinstance(first, ProblemStatement) and first.spans[0].start_char - unit.start <= _NEAR


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
