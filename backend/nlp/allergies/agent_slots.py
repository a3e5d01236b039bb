"""Fills the agent slot of an allergy trigger: the names that follow a place in a row, that stand right before it, or before it."""

from collections.abc import Iterator, Sequence

from backend.nlp.allergies.agents import Agent, Agents
from backend.nlp.allergies.allergy_wording import phrases

_JOINS = frozenset((",", "and", "or", "/", "&", "+", "nor"))
_ROW = frozenset(("and", "or", "/", "&"))
_OPENS = frozenset((".", ",", ";", "\n"))
_OPENING = frozenset(("-", ":", '"', "(", ","))
_LEADING = frozenset(("filler", "empty", "lead", "slot", "general"))
_BETWEEN = frozenset(("-", ")", '"', ":", "drug", "food", "related", "is", "are", "as", "an", "listed"))
_MOST_BETWEEN, _MOST_BEFORE, _LONGEST, _TO_VERB = 3, 4, 3, 5
"""Words between names of a row, words before its first, words of a name that nobody knows, and tokens from a name to its verb."""


class AgentSlots:
    """The names beside a place of one note; one that nobody knows is filled in where its place or capital says that it is a name."""

    def __init__(self, words: Sequence[str], agents: Agents) -> None:
        self._words = words
        self._agents = agents
        self._lists = phrases("lists")

    def after(self, at: int, last: int, by_first: dict[int, Agent], loose: bool) -> Iterator[Agent]:
        """The names in a row that follow a place."""
        i, found, skipped = at, False, 0
        while i < last:
            one = by_first.get(i) or self._unknown(i, last, found, loose)
            word = self._words[i]
            kinds = self._lists.of(word)
            if one is not None:
                if "body" in kinds or (found and self._is_given(one.last, last)):
                    return
                i = one.last
                while i < last and "loose" in self._lists.of(self._words[i]):
                    i += 1
                yield one._replace(last=i)
                found, skipped = True, 0
                if i < last and self._words[i] == "(":
                    i = next((k for k in range(i, last) if self._words[k] == ")"), last) + 1
                continue
            goes_on = (
                word in _JOINS or word == '"' or "filler" in kinds if found else word in _OPENING or kinds & _LEADING
            )
            skipped += 1
            if not goes_on or skipped > (_MOST_BETWEEN if found else _MOST_BEFORE + 1):
                return
            i += 1

    def _is_given(self, at: int, last: int) -> bool:
        """Whether a name begins a clause of its own, which tells that it was given: "hives with Keflex, vancomycin 1.5 g was given"."""
        end = min(last, at + _TO_VERB)
        verb = next((i for i in range(at, end) if "be" in phrases("relations").of(self._words[i])), end)
        apart = any(word in _JOINS or self._lists.of(word) & {"reason"} for word in self._words[at:verb])
        given = self._words[verb + 1 : min(verb + 3, last)]
        return verb < end and not apart and any(self._lists.of(word) & _GIVEN for word in given)

    def _unknown(self, i: int, last: int, found: bool, loose: bool) -> Agent | None:
        """A name that nobody knows; of words of the language only where it may be: "allergic to blue cheese"."""
        if self._agents.strange(i) and (found or loose or self._agents.capital(i)):
            return Agent(i, i + 1, known=False)
        end = i
        while (
            end < min(last, i + _LONGEST)
            and self._words[end].isalpha()
            and not self._lists.of(self._words[end]) - _NAMING
        ):
            end += 1
        # "a reaction to the removal of the splint" names what was done
        named = loose and not found and end > i and self._words[end : end + 1] != ["of"]
        return Agent(i, end, known=False) if named else None

    def right_before(self, at: int, first: int, agents: Sequence[Agent]) -> list[Agent]:
        """The name right before a place, and those in a row with it."""
        i = at - 1
        while i > first and (self._words[i] in _BETWEEN or "loose" in self._lists.of(self._words[i])):
            i -= 1
        near = next((one for one in agents if one.first <= i < one.last), None)
        if near is None and first <= i < at and self._agents.strange(i):
            near = Agent(i, i + 1, known=False)
        return self._row(near, agents) if near else []

    def whole_row(self, at: int, first: int, agents: Sequence[Agent]) -> list[Agent]:
        """The row that ends at a place, with a word that nobody knows at its head: "Bananas and avocado - lips swell"."""
        row = self.right_before(at, first, agents)
        head = row[0].first - 2 if row else first
        opens = head == first or self._words[head - 1] in _OPENS
        joined = head >= first and self._words[head + 1] in _ROW and self._words[head].isalpha()
        named = joined and opens and not self._lists.of(self._words[head])
        return [Agent(head, head + 1, known=False), *row] if row and named else row

    def before(self, at: int, first: int, agents: Sequence[Agent], far: int) -> list[Agent]:
        """The nearest name before a place, and those in a row with it."""
        near = [one for one in agents if first <= one.first and one.last <= at <= one.last + far]
        if not near and at > first and self._agents.strange(at - 1) and self._agents.capital(at - 1):
            near = [Agent(at - 1, at, known=False)]
        return self._row(near[-1], agents) if near and ";" not in self._words[near[-1].last : at] else []

    def _row(self, near: Agent, agents: Sequence[Agent]) -> list[Agent]:
        row = [near]
        for one in reversed([a for a in agents if a.last <= near.first]):
            gap = self._words[one.last : row[0].first]
            if not gap or not _ROW.issuperset(w for w in gap if w != "-"):  # "lactose- and fructose-intolerant"
                break
            row.insert(0, one)
        return row


_GIVEN = frozenset(("given", "used", "used_instead"))
_NAMING = frozenset(("loose", "thing", "general"))
