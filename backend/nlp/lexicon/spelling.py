"""Read a misspelt word as the one word of the names that it can be.

Takes the words of the names; gives, for an unknown word, the known one an edit or two away, or nothing. It follows
SymSpell: words are filed under their first letters with a letter or two left out, so that a look-up never scans them;
rapidfuzz only measures what the look-up returns. Two words equally near give nothing, and a medicine asks for more
certainty than a symptom: no medicine is better than the wrong one. It does not know the rest of the note.
"""

import re
from collections.abc import Iterable
from itertools import combinations

import numpy as np
import numpy.typing as npt

from backend.nlp.document.tokens import word_set
from backend.nlp.lexicon.clipped_names import whole_names
from backend.nlp.lexicon.variants import english_words, stem

MIN_LENGTH = 6
FAR_LENGTH = 9
"""From this many letters on, a word may be two edits away; a shorter one, a single edit."""
DRUG_LENGTH = 7
MANY_WORDS = 60_000
"""Above this many known words they are filed with one letter left out, not two: five times less memory, and fewer
readings of words that are two edits away."""
REMEMBERED = 10_000
"""Unknown words whose reading is kept, so that a text that repeats itself costs nothing more."""
_PREFIX = 8


class Spelling:
    """Known words, and which of them belong to medicines."""

    def __init__(self, words: Iterable[str], drug_words: Iterable[str]) -> None:
        usable = (word for word in words if len(word) >= MIN_LENGTH - 1 and word.isascii() and word.isalpha())
        self._words = sorted(set(usable))
        self._known = frozenset(self._words)
        self._drugs = frozenset(drug_words)
        self._codes, self._rows = _filed(self._words)
        self._remembered: dict[str, str | None] = {}

    def correct(self, word: str) -> str | None:
        """The known word that a normal, unknown word stands for, or None when none or more than one could be meant."""
        if not (MIN_LENGTH <= len(word) <= 30 and word.isascii() and word.isalpha()):
            return None
        if word in self._known or word in english_words() or not self._words:
            return None
        if word not in self._remembered:
            if len(self._remembered) >= REMEMBERED:
                self._remembered = {}
            self._remembered[word] = self._nearest(word)
        return self._remembered[word]

    def correct_topic(self, word: str) -> str | None:
        """As correct, for the topic of a question, which nobody is treated by.

        A word that lacks but its last letter is the one that has it, whatever else is near: "diabete". Of at least MIN_LENGTH letters,
        the first one may be left out: "neumonia".
        """
        if not (MIN_LENGTH - 1 <= len(word) <= 30 and word.isascii() and word.isalpha()) or word in self._known:
            return None
        near = [self._words[row] for row in self._near(word, 1)]
        for longer in (
            [known for known in near if known[:-1] == word],
            [known for known in near if known[1:] == word and len(word) >= MIN_LENGTH],
        ):
            if len({stem(known) for known in longer}) == 1:
                return None if longer[0] in self._drugs and len(word) < DRUG_LENGTH else longer[0]
        return self.correct(word)

    def begun_by(self, word: str) -> list[str]:
        """The words of medicines that a normal, unknown word is the beginning of; none where it begins another word too.

        None either where it is another medicine's with two letters changed in place: "everol" is Evorel as well as everolimus.
        """
        wholes = [] if word in self._known else whole_names(word, self._words, self._drugs)
        return [] if wholes and any(_swapped(word, known) for known in self._drugs) else wholes

    def _nearest(self, word: str) -> str | None:
        from rapidfuzz.distance import OSA

        most = 2 if len(word) >= FAR_LENGTH else 1
        near: list[tuple[int, str]] = []
        for row in self._near(word, most):
            known = self._words[row]
            distance = OSA.distance(word, known, score_cutoff=most)
            if distance <= most and known[0] == word[0] and _slip(word, known, distance):
                near.append((distance, known))
        if not near:
            return None
        nearest, best = min(near)
        if any(distance == nearest and stem(known) != stem(best) for distance, known in near):
            return None
        drugs = {stem(known) for _, known in near if known in self._drugs}
        if best in self._drugs and (len(drugs) > 1 or nearest > 1 or len(word) < DRUG_LENGTH):
            return None
        if best in self._drugs and (begun := self.begun_by(word)) and best not in begun:
            return None  # "levetir" is no Levemir
        return best

    def _near(self, word: str, most: int) -> list[int]:
        prefix = word[:_PREFIX]
        keys = {prefix}
        for size in range(1, most + 1):
            for left_out in combinations(range(len(prefix)), size):
                keys.add("".join(letter for i, letter in enumerate(prefix) if i not in left_out))
        codes = np.array([_code(key) for key in keys], dtype=np.uint64)
        first = np.searchsorted(self._codes, codes, "left")
        last = np.searchsorted(self._codes, codes, "right")
        return sorted({int(row) for a, b in zip(first, last, strict=True) for row in self._rows[a:b]})


_ENDINGS = tuple(word_set("ic al ous ive ar ary oid ly ing ed er or ist ion ful less"))
"""Endings that make another word of a word: "radiographic" is no misspelt "radiograph"."""
_VOWELS = re.compile("[aeiouy]")
_DOUBLED = re.compile(r"(.)\1")


def _slip(word: str, known: str, distance: int) -> bool:
    """Whether the difference is one that slips make: not another ending, and two edits only in vowels and doubles."""
    if any(word.endswith(ending) and not known.endswith(ending) for ending in _ENDINGS):
        return False
    return distance < 2 or _consonants(word) == _consonants(known)


def _swapped(word: str, known: str) -> bool:
    """Whether two words that begin alike differ in the places of two letters alone."""
    if len(word) != len(known) or word[0] != known[0]:
        return False
    pairs = [pair for pair in zip(word, known, strict=True) if pair[0] != pair[1]]
    return len(pairs) == 2 and pairs[0] == pairs[1][::-1]


def _consonants(word: str) -> str:
    return _DOUBLED.sub(r"\1", _VOWELS.sub("", word))


def _code(key: str) -> int:
    """Up to eight letters as one number."""
    return int.from_bytes(key.encode().ljust(_PREFIX, b"\0"), "big")


def _filed(words: list[str]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """The codes of every word's first letters with none, one or two left out, in order, and the words they are of."""
    if not words:
        return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int32)
    letters = np.frombuffer(b"".join(w[:_PREFIX].encode().ljust(_PREFIX, b"\0") for w in words), dtype=np.uint8)
    letters = letters.reshape(len(words), _PREFIX)
    long = np.array([len(word) >= FAR_LENGTH - 1 for word in words])
    codes, rows = [], []
    for size in range(3 if len(words) <= MANY_WORDS else 2):
        chosen = np.flatnonzero(long) if size > 1 else np.arange(len(words))
        for left_out in combinations(range(_PREFIX), size):
            kept = np.zeros((len(chosen), _PREFIX), dtype=np.uint8)
            kept[:, : _PREFIX - size] = np.delete(letters[chosen], left_out, axis=1)
            codes.append(kept.view(">u8").ravel().astype(np.uint64))
            rows.append(chosen.astype(np.int32))
    all_codes, all_rows = np.concatenate(codes), np.concatenate(rows)
    order = np.argsort(all_codes, kind="stable")
    return all_codes[order], all_rows[order]
