"""What is known of medicines and their effects: what is expected and no allergy, and what makes anybody think of the medicine."""

from collections.abc import Sequence
from functools import lru_cache

from backend.nlp.allergies.allergy_wording import Mark
from backend.nlp.allergies.effects import Effect
from backend.nlp.rules import RULES, rule_rows

_MOST_AGENTS = 4_096
"""Agents whose effects are remembered; beyond it they are looked up anew, so that no text can fill the memory."""


def is_expected(words: Sequence[str], agent: tuple[int, int], effect: Effect, marks: Sequence[Mark]) -> bool:
    """Whether an effect is what such a medicine is given at the price of."""
    return is_meant(words, agent, effect) or is_price(agent, effect, marks)


def is_meant(words: Sequence[str], agent: tuple[int, int], effect: Effect) -> bool:
    """Whether an effect is what the medicine does to many: the iron and black stools."""
    begins = _meant_of(tuple(words[agent[0] : agent[1]]))
    return bool(begins) and any(word.startswith(begins) for word in words[effect.first : effect.last])


def is_treated(words: Sequence[str], agent: tuple[int, int], effect: Effect) -> bool:
    """Whether an effect is an ill that such a medicine is given for: metformin and a high sugar."""
    begins = _treated_by(tuple(words[agent[0] : agent[1]]))
    return bool(begins) and any(word.startswith(begins) for word in words[effect.first : effect.last])


def is_price(agent: tuple[int, int], effect: Effect, marks: Sequence[Mark]) -> bool:
    """Whether an effect is the price of a treatment against cancer."""
    if not any("cytotoxic" in m.kinds and m.first < agent[1] and agent[0] < m.last for m in marks):
        return False
    if effect.kind in ("side", "linked", "measured", "stated"):
        return True
    return any(m.kinds & {"expected", "feverish"} and m.first < effect.last and effect.first < m.last for m in marks)


def is_known(words: Sequence[str], agent: tuple[int, int], effect: Effect) -> bool:
    """Whether an effect makes anybody think of such a medicine: a swollen tongue and an ACE inhibitor."""
    said = words[effect.first : effect.last]
    return any(
        all(any(word.startswith(begin) for word in said) for begin in begins)
        for begins in _known_of(tuple(words[agent[0] : agent[1]]))
    )


@lru_cache(maxsize=_MOST_AGENTS)
def _known_of(named: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """How the words of the effects that are known of an agent begin; a list of medicines asks for each name many times."""
    return tuple(begins for begins, endings in _known() if any(word.endswith(endings) for word in named))


@lru_cache(maxsize=_MOST_AGENTS)
def _meant_of(named: tuple[str, ...]) -> tuple[str, ...]:
    """How a word of an effect begins that an agent has on many."""
    return tuple(begins for begins, medicines in _meant() if not medicines.isdisjoint(named))


@lru_cache(maxsize=_MOST_AGENTS)
def _treated_by(named: tuple[str, ...]) -> tuple[str, ...]:
    """How the words of the ills begin that an agent is given for."""
    return tuple(one for begins, endings in _treated() if any(w.endswith(endings) for w in named) for one in begins)


@lru_cache(maxsize=1)
def _treated() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    rows = rule_rows(RULES / "allergies" / "words_treated.tsv", 2)
    return tuple((tuple(begins.split()), tuple(endings.split())) for begins, endings in rows)


@lru_cache(maxsize=1)
def _known() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    rows = rule_rows(RULES / "allergies" / "words_known.tsv", 2)
    return tuple((tuple(begins.split()), tuple(endings.split())) for begins, endings in rows)


@lru_cache(maxsize=1)
def _meant() -> tuple[tuple[str, frozenset[str]], ...]:
    rows = rule_rows(RULES / "allergies" / "words_expected.tsv", 2)
    return tuple((begins, frozenset(medicines.split())) for begins, medicines in rows)
