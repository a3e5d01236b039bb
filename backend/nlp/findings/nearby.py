"""Findings stated by two things near each other: "thrombus" and "popliteal", "appendix" and "12 mm, inflamed".

Takes a text's tokens; gives the stretches with the name of the finding, as assets/rules/nearby_findings.tsv has them. The two stand
in one sentence, within a few words, with no denial or contrast between them. It does not judge whether the stretch is denied or
past: assertions does.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import Tokens, WordTest, word_list, word_set
from backend.nlp.rules import RULES, rule_rows

REACH = 8  # words between the two
BESIDE = 3  # words before and after the two in which what means another thing may stand
_BETWEEN = word_set("no without denies denied not negative neg but however nor ruled")
_STOPS = frozenset(".;\n!?")


class NearbyFinding(NamedTuple):
    """A stretch of a text, from start to end, the name of the finding it tells, how many words tell it, and why."""

    start: int
    end: int
    concept: str
    words: int
    why: str


class _Phrase(NamedTuple):
    parts: tuple[str, ...]

    def fits(self, words: list[str], at: int) -> bool:
        if at + len(self.parts) > len(words):
            return False
        for i, part in enumerate(self.parts):  # noqa: SIM110 - a generator takes twice as long, and most fail at the first
            if not _same(part, words[at + i]):
                return False
        return True


class _Phrases(NamedTuple):
    """Phrases by the first word, in the order of the rules file; those whose first word is not fixed are among all of them."""

    begun: dict[str, tuple[_Phrase, ...]]
    loose: tuple[_Phrase, ...]

    def among(self, words: list[str], first: int, last: int) -> Iterator[tuple[int, _Phrase]]:
        """The phrases that begin among words[first:last], with their places."""
        if not self.loose and self.begun.keys().isdisjoint(words[first:last]):
            return
        for at in range(first, last):
            for phrase in self.begun.get(words[at], self.loose):
                if phrase.fits(words, at):
                    yield at, phrase


class _Rule(NamedTuple):
    concept: str
    near: _Phrases | None
    unless: _Phrases | None


class _Reading(NamedTuple):
    """The words of a text, their places among its tokens, and at each word the number of the sentence."""

    words: list[str]
    places: list[int]
    sentence: list[int]


def nearby_findings(note: ParsedNote) -> list[NearbyFinding]:
    """What two things near each other tell, in order of place; stretches may overlap."""
    openers = note.where(_OPENS)
    if not openers:
        return []
    exact, begun = _rules()
    found = note.tokens
    reading = _read(found)
    findings: dict[tuple[int, int, str], NearbyFinding] = {}
    for i in openers:
        at = bisect_left(reading.places, i)
        word = reading.words[at]
        whole, loose = exact.get(word), begun.get(word[:4])
        for phrase, rule in (*(whole or ()), *(loose or ())):
            if (loose is not None or len(phrase.parts) > 1) and not phrase.fits(reading.words, at):
                continue
            stretch = _stretch(reading, rule, at, at + len(phrase.parts))
            if stretch is not None:
                first, last, words = stretch
                start, end = found.starts[reading.places[first]], found.ends[reading.places[last - 1]]
                why = f"read from {' '.join(reading.words[first:last])!r}"
                findings.setdefault((start, end, rule.concept), NearbyFinding(start, end, rule.concept, words, why))
    return sorted(findings.values())


def _stretch(reading: _Reading, rule: _Rule, first: int, last: int) -> tuple[int, int, int] | None:
    """From which word to which a rule matches, and by how many words; None where it is not."""
    words = reading.words
    here = reading.sentence[first]
    if reading.sentence[last - 1] != here:
        return None
    best: tuple[int, int, int] | None = (first, last, last - first) if rule.near is None else None
    for at, phrase in () if rule.near is None else rule.near.among(words, *_around(reading, first, last, REACH)):
        end = at + len(phrase.parts)
        if (at < last and first < end) or reading.sentence[end - 1] != here:
            continue
        between = words[last:at] if at >= last else words[end:first]
        if _BETWEEN.isdisjoint(between):
            one = (min(first, at), max(last, end), last - first + len(phrase.parts))
            if best is None or one[1] - one[0] < best[1] - best[0]:
                best = one
    if best is None or rule.unless is None:
        return best
    otherwise = rule.unless.among(words, *_around(reading, best[0], best[1], BESIDE))
    return best if next(otherwise, None) is None else None


def _around(reading: _Reading, first: int, last: int, reach: int) -> tuple[int, int]:
    """The words of one sentence from `reach` before the first to `reach` after the last."""
    here = reading.sentence[first]
    return (
        bisect_left(reading.sentence, here, max(0, first - reach), first),
        bisect_right(reading.sentence, here, last - 1, min(len(reading.words), last + reach)),
    )


def _read(found: Tokens) -> _Reading:
    words: list[str] = []
    places: list[int] = []
    sentence: list[int] = []
    here = 0
    for i, (word, is_word) in enumerate(zip(found.words, found.word, strict=True)):
        if is_word:
            after_comma = len(word) == 3 and word.isdigit() and bool(words) and found.words[i - 1] == ","
            if after_comma and words[-1].isdigit() and found.starts[i] == found.ends[i - 1]:
                words[-1] += word  # 1,840
                places[-1] = i
                continue
            words.append(word)
            places.append(i)
            sentence.append(here)
        elif word in _STOPS and not (
            word == "." and i + 1 < len(found.words) and found.starts[i + 1] == found.ends[i] and found.word[i + 1]
        ):
            here += 1
        elif word == "+" and words:
            words.append("+")
            places.append(i)
            sentence.append(here)
    return _Reading(words, places, sentence)


def _same(part: str, word: str) -> bool:
    if part[-1] == "*":
        return word.startswith(part[:-1])
    if part[0] == "#":
        return word.isdigit() and len(word) < 9 and (part == "#" or int(word) >= int(part[1:]))
    return part == word


def _opens(word: str) -> bool:
    exact, begun = _rules()
    return word in exact or word[:4] in begun


_OPENS = WordTest(_opens)
_Index = dict[str, list[tuple[_Phrase, _Rule]]]


@lru_cache(maxsize=1)
def _rules(path: Path = RULES / "nearby_findings.tsv") -> tuple[_Index, _Index]:
    """Rules by their first word, and by the first four letters of one that is only begun. Raises KnowledgeError."""
    exact: _Index = defaultdict(list)
    begun: _Index = defaultdict(list)
    for concept, words, near, unless in rule_rows(path, 4):
        cells = _phrases(words), _phrases(near), _phrases(unless)
        if not all(phrase.parts for cell in cells for phrase in cell):
            raise KnowledgeError(f"{path.name}, '{concept}': a phrase holds no word or number. Take it out.")
        rule = _Rule(concept, _by_first(cells[1]), _by_first(cells[2]))
        for phrase in cells[0]:
            first = phrase.parts[0]
            if first.startswith("#") or (first.endswith("*") and len(first) < 5):
                raise KnowledgeError(
                    f"{path.name}, '{concept}': {first!r} cannot come first; begin with a word of four letters or more."
                )
            if first.endswith("*"):
                begun[first[:4]].append((phrase, rule))
            else:
                exact[first].append((phrase, rule))
    return dict(exact), dict(begun)


def _by_first(phrases: tuple[_Phrase, ...]) -> _Phrases | None:
    """The phrases by their first word; None for none."""
    loose = tuple(phrase for phrase in phrases if phrase.parts[0][0] == "#" or phrase.parts[0][-1] == "*")
    firsts = {phrase.parts[0] for phrase in phrases if phrase not in loose}
    begun = {word: tuple(one for one in phrases if one.parts[0] == word or one in loose) for word in firsts}
    return _Phrases(begun, loose) if phrases else None


def _phrases(cell: str) -> tuple[_Phrase, ...]:
    """The phrases of a cell, and the plain form of its verbs: who asks "does it burn" tells what "it burns" and "burning" tell."""
    told = [one.strip() for one in cell.split("|") if one.strip()]
    plain = [one[:-1] for one in told if one.endswith("s") and one[:-1] not in told and f"{one[:-1]}ing" in told]
    return tuple(_Phrase(tuple(_parts(one))) for one in (*told, *plain))


def _parts(phrase: str) -> Iterator[str]:
    for piece in phrase.split():
        if piece.startswith("#"):
            yield piece
            continue
        mark = "*" if piece.endswith("*") else ""
        pieces = word_list(piece.rstrip("*"))
        yield from pieces[:-1]
        if pieces:
            yield pieces[-1] + mark
        if piece.endswith("+"):
            yield "+"
