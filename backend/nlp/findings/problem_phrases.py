"""Phrases that name a problem by their last word: "non-healing wound of the left thigh", "poor appetite", "nasal obstruction".

Takes a parsed note; gives stretches of tokens. A noun that names a problem (assets/rules/findings/words_phrases.tsv) takes the
words before it that no phrase forbids, and the place after it. It knows no concepts and does not judge what is denied.
"""

from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.document.tokens import WordTest
from backend.nlp.lexicon.variants import english_words, stem
from backend.nlp.rules.word_lists import word_lists

_MOST_BEFORE = 4
_MOST_AFTER = 5
_ROOT = 3
"""Letters that stand at least before an ending."""
_BE = frozenset(("is", "was", "are", "were", "been", "remains", "seems", "appears"))
_STILL = frozenset(("still", "also", "very", "quite", "somewhat", "a", "bit", "often", "always", "more"))
_DETERMINERS = frozenset(("the", "his", "her", "my", "their", "a", "an", "both", "this"))
_AND = frozenset((",", "or", "and", "/"))
_BREAKS = _AND | {"with", "for", "by", "of"}


class Phrase(NamedTuple):
    """A stretch of tokens, last left out, that names a problem; shared is a word that it takes from a later phrase.

    looks: the word that says how a part of the body is found, where the phrase is a sentence: "the nose is often dry".
    """

    first: int
    last: int
    shared: str = ""
    looks: str = ""

    def name(self, note: ParsedNote) -> str:
        """The words as one name, in lower case but for capitals within words."""
        if self.looks:
            return f"{self.looks} {note.words[self.first]}"
        said = " ".join(note.written(self.first, self.last).split())
        said = said if said[1:2].isupper() else said[:1].lower() + said[1:]
        said = said.lower() if said.isupper() and " " in said else said
        return f"{said} {self.shared}" if self.shared else said


class Lists(NamedTuple):
    """The word lists of the rules file, heads and parts as stems."""

    head: frozenset[str]
    weak: frozenset[str]
    part: frozenset[str]
    poor: frozenset[str]
    stop: frozenset[str]
    edge: frozenset[str]
    unlike: frozenset[str]
    body: frozenset[str]
    relation: frozenset[str]
    organ: frozenset[str]
    vague: frozenset[str]
    sound: frozenset[str]
    unit: frozenset[str]
    looks: frozenset[str]


@lru_cache(maxsize=1)
def lists() -> Lists:
    """The lists, read once. Raises KnowledgeError where the file is missing or broken."""
    rows = word_lists("findings/words_phrases")

    def stems(name: str) -> frozenset[str]:
        return frozenset(map(stem, rows[name]))

    return Lists(
        stems("head"), stems("weak"), stems("part") | stems("amount"), rows["poor"], rows["stop"], rows["edge"],
        stems("unlike"), stems("body"), rows["relation"], rows["organ"], rows["vague"], rows["sound"], rows["unit"],
        rows["looks"],
    )  # fmt: skip


def headed_phrases(note: ParsedNote, taken: bytearray) -> list[Phrase]:
    """The phrases of a note by their last word, in order, without overlap.

    Args:
        note: the parsed note.
        taken: one a token; what is not 0 is named already and is left out.
    """
    found: list[Phrase] = []
    done = 0
    for i in note.where(_KINDS):
        at = note.sentence_at(note.tokens.starts[i]) if i >= done and not taken[i] and note.tokens.word[i] else None
        if at is None:
            continue
        phrase = _phrase(note, note.sentences[at], i, word_kind(note.words[i]), taken, done)
        if phrase is not None:
            found.append(phrase)
            done = phrase.last
    return found


@lru_cache(maxsize=50_000)
def word_kind(word: str) -> str:
    """What a word is for a phrase: head, weak, part or place; empty for none."""
    words, root = lists(), stem(word)
    if word in words.unit:
        return ""  # "191 pounds" is no heart that pounds
    if root in words.head:
        return "head"
    if root in words.weak:
        return "weak"
    if root in words.part:
        return "part"
    if root in words.body:
        return "place"
    return "head" if by_ending(word) else ""


@lru_cache(maxsize=1)
def _endings() -> tuple[str, ...]:
    return tuple(word_lists("findings/words_endings")["ending"])


_KINDS = WordTest(word_kind)
_ORGANS = WordTest(lambda word: word in lists().organ)


@lru_cache(maxsize=50_000)
def by_ending(word: str) -> bool:
    """Whether a word that is no ordinary English one ends as names of diseases do."""
    endings = word_lists("findings/words_endings")
    if not word.endswith(_endings()) or word in english_words() or word in endings["unlike"] or not word.isalpha():
        return False
    return any(word.endswith(e) and len(word) >= len(e) + _ROOT for e in endings["ending"])


def _phrase(note: ParsedNote, sentence: Sentence, i: int, kind: str, taken: bytearray, floor: int) -> Phrase | None:
    words, said = lists(), note.words
    last = i + 1
    if kind == "place":
        return _looking(note, sentence, i, taken)
    if last < sentence.last and not taken[last] and note.tokens.word[last] and stem(said[last]) in words.unlike:
        return None  # "pain clinic", "wound care"
    first = i
    while first > max(sentence.first, floor) and i - first < 2 * _MOST_BEFORE:
        before = first - 1
        if kind != "head" and said[before] in words.sound:
            return None
        if taken[before] or said[before] in words.stop or stem(said[before]) in words.unlike:
            break
        if not note.tokens.word[before] and said[before] != "-":
            break
        if (
            said[before] == "s"
            or said[before][0].isdigit()
            or said[before] in words.relation
            or said[before] in _BREAKS
        ):
            break
        first = before
    first = min(trimmed(note, first, last, words)[0], i)
    if kind != "head" and _works(note, sentence, last, words):
        return None
    if kind == "part":
        poor = any(said[j] in words.poor for j in range(first, i))
        shared = i > sentence.first and said[i - 1] == "and"  # "poor judgment and insight"
        if poor or (shared and any(said[j] in words.poor for j in range(max(sentence.first, i - 4), i))):
            return Phrase(first, last)
        after = i + 1
        if after < sentence.last and said[after] in _BE:
            for j in range(after + 1, min(after + 4, sentence.last)):
                if said[j] in words.poor:
                    return Phrase(i, j + 1)
                if said[j] not in words.edge and not said[j].endswith("ly"):
                    break
        return None
    place = _place(note, sentence, last, taken, words)
    modifiers = {said[j] for j in range(first, i) if note.tokens.word[j]} - words.vague
    if kind == "weak" and not modifiers and place == last:
        return None
    return Phrase(first, place)


def _looking(note: ParsedNote, sentence: Sentence, i: int, taken: bytearray) -> Phrase | None:
    """A part of the body and how it is found: "nose is frequently dry", "right shoulder stiff"; None for none."""
    words, said = lists(), note.words
    j = i + 1
    be = j < sentence.last and said[j] in _BE
    while (
        be
        and j < min(i + _MOST_AFTER, sentence.last)
        and (said[j] in _BE or said[j] in _STILL or said[j].endswith("ly"))
    ):
        j += 1
    if j >= sentence.last or said[j] not in words.looks or taken[j]:
        return None
    ends = j + 1 >= sentence.last or not note.tokens.word[j + 1]
    return Phrase(i, j + 1, looks=said[j]) if be or ends else None


def _works(note: ParsedNote, sentence: Sentence, last: int, words: Lists) -> bool:
    """Whether it is said to be well: "sensation and strength are intact"."""
    after = note.words[last : min(last + _MOST_AFTER, sentence.last)]
    return any(one in _BE and not words.sound.isdisjoint(after[i + 1 : i + 3]) for i, one in enumerate(after))


def _place(note: ParsedNote, sentence: Sentence, last: int, taken: bytearray, words: Lists) -> int:
    """Where a phrase ends with the place that follows it: "wound of the left thigh"; `last` where none does."""
    said = note.words
    if last >= sentence.last or said[last] not in words.relation:
        return last
    end = last
    for j in range(last + 1, min(last + 2 + _MOST_AFTER, sentence.last)):
        if taken[j] == _NAMED or (said[j] in words.stop and said[j] not in _DETERMINERS):
            break
        if not note.tokens.word[j] and said[j] != "-":
            break
        if said[j] not in words.edge and stem(said[j]) in words.body:
            end = j + 1
        elif said[j] in words.relation and end < j:
            break
    return end


_NAMED = 1


def sharing_phrases(note: ParsedNote, taken: bytearray) -> list[Phrase]:
    """Names of organs that share the last word of a later one: "cardiac" and "renal" of "cardiac, renal or liver disease"."""
    words, said = lists(), note.words
    found: list[Phrase] = []
    for organ in note.where(_ORGANS):
        at, i = note.sentence_at(note.tokens.starts[organ]), organ + 1
        if at is None or i >= note.sentences[at].last:
            continue
        first = note.sentences[at].first
        if organ == first or said[organ - 1] not in _AND or word_kind(said[i]) not in ("weak", "head"):
            continue
        while organ > first and said[organ - 1] in _AND:
            before = organ - 1
            while before > first and said[before] in _AND:
                before -= 1
            if said[before] not in words.organ or taken[before] == _NAMED:
                break
            found.append(Phrase(before, before + 1, said[i]))
            organ = before
    return found


def trimmed(note: ParsedNote, first: int, last: int, words: Lists) -> tuple[int, int]:
    """A stretch without the words and marks that a phrase neither begins nor ends with."""
    said, is_word = note.words, note.tokens.word

    def loose(i: int) -> bool:
        return not is_word[i] or said[i] in words.edge or said[i] in words.relation

    while first < last and (loose(first) or said[first].endswith("ly")):
        first += 1
    while first < last and loose(last - 1):
        last -= 1
    return first, last
