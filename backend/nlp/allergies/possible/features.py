"""The named features of an agent and an effect, which the scorer weighs: their order, and what stands between and round them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.nlp.allergies.agents import Agent
from backend.nlp.allergies.allergy_wording import Mark, Wording, phrases
from backend.nlp.allergies.effects import Effect
from backend.nlp.allergies.possible.expected import is_meant
from backend.nlp.document.parsed_note import Sentence

AROUND = 5
"""Words before an agent that are read with it."""
_BEFORE, _AFTER, _BEHIND = 4, 4, 8
"""Words before an effect, after an agent, and behind an effect."""
_LINKED_BY = frozenset(("-", ":", ">", "(", "=", "\u2192", "/"))
_LINKED_WITHIN, _STOPPED = 4, 2
_MANY = 3
_LOOSE = frozenset(("stated", "avoided", "linked"))
_OF_AGENT = ("remedy", "commonplace", "cytotoxic", "unnamed", "brand")
_BETWEEN = frozenset(
    (
        "causes", "because", "after", "exposed", "ended", "again", "eased", "avoided", "remedied", "indicated", "ongoing",
        "question", "habit",
    )
)  # fmt: skip
_SENTENCE = frozenset(
    (
        "avoided", "ended", "again", "hypothetical", "harmless", "denied", "today", "dose_change", "overdose", "asks",
        "otherwise", "habit",
    )
)  # fmt: skip
_CONTEXT = (_BETWEEN - {"question"}) | _SENTENCE | {"replaced", "soon", "person", "new", "past"}


class Around(NamedTuple):
    """The sentences that pairs are told in: what features are read from, in order.

    begins: the first tokens of their effects. close: the kinds of words by place. nearest: the agent nearest to each effect. Both as far as they were asked for.
    """

    sentence: Sentence
    agents: Sequence[Agent]
    begins: Sequence[int]
    marks: Sequence[Mark]
    close: dict[tuple[int, int], list[str]]
    nearest: dict[int, Agent]


def features_of(wording: Wording, agent: Agent, effect: Effect, around: Around) -> Iterator[str]:
    """The features that hold of an agent and an effect.

    Args:
        wording: the note's words and marks.
        agent: what may have brought the effect.
        effect: what it may have brought.
        around: the sentences that both stand in.

    Yields:
        Each feature by its name; one may come twice.
    """
    words, relations, index = wording.words, wording.relations, phrases("effects")
    sentence, agents, begins, marks, close, nearest = around

    def near(first: int, last: int) -> list[str]:
        if (first, last) not in close:
            here = marks[bisect_left(marks, (first,)) : bisect_left(marks, (last,))]
            kinds = relations.kinds(first, last).union(*[m.kinds for m in here])
            close[first, last] = sorted(kinds & _CONTEXT)
        return close[first, last]

    forward = agent.first < effect.first
    left, right = (agent.last, effect.first) if forward else (effect.last, agent.first)
    order, apart = "agent_first" if forward else "effect_first", right - left
    yield order
    yield f"effect={effect.kind}"
    yield f"{order}:effect={effect.kind}"
    if is_meant(words, agent[:2], effect) and "ended" not in wording.effects.kinds(sentence.first, sentence.last):
        yield "expected"
        yield f"expected:{effect.kind}"
    if not apart:
        yield f"{order}:touching:{effect.kind}"
    same = (agent.first < sentence.first) == (effect.first < sentence.first)
    yield "same_sentence" if same else "next_sentence"
    if not same:
        yield f"next_sentence:{effect.kind}"
    kinds = relations.kinds(left, right) | wording.effects.kinds(left, right)
    for kind in sorted(kinds & _BETWEEN):
        yield f"between:{kind}:{order}"
        yield f"between:{kind}:{order}:{effect.kind}"
    if not kinds & _BETWEEN:
        yield f"between:nothing:{order}"
    yield from (f"word:{word}" for word in words[effect.first : effect.last] if word.isalpha())
    if effect.kind in _LOOSE:
        for kind in near(effect.first, effect.last):
            yield f"inside:{kind}:{order}"
            yield f"inside:{kind}:{effect.kind}"
    between = words[left:right]
    if ";" in between or "." in between:
        yield "border_between"
    if "," in between:
        yield f"comma_between:{order}"
    if apart <= _LINKED_WITHIN and not _LINKED_BY.isdisjoint(between):
        yield f"mark_between:{order}"
    named = words[agent.first : agent.last]
    rival = bisect_left(agents, (left,))
    if rival < len(agents) and agents[rival].last <= right and words[slice(*agents[rival][:2])] != named:
        yield f"rival_between:{order}"
    if effect.first not in nearest:
        nearest[effect.first] = min(agents, key=lambda one: abs(one.first - effect.first))
    close_by = nearest[effect.first]
    if abs(close_by.first - effect.first) < abs(agent.first - effect.first) and words[slice(*close_by[:2])] != named:
        yield "rival_nearer"  # the same name said again is none
    if not forward and "ended" in wording.effects.kinds(agent.last, min(sentence.last, agent.last + _STOPPED)):
        yield f"then_stopped:{effect.kind}"
    if len(agents) > _MANY:
        yield "many_agents"
    begin = sentence.first if same else min(agent.first, effect.first)
    for name, first, last in (
        ("before_agent", max(sentence.first if same else 0, agent.first - AROUND), agent.first),
        ("after_agent", agent.last, min(sentence.last, agent.last + _AFTER)),
        ("before_effect", max(0, effect.first - _BEFORE), effect.first),
        ("after_effect", effect.last, min(sentence.last, effect.last + _BEHIND)),
    ):
        yield from (f"{name}:{kind}:{order}" for kind in near(first, last))
    for kind in _SENTENCE.intersection(near(begin, sentence.last)):
        yield f"sentence:{kind}"
        yield f"sentence:{kind}:{effect.kind}"
    own = index.of(words[agent.first]) | index.of(words[agent.last - 1])
    for kind in own.intersection(_OF_AGENT):
        yield f"agent:{kind}"
        yield f"agent:{kind}:{order}"
    if not agent.known:
        yield "agent:strange"
    inside = wording.effects.kinds(effect.first, effect.last)
    yield from (f"effect:{kind}" for kind in inside & {"feverish", "strong"})
    behind = len(begins) - bisect_right(begins, agent.last)
    if (behind if forward else len(begins) - behind) > 1:
        yield f"several_effects:{order}"
