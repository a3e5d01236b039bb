"""What of a text names something one can react to: mentions, looked-up words, and words that no dictionary holds."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.allergies.allergens import ALLERGEN_CATEGORIES, Allergens
from backend.nlp.allergies.allergy_wording import Wording, phrases
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import WordTest
from backend.nlp.lexicon.variants import english_words, stem
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Category

_THINGS = frozenset((Category.DEVICE, Category.ORGANISM))
"""What may stand in an allergies section and is no possible cause in a story: catheters, germs."""
_LONGEST_NAME = 3
_SHORTEST_STRANGE = 4


@lru_cache(maxsize=1)
def endings() -> tuple[str, ...]:
    """How names of medicines end."""
    return phrases("effects").words_of("ending")


_NO_ENGLISH = WordTest(lambda word: word not in english_words())


class Agent(NamedTuple):
    """Something one can react to, over tokens first to last, last left out. known is false for a word nobody knows."""

    first: int
    last: int
    known: bool = True


class Agents:
    """The agents of one note, by place."""

    def __init__(self, note: ParsedNote, wording: Wording, mentions: Sequence[Mention], allergens: Allergens) -> None:
        self._note = note
        self._words = wording.words
        self._wording = wording
        self._allergens = allergens
        spans = [note.token_range(m.start_char, m.end_char) for m in mentions if m.category in ALLERGEN_CATEGORIES]
        self._mentioned = sorted(
            {(first, last) for first, last in spans if first < last and not self._called(first, last)}
        )
        self._things = {note.token_range(m.start_char, m.end_char) for m in mentions if m.category in _THINGS}
        # "allergic to latex" and "avoids aspirin" may be names of their own; they name latex and aspirin all the same
        others = [
            (*note.token_range(m.start_char, m.end_char), m.category is Category.PRECAUTION)
            for m in mentions
            if m.category not in ALLERGEN_CATEGORIES
        ]
        # and "heparin-induced thrombocytopenia" names heparin
        caused = [t for t in wording.triggers if t.row.event == "CAUSES"]
        self._hidden = [
            (a, b)
            for a, b, precaution in others
            if precaution or self._called(a, b) or any(a < t.first and t.last <= b for t in caused)
        ]
        self._unmentioned = not mentions
        self._others = {i for a, b, _ in others if (a, b) not in self._hidden for i in range(a, b)}

    def _called(self, first: int, last: int) -> bool:
        return self._wording.called.within(first, last)

    def text(self, agent: tuple[int, int]) -> str:
        """The words of tokens as the note has them."""
        return self._note.written(agent[0], agent[1])

    def within(self, first: int, last: int, deep: bool = False) -> list[Agent]:
        """The known agents of a stretch, in order, without overlap; deep also looks into names of ills ("ACE inhibitor cough")."""
        found = self._between(first, last)
        if deep or self._unmentioned:
            found += self._looked_up(first, last, found, deep)
        else:
            for one, end in self._hidden:
                if first <= one and end <= last:
                    found += self._looked_up(one, end, found, deep)
        taken = {i for one in found for i in range(one.first, one.last)}
        for mark in self._wording.effects.within(first, last):
            if mark.kinds & {"unnamed", "brand", "name"} and taken.isdisjoint(range(mark.first, mark.last)):
                found.append(Agent(mark.first, mark.last))
        return sorted(found)

    def _looked_up(self, first: int, last: int, found: Sequence[Agent], deep: bool) -> list[Agent]:
        """The agents of a stretch that no mention covers, by asking for its words."""
        taken = {i for one in found for i in range(one.first, one.last)}
        named: list[Agent] = []
        i = first
        while i < last:
            step = 1
            if i not in taken and self._names(i, deep):
                for length in range(min(_LONGEST_NAME, last - i), 0, -1):
                    span = range(i, i + length)
                    if all(self._names(k, deep) and k not in taken for k in span) and self._sure(i, i + length):
                        named.append(Agent(i, i + length))
                        step = length
                        break
            i += step
        return named

    def among(self, first: int, last: int) -> list[Agent]:
        """The agents of running text: the known ones, and words that end as medicines do or are written as names after a word of taking."""
        found = [
            one
            for one in self.within(first, last)
            if (one.first, one.last) not in self._things
            and not self._graded(one, last)
            and not self._of_room(one, last)
        ]
        taken = {i for one in found for i in range(one.first, one.last)}
        english = english_words()
        strange = self._note.where_within(_NO_ENGLISH, first, last) if self._wording.as_written else range(first, last)
        for i in strange:
            if i in taken or self._words[i] in english or self._placed(i, last) or self._words[i + 1 : i + 2] == ["'"]:
                continue
            written = self.capital(i) and (self._taken(i, first) or self._dosed(i, last))
            if not (written or self._words[i].endswith(endings()) or self._given(i, first) or self._blamed(i, last)):
                continue
            if self.strange(i):
                found.append(Agent(i, i + 1, known=self._words[i].endswith(endings())))
        return sorted(found)

    def is_replacement(self, agent: Agent, first: int) -> bool:
        """Whether an agent is what another was replaced by: "switched to daptomycin"."""
        words, relations = self._words, phrases("relations")
        before = words[agent.first - 1] if agent.first > first else ""
        if "replaced_by" not in relations.of(before):
            return False
        return any("replacing" in relations.of(word) for word in words[max(first, agent.first - 5) : agent.first - 1])

    def _placed(self, i: int, last: int) -> bool:
        """Whether a word is a place's name: "the Sinai ER"."""
        return i + 1 < last and "place" in phrases("lists").of(self._words[i + 1])

    def _given(self, i: int, first: int) -> bool:
        """Whether a word of taking stands right before a place: "ten days into cefaclor"."""
        return i > first and "taken_in" in phrases("relations").of(self._words[i - 1])

    def _blamed(self, i: int, last: int) -> bool:
        """Whether a word with a capital stands right before what it did to somebody: "Ergometrine gave her"."""
        if i + 2 >= last or not self.capital(i) or "person" not in phrases("relations").of(self._words[i + 2]):
            return False
        return "causes" in phrases("effects").of(self._words[i + 1])

    def _of_room(self, one: Agent, last: int) -> bool:
        """Whether a name only tells what a room or a chart is for: "in the anaesthetic room"."""
        return one.last < last and "room" in phrases("relations").of(self._words[one.last])

    def _graded(self, one: Agent, last: int) -> bool:
        """Whether a number behind what is no medicine makes it a grade: "Cat 2"."""
        if one.last >= last or not self._words[one.last].isdigit():
            return False
        if one.last + 1 < last and "hours" in phrases("relations").of(self._words[one.last + 1]):
            return False  # "shrimp 1 h ago"
        concept = self._allergens.concept(self.text(one[:2]))
        return concept is not None and concept.category not in (Category.DRUG, Category.DRUG_CLASS)

    def _dosed(self, i: int, last: int) -> bool:
        """Whether a dose stands behind a place: "Hemabate 250 mcg"."""
        return i + 2 < last and self._words[i + 1].isdigit() and "unit" in phrases("relations").of(self._words[i + 2])

    def _taken(self, i: int, first: int) -> bool:
        """Whether a word of taking or of time stands right before a place."""
        before = list(range(max(first, i - 3), i))
        return any(phrases("effects").of(self._words[k]) & {"exposed", "after", "ended", "because"} for k in before)

    def strange(self, i: int) -> bool:
        """Whether a word may be a name that nobody knows: it is no word of the language."""
        word = self._words[i]
        if len(word) < _SHORTEST_STRANGE or not word.isalpha() or i in self._others:
            return False
        if self.titled(i):
            return False
        if word in english_words() or stem(word) in english_words():
            return False
        return not (
            phrases("lists").of(word)
            or phrases("persons").of(word)
            or phrases("effects").of(word) - {"brand", "unnamed", "cytotoxic", "exposed", "remedy"}
        )

    def titled(self, i: int) -> bool:
        """Whether a word is somebody's name: "Dr. Okonkwo"."""
        return any("title" in phrases("lists").of(self._words[k]) for k in range(max(0, i - 2), i))

    def other(self, i: int) -> bool:
        """Whether a word is of a mention of something that nobody reacts to: an ill, an activity."""
        return i in self._others

    def capital(self, i: int) -> bool:
        """Whether a word is written as a name: with a capital that is not a whole line's."""
        raw = self._note.text[self._note.tokens.starts[i] : self._note.tokens.ends[i]]
        return raw[:1].isupper() and raw[1:].islower()

    def _between(self, first: int, last: int) -> list[Agent]:
        found: list[Agent] = []
        for a, b in self._mentioned[bisect_left(self._mentioned, (first, 0)) :]:
            if a >= last:
                break
            if b <= last and (not found or a >= found[-1].last):
                found.append(Agent(a, b))
        return found

    def _names(self, i: int, deep: bool) -> bool:
        return self._note.tokens.word[i] and (deep or i not in self._others)

    def _sure(self, first: int, last: int) -> bool:
        if last - first == 1 and len(self._words[first]) < 3 and not self._words[first].isupper():
            return False
        if self._called(first, last) or phrases("lists").of(self._words[first]) & {"filler", "empty"}:
            return False
        return self._allergens.surely(self._note.written(first, last))
