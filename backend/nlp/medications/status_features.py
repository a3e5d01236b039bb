"""What is known of a named medicine and bears on its status: the named features that the scorer weighs.

Evidence of all kinds side by side: the trigger that governs it, its section, list and the note's setting, the words of its line
on both sides, its route and dose, what the attributes engine says, and what the note tells of the same medicine elsewhere.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from backend.nlp.attributes.seam import SpanAttributes
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.lexicon.variants import stem
from backend.nlp.medications.medicine_names import MedicineWord, medicine_words
from backend.nlp.medications.medicine_runs import StatedMedicine
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import Experiencer, Setting

BONDS = ("run", "cue", "line", "next", "apart", "section")
"""What parts two medicines: only names and doses, a word that tells something, a mark, the next sentence, more, or a section."""
_NEAR, _HEAD, _LINE = 6, 3, 40
"""Words of a side that are looked at, of the beginning of a line, and of a line at most."""
_STOPS = frozenset({".", ";", "\n"})
_SKIPPED = frozenset({",", "(", ")", "[", "]", '"', "'", "a", "an", "the", "his", "her", "their", "of", "#", "mg", "mcg", "g", "ml"})  # fmt: skip


class Evidence(NamedTuple):
    """The features of the medicines of a note in order, each once, and what parts each from the next."""

    features: tuple[tuple[str, ...], ...]
    bonds: tuple[str, ...]


def status_evidence(
    note: ParsedNote, stated: Sequence[StatedMedicine], attributes: Sequence[SpanAttributes], setting: Setting
) -> Evidence:
    """What bears on the status of each medicine.

    Args:
        note: the parsed note.
        stated: its medicines, in order of place.
        attributes: of each of them.
        setting: where the note was written.
    """
    reader = _Reader(note, stated, attributes, setting)
    features = tuple(tuple(dict.fromkeys(reader.of(at))) for at in range(len(stated)))
    return Evidence(features, tuple(reader.bond(at) for at in range(len(stated) - 1)))


class _Reader:
    def __init__(
        self, note: ParsedNote, stated: Sequence[StatedMedicine], attributes: Sequence[SpanAttributes], setting: Setting
    ) -> None:
        self._note, self._stated, self._attributes, self._setting = note, stated, attributes, setting
        self._dosed = {i for one in stated for d in one.dosages for i in range(d.first, d.last)}
        names = {i for one in stated for i in range(one.named.first, one.named.last)}
        self._names = sorted(names)
        self._events = [_event(one) for one in stated]
        words, cues = note.words, _cues()
        self._stops = [i for i, word in enumerate(words) if word in _STOPS]
        self._colons = [i for i, word in enumerate(words) if word == ":"]
        self._cued = sorted({*self._stops, *(i for i, word in enumerate(words) if word in cues and i not in names)})
        skipped = names | self._dosed
        telling = (i for i, w in enumerate(words) if i not in skipped and w not in _SKIPPED and not w[:1].isdigit())
        self._telling = sorted({*self._stops, *telling})
        self._places: dict[str, list[int]] = {}
        for at, one in enumerate(stated):
            self._places.setdefault(one.named.name.lower(), []).append(at)

    def of(self, at: int) -> Iterable[str]:
        """The features of one medicine; some twice."""
        return chain(self._context(at), self._said(at), self._own(at), self._elsewhere(at))

    def bond(self, at: int) -> str:
        """What parts a medicine from the next."""
        note, one, other = self._note, self._stated[at].named, self._stated[at + 1].named
        here, there = note.sentence_at(one.start_char), note.sentence_at(other.start_char)
        if here != there:
            if note.section_at(one.start_char) != note.section_at(other.start_char):
                return "section"
            return "next" if here is not None and there == here + 1 else "apart"
        between = [note.words[i] for i in range(one.last, other.first) if i not in self._dosed]
        if not _STOPS.isdisjoint(between):
            return "line"
        return "cue" if any(word in _cues() for word in between) else "run"

    def _context(self, at: int) -> Iterator[str]:
        one = self._stated[at]
        context, event = one.context, self._events[at]
        told = [
            f"section:{context.section.value}",
            f"setting:{self._setting.value}",
            *(f"told:{t}" for t in context.settings),
        ]
        if context.list_event:
            told.append(f"list:{context.list_event}")
        told += [
            name
            for name, holds in (("infused", context.infused), ("ordered", context.ordered), ("dated", one.dated))
            if holds
        ]
        yield f"event:{event}"
        for name in told:
            yield name
            yield f"{name}:event:{event}"
        if one.governing is not None:
            yield f"event:{event}:{'before' if one.governing.trigger.last <= one.named.first else 'after'}"
        section = self._note.section_at(one.named.start_char)
        for word in (section.title if section else "").lower().split():
            yield from self._told("title", word.strip(":"))

    def _said(self, at: int) -> Iterator[str]:
        note, one = self._note, self._stated[at].named
        number = note.sentence_at(one.start_char)
        if number is None:
            return
        words, first, last = note.words, note.sentences[number].first, note.sentences[number].last
        nearest = []
        sides = ("left", range(one.first - 1, first - 1, -1)), ("right", range(one.last, last))
        for side, places in sides:
            yield from self._words(side, places)
            near, where = "", -1
            for kind, i, beyond in self._cues_of(places[:_LINE]):
                yield f"cue:{side}:{kind}"
                yield f"cue:{side}:{'beyond' if beyond else 'own'}:{kind}"
                yield f"cue:{kind}"
                if where in (-1, i):
                    near, where = near or kind, i
                    yield f"nearest:{side}:{kind}"
                    yield f"nearest:{side}:{kind}:{self._stated[at].context.section.value}"
            nearest.append(near)
        yield f"between:{nearest[0]}:{nearest[1]}"
        stop = bisect_left(self._stops, one.first) - 1
        begin = max(self._stops[stop] + 1, first) if stop >= 0 else first
        led = (word for i in range(begin, one.first) if (word := words[i])[:1].isalpha())
        for word in islice(led, _HEAD):
            yield f"head:{stem(word)}"
        colon = bisect_left(self._colons, begin)
        if colon < len(self._colons) and self._colons[colon] < one.first:
            for word in words[begin : self._colons[colon]]:
                yield from self._told("label", word)

    def _told(self, place: str, word: str) -> Iterator[str]:
        if word[:1].isalpha():
            yield f"{place}:{stem(word)}"
        for kind in _cues().get(word, ()):
            yield f"{place}:cue:{kind}"

    def _cues_of(self, places: range) -> Iterator[tuple[str, int, bool]]:
        """What the words of one side tell, with where, and whether beyond another medicine, to the end of the line."""
        words, cues, other = self._note.words, _cues(), self._other(places)
        for i in _along(self._cued, places):
            if words[i] in _STOPS:
                return
            for kind in cues[words[i]]:
                yield kind, i, _is_beyond(other, i, places)

    def _words(self, side: str, places: range) -> Iterator[str]:
        """The words of one side: the first, near ones, and far ones beyond another medicine."""
        other = self._other(places)
        for count, i in enumerate(islice(_along(self._telling, places), _NEAR)):
            word = self._note.words[i]
            if word in _STOPS:
                return
            beyond = _is_beyond(other, i, places)
            kept = stem(word) if word[:1].isalpha() else word
            if count == 0 and not beyond:
                yield f"{side}1:{kept}"
            yield f"{side}:{'far' if beyond else 'near'}:{kept}"
            yield f"{side}:{kept}"

    def _other(self, places: range) -> int | None:
        """The nearest token of another medicine on one side."""
        return next(_along(self._names, places), None)

    def _own(self, at: int) -> Iterator[str]:
        one, attribute, kinds = self._stated[at], self._attributes[at], medicine_words()
        yield f"kind:{one.named.category.value}"
        words = {*one.named.name.lower().split(), *self._note.words[one.named.first : one.named.last]}
        for kind in (MedicineWord.HOSPITAL_ONLY, MedicineWord.HOSPITAL_OFTEN):
            if not kinds[kind].isdisjoint(words):
                yield f"is:{kind.value}"
        if not one.named.recognised:
            yield "unknown"
        for d in (found.dosage for found in one.dosages):
            yield f"route:{d.route or 'none'}"
            yield f"timing:{d.timing or 'none'}"
            yield "dosed" if d.dose is not None or d.quantity is not None else "undosed"
            if d.as_needed:
                yield "as_needed"
        if not one.dosages:
            yield "no_dosage"
        for name, holds in (
            ("negated", attribute.negated), ("hypothetical", attribute.hypothetical),
            ("historical", attribute.historical), ("uncertain", attribute.uncertain),
        ):  # fmt: skip
            if holds:
                yield f"attribute:{name}"
        if attribute.experiencer is not Experiencer.PATIENT:
            yield f"whose:{attribute.experiencer.value}"

    def _elsewhere(self, at: int) -> Iterator[str]:
        """What governs the medicines beside it, and the same one elsewhere."""
        one = self._stated[at]
        for name, other in (("previous", at - 1), ("next", at + 1)):
            if 0 <= other < len(self._stated) and self._stated[other].context.section is one.context.section:
                yield f"{name}:{self._events[other]}"
        for place in self._places[one.named.name.lower()][:_NEAR]:
            if place != at:
                when, same = ("later" if place > at else "earlier"), self._stated[place]
                yield f"{when}:{self._events[place]}"
                yield f"{when}:section:{same.context.section.value}"


@lru_cache(maxsize=1)
def _cues() -> Mapping[str, tuple[str, ...]]:
    """What each word tells."""
    kinds: dict[str, list[str]] = {}
    for kind, words in word_lists("medications/words_status").items():
        for word in sorted(words):
            kinds.setdefault(word, []).append(kind)
    return {word: tuple(found) for word, found in kinds.items()}


def _along(marked: Sequence[int], places: range) -> Iterator[int]:
    """The marked tokens, given in order, that lie in a stretch, from its beginning on whichever way it goes."""
    if places.step > 0:
        for at in range(bisect_left(marked, places.start), len(marked)):
            if marked[at] >= places.stop:
                return
            yield marked[at]
    else:
        for at in range(bisect_right(marked, places.start) - 1, -1, -1):
            if marked[at] <= places.stop:
                return
            yield marked[at]


def _is_beyond(other: int | None, i: int, places: range) -> bool:
    return other is not None and (other < i if places.step > 0 else i < other)


def _event(one: StatedMedicine) -> str:
    return one.governing.event if one.governing is not None and one.governing.event else "none"
