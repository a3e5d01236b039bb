"""The grammar of an allergies section: entries, their reactions, tables and sentences, into the same entries.

A sentence is cut into groups of words at commas, bars, line ends, brackets and dashes. A group that names something is an
entry; one that tells a reaction belongs to the entry before it; one of words of the language alone is none.
"""

from collections.abc import Sequence

from backend.nlp.allergies.agents import Agent, Agents, endings
from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.allergies.lists.items import Entry
from backend.nlp.allergies.lists.list_words import LINKS, YEAR, ListWords
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.lexicon.variants import stem

RULE = "allergies/lists/entry"
_OPEN = {"(": ")", "[": "]", "{": "}", "<": ">"}
_ARROWS = frozenset((">", "→"))
_QUOTES = frozenset(('"', "\u201c", "\u201d"))
_PRONOUNS = frozenset(("it", "this", "she", "he", "both"))
_ROW = frozenset((",", ";", "and", "or", "\n"))
_LINE_ENDS = frozenset((".", ";", "\n"))
_CLAUSE_ENDS = _LINE_ENDS | {","}
_SPEAKERS = frozenset(("parent", "child", "spouse", "sibling", "other", "patient"))
_SHORTEST_DONE = 5
_NO_PART = frozenset(("about", "filler", "noise", "called", "outside_name"))
"""Kinds of words at the ends of a name that nobody knows and that are no part of it; before it more are none."""
_NO_BEGINNING = _NO_PART | {"empty", "vague"}


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
        self._linked = False
        self._fresh = False
        self._joined = self._remedied = self._denied = self._same = False

    def read(self, first: int, last: int, denied: bool = False, resumed: bool = False) -> None:
        """Read tokens first to last, no denial among them.

        Args:
            first: the first token.
            last: the token behind the last.
            denied: a denial stands right before them.
            resumed: they go on about the entry before them, behind an aside of it.
        """
        if not (resumed or self._asked(first)):
            self._fresh = False
        self._linked = self._joined = self._remedied = False
        self._denied = denied and not self._words[first][:1].isalnum()
        i = begin = first
        while i < last:
            word = self._words[i]
            if word in _OPEN or word in _QUOTES:
                self._group(begin, i)
                i = begin = self._bracket(i, last)
                continue
            if self._of.is_cut(i, first, last):
                self._group(begin, i)
                if word in LINKS and (beyond := self._outcome(i, last)) > i:
                    i = begin = beyond
                    continue
                self._linked = word in LINKS
                self._joined = word in ("and", "or", "&") and bool(self.entries) and not self.entries[-1].reaction
                dotted = word == "." and "." not in (self._words[i - 1], self._words[min(i + 1, last - 1)])
                if word in ("\n", ";") or dotted:
                    self._fresh = self._remedied = False
                begin = i + 1
            elif i > begin and self._of.is_column(i):
                self._group(begin, i)
                self._linked = "answer" in self._kinds(i)  # "Latex   N"
                begin = i
            i += 1
        self._group(begin, last)

    def _outcome(self, i: int, last: int) -> int:
        """Where what followed from the last entry and its reaction ends, or the mark before it: "-> losartan", "- avoid phenytoin"."""
        first = next((k for k in range(i + 1, last) if self._words[k][:1].isalnum()), last)
        avoided = first < last and "avoided" in self._kinds(first)
        if not (self._fresh and self.entries[-1].reaction and (avoided or self._words[i] in _ARROWS)):
            return i
        end = next((k for k in range(i, last) if self._words[k] in _CLAUSE_ENDS), last)
        return i if self._of.reacts(first, end) else end

    def _bracket(self, i: int, last: int) -> int:
        """Read a bracket or a quotation that opens at a token; give the token after it."""
        words = self._words
        closes = frozenset((_OPEN[words[i]],)) if words[i] in _OPEN else _QUOTES
        j = next((k for k in range(i + 1, last) if words[k] in closes or words[k] == "\n"), last)
        if j >= last and closes is _QUOTES:
            return i + 1
        entry = self.entries[-1] if self.entries and self._fresh else None
        if entry and not _ROW.isdisjoint(words[entry.last : i]):
            entry = None  # "Trazodone, Lopressor, and "all mycins""
        known = self._agents.within(i + 1, j, deep=True)
        named = entry is not None and self._named_last()
        behind = named and entry is not None and entry.last == i
        quoted = named and closes is _QUOTES and words[i - 1] in LINKS  # "amoxicillin - "yeast infection""
        asked = entry is not None and words[i - 1] == "?" and self._speaks(i + 1, j)
        told = next((k for k in range(i + 1, j) if self._of.is_cut(k, i + 1, j)), j)
        if entry is not None and (asked or (known and known[0].first > told)) and self._of.reacts(i + 1, told):
            self.entries[-1] = entry._replace(doubted=entry.doubted or asked)  # "aspirin - ? (wife says nausea only)"
            self._react(i + 1, told, whole=True)
            self.read_inner(told, j)
        elif behind and known and (known[0].first, known[0].last) == (i + 1, told) and self._of.reacts(told, j):
            self._add(known[0])
            self._same = True
            self._react(told, j, whole=True)  # "IV iron (Venofer; collapse)"
        elif entry is None or (known and not behind and not quoted):
            self.read_inner(i + 1, j)
        elif known and not quoted and not self._of.reacts(i + 1, j):
            self.entries[-1] = entry._replace(last=min(j + 1, last))
        elif not self._doubt(i + 1, j, told=True):
            self._react(i + 1, j, whole=True)
        return min(j + 1, last)

    def _speaks(self, first: int, last: int) -> bool:
        """Whether what begins at a token is told by somebody else: "daughter says"."""
        return (
            first + 1 < last
            and "tells" in _persons(self._words[first + 1])
            and bool(_persons(self._words[first]) & _SPEAKERS)
        )

    def read_inner(self, first: int, last: int) -> None:
        """A bracket with no entry before it: its own list."""
        begin = first
        for i in range(first, last):
            if self._of.is_cut(i, first, last):
                self._group(begin, i)
                begin = i + 1
        self._group(begin, last)

    def deny(self, first: int, last: int) -> bool:
        """Whether the line of a list in which a denial stands names something before it, so that it denies that alone.

        Args:
            first: the first token of the denial, such as "not allergic".
            last: the token behind its last.
        """
        line = next((i for i in range(first, 0, -1) if self._words[i - 1] in _LINE_ENDS), 0)
        at = next((k for k in reversed(range(len(self.entries))) if line <= self.entries[k].first < first), None)
        if at is None:
            return bool(self._agents.within(line, first))  # "tolerates amoxicillin, not allergic"
        one = self.entries[at]
        doubted = one.doubted or self._words[first - 1] == "?" or "doubt" in self._kinds(first - 1)
        self.entries[at] = one._replace(doubted=doubted, against=(*one.against, (first, last)))
        return True

    def _asked(self, first: int) -> bool:
        """Whether nothing but a question mark stands between the last entry and a place: "amoxicillin?? - flat rash", "aspirin - ? (rash)"."""
        between = self._words[self.entries[-1].last : first] if self.entries else []
        return "?" in between and all(word == "?" or word in LINKS for word in between)

    def _react(self, first: int, last: int, whole: bool = False) -> None:
        """Add a reaction to the last entry."""
        words = self._words
        while first < last and not (words[first][:1].isalnum() and (whole or not self._kinds(first) & _LEADING)):
            first += 1
        while first < last and not words[last - 1][:1].isalnum() and words[last - 1] not in (")", '"', "?"):
            last -= 1
        if first + 2 < last and self._speaks(first, last):
            first += 2  # "mom says rash"
        if self.entries and first < last:
            one = self.entries[-1]
            reaction = with_reaction(one.reaction, self._note.written(first, last))
            self.entries[-1] = one._replace(reaction=reaction)
            self._share()
            if self._same:
                self.entries[-2] = self.entries[-2]._replace(reaction=reaction)  # "sulfa = Bactrim, hives"

    def _share(self) -> None:
        """Give the last reaction to the names before it in its row that end as its own does: "Lipitor, Zocor -- muscle aches"."""
        at = len(self.entries) - 1
        while at and self.entries[at - 1].last + 1 == self.entries[at].first and not self.entries[at - 1].reaction:
            one, other = (self._concept_name(self.entries[k]) for k in (at - 1, at))
            joined = self._words[self.entries[at].first - 1] in _ROW - {";", "\n"}
            if not joined or not any(one.endswith(end) and other.endswith(end) for end in endings()):
                return
            at -= 1
            self.entries[at] = self.entries[at]._replace(reaction=self.entries[-1].reaction)

    def _concept_name(self, one: Entry) -> str:
        concept = self._allergens.concept(self._note.written(one.first, one.last))
        return concept.name.lower() if concept else ""

    def _group(self, first: int, last: int) -> None:
        """One group of words: its agents and reactions, a reaction of the last entry, or nothing."""
        linked, self._linked = self._linked, False
        if self._doubt(first, last, told=linked or self._words[first - 1] in _QUOTES | {"?"}):
            return
        first, last = self._of.trimmed(first, last)
        if first >= last or self._of.is_grade(first, last):
            return
        left, right = self._of.ditto(first, last)
        if (left, right) != (first, last) and self.entries and (self._fresh or left < right):
            told = self.entries[-1 if left < right else max(-2, -len(self.entries))].reaction
            if left < right:
                self._group(left, right)
            self.entries[-1] = self.entries[-1]._replace(reaction=told or self.entries[-1].reaction)
            return
        if (linked or self._asked(first)) and self._fresh and self._of.answers_no(first, last):
            self.entries.pop()
            self._fresh = False
            return
        answer = self._of.answer(first, last)
        if first < answer < last:
            if "none" in self._kinds(answer):
                self._fresh = False
                return
            last = answer
        kinds = frozenset().union(*(self._kinds(i) for i in range(first, last)))
        noise = self._of.is_noise(first, last)
        if noise and self._fresh and "intolerance" in kinds:
            self.entries[-1] = self.entries[-1]._replace(said="intolerance")
        reacts = self._of.reacts(first, last)
        fine = "fine" in kinds and "guarded" not in kinds and not reacts
        if noise or fine or self._of.is_label(first, last, last):
            return
        known = self._agents.within(first, last, deep=True)
        if not known and "without_it" in kinds and kinds & _OF_USE:
            return  # "latex-free gloves used"
        if known and not reacts and self._of.is_aside(first, min(last, known[0].last + 1)):
            return
        remedies = bool(known) and all(self._effects.of(self._words[one.first]) & {"remedy"} for one in known)
        cleared = bool(known) and self._of.cleared_with(first, known[0].first)
        if cleared or (remedies and (self._remedied or "remedied" in kinds)):
            self._remedied = True  # "treated with epinephrine and benadryl"
        elif known and linked and self._fresh and (remedies or self._of.reacts(first, known[0].first)):
            pass  # "chlorhexidine - blistered after the pacemaker was put in"
        elif self._allergens.known(self._note.written(first, last)):
            same = linked and self._fresh and self._words[first - 1] == "=" and not self.entries[-1].reaction
            if same and not self._named_last():
                self.entries.pop()  # ""mycins" = erythromycin"
                same = False
            self._add(Agent(first, last))
            self._same = same
            return
        elif known:
            self._named(known, first, last, plain=not reacts and "prose" not in kinds)
            return
        else:
            self._unnamed(first, last, linked, reacts, kinds)
            return
        if self._fresh:
            self._react(first, last, whole=True)

    def _named(self, known: Sequence[Agent], first: int, last: int, plain: bool) -> None:
        """A group that names what the graph knows, and tells what each did, before it or behind."""
        if len(known) == 1 and plain:
            self._add(Agent(*self._of.stripped(first, last, known[0])))
            return
        at = first
        for one, stop in zip(known, [*(one.first for one in known[1:]), last], strict=True):
            left, right = self._of.widened(one, at, stop)
            left -= left > at and self._words[left - 1] == "all"
            self._add(Agent(left, right))
            # a name that nobody knows behind the reaction: "pcn hives Xylazol"
            names = (i for i in range(right, stop) if self._agents.strange(i) and self._agents.capital(i))
            beyond = next(names, stop) if self._of.reacts(right, stop) else stop
            for begin, end in ((at, left), (right, beyond)):
                if self._of.reacts(begin, end):
                    self._react(*self._of.effect(begin, end))
            if beyond < stop:
                self._add(Agent(beyond, beyond + 1, known=False))
            at = stop

    def _unnamed(self, first: int, last: int, linked: bool, reacts: bool, kinds: frozenset[str]) -> None:
        """A group that names nothing the graph knows: a reaction, a name that nobody knows, or an aside."""
        words = [i for i in range(first, last) if self._words[i] != "w"]  # "happened w/ a cold"
        content = [i for i in words if self._of.is_name(i) or (self._words[i].isalpha() and not self._kinds(i))]
        ill = self._allergens.only_reaction(self._note.written(first, last))
        if self._joined and self._fresh and content and not reacts and ill:
            self._add(Agent(first, last, known=False))  # "penicillin and tetanus"
            return
        if not content or ill:
            if (reacts or ill or "alone" in kinds) and (self._fresh or self._words[first] in _PRONOUNS):
                which = reacts and self._words[first] in ("which", "that")
                bounds = self._of.effect(first, last) if which else (first, last)
                self._react(*bounds, whole=linked or bounds[0] == first)
            return
        strange = [i for i in content if self._agents.strange(i)]
        if (reacts or linked) and self._fresh and (not strange or (linked and self._named_last())):
            self._react(first, last, whole=linked)
        elif reacts or "prose" in kinds:
            for i in strange:
                named = i > first and self._agents.other(i - 1) and self._of.is_name(i - 1)
                self._add(Agent(i - named, i + 1, known=False))  # "tetanus toxoid"
                if reacts:
                    self._react(*self._of.effect(first, last))
        elif len(strange) == len(content) or any("remark" not in self._kinds(i) for i in content if i not in strange):
            while first < last and self._kinds(first) & _NO_BEGINNING and first not in strange:
                first += 1
            while last > first and (self._kinds(last - 1) & _NO_PART or YEAR.fullmatch(self._words[last - 1])):
                last -= 1
            if first < last and (strange or not self._is_aside(first, last)):
                self._add(Agent(first, last, known=False))

    def _is_aside(self, first: int, last: int) -> bool:
        """Whether words of the language tell no further thing behind an answer: "manager agrees", "cycle 1", "stopped"."""
        words = self._words[first:last]
        told = len(words) >= _STATEMENT_WORDS and any(self._kinds(i) & _TELLING for i in range(first, last))
        asked = bool(self._kinds(first) & {"request", "follows"})  # "please update chart", "so avoid for now"
        if told or asked or self._denied or (len(words) == 1 and _is_done(words[0])):
            return True
        answered = self._fresh and bool(self.entries and self.entries[-1].reaction)
        if self._fresh and "table_head" in self._kinds(first):
            return True  # "severity moderate"
        counted = words[-1].isdigit() and len(words) > 1 and "counted" in self._kinds(last - 2)
        return counted or (answered and any(word.isdigit() or _is_done(word) for word in words))

    def _named_last(self) -> bool:
        one = self.entries[-1]
        return self._allergens.concept(self._note.written(one.first, one.last)) is not None

    def _kinds(self, i: int) -> frozenset[str]:
        return self._of.kinds(i)

    def _doubt(self, first: int, last: int, told: bool) -> bool:
        """Mark the last entry as doubted where words only doubt it, and name no reaction and nothing else: "probably viral".

        Args:
            first: the first token.
            last: the token behind the last.
            told: they stand where the entry is told of, behind a dash or in quotation marks.
        """
        at = self._of.doubt(first, last) if self._fresh else last
        speaks = any(self._kinds(i) & {"teller", "prose"} for i in range(first, at))
        if at == last or not (told or speaks) or self._of.reacts(first, last):
            return False
        named = any(self._agents.strange(i) and self._of.looks_named(i) for i in range(first, last))
        rest = [i for i in range(at + 1, last) if self._words[i].isalnum()]
        aside = bool(rest) and all(self._kinds(i) & {"remark"} for i in rest)  # "likely in infancy"
        if named or aside or self._agents.within(first, last, deep=True):
            return False
        if rest and not speaks and self._words[first - 1] not in _QUOTES:
            self._react(first, last, whole=True)  # "ciprofloxacin (likely tendon rupture)"
        self.entries[-1] = self.entries[-1]._replace(doubted=True)
        return True

    def _add(self, agent: Agent) -> None:
        self.entries.append(Entry(agent.first, agent.last, "", "", RULE, self._of.doubted(agent)))
        self._fresh, self._same = True, False


def _persons(word: str) -> frozenset[str]:
    return phrases("persons").of(word)


def _is_done(word: str) -> bool:
    """Whether a word is a form of a verb that tells what was done: "stopped", "rechallenged"."""
    return word.endswith(("ed", "ing")) and len(word) > _SHORTEST_DONE and stem(word) != word


_LEADING = frozenset(("lead", "filler"))
_TELLING = frozenset(("filler", "prose"))
_OF_USE = frozenset(("used", "used_instead", "used_for"))
_STATEMENT_WORDS = 3
"""Words of a group that, with one that joins them, tell something rather than name it."""


def with_reaction(held: str, another: str) -> str:
    """Reactions with another one; of two of which one only says more of the other the fuller stands: "stomach, stomach upset".

    "rash" and "no rash" are two: a denial says something else.
    """
    told = [one for one in held.split(", ") if one]
    if any(_says_more(one, another) for one in told):
        return held
    return ", ".join([*(one for one in told if not _says_more(another, one)), another])


def _says_more(fuller: str, shorter: str) -> bool:
    """Whether a reaction has all the words of another, and none beside them that denies it."""
    words, others = fuller.lower().split(), shorter.lower().split()
    return set(others) <= set(words) and not any(
        "denied" in phrases("relations").of(word) for word in words if word not in others
    )
