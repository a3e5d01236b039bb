"""Where a list of allergies ends: which sentences of its section still belong to it, and which are running text again.

Until something is answered every sentence belongs, unless a label opens another matter ("Diet: regular"). A denial of all closes
the list; so does a sentence that tells another matter. Then only what is a list by itself goes on: names that are known, with their
reactions and nothing else.
"""

from collections.abc import Sequence
from itertools import pairwise

from backend.nlp.allergies.agents import Agents
from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.allergies.lists.list_words import LINKS, ListWords
from backend.nlp.document.headers import Kind, known_header
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.schemas.vocabulary import SectionCategory

_NAMES = 2
"""Bare sentences in a row that make the full stop the mark of the list."""
_LONGEST = 2
"""Words of a name that nobody knows, where the full stop is the mark of the list."""
_TO_LINK = 4
"""Tokens after a known name in which the dash before its reaction may stand ("Albumin infusion 2021 - rigors")."""
_BARRED = frozenset(("AVOID", "CONTRAINDICATED", "FORBIDDEN"))
"""Events that name what must not be given: one is a statement of the list wherever it stands under its header."""
_OF_LIST = _BARRED | {"CALLED", "INTOLERANT"}
"""Events that a list tells as well as running text does."""
_DENIES = frozenset(("none", "teller"))
_OF_USE = frozenset(("given", "used", "used_first", "used_instead"))
_HISTORIES = frozenset(
    (SectionCategory.FAMILY_HISTORY, SectionCategory.SOCIAL_HISTORY, SectionCategory.PAST_MEDICAL_HISTORY)
)
_LABEL_WORDS = 3
_KINDS_OF_THINGS = frozenset(("thing", "vague", "called", "table_head", "surroundings"))
"""Kinds of words that head a part of a list, a row or a column of it."""
_ROW = frozenset((",", ";", "/", "and", "or", "&", "+"))
_CUTS = _ROW | {".", "\n"}
_CLAUSE_ENDS = frozenset((".", ";", "(", "\n"))


class ListEnd:
    """The state of one section's list: open, answered or closed."""

    def __init__(self, note: ParsedNote, words: list[str], agents: Agents, allergens: Allergens) -> None:
        self._note = note
        self._words = words
        self._agents = agents
        self._allergens = allergens
        self._of = ListWords(note, words, allergens)
        self._effects = phrases("effects")
        self._answered = self._closed = False
        self._names = 0

    def goes_on(self, first: int, last: int, triggers: Sequence[FoundTrigger]) -> bool:
        """Whether a sentence, the next of its section, belongs to the list; one that does not closes it."""
        goes_on = not self._other_matter(first, last, triggers)
        goes_on = goes_on and (not (self._answered or self._closed) or self._belongs(first, last, triggers))
        self._closed = self._closed or not goes_on
        return goes_on

    def answer(self, first: int, last: int, named: int, denied: bool) -> None:
        """What a sentence of the list gave: so many entries, or a denial of all."""
        self._answered = self._answered or named > 0
        self._closed = self._closed or denied
        self._names += named == 1 and self._longest(first, last, frozenset()) <= _LONGEST

    def _belongs(self, first: int, last: int, triggers: Sequence[FoundTrigger]) -> bool:
        known = self._agents.within(first, last, deep=True)
        named = frozenset(i for one in known for i in range(one.first, one.last))
        rest = [i for i in range(first, last) if self._words[i].isalpha() and i not in named]
        kinds = [self._of.kinds(i) for i in rest]
        colon = next((i for i in range(first + 1, min(last, first + 3)) if self._words[i] == ":"), last)
        labelled = colon < last and self._of.is_label(first, colon, colon)  # "Foods: crab"
        if not known and any("condition" in one for one in kinds[1:]):
            return False  # "Return if short of breath, blue, drooling"
        if not rest or labelled or self._of.reacts(first, last):
            return True
        if kinds[0] >= _DENIES:
            return False  # "Denies alcohol"
        strange = any(self._agents.strange(i) for i in rest)
        told = (
            _BARRED if self._closed else _OF_LIST
        )  # behind its end the list's grammar reads no story: "egg allergy is none"
        if (known or strange) and any(one.row.event in told for one in triggers):
            return True
        listed = all(one and not one & _OF_USE for one in kinds)
        listed = listed and not (self._closed and any("kept" in one for one in kinds))  # "Dog at home"
        if "\n" in self._note.text[self._note.tokens.ends[first - 1] : self._note.tokens.starts[first]]:
            short = self._longest(first, last, named) <= _LONGEST and colon == last
            return (strange and short) or not self._closed or (bool(known) and listed)
        if self._is_row(first, last):
            return True
        if known:
            linked = not LINKS.isdisjoint(self._words[known[0].last : min(last, known[0].last + _TO_LINK)])
            sure = any(self._allergens.surely(self._agents.text(one[:2])) for one in known)
            return linked or listed or (sure and not self._closed)
        numbered = any(self._words[i].isdigit() for i in range(first, last))
        longest = _LONGEST if self._names >= _NAMES else 1
        short = not numbered and self._longest(first, last, named) <= longest
        return all(kinds) or (short and not self._closed)

    def _other_matter(self, first: int, last: int, triggers: Sequence[FoundTrigger]) -> bool:
        """Whether a sentence opens with what heads another section, and tells no reaction: "Immunizations current except MMR"."""
        while first < last and not self._words[first].isalnum():
            first += 1
        if first >= last or self._words[first - 1] in ("[", "("):
            return False
        ends = range(first + 1, min(last - 1, first + _LABEL_WORDS) + 1)
        if any(self._words[i].isalnum() and self._heads_history(first, i) for i in ends):
            return True  # "Fam hx eczema dad"
        clause = next((i for i in range(first, last) if self._words[i] in _CLAUSE_ENDS), last)
        if self._of.reacts(first, clause):
            return False
        mark = next((i for i in ends if self._words[i] in (":", "-")), None)
        if mark is None:
            told = any(one.row.event in _OF_LIST for one in triggers)  # "Family asks us not to give it"
            return not told and any(self._words[i].isalnum() and self._heads(first, i, marked=False) for i in ends)
        if self._heads(first, mark):
            return True
        more = sum(self._words[i].isalnum() for i in range(mark + 1, last))
        label = all(self._words[i].isalpha() and not self._agents.strange(i) for i in range(first, mark))
        named = self._agents.within(first, mark, deep=True)
        label = (
            label
            and self._words[mark] == ":"
            and "stated" not in self._of.kinds(first)
            and "tells" not in phrases("persons").of(self._words[mark - 1])
            and not named
            and not self._of_allergies(first, mark)
        )
        return label and more > 1 and not self._is_row(mark + 1, last)

    def _heads(self, first: int, last: int, marked: bool = True) -> bool:
        """Whether words are the header of a section, or a habit's label with its mark, and name no kind of thing one reacts to."""
        header = None if self._of_allergies(first, last) else known_header(" ".join(self._words[first:last]))
        if header is None or header.category is SectionCategory.ALLERGIES:
            return False
        if header.kind is Kind.INNER:
            return marked
        if not marked and "tells" in phrases("persons").of(self._words[last]):
            return False  # "Family says penicillin"
        named = self._agents.within(first, min(last + _LABEL_WORDS, len(self._words)), deep=True)
        return not named or named[0].first >= last or named[0].last <= last

    def _heads_history(self, first: int, last: int) -> bool:
        """Whether words are the header of a history, which no reaction behind it makes a part of the list."""
        header = known_header(" ".join(self._words[first:last]))
        return header is not None and header.kind is Kind.MAIN and header.category in _HISTORIES

    def _of_allergies(self, first: int, last: int) -> bool:
        return any(self._of.kinds(i) & _KINDS_OF_THINGS for i in range(first, last))

    def _is_row(self, first: int, last: int) -> bool:
        """Whether a sentence is nothing but short names between commas, one of them known as a whole ("Grass pollen, cut flowers")."""
        cuts = [first - 1, *(i for i in range(first, last) if self._words[i] in _CUTS), last]
        groups = [(a + 1, b) for a, b in pairwise(cuts) if a + 1 < b]
        short = all(b - a <= _LONGEST and all(map(self._may_name, range(a, b))) for a, b in groups)
        return short and any(self._allergens.concept(self._note.written(a, b)) for a, b in groups)

    def _may_name(self, i: int) -> bool:
        return self._words[i].isalpha() and "exposed" not in self._effects.of(self._words[i])

    def _longest(self, first: int, last: int, named: frozenset[int]) -> int:
        """Words of the longest group between commas, without those of known names."""
        longest = count = 0
        for i in range(first, last):
            count = 0 if self._words[i] in _ROW else count + (self._words[i].isalpha() and i not in named)
            longest = max(longest, count)
        return longest
