"""The entries of a line of a medicine list: which statements are of one entry, and what the line says beyond their names and doses."""

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from backend.generation.letter.medicines.stated.regimens import stated
from backend.nlp.medications.lists.entry_decisions import DIVIDES, SENTENCE_END
from backend.nlp.medications.lists.entry_remarks import Remark, holds_remark, names_former, opens_entry
from backend.nlp.medications.medicine_events import BY_SECTION
from backend.schemas.record import MedicationStatement, MedicationStatus

Key = TypeVar("Key", bound=Hashable)
_GLUE = re.compile(r"[\s,;/+&]*(?:and|plus|or)?[\s,;/+&]*", re.IGNORECASE)
"""What stands between two entries of one line."""
_GLUED = re.compile(r"(?:[,;/+&:]|\band|\bplus)\s*$", re.IGNORECASE)
_APART = re.compile(r"[*;\u2013\u2014]|\s-+\s|--")
_UNTIL = re.compile(r"\b(?:until|till?|on|after|before|from)\s+$", re.IGNORECASE)
_HEADING_WORDS, _LEAD_WORDS = 6, 2


def entry_texts(
    text: str,
    first: int,
    last: int,
    statements: Sequence[MedicationStatement],
    key_of: Callable[[MedicationStatement], Key],
) -> Iterator[tuple[Key, list[MedicationStatement], str, str]]:
    """The entries of a line, in order.

    Args:
        text: that holds the line.
        first: where the line begins in it.
        last: where it ends.
        statements: of the line, in order of place; one that is only named in a remark on another is of no entry.
        key_of: what the statements of one medicine have in common.

    Yields:
        key, statements, words, and the words with a NUL in the place of each name and dosage.
    """
    groups: dict[Key, list[MedicationStatement]] = {}
    aside: list[MedicationStatement] = []
    for one in statements:
        if _is_in_remark(one, text, first, statements, aside) or _is_in_prose(one, text, first):
            aside.append(one)
        else:
            groups.setdefault(key_of(one), []).append(one)
    begins = [first] if groups else []
    for before, held in pairwise(groups.values()):
        begins.append(_border(text, max(map(own_end, before)), held[0].spans[0].start_char))
    ends = [*begins[1:], last]
    for (key, held), begin, border in zip(groups.items(), begins, ends, strict=False):
        end = _sentence_end(text, max(map(own_end, held)), border)
        yield key, held, " ".join(text[begin:end].split()).strip(" ,;"), _beyond(text, begin, end, held)


def heading_in(text: str) -> str:
    """The last line between two entries that is no more than a heading: "Discontinued by cardiology"."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines and len(lines[-1].split()) <= _HEADING_WORDS else ""


def label_of(one: MedicationStatement) -> Remark | None:
    """What the heading above an entry decides of it, or a remark behind the run it stands in, where nothing beside it does."""
    if one.rule_ids != (BY_SECTION,):
        return _OF_RUN.get(one.change) or _OF_STATUS.get(one.status)
    return _OF_STATUS.get(one.status) or _OF_CHANGE.get(one.change)


_OF_STATUS = {MedicationStatus.STOPPED: Remark.STOP, MedicationStatus.ON_HOLD: Remark.HOLD}
_OF_RUN = {"continued": Remark.SAME, "resumed": Remark.RESUME}
_OF_CHANGE = {"started": Remark.NEW, "continued": Remark.SAME, "changed": Remark.CHANGED}


def _is_in_remark(
    one: MedicationStatement,
    text: str,
    first: int,
    statements: Sequence[MedicationStatement],
    aside: Sequence[MedicationStatement],
) -> bool:
    """Whether a medicine is only named in a remark on the one before it: "senna 2 tablets while on opioids", "nadolol (was propranolol 10)".

    aside: those before it that are, with which a further one may be joined.
    """
    at = one.spans[0].start_char
    if names_former(text[first:at]):
        return True
    if stated((one.dosage,)):
        return False
    before = max((end for other in statements if other is not one and (end := own_end(other)) <= at), default=first)
    if before == first:
        return False
    if _GLUE.fullmatch(text[before:at]):
        return any(own_end(other) == before for other in aside)
    return not opens_entry(text[_border(text, before, at) : at]) or not DIVIDES.search(text[before:at])


def _sentence_end(text: str, first: int, last: int) -> int:
    found = SENTENCE_END.search(text, first, last)
    return found.start() if found else last


def _border(text: str, first: int, last: int) -> int:
    """Where the entry of a name at `last` begins behind one that ends at `first`: its "stop" or "new:" is its own."""
    return max((first + m.end() for m in DIVIDES.finditer(text[first:last])), default=last)


def _is_in_prose(one: MedicationStatement, text: str, first: int) -> bool:
    """Whether a medicine without a dose stands late in a line that is no entry: "not to drive for 24 h after the anaesthetic"."""
    lead = text[first : one.spans[0].start_char]
    words = [word for word in lead.split() if word[:1].isalpha()]
    return not stated((one.dosage,)) and len(words) > _LEAD_WORDS and not _GLUED.search(lead) and not opens_entry(lead)


def own_end(one: MedicationStatement) -> int:
    """Where name and dosage end.

    Args:
        one: a statement with its spans.
    """
    dosed = [span.end_char for span in one.spans[1:] if " ".join(span.text.split()) == one.dosage.text]
    return max([one.spans[0].end_char, *dosed[:1]])


def _beyond(text: str, first: int, end: int, held: Sequence[MedicationStatement]) -> str:
    """What an entry says beyond its name and its dosages, with a NUL in the place of each."""
    kept = list(text[first:end])
    dosed = [one.spans[1] for one in held if one.dosage.text and len(one.spans) > 1]
    dosed = [
        span
        for span in dosed
        if not _UNTIL.search(text, first, span.start_char)  # "hold until Friday"
        and not holds_remark(text[held[0].spans[0].end_char : span.start_char])
    ]
    for span in (held[0].spans[0], *dosed):
        mark = _APART.search(text, span.start_char, span.end_char)  # "5 mg BD ** restart Wed": a remark is no dose
        for i in range(max(span.start_char, first), min(mark.start() if mark else span.end_char, end)):
            kept[i - first] = "\0"
    return _GLUED.sub("", "".join(kept))
