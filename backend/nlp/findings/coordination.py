"""Names that share a word: "chest and abdominal pain" is chest pain and abdominal pain.

Takes a text, the names found in it and a function that knows the names; gives the names with those added whose last
word is said only once, at the end of the list. The added span is the word that is said ("chest"), so that spans stay
exact and apart. It does not know what the names mean.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from backend.nlp.lexicon.matches import Candidate, Match
from backend.nlp.lexicon.names import REORDERED

Known = Callable[[str], Candidate | None]


def coordinated(text: str, matches: Sequence[Match], known: Known) -> list[Match]:
    """The matches, which do not overlap and are in order, with those that share a word of another.

    A single word keeps its own concept unless the shared word makes a longer name of it: "chest" is then chest pain.
    """
    added: dict[int, Match] = {}
    for match in matches:
        if match.candidates[0].category in _SHARING and " " in text[match.start_char : match.end_char]:
            for one in (*_before(text, match, known), *_after(text, match, known)):
                added[one.start_char] = one
    if not added:
        return list(matches)
    # An added span may take the place of the same word as a name of its own, but may not cut through another name.
    whole = [
        match for match in matches if match.start_char not in added or match.end_char > added[match.start_char].end_char
    ]
    kept = [
        one
        for one in added.values()
        if all(m.end_char <= one.start_char or one.end_char <= m.start_char for m in whole)
    ]
    replaced = {one.start_char for one in kept}
    return sorted([*(match for match in matches if match.start_char not in replaced), *kept])


def _before(text: str, match: Match, known: Known) -> Iterator[Match]:
    """As in "Chest and abdominal pain", "knee, hip and back pain"."""
    said = text[match.start_char : match.end_char]
    shared = said[said.rfind(" ") + 1 :]
    left = match.start_char
    while _goes_on(text, left) and (before := _MORE.search(text, max(0, left - _WINDOW), left)):
        found = _named(before[1], shared, match, known)
        if found is None:
            return
        yield _match(before.span(1), before[1], shared, said, found)
        left = before.start(1)


def _goes_on(text: str, left: int) -> bool:
    """Whether a list goes on at a place: what stands before it ends with "and", "or" or a mark. The search costs more."""
    return text[max(0, left - _WINDOW) : left].rstrip().lower().endswith(("and", "or", "&", ",", "/"))


def _after(text: str, match: Match, known: Known) -> Iterator[Match]:
    """As in "Swelling of the face, lips and tongue"."""
    said = text[match.start_char : match.end_char]
    head = _HEAD.fullmatch(said)
    right = match.end_char
    while head and (after := _FURTHER.match(text, right, right + _WINDOW)):
        found = _named(after[1], head[1], match, known)
        if found is None:
            return
        yield _match(after.span(1), after[1], head[1], said, found)
        right = after.end(1)


def _named(word: str, shared: str, match: Match, known: Known) -> Candidate | None:
    found = known(f"{word.lower()} {shared.lower()}")
    same = found is not None and found.category == match.candidates[0].category and found.score >= _SURE
    return found if same else None


def _match(span: tuple[int, int], word: str, shared: str, said: str, found: Candidate) -> Match:
    why = f"'{word}' shares '{shared}' with '{said}'"
    return Match(*span, 1, (found._replace(score=REORDERED, why=why),))


_SHARING = frozenset(("symptom", "finding", "disease", "procedure", "test"))
_SURE = 0.95
_WINDOW = 40
# The word that ends where the list goes on: "chest and", "chest,", "chest/", "chest, back and".
_MORE = re.compile(r"(?<![\w'-])([A-Za-z][A-Za-z-]+)(?:\s*,\s*(?:and|or)\s+|\s+(?:and|or|&)\s+|\s*[,/]\s*)$")
_HEAD = re.compile(r"([A-Za-z]+) (?:of|in) (?:the |both |his |her |my )?[A-Za-z]+", re.IGNORECASE)
_FURTHER = re.compile(
    r"\s*(?:,\s*(?:and|or)?|/|\s(?:and|or|&))\s+(?:(?:the|both|his|her|left|right)\s+){0,2}([A-Za-z]+)\b", re.IGNORECASE
)
