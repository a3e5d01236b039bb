"""Which flag means which annotated danger: the one rule by which the safety benchmark counts.

A flag is about a medicine and a partner (another medicine, an allergen, a condition, a value) when it names both. What it names are the
words of its message, evidence and medicine, and of its kind ("dose", "duplicate"). A name is named when all its telling words are
there, of itself, of a name that means the same (`names.tsv`), or of the concept it stands for, by any of the concept's names. No word
may name both, so that what is said of a medicine beside a third is not taken for what is said of it twice. The order of the two does
not matter.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from backend.evaluation.reading.statement_match import content_stems
from backend.evaluation.safety.benchmark_rows import Danger, DangerKind
from backend.nlp.lexicon.variants import stem
from backend.schemas.drafts.draft import Flag

NOT_OF_A_MEDICINE = frozenset(
    {
        "age",
        "allergy_disagreement",
        "allergy_not_recognised",
        "allergy_not_stated",
        "gap",
        "injection",
        "missing_part",
        "must_not_miss",
        "negated_asserted",
        "reading",
        "stage_failed",
        "unsupported_sentence",
    }
)
"""Kinds of flags about the text, the letter or a list; every other kind speaks against a medicine."""
_ALLERGY, _DOSE, _DUPLICATE, _MONITORING = ("allergy",), ("dose",), ("duplicate",), ("monitoring",)
KINDS_NAMED: dict[DangerKind, tuple[str, ...]] = {
    DangerKind.ALLERGY: _ALLERGY,
    DangerKind.CROSS_ALLERGY: _ALLERGY,
    DangerKind.KIDNEY_DOSE: _DOSE,
    DangerKind.AGE_DOSE: _DOSE,
    DangerKind.WEIGHT_DOSE: _DOSE,
    DangerKind.UNIT_OR_TENFOLD: _DOSE,
    DangerKind.WEEKLY_DAILY: _DOSE,
    DangerKind.DUPLICATE: _DUPLICATE,
    DangerKind.MONITORING: _MONITORING,
}
"""Partners that a danger has by its kind: any flag of the dose speaks of a dose that is wrong, any of an allergy of the allergy."""
_WORD = re.compile(r"[a-z0-9]+")
Stems = frozenset[str]


class FlagMatch:
    """The rule over one set of names.

    Args:
        same_names: groups of names that mean the same.
        names_of: all names of the concept that a whole name stands for; none where it stands for none.
    """

    def __init__(self, same_names: Iterable[Sequence[str]], names_of: Callable[[str], Sequence[str]]) -> None:
        self._same = [(frozenset(map(content_stems, group)), group) for group in same_names]
        self._ways = cache(self._ways_of)
        self._names_of = names_of

    def found(self, flag: Flag, danger: Danger) -> bool:
        """Whether a flag names an annotated danger."""
        partners = (*danger.partner, *KINDS_NAMED.get(danger.what, ()))
        return self.about(flag, danger.medicine, partners)

    def about(self, flag: Flag, medicine: Iterable[str], partner: Iterable[str]) -> bool:
        """Whether a flag names one of the medicines and one of the partners."""
        words = flag_stems(flag)
        partners = self._named(words, partner)
        return any(one.isdisjoint(other) for one in self._named(words, medicine) for other in partners)

    def names(self, flag: Flag, name: str) -> bool:
        """Whether a flag names one thing."""
        return bool(self._named(flag_stems(flag), (name,)))

    def _named(self, words: Stems, names: Iterable[str]) -> list[Stems]:
        return [way for name in names for way in self._ways(name) if way <= words]

    def _ways_of(self, name: str) -> tuple[Stems, ...]:
        own = content_stems(name)
        same = [one for keys, group in self._same if own in keys for one in group]
        every = (content_stems(one) for one in (name, *same, *self._names_of(name)))
        return tuple(dict.fromkeys(way for way in every if way))


def flag_stems(flag: Flag) -> Stems:
    """The stems of all words of a flag: of its message, evidence, medicine and kind."""
    text = " ".join((flag.message, *flag.evidence, getattr(flag, "medicine", ""), flag.kind.replace("_", " ")))
    return frozenset(stem(word) for word in _WORD.findall(text.lower()))
