"""What the words of an allergies section are to its grammar: cuts and links, names, reactions, labels and noise."""

import re

from backend.nlp.allergies.agents import Agent, endings
from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.document.parsed_note import ParsedNote

LINKS = frozenset(("-", ":", ">", "=", "\u2014", "→", "~"))
_CUTS = frozenset((")", "]", ",", ";", "\n", "|", "&", "+", "/", ".", "and", "or", "•", "*", "!", "?", "–", "nor"))
_GRADE = re.compile(r"\d|1\d|i{1,3}|iv|vi?")
_ROMAN = re.compile(r"ii|iii")
YEAR = re.compile(r"(?:19|20)\d\d")
_LONG_GAP = 2
_CLEARED = 3
"""Words before a name in which a reaction is said to have gone away with it."""
_WITH = frozenset(("with", "after", "on", "by"))
_ASIDE = frozenset(("doubt", "filler", "teller", "lead", "about", "outside_name", "prose", "noise", "remark", "tail"))


class ListWords:
    """The words of one note, by the vocabulary of lists."""

    def __init__(self, note: ParsedNote, words: list[str], allergens: Allergens) -> None:
        self._note = note
        self._words = words
        self._allergens = allergens
        self._table = phrases("lists")
        self._effects = phrases("effects")

    def kinds(self, i: int) -> frozenset[str]:
        """The kinds of a word in the vocabulary of lists."""
        return self._table.of(self._words[i])

    def is_column(self, i: int) -> bool:
        """Whether a column of a table begins at a token: after a tab or several blanks."""
        left, right = self._note.tokens.ends[i - 1], self._note.tokens.starts[i]
        return right - left >= _LONG_GAP or "\t" in self._note.text[left:right]

    def is_cut(self, i: int, first: int, last: int) -> bool:
        """Whether a token ends a group; a hyphen, slash or stop within a name does not."""
        words, word = self._words, self._words[i]
        starts, ends = self._note.tokens.starts, self._note.tokens.ends
        before, after = words[i - 1], words[min(i + 1, last - 1)]
        glued_left = i > first and starts[i] == ends[i - 1]
        glued_right = i + 1 < last and starts[i + 1] == ends[i]
        if word in ("/", "&") and glued_left and before == "w":
            return False  # "rash w/ fever"
        if word in ("/", "&") and glued_left and glued_right:
            if self._allergens.known(self._note.written(i - 1, i + 2)) or len(before) == 1 or after.isdigit():
                return False
            return not (word == "/" and self.reacts(i - 1, i + 2)) or any(map(self._may_name, (i - 1, i + 1)))
        if word == "-" and "-" in (before, after):
            return True
        if (
            word == "."
            and glued_left
            and len(before) == 1
            and i + 1 < last
            and self._note.written(i + 1, i + 2).islower()
        ):
            return before.isdigit()  # "C. difficile", but "1. codeine"
        if word in ("-", "."):
            within = (glued_left and glued_right) or (word == "-" and glued_right and after.isalpha() and i > first)
            return not within
        return word in _CUTS or word in LINKS

    def reacts(self, first: int, last: int) -> bool:
        """Whether a stretch tells a reaction."""
        return any(self.is_reaction(i) for i in range(first, last))

    def is_reaction(self, i: int) -> bool:
        """Whether a word is of a reaction."""
        kinds = self.kinds(i)
        return bool(kinds & _REACTION) or (
            kinds <= {"noise", "remedied"} and "allergic" in self._effects.of(self._words[i])
        )

    def is_name(self, i: int) -> bool:
        """Whether a word may be part of a name."""
        kinds = self.kinds(i)
        return "loose" in kinds or (self._words[i].isalpha() and not kinds & _NO_NAME)

    def looks_named(self, i: int) -> bool:
        """Whether a word that nobody knows is written or ends as a medicine does."""
        raw = self._note.text[self._note.tokens.starts[i] : self._note.tokens.ends[i]]
        return raw[:1].isupper() or self._words[i].endswith(endings())

    def _may_name(self, i: int) -> bool:
        return not self.is_reaction(i) and (self.looks_named(i) or self._allergens.known(self._words[i]))

    def answer(self, first: int, last: int) -> int:
        """Where the answer begins that ends a group, or its end: "latex NO", "plasters: yes"."""
        at = last - ("answer" in self.kinds(last - 1))
        while at > first and not self._words[at - 1][:1].isalnum():
            at -= 1
        return at

    def doubted(self, one: Agent) -> bool:
        """Whether a question mark stands at a name, or a word of doubt before it: "?Septrin", "possible penicillin allergy"."""
        starts, ends, words = self._note.tokens.starts, self._note.tokens.ends, self._words
        if words[one.last : one.last + 1] == ["?"]:
            return True
        before = one.first - 1
        if before >= 0 and words[before] == "?":
            return ends[before] == starts[one.first]
        while before >= 0 and self.kinds(before) & _BEFORE_NAME:
            if "doubt" in self.kinds(before):
                return True
            before -= 1
        return False

    def answers_no(self, first: int, last: int) -> bool:
        """Whether words after a label say that there is none: "Latex: no"; "Maxolon - no!" forbids it."""
        answer = all(self.kinds(i) & {"none", "filler", "general"} for i in range(first, last))
        return answer and "none" in self.kinds(first) and self._words[last : last + 1] != ["!"]

    def is_label(self, first: int, last: int, at: int) -> bool:
        """Whether a group is a label of the list and names nothing: "Drug:", "Seasonal:"."""
        tells = "tells" in phrases("persons").of(self._words[last - 1])  # "daughter adds:"
        return self._words[at : at + 1] == [":"] and all(self.kinds(i) & _LABEL for i in range(first, last - tells))

    def is_noise(self, first: int, last: int) -> bool:
        """Whether a stretch tells nothing: a number, the head of a table, how long ago it was."""
        plain = [i for i in range(first, last) if self._words[i][:1].isalnum()]
        if all(self._words[i].isdigit() or self.kinds(i) & _NOISE for i in plain):
            return True
        times = [phrases("relations").of(self._words[i]) & _TIMES for i in plain if self._words[i].isalpha()]
        if all(times) and any("hours" in one for one in times):
            return True  # "yrs ago"
        marks = self._table.found(self._words, first, last)
        return any("noise" in one.kinds and one.first <= plain[0] and one.last > plain[-1] for one in marks)

    def is_grade(self, first: int, last: int) -> bool:
        """Whether a group names a grade or a score and no thing: "ASA class: II", "Mallampati III", "PS 1"."""
        words = self._words
        if _ROMAN.fullmatch(words[last - 1]) and not self._allergens.known(self._note.written(first, last)):
            return True
        graded = "grade" in self.kinds(last - 1)
        if graded and last - first == 1 and self._allergens.known(words[first]):
            return False  # "ASA: 1 day of hives"
        value = last + (words[last : last + 1] == [":"]) if graded else last - 1
        graded = graded or (last - first > 1 and "grade" in self.kinds(last - 2))
        return graded and any(_GRADE.fullmatch(w) is not None for w in words[value : value + 1])

    def ditto(self, first: int, last: int) -> tuple[int, int]:
        """A group without the word at its end, or at its beginning, that repeats the reaction above it: "erythromycin ditto"."""
        marks = [one for one in self._table.found(self._words, first, last) if "ditto" in one.kinds]
        if marks and marks[-1].last == last:
            return first, marks[-1].first
        return (marks[0].last, last) if marks and marks[0].first == first else (first, last)

    def doubt(self, first: int, last: int) -> int:
        """The last token of the first words of a stretch that doubt ("probably", "never tested"); last for none."""
        return next((one.last - 1 for one in self._table.found(self._words, first, last) if "doubt" in one.kinds), last)

    def cleared_with(self, first: int, last: int) -> bool:
        """Whether the words right before a name say that the reaction went away with it: "these cleared with Benadryl"."""
        near = self._effects.found(self._words, max(first, last - _CLEARED), last)
        return self._words[last - 1] in _WITH and any("eased" in one.kinds for one in near)

    def is_aside(self, first: int, last: int) -> bool:
        """Whether words before a name say that somebody was spoken to, or what is only feared: "discussed with anesthesia"."""
        return any("not_reacted" in one.kinds for one in self._table.found(self._words, first, last))

    def effect(self, first: int, last: int) -> tuple[int, int]:
        """The words of a stretch from its first reaction word on, qualifiers before it included, and linking words left out."""
        begin, end = next(i for i in range(first, last) if self.is_reaction(i)), last
        while begin > first and self._words[begin - 1].isalpha() and not self.kinds(begin - 1) & _LINKING:
            begin -= 1
        if begin - first > 1 and self._words[begin - 1] == "." and len(self._words[begin - 2]) == 1:
            begin -= 2  # "C. difficile"
        while end > begin and self.kinds(end - 1) & _LINKING and not self.is_reaction(end - 1):
            end -= 1
        return begin, end

    def trimmed(self, first: int, last: int) -> tuple[int, int]:
        """A stretch without the marks and the words at its ends that are no part of it."""

        def apart(i: int, kind: str) -> bool:
            word = self._words[i]
            return not (word[:1].isalnum() or word == "%") or (kind in self.kinds(i) and last - first > 1)

        while first < last and apart(first, "lead"):
            first += 1
        whole = {one.last for one in self._effects.found(self._words, first, last) if one.last - one.first > 1}
        while first < last and last not in whole and apart(last - 1, "tail"):
            last -= 1  # not of an "infusion reaction"
        return first, last

    def stripped(self, first: int, last: int, one: Agent) -> tuple[int, int]:
        """A group without the words before and after its name that are no part of it."""
        while first < one.first and self.kinds(first) & _ASIDE and self._words[first] != "all":
            first += 1
        while last > one.last and (self.kinds(last - 1) & _ASIDE or YEAR.fullmatch(self._words[last - 1])):
            last -= 1
        return first, last

    def widened(self, one: Agent, first: int, last: int) -> tuple[int, int]:
        """An agent with the words of its name beside it ("morphine sulfate", "all mycins")."""
        left, right = one.first, one.last
        while right < last and self.is_name(right):
            right += 1
        while left > first and self.is_name(left - 1):
            left -= 1
        return left, right


_REACTION = frozenset(("allergic", "intolerant"))
_LINKING = frozenset(("filler", "prose", "lead", "outside_name"))
_BEFORE_NAME = frozenset(("doubt", "filler", "called", "general", "severe"))
_NO_NAME = _REACTION | _LINKING | {"about", "empty", "noise", "called", "vague", "teller"}
_NOISE = frozenset(("filler", "table_head", "noise"))
_TIMES = frozenset(("hours", "past"))
_LABEL = _NOISE | {"thing", "vague", "called", "remark"}
