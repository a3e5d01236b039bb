"""The parts of a sentence that state something for themselves, of running text and lists alike.

What a sentence denies or tells as tolerated ends where another thing is said to have done harm: "no allergy to latex, penicillin gave
him hives". What it only asks states nothing: "does penicillin cause a rash?".
"""

from collections.abc import Sequence

from backend.nlp.allergies.agents import Agents
from backend.nlp.allergies.allergy_wording import Wording, phrases
from backend.nlp.allergies.effects import effects_of
from backend.nlp.document.trigger_automaton import FoundTrigger

Span = tuple[int, int]
_HARMLESS = frozenset(("NO", "NONE", "NOT_ALLERGIC", "WITHDRAWN", "TOLERATED", "CHALLENGE"))
_FARTHEST = 4
"""Words that may stand between a mark or a joining word and the name behind it: "but as a child penicillin"."""


def statements(wording: Wording, agents: Agents, triggers: Sequence[FoundTrigger], first: int, last: int) -> list[Span]:
    """The stretches of tokens first to last that state for themselves: cut where harm follows something harmless.

    Args:
        wording: the note's words with their marks.
        agents: what may cause harm.
        triggers: those of the stretch.
        first: its first token.
        last: behind its last token.
    """
    found, begin = [], first
    for at in range(first, last):
        own = [t for t in triggers if begin <= t.first and t.last <= at and t.row.event in _HARMLESS]
        if own and _harms_behind(wording, agents, at, last):
            found.append((begin, at))
            begin = at + 1
    return [*found, (begin, last)]


def asked_until(wording: Wording, agents: Agents, first: int, last: int) -> int:
    """Where what a sentence only asks ends: "does penicillin cause a rash", up to "if". 0 where it tells, or is answered."""
    words, of = wording.words, phrases("relations").of
    if "asking" not in of(words[first]) or first + 1 >= last or "yes" in words[first : last + 1]:
        return 0
    asks = any(one.first == first + 1 for one in agents.within(first, last)) or "asker" in of(words[first + 1])
    return next((i for i in range(first + 1, last) if "asked_until" in of(words[i])), last) if asks else 0


def _harms_behind(wording: Wording, agents: Agents, at: int, last: int) -> bool:
    """Whether a name that follows a mark or a joining word is said to do harm: ", penicillin gave him hives"."""
    words, of = wording.words, phrases("relations").of
    if "despite" in of(words[at]):
        return True
    if "joins" not in of(words[at]):
        return False
    named = agents.within(at + 1, min(last, at + 1 + 2 * _FARTHEST))
    between = words[at + 1 : named[0].first] if named else ()
    if not named or len(between) > _FARTHEST or any("joins" in of(word) for word in between):
        return False
    end = next((one.first for one in agents.within(named[0].last, last)), last)
    effects = effects_of(words, wording.effects.within(named[0].last, end))
    harm = next(iter(effects), None)
    if harm is None or "causes" not in wording.effects.kinds(named[0].last, harm.last):
        return False
    return not any("denied" in of(word) for word in (*between, *words[named[0].last : harm.first]))
