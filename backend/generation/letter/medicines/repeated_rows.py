"""Whether a sentence of the plan says of medicines only what the table of medicines tells."""

import re
from collections.abc import Iterator, Sequence

from backend.generation.letter.medicines.listed_rows import THE_NOTE
from backend.generation.letter.medicines.medicine_prompts import NOT_NOW, Prompt, asks
from backend.nlp.document.tokens import tokens
from backend.nlp.measures.timing import frequencies_in
from backend.nlp.measures.units import NUMBER_WORDS
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow

_PARTS = re.compile(r";\s+|,?\s+and\s+(?:(?:also|then|to)\s+)*(?=([a-z]+)\b)", re.IGNORECASE)
_GLUED = re.compile(r"(?<=\d)(?=(?:mg|mcg|g|ml|units?)\b)", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_ENDED = frozenset({MedicineAction.STOPPED, MedicineAction.ON_HOLD})


def repeats_rows(text: str, rows: Sequence[MedicineRow]) -> bool:
    """Whether a sentence says of medicines only what their rows are told as: "the plan is to stop A, B" behind "Stop taking: A" and B.

    A sentence of two decisions ("stop A and begin B 10 mg daily") repeats them where each of its parts does. Why, until when and what to
    watch are more than a row tells, unless the row has them too.

    Args:
        text: a sentence of the plan.
        rows: the medicine table.
    """
    return all(_repeats(part, rows) for part in _decisions(text))


def is_not_taken(row: MedicineRow) -> bool:
    """Whether a row is of what is not taken now."""
    return row.action in _ENDED or asks(row.prompt, NOT_NOW)


def _decisions(text: str) -> Iterator[str]:
    """The parts of a sentence that each decide something by a verb of their own."""
    kinds = word_lists("letter/words_decisions")
    verbs = kinds["stop"] | kinds["go_on"] | kinds["takes"]
    begin = 0
    for found in _PARTS.finditer(text):
        if found[1] is None or found[1].lower() in verbs:
            yield text[begin : found.start()]
            begin = found.end()
    yield text[begin:]


def _repeats(text: str, rows: Sequence[MedicineRow]) -> bool:
    kinds, words = word_lists("letter/words_decisions"), _words(text)
    stops, goes = words & kinds["stop"], words & kinds["go_on"]
    goes |= frozenset() if stops else words & kinds["takes"]  # "stop the use of"
    if bool(stops) == bool(goes):
        return False
    unchanged = goes <= kinds["keep_on"]
    told = [row for row in rows if _is_told(row) and (not row.prompt or (unchanged and row.prompt == Prompt.UNCHANGED))]
    if goes and words & kinds["all"] and not words - kinds["go_on"] - kinds["frame"] - kinds["all"]:
        return not all(map(is_not_taken, told))  # "your current medicines"
    named = [row for row in told if not _words(row.name).isdisjoint(words - kinds["frame"])]
    often, rest = frequencies_in(_GLUED.sub(" ", text))
    own = frozenset(name for row in named for name in frequencies_in(row.timing)[0])
    words = _words(rest) if often and often <= own else words
    said = (f"{row.name} {row.dose} {row.old_dose} {row.timing} {row.reason}" for row in named)
    left = words - kinds["stop"] - kinds["go_on"] - kinds["takes"] - kinds["frame"]
    left -= frozenset(word for one in said for word in _words(one))
    return bool(named) and not left and all(is_not_taken(row) is bool(stops) for row in named)


def _is_told(row: MedicineRow) -> bool:
    """Whether the letter tells what becomes of a medicine, and does not ask about it."""
    asked = row.action is MedicineAction.UNDECIDED and row.prompt != Prompt.UNCHANGED
    asked |= row.action is MedicineAction.ON_HOLD and row.source == THE_NOTE
    return not asked and row.action is not MedicineAction.HOSPITAL_ONLY


def _words(text: str) -> frozenset[str]:
    words = (word for word in tokens(_GLUED.sub(" ", _THOUSANDS.sub("", text))).words if word[0].isalnum())
    return frozenset(f"{NUMBER_WORDS[word]:g}" if word in NUMBER_WORDS else word for word in words)
