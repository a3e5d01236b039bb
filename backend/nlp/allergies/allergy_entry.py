"""One thing the patient is said to react to, as read, and the trimming of its name."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Entry(NamedTuple):
    """What the patient reacts to, and the words that tell how; `said` holds words that bear on its kind."""

    start: int
    end: int
    reaction: str = ""
    said: str = ""


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without leading and trailing words and marks that are no part of a name."""
    while True:
        before = (start, end)
        while start < end and not (text[start].isalnum() or text[start] in "([_"):
            start += 1
        while start < end and not (text[end - 1].isalnum() or text[end - 1] in ")]_%+"):
            end -= 1
        if text[end - 1 : end] == ")" and text.find("(", start, end) < 0:
            end -= 1
        lead = _LEAD.match(text, start, end)
        if lead and lead.end() < end:
            start = lead.end()
        tail = _TAIL.search(text, max(start, end - _TAIL_CHARS), end)
        if tail and tail.start() > start:
            end = tail.start()
        if (start, end) == before:
            return start, end


def bounded_sentences(text: str, cut: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The sentences of a text; a longer one in parts, since reading costs the square of its length."""
    for left, right in cut:
        at = left
        while right - at > _LONGEST_SENTENCE:
            stop = max(text.rfind(mark, at + 1, at + _LONGEST_SENTENCE) for mark in (",", " "))
            stop = stop + 1 if stop > at else at + _LONGEST_SENTENCE
            yield at, stop
            at = stop
        yield at, right


_LONGEST_SENTENCE = 1000
_TAIL_CHARS = 80
_LEAD = re.compile(
    r"(?:(?:the|his|her|a|an|patient(?:'s)?|pt|is|are|he|she|they|also|has|have|had|known|documented|reported|reports?|states?|possible|probable"
    r"|questionable|suspected|including|includes?|included|significant|positive|notable|for|allergic|allergy|allergies|adverse|reactions?"
    r"|intolerances?|intolerant|intolerance|sensitivity|sensitivities|sensitive|multiple|yes|as|follows|following|only|except|excluding|but|other|than"
    r"|however|although|though|besides|aside|apart|from|with|the exception|exception|of|to|and|or|history|hx|medication allergies|drug allergies"
    r"|food allergies|he's|she's|likely|otherwise|listed|certain|some|none|nkda|any|use of|topical|oral|taking|takes|take|taken|received|no|does|gets?|which|possibly|probably|that|avoids?|avoiding|never|again|then|later|also|now|subsequently|even)\b[\s:,;-]*)++(?=\S)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,;:-]*\b(?:allergy|allergies|allergic|intolerances?|intolerant|sensitivity|hypersensitivity|reactions?|listed|noted|documented|resolved"
    r"|reported|in (?:the )?(?:past|childhood)|as a child|when (?:he|she) (?:was|had|got|took|received|underwent)\b.*|in (?:19|20)\d\d|per .*|by (?:history|report)|years ago"
    r"|(?:with )?(?:an? )?(?:unknown|unspecified|unclear|undocumented|uncertain)(?: reactions?| type| severity)?|reaction (?:is |was )?(?:unknown|unclear|not known)"
    r"|during (?:a |an |the |her |his )?(?:previous |prior |last |earlier )?[\w-]+|at (?:the|a|an|her|his|age|our|one|another) [\w-]+(?: [\w-]+)?|(?:on|from|in) (?:a |an |the |his |her )?(?:last|previous|prior|earlier|outside) .*|last (?:year|month|week|night|summer|winter|spring|fall|time)"
    r"|yesterday|today|\w+ (?:years?|months?|weeks?|days?) ago"
    r"|which|that|it|he|she|was|is|has|allergen|only|all|both|each|still|too|again|after|because|since|at this time|currently|with|and|to|as well|among others|etc)$",
    re.IGNORECASE,
)
