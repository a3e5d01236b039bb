"""Effects that are no allergy.

What chemotherapy is expected to do, what a medicine is known to do to many, fever alone, and hepatitis that has a cause of
its own.
"""

from collections.abc import Sequence
from functools import lru_cache

from backend.nlp.allergies.possible.allergy_causes import Cause
from backend.nlp.allergies.possible.allergy_signs import Sign, SignKind
from backend.nlp.document.tokens import word_set
from backend.nlp.rules import RULES, rule_rows

_OF_VIRUS = word_set("a b c d e")
_OWN_CAUSE = word_set("viral autoimmune alcoholic chronic ischemic ischaemic hbv hcv")
_DEGREES = word_set("temperature temp tmax t of to was at febrile")
_HOT = range(37, 43), range(99, 108)  # °C and °F
_BEFORE_VALUE = 4


def expected(words: Sequence[str], signs: Sequence[Sign], cause: Cause, effect: Sign) -> bool:
    """Whether an effect is what such a medicine is given at the price of, or an illness with a cause of its own."""
    if words[effect.first] == "hepatitis" or words[effect.last - 1] in ("hepatitis", *_OF_VIRUS):
        inside = words[effect.first : effect.last + 1]
        if "hepatitis" in inside and not (
            _OF_VIRUS.isdisjoint(inside) and _OWN_CAUSE.isdisjoint(_around(words, effect))
        ):
            return True
    if not any(s.kind is SignKind.CYTOTOXIC and s.first < cause.last and cause.first < s.last for s in signs):
        return False
    return feverish(words, signs, effect) or _within(signs, SignKind.EXPECTED, effect)


def meant(words: Sequence[str], cause: Cause, effect: Sign) -> bool:
    """Whether an effect is what such a medicine does to many who take it: bruises of anticoagulants, black stools of iron."""
    named = frozenset(words[cause.first : cause.last])
    return any(
        word.startswith(begins) and not medicines.isdisjoint(named)
        for word in words[effect.first : effect.last]
        for begins, medicines in _meant_effects()
    )


@lru_cache(maxsize=1)
def _meant_effects() -> tuple[tuple[str, frozenset[str]], ...]:
    """How the words of an effect begin, and the words of the medicines that have it. Raises KnowledgeError when the file is malformed."""
    rows = rule_rows(RULES / "meant_effects.tsv", 2)
    return tuple((begins, frozenset(medicines.split())) for begins, medicines in rows)


def feverish(words: Sequence[str], signs: Sequence[Sign], effect: Sign) -> bool:
    """Whether an effect is fever, chills or weariness: days after a medicine they tell an infection as well."""
    if _within(signs, SignKind.FEVERISH, effect):
        return True
    value = words[effect.first]
    before = words[max(0, effect.first - _BEFORE_VALUE) : effect.first]
    return value.isdigit() and any(int(value) in hot for hot in _HOT) and not _DEGREES.isdisjoint(before)


def _within(signs: Sequence[Sign], kind: SignKind, effect: Sign) -> bool:
    return any(s.kind is kind and s.first < effect.last and effect.first < s.last for s in signs)


def _around(words: Sequence[str], effect: Sign) -> Sequence[str]:
    return words[max(0, effect.first - 1) : effect.last]
