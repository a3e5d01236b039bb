"""Pairs of something taken or touched and an effect close to it, with the named features that tell whether the one brought the other."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.nlp.allergies.agents import Agent, Agents
from backend.nlp.allergies.effects import Effect, effects_of, only_warned
from backend.nlp.allergies.expected import is_expected, is_known
from backend.nlp.allergies.persons import of_others
from backend.nlp.allergies.wording import Mark, PhraseIndex, Wording, phrases
from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.schemas.vocabulary import SectionCategory

LEFT_OUT = frozenset((SectionCategory.ALLERGIES, SectionCategory.FAMILY_HISTORY, SectionCategory.INSTRUCTIONS))
_FAR = 30
"""Words between an agent and an effect."""
_AROUND = 5
_INDICATED = 4
"""Words between "for" and what was treated."""
_BETWEEN = (
    "causes",
    "because",
    "after",
    "exposed",
    "ended",
    "again",
    "eased",
    "barred",
    "remedied",
    "indicated",
    "ongoing",
    "question",
)


class Pair(NamedTuple):
    """An agent, an effect, and the features that hold of the two; known: the effect makes anybody think of such an agent."""

    agent: Agent
    effect: Effect
    features: tuple[str, ...]
    known: bool = False


class PairReader:
    """Gives the pairs of one note."""

    def __init__(self, note: ParsedNote, wording: Wording, agents: Agents) -> None:
        self._note = note
        self._words = wording.words
        self._agents = agents
        self._index = phrases("effects")

    def pairs(self) -> Iterator[Pair]:
        """The pairs of each sentence, and of each with the one before it."""
        before: Sentence | None = None
        for sentence in self._note.sentences:
            if self._note.sections[sentence.section].category in LEFT_OUT:
                before = None
                continue
            yield from self._of(sentence, before if before and before.section == sentence.section else None)
            before = sentence

    def _of(self, sentence: Sentence, before: Sentence | None) -> Iterator[Pair]:
        first = before.first if before else sentence.first
        last = sentence.last
        marks = self._index.found(self._words, first, last)
        effects = [one for one in effects_of(self._words, marks) if one.kind != "barred"]
        if not effects:
            return
        agents = self._agents.among(first, last)
        if not agents:
            return
        others = of_others(self._words, sentence.first, last) + (
            of_others(self._words, first, sentence.first) if before else []
        )
        section = self._note.sections[sentence.section].category.value
        for agent in agents:
            if self._set_aside(agent, others) or self._agents.is_replacement(agent, first):
                continue
            for effect in effects:
                both_before = agent.first < sentence.first and effect.first < sentence.first
                apart = max(effect.first - agent.last, agent.first - effect.last)
                overlap = agent.first < effect.last and effect.first < agent.last
                if both_before or apart > _FAR or overlap or self._set_aside(effect, others):
                    continue
                known = is_known(self._words, agent[:2], effect) or self._soon_worse(agent, effect, sentence)
                if effect.kind == "worse" and not known:
                    continue
                if self._given_for(agent, effect) or (not known and self._came_with(agent, effect)):
                    continue
                if not only_warned(self._words, min(agent.first, effect.first), max(agent.last, effect.last)) and (
                    known or not is_expected(self._words, agent[:2], effect, marks)
                ):
                    features = tuple(self._features(agent, effect, agents, effects, marks, sentence, section))
                    yield Pair(agent, effect, features, known)

    def _set_aside(self, one: Agent | Effect, others: Sequence[tuple[int, int]]) -> bool:
        return any(a <= one.first < b for a, b in others)

    def _given_for(self, agent: Agent, effect: Effect) -> bool:
        """Whether an agent was given for what follows: "penicillin was given for an itchy rash"; not "stopped for a rash"."""
        words = self._words
        if agent.first > effect.first or "for" not in words[agent.last : effect.first]:
            return False
        if words[agent.last] == "for" and effect.first > agent.last + _INDICATED:
            return words[effect.first] in words[agent.last + 1 : agent.last + 1 + _INDICATED]
        at = max(i for i in range(agent.last, effect.first) if words[i] == "for")
        told = frozenset().union(*(m.kinds for m in self._index.found(words, agent.last, at)))
        return effect.first - at <= _INDICATED and not told & {"ended", "because", "causes", "barred"}

    def _soon_worse(self, agent: Agent, effect: Effect, sentence: Sentence) -> bool:
        """Whether an ill grew right after something was taken: "took two of them and it got worse within the hour"."""
        if effect.kind != "worse" or agent.first > effect.first:
            return False
        relations = phrases("relations").found(self._words, agent.last, min(sentence.last, effect.last + _AROUND))
        before = self._index.found(self._words, max(sentence.first, agent.first - _AROUND), agent.first)
        return any("soon" in m.kinds for m in relations) and any("exposed" in m.kinds for m in before)

    def _came_with(self, agent: Agent, effect: Effect) -> bool:
        """Whether an effect is what somebody came with who had long taken an agent: no "given at noon and presents with hives"."""
        relations, words = phrases("relations"), self._words
        if agent.first > effect.first or not any("came" in relations.of(w) for w in words[agent.last : effect.first]):
            return False
        return not any(
            relations.of(word) & {"new", "remedied"} for word in words[max(0, agent.first - _AROUND) : agent.first]
        )

    def _features(
        self,
        agent: Agent,
        effect: Effect,
        agents: Sequence[Agent],
        effects: Sequence[Effect],
        marks: Sequence[Mark],
        sentence: Sentence,
        section: str,
    ) -> Iterator[str]:
        words = self._words
        forward = agent.first < effect.first
        left, right = (agent.last, effect.first) if forward else (effect.last, agent.first)
        order = "agent_first" if forward else "effect_first"
        apart = right - left
        distance = "near" if apart <= 2 else "close" if apart <= 6 else "mid" if apart <= 12 else "far"
        yield order
        yield f"{order}:{distance}"
        yield f"effect={effect.kind}"
        yield f"{order}:effect={effect.kind}"
        same = (agent.first < sentence.first) == (effect.first < sentence.first)
        yield "same_sentence" if same else "next_sentence"
        if not same:
            yield f"next_sentence:{effect.kind}"
            opening = frozenset().union(
                *(phrases("relations").of(w) for w in words[sentence.first : sentence.first + 5])
            )
            yield "goes_on" if "goes_on" in opening else "starts_new"
        relations = phrases("relations")
        between = [m for m in marks if left <= m.first and m.last <= right]
        told = frozenset().union(*(m.kinds for m in between)) | frozenset().union(
            *(m.kinds for m in relations.found(words, left, right))
        )
        for kind in _BETWEEN:
            if kind in told:
                yield f"between:{kind}:{order}"
                yield f"between:{kind}:{order}:{effect.kind}"
        for word in words[effect.first : effect.last]:
            if word.isalpha():
                yield f"word:{word}"
        if not told & frozenset(_BETWEEN):
            yield f"between:nothing:{order}"
        if any(words[i] in (";", ".") for i in range(left, right)):
            yield "border_between"
        if any(words[i] == "," for i in range(left, right)):
            yield f"comma_between:{order}"
        if any(words[i] in ("-", ":", ">", "(", "=", "\u2192", "/") for i in range(left, right)) and apart <= 4:
            yield f"mark_between:{order}"
        if not same and words[right - 1 : right] == ["it"]:
            yield "it"
        rivals = [a for a in agents if a is not agent and left <= a.first and a.last <= right]
        if rivals:
            yield f"rival_between:{order}"
        if any(a is not agent and abs(a.first - effect.first) < abs(agent.first - effect.first) for a in agents):
            yield "rival_nearer"
        if len(agents) > 3:
            yield "many_agents"
        for kind in self._near(
            relations, marks, max(sentence.first if same else 0, agent.first - _AROUND), agent.first
        ):
            yield f"before_agent:{kind}:{order}"
        for kind in self._near(relations, marks, agent.last, min(sentence.last, agent.last + 4)):
            yield f"after_agent:{kind}:{order}"
        for kind in self._near(relations, marks, max(0, effect.first - 4), effect.first):
            yield f"before_effect:{kind}:{order}"
        for kind in self._near(relations, marks, effect.last, min(sentence.last, effect.last + 8)):
            yield f"after_effect:{kind}:{order}"
        ends = min(agent.first, effect.first), max(agent.last, effect.last)
        start, stop = (sentence.first if same else ends[0]), sentence.last
        for kind in self._near(relations, marks, start, stop):
            if kind in (
                "barred",
                "ended",
                "again",
                "hypothetical",
                "harmless",
                "denied",
                "today",
                "dose_change",
                "overdose",
                "asks",
            ):
                yield f"sentence:{kind}"
                yield f"sentence:{kind}:{effect.kind}"
        own = self._index.of(words[agent.first]) | (self._index.of(words[agent.last - 1]))
        for kind in ("remedy", "commonplace", "cytotoxic", "unnamed", "brand"):
            if kind in own:
                yield f"agent:{kind}"
                yield f"agent:{kind}:{order}"
        if not agent.known:
            yield "agent:strange"
        inside = frozenset().union(*(m.kinds for m in marks if effect.first <= m.first and m.last <= effect.last))
        for kind in ("feverish", "strong"):
            if kind in inside:
                yield f"effect:{kind}"
        several = sum(1 for e in effects if (e.first > agent.last) == forward)
        if several > 1:
            yield f"several_effects:{order}"
        yield f"section:{section}"

    def _near(self, relations: PhraseIndex, marks: Sequence[Mark], first: int, last: int) -> list[str]:
        told = frozenset().union(
            *(m.kinds for m in marks if first <= m.first < last),
            *(m.kinds for m in relations.found(self._words, first, last)),
        )
        return sorted(told & _CONTEXT)


_CONTEXT = frozenset(
    (
        "causes",
        "because",
        "after",
        "exposed",
        "ended",
        "again",
        "eased",
        "barred",
        "remedied",
        "indicated",
        "ongoing",
        "hypothetical",
        "harmless",
        "denied",
        "today",
        "dose_change",
        "overdose",
        "replaced",
        "soon",
        "person",
        "asks",
        "new",
        "past",
    )
)
