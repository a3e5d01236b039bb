"""Numbers and units of a note: in digits and words, ranges, fractions, and the parts of a combination (10/325)."""

import re
from collections.abc import Sequence

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.measures.units import NUMBER_WORDS, PORTIONS, Unit, unit_of

_NUMBER = re.compile(r"(?P<n>\d[\d,]*(?:\.\d+)?|\.\d+)(?:\s?/\s?(?P<second>\d+(?:\.\d+)?)(?!\s?/\s?\d|\d))?")
_UNIT = re.compile(
    r"\s?-?\s?(?P<unit>%|[a-z\u00b5\u03bc]+(?:\s(?=units\b)units)?)(?:\s?(?:/|per|a|an)\s?(?P<per>kg|m2|m²|hr|hour|h|min|ml|day|dose)\b)?",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?:\s?-?\s?[a-z]{1,3})?\s?(?:-|\u2013|to|or)\s?(?=[\d.]|[a-z])", re.IGNORECASE)
_MIXED = re.compile(r"(?P<whole>\d)(?:[\s-]|\sand\s)(?=\d/[234](?!\d))")
_FRACTION_BELOW = frozenset("234")
_PARTS_FROM = 8
"""Above how many times the first number the second of "5-325 mg" is of another part of the product, and the dash no range; so is a smaller one."""
_STRENGTH = re.compile(
    r"\d[\d,.]*\s?(?:(?P<unit>mg|mcg|g|units?|iu|meq)\s?(?:(?P<per>/|per)|in each|in)\s?(?:each\s)?(?P<many>[1-9](?:\.\d+)?|10|15|0?\.\d+)?\s?|/\s?(?:5|15)(?![\d/.])\s?)(?P<in>ml\b)?",
    re.IGNORECASE,
)
"""How strong a liquid is: "250 mg/5 mL", "50 mg/mL", and in short "160/5"."""
_TAKEN = re.compile(
    r"(?<![\d.])\d[\d.]*(?:\s?(?:-|\u2013|to)\s?\d[\d.]*)?\s?(?P<unit>ml|mg|mcg|units?|meq)\b(?!\s?(?:/|per)\s?(?:\d|m))",
    re.IGNORECASE,
)
_TAKEN_WITHIN = 48
"""Characters behind a strength in which what is taken of the liquid begins."""
LONG_NUMBER = 7
"""Digits at most of a number that is an amount."""


class Amounts:
    """Reads the numbers of one note, up to a token.

    Args:
        note: whose numbers.
        last: the token behind the last that is read.
    """

    def __init__(self, note: ParsedNote, last: int) -> None:
        self._note, self._last = note, last

    def values(self, i: int) -> tuple[float | None, float | None, bool, int]:
        """The number at a token, the upper end of its range, whether it is a combination (10/325), and the character behind it."""
        low, second, at = self.one(i)
        if low is None:
            return None, None, False, 0
        range_ = _RANGE.match(self._note.text, at)
        if range_ is None or second or (i and self._note.words[i - 1] == "from"):
            return low, None, second, at
        unit = self._note.text[at : range_.end()].strip(" -\u2013").split(" ")[0].lower()
        if unit not in ("to", "or", "") and unit_of(unit) is None:
            return low, None, second, at
        high, _, end = self.one(self.token_at(range_.end()))
        parts = unit == "" and high is not None and (high > _PARTS_FROM * low or (high < low and self.is_dose(end)))
        if high is None or (high <= low and not parts):
            return low, None, second, at
        return low, None if parts else high, parts, end

    def is_dose(self, at: int) -> bool:
        """Whether a unit of doses stands at a character."""
        unit, _ = self.unit(at)
        return unit is not None and unit.kind == "dose"

    def one(self, i: int) -> tuple[float | None, bool, int]:
        """The number at a token, whether another of a combination follows, and the character behind it."""
        note = self._note
        if i >= self._last:
            return None, False, 0
        word, starts, ends = note.words[i], note.tokens.starts, note.tokens.ends
        if word in PORTIONS or word in NUMBER_WORDS:
            return self._words(i)
        text, at = note.text, starts[i]
        mixed = _MIXED.match(text, at)
        whole = float(mixed["whole"]) if mixed else 0.0
        match = _NUMBER.match(text, mixed.end() if mixed else at)
        if (
            match is None
            or (i and text[at - 1 : at] in ("#", "/"))
            or (word == "." and ends[i - 1] == at and note.words[i - 1].isdigit())
        ):
            return None, False, 0
        digits = match["n"].rstrip(",").replace(",", "")
        if len(digits) > LONG_NUMBER:
            return None, False, 0
        value = float(digits)
        end = match.start("n") + len(match["n"].rstrip(","))
        if match["second"]:
            end = match.end()
            if match["second"] in _FRACTION_BELOW and value < float(match["second"]):
                return whole + value / float(match["second"]), False, end
            return value, True, end
        return value, False, end

    def _words(self, i: int) -> tuple[float | None, bool, int]:
        """A number in words: one, half a, one-half, one and a half."""
        words, ends = self._note.words, self._note.tokens.ends
        if words[i] in PORTIONS:
            stop = i + 1
            while stop < self._last and words[stop] in ("a", "of", "an", "-"):
                stop += 1
            return PORTIONS[words[i]], False, ends[stop - 1]
        value, stop = float(NUMBER_WORDS[words[i]]), i + 1
        rest = [word for word in words[stop : stop + 4] if word not in ("-", "and", "a", "one")]
        if rest[:1] and rest[0] in PORTIONS and words[stop] in ("-", "and", *PORTIONS):
            at = stop + words[stop : stop + 4].index(rest[0])
            joins = "and" in words[stop:at]
            return (value + PORTIONS[rest[0]] if joins else PORTIONS[rest[0]]), False, ends[at]
        return value, False, ends[i]

    def unit(self, at: int) -> tuple[Unit | None, str]:
        """The unit at a character, and per what."""
        match = _UNIT.match(self._note.text, at)
        if match is None:
            return None, ""
        unit = unit_of(match["unit"].lower())
        per = (match["per"] or "").lower()
        return unit, {"hour": "hr", "h": "hr", "ml": "mL", "m²": "m2"}.get(per, per)

    def strength(self, i: int, *, dosed: bool = False) -> int:
        """Where the strength of a liquid ends that begins at a token; i for none.

        Args:
            i: the token.
            dosed: whether what is taken of it stands before; else it stands behind, or the strength is the dose itself.
        """
        found = _STRENGTH.match(self._note.text, self._note.tokens.starts[i])
        if found is None or (found["unit"] and not found["in"]):
            return i
        stop = self._note.tokens.ends[self._last - 1]
        taken = [
            m["unit"].lower()
            for m in _TAKEN.finditer(self._note.text, found.end(), min(stop, found.end() + _TAKEN_WITHIN))
        ]
        whole = found["per"] is not None and found["many"] is not None  # "200 mg/5 mL" alone says not how much is taken
        told = whole or (dosed and found["unit"] is not None) or (bool(taken) if found["unit"] else "ml" in taken)
        return self.token_at(found.end()) if told else i

    def unit_end(self, at: int) -> int:
        """The character behind the unit at a character; itself where none stands there."""
        match = _UNIT.match(self._note.text, at)
        return match.end() if match else at

    def token_at(self, char: int) -> int:
        """The number of the first token that begins at or behind a character."""
        return self._note.token_range(char, char)[0]


def is_length(words: Sequence[str], i: int) -> bool:
    """Whether a fraction at a token is a British length and no amount: "3/7" is three days, "1/52" a week, "2/12" two months."""
    if words[i + 1 : i + 2] != ["/"] or not words[i].isdigit() or words[i + 2 : i + 3] not in (["7"], ["52"], ["12"]):
        return False
    behind = [*words[i + 3 : i + 5], "", ""][:2]
    unit = unit_of(behind[0])
    return (unit is None or unit.kind == "time") and not (behind[0] == "." and behind[1].isdigit())
