"""Fills the agent slot of an allergy trigger: the names that follow a place in a row, that stand right before it, or before it."""

from collections.abc import Iterator, Sequence

from backend.nlp.allergies.agents import Agent, Agents
from backend.nlp.allergies.allergy_wording import phrases

_JOINS = frozenset((",", "and", "or", "/", "&", "+", "nor"))


class AgentSlots:
    """The names beside a place of one note; one that nobody knows is filled in where its place or capital says that it is a name."""

    def __init__(self, words: Sequence[str], agents: Agents) -> None:
        self._words = words
        self._agents = agents
        self._lists = phrases("lists")

    def after(self, at: int, last: int, by_first: dict[int, Agent], loose: bool) -> Iterator[Agent]:
        """The names in a row that follow a place."""
        i = at
        found = False
        skipped = 0
        while i < last:
            one = by_first.get(i)
            if one is None and self._agents.strange(i) and (found or loose or self._agents.capital(i)):
                one = Agent(i, i + 1, known=False)
            if one is None and loose and not found:
                one = self._noun(i, last)
            if one is not None and "body" in self._lists.of(self._words[one.first]):
                return
            if one is not None:
                end = one.last
                while end < last and "loose" in self._lists.of(self._words[end]):
                    end += 1
                yield one._replace(last=end)
                found = True
                i = end
                if i < last and self._words[i] == "(":
                    while i < last and self._words[i] != ")":
                        i += 1
                    i += 1
                skipped = 0
                continue
            word = self._words[i]
            if found and word not in _JOINS and "filler" not in self._lists.of(word):
                return
            if not found and (
                skipped > 4
                or not (
                    word in ("-", ":", '"', "(", ",")
                    or self._lists.of(word) & {"filler", "empty", "lead", "slot", "general"}
                )
            ):
                return
            if found:
                skipped += 1
                if skipped > 3:
                    return
            else:
                skipped += 1
            i += 1

    def right_before(self, at: int, first: int, agents: Sequence[Agent]) -> list[Agent]:
        """The name right before a place, and those in a row with it."""
        i = at - 1
        while i > first and (
            self._words[i] in ("-", ")", '"', ":")
            or self._lists.of(self._words[i]) & {"loose"}
            or self._words[i] in ("drug", "food", "related", "is", "are", "as", "an", "listed")
        ):
            i -= 1
        near = next((one for one in agents if one.first <= i < one.last), None)
        if near is None and first <= i < at and self._agents.strange(i):
            near = Agent(i, i + 1, known=False)
        return self._row(near, first, agents) if near else []

    def unknown_before(self, at: int, first: int) -> Agent | None:
        """The word right before a place as a name that nobody knows; None where it is of the language."""
        i = at - 1
        if (
            i < first
            or not self._words[i].isalpha()
            or self._lists.of(self._words[i]) - {"loose"}
            or len(self._words[i]) < 3
        ):
            return None
        return Agent(i, i + 1, known=False) if self._agents.strange(i) else None

    def before(self, at: int, first: int, agents: Sequence[Agent], far: int) -> list[Agent]:
        """The nearest name before a place, and those in a row with it."""
        near = [one for one in agents if one.last <= at and at - one.last <= far and one.first >= first]
        if not near and at > first and self._agents.strange(at - 1) and self._agents.capital(at - 1):
            near = [Agent(at - 1, at, known=False)]
        if not near or any(self._words[i] == ";" for i in range(near[-1].last, at)):
            return []
        return self._row(near[-1], first, agents)

    def _noun(self, i: int, last: int) -> Agent | None:
        """A name that nobody knows and that may be of words of the language: "allergic to blue cheese"."""
        end = i
        while (
            end < last
            and end - i < 3
            and self._words[end].isalpha()
            and not self._lists.of(self._words[end]) - {"loose", "thing", "general"}
            and "body" not in self._lists.of(self._words[end])
        ):
            end += 1
        if end == i or self._lists.of(self._words[i]) & {"body", "about", "filler", "empty", "lead"}:
            return None
        return Agent(i, end, known=False)

    def _row(self, near: Agent, first: int, agents: Sequence[Agent]) -> list[Agent]:
        row = [near]
        for one in reversed([a for a in agents if a.last <= near.first]):
            gap = self._words[one.last : row[-1].first]
            if gap and all(word in ("and", "or", "/", "&") for word in gap):
                row.append(one)
            else:
                break
        return row[::-1]
