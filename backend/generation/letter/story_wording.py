"""The wording of a story: a unit of the note as a sentence to the patient, or as a telegram in a frame.

A sentence is turned to the second person; what the note writes without a verb is told in a frame of its kind ("Tests found: …"); what
cannot be turned surely keeps the note's words, for the team to put. Nothing is told whose numbers, negations or doubts are not those of the note.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from backend.generation.letter.plain_language.chart_shapes import keeps_capitals, listed_strokes, name_shapes
from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plain_language.everyday import jargon
from backend.generation.letter.plain_language.frames import framed, object_of
from backend.generation.letter.plain_language.letter_words import lists, stopped, words_of
from backend.generation.letter.plain_language.openings import (
    is_state,
    is_visit,
    named_patient,
    of_what,
    visit_with_article,
    with_names,
    with_subject,
    without_asides,
    without_filler,
    without_greeting,
    without_label,
    without_request,
)
from backend.generation.letter.plain_language.plain_terms import PlainTerms
from backend.generation.letter.plain_language.reported import (
    denied_list,
    or_of_denials,
    owned,
    to_parent,
    to_you,
    unreported,
    with_teller,
)
from backend.generation.letter.plain_language.second_person import names_own_body, second_person
from backend.generation.letter.plain_language.telegrams import has_finite_verb, is_telegram
from backend.generation.letter.plain_language.verb_forms import verbs
from backend.generation.letter.plan_items.decided_forms import decided_form, is_done_at_home, is_order, visit_to_be_made
from backend.generation.letter.plan_items.plan_items import as_was_planned
from backend.generation.letter.plan_items.plan_reader import PlanReader
from backend.generation.letter.plan_items.plan_slots import counts_days_as_sevenths
from backend.generation.letter.selection.withheld import is_withheld
from backend.generation.letter.story_frames import HISTORIES, bare_frame_of, frame_of
from backend.generation.letter.story_operations import with_operations
from backend.generation.letter.story_readable import common_words
from backend.generation.letter.story_selection import Part, Unit
from backend.generation.letter.story_statements import are_symptoms, items, of_one_time, planned_procedures
from backend.generation.letter.told_checks.articles import with_articles
from backend.generation.letter.told_checks.clinician_requests import (
    asked_doctor,
    is_addressed,
    is_asked_at_home,
    is_request,
    is_to_colleague,
    request_told,
)
from backend.generation.letter.told_checks.faithful import is_faithful
from backend.generation.letter.told_checks.frame_fit import (
    fits,
    history_entry,
    is_operation_step,
    is_ordered,
    listed_medicines,
    says_little,
)
from backend.generation.letter.told_checks.joined_verbs import with_agreed_verbs, with_joined_verbs
from backend.generation.letter.told_checks.others_told import is_of_other, is_of_team, leans_on_untold
from backend.generation.letter.told_checks.sentence_flaws import flaw_of
from backend.generation.letter.told_time.adverbials import from_visit
from backend.generation.letter.told_time.stay_plans import is_of_stay
from backend.generation.letter.told_time.visit_time import in_past, lasting_names, told_from_visit
from backend.nlp.lexicon.variants import english_words
from backend.schemas.record import AllergyStatement, PatientRecord, PlanKind
from backend.schemas.vocabulary import SectionCategory

_LEADING = re.compile(
    r"^(?:(?:please )?note that|per (?:[\w'’]+ ){1,4}(?:reports?|records?|chart|notes?)|however|furthermore|moreover|in addition|additionally|it was (?:at that time|then) that|of note|(?:(?:notable|significant|remarkable|positive) for|consists of|includes?|including):?|(?:we have |I have )?(?:arranged|organi[sz]ed):|(?:after|upon|on) review(?:ing)?\b[^.;]*?,(?= (?:I|we|his|her|my|the patient)\b)|also|so|thus|therefore|apparently|unfortunately|essentially),?\s+(?P<next>\w)",
    re.IGNORECASE,
)
"""Words that tie a sentence to one that may not be told."""
_HOWEVER = re.compile(r",?\s\bhowever\b,?\s(?=\w)", re.IGNORECASE)
_BROKEN = re.compile(
    r"^(?:You are|Your child is) an? (?:[\w'’-]+ ){0,3}?(?:\d+|[a-z]+)[\s-](?:years?|months?|weeks?|days?)[\s-]old\b|\b(?:You|Your team) (?:are|were|is|was) an? [A-Z][a-z]|,? however\.?$|\bYou (?:with|in|on|comes|goes|has|does|is|was)\b|\bbecause of (?:Mr|Mrs|Ms|Dr)\.?$"
)
"""What a sentence turned wrongly looks like: "You are a Appendectomy"."""
UNTURNED, HAD, SYMPTOMS, LINE = "unturned", "had", "symptoms", "line"
PLANNED = "read"
"""What is told by the slots of its plan, each item a sentence of its own."""
HISTORY, ASSESSED = "history", "assessment"
NAMED = frozenset((HAD, SYMPTOMS))
"""Frames of names alone, parted by commas."""
_SEVERAL = re.compile(r"[,;]|\band\b")
_TO_DO, _TO_DO_THEN = "to_do", "to_do_then"
_LONGEST, _LONGEST_NOTE, _LONGEST_UNTURNED, _SHORT_REASON = 42, 65, 30, 24
"""Words: of a sentence told, of one to be turned, of one that cannot be, of a reason within a sentence."""
_REASONS = re.compile(
    r"(?:^|[.,;]?\s+)\d{1,2}[.)]\s+|(?<=[a-z])(?<!Dr)(?<!Mr)(?<!Ms)(?<!Mrs)\.\s+(?=[A-Z])|(?<=[.!?][\"”])\s+"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_INNER = re.compile(r"(?<=[a-z)\d]|\b[A-Z])\. (?=[A-Z][a-z]+ [a-z])")
_QUOTES = frozenset('"“”')
_LOOKED_FOR = re.compile(r"\b(?:tests?|tested|check(?:ed|s)?|screen(?:ed|ing)?|swab(?:bed)?) for\b", re.IGNORECASE)
_TO_PATIENT = frozenset((PlanKind.RETURN_PRECAUTION, PlanKind.ACTIVITY, PlanKind.DIET))
_TELLS_OF_PATIENT = frozenset(
    (
        SectionCategory.CHIEF_COMPLAINT,
        SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
        SectionCategory.ASSESSMENT,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
    )
)
_EXAMINED = frozenset((SectionCategory.PHYSICAL_EXAM, SectionCategory.VITAL_SIGNS))


class WordedUnit(NamedTuple):
    """A unit in words. frame: what stands before a telegram; empty where the text is a sentence."""

    unit: Unit
    text: str
    frame: str = ""


class Wording:
    """Words the units of one note.

    Args:
        record: of the note.
        note_text: the note.
        plain: everyday words by concept id.
        patient: who is addressed.
    """

    def __init__(self, record: PatientRecord, note_text: str, plain: Mapping[str, str], patient: Addressee) -> None:
        self._terms = PlainTerms(record.statements, plain, periods=counts_days_as_sevenths(note_text))
        self._patient, self._plain = patient, plain
        self._note_text = note_text
        self._to_colleague, self._doctor = is_to_colleague(note_text), asked_doctor(note_text)
        self._lasting = lasting_names(record.stated_problems, self._terms.said)
        self._named, self._listed = named_patient(note_text), listed_medicines(record)
        self._setting, self._tellers = record.encounter.setting, dict[int, int]()
        self.plans = PlanReader(record, note_text, self._terms.said, patient, self._is_plain)
        self._common = common_words(record, note_text)

    def _is_plain(self, text: str) -> bool:
        return not jargon(text) and not self._terms.residue(text)

    def plainly(self, text: str, start: int) -> str:
        """Words of the note in everyday words; start: where they begin in it."""
        return self._terms.said(text, start)

    def rests_on(self, unit: Unit) -> tuple[tuple[int, int], ...]:
        """Where the words of a unit stand, and where the relative is named who tells them."""
        named = self._tellers.get(unit.start, -1)
        return ((unit.start, unit.end), *([(named, named + 1)] if named >= 0 else ()))

    def name(self, text: str, start: int) -> str:
        """A name that the note gives, in everyday words that go on a sentence; empty where it keeps shorthand."""
        said = name_shapes(self._terms.said(text, start))
        return "" if keeps_capitals(text, said) or self._terms.residue(said) else self.lowered(said)

    def worded(self, unit: Unit) -> WordedUnit | None:
        """A unit in words for the patient, in the time of its reader; None where it is not told."""
        if (planned := self._plan_of(unit)) is not None:
            return planned
        worded = self._as_written(unit)
        if worded is None or worded.frame == UNTURNED:
            return worded
        text, frame = worded.text, worded.frame
        told = told_from_visit(text, unit, self._setting, self._patient, self._lasting, sentence=not frame)
        if frame == _TO_DO and is_of_stay(unit, text, self._setting, of_then=told != text):
            frame = _TO_DO_THEN
        return WordedUnit(unit, told, frame) if told is not None and not leans_on_untold(told) else None

    def _plan_of(self, unit: Unit) -> WordedUnit | None:
        """A unit whose plan is read slot by slot; None for any other."""
        text = self.plans.sentences(unit.text, unit.start, unit.section) if unit.part is Part.DECIDED else ""
        timed = from_visit(text, decided=True, child=self._patient.child) if text else None
        if timed is None:
            return None
        return WordedUnit(unit, as_was_planned(timed.text) if timed.moved else timed.text, PLANNED)

    def _as_written(self, unit: Unit) -> WordedUnit | None:
        """A unit in words for the patient, in the time of the note."""
        text = " ".join(unit.text.split())
        said = with_names(" ".join(self._terms.said(unit.text, unit.start).split()), self._named)
        said = decided_form(said) if unit.part is Part.DECIDED else said
        if len(said.split()) > _LONGEST_NOTE or self._terms.residue(said, names=True):
            return self._unturned(unit, text)
        if is_operation_step(said, unit):
            return None
        if is_request(said, to_colleague=self._to_colleague):
            return self._requested(unit, said, text)
        spoken_to = without_greeting(said)
        if is_addressed(spoken_to) and (unit.part is Part.DECIDED or spoken_to[:3].lower() == "you"):
            told = stopped(to_you(spoken_to[:1].upper() + spoken_to[1:]))
            return WordedUnit(unit, told) if unit.part is Part.DECIDED or flaw_of(told) is None else None
        said = _LEADING.sub(lambda match: match["next"].upper(), with_subject(without_label(without_asides(said))))
        said, self._tellers[unit.start] = with_teller(said, self._note_text[: unit.start], self._patient)
        said = with_joined_verbs(unreported(_HOWEVER.sub(" ", said), self._patient), self._patient)
        spoken = unit.section is SectionCategory.CHIEF_COMPLAINT or names_own_body(said)
        turned = second_person(said, self._patient, with_names(unit.before, self._named), spoken=spoken)
        if (
            turned is None
            or _BROKEN.search(turned)
            or is_of_team(turned)
            or not is_faithful(with_names(text, self._named), said, turned, self._patient)
        ):
            return self._unturned(unit, text)
        if is_withheld(turned):
            return None  # an opening that could not be left out: "an extremely pleasant gentleman"
        if any(len(one.split()) > _LONGEST for one in _SENTENCE.split(turned)):
            return self._unturned(unit, text)
        if self._patient.child:
            turned = to_parent(turned, self._patient.sex)
            if turned is None:
                return None  # of its readers as of others
        turned = with_articles(with_operations(turned, text))
        order = self._order(unit, said, turned)
        if order is not None:
            return order
        turned = owned(turned, self._patient)
        if turned.startswith(f"{self._patient.you.capitalize()} ") or not is_telegram(turned):
            told = stopped(or_of_denials(to_you(without_filler(turned))))
            whole = flaw_of(told) is None and not says_little(told, unit, self._listed)
            return WordedUnit(unit, told) if whole else self._unturned(unit, text)
        if self._terms.residue(said):
            return self._unturned(unit, text)
        if unit.section is SectionCategory.MEDICATIONS and unit.part is not Part.DECIDED:
            return None  # the table of medicines tells it
        frame = frame_of(unit) if unit.statements or unit.lasting else bare_frame_of(unit)
        if not frame and unit.section in _EXAMINED:
            return None
        listed = self.lowered(history_entry(turned) if frame == HISTORY else turned)
        ends = listed.rstrip(".").lower().split()[:: max(1, len(listed.split()) - 1)]
        if frame == HISTORY and not lists()["negations"].isdisjoint(ends):
            return None  # "Past surgeries: none", "no surgeries"
        if frame == HISTORY and _INNER.search(listed):
            return self._unturned(unit, text)  # "as told by Dr. X. Two weeks before": the start of another sentence
        frame = "history_said" if frame == HISTORY and has_finite_verb(listed) else frame
        listed = denied_list(listed_strokes(listed)) if frame == "denied" else listed
        fit = frame and fits(frame, listed.rstrip(" ."), unit)
        return WordedUnit(unit, listed.rstrip(" ."), frame) if fit else self._unturned(unit, text)

    def _requested(self, unit: Unit, said: str, text: str) -> WordedUnit | None:
        """What the note asks of the patient's own doctor, as a sentence of what that doctor is asked."""
        asked = request_told(said, self._doctor)
        turned = second_person(asked, self._patient, with_names(unit.before, self._named)) if asked else None
        if turned is None or not is_faithful(asked, asked, turned, self._patient):
            return self._unturned(unit, text)
        return WordedUnit(unit, turned.replace("The", self._patient.your.capitalize(), 1))

    def stated(self, unit: Unit, is_plain: Callable[[str], bool]) -> WordedUnit | None:
        """What the statements of a unit name, in a frame; None where they name nothing that a patient could read.

        Args:
            unit: of the note, whose own words cannot be told.
            is_plain: whether a patient can read words.
        """
        if is_operation_step(unit.text, unit) or is_of_other(unit.text, self._patient.sex) or is_ordered(unit):
            return None
        if not lists()["wished"].isdisjoint(re.findall(r"[a-z]+", unit.text.lower())) or _LOOKED_FOR.search(unit.text):
            return None  # what is asked for, or tested for, is not had
        planned = planned_procedures(unit) if unit.part is not Part.DECIDED else []
        if planned:  # what is to be done has to be told, and has no other name
            plain = [one for one in (self._terms.said(name, -1) for name in planned) if not self._terms.residue(one)]
            return WordedUnit(unit, ", ".join(plain), "planned") if plain else None
        if any(isinstance(one, AllergyStatement) for one in unit.statements):
            return None  # what a medicine did is told among the allergies
        if unit.part is Part.DECIDED or unit.section in _EXAMINED or unit.section is SectionCategory.MEDICATIONS:
            return None  # what an examination finds needs its place; the table tells medicines
        if unit.section not in _TELLS_OF_PATIENT and not has_finite_verb(unit.text):
            return None  # nothing says whether it was felt, seen or measured

        told, over = of_one_time(unit, HISTORIES)
        named = self.names(told, is_plain)
        frame = {SectionCategory.ASSESSMENT: ASSESSED}.get(unit.section, SYMPTOMS if are_symptoms(told) else HAD)
        return WordedUnit(unit, ", ".join(named), "history" if over else frame) if named else None

    def names(self, unit: Unit, is_plain: Callable[[str], bool]) -> list[str]:
        """What the statements of a unit name, each in words that a patient can read and that go on a sentence."""

        def readable(text: str) -> bool:
            return is_plain(text) and not self._terms.residue(text)

        return [self.lowered(one) for one in items(unit, self._note_text, self._terms.said, readable, self._plain)]

    def has_short_forms(self, text: str, *, names: bool = False) -> bool:
        """Whether a text keeps a short form or, unless names may stay, a name in capitals ("MUD") that a patient could not read."""
        return self._terms.residue(text, names=names)

    def reason(self, reason: str, start: int, *, named: bool = False) -> str:
        """The stated reason for the encounter as a sentence; empty where it cannot be told.

        Args:
            reason: in the note's words.
            start: where it begins in the note.
            named: it is a name, and no sentence.
        """
        said = without_request(with_names(" ".join(self._terms.said(reason, start).split()), self._named))
        quoted = said[:1] in _QUOTES and said[-1:] in _QUOTES
        parts = [said] if quoted else [part for part in _REASONS.split(said) if part]
        if not parts or (quoted and len(said.split()) > _LONGEST_UNTURNED):
            return ""
        if parts[0][0] in _QUOTES and parts[0][-1] in _QUOTES:
            return stopped(framed("said", self._setting, self._patient, parts[0]).removesuffix("."))
        while len(parts) > 1 and not is_telegram(parts[-1]) and is_telegram(parts[0]):
            parts.pop()
        said = ", ".join([parts[0], *(self.lowered(part) for part in parts[1:])]).strip(" .,;:")
        words = said.split()
        if (
            self._terms.residue(said)
            or not words
            or len(words) > _LONGEST
            or words[-1].lower() in {*lists()["titles"], "dr"}
        ):
            return ""
        turned = second_person(said, self._patient, spoken=True)
        if turned is None or not is_faithful(said, said, turned, self._patient):
            return ""
        turned = with_articles(to_you(without_filler(turned)))
        if not (named or is_visit(turned) or is_telegram(turned)):
            told = in_past(turned, self._patient)
            return stopped(told) if told is not None and flaw_of(told) is None else ""
        short = len(words) <= _SHORT_REASON and ":" not in said
        turned = of_what(turned)
        frame = ("came_for" if is_visit(turned) else "came") if short else "reason"
        frame = "came_as" if short and is_state(turned) else frame
        turned = visit_with_article(turned) if is_visit(turned) else turned
        said = framed(frame, self._setting, self._patient, self.lowered(turned))
        timed = from_visit(said, decided=False, child=self._patient.child)
        return "" if timed is None else stopped(timed.text)

    def in_frame(self, frame: str, names: str) -> str:
        """Names in a frame, as a sentence: what the patient was seen because of, what the team thought."""
        return stopped(framed(frame, self._setting, self._patient, names))

    def joined(self, group: Sequence[WordedUnit], planned: bool) -> tuple[str, bool]:
        """Units of one frame as one sentence, and whether it tells what the team plans.

        Args:
            group: of one frame; of none, a single sentence.
            planned: an earlier sentence has told what the team plans.
        """
        first = group[0]
        if first.frame in ("", PLANNED):
            return first.text, planned
        join = {_TO_DO: "; to ", _TO_DO_THEN: "; to "}.get(first.frame, "; ")
        rest = [self.lowered(one.text) for one in group[1:]]
        to_do = first.frame in (_TO_DO, _TO_DO_THEN)
        frame = f"{first.frame}_next" if to_do and planned else first.frame
        parts = [self.lowered(first.text) if first.frame == LINE else first.text, *rest]
        listed = first.frame in NAMED or (first.frame == HISTORY and not any(_SEVERAL.search(one) for one in parts))
        whole = (", " if listed else join).join(parts)
        whole = " and ".join(whole.rsplit(", ", 1)) if listed else whole
        return with_agreed_verbs(stopped(framed(frame, self._setting, self._patient, whole))), planned or to_do

    def _order(self, unit: Unit, said: str, turned: str) -> WordedUnit | None:
        """A decision in the imperative: to the patient what is theirs to do, the rest as the plan of the team."""
        words = words_of(said)
        if unit.part is not Part.DECIDED or not words or len(words) < 2 or words[0].low not in verbs():
            return None
        verb, following = words[0].low, words[1].low
        asked = is_asked_at_home(words, self._setting)
        direct = asked or is_done_at_home(verb, following)
        if not is_order(said, unit, direct=direct):
            return None
        if direct or unit.kind in _TO_PATIENT or (unit.kind is PlanKind.FOLLOW_UP and verb == "follow"):
            return WordedUnit(unit, stopped(turned.replace("Ask ", f"Ask {self._patient.your} ", asked)))
        if not fits(_TO_DO, turned, unit):
            return self._unturned(unit, said)
        if booked := visit_to_be_made(verb, turned):
            return WordedUnit(unit, stopped(booked))
        put, rest = object_of(verb, self._patient), turned.split(" ", 1)[1]
        if put and (put.endswith(" to") or following in lists()["prepositions"] or following == "home"):
            rest = rest.removeprefix("to ") if put.endswith(" to") else rest
            rest = rest if rest.startswith((f"{self._patient.you} ", "you ")) else f"{put} {rest}"
        return WordedUnit(unit, f"{verb} {rest}".rstrip(" ."), _TO_DO)

    def lowered(self, text: str) -> str:
        """A text that goes on a sentence: its first letter small, unless its first word is a name or a short form."""
        first = re.sub(r"\W+$", "", text.split(" ", 1)[0])
        known = all(part in english_words() or part in self._common for part in re.split(r"[-/]", first.lower()))
        known = known and not first.endswith(("'s", "’s"))  # "Bell's palsy"
        return text[:1].lower() + text[1:] if known and first != "I" and first[1:] == first[1:].lower() else text

    def _unturned(self, unit: Unit, text: str) -> WordedUnit | None:
        """What cannot be turned, in the note's own words: to be put by the team, never told."""
        if not 1 < len(text.split()) <= _LONGEST_UNTURNED:
            return None
        return WordedUnit(unit, re.sub(r"[\"“”]", "'", text), UNTURNED)
