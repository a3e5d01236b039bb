"""Cuts a list of allergies into its parts: at commas, marks and "and", outside brackets and quotation marks.

Takes a stretch of text that is a list; gives the places of its parts. What a reaction was treated with is not cut, and "PCN/sulfa" is
two parts unless it is one name. It does not read the parts: allergy_entries does.
"""

import re
from collections.abc import Callable, Iterator

from backend.nlp.allergies.allergy_vocabulary import has_reaction, is_reaction

Known = Callable[[str], bool]
"""Whether a phrase names something one can be allergic to."""


def pieces(text: str, start: int, end: int, known: Known) -> Iterator[tuple[int, int]]:
    """The parts of a list, split outside brackets, with what surrounds them."""
    flat = list(text[start:end])
    depth = 0
    for i, c in enumerate(flat):
        within = depth > 0
        depth = max(0, depth + (c in "([") - (c in ")]"))
        if depth or within:
            flat[i] = "\u00a4"
    for eased in EASED.finditer(text, start, end):
        flat[eased.start() - start : eased.end() - start] = "\u00a4" * len(eased[0])
    for quoted in _QUOTED.finditer(text, start, end):
        if _AFTER_NAME.search(text, start, quoted.start()):
            flat[quoted.start() - start : quoted.end() - start] = "\u00a4" * len(quoted[0])
    plain = "".join(flat)
    left = 0
    for match in [*_SEPARATOR.finditer(plain), None]:
        right = match.start() if match else len(plain)
        if plain[left:right].strip():
            yield from _slashed(text, start + left, start + right, known)
        left = match.end() if match else right


def _slashed(text: str, start: int, end: int, known: Known) -> Iterator[tuple[int, int]]:
    """As in "PCN/sulfa" is two entries, unless the whole is one name or a reaction ("N/V")."""
    piece = text[start:end]
    at = piece.find("/")
    if (
        at <= 0
        or "(" in piece
        or "[" in piece
        or is_reaction(piece)
        or known(piece.strip())
        or has_reaction(piece)
        or "w/" in piece
    ):
        yield start, end
        return
    left = start
    for match in re.finditer("/", piece):
        yield left, start + match.start()
        left = start + match.end()
    yield left, end


# "treated with epinephrine and steroids": what a reaction was treated with is no entry.
EASED = re.compile(
    r"(?<=[\w,;(]\s)(?:was |were )?(?:treated|managed|relieved|reversed|resolved|improved|responded) (?:with|by|to)\b[^,;:.()\n]*",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"\s*(?:,(?!\s*(?:which|that|causing|causes|caused|gives|giving|resulting|with|it)\b)|[;|\u2022\u00b7\n]+|(?<=\w)(?:\s{2,}(?=(?:drugs?|medications?|medicines?)\s*:\s)|\s+(?=(?:foods?|environmental|other|insects?)\s*:\s))|(?<![\s(][A-Z])\.(?=\s|$)|\t|\s[/+&]\s|(?<!\w)(?:and|plus|as well as|also|or|including|such as)(?!\w)|&|(?<!\S)\(?\d{1,2}[.)](?=\s))\s*",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?<!\d)\"[^\"\n]{1,80}\"|\u201c[^\u201c\u201d\n]{1,80}\u201d")
_AFTER_NAME = re.compile(r"[\w)]\s*(?:-+|\u2013|\u2014)?\s*$")  # the patient's words: codeine "itched, then hives"
