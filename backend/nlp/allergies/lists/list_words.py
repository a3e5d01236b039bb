"""What the words of an allergies section are to its grammar: cuts and links, names, reactions, labels and noise."""

from backend.nlp.allergies.agents import Agent
from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.document.parsed_note import ParsedNote

LINKS = frozenset(("-", ":", ">", "=", "\u2014", "→", "~"))
_CUTS = frozenset((")", "]", ",", ";", "\n", "|", "&", "+", "/", ".", "and", "or", "•", "*", "!", "?", "–", "nor"))
_LONG_GAP = 2
_ASIDE = frozenset(("filler", "teller", "lead", "about", "outside_name", "prose", "noise", "remark", "tail"))


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

    def is_link(self, i: int) -> bool:
        """Whether a token links a name to its reaction."""
        return self._words[i] in LINKS

    def is_cut(self, i: int, first: int, last: int) -> bool:
        """Whether a token ends a group; a hyphen, slash or stop within a name does not."""
        word = self._words[i]
        starts, ends = self._note.tokens.starts, self._note.tokens.ends
        glued_left = i > first and starts[i] == ends[i - 1]
        glued_right = i + 1 < last and starts[i + 1] == ends[i]
        if word == "/" and glued_left and self._words[i - 1] == "w":
            return False  # "rash w/ fever"
        if word in ("/", "&") and glued_left and glued_right:
            whole = self._note.written(i - 1, i + 2)
            return not (self._allergens.known(whole) or len(self._words[i - 1]) == 1 or self._words[i + 1].isdigit())
        if word == "-" and "-" in (self._words[i - 1], self._words[min(i + 1, last - 1)]):
            return True
        if word in ("-", "."):
            return not (glued_left and glued_right) and not (
                word == "-" and glued_right and self._words[i + 1].isalpha() and i > first
            )
        return word in _CUTS or word in LINKS

    def reacts(self, first: int, last: int) -> bool:
        """Whether a stretch tells a reaction."""
        return any(self.is_reaction(i) for i in range(first, last))

    def is_reaction(self, i: int) -> bool:
        """Whether a word is of a reaction."""
        return bool(self.kinds(i) & {"allergic", "intolerant"}) or (
            self.kinds(i) <= {"noise"} and "allergic" in self._effects.of(self._words[i])
        )

    def is_name(self, i: int) -> bool:
        """Whether a word may be part of a name."""
        kinds = self.kinds(i)
        if "loose" in kinds:
            return True
        return self._words[i].isalpha() and not kinds & {
            "allergic",
            "intolerant",
            "about",
            "filler",
            "prose",
            "lead",
            "outside_name",
            "empty",
            "noise",
            "called",
            "vague",
            "teller",
        }

    def answers_no(self, first: int, last: int) -> bool:
        """Whether words after a label say that there is none: "Latex: no"."""
        if last < len(self._words) and self._words[last] == "!":
            return False  # "Maxolon - no!" forbids it
        return "none" in self.kinds(first) and all(
            self.kinds(i) & {"none", "filler", "general"} for i in range(first, last)
        )

    def is_label(self, first: int, last: int, at: int) -> bool:
        """Whether a group is a label of the list and names nothing: "Drug:", "Seasonal:"."""
        if at >= len(self._words) or self._words[at] != ":":
            return False
        return all(
            self.kinds(i) & {"thing", "vague", "table_head", "noise", "called", "remark", "filler"}
            for i in range(first, last)
        )

    def is_noise(self, first: int, last: int) -> bool:
        """Whether a stretch tells nothing: a number, the head of a table."""
        plain = [i for i in range(first, last) if self._words[i][:1].isalnum()]
        marks = self._table.found(self._words, first, last)
        if any("noise" in one.kinds and one.first <= plain[0] and one.last > plain[-1] for one in marks):
            return True
        return all(self._words[i].isdigit() or self.kinds(i) & {"filler", "table_head", "noise"} for i in plain)

    def effect(self, first: int, last: int) -> tuple[int, int]:
        """The words of a stretch from its first reaction word on, qualifiers before it included, and linking words left out."""
        begin = next(i for i in range(first, last) if self.is_reaction(i))
        while (
            begin > first
            and self._words[begin - 1].isalpha()
            and not self.kinds(begin - 1) & {"filler", "prose", "lead", "outside_name"}
        ):
            begin -= 1
        end = last
        while (
            end > begin
            and self.kinds(end - 1) & {"filler", "prose", "lead", "outside_name"}
            and not self.is_reaction(end - 1)
        ):
            end -= 1
        return begin, end

    def trimmed(self, first: int, last: int) -> tuple[int, int]:
        """A stretch without the marks and the words at its ends that are no part of it."""
        while first < last and (
            not self._words[first][:1].isalnum() or (self.kinds(first) & {"lead"} and last - first > 1)
        ):
            first += 1
        while first < last and (
            (not self._words[last - 1][:1].isalnum() and self._words[last - 1] not in ("%",))
            or (self.kinds(last - 1) & {"tail"} and last - first > 1)
        ):
            last -= 1
        return first, last

    def stripped(self, first: int, last: int, one: Agent) -> tuple[int, int]:
        """A group without the words before and after its name that are no part of it."""
        while first < one.first and self.kinds(first) & _ASIDE and self._words[first] != "all":
            first += 1
        while last > one.last and self.kinds(last - 1) & _ASIDE:
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
