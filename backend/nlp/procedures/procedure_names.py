"""Where a note names procedures, tests and devices: by the lexicon's mentions, by head words and endings, and as items of surgical lists.

A name that no lexicon knows is kept with its words. It does not judge whether a thing was done: procedures.py does.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.document.tokens import WordTest
from backend.nlp.rules import RULES, rule_rows, words_by_kind
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Category, SectionCategory

BESIDE = ("procedures/before", "procedures/after")
"""The families of words that stand beside a name and are no part of it."""
FOLDER = RULES / "procedures"
_BEFORE_HEAD, _BEHIND_OF = 5, 5
_LONGEST_ITEM = 14
_ENDING = 7
"""Letters from which a word is long enough for an ending to tell it."""
_CATEGORIES = {Category.PROCEDURE: "procedure", Category.TEST: "test", Category.DEVICE: "device"}


class WordKind(StrEnum):
    """What a word around a name does; words_names.tsv explains each."""

    STOP = "stop"
    SIDE = "side"
    NONE = "none"
    CUT = "cut"
    LEAD = "lead"
    JOIN = "join"
    VERB = "verb"
    OF = "of"


class Head(NamedTuple):
    """The last word of a name. weak: alone it is no name; of: the name goes on behind "of"."""

    kind: str
    weak: bool
    of: bool


class Name(NamedTuple):
    """A named procedure, test or device. concept_id is None where no lexicon knows it; listed: an item of a surgical list."""

    first: int
    last: int
    start_char: int
    end_char: int
    kind: str
    name: str
    concept_id: str | None
    listed: bool
    rule_id: str


def names_of(note: ParsedNote, mentions: Sequence[Mention]) -> list[Name]:
    """The names of a note in order, without overlap; a mention is preferred to a head word, and both to an item of a list."""
    found: list[Name] = []
    for mention in mentions:
        kind = _CATEGORIES.get(mention.category)
        if kind is None or mention.allergen or _is_none(mention):
            continue
        first, last = note.token_range(mention.start_char, mention.end_char)
        if note.sentence_at(mention.start_char) is None:
            continue
        found.append(
            Name(
                first,
                last,
                mention.start_char,
                mention.end_char,
                kind,
                mention.name,
                mention.concept_id,
                False,
                "lexicon",
            )
        )
    taken = bytearray(len(note.words))
    for m in mentions:
        if m.category not in _OPEN:
            first, last = note.token_range(m.start_char, m.end_char)
            taken[first:last] = b"\1" * (last - first)
    occupied = bytearray(taken)
    for family in BESIDE:
        for t in note.triggers[family]:
            occupied[t.first : t.last] = b"\1" * (t.last - t.first)
    found += [one for one in _headed(note, occupied) if not any(taken[one.first : one.last])]
    for one in found:
        taken[one.first : one.last] = b"\1" * (one.last - one.first)
    listed = list(_listed(note, taken))
    spans = [(first, last) for first, last, _ in listed]
    found += [name for _, _, name in listed if name is not None]
    found = [one if not _inside(one, spans) else one._replace(listed=True) for one in found]
    return sorted(found, key=lambda one: one.first)


def side_of(note: ParsedNote, one: Name) -> str:
    """The body side beside a name: within it, in the words before it, or right behind it."""
    sides = _sides()
    words = note.words
    for i in range(one.last - 1, max(-1, one.first - 4), -1):
        if words[i] in (",", ".", ";", "\n") and i < one.first:
            break
        if words[i] in sides and not words[i - 1][:1].isdigit():  # "2 L" is an amount
            return sides[words[i]]
    for i in range(one.last, min(len(words), one.last + 6)):
        if words[i] in (",", ".", ";", "\n", "and"):
            break
        if words[i] in sides and not words[i - 1][:1].isdigit():  # "2 L" is an amount
            return sides[words[i]]
    return ""


def _headed(note: ParsedNote, taken: bytearray) -> Iterator[Name]:
    """Names by their head words and endings, outside the mentions."""
    words, kinds = note.words, _words()
    stops, verbs = kinds[WordKind.STOP], kinds[WordKind.VERB]
    done = 0
    for i in note.where(_HEADS):
        head, at = _head(words[i]), None if taken[i] else note.sentence_at(note.tokens.starts[i])
        if head is None or at is None:
            continue
        sentence = note.sentences[at]
        begin, last = i, i + 1
        while begin > max(done, sentence.first, i - _BEFORE_HEAD):
            before = words[begin - 1]
            joined = before in {"-", "/"}
            if not joined and (
                not note.tokens.word[begin - 1] or before in stops or before in verbs or taken[begin - 1]
            ):
                break
            begin -= 1
        while begin < i and not note.tokens.word[begin]:
            begin += 1
        while begin < i and words[begin].isdigit():
            begin += 1
        if head.of and last < sentence.last and words[last] == "of":
            last = _behind(note, last + 1, sentence)
        if head.weak and last - begin == 1:
            continue
        # two heads of one name ("skin graft closure"): the later one has it whole
        yield _name(note, begin, last, head.kind, "procedures/words_heads", listed=False)
        done = last


@lru_cache(maxsize=50_000)
def _head(word: str) -> Head | None:
    """What a word is as the last of a name: as listed, or by its ending."""
    head = _heads().get(word)
    if head is None and len(word) >= _ENDING:
        kind = next((kind for ending, kind in _endings().items() if word.endswith(ending)), "")
        head = Head(kind, False, False) if kind else None
    return head


_HEADS = WordTest(_head)


def _behind(note: ParsedNote, i: int, sentence: Sentence) -> int:
    kinds = _words()
    stops = kinds[WordKind.STOP] - kinds[WordKind.OF]
    stop = i
    while stop < min(sentence.last, i + _BEHIND_OF) and note.tokens.word[stop] and note.words[stop] not in stops:
        if note.words[stop] in kinds[WordKind.VERB]:
            break
        stop += 1
    return stop if stop > i else i - 1


def _listed(note: ParsedNote, taken: bytearray) -> Iterator[tuple[int, int, Name | None]]:
    """The items of surgical lists: the tokens of the list, and the name of an item that nothing else has found."""
    list_ends = {t.last: t for t in note.triggers["procedures/list"]}
    for sentence in note.sentences:
        section = note.sections[sentence.section].category
        begin = sentence.first
        if section is not SectionCategory.PAST_SURGICAL_HISTORY:
            inside = [last for last in list_ends if sentence.first < last < sentence.last]
            if not inside:
                continue
            begin = inside[0]
        yield begin, sentence.last, None
        for first, last in _items(note, begin, sentence.last, taken):
            name = _item(note, first, last, taken)
            if name is not None:
                yield first, last, name


def _items(note: ParsedNote, begin: int, end: int, taken: bytearray) -> Iterator[tuple[int, int]]:
    first, joins = begin, _words()[WordKind.JOIN]
    for i in range(begin, end):
        word = note.words[i]
        if (word in _MARKS or word in joins) and not (taken[i] and word in joins):
            if first < i:
                yield first, i
            first = i + 1
    if first < end:
        yield first, end


def _item(note: ParsedNote, first: int, last: int, taken: bytearray) -> Name | None:
    words, kinds = note.words, _words()
    while first < last and words[first] in kinds[WordKind.LEAD]:
        first += 1
    if first >= last or words[first] in kinds[WordKind.NONE] or last - first > _LONGEST_ITEM:
        return None
    if any(taken[first:last]) or not kinds[WordKind.VERB].isdisjoint(words[first:last]):
        return None
    stop = first + 1
    while stop < last and words[stop] not in kinds[WordKind.CUT] and not words[stop][:1].isdigit():
        stop += 1
    while stop > first and not note.tokens.word[stop - 1]:
        stop -= 1
    if stop <= first or not any(len(word) > 2 and word.isalpha() for word in words[first:stop]):
        return None
    if all(word in kinds[WordKind.SIDE] for word in words[first:stop]):
        return None
    return _name(note, first, stop, "procedure", "procedures/list", listed=True)


def _name(note: ParsedNote, first: int, last: int, kind: str, rule_id: str, *, listed: bool) -> Name:
    start, end = note.tokens.starts[first], note.tokens.ends[last - 1]
    return Name(first, last, start, end, kind, " ".join(note.text[start:end].split()), None, listed, rule_id)


def _inside(one: Name, spans: Sequence[tuple[int, int]]) -> bool:
    at = bisect_left(spans, (one.first + 1, 0)) - 1
    return any(first <= one.first < last for first, last in spans[max(0, at - 1) : at + 1])


def _is_none(mention: Mention) -> bool:
    names, lasts = _not_procedures()
    name = mention.name.lower()
    return name in names or name.rpartition(" ")[2] in lasts or mention.text.lower().rpartition(" ")[2] in lasts


@lru_cache(maxsize=1)
def _heads() -> dict[str, Head]:
    rows = rule_rows(FOLDER / "words_heads.tsv", 3)
    return {word: Head(kind, "weak" in flags, "of" in flags.split()) for word, kind, flags in rows}


@lru_cache(maxsize=1)
def _endings() -> dict[str, str]:
    return {row[0]: row[1] for row in rule_rows(FOLDER / "words_endings.tsv", 2)}


@lru_cache(maxsize=1)
def _not_procedures() -> tuple[frozenset[str], frozenset[str]]:
    rows = rule_rows(FOLDER / "words_not_procedures.tsv", 2)
    return frozenset(text for text, kind in rows if kind == "name"), frozenset(
        text for text, kind in rows if kind == "word"
    )


@lru_cache(maxsize=1)
def _sides() -> dict[str, str]:
    return {row[0]: row[1] for row in rule_rows(FOLDER / "words_sides.tsv", 2)}


@lru_cache(maxsize=1)
def _words() -> dict[WordKind, frozenset[str]]:
    return words_by_kind(FOLDER / "words_names.tsv", WordKind)


_MARKS = frozenset(",;.&\n")
_OPEN = frozenset(
    (
        Category.ANATOMY,
        Category.PHYSIOLOGY,
        Category.CONCEPT,
        Category.PERSON,
        Category.ORGANIZATION,
        Category.SYMPTOM,
        Category.DISEASE,
        Category.FINDING,
        Category.ACTIVITY,
        Category.PHENOMENON,
        Category.SUBSTANCE,
    )
)
