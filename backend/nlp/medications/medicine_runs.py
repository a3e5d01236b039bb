"""Runs of medicines: what dosages each has, which trigger governs them, and where they are taken or given.

"Aspirin 81 mg, Plavix and Lipitor were stopped" is one run of three medicines that one trigger governs. A list that does not
say where its medicines are taken is the hospital's where enough of them are given in hospital alone.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.findings.measured.observations import claimed
from backend.nlp.measures.dosage import dosage_places, read_dosages
from backend.nlp.measures.open_dosage import FoundDosage
from backend.nlp.measures.timing import per_day
from backend.nlp.measures.units import NUMBER_WORDS, unit_of
from backend.nlp.medications.lists.list_kinds import ListKinds
from backend.nlp.medications.medicine_events import (
    DECIDED,
    FAMILY,
    NOW,
    SETTINGS,
    STAY,
    SWITCHED,
    SWITCHED_FROM,
    Governing,
    governing,
    is_present,
)
from backend.nlp.medications.medicine_names import MedicineWord, NamedMedicine, medicine_words
from backend.nlp.medications.medicine_outcomes import Context
from backend.nlp.medications.times_given import without_dates
from backend.schemas.record import Dosage, Setting
from backend.schemas.vocabulary import SectionCategory

_LONGEST_LEAD, _REASON_WORDS = 8, 5
_SHARE, _LEAST = 0.4, 3
_HOME = 3  # words at most between "home" and the medicine that is taken there
_SELDOM = 0.15  # times a day from which an infusion is one of a stay
_OWN = frozenset({SectionCategory.MEDICATIONS, SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.SOCIAL_HISTORY})
_HOSPITAL = frozenset({Setting.EMERGENCY, Setting.ADMISSION, Setting.HOSPITAL_CONSULT})
_VISITS = frozenset({Setting.CLINIC, Setting.PRE_OPERATIVE})
_INJECTED = frozenset(("", "intravenous", "subcutaneous", "intramuscular", "vial", "injected"))
_CLAUSE_MARKS = frozenset({".", ";", "\n"})
# events of words behind which the new dose stands
_DOSED = frozenset({"INCREASED", "DECREASED", "CHANGED", "CONTINUED", "RESUMED"})
_COUNT = re.compile(r"\d+x?")
_YEAR, _DATED = re.compile(r"(?:19|20)\d\d"), 3


class StatedMedicine(NamedTuple):
    """A medicine with what is told of it, before its statement is made. with_dosed: it stands in a run with a dosage; dated: a year stands before it."""

    named: NamedMedicine
    dosages: tuple[FoundDosage, ...]
    governing: Governing | None
    context: Context
    reason: str
    with_dosed: bool
    dated: bool


def stated_medicines(
    note: ParsedNote, named: Sequence[NamedMedicine], setting: Setting = Setting.UNKNOWN, *, goes_home: bool = False
) -> list[StatedMedicine]:
    """What is told of each medicine, in order.

    Args:
        note: the parsed note.
        named: its medicines, in order of place.
        setting: where the note was written.
        goes_home: whether the patient leaves with the note.
    """
    known, key = note.once(_runs), tuple(named)
    if key not in known:
        known[key] = _Runs(note, named)
    return known[key].stated(setting, goes_home)


def _runs(_: ParsedNote) -> "dict[tuple[NamedMedicine, ...], _Runs]":
    return {}


def _parted(before: Sequence[FoundDosage], behind: Sequence[FoundDosage]) -> list[FoundDosage]:
    """What stands behind a name, with the dose that stands before it: "25 mg of losartan daily"."""
    measured = bool(before) and bool(before[0].dosage.unit or before[0].dosage.form)
    if not measured or behind[0].dosage.form or behind[0].before_change:
        return list(behind)
    lead, timed = before[0].dosage, behind[0].dosage
    own = {name: getattr(timed, name) for name in timed.model_fields_set if getattr(timed, name)}
    told = {name: getattr(lead, name) for name in lead.model_fields_set}
    text = f"{lead.text} {timed.text}"
    return [behind[0]._replace(dosage=lead.model_copy(update={**told, **own, "text": text})), *behind[1:]]


class _Runs:
    def __init__(self, note: ParsedNote, named: Sequence[NamedMedicine]) -> None:
        self._note, self._named = note, named
        self._stay = any(one.row.event == STAY for one in note.triggers[FAMILY])
        self._dosages: list[tuple[FoundDosage, ...]] = []
        self._ends: list[int] = []
        self._sentences = [self._sentence(one) for one in named]
        for at, one in enumerate(named):
            self._dosages.append(self._dosage(at, one, self._sentences[at]))
            after = [d.last for d in self._dosages[at] if d.first >= one.last]
            self._ends.append(max([one.last, *after]))
        self._by, self._dosed = self._governed(self._sentences)
        self._infused = [any(_is_infused(d.dosage) for d in found) for found in self._dosages]
        self._settings = self._settings_told()
        self._lists = ListKinds(note, named, self._ends)
        self._given = [self._given_only(at, MedicineWord.HOSPITAL_ONLY) for at in range(len(named))]
        self._reasons = [self._reason(at, self._sentences[at]) for at in range(len(named))]
        self._years = [self._dated(at) for at in range(len(named))]

    def stated(self, setting: Setting, goes_home: bool) -> list[StatedMedicine]:
        """What is told of each medicine in a note that was written there."""
        hospital, listed = self._hospital_lists(self._by, setting), self._lists.events(goes_home=goes_home)
        return [
            StatedMedicine(
                one,
                without_dates(self._dosages[at], self._by[at]),
                self._by[at],
                self._context(at, listed[at], hospital, setting, goes_home),
                self._reasons[at],
                self._dosed[at],
                self._years[at],
            )
            for at, one in enumerate(self._named)
        ]

    def _settings_told(self) -> list[frozenset[str]]:
        """By medicine: the settings that its sentence tells."""
        told: dict[Sentence | None, frozenset[str]] = {None: frozenset()}
        for sentence in self._sentences:
            if sentence is not None and sentence not in told:
                found = self._note.triggers_within(FAMILY, sentence.first, sentence.last)
                told[sentence] = frozenset(t.row.event for t in found if t.row.event in SETTINGS)
        return [told[sentence] for sentence in self._sentences]

    def _governed(self, sentences: Sequence[Sentence | None]) -> tuple[list[Governing | None], list[bool]]:
        """By medicine: the trigger that governs it, and whether it stands in a run with a dosage."""
        governed: list[Governing | None] = []
        dosed: list[bool] = []
        at = 0
        while at < len(self._named):
            last = at
            while last + 1 < len(self._named) and self._joined(last, sentences):
                last += 1
            found = self._of_run(at, last, sentences[at])
            rest = self._of_run(at, at, sentences[at]) if found is not None and found.last_only and last > at else found
            told = [*[rest] * (last - at), found]
            for i in range(last, at, -1):
                if self._is_apposed(i):
                    told[i - 1 - at] = told[i - at]
            governed += told
            dosed += [last > at and any(self._dosages[at : last + 1])] * (last + 1 - at)
            at = last + 1
        self._switched(governed, sentences)
        return governed, dosed

    def _is_apposed(self, at: int) -> bool:
        """Whether a name stands in brackets behind the one before it, as another name of it: "Junel (OCP)"."""
        words, one = self._note.words, self._named[at]
        return words[self._named[at - 1].last : one.first] == ["("] and words[one.last : one.last + 1] == [")"]

    def _switched(self, governed: list[Governing | None], sentences: Sequence[Sentence | None]) -> None:
        """What was started before "and later changed to" in one sentence is what was changed, where nothing else is."""
        for at, found in enumerate(governed):
            if found is None or found.trigger.row.event != SWITCHED or found.event == SWITCHED_FROM:
                continue
            if any(
                by is not None and by.trigger is found.trigger and by.event == SWITCHED_FROM for by in governed[:at]
            ):
                continue
            for earlier in range(at - 1, -1, -1):
                by = governed[earlier]
                if sentences[earlier] is not sentences[at]:
                    break
                if by is None or by.trigger is found.trigger:
                    continue
                if by.event in ("STARTED", "TAKES") and not is_present(self._note, by.trigger):
                    governed[earlier] = Governing(SWITCHED_FROM, found.trigger)

    def _of_run(self, at: int, last: int, sentence: Sentence | None) -> Governing | None:
        if sentence is None:
            return None
        before = self._named[at - 1].last if at else 0
        following = self._named[last + 1].first if last + 1 < len(self._named) else len(self._note.words)
        return governing(self._note, sentence, self._named[at].first, self._ends[last], (before, following))

    def _dated(self, at: int) -> bool:
        first = self._named[at].first
        return any(_YEAR.fullmatch(word) for word in self._note.words[max(0, first - _DATED) : first])

    def _sentence(self, one: NamedMedicine) -> Sentence | None:
        at = self._note.sentence_at(one.start_char)
        return None if at is None else self._note.sentences[at]

    def _dosage(self, at: int, one: NamedMedicine, sentence: Sentence | None) -> tuple[FoundDosage, ...]:
        """What stands behind the name, else right before it."""
        note = self._note
        if sentence is None:
            return ()
        end = sentence.last
        if one.section is SectionCategory.MEDICATIONS:
            end = self._entry_end(sentence)
        results = note.once(claimed)
        end = next((i for i in range(one.last, end) if i in results), end)
        limit = min(self._named[at + 1].first if at + 1 < len(self._named) else len(note.words), end)
        limit = self._semicolon(one.last, limit, ends=limit == sentence.last)
        leads = (
            self._leads(at + 1, limit) if at + 1 < len(self._named) and limit == self._named[at + 1].first else limit
        )
        for first in dict.fromkeys((one.last, self._behind_change(one.last, leads))):
            found = read_dosages(note, first, leads)
            if found and found[0].dosage.model_fields_set & {"dose", "quantity"}:
                return tuple(found)
        before = self._before(at, one, sentence)
        return tuple(_parted(before, found)) if found else before

    def _behind_change(self, first: int, limit: int) -> int:
        """Where the words end that change a dose, right behind the name: "halved to 75 bd", "continued at half dose, 25 mg"."""
        words = self._note.words
        for one in self._note.triggers_within(FAMILY, first, limit):
            if one.row.event in _DOSED and not any(word[:1].isdigit() for word in words[first : one.first]):
                first = one.last - words[one.last - 1][:1].isdigit()  # "back to 5"
        while first < limit and words[first] in ("to", "at", ",", ":", "(", "now"):
            first += 1
        return first

    def _semicolon(self, first: int, limit: int, ends: bool) -> int:
        """The last semicolon before a place, else the place; before the end of a sentence one ahead of a number ends nothing."""
        words = self._note.words
        at = next((i for i in range(limit - 1, first - 1, -1) if words[i] == ";"), limit)
        return limit if ends and at + 1 < limit and words[at + 1][:1].isdigit() else at

    def _leads(self, at: int, limit: int) -> int:
        """Where a dosage that stands before the next name begins, "p.r.n. acetaminophen", behind a comma or "and"."""
        note, begin = self._note, limit
        own = self._sentence(self._named[at])
        floor = max(self._named[at - 1].last, limit - _LONGEST_LEAD, own.first if own is not None else 0)
        while begin > floor and note.words[begin - 1] not in (",", "and", "\n", ";"):
            begin -= 1
        return begin if begin > floor else limit

    def _before(self, at: int, one: NamedMedicine, sentence: Sentence) -> tuple[FoundDosage, ...]:
        note = self._note
        floor = max(sentence.first, self._named[at - 1].last if at else 0, one.first - _LONGEST_LEAD)
        begin = one.first
        while begin > floor and note.words[begin - 1] not in (",", "and", ";", ":", "\n"):
            begin -= 1
        for start in dosage_places(note, begin, one.first):
            found = read_dosages(note, start, one.first)
            near = [
                d
                for d in found
                if d.first == start
                and note.words[d.last : one.first] in ([], ["of"])
                and not _COUNT.fullmatch(note.words[d.last - 1])
                and not (
                    d.dosage.dose is None and d.dosage.quantity is not None and not (d.dosage.form or d.dosage.timing)
                )
            ]
            if near:
                return (near[-1],)
        return ()

    def _entry_end(self, sentence: Sentence) -> int:
        """The end of an entry of a list: of a next sentence too that begins with no name but with a dosage ("Zofran. p.r.n.")."""
        note = self._note
        at = bisect_left(note.sentences, (sentence.start_char + 1,))
        if at < len(note.sentences) and note.sentences[at].section == sentence.section:
            following = note.sentences[at]
            first = following.first
            if note.words[first].isdigit() or not dosage_places(note, first, first + 1):
                return sentence.last
            found = read_dosages(note, first, min(first + _LONGEST_LEAD, following.last))
            if found and found[0].first == first:
                return following.last
        return sentence.last

    def _joined(self, at: int, sentences: Sequence[Sentence | None]) -> bool:
        """Whether the next name is of the same run: only doses, commas and "and" stand between."""
        if sentences[at] is None or sentences[at] is not sentences[at + 1]:
            return False
        glue, note = medicine_words()[MedicineWord.GLUE], self._note
        dosed = {i for d in (*self._dosages[at], *self._dosages[at + 1]) for i in range(d.first, d.last)}
        between = range(self._named[at].last, self._named[at + 1].first)
        return all(
            i in dosed or note.words[i] in glue or note.words[i].isdigit() or note.words[i] in ".-\n" for i in between
        )

    def _hospital_lists(self, governed: Sequence[Governing | None], setting: Setting) -> Mapping[int, bool]:
        """By medicine of a list that says not where it is taken: whether it is given in hospital."""
        note = self._note
        here = {
            _key(one)
            for one, by in zip(self._named, governed, strict=True)
            if by is not None and by.event in ("GIVEN", "STARTED", "SWITCHED_FROM") and one.section is not SectionCategory.MEDICATIONS
            and one.section not in (SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.SOCIAL_HISTORY)
        }  # fmt: skip
        by_section: dict[int, list[int]] = {}
        for at, one in enumerate(self._named):
            section = note.section_at(one.start_char)
            if section is not None and section.category is SectionCategory.MEDICATIONS:
                by_section.setdefault(section.start_char, []).append(at)
        found: dict[int, bool] = {}
        for places in by_section.values():
            alone = {at for at in places if setting not in _VISITS and self._given[at]}
            often = MedicineWord.HOSPITAL_OFTEN
            seen = [at for at in places if at in alone or self._given_only(at, often) or _key(self._named[at]) in here]
            share = len(seen) / len(places)
            whole = bool(alone) and (len(seen) >= _LEAST or share >= _SHARE)
            whole |= self._stay and len(seen) > 1 and share >= _SHARE / 2
            whole &= setting not in _VISITS
            found.update({at: whole or at in alone for at in places})
        return found

    def _given_only(self, at: int, kind: MedicineWord) -> bool:
        one = self._named[at]
        words = self._note.words[one.first : one.last]
        if self._infused[at] or any(d.dosage.route == "epidural" for d in self._dosages[at]):
            return True
        if medicine_words()[kind].isdisjoint((*words, *one.name.lower().split())):
            return False
        if any((unit := unit_of(word)) is not None and unit.kind == "form" for word in words):
            return False
        return all({d.dosage.route, d.dosage.form} <= _INJECTED for d in self._dosages[at])

    def _context(
        self, at: int, listed: str, hospital: Mapping[int, bool], setting: Setting, goes_home: bool
    ) -> Context:
        note, one, sentence = self._note, self._named[at], self._sentences[at]
        settings, infused = self._settings[at], self._infused[at]
        of_ward = listed == "LIST_INPATIENT"
        if not listed and "HOME" in settings and one.section is SectionCategory.MEDICATIONS:
            listed = "LIST_HOME"
        if listed == NOW:
            staying = self._stay and setting not in _VISITS  # a stay that a visit tells of is over
            listed = "LIST_INPATIENT" if staying and one.section is SectionCategory.MEDICATIONS else ""
        leaves = (by := self._by[at]) is not None and by.event == "DISCHARGED"
        own = sentence is not None and "home" in note.words[max(sentence.first, one.first - _HOME) : one.last]
        own &= not leaves  # "home with naproxen"
        if own and not listed:
            listed = "LIST_HOME"  # "her home dose of carvedilol"
        at_home = listed == "LIST_HOME" or "HOME" in settings
        if one.section in _OWN:
            here = infused or hospital.get(at, False)
        else:
            here = infused or one.given_here or self._given[at]
        ordered = (
            setting in _HOSPITAL
            and one.section in DECIDED
            and not (goes_home or at_home or self._put_off(at, sentence))
        )
        return Context(
            one.section, listed, settings, here and not at_home, ordered, of_ward=of_ward, goes_home=goes_home
        )

    def _put_off(self, at: int, sentence: Sentence | None) -> bool:
        """Whether a medicine waits for something: "if", "after", "tomorrow" in its clause."""
        if sentence is None:
            return False
        words, waits = self._note.words, medicine_words()[MedicineWord.WAITS]
        before, after = self._named[at].first, self._ends[at]
        while before > sentence.first and words[before - 1] not in _CLAUSE_MARKS:
            before -= 1
        while after < sentence.last and words[after] not in _CLAUSE_MARKS:
            after += 1
        return not waits.isdisjoint(words[before:after])

    def _reason(self, at: int, sentence: Sentence | None) -> str:
        """What a medicine is for, where "for" stands right behind its dosage."""
        words, i = self._note.words, self._ends[at]
        if sentence is None or i >= sentence.last or words[i] != "for":
            return ""
        end = i + 1
        while (
            end < sentence.last
            and end - i <= _REASON_WORDS
            and words[end][:1].isalpha()
            and words[end] not in medicine_words()[MedicineWord.NO_REASON]
            and words[end] not in NUMBER_WORDS
        ):
            end += 1
        whole = end >= sentence.last or words[end] in (",", ".", ";", ")", "\n", "and", "which", "but")
        return " ".join(self._note.written(i + 1, end).split()) if whole and end > i + 1 else ""


def _is_infused(one: Dosage) -> bool:
    """Whether a dose runs into a vein; one of weeks apart is given to who lives at home."""
    if one.timing != "CONT" and one.route != "intravenous":
        return False
    often = per_day(one.timing_text)
    return often is None or often >= _SELDOM


def _key(one: NamedMedicine) -> str:
    return one.concept_id or one.name
