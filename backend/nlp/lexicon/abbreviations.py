"""What a short form means here: "PE" among leg swelling and d-dimer is no physical exam.

Takes the tokens of a text, the section at each place and a function that knows the names; gives matches for the forms
of assets/rules/abbreviations.tsv, and the spans where a form was decided, with or without a concept. Capitals, section
and neighbouring words decide; a reading the vocabulary does not hold still competes, so that "MS" for multiple
sclerosis never becomes mitral stenosis for want of the other. It does not know the graph: linker does.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.document.tokens import Tokens, tokens
from backend.nlp.lexicon.matches import Candidate, Match
from backend.nlp.lexicon.variants import RULES, english_words
from backend.schemas.vocabulary import SectionCategory

SIGN = 0.3
"""What each sign of the context adds to a reading's weight."""
CERTAIN = 0.98
_AROUND = 8

Known = Callable[[str], Candidate | None]


class Reading(NamedTuple):
    """One line of the rules file: one meaning of a form and what speaks for and against it."""

    form: tuple[str, ...]
    written: str
    reads_as: tuple[tuple[str, ...], ...]
    upper: bool
    weight: float
    likely: frozenset[SectionCategory]
    impossible: frozenset[SectionCategory]
    near: tuple[str, ...]
    not_near: tuple[str, ...]


class Found(NamedTuple):
    """Matches of forms that name a concept, and all spans where a form was decided, whichever way."""

    matches: list[Match]
    decided: list[tuple[int, int]]


def read_forms(
    text: str, found: Tokens, section_at: Callable[[int], SectionCategory], known: Known, shouted: Callable[[int], bool]
) -> Found:
    """Decide every form in a text. shouted says whether a place lies in a line of capitals, where they tell nothing."""
    rules = readings()
    matches: list[Match] = []
    decided: list[tuple[int, int]] = []
    words = found.words
    done = 0
    for i in [i for i, word in enumerate(words) if word in rules]:
        form = _form_at(found, i, rules) if i >= done else None
        if form is None:
            continue
        last = i + len(form) - 1
        start, end = found.starts[i], found.ends[last]
        said = text[start:end]
        context = _Context(words, i, last + 1, section_at(start))
        scored = [
            (score, reading)
            for reading in rules[form[0]][form]
            if (score := context.score(reading, said, shouted(start))) is not None
        ]
        if not scored and any(_written(reading, said) for reading in rules[form[0]][form]):
            decided.append((start, end))  # it could be meant, and the words around forbid every meaning
        elif scored:
            score, reading = max(scored, key=lambda item: item[0])
            decided.append((start, end))
            matches += _named(found, i, last, said, min(score, CERTAIN), reading, known)
        done = last + 1
    return Found(matches, decided)


@lru_cache(maxsize=1)
def readings(path: Path = RULES / "abbreviations.tsv") -> dict[str, dict[tuple[str, ...], list[Reading]]]:
    """The rules by a form's first word, then by the form. Raises KnowledgeError naming a bad line."""
    rules: dict[str, dict[tuple[str, ...], list[Reading]]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith(("#", "form\t")):
            continue
        try:
            reading = _reading(line.split("\t"))
        except ValueError as error:
            raise KnowledgeError(f"{path.name}:{number}: {error}. The file's head explains its columns.") from error
        rules.setdefault(reading.form[0], {}).setdefault(reading.form, []).append(reading)
        if reading.upper and len(reading.form) == 1 and reading.written.isalpha():
            rules.setdefault(f"{reading.form[0]}s", {}).setdefault((f"{reading.form[0]}s",), []).append(reading)
    return rules


def _reading(cells: list[str]) -> Reading:
    if not 4 <= len(cells) <= 7:
        raise ValueError(f"{len(cells)} cells, not 4 to 7")
    written, reads_as, case, weight, sections, near, not_near = cells + [""] * (7 - len(cells))
    if case not in ("upper", "any"):
        raise ValueError(f"case {case!r} is neither upper nor any")
    named = [SectionCategory(name.removeprefix("!")) for name in filter(None, sections.split("|"))]
    signs = [name.startswith("!") for name in filter(None, sections.split("|"))]
    return Reading(
        tuple(tokens(written).words),
        written,
        () if reads_as == "-" else tuple(tuple(part.split("|")) for part in reads_as.split("+")),
        case == "upper",
        float(weight),
        frozenset(name for name, sign in zip(named, signs, strict=True) if not sign),
        frozenset(name for name, sign in zip(named, signs, strict=True) if sign),
        tuple(filter(None, near.split("|"))),
        tuple(filter(None, not_near.split("|"))),
    )


def _form_at(found: Tokens, i: int, rules: dict[str, dict[tuple[str, ...], list[Reading]]]) -> tuple[str, ...] | None:
    best = None
    for form in rules[found.words[i]]:
        last = i + len(form)
        if best is not None and len(form) <= len(best):
            continue
        glued = all(found.starts[j] == found.ends[j - 1] for j in range(i + 1, min(last, len(found.words))))
        if glued and tuple(found.words[i:last]) == form:
            best = form
    return best


class _Context:
    """The words around a form and the section it stands in."""

    def __init__(self, words: Sequence[str], first: int, last: int, section: SectionCategory) -> None:
        before, after = words[max(0, first - _AROUND) : first], words[last : last + _AROUND]
        self._section = section
        self._before = " " + " ".join(before)
        self._after = " ".join(after) + " "
        self._next = words[last] if last < len(words) else ""
        self._previous = words[first - 1] if first else ""
        self._all = f"{self._before} | {self._after}"

    def score(self, reading: Reading, said: str, shouted: bool) -> float | None:
        """The reading's weight with what the context adds, or None where it cannot be meant."""
        if not _written(reading, said):
            return None
        if reading.upper and shouted and said.lower() in english_words():
            return None
        if self._section in reading.impossible or any(self._has(sign) for sign in reading.not_near):
            return None
        score = reading.weight + SIGN * (self._section in reading.likely)
        return score + SIGN * min(2, sum(self._has(sign) for sign in reading.near))

    def _has(self, sign: str) -> bool:
        if sign == ">#":
            return self._next[:1].isdigit()
        if sign == "<#":
            return self._previous[:1].isdigit()
        if sign[0] == ">":
            return self._after.startswith(sign[1:] + " ")
        if sign[0] == "<":
            return self._before.endswith(" " + sign[1:])
        return f" {sign} " in self._all


def _written(reading: Reading, said: str) -> bool:
    """Whether a form is in capitals where it must be; more than one of it has a small s ("PEs")."""
    if said.lower() == f"{reading.written.lower()}s":
        return said[-1] == "s" and said[:-1].isupper()
    return not reading.upper or said.isupper()


def _named(
    found: Tokens, first: int, last: int, said: str, score: float, reading: Reading, known: Known
) -> list[Match]:
    """One match for each concept of a reading; the parts of "N/V" each have their own letter."""
    places = [(first, last)]
    if len(reading.reads_as) > 1:
        letters = [i for i in range(first, last + 1) if found.word[i]]
        places = [(i, i) for i in letters]
    matches = []
    for (a, b), names in zip(places, reading.reads_as, strict=False):
        candidate = next((c for c in map(known, names) if c is not None), None)
        if candidate is not None:
            why = f"'{said}' read as '{names[0]}' here"
            matches.append(
                Match(found.starts[a], found.ends[b], 1, (candidate._replace(score=round(score, 2), why=why),))
            )
    return matches
