"""Which list a medicine stands in: of home, of a ward, of what is taken on leaving, and under which label of it ("STOPPED:").

The nearest words before it in its section that open a list tell it, or the title of the section. A list that says of its entries what
becomes of them ("same", "NEW", "restart 2/14") is the one for home, whatever its title, in a note with which the patient leaves.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from backend.nlp.document.headers import list_title
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.medications.lists.entry_remarks import Remark, entry_remarks
from backend.nlp.medications.medicine_events import DECIDED_LIST, FAMILY, LABELS, LISTS, NOW
from backend.nlp.medications.medicine_names import NamedMedicine
from backend.schemas.record import MedicationCategory
from backend.schemas.vocabulary import SectionCategory

LISTED = {
    "LIST_HOME": MedicationCategory.COMMUNITY,
    "LIST_INPATIENT": MedicationCategory.INPATIENT,
    **dict.fromkeys(("LIST_DISCHARGE", DECIDED_LIST, *LABELS), MedicationCategory.DISCHARGE),
}
"""Where what stands in a list is taken."""
_LABEL_WORDS = 10
_UNTITLED = frozenset(
    {SectionCategory.UNLABELED, SectionCategory.OTHER, SectionCategory.PLAN, SectionCategory.INSTRUCTIONS}
)
"""Sections in which a label that stands alone on its line opens a block of its own."""
_MARK = re.compile(r"[ \t]*[-*\u2022\u00b7~\u2013]?")
_RUN = 3
"""Medicines of one line that make it a list of its own, which the entries below it do not decide."""
_BLOCK, _GAP = 3, 2
"""Lines of a list without a title, and line breaks between two of its entries."""
_NUMBERING = " \t-*\u2022\u00b7\u20130123456789.)#"
_LEAST, _SHARE = 2, 0.2
_GIVEN = frozenset(("GIVEN", "DONE"))
"""Events that make "Rx" the heading of what was given, and of no prescriptions."""
_FORWARD = frozenset({Remark.NEW, Remark.SAME, Remark.CHANGED, Remark.RESUME})
"""What is said of an entry only on leaving; that it was stopped or held is also told of what was taken before."""


class ListKinds:
    """The lists of a note.

    Args:
        note: the parsed note.
        named: its medicines, in order of place.
        ends: of each, the token behind its dosages.
    """

    def __init__(self, note: ParsedNote, named: Sequence[NamedMedicine], ends: Sequence[int]) -> None:
        self._note = note
        labels = note.once(_labels)
        labelled = {i for first, last, _ in labels for i in range(first, last)}
        told = [one for one in note.triggers[FAMILY] if one.row.event in (*LISTS, NOW) and one.first not in labelled]
        opened = sorted([(one.first, one.row.event) for one in told] + [(at, event) for at, _, event in labels])
        self._opened = sorted([*opened, *_closed(note, labels, opened)])
        self._blocks_end: dict[int, int] = {}
        self._firsts = [first for first, _ in self._opened]
        self._events = [self._event(one) for one in named]
        self._sections = self._blocks(named, [self._section(one) for one in named])
        self._decided = self._decided_sections(named, ends)
        lines = [note.text.rfind("\n", 0, one.start_char) for one in named]
        many = Counter(lines)
        self._runs = [many[line] >= _RUN for line in lines]
        given = (note.section_at(note.tokens.starts[t.first]) for t in note.triggers[FAMILY] if t.row.event in _GIVEN)
        self._given = frozenset(section.start_char for section in given if section is not None)

    def events(self, *, goes_home: bool) -> list[str]:
        """By medicine: the kind of list that it stands in; empty for none, or for one that does not say.

        Args:
            goes_home: whether the patient leaves with the note.
        """
        here = dict.fromkeys(self._given, "LIST_INPATIENT")
        events = [
            here.get(section, "LIST_NEW" if goes_home else "") if event == "LIST_PRESCRIBED" else event
            for event, section in zip(self._events, self._sections, strict=True)
        ]
        return [
            DECIDED_LIST
            if goes_home
            and section in self._decided
            and event not in (*LABELS, "LIST_INPATIENT", "LIST_DISCHARGE")
            and not (run and event == "LIST_HOME")
            else event
            for event, section, run in zip(events, self._sections, self._runs, strict=True)
        ]

    def _event(self, one: NamedMedicine) -> str:
        note = self._note
        section = note.section_at(one.start_char)
        at = bisect_right(self._firsts, one.first) - 1
        if section is None or at < 0 or note.tokens.starts[self._firsts[at]] < section.start_char:
            return ""
        first, event = self._opened[at]
        if section.category is SectionCategory.MEDICATIONS or note.sentence_at(
            note.tokens.starts[first]
        ) == note.sentence_at(one.start_char):
            return event
        return event if event in LABELS and self._is_below(first, one.start_char) else ""

    def _is_below(self, label: int, place: int) -> bool:
        """Whether a place is in the block of lines below a label."""
        if label not in self._blocks_end:
            self._blocks_end[label] = self._block_end(label)
        return place < self._blocks_end[label]

    def _block_end(self, label: int) -> int:
        """Where the lines below a label end that begin alike: with the same indent or mark."""
        text = self._note.text
        at = text.find("\n", self._note.tokens.starts[label]) + 1
        first = _MARK.match(text, at)
        while at and (end := text.find("\n", at)) != at and at < len(text):
            mark = _MARK.match(text, at)
            if first is None or mark is None or mark[0] != first[0]:
                return at
            if end < 0:
                return len(text)
            at = end + 1
        return at

    def _section(self, one: NamedMedicine) -> int:
        """Where the section of medicines begins in which one stands; -1 for none."""
        section = self._note.section_at(one.start_char)
        listed = section is not None and section.category is SectionCategory.MEDICATIONS
        return section.start_char if section is not None and listed else -1

    def _blocks(self, named: Sequence[NamedMedicine], sections: Sequence[int]) -> list[int]:
        """The sections, and outside them where a block of lines begins that medicines open, one a line: a list without a title."""
        text = self._note.text
        lines = [text.rfind("\n", 0, one.start_char) + 1 for one in named]
        opens = [not text[a : one.start_char].strip(_NUMBERING) for a, one in zip(lines, named, strict=True)]
        found = list(sections)
        block: list[int] = []
        for i in range(len(named) + 1):
            if i < len(named) and block and lines[i] == lines[block[-1]]:
                block.append(i)
                continue
            goes_on = i < len(named) and opens[i] and sections[i] < 0
            if block and not (goes_on and text.count("\n", lines[block[-1]], lines[i]) <= _GAP):
                if len({lines[j] for j in block}) >= _BLOCK:
                    for j in block:
                        found[j] = lines[block[0]]
                block = []
            if goes_on:
                block.append(i)
        return found

    def _decided_sections(self, named: Sequence[NamedMedicine], ends: Sequence[int]) -> frozenset[int]:
        """The sections whose lines tell what becomes of the medicine that opens them."""
        told: dict[int, list[Remark | None]] = {}
        lines: set[int] = set()
        for one, end, section in zip(named, ends, self._sections, strict=True):
            line = self._note.text.rfind("\n", 0, one.start_char)
            if section >= 0 and line not in lines:
                lines.add(line)
                told.setdefault(section, []).append(self._decision(end))
        for first, event in self._opened:
            at = self._note.section_at(self._note.tokens.starts[first]) if first < len(self._note.words) else None
            if event in LABELS and at is not None and at.start_char in told:
                told[at.start_char].append(Remark.NEW)  # "STOP:" stands in a list of what becomes of each
        return frozenset(
            section
            for section, found in told.items()
            if (forward := sum(one in _FORWARD for one in found)) >= _LEAST and forward >= _SHARE * len(found)
        )

    def _decision(self, end: int) -> Remark | None:
        """What the rest of the line behind a dosage decides."""
        starts, text = self._note.tokens.starts, self._note.text
        at = self._note.tokens.ends[end - 1] if end else 0
        stop = text.find("\n", at)
        rest = text[at : stop if stop >= 0 else len(text)]
        if not rest.strip() or len(starts) <= end:
            return None
        return entry_remarks(f"\0{rest}").decision


def _labels(note: ParsedNote) -> list[tuple[int, int, str]]:
    """The titles and labels of the lists of medicines: their tokens, and the kind of what stands below."""
    found: list[tuple[int, int, str]] = []
    for section in note.sections:
        title = list_title(section.title) if section.category is SectionCategory.MEDICATIONS else None
        if title is not None:
            found.append((*note.token_range(section.start_char, section.body_char), title.row.event))
    begin, words = 0, note.words
    for i in range(len(words) + 1):
        if i < len(words) and words[i] != "\n":
            continue
        own = note.section_at(note.tokens.starts[begin]) if begin < len(words) else None
        if own is not None and (label := _label(note, begin, i)):
            alone = own.category in _UNTITLED and not any(word[:1].isalnum() for word in words[label[1] : i])
            found += [label] if own.category is SectionCategory.MEDICATIONS or alone else []
        begin = i + 1
    return found


def _closed(
    note: ParsedNote, labels: Sequence[tuple[int, int, str]], opened: Sequence[tuple[int, str]]
) -> Iterator[tuple[int, str]]:
    """Yield where a label with entries on its own line ends ("STOP: NPH insulin, baby aspirin"), and the list that goes on there."""
    for first, last, event in labels:
        end = next((i for i in range(last, len(note.words)) if note.words[i] == "\n"), len(note.words))
        if event in LABELS and any(word[:1].isalnum() for word in note.words[last:end]):
            before = (kind for at, kind in opened if at < first and kind not in LABELS)
            yield end, next(reversed(list(before)), "")


def _label(note: ParsedNote, begin: int, end: int) -> tuple[int, int, str] | None:
    """The label that a line begins with, where a colon or the end of the line stands behind it."""
    words = note.words
    while begin < end and not words[begin][:1].isalnum():
        begin += 1
    stop = next((i for i in range(begin, end) if words[i] == ":"), end)
    if stop == begin or stop - begin > _LABEL_WORDS:
        return None
    title = list_title(note.written(begin, stop))
    return (begin, stop, title.row.event) if title is not None else None
