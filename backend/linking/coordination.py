"""Names that share a word: "chest and abdominal pain" is chest pain and abdominal pain.

Takes a text, the names found in it and a function that knows the names; gives the names with those added whose last
word is said only once, at the end of the list. The added span is the word that is said ("chest"), so that spans stay
exact and apart. It does not know what the names mean.
"""

import re
from collections.abc import Callable, Sequence

from backend.linking.names import REORDERED, Candidate, Match

Known = Callable[[str], Candidate | None]


def coordinated(text: str, matches: Sequence[Match], known: Known) -> list[Match]:
    """The matches, which do not overlap and are in order, with those that share the last word of another.

    A single word keeps its own concept unless the shared word makes a longer name of it: "chest" is then chest pain.
    """
    added: dict[int, Match] = {}
    for match in matches:
        said = text[match.start_char : match.end_char]
        at = said.rfind(" ")
        if at < 0 or match.candidates[0].category not in _SHARING:
            continue
        shared = said[at + 1 :]
        left = match.start_char
        while before := _MORE.search(text, max(0, left - _WINDOW), left):
            start, end = before.span(1)
            found = known(f"{before[1].lower()} {shared.lower()}")
            if found is None or found.category != match.candidates[0].category or found.score < _SURE:
                break
            why = f"'{before[1]}' shares '{shared}' with '{said}'"
            added[start] = Match(start, end, 1, (found._replace(score=REORDERED, why=why),))
            left = start
    if not added:
        return list(matches)
    spans = {(match.start_char, match.end_char): match for match in matches if match.start_char not in added}
    kept = [
        one
        for one in added.values()
        if not any(start < one.end_char and one.start_char < end for start, end in spans)
    ]
    inner = {one.start_char: one for one in kept}
    return sorted([*(m for m in matches if m.start_char not in inner), *kept])


_SHARING = frozenset(("symptom", "finding", "disease", "procedure", "test"))
_SURE = 0.95
_WINDOW = 40
# The word that ends where the list goes on: "chest and", "chest,", "chest/", "chest, back and".
_MORE = re.compile(r"(?<![\w'-])([A-Za-z][A-Za-z-]+)(?:\s*,\s*(?:and|or)\s+|\s+(?:and|or|&)\s+|\s*[,/]\s*)$")
