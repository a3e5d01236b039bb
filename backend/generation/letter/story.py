"""The patient's own story: what the note says of this patient, in plain words, each sentence with what it rests on.

Takes the record, the note with its pieces, and the plain words of concepts; gives why they came and how it went, what was found and
done, what is decided, and for the clinician alone what the note says in two ways. Three steps, each its own module: which clauses
matter (story_selection), their wording (story_wording, plain_language), and the frames by setting (plain_language.frames). A clause
that cannot be turned surely is asked of the team or left out; nothing is added to what the note says.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from backend.generation.letter import story_likeness as alike
from backend.generation.letter.measured import measured_lines, of_visit
from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plain_language.everyday import jargon
from backend.generation.letter.selection import diagnoses
from backend.generation.letter.selection.explained_names import Explainer
from backend.generation.letter.selection.history_items import listed
from backend.generation.letter.selection.opening import COMES, came_earlier, opening
from backend.generation.letter.selection.withheld import without_matters
from backend.generation.letter.story_readable import is_to_be_named, readable
from backend.generation.letter.story_selection import PASTED, Part, Unit, units
from backend.generation.letter.story_weights import denies_only
from backend.generation.letter.story_wording import NAMED, PLANNED, UNTURNED, WordedUnit, Wording
from backend.generation.letter.told_time.stay_plans import as_decided, is_for_stay_alone
from backend.generation.letter.untold import untold_plans as plans
from backend.generation.letter.untold.for_home import ForHome, is_help
from backend.generation.letter.untold.parted_plans import parted
from backend.generation.letter.untold.plain_lines import PlainLines
from backend.generation.letter.untold.untold_plans import Fate, UntoldPlan
from backend.generation.letter.untold.untold_results import UntoldResult, has_test, untold_results
from backend.generation.letter.untold.whole_telegrams import Coverage, Reading
from backend.generation.standing.contradictions import Contradiction, contradictions
from backend.nlp.people.care_frames import is_child, may_be_child
from backend.schemas.corrections import Correction
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.record import PatientRecord, ProblemStatement, ProcedureStatement
from backend.schemas.vocabulary import SectionCategory

MOST_WORDS = 250
"""Words of a story: about a page that is read to its end."""
_SHARES = {Part.WHY: 0.5, Part.FOUND: 0.35, Part.DECIDED: 0.75}  # of its words, before the other parts have had theirs
_UNREAD = {Part.WHY: 0.7, Part.FOUND: 0.7, Part.DECIDED: 0.2}
"""What each word takes that a patient could not read: what is decided has to be told all the same."""
_WORTH_ASKING = 1.0
"""What a decision must be worth to be asked of the team where it cannot be told."""
_MOST_UNREAD = 2
"""Words that a patient could not read in the sentence that tells how they came; of any other with one, what it names is told instead."""
_JOINED, _LISTED = 4, 12
"""Telegrams of one frame that make one sentence, and those of a list."""
_CONCLUDES = frozenset((SectionCategory.ASSESSMENT, SectionCategory.PLAN))
_LIVES_AND_KIN = frozenset((SectionCategory.SOCIAL_HISTORY, SectionCategory.FAMILY_HISTORY))
_SOME, _ENOUGH, _OF_INTEREST = 100, 160, 1.5
"""Words of a story from which a sentence in which nothing was read must be of its reader, and from which it must weigh so much."""
_MOST_DENIED = 3
"""Sentences of a story that tell only what the patient has not."""


class StorySentence(NamedTuple):
    """A sentence for the patient.

    citations: ids of the pieces it rests on. statement_ids: of the record. explained: concepts whose meaning stands in
    brackets, which rests on their definitions and not on the note. help: it tells when to get help.
    """

    text: str
    citations: tuple[str, ...]
    statement_ids: tuple[str, ...]
    explained: tuple[str, ...] = ()
    help: bool = False


class Story(NamedTuple):
    """The parts of a story in order; contradictions and what is untold or to be put in words are for the clinician.

    opening: how many sentences of why they came say the reason and what the team named.
    """

    why: tuple[StorySentence, ...] = ()
    found: tuple[StorySentence, ...] = ()
    decided: tuple[StorySentence, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    untold: tuple[UntoldResult, ...] = ()
    to_put: tuple[UntoldPlan, ...] = ()
    opening: int = 0

    @property
    def sentences(self) -> tuple[StorySentence, ...]:
        """What the letter tells, in order."""
        return (*self.why, *self.found, *self.decided)


def story(
    record: PatientRecord,
    note_text: str,
    pieces: Sequence[NotePiece],
    plain: Mapping[str, str],
    most_words: int = MOST_WORDS,
    corrections: Sequence[Correction] = (),
) -> Story:
    """Tell a note to its patient.

    Args:
        record: of the note.
        note_text: the note, which the record's spans and the pasted pieces index.
        pieces: the patient's notes as evidence; only pieces of the pasted note are told.
        plain: everyday words by concept id.
        most_words: the length, in words of the letter.
        corrections: of the note: a clause that a clinician corrected is told by its statements, never in its words.
    """
    return _StoryWriter(record, note_text, pieces, plain, corrections).written(most_words)


def addressee(record: PatientRecord) -> Addressee:
    """To whom a letter of this record speaks."""
    return Addressee(record.person.sex, is_child(record) or may_be_child(record))


class _StoryWriter:
    """Tells one note. Use once."""

    def __init__(
        self,
        record: PatientRecord,
        note_text: str,
        pieces: Sequence[NotePiece],
        plain: Mapping[str, str],
        corrections: Sequence[Correction],
    ) -> None:
        self._record = record
        self._corrections, self._note_text = corrections, note_text
        self._pieces = [p for p in pieces if p.note_type == PASTED]
        self._explainer = Explainer(plain)
        self._told_reason: frozenset[str] = frozenset()  # stems of the note's words for why they came
        self._readable = readable(record, plain, is_to_be_named)
        self._explicable = readable(record, plain, lambda one: isinstance(one, ProcedureStatement))
        self._wording = Wording(record, note_text, plain, addressee(record))
        you = addressee(record)
        self._said, self._seen = self._wording.plainly, f"{you.you} {'was' if you.child else 'were'} seen"
        reader, self._home = self._wording.plans, ForHome(record)
        whole = parted(units(record, note_text, self._pieces, reader.plans), note_text, reader, self._home)
        self._units = [one for one in whole if not is_for_stay_alone(one, record.encounter.setting)]
        self._places = {one.start: place for place, one in enumerate(self._units)}
        self._coverage = Coverage(record)
        self._titles = diagnoses.titles(record, note_text, self._wording, self._is_corrected, self._unreadable)
        self._lines = PlainLines(self._said, self._reads, you)

    def written(self, most_words: int) -> Story:
        """The story in at most so many words."""
        reason, first = self._opening()
        tests = sum(len(one.text.split()) for one in self._measured())
        room = most_words - (len(reason.text.split()) if reason is not None else 0) - tests
        told_units, asked = self._chosen(room, first, reason)
        named = [one.text for one in self._titles]
        chosen = alike.named_once(
            alike.told_in_full(alike.qualified(told_units, self._units)),
            "; ".join([*named, "" if reason is None else reason.text]),
        )
        about = [self._record.encounter.reason, *(one.text for one in (reason, first) if one is not None), *named]
        chosen = listed(chosen, alike.stems(" ".join(about)), lambda text: not jargon(text, self._explicable))
        chosen = diagnoses.told_with(self._titles, chosen, self._wording, self._units)
        opens = reason.text if reason is not None else first.text if first is not None else ""
        chosen = [
            one if one.worded is first else one._replace(worded=came_earlier(one.worded, opens)) for one in chosen
        ]
        opened = bool(opens) and (reason is not None or COMES.match(opens) is not None)
        diagnosis = tuple(self._diagnosis(opens))
        parts = {part: tuple(self._sentences([one for one in chosen if one.worded.unit.part is part])) for part in Part}
        why = (reason, *parts[Part.WHY]) if reason is not None else parts[Part.WHY]
        why = (*why[: bool(opens)], *diagnosis, *why[bool(opens) :])
        told = {one.id for chosen_one in chosen for one in chosen_one.worded.unit.statements}
        return Story(
            why,
            (*self._measured(told, [one.text for one in (*why, *parts[Part.FOUND])]), *parts[Part.FOUND]),
            parts[Part.DECIDED],
            contradictions(self._record),
            untold_results(
                self._units,
                {u.start for one in chosen for u in (one.worded.unit, *one.again)},
                self._said,
                {held.name for one in self._titles for held in one.statements if isinstance(held, ProblemStatement)},
            ),
            plans.untold_plans(asked),
            len(diagnosis) + bool(opens) if diagnosis or opened else 0,
        )

    def _unread(self, worded: WordedUnit) -> int:
        """How many words of a unit a patient could not read; any short form counts as two."""
        return len(self._jargon(worded)) + 2 * self._wording.has_short_forms(worded.text)

    def _opening(self) -> tuple[StorySentence | None, WordedUnit | None]:
        """Why they came: the stated reason as a sentence, or the sentence of the history that tells it."""
        reason, first = opening(
            self._record, self._units, self._wording, self._worded, self._is_corrected, self._is_plain
        )
        if reason is None:
            return None, first
        self._told_reason = alike.stems(reason.told)
        text, explained = self._explainer.with_meaning(reason.text, reason.statements)
        ids = dict.fromkeys(one.id for one in reason.statements)
        return StorySentence(text, self._cited(reason.start, reason.end), ("encounter", *ids), explained), None

    def _diagnosis(self, opening_text: str) -> Iterator[StorySentence]:
        """Yield what the assessment names, as one sentence behind the opening; as the opening where there is none."""
        text, named = diagnoses.diagnosis_sentence(self._titles, opening_text, self._wording)
        if text:
            held = [one for title in named for one in title.statements]
            text, explained = self._explainer.with_meaning(text, held, subject=True)
            cites = dict.fromkeys(c for title in named for c in self._cited(title.start, title.end))
            yield StorySentence(text, tuple(cites), tuple(dict.fromkeys(one.id for one in held)), explained)

    def _chosen(
        self, room: int, first: WordedUnit | None, reason: StorySentence | None
    ) -> tuple[list[alike.ToldUnit], tuple[Unit, ...]]:
        """What is told, in the note's order, and what is asked of the team: the weightiest first, and of each part its share.

        Args:
            room: words to be told.
            first: the sentence of the note that opens the story, which is told in any case.
            reason: the sentence that tells the stated reason.
        """
        most = room
        shares = {part: room * share for part, share in _SHARES.items()}
        titled = sum(len(one.text.split()) for one in self._titles)  # what is decided keeps its room
        wordings = {one.start: self._in_words(one) for one in self._units}
        worth = {one.start: self._worth(one, wordings[one.start]) for one in self._units}
        ranked = sorted(self._units, key=lambda one: (-worth[one.start], one.start))
        chosen: dict[int, alike.ToldUnit] = {}
        reason_stems = alike.stems(reason.text) if reason is not None else frozenset()
        again = {
            start
            for start, one in wordings.items()
            if one is not None and alike.adds_nothing(one, reason_stems, self._told_reason)
        }
        again |= {
            start for start, one in wordings.items() if one is not None and diagnoses.is_named_again(one, self._titles)
        }
        if first is not None:  # it tells the stated reason as well
            again |= {u.start for u in self._units if u.section is SectionCategory.CHIEF_COMPLAINT and u.opening}
        asked, passed, denied = dict[int, Unit](), set[int](), 0
        if first is not None:
            chosen[first.unit.start] = alike.ToldUnit(first, alike.stems(first.text), [])
            room -= len(first.text.split())
            shares[Part.WHY] -= len(first.text.split())
        for part_by_part in (True, False):
            for unit in ranked:
                worded = wordings[unit.start]
                if worded is None and unit.start not in again and plans.is_to_be_asked(unit, self._home):
                    asked[unit.start] = unit
                if worded is None or unit.start in chosen or unit.start in again:
                    continue
                words = alike.stems(worded.text)
                same = next((one for one in chosen.values() if alike.says_same(one, worded, words)), None)
                if same is not None:
                    same.again.append(unit)
                    again.add(unit.start)
                    continue
                if worth[unit.start] <= 0 or not alike.is_of_patient(worded, child=is_child(self._record)):
                    continue
                fate = plans.fate_of(worded, self._coverage.reading, self._unread, self._home)
                if fate is Fate.TOLD and not self._has_its_lead(worded, chosen):
                    fate = Fate.ASKED if plans.is_to_be_asked(unit, self._home) and not part_by_part else Fate.LEFT
                new = unit.start not in asked and unit.start not in passed and worth[unit.start] >= _WORTH_ASKING
                if fate in (Fate.ASKED, Fate.PASSED) and new:
                    room -= len(unit.text.split())  # nothing lesser takes its place
                    passed.add(unit.start)
                    if fate is Fate.ASKED:
                        asked[unit.start] = unit
                if fate is not Fate.TOLD:
                    continue
                slight = not unit.statements and worth[unit.start] < _OF_INTEREST and unit.part is Part.WHY
                spare = most - room > _ENOUGH or (most - room > _SOME and not alike.OF_READER.search(worded.text))
                if (slight and spare) or (denies_only(unit.statements) and denied == _MOST_DENIED):
                    continue
                length = len((unit if worded.frame == PLANNED else worded).text.split()) + 2 * bool(worded.frame)
                left = room - titled * (unit.part is not Part.DECIDED)
                if length > (min(shares[unit.part], left) if part_by_part else left):
                    continue
                room -= length
                shares[unit.part] -= length
                denied += denies_only(unit.statements)
                chosen[unit.start] = alike.ToldUnit(worded, words, [])
        opens = -1 if first is None else first.unit.start
        told = sorted(chosen.values(), key=lambda one: (one.worded.unit.start != opens, one.worded.unit.start))
        return told, tuple(asked.values())

    def _in_words(self, unit: Unit) -> WordedUnit | None:
        """A unit as it is told; a decision that would be asked of the team as a line in the note's words, where anybody can read it."""
        worded = self._worded(unit)
        if worded is None:
            asked = plans.is_to_be_asked(unit, self._home)
        else:
            asked = plans.fate_of(worded, self._coverage.reading, self._unread, self._home) is Fate.ASKED
        line = self._lines.line(unit) if asked and not self._is_corrected(unit.start, unit.end) else ""
        return plans.as_line(unit, line) if line else worded

    def _worded(self, unit: Unit) -> WordedUnit | None:
        """A unit in its own words; where a patient could not read them, what its statements name."""
        if self._is_corrected(unit.start, unit.end):
            return self._wording.stated(unit, self._is_plain)
        worded = self._wording.worded(unit)
        if worded is not None and not worded.frame:
            worded = worded._replace(text=without_matters(worded.text))
        if worded is not None and worded.frame != UNTURNED and alike.is_short(worded.text):
            unread = len(self._jargon(worded)) + self._wording.has_short_forms(worded.text)
            if unread <= (0 if worded.frame else _MOST_UNREAD * unit.opening):  # how they came is told in full
                return worded
        in_part = unit.section is SectionCategory.ASSESSMENT and self._coverage.reading(unit) is not Reading.WHOLE
        if unit.section in _LIVES_AND_KIN and (worded is None or worded.frame):
            return None  # only a sentence tells who does what there
        stated = None if in_part and worded is not None else self._wording.stated(unit, self._is_plain)
        return worded if stated is None else stated

    def _is_corrected(self, start: int, end: int) -> bool:
        """Whether a clinician corrected what these words say."""
        return any(one.start_char < end and start < one.end_char for one in self._corrections)

    def _jargon(self, worded: WordedUnit) -> tuple[str, ...]:
        """Words that the patient could not read; names of diseases may stay, but not in what a test found."""
        result = (has_test(worded.unit) or worded.unit.part is Part.FOUND) and not worded.unit.opening
        result = result and worded.unit.section not in _CONCLUDES
        return jargon(worded.text, self._explicable if result else self._readable)

    def _unreadable(self, text: str) -> tuple[str, ...]:
        return jargon(text, self._readable)

    def _is_plain(self, text: str) -> bool:
        return not self._unreadable(text)

    def _reads(self, text: str, names: bool) -> bool:
        return self._is_plain(text) and not self._wording.has_short_forms(text, names=names)

    def _worth(self, unit: Unit, worded: WordedUnit | None) -> float:
        """The weight of a unit, less what a patient could not read of it."""
        if worded is None:
            return unit.weight
        unread = self._jargon(worded)
        short = not worded.frame and self._wording.has_short_forms(worded.text)
        if short and unit.section is SectionCategory.PHYSICAL_EXAM:
            return -math.inf
        if unit.part is not Part.DECIDED and len(unread) > (0 if worded.frame else _MOST_UNREAD * unit.opening):
            return -math.inf  # a telegram has no sentence that would explain it, and a sentence has to be read
        return unit.weight - _UNREAD[unit.part] * (len(unread) + short)

    def _has_its_lead(self, worded: WordedUnit, chosen: Mapping[int, alike.ToldUnit]) -> bool:
        """Whether what a sentence leans on ("This was worse on standing", "at that time") is told: the sentence before it."""
        unit = worded.unit
        if not alike.leans(as_decided(worded.text) if unit.part is Part.DECIDED else worded.text):
            return True
        if diagnoses.follows_title(unit, self._titles) or (len(self._titles) == 1 and alike.supposes(worded.text)):
            return True
        place = self._places[unit.start]
        before = self._units[place - 1] if place else None
        lead = chosen.get(before.start) if before is not None else None
        return lead is not None and lead.worded.unit.text == unit.before and lead.worded.frame not in NAMED

    def _sentences(self, chosen: Sequence[alike.ToldUnit]) -> Iterator[StorySentence]:
        """The sentences of a part in order; telegrams of one frame that follow one another are joined."""
        planned, i = False, 0
        chosen = alike.together(chosen)
        while i < len(chosen):
            group = [chosen[i]]
            frame = group[0].worded.frame
            most = min(_LISTED if frame in alike.LISTS else _JOINED, len(chosen) - i)
            while frame not in ("", PLANNED) and len(group) < most and chosen[i + len(group)].worded.frame == frame:
                group.append(chosen[i + len(group)])
            i += len(group)
            text, planned = self._wording.joined([one.worded for one in group], planned)
            rests = [unit for one in group for unit in (one.worded.unit, *one.again)]
            places = [p for one in group for p in one.over] + [p for u in rests for p in self._wording.rests_on(u)]
            cites = dict.fromkeys(c for place in places for c in self._cited(*place))
            ids = dict.fromkeys(one.id for unit in rests for one in unit.statements)
            text, explained = self._explainer.with_meaning(text, [one for unit in rests for one in unit.statements])
            yield StorySentence(
                text, tuple(cites), tuple(ids), explained, all(is_help(one.worded.unit) for one in group)
            )

    def _measured(self, told: Collection[str] = (), texts: Sequence[str] = ()) -> Iterator[StorySentence]:
        """Yield the vital signs and the blood tests that were not normal and that no text tells; of a child's none, whose limits are others."""
        if is_child(self._record):
            return
        held = of_visit(self._record, self._note_text, told, texts)
        for text, values in measured_lines(held, self._seen):
            spans = [span for one in values for span in one.spans[:1]]
            cites = dict.fromkeys(c for span in spans for c in self._cited(span.start_char, span.end_char))
            yield StorySentence(text, tuple(cites), tuple(dict.fromkeys(one.id for one in values)))

    def _cited(self, start: int, end: int) -> tuple[str, ...]:
        return tuple(p.id for p in self._pieces if p.start_char < end and start < p.end_char)
