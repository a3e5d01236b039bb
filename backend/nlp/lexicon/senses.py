"""What a word or a short form means here: "PE" among leg swelling and d-dimer is no physical exam, "the fall of 2009" no fall.

Takes the tokens of a text, the section at each place and a function that knows the names; gives matches for the forms of
assets/rules/lexicon, and the spans where a form was decided, with or without a concept. Capitals, section, neighbouring words
and the rest of the note decide; a sense the vocabulary does not hold still competes, so that "MS" for multiple sclerosis never
becomes mitral stenosis for want of the other. Where nothing decides, a form is left open and names nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.document.tokens import Tokens, tokens
from backend.nlp.lexicon.matches import Candidate, Match
from backend.nlp.lexicon.variants import english_words
from backend.nlp.rules import RULES, rule_names, rule_rows
from backend.schemas.vocabulary import SectionCategory

SIGN = 0.3
"""What each sign of the context adds to a reading's weight."""
CERTAIN = 0.98
_AROUND = 8
_LEAD = 0.15
"""What a sense must be ahead of another where nothing in the text speaks for it."""
_LEAST = 0.25
"""A weight below which a sense is read only where something speaks for it."""
_AS_NAMED, _NOTHING = "=", "-"
_COLUMNS = ("form", "sense", "case", "weight", "sections", "near", "not_near", "note", "yes", "no")
_SENTENCE = 30
_ENDS = frozenset(".;\n!?")

Known = Callable[[str], Candidate | None]


class Reading(NamedTuple):
    """One sense of a form, and what speaks for and against it. sense is as the rules file has it."""

    form: tuple[str, ...]
    written: str
    reads_as: tuple[tuple[str, ...], ...]
    upper: bool
    weight: float
    likely: frozenset[SectionCategory]
    impossible: frozenset[SectionCategory]
    near: tuple[str, ...] = ()
    not_near: tuple[str, ...] = ()
    note: frozenset[str] = frozenset()
    sense: str = ""
    yes: str = ""
    no: str = ""
    plain: bool = False
    """Whether nothing beside it counts."""


class Decision(NamedTuple):
    """What was decided of a form at a place; reading is None where it was left open or every sense is ruled out."""

    start: int
    end: int
    reading: Reading | None


class Found(NamedTuple):
    """Matches of forms that name a concept, and all spans where a form was decided, whichever way."""

    matches: list[Match]
    decided: list[tuple[int, int]]


def read_forms(
    text: str, found: Tokens, section_at: Callable[[int], SectionCategory], known: Known, shouted: Callable[[int], bool]
) -> Found:
    """Decide every form in a text. shouted says whether a place lies in a line of capitals, where they tell nothing."""
    matches: list[Match] = []
    decided: list[tuple[int, int]] = []
    for first, last, score, reading in _decisions(found, text, section_at, shouted):
        if reading is not None and reading.sense == _AS_NAMED:
            continue
        decided.append((found.starts[first], found.ends[last]))
        if reading is not None:
            said = text[found.starts[first] : found.ends[last]]
            matches += _named(found, first, last, said, min(score, CERTAIN), reading, known)
    return Found(matches, decided)


def decisions(
    text: str, found: Tokens, section_at: Callable[[int], SectionCategory], shouted: Callable[[int], bool]
) -> list[Decision]:
    """The forms of a text with the sense of each, in order."""
    return [
        Decision(found.starts[first], found.ends[last], reading)
        for first, last, _, reading in _decisions(found, text, section_at, shouted)
    ]


def _decisions(
    found: Tokens, text: str, section_at: Callable[[int], SectionCategory], shouted: Callable[[int], bool]
) -> Iterator[tuple[int, int, float, Reading | None]]:
    rules = readings()
    words = found.words
    everywhere: frozenset[str] | None = None
    done = 0
    for i in [i for i, word in enumerate(words) if word in rules]:
        form = _form_at(found, i, rules) if i >= done else 0
        if not form:
            continue
        last = i + form - 1
        start, end = found.starts[i], found.ends[last]
        said = text[start:end]
        senses = rules[words[i]][tuple(words[i : last + 1])]
        if len(senses) == 1 and senses[0].plain:  # one sense whatever stands beside it
            if _written(senses[0], said) and not (
                senses[0].upper and shouted(start) and said.lower() in english_words()
            ):
                done = last + 1
                yield i, last, senses[0].weight, senses[0]
            continue
        if everywhere is None and any(reading.note for reading in senses):
            everywhere = frozenset(words)
        context = _Context(words, i, last + 1, section_at(start), everywhere or frozenset())
        scored = [
            (score, reading)
            for reading in senses
            if (score := context.score(reading, said, shouted(start))) is not None
        ]
        if not scored and not any(_written(reading, said) for reading in senses):
            continue
        done = last + 1
        if not scored:
            yield i, last, 0.0, None  # it could be meant, and the words around forbid every meaning
            continue
        scored.sort(key=lambda item: -item[0])
        score, best = scored[0]
        undecided = score == best.weight and any(
            score - other < _LEAD and reading.reads_as and reading.reads_as != best.reads_as
            for other, reading in scored[1:]
        )
        undecided = undecided or (score == best.weight and score < _LEAST)
        yield i, last, score, None if undecided and best.reads_as else best


Rules = dict[str, dict[tuple[str, ...], list[Reading]]]


@lru_cache(maxsize=1)
def readings(folder: Path = RULES / "lexicon") -> Rules:
    """The senses by a form's first word, then by the form. Raises KnowledgeError naming a bad line."""
    rules: Rules = {}
    for name in rule_names(folder / "no_names.txt"):
        _add(
            rules,
            _reading(
                {"form": name.lower(), "sense": _NOTHING, "case": "upper" if name.isupper() else "any", "weight": "0.9"}
            ),
        )
    for row in rule_rows(folder / "short_forms.tsv", 4):
        _add(rules, _checked(folder / "short_forms.tsv", dict(zip(_COLUMNS, row, strict=False))))
    for row in rule_rows(folder / "senses.tsv", len(_COLUMNS)):
        cells = dict(zip(_COLUMNS, row, strict=True))
        if not (cells["yes"].strip() and cells["no"].strip()):
            raise KnowledgeError(
                f"senses.tsv, '{row[0]}' as '{row[1]}' lacks a yes or a no example. Give a text for each."
            )
        _add(rules, _checked(folder / "senses.tsv", cells))
    return rules


def _checked(path: Path, cells: Mapping[str, str]) -> Reading:
    try:
        return _reading(cells)
    except ValueError as error:
        raise KnowledgeError(
            f"{path.name}, '{cells['form']}': {error}. The file's head explains its columns."
        ) from error


def _add(rules: Rules, reading: Reading) -> None:
    rules.setdefault(reading.form[0], {}).setdefault(reading.form, []).append(reading)
    if reading.upper and len(reading.form) == 1 and reading.written.isalpha():
        several = (f"{reading.form[0]}s",)
        rules.setdefault(several[0], {}).setdefault(several, []).append(reading)


def _reading(cells: Mapping[str, str]) -> Reading:
    written, sense, case = cells["form"], cells["sense"], cells["case"]
    if case not in ("upper", "any"):
        raise ValueError(f"case {case!r} is neither upper nor any")
    sections = [name for name in cells.get("sections", "").split("|") if name]

    def signs(column: str) -> tuple[str, ...]:
        return tuple(sign for sign in cells.get(column, "").split("|") if sign.strip())

    return Reading(
        form=tuple(tokens(written).words),
        written=written,
        reads_as=() if sense in (_NOTHING, _AS_NAMED) else tuple(tuple(part.split("|")) for part in sense.split("+")),
        upper=case == "upper",
        weight=float(cells["weight"]),
        likely=frozenset(SectionCategory(name) for name in sections if name[0] != "!"),
        impossible=frozenset(SectionCategory(name[1:]) for name in sections if name[0] == "!"),
        near=signs("near"),
        not_near=signs("not_near"),
        note=frozenset(signs("note")),
        sense=sense,
        yes=cells.get("yes", ""),
        no=cells.get("no", ""),
        plain=not any(cells.get(column, "").strip() for column in ("sections", "near", "not_near", "note"))
        and float(cells["weight"]) >= _LEAST,
    )


def _form_at(found: Tokens, i: int, rules: Rules) -> int:
    """The tokens of the longest form at a place; 0 for none. Marks within a form stand there without a blank."""
    longest, words = 0, found.words
    for form in rules[words[i]]:
        last = i + len(form)
        if len(form) > longest and tuple(words[i:last]) == form:
            marked = any(not found.word[j] for j in range(i, last))
            if not marked or all(found.starts[j] == found.ends[j - 1] for j in range(i + 1, last)):
                longest = len(form)
    return longest


class _Context:
    """The words around a form and the section it stands in."""

    def __init__(
        self, words: Sequence[str], first: int, last: int, section: SectionCategory, everywhere: frozenset[str]
    ) -> None:
        self._everywhere = everywhere
        self._words, self._first, self._last = words, first, last
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
        score = (
            reading.weight
            + SIGN * (self._section in reading.likely)
            + SIGN * (not reading.note.isdisjoint(self._everywhere))
        )
        return score + SIGN * min(2, sum(self._has(sign) for sign in reading.near))

    def _has(self, sign: str) -> bool:
        if sign == ">#":
            return self._next[:1].isdigit()
        if sign == "<#":
            return self._previous[:1].isdigit()
        if sign[0] == "~":
            return sign[1:] in self._sentence()
        if sign == ">of #":
            return self._after.startswith("of ") and self._after[3:4].isdigit()
        if sign[0] == ">":
            return self._after.startswith(sign[1:] + " ")
        if sign[0] == "<":
            return self._before.endswith(" " + sign[1:])
        return f" {sign} " in self._all

    def _sentence(self) -> Sequence[str]:
        words, first, last = self._words, self._first, self._last
        while first > max(0, self._first - _SENTENCE) and words[first - 1] not in _ENDS:
            first -= 1
        while last < min(len(words), self._last + _SENTENCE) and words[last] not in _ENDS:
            last += 1
        return words[first:last]


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
    elif reading.reads_as and (part := tuple(reading.reads_as[0][0].split())) and part == reading.form[-len(part) :]:
        places = [(last - len(part) + 1, last)]  # "this morning headache": the headache alone
    matches = []
    for (a, b), names in zip(places, reading.reads_as, strict=False):
        candidate = next((c for c in map(known, names) if c is not None), None)
        if candidate is not None:
            why = f"'{said}' read as '{names[0]}' here"
            matches.append(
                Match(found.starts[a], found.ends[b], 1, (candidate._replace(score=round(score, 2), why=why),))
            )
    return matches


def turned_round(text: str, start: int) -> bool:
    """Whether "non-" right before a name makes it its opposite: "non-diabetic", "non-bloody diarrhea" (which is a diarrhea)."""
    before = text[max(start - 5, 0) : start].lower()
    return before.endswith(("non-", "non ")) and not before[:-4].isalnum()
