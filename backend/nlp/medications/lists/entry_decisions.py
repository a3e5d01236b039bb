"""What the rest of a medicine's own entry decides of it: "Solifenacin 10 – stop now", "bisoprolol: was 7.5, now 2.5 mg", "omeprazole 20: no changes".

An entry begins a line, or stands behind a comma or the like of a line that an entry begins. Where such words decide, they are of that
medicine and of this encounter, whatever the title above says; sections that tell what was before, and what a ward gives, are left to the triggers.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import tokens
from backend.nlp.medications.lists.entry_remarks import EntryRemarks, Remark, entry_remarks, opens_entry
from backend.nlp.medications.lists.list_kinds import LISTED
from backend.nlp.medications.medicine_events import Governing
from backend.nlp.medications.medicine_outcomes import Outcome
from backend.nlp.medications.medicine_runs import StatedMedicine
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import MedicationCategory, MedicationStatus
from backend.schemas.vocabulary import SectionCategory

RULE = "medications/entry"
"""Rule id of what a medicine's own entry decides; the remark stands behind it."""
_DECISIVE = frozenset({"CONTINUED", "STOPPED", "HELD", "INCREASED", "DECREASED", "CHANGED", "RESUMED"})
"""Events by which a trigger within an entry decides on what is taken."""
_SECTIONS = frozenset(
    {
        SectionCategory.PLAN,
        SectionCategory.ASSESSMENT,
        SectionCategory.INSTRUCTIONS,
        SectionCategory.MEDICATIONS,
        SectionCategory.UNLABELED,
        SectionCategory.OTHER,
        SectionCategory.CHIEF_COMPLAINT,
    }
)
"""Sections in which an entry decides; notes in the telegram style have their plan below a complaint."""
_HOME = MedicationCategory.COMMUNITY
_OUTCOMES = {
    Remark.NEW: Outcome(MedicationStatus.INTENDED, _HOME, "started"),
    Remark.SAME: Outcome(MedicationStatus.ACTIVE, _HOME, "continued"),
    Remark.CHANGED: Outcome(MedicationStatus.ACTIVE, _HOME, "changed"),
    Remark.RESUME: Outcome(MedicationStatus.ACTIVE, _HOME, "resumed"),
    Remark.HOLD: Outcome(MedicationStatus.ON_HOLD, _HOME),
    Remark.STOP: Outcome(MedicationStatus.STOPPED, _HOME),
}
DIVIDES = re.compile(r"[,;]\s|\.\s+(?=[A-Z])|\n")
"""Behind what the next entry of a line may begin."""
SENTENCE_END = re.compile(r"\.\s+(?=[A-Z])")
_JOINS = re.compile(r"[\s,&+]*(?:and)?\s*", re.IGNORECASE)
_ARROW = re.compile(r"[-=]*>+|\u2192")
_SWITCH = re.compile(
    r"[\W\d]*(?:(?P<arrow>[-=]*>+|\u2192)\s*)?(?P<told>(?:switch|change|swap)(?:ed|d|ped)? to\s+)?", re.IGNORECASE
)
"""What stands between a medicine and the one that takes its place."""
_PAST_DAYS = (["this"], ["yesterday"], ["last"])
_NUMBERING = re.compile(r"\s*(?:[-*\u2022\u00b7~\u2013\u2014#>]|\(?[a-z\d]{1,2}[.):])*\s*", re.IGNORECASE)
_PROBLEM = re.compile(r"(?:[^\W\d][\w/'.+&-]*\s+){0,4}[^\W\d][\w/'.+&-]*\s*(?::|\s[-\u2013\u2014])\s*")
"""The problem that a line of a plan begins with, "Neuropathy: gabapentin …"."""


class Entry(NamedTuple):
    """An entry of a medicine: its half-open code points, what it decides (None for nothing), and the words behind that: why, or until when."""

    start_char: int
    end_char: int
    remark: Remark | None = None
    detail: str = ""

    @property
    def outcome(self) -> Outcome | None:
        """What the note says of the medicine by it; None where it decides nothing."""
        return _OUTCOMES.get(self.remark) if self.remark is not None else None

    def holds(self, note: ParsedNote, governing: Governing | None) -> bool:
        """Whether what governs the medicine stands in its entry, so that the triggers have read it."""
        return governing is not None and self.start_char <= note.tokens.starts[governing.trigger.first] < self.end_char


def entries_of(note: ParsedNote, stated: Sequence[StatedMedicine]) -> list[Entry | None]:
    """By medicine: its own entry with what that decides; None where it stands in none.

    Args:
        note: the parsed note.
        stated: its medicines, in order of place.
    """
    found: list[Entry | None] = [None] * len(stated)
    for first, last in _lines(note, stated):
        own = [i for i in range(first, last) if not _is_of_other(stated[i])]
        if own:
            for at, entry in zip(own, _Line(note, [stated[i] for i in own]).entries(), strict=True):
                found[at] = entry
    return found


def decides(governing: Governing | None) -> bool:
    """Whether a trigger decides on what is taken."""
    return governing is not None and governing.event in _DECISIVE


def _lines(note: ParsedNote, stated: Sequence[StatedMedicine]) -> list[tuple[int, int]]:
    """Which medicines stand on one line, as ranges."""
    found: list[tuple[int, int]] = []
    line = -1
    for i, one in enumerate(stated):
        begin = note.text.rfind("\n", 0, one.named.start_char)
        if found and begin == line:
            found[-1] = (found[-1][0], i + 1)
        else:
            found.append((i, i + 1))
        line = begin
    return found


def _is_of_other(one: StatedMedicine) -> bool:
    """Whether something else reads a medicine: a section of what was before, a ward, or a list for home, whose reader knows all of its columns."""
    context = one.context
    listed = LISTED.get(context.list_event) is MedicationCategory.DISCHARGE
    return context.section not in _SECTIONS or context.ordered or context.of_ward or context.infused or listed


class _Line:
    """The entries of a line.

    Args:
        note: the parsed note.
        own: the medicines of the line, in order of place; one at least.
    """

    def __init__(self, note: ParsedNote, own: Sequence[StatedMedicine]) -> None:
        self._text, self._own = note.text, own
        start = own[0].named.start_char
        self._begin = self._text.rfind("\n", 0, start) + 1
        end = self._text.find("\n", start)
        self._end = end if end >= 0 else len(self._text)

    def entries(self) -> list[Entry | None]:
        """By medicine of the line, in order."""
        found: list[Entry | None] = []
        for i, one in enumerate(self._own):
            before = _end_of(self._own[i - 1]) if i else self._begin
            lead = self._text[before : one.named.start_char]
            if i and found[-1] is not None and self._is_switch(i, lead):
                same = one.named.concept_id is not None and one.named.concept_id == self._own[i - 1].named.concept_id
                found[-1] = found[-1]._replace(remark=None if same else Remark.STOP, detail="")
                found.append(Entry(before, self._stop(i), Remark.CHANGED if same else Remark.NEW))
                continue
            border = max(
                (end - before for end in self._borders(before, one.named.start_char) if i), default=-1 if i else 0
            )
            opens = border >= 0 and (not i or found[0] is not None) and _opens(lead[border:])
            joins = i > 0 and found[-1] is not None and bool(_JOINS.fullmatch(lead))
            found.append(self._entry(i, before + max(border, 0)) if opens or joins else None)
        for i in range(len(found) - 2, -1, -1):  # "candesartan 8, omeprazole 20: no changes"
            own, later = found[i], found[i + 1]
            between = self._text[_end_of(self._own[i]) : self._own[i + 1].named.start_char]
            shared = later is not None and later.remark is Remark.SAME and _JOINS.fullmatch(between)
            if own is not None and own.remark is None and shared:
                found[i] = own._replace(remark=Remark.SAME)
        return found

    def _is_switch(self, i: int, lead: str) -> bool:
        """Whether a medicine takes the place of the one before it: "tizanidine → baclofen 5 mg"; an arrow alone leads to a dose."""
        found = _SWITCH.fullmatch(lead)
        return found is not None and bool(found["told"] or (found["arrow"] and self._own[i].dosages))

    def _borders(self, first: int, name: int) -> list[int]:
        """Where entries may begin between a code point and a name."""
        found = (m.end() for m in DIVIDES.finditer(self._text, first, name + 1))  # with the capital that it begins with
        return [end for end in found if end <= name]

    def _stop(self, i: int) -> int:
        """Where an entry ends: at the next one of the line, or with its sentence."""
        end, stop = _end_of(self._own[i]), self._end
        if i + 1 < len(self._own):
            following = self._own[i + 1].named.start_char
            divided = self._borders(end, following)
            stop = divided[-1] if divided and _opens(self._text[divided[-1] : following]) else following
        sentence = SENTENCE_END.search(self._text, end, stop)
        return sentence.start() if sentence else stop

    def _entry(self, i: int, start: int) -> Entry:
        """The entry of a medicine that begins at a code point."""
        one, stop = self._own[i], self._stop(i)
        if "?" in self._text[start : stop + 1]:
            return Entry(start, stop)  # what is asked decides nothing: "stop the ramipril?"
        name = one.named
        dosed = [(d.start_char, d.end_char) for d in one.dosages if d.start_char >= name.end_char]
        gaps = zip([name.end_char, *(end for _, end in dosed)], [*(begin for begin, _ in dosed), stop], strict=True)
        between = [self._text[a:b] for a, b in gaps]
        lead = _NUMBERING.sub("", self._text[start : name.start_char], count=1)
        lead = "" if word_lists("medications/words_remarks")["kind"].issuperset(tokens(lead).words) else lead
        said = entry_remarks("\0".join([lead, *between]), said=one.reason)
        remark = None if _is_open(said, one, between[-1]) else said.decision
        if remark is None and any(d.before_change for d in one.dosages) and any(map(_ARROW.search, between)):
            remark = Remark.CHANGED
        return Entry(start, stop, remark if remark in _OUTCOMES else None, said.detail)


def _is_open(said: EntryRemarks, one: StatedMedicine, behind: str) -> bool:
    """Whether the words behind leave open what an entry seems to decide.

    "10 mg from tomorrow" changes no dose, "start when pregnant" waits, "same as gliclazide" likens, "restarted this morning" is done.
    """
    words = tokens(behind).words
    match said.decision:
        case Remark.CHANGED:
            return "from" in words and len(one.dosages) < 2 and not said.detail[:1].isdigit()
        case Remark.NEW:
            return not word_lists("medications/words_remarks")["case"].isdisjoint(words)
        case Remark.SAME:
            return said.detail.startswith("as ")
        case Remark.RESUME:
            return tokens(said.detail).words[:1] in _PAST_DAYS
    return False


def _end_of(one: StatedMedicine) -> int:
    return max([one.named.end_char, *(d.end_char for d in one.dosages)])


def _opens(lead: str) -> bool:
    """Whether the words before a name open an entry: a number, an order ("stop"), the problem that it is for, or none."""
    rest = _NUMBERING.sub("", lead, count=1)
    return opens_entry(rest) or _PROBLEM.fullmatch(rest) is not None
