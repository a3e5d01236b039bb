"""The words beside a name in its sentence, as features: near and far ones on both sides, what leads its line, the label before it.

A side ends with the sentence, or with a mark that ends what is said. A word beyond another name of the same kind is far.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.lexicon.variants import stem

STOPS = frozenset({".", ";", "\n"})
_NEAR, _HEAD, _LINE = 6, 3, 40
"""Words of a side that are looked at, of the beginning of a line, and of a line at most."""
_SKIPPED = frozenset({",", "(", ")", "[", "]", '"', "'", "a", "an", "the", "his", "her", "their", "of", "#", "mg", "mcg", "g", "ml"})  # fmt: skip


class Named(NamedTuple):
    """A name by its tokens, half-open, and the code point where it begins."""

    first: int
    last: int
    start_char: int


class WordsBeside:
    """One note, with the names of whose status it is asked."""

    def __init__(
        self, note: ParsedNote, named: Sequence[Named], cues: Mapping[str, tuple[str, ...]], skipped: set[int]
    ) -> None:
        """Read where the telling words of the note stand.

        Args:
            note: the parsed note.
            named: its names, in order of place.
            cues: what each word tells.
            skipped: tokens that tell nothing by themselves: those of doses.
        """
        self._note, self._cues_by_word, self._skipped = note, cues, skipped
        names = {i for one in named for i in range(one.first, one.last)}
        self._names = sorted(names)
        words = note.words
        self._stops = [i for i, word in enumerate(words) if word in STOPS]
        self._colons = [i for i, word in enumerate(words) if word == ":"]
        self._cued = sorted({*self._stops, *(i for i, word in enumerate(words) if word in cues and i not in names)})
        untold = names | skipped
        telling = (i for i, w in enumerate(words) if i not in untold and w not in _SKIPPED and not w[:1].isdigit())
        self._telling = sorted({*self._stops, *telling})

    def bond(self, one: Named, other: Named) -> str:
        """What parts a name from the next, one of BONDS."""
        note = self._note
        here, there = note.sentence_at(one.start_char), note.sentence_at(other.start_char)
        if here != there:
            if note.section_at(one.start_char) != note.section_at(other.start_char):
                return "section"
            return "next" if here is not None and there == here + 1 else "apart"
        between = [note.words[i] for i in range(one.last, other.first) if i not in self._skipped]
        if not STOPS.isdisjoint(between):
            return "line"
        return "cue" if any(word in self._cues_by_word for word in between) else "run"

    def title(self, one: Named) -> Iterator[str]:
        """What the title of its section says."""
        section = self._note.section_at(one.start_char)
        for word in (section.title if section else "").lower().split():
            yield from self._told("title", word.strip(":"))

    def said(self, one: Named, where: str) -> Iterator[str]:
        """What its sentence says. where: its kind, beside which the nearest word is told once more."""
        note = self._note
        number = note.sentence_at(one.start_char)
        if number is None:
            return
        words, first, last = note.words, note.sentences[number].first, note.sentences[number].last
        nearest = []
        sides = ("left", range(one.first - 1, first - 1, -1)), ("right", range(one.last, last))
        for side, places in sides:
            yield from self._words(side, places)
            near, at = "", -1
            for kind, i, beyond in self._cues_of(places[:_LINE]):
                yield f"cue:{side}:{kind}"
                yield f"cue:{side}:{'beyond' if beyond else 'own'}:{kind}"
                yield f"cue:{kind}"
                if at in (-1, i):
                    near, at = near or kind, i
                    yield f"nearest:{side}:{kind}"
                    yield f"nearest:{side}:{kind}:{where}"
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
        for kind in self._cues_by_word.get(word, ()):
            yield f"{place}:cue:{kind}"

    def _cues_of(self, places: range) -> Iterator[tuple[str, int, bool]]:
        """What the words of one side tell, with where, and whether beyond another name, to the end of the line."""
        words, cues, other = self._note.words, self._cues_by_word, self._other(places)
        for i in _along(self._cued, places):
            if words[i] in STOPS:
                return
            for kind in cues[words[i]]:
                yield kind, i, _is_beyond(other, i, places)

    def _words(self, side: str, places: range) -> Iterator[str]:
        """The words of one side: the first, near ones, and far ones beyond another name."""
        other = self._other(places)
        for count, i in enumerate(islice(_along(self._telling, places), _NEAR)):
            word = self._note.words[i]
            if word in STOPS:
                return
            beyond = _is_beyond(other, i, places)
            kept = stem(word) if word[:1].isalpha() else word
            if count == 0 and not beyond:
                yield f"{side}1:{kept}"
            yield f"{side}:{'far' if beyond else 'near'}:{kept}"
            yield f"{side}:{kept}"

    def _other(self, places: range) -> int | None:
        """The nearest token of another name on one side."""
        return next(_along(self._names, places), None)


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
