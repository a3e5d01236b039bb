"""Lists of questions: what stands behind an empty box is not stated, whatever it names; a list without a title is told by its answers."""

from collections.abc import Iterator, Sequence

from backend.nlp.allergies.agents import Agents
from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.document.parsed_note import Sentence

_TICKED, _EMPTY = frozenset("☑☒✓✔✗"), frozenset("☐□")
_MARKS = frozenset(("x", "✓", "✔", "*", "yes", "y"))
_CUTS = frozenset((",", ";", ".", "\n"))
_PAIRS = {"[": "]", "(": ")"}


def stated_parts(words: Sequence[str], first: int, last: int) -> Iterator[tuple[int, int]]:
    """Cut a stretch of a list at its boxes; a box is of what follows it, up to the next box or the end of its line.

    Args:
        words: of the note.
        first: the first token.
        last: the token behind the last.

    Yields:
        Stretches of tokens that no empty box stands before; the whole where there is no box.
    """
    if not any(_box(words, i, last) for i in range(first, last)):
        yield first, last
        return
    begin, stated, i = first, True, first
    while i < last:
        box = _box(words, i, last)
        if box is None and words[i] != "\n":
            i += 1
            continue
        if stated and begin < i:
            yield begin, i
        stated, i = (box[0], box[1]) if box is not None else (True, i + 1)
        begin = i if box is not None else i - 1
    if stated and begin < last:
        yield begin, last


def answer_rows(words: Sequence[str], agents: Agents, allergens: Allergens, sentences: Sequence[Sentence]) -> set[int]:
    """Where sentences begin that only answer, in a row, what one is allergic to: "Penicillin YES (swelling), latex NO".

    Nobody is asked whether latex is taken: one name that is no medicine tells such a row from one of medicines.
    """
    found, row, told, others = set[int](), list[int](), 0, 0
    for one in sentences:
        count, of_others = _answered(words, agents, allergens, one.first, one.last)
        row, told, others = ([*row, one.first], told + count, others + of_others) if count else ([], 0, 0)
        found |= set(row) if told > 1 and others else set()
    return found


def _answered(words: Sequence[str], agents: Agents, allergens: Allergens, first: int, last: int) -> tuple[int, int]:
    """How many names a stretch answers with yes or no, and how many of them are of no medicine; 0 where it says more, brackets aside."""
    count = others = 0
    begin, depth = first, 0
    for i in range(first, last + 1):
        depth += (i < last and words[i] in _PAIRS) - (i < last and words[i] in _PAIRS.values())
        if i < last and (depth or words[i] not in _CUTS):
            continue
        end = next((k for k in range(begin, i) if words[k] in _PAIRS), i)
        said = [k for k in range(begin, end) if words[k][:1].isalnum()]
        begin = i + 1
        if not said:
            continue
        if "answer" not in phrases("lists").of(words[said[-1]]):
            return 0, 0
        named = agents.within(said[0], end, deep=True)
        if len(named) != 1 or [*range(said[0], named[0].last)] != said[:-1]:
            return 0, 0
        count, others = count + 1, others + (not allergens.is_medicine(agents.text(named[0][:2])))
    return count, others


def _box(words: Sequence[str], i: int, last: int) -> tuple[bool, int] | None:
    """Whether a box that begins at a token is ticked, and the token behind it; None for no box."""
    if words[i] in _TICKED or words[i] in _EMPTY:
        return words[i] in _TICKED, i + 1
    close = _PAIRS.get(words[i])
    if close is None or i + 1 >= last:
        return None
    if words[i + 1] == close or (words[i + 1] == "_" and words[i + 2 : i + 3] == [close]):
        return False, i + 2 + (words[i + 1] == "_")
    ticked = words[i] == "[" and words[i + 1] in _MARKS and i + 2 < last and words[i + 2] == close
    return (True, i + 3) if ticked or (words[i + 1] == "x" and words[i + 2 : i + 3] == [close]) else None
