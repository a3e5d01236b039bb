"""The grammar of an allergies section: entries, their reactions, tables and sentences, into the same entries.

A sentence is cut into groups of words at commas, bars, line ends, brackets and dashes. A group that names something is an
entry; one that tells a reaction belongs to the entry before it; one of words of the language alone is none.
"""

import re
from collections.abc import Sequence

from backend.nlp.allergies.agents import Agent, Agents
from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.allergies.lists.items import Entry
from backend.nlp.allergies.lists.list_words import LINKS, ListWords
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.lexicon.variants import stem

RULE = "allergies/lists/entry"
_OPEN = {"(": ")", "[": "]", "{": "}"}
_QUOTES = frozenset(('"', "\u201c", "\u201d"))
_PRONOUNS = frozenset(("it", "this", "she", "he", "both"))
_ROW = frozenset((",", ";", "and", "or", "\n"))
_SHORTEST_DONE = 5
_STATEMENT_WORDS = 3
"""Words of a group that, with one that joins them, tell something rather than name it."""
_YEAR = re.compile(r"(?:19|20)\d\d")


class ListReader:
    """Reads the entries of one note's allergies sections; entries are kept in the order of the text."""

    def __init__(self, note: ParsedNote, words: list[str], agents: Agents, allergens: Allergens) -> None:
        self._note = note
        self._words = words
        self._agents = agents
        self._allergens = allergens
        self._effects = phrases("effects")
        self._of = ListWords(note, words, allergens)
        self.entries: list[Entry] = []
        self.denied: list[tuple[int, int]] = []
        self._linked = False
        self._fresh = False
        self._joined = self._remedied = self._denied = False

    def read(self, first: int, last: int, denied: bool = False) -> None:
        """Read tokens first to last, no denial among them; denied: one stands right before them."""
        self._linked = self._fresh = self._joined = self._remedied = False
        self._denied = denied and not self._words[first][:1].isalnum()
        i = first
        begin = first
        while i < last:
            word = self._words[i]
            if word in _OPEN or word in _QUOTES:
                self._group(begin, i)
                i = begin = self._bracket(i, last)
                continue
            if self._of.is_cut(i, first, last):
                self._group(begin, i)
                self._linked = self._of.is_link(i)
                self._joined = word in ("and", "or", "&") and bool(self.entries) and not self.entries[-1].reaction
                if word in ("\n", ";") or (
                    word == "." and "." not in (self._words[i - 1], self._words[min(i + 1, last - 1)])
                ):
                    self._fresh = self._remedied = False
                begin = i + 1
            elif i > begin and self._of.is_column(i):
                self._group(begin, i)
                self._linked = False
                begin = i
            i += 1
        self._group(begin, last)

    def _bracket(self, i: int, last: int) -> int:
        """Read a bracket or a quotation that opens at a token; give the token after it."""
        close = _OPEN.get(self._words[i])
        j = i + 1
        while (
            j < last
            and (self._words[j] != close if close else self._words[j] not in _QUOTES)
            and self._words[j] != "\n"
        ):
            j += 1
        if j >= last and close is None:
            return i + 1
        entry = self.entries[-1] if self.entries and self._fresh else None
        if entry and any(self._words[k] in _ROW for k in range(entry.last, i)):
            entry = None  # "Trazodone, Lopressor, and "all mycins""
        if entry and close is None and self._words[i - 1] in LINKS and entry.last == i - 1:
            self._react(i + 1, j, whole=True)  # "amoxicillin - "yeast infection""
            return min(j + 1, last)
        known = self._agents.within(i + 1, j, deep=True)
        reacts = self._of.reacts(i + 1, j)
        named = entry is not None and self._allergens.concept(self._note.written(entry.first, entry.last)) is not None
        if entry is None or (known and (entry.last != i or not named)):
            self.read_inner(i + 1, j)
        elif known and not reacts:
            self.entries[-1] = entry._replace(last=min(j + 1, last))
        else:
            self._react(i + 1, j, whole=True)
        return min(j + 1, last)

    def read_inner(self, first: int, last: int) -> None:
        """A bracket with no entry before it: its own list."""
        begin = first
        for i in range(first, last):
            if self._of.is_cut(i, first, last):
                self._group(begin, i)
                begin = i + 1
        self._group(begin, last)

    def _react(self, first: int, last: int, whole: bool = False) -> None:
        """Add a reaction to the last entry."""
        while first < last and (
            not self._words[first][:1].isalnum() or (not whole and self._of.kinds(first) & {"lead", "filler"})
        ):
            first += 1
        while first < last and not self._words[last - 1][:1].isalnum() and self._words[last - 1] not in (")", '"', "?"):
            last -= 1
        if not self.entries or first >= last:
            return
        reaction = self._note.written(first, last)
        one = self.entries[-1]
        self.entries[-1] = one._replace(reaction=", ".join(filter(None, (one.reaction, reaction))))

    def _group(self, first: int, last: int) -> None:
        """One group of words: its agents and reactions, a reaction of the last entry, or nothing."""
        linked, self._linked = self._linked, False
        first, last = self._of.trimmed(first, last)
        if first < last and linked and self._fresh and self._of.answers_no(first, last):
            self.denied.append((self.entries.pop().first, last))
            self._fresh = False
            return
        if first >= last or all(
            "noise" in self._of.kinds(i) or not self._words[i][:1].isalnum() for i in range(first, last)
        ):
            return
        if (
            self._fresh
            and any("intolerance" in self._of.kinds(i) for i in range(first, last))
            and self._of.is_noise(first, last)
        ):
            self.entries[-1] = self.entries[-1]._replace(said="intolerance")
        if self._of.is_noise(first, last) or self._of.is_label(first, last, last):
            return
        kinds = frozenset().union(*(self._of.kinds(i) for i in range(first, last)))
        if "fine" in kinds and "guarded" not in kinds and not self._of.reacts(first, last):
            return
        known = self._agents.within(first, last, deep=True)
        if known and self._remedy(known, first, last):
            return
        treats = known and linked and all(self._effects.of(self._words[one.first]) & {"remedy"} for one in known)
        if linked and self._fresh and known and (treats or self._of.reacts(first, known[0].first)):
            self._react(first, last, whole=True)  # "chlorhexidine - blistered after the pacemaker was put in"
            return
        whole = self._note.written(first, last)
        if self._allergens.known(whole):
            self._add(Agent(first, last))
            return
        if known:
            self._named(known, first, last, linked)
            return
        self._unnamed(first, last, linked)

    def _named(self, known: Sequence[Agent], first: int, last: int, linked: bool) -> None:
        reacts = self._of.reacts(first, last)
        prose = any("prose" in self._of.kinds(i) for i in range(first, last))
        if len(known) == 1 and not reacts and not prose:
            self._add(Agent(*self._of.stripped(first, last, known[0])))
            return
        at = first
        for k, one in enumerate(known):
            stop = known[k + 1].first if k + 1 < len(known) else last
            left, right = self._of.widened(one, at, stop)
            left -= left > at and self._words[left - 1] == "all"
            before = (at, left)
            self._add(Agent(left, right))
            if self._of.reacts(*before):
                self._react(*self._of.effect(*before))
            if self._of.reacts(right, stop):
                beyond = next(
                    (i for i in range(right, stop) if self._agents.strange(i) and self._agents.capital(i)), stop
                )
                if self._of.reacts(right, beyond):
                    self._react(*self._of.effect(right, beyond))
                if beyond < stop:
                    self._add(Agent(beyond, beyond + 1, known=False))
            at = stop

    def _remedy(self, known: Sequence[Agent], first: int, last: int) -> bool:
        """Read what a reaction was treated with: "treated with epinephrine and benadryl"."""
        if not all(phrases("effects").of(self._words[one.first]) & {"remedy"} for one in known):
            return False
        if not (self._remedied or any("remedied" in self._of.kinds(i) for i in range(first, known[0].first))):
            return False
        if self._fresh and self._remedied:
            one = self.entries[-1]
            self.entries[-1] = one._replace(reaction=f"{one.reaction} and {self._note.written(first, last)}")
        elif self._fresh:
            self._react(first, last, whole=True)
        self._remedied = True
        return True

    def _unnamed(self, first: int, last: int, linked: bool) -> None:
        content = [
            i for i in range(first, last) if self._of.is_name(i) or (self._words[i].isalpha() and not self._of.kinds(i))
        ]
        reacts = self._of.reacts(first, last)
        prose = any("prose" in self._of.kinds(i) for i in range(first, last))
        around = next(
            (
                i
                for i in range(first, last)
                if "surroundings" in self._of.kinds(i) and not self._of.kinds(i) & {"filler", "empty"}
            ),
            None,
        )
        if not content and around is not None and not reacts:
            self._add(Agent(around, around + 1, known=False))
            return
        if (
            self._joined
            and self._fresh
            and content
            and not reacts
            and self._allergens.only_reaction(self._note.written(first, last))
        ):
            self._add(Agent(first, last, known=False))  # "penicillin and tetanus"
            return
        if self._joined and content and not reacts and all(self._agents.other(i) for i in content):
            return  # "codeine and driving"
        if not content or self._allergens.only_reaction(self._note.written(first, last)):
            alone = any("alone" in self._of.kinds(i) for i in range(first, last))
            if (reacts or alone or self._allergens.only_reaction(self._note.written(first, last))) and (
                self._fresh or self._words[first] in _PRONOUNS
            ):
                bounds = first, last
                if reacts and self._words[first] in ("which", "that"):
                    bounds = self._of.effect(first, last)
                self._react(*bounds, whole=linked or bounds[0] == first)
            return
        content = [i for i in content if not self._agents.titled(i)]
        if not content:
            return
        strange = [i for i in content if self._agents.strange(i)]
        verb = next((i for i in range(first + 1, last) if "verb" in self._of.kinds(i)), last)
        if verb < last and reacts and content[0] == first and verb == content[-1] + 1 if content else False:
            self._add(Agent(first, verb, known=False))
            self._react(*self._of.effect(verb, last)) if self._of.reacts(verb, last) else None
            return
        if (reacts or linked) and self._fresh and (not strange or (linked and self._named_last())):
            self._react(first, last, whole=linked)
            return
        if prose or reacts:
            for i in strange:
                named = i > first and (
                    self._agents.capital(i - 1) or (self._agents.other(i - 1) and self._of.is_name(i - 1))
                )
                self._add(Agent(i - named, i + 1, known=False))  # "tetanus toxoid"
                if reacts:
                    self._react(*self._of.effect(first, last))
            return
        if all("remark" in self._of.kinds(i) for i in content if i not in strange) and (
            strange == [] or len(strange) < len(content)
        ):
            return
        left, right = first, last
        while (
            left < right
            and self._of.kinds(left) & {"about", "filler", "empty", "noise", "called", "vague", "outside_name"}
            and left not in strange
            and self._words[left] != "all"
        ):
            left += 1
        while right > left and self._of.kinds(right - 1) & {"about", "filler", "noise", "called", "outside_name"}:
            right -= 1
        while right > left and _YEAR.fullmatch(self._words[right - 1]):
            right -= 1
        if left < right and not self._is_aside(left, right, strange):
            self._add(Agent(left, right, known=False))

    def _is_aside(self, first: int, last: int, strange: Sequence[int]) -> bool:
        """Whether words of the language, in a sentence that has answered already, tell no further thing: "manager agrees", "cycle 1", "stopped"."""
        if strange:
            return False
        words = self._words[first:last]
        if self._denied or (last - first == 1 and _is_done(words[0])):
            return True
        answered = self._fresh and bool(self.entries and self.entries[-1].reaction)
        if last - first >= _STATEMENT_WORDS and any(
            self._of.kinds(i) & {"filler", "prose"} for i in range(first, last)
        ):
            return True
        counted = words[-1].isdigit() and last - first > 1 and "counted" in self._of.kinds(last - 2)
        return counted or (answered and any(word.isdigit() or _is_done(word) for word in words))

    def _named_last(self) -> bool:
        one = self.entries[-1]
        return self._allergens.concept(self._note.written(one.first, one.last)) is not None

    def _add(self, agent: Agent) -> None:
        self.entries.append(Entry(agent.first, agent.last, "", "", RULE))
        self._fresh = True


def _is_done(word: str) -> bool:
    """Whether a word is a form of a verb that tells what was done: "stopped", "rechallenged"."""
    return word.endswith(("ed", "ing")) and len(word) > _SHORTEST_DONE and stem(word) != word
