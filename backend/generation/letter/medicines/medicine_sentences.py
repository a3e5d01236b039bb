"""The medicine table as sentences: for a text, for who hears it read, and for a language model that writes from it.

They say what the rows say and nothing more; what was given in hospital alone is left out. What is a question to the team ("which is right?") is
told by the medicine's name alone: a dose in doubt is for nobody to take. What is decided is one sentence a group
("Keep taking: …"); a change, a stop and a question stand by themselves, questions of one kind together.
"""

from collections.abc import Iterator, Sequence

from backend.generation.letter.medicines.medicine_reconciliation import NOT_NOW, asks
from backend.nlp.document.tokens import tokens
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.medicines import ACTION_WORDS, MedicineAction, MedicineRow

MOST_IN_ONE = 5
"""Medicines of one sentence; more are told in another of the same kind."""
TO_SETTLE = "Your team still has to settle this: ask before the next dose"
"""What a patient is told of a medicine of which somebody has to answer a question first."""
_GROUPS = (
    MedicineAction.CONTINUE,
    MedicineAction.AS_NEEDED,
    MedicineAction.CHANGED,
    MedicineAction.NEW,
    MedicineAction.STOPPED,
    MedicineAction.ON_HOLD,
)


def medicine_sentences(rows: Sequence[MedicineRow]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the sentences with the citations of their rows, in the order in which a patient needs them.

    Args:
        rows: of `medicine_rows`.
    """
    for action in _GROUPS:
        held = [row for row in rows if row.action is action and not row.prompt]
        alone = action in (MedicineAction.CHANGED, MedicineAction.STOPPED)
        for part in _parts(held, 1 if alone else MOST_IN_ONE):
            yield f"{ACTION_WORDS[action]}: {'; '.join(_phrase(row) for row in part)}.", _cited(part)
    for part in _parts([row for row in rows if row.action is MedicineAction.STOPPED and row.prompt], MOST_IN_ONE):
        yield f"{part[0].prompt}: {'; '.join(_phrase(row) for row in part)}.", _cited(part)
    asked: dict[str, list[MedicineRow]] = {}
    for row in rows:
        if row.action is MedicineAction.UNDECIDED:
            asked.setdefault(TO_SETTLE if "?" in row.prompt else row.prompt, []).append(row)
    for prompt, held in asked.items():
        for part in _parts(held, MOST_IN_ONE):
            phrases = [row.name if prompt == TO_SETTLE else _phrase(row) for row in part]
            question = prompt if prompt.endswith(".") else f"{prompt}."
            yield (
                f"{ACTION_WORDS[MedicineAction.UNDECIDED]}: {'; '.join(phrases)}. {question}".rstrip(),
                _cited(part),
            )


def medicine_phrase(row: MedicineRow) -> str:
    """A row in one phrase: name, dose, timing."""
    return " ".join(part for part in (row.name, ", ".join(p for p in (row.dose, row.timing) if p)) if part)


def medicine_cells(row: MedicineRow) -> tuple[str, str, str, str, str]:
    """A row as a patient's table has it, which tells what its sentence tells: name, how much, when, what for or why, what to do."""
    if row.action is MedicineAction.UNDECIDED and "?" in row.prompt:
        return row.name, "", "", "", TO_SETTLE
    if _is_not_taken(row):
        return row.name, "", "", _quoted(row.reason) or row.reason, row.what_to_do
    reason = "" if row.action is MedicineAction.UNDECIDED else row.reason
    return row.name, row.dose, row.timing, reason, row.what_to_do


def _is_not_taken(row: MedicineRow) -> bool:
    """How much was taken is no matter of a medicine that is not taken."""
    return row.action in (MedicineAction.STOPPED, MedicineAction.ON_HOLD) or asks(row.prompt, NOT_NOW)


def _phrase(row: MedicineRow) -> str:
    said = medicine_phrase(row)
    if row.action is MedicineAction.CHANGED and row.old_dose:
        return f"{said} (before: {row.old_dose})"
    if _is_not_taken(row):
        return f"{row.name}{_because(row.reason)}"
    return f"{said}, for {row.reason}" if row.reason and row.action is not MedicineAction.UNDECIDED else said


def _because(reason: str) -> str:
    """` because of kidney injury`, or the note's own words."""
    quoted = _quoted(reason)
    return f" ({quoted})" if quoted else f" because of {reason}" if reason else ""


def _quoted(reason: str) -> str:
    """The note's own words where they are a clause ("he was dizzy"), for they speak of the patient as another, or say until when; else empty."""
    words, kinds = tokens(reason).words, word_lists("letter/words_medicines")
    if words and words[0] in kinds["when"]:
        return f"the note says: \u201c{reason}\u201d"
    clause = bool(words) and (words[0] in kinds["subject"] or not kinds["person"].isdisjoint(words))
    return f"the note says why: \u201c{reason}\u201d" if clause else ""


def _parts(rows: Sequence[MedicineRow], most: int) -> Iterator[Sequence[MedicineRow]]:
    for first in range(0, len(rows), most):
        yield rows[first : first + most]


def _cited(rows: Sequence[MedicineRow]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(piece for row in rows for piece in row.citations))
