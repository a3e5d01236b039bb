"""What is known of a named medicine and bears on its status: the named features that the scorer weighs.

Evidence of all kinds side by side: the trigger that governs it, its section, list and the note's setting, the words of its line
on both sides, its route and dose, what the attributes engine says, and what the note tells of the same medicine elsewhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
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
        self._names = {i for one in stated for i in range(one.named.first, one.named.last)}
        self._places: dict[str, list[int]] = {}
        for at, one in enumerate(stated):
            self._places.setdefault(one.named.name.lower(), []).append(at)

    def of(self, at: int) -> Iterator[str]:
        """The features of one medicine; some twice."""
        yield from self._context(at)
        yield from self._said(at)
        yield from self._own(at)
        yield from self._elsewhere(at)

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
        context, event = one.context, _event(one)
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
        begin = next((i + 1 for i in range(one.first - 1, first - 1, -1) if words[i] in _STOPS), first)
        before = words[begin : one.first]
        for word in [w for w in before if w[:1].isalpha()][:_HEAD]:
            yield f"head:{stem(word)}"
        for word in before[: before.index(":")] if ":" in before else ():
            yield from self._told("label", word)

    def _told(self, place: str, word: str) -> Iterator[str]:
        if word[:1].isalpha():
            yield f"{place}:{stem(word)}"
        for kind in _cues().get(word, ()):
            yield f"{place}:cue:{kind}"

    def _cues_of(self, places: range) -> Iterator[tuple[str, int, bool]]:
        """What the words of one side tell, with where, and whether beyond another medicine, to the end of the line."""
        words, cues, beyond = self._note.words, _cues(), False
        for i in places:
            if words[i] in _STOPS:
                return
            if i in self._names:
                beyond = True
                continue
            for kind in cues.get(words[i], ()):
                yield kind, i, beyond

    def _words(self, side: str, places: range) -> Iterator[str]:
        """The words of one side: the first, near ones, and far ones beyond another medicine."""
        words, count, beyond = self._note.words, 0, False
        for i in places:
            word = words[i]
            if word in _STOPS or count >= _NEAR:
                return
            if i in self._names:
                beyond = True
                continue
            if i in self._dosed or word in _SKIPPED or word[:1].isdigit():
                continue
            kept = stem(word) if word[:1].isalpha() else word
            if count == 0 and not beyond:
                yield f"{side}1:{kept}"
            yield f"{side}:{'far' if beyond else 'near'}:{kept}"
            yield f"{side}:{kept}"
            count += 1

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
                yield f"{name}:{_event(self._stated[other])}"
        for place in self._places[one.named.name.lower()][:_NEAR]:
            if place != at:
                when, same = ("later" if place > at else "earlier"), self._stated[place]
                yield f"{when}:{_event(same)}"
                yield f"{when}:section:{same.context.section.value}"


@lru_cache(maxsize=1)
def _cues() -> Mapping[str, tuple[str, ...]]:
    """What each word tells."""
    kinds: dict[str, list[str]] = {}
    for kind, words in word_lists("medications/words_status").items():
        for word in sorted(words):
            kinds.setdefault(word, []).append(kind)
    return {word: tuple(found) for word, found in kinds.items()}


def _event(one: StatedMedicine) -> str:
    return one.governing.event if one.governing is not None and one.governing.event else "none"
