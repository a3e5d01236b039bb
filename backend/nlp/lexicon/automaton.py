"""Names in order: an Aho-Corasick automaton over the numbers of a text's words.

Takes keys (tuples of positive word numbers); finds every key in a text in one pass, however many keys there are. An
automaton over words rather than letters keeps to word borders by itself and has fewer nodes. Each number is spelt in
DIGITS digits, since pyahocorasick looks through a node's children one by one and a root with a child for each word
would be slow. It does not know what the numbers stand for; 0 is no word.
"""

from collections.abc import Sequence

import ahocorasick

from backend.nlp.lexicon.word_sets import Window

DIGITS = 4


class NameAutomaton:
    """Rows by key. Keys that are the same share an entry. Picklable."""

    def __init__(self, keys: Sequence[tuple[int, ...]]) -> None:
        rows: dict[tuple[int, ...], list[int]] = {}
        for row, key in enumerate(keys):
            rows.setdefault(key, []).append(row)
        highest = max((code for key in rows for code in key), default=1)
        self._base = max(2, int(highest ** (1 / DIGITS)) + 2)
        self._digits: dict[int, tuple[int, ...]] = {0: (0, 0, 0, 0)}
        self._sizes = [len(key) for key in rows]
        self._rows = list(rows.values())
        self._automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS, ahocorasick.KEY_SEQUENCE)
        for place, key in enumerate(rows):
            self._automaton.add_word(self._spelt(key), place)
        if rows:
            self._automaton.make_automaton()

    def windows(self, codes: Sequence[int], blocks: Sequence[int]) -> list[Window]:
        """Every stretch of the text that is a key and lies in one block.

        codes, blocks: one a word of the text, blocks never falling.
        """
        if not self._rows or not codes:
            return []
        # a 0, which no key holds, stands between blocks and for words of no name, so that no name reaches over one
        spelt: list[int] = []
        place: list[int] = []
        digits = self._digits
        before, block = -1, -1
        for i, code in enumerate(codes):
            if not code:
                continue
            if i - 1 != before or blocks[i] != block:
                spelt += digits[0]
                place.append(i)
            spelt += digits.get(code) or self._spell(code)
            place.append(i)
            before, block = i, blocks[i]
        sizes, rows = self._sizes, self._rows
        return [
            (place[end // DIGITS] + 1 - sizes[entry], sizes[entry], rows[entry])
            for end, entry in self._automaton.iter(tuple(spelt))
        ]

    def rows(self, codes: Sequence[int]) -> list[int]:
        """The rows whose key these numbers are; none for none."""
        place = self._automaton.get(self._spelt(codes), None) if self._rows else None
        return [] if place is None else self._rows[place]

    def _spelt(self, codes: Sequence[int]) -> tuple[int, ...]:
        """DIGITS symbols a number, each place with symbols of its own, so that no match begins within a word."""
        digits, spelt = self._digits, list[int]()
        for code in codes:
            spelt += digits.get(code) or self._spell(code)
        return tuple(spelt)

    def _spell(self, code: int) -> tuple[int, ...]:
        base = self._base
        rest, first = divmod(code, base)
        rest, second = divmod(rest, base)
        fourth, third = divmod(rest, base)
        self._digits[code] = 1 + first, 1 + base + second, 1 + 2 * base + third, 1 + 3 * base + fourth
        return self._digits[code]
