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
from backend.schemas.vocabulary import Category, SemanticGroup

_THINGS = frozenset((Category.DEVICE, Category.ORGANISM))
"""What may stand in an allergies section and is no possible cause in a story: catheters, germs."""
_LONGEST_NAME = 3
_SHORTEST_STRANGE, _SHORTEST_KNOWN = 4, 3
_ASKED = 2
"""Words before a name in which a word of asking for something counts."""
_TAKEN, _REPLACED = 3, 5
"""Words before a name in which a word of taking, or of replacing, counts."""


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
        self.organisms = sorted(
            {note.token_range(m.start_char, m.end_char) for m in mentions if m.category is Category.ORGANISM}
        )
        self._things = {
            note.token_range(m.start_char, m.end_char)
            for m in mentions
            if m.category in _THINGS or m.group is SemanticGroup.ACTI  # "a healthy diet", "a food diary"
        }
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
        found: list[Agent] = []
        for a, b in self._mentioned[bisect_left(self._mentioned, (first, 0)) : bisect_left(self._mentioned, (last, 0))]:
            if b <= last and (not found or a >= found[-1].last) and not self._is_measured(a, b):
                found.append(Agent(a, b))
        if deep or self._unmentioned:
            found += self._looked_up(first, last, found, deep)
        else:
            for one, end in self._hidden:
                if first <= one and end <= last:
                    found += self._looked_up(one, end, found, deep)
        taken = _tokens(found)
        for mark in self._wording.effects.within(first, last):
            named = mark.kinds & {"unnamed", "brand", "name"} and not self._is_measured(mark.first, mark.last)
            if named and taken.isdisjoint(range(mark.first, mark.last)):
                found.append(Agent(mark.first, mark.last))
        return sorted(found)

    def _is_measured(self, first: int, last: int) -> bool:
        """Whether a name is of what is measured in the body, or of what something lacks: "your sugar", "latex-free gloves"."""
        of = phrases("relations").of
        behind = self._words[last : last + 2]
        if any("without_it" in _lists(word) for word in behind[: 2 if behind[:1] == ["-"] else 1]):
            # who must have what lacks it may be allergic to it: "use latex-free gloves"
            return not any("asked_for" in _lists(word) for word in self._words[max(0, first - _ASKED) : first])
        return last - first == 1 and "measure" in of(self._words[first]) and "whose" in of(self._words[first - 1])

    def _looked_up(self, first: int, last: int, found: Sequence[Agent], deep: bool) -> list[Agent]:
        """The agents of a stretch that no mention covers, by asking for its words."""
        taken = _tokens(found)
        free = [
            self._note.tokens.word[i] and i not in taken and (deep or i not in self._others) for i in range(first, last)
        ]
        named: list[Agent] = []
        i = first
        while i < last:
            lengths = range(min(_LONGEST_NAME, last - i), 0, -1) if free[i - first] else ()
            length = next((n for n in lengths if all(free[i - first : i - first + n]) and self._sure(i, i + n)), 0)
            named += [Agent(i, i + length)] if length and not self._is_measured(i, i + length) else []
            i += length or 1
        return named

    def among(self, first: int, last: int) -> list[Agent]:
        """The agents of running text: the known ones, and words that end as medicines do or are written as names after a word of taking."""
        found = [one for one in self.within(first, last) if self._may_cause(one, last)]
        taken, english = _tokens(found), english_words()
        strange = self._note.where_within(_NO_ENGLISH, first, last) if self._wording.as_written else range(first, last)
        for i in strange:
            word, behind = self._words[i], self._words[i + 1 : min(i + 3, last)]
            if i in taken or not word.isalpha() or word in english:
                continue
            if behind and (behind[0] == "'" or _lists(behind[0]) & _OF_NO_MEDICINE):
                continue  # "the Sinai ER"
            ends = word.endswith(endings())
            if (ends or self._told_as_agent(i, first, behind)) and self.strange(i):
                found.append(Agent(i, i + 1, known=ends))
        return sorted(found)

    def _told_as_agent(self, i: int, first: int, behind: Sequence[str]) -> bool:
        """Whether the words beside one tell that it was taken: "ten days into cefaclor", "Hemabate 250 mcg", "Ergometrine gave her"."""
        words, relations, effects = self._words, phrases("relations"), phrases("effects")
        if i > first and "taken_in" in relations.of(words[i - 1]):
            return True
        if not self.capital(i):
            return False
        dosed = blamed = False
        if len(behind) > 1:
            dosed = behind[0].isdigit() and "unit" in relations.of(behind[1])
            blamed = "causes" in effects.of(behind[0]) and "person" in relations.of(behind[1])
        taken = any(effects.of(word) & _OF_TAKING for word in words[max(first, i - _TAKEN) : i])
        return dosed or blamed or taken

    def is_replacement(self, agent: Agent, first: int) -> bool:
        """Whether an agent is what another was replaced by: "switched to daptomycin"."""
        words, relations = self._words, phrases("relations")
        if agent.first <= first or "replaced_by" not in relations.of(words[agent.first - 1]):
            return False
        return any(
            "replacing" in relations.of(word) for word in words[max(first, agent.first - _REPLACED) : agent.first - 1]
        )

    def _may_cause(self, one: Agent, last: int) -> bool:
        """Whether a name may be a cause: no catheter or germ, no "anaesthetic room", no grade as in "Cat 2"."""
        behind = self._words[one.last : min(one.last + 2, last)]
        if (one.first, one.last) in self._things or any("room" in phrases("relations").of(word) for word in behind[:1]):
            return False
        if (
            not behind
            or not behind[0].isdigit()
            or any("hours" in phrases("relations").of(word) for word in behind[1:])
        ):
            return True  # "shrimp 1 h ago"
        concept = self._allergens.concept(self.text(one[:2]))
        return concept is None or concept.category in (Category.DRUG, Category.DRUG_CLASS)

    def strange(self, i: int) -> bool:
        """Whether a word may be a name that nobody knows: it is no word of the language."""
        word = self._words[i]
        if len(word) < _SHORTEST_STRANGE or not word.isalpha() or i in self._others or self.titled(i):
            return False
        if word in english_words() or stem(word) in english_words():
            return False
        return not (_lists(word) or phrases("persons").of(word) or phrases("effects").of(word) - _OF_NAMES)

    def titled(self, i: int) -> bool:
        """Whether a word is somebody's name: "Dr. Okonkwo"."""
        return any("title" in _lists(word) for word in self._words[max(0, i - 2) : i])

    def other(self, i: int) -> bool:
        """Whether a word is of a mention of something that nobody reacts to: an ill, an activity."""
        return i in self._others

    def capital(self, i: int) -> bool:
        """Whether a word is written as a name: with a capital that is not a whole line's."""
        raw = self._note.text[self._note.tokens.starts[i] : self._note.tokens.ends[i]]
        return raw[:1].isupper() and raw[1:].islower()

    def _sure(self, first: int, last: int) -> bool:
        word = self._words[first]
        if (last - first == 1 and len(word) < _SHORTEST_KNOWN) or self._called(first, last):
            return False
        return not _lists(word) & {"filler", "empty"} and self._allergens.surely(self._note.written(first, last))


def _lists(word: str) -> frozenset[str]:
    return phrases("lists").of(word)


def _tokens(agents: Sequence[Agent]) -> set[int]:
    return {i for one in agents for i in range(one.first, one.last)}


_OF_NO_MEDICINE = frozenset(("place", "facility"))
_OF_TAKING = frozenset(("exposed", "after", "ended", "because"))
_OF_NAMES = frozenset(("brand", "unnamed", "cytotoxic", "exposed", "remedy"))
