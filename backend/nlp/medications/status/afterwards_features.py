"""What bears on what becomes of a medicine after the encounter: named features of all places where a note names it.

The decision on one medicine may stand far from its list, in the next line, in a heading, or in one sentence about all of them. So the
places of one medicine are taken together, the last one apart: the features of its status there, what the scorer of statuses says, the
words of its own entry on both sides, the label of its line and the heading above.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.lexicon.variants import stem
from backend.nlp.medications.medicine_runs import StatedMedicine
from backend.nlp.medications.status.status_scorer import TOLD
from backend.nlp.medications.status.verdicts import Verdict
from backend.nlp.rules.word_lists import word_lists
from backend.nlp.scoring.evidence import Evidence
from backend.nlp.scoring.status_chain import Floats
from backend.nlp.scoring.word_kinds import word_kinds
from backend.nlp.scoring.words_beside import Named, WordsBeside

_WORD = re.compile(r"[a-z][a-z'/]*|\d[\d./]*|->|\u2192|\u2191|\u2193|>+|[+?:;=\u2013\u2014\-\[\]()|]")
_LABEL = re.compile(r"\s*(?:[-*\u2022\d.)#]+\s*)?([A-Za-z][A-Za-z /]{1,29}):")
_RIGHT, _LEFT, _LINE = 16, 10, 30
"""Words of an entry behind a name and before it, and of a line, that are looked at."""
_PLACED = 4
"""Of them, those whose place is told too."""
_HEADING = 6
"""Words of a line that may be a heading without a colon."""
_SURE = 0.8
_MOST = 4
_ENDS = 4
"""Places of a medicine at either end of a note that are looked at; a note that names one oftener says nothing else in between."""
_WIDE = 240
"""Code points of an entry on each side, and of a line, that are looked at."""


class NotedMedicine(NamedTuple):
    """A medicine of a note with the places where it is named, as indices, in order."""

    key: str
    places: tuple[int, ...]


class _Line(NamedTuple):
    start_char: int
    text: str
    heading: str


def noted_medicines(stated: Sequence[StatedMedicine]) -> list[NotedMedicine]:
    """The medicines of a note, in the order in which they are named for the last time.

    Args:
        stated: each place where one is named, in order.
    """
    places: dict[str, list[int]] = {}
    for at, one in enumerate(stated):
        places.setdefault(key_of(one.named.concept_id, one.named.name), []).append(at)
    return sorted((NotedMedicine(key, tuple(own)) for key, own in places.items()), key=lambda one: one.places[-1])


def key_of(concept_id: str | None, name: str) -> str:
    """What tells one medicine from another: its concept, or its name where no lexicon knows it."""
    return concept_id or name.lower()


def afterwards_evidence(
    note: ParsedNote,
    stated: Sequence[StatedMedicine],
    verdicts: Sequence[Verdict],
    status: Evidence,
    likelihoods: Floats,
    medicines: Sequence[NotedMedicine],
) -> Evidence:
    """What bears on what becomes of each medicine.

    Args:
        note: the parsed note.
        stated: each place where a medicine is named, in order.
        verdicts: what the rules say at each of them.
        status: what bears on the status at each of them.
        likelihoods: of each status there, (places, statuses).
        medicines: as `noted_medicines` gives them.
    """
    reader = _Reader(note, stated, verdicts, status, likelihoods)
    features = tuple(tuple(dict.fromkeys(reader.of(one))) for one in medicines)
    return Evidence(features, tuple(reader.bond(one, other) for one, other in pairwise(medicines)))


class _Reader:
    def __init__(
        self,
        note: ParsedNote,
        stated: Sequence[StatedMedicine],
        verdicts: Sequence[Verdict],
        status: Evidence,
        likelihoods: Floats,
    ) -> None:
        self._note, self._stated, self._verdicts = note, stated, verdicts
        self._status, self._likely = status, likelihoods
        dosed = {i for one in stated for d in one.dosages for i in range(d.first, d.last)}
        self._spans = [Named(one.named.first, one.named.last, one.named.start_char) for one in stated]
        self._beside = WordsBeside(note, self._spans, word_kinds("medications/words_status"), dosed)
        self._lines = _lines(note.text, [one.named.start_char for one in stated])
        self._starts = [line.start_char for line in self._lines]
        self._general = sorted(word_lists("medications/words_remarks")["all"].intersection(note.words))

    def bond(self, one: NotedMedicine, other: NotedMedicine) -> str:
        """What parts the last place of a medicine from that of the next."""
        return self._beside.bond(self._spans[one.places[-1]], self._spans[other.places[-1]])

    def of(self, medicine: NotedMedicine) -> Iterator[str]:
        """The features of a medicine; some twice."""
        own = medicine.places
        yield f"places:{min(len(own), _MOST)}"
        doses = {(d.dosage.dose, d.dosage.unit) for at in own for d in self._stated[at].dosages if d.dosage.dose}
        yield f"doses:{min(len(doses), 3)}"
        yield f"quarter:{4 * self._spans[own[-1]].start_char // max(1, len(self._note.text))}"
        for word in self._general:
            yield f"note:{word}"
        for at in own if len(own) <= 2 * _ENDS else (*own[:_ENDS], *own[-_ENDS:]):
            yield from self._status.features[at]
            yield from self._told(at, ("", *(["last:"] * (at == own[-1])), *(["first:"] * (at == own[0]))))
            yield from self._entry(at, last=at == own[-1])
            yield from self._titles(at, last=at == own[-1])

    def _told(self, at: int, tags: Iterable[str]) -> Iterator[str]:
        """What rules and the scorer of statuses say at a place."""
        one, row = self._stated[at], self._likely[at]
        likely = TOLD[int(row.argmax())].value
        told = [f"verdict:{self._verdicts[at].told.value}", f"likely:{likely}", f"list:{one.context.list_event}"]
        told += [f"surely:{likely}"] if row.max() >= _SURE else []
        told += ["of_entry"] if self._verdicts[at].of_entry else []
        for tag in tags:
            for name in told:
                yield f"{tag}{name}"
        yield f"dosages:{min(len(one.dosages), 3)}"
        if any(d.before_change for d in one.dosages):
            yield "before_change"

    def _entry(self, at: int, *, last: bool) -> Iterator[str]:
        """The words of its entry on both sides: of its line, up to the next name."""
        line, named, text = self._line(at), self._stated[at].named, self._note.text
        before = _end_of(self._stated[at - 1]) if at else 0
        behind = self._stated[at + 1].named.start_char if at + 1 < len(self._stated) else len(text)
        begin, end = max(before, line.start_char), min(behind, line.start_char + len(line.text))
        sides = {
            "right": _words(text[named.end_char : min(end, named.end_char + _WIDE)])[:_RIGHT],
            "left": _words(text[max(begin, named.start_char - _WIDE) : named.start_char])[::-1][:_LEFT],
        }
        for side, words in sides.items():
            for place, word in enumerate(words):
                yield f"{side}>{word}"
                if last:
                    yield f"last:{side}>{word}"
                if place < _PLACED:
                    yield f"{side}@{place}>{word}"
            for one, other in pairwise(words):
                yield f"{side}>{one} {other}"
        for word in _words(line.text[:_WIDE])[:_LINE]:
            yield f"line>{word}"

    def _titles(self, at: int, *, last: bool) -> Iterator[str]:
        """The label of its line, and the heading above."""
        line = self._line(at)
        label = _LABEL.match(line.text)
        labelled = label is not None and line.start_char + label.end() <= self._spans[at].start_char
        for kind, title in (("label", label[1] if label and labelled else ""), ("heading", line.heading)):
            words = _words(title[:_WIDE])
            if words:
                yield f"{kind}={' '.join(words)}"
            for word in words:
                yield f"{kind}>{word}"
                if last:
                    yield f"last:{kind}>{word}"

    def _line(self, at: int) -> _Line:
        return self._lines[bisect_right(self._starts, self._spans[at].start_char) - 1]


def _lines(text: str, names: Sequence[int]) -> list[_Line]:
    """The lines of a note, each with the heading that it stands under: the last line above that names no medicine and looks like one."""
    found: list[_Line] = []
    start, heading = 0, ""
    for line in text.split("\n"):
        found.append(_Line(start, line, heading))
        named = bisect_right(names, start + len(line)) > bisect_right(names, start - 1)
        told = line.strip()
        label = told.partition(":")[0]
        if told and not named:
            few = len(told.split()) <= _HEADING and not told.endswith(".")
            if few:
                heading = told
            elif ":" in told and len(label.split()) < _HEADING:
                heading = label
        start += len(line) + 1
    return found


def _words(text: str) -> list[str]:
    """Words by their stems, signs, and 0 for each number."""
    found = _WORD.findall(text.lower())
    return ["0" if word[0].isdigit() else stem(word) if word[0].isalpha() else word for word in found]


def _end_of(one: StatedMedicine) -> int:
    return max([one.named.end_char, *(d.end_char for d in one.dosages)])
