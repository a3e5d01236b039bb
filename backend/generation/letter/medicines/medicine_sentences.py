"""The medicine table as sentences: for a text, for who hears it read, and for a language model that writes from it.

They say what the rows say and nothing more. What is decided is one sentence a group ("Keep taking: …"); a change and a stop stand by themselves.
A dose is told where it is whole. What nobody has decided is a gap that names it, for the team and not for the patient; what was given in hospital,
or nothing tells to be of home, is left out.
"""

import re
from collections.abc import Iterator, Sequence

from backend.generation.letter.medicines.listed_rows import THE_NOTE
from backend.generation.letter.medicines.medicine_prompts import Prompt, asks
from backend.generation.letter.medicines.repeated_rows import is_not_taken
from backend.generation.letter.medicines.stated.regimens import AS_WRITTEN
from backend.generation.letter.plain_language.plain_terms import in_plain_terms
from backend.nlp.document.tokens import tokens
from backend.nlp.measures.dosage_words import NO_UNIT
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.gaps import ALSO_SO_FAR, AT_HOME, HOW_MUCH, OF_THESE, SO_FAR, TO_CHECK, WHETHER, gap_text
from backend.schemas.drafts.medicines import ACTION_WORDS, MedicineAction, MedicineRow

MOST_IN_ONE = 5
"""Medicines of one sentence or gap; more are told in another of the same kind."""
MOST_TOLD = 3
"""The same of a sentence that tells what is only asked about: a list of names and doses is hard to read."""
_OPEN_BRACKET = re.compile(r"\s*\([^()]*$")
BOTH_WAYS = "Ask your team. Do not start or stop it by yourself"
"""What is so of a medicine whether it was taken, stopped or never begun: a history is right less than 19 times in 20."""
KEPT, KEPT_TOO = "Keep taking your medicines as before.", "Keep taking your other medicines as before."
"""What is told where the plan of a visit goes on with all of them, by whether others are told."""
AGAIN = "Wait before you take again"
FOR_NOW = "Do not take for now"
BEFORE = "Ask your team before any dose"
RIGHT_DOSE = "Ask your team for the right dose"
STOPPED = "The note speaks of stopping it, so ask your team before any dose"
PAUSED = "The note speaks of putting it on hold, so ask your team whether to leave it out for now"
_PLANNED = "Ask your team whether, when and how to use it"
_IN_TABLE = {
    Prompt.TAKEN_BEFORE: BOTH_WAYS, Prompt.HELD_FOR_STAY: PAUSED, Prompt.PLANNED: _PLANNED, Prompt.PLANNED_SO: _PLANNED,
    Prompt.DOSES_DISAGREE: RIGHT_DOSE, Prompt.CHANGED_IN_STAY: RIGHT_DOSE, Prompt.DOSE_NOT_STATED: RIGHT_DOSE,
    Prompt.COMPARE: RIGHT_DOSE,
}  # fmt: skip
"""What a patient's table says beside the name of what nobody has decided, by what the clinician's asks."""
OF_THE_STAY = frozenset({
    Prompt.STARTED_IN_STAY, Prompt.PLAN_OF_STAY, Prompt.HELD_HERE, Prompt.NOT_TAKEN_HERE, Prompt.NAMED_ONLY,
    Prompt.STOPPED_BEFORE, Prompt.NOT_TAKEN,
})  # fmt: skip
"""What nothing tells to be of home: the table asks about it, and the letter leaves it out."""
_TAKEN = frozenset({Prompt.TAKEN_BEFORE, Prompt.NEEDED_BEFORE, Prompt.CLASS, Prompt.CLASS_KEPT})
"""What is told as taken, and only asked about because nobody has decided whether it goes on, or which one of its kind it is."""
_CHECKED = (
    Prompt.AGAINST, Prompt.VALUE, Prompt.DOSE_UNUSUAL, Prompt.INTOLERANCE, Prompt.ALLERGY_KIN_KEPT, Prompt.SAME_TWICE,
)  # fmt: skip
"""What is told with its dose, for the team to check: what the note lists is a fact, whatever speaks against it."""
_BEGUN_HERE = frozenset({Prompt.STARTED_IN_STAY})
_DOUBTS = {Prompt.DOSE_UNUSUAL: "the dose is to be checked", Prompt.INTOLERANCE: "also listed as not tolerated"}
"""What stands beside the name of what is to be checked."""
_GROUPS = (
    MedicineAction.CONTINUE,
    MedicineAction.AS_NEEDED,
    MedicineAction.CHANGED,
    MedicineAction.NEW,
    MedicineAction.TAKE,
    MedicineAction.STOPPED,
    MedicineAction.ON_HOLD,
)


def medicine_sentences(rows: Sequence[MedicineRow]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the sentences with the citations of their rows, in the order in which a patient needs them.

    Args:
        rows: of `medicine_rows`.
    """
    for action in _GROUPS:
        held = [row for row in rows if row.action is action and not row.prompt and not _is_paused(row)]
        alone = action in (MedicineAction.CHANGED, MedicineAction.STOPPED)
        again = [row for row in held if _starts_again(row)]
        for words, rest in ((ACTION_WORDS[action], [row for row in held if row not in again]), (AGAIN, again)):
            for part in _parts(rest, 1 if alone else MOST_IN_ONE):
                phrases = map(_phrase, part)
                if action is MedicineAction.AS_NEEDED:
                    phrases = map(_without_needed, phrases)  # the sentence begins with it
                yield f"{words}: {'; '.join(phrases)}.", _cited(part)
    told = [row for row in rows if row.prompt == Prompt.UNCHANGED]
    for part in _parts(told, MOST_IN_ONE):
        yield f"{Prompt.UNCHANGED}: {'; '.join(_phrase(row) for row in part)}.", _cited(part)
    for part in _parts([row for row in rows if _is_until(row)], MOST_IN_ONE):
        yield f"{FOR_NOW}: {'; '.join(_phrase(row) for row in part)}.", _cited(part)
    for part in _parts([row for row in rows if row.action is MedicineAction.STOPPED and row.prompt], MOST_IN_ONE):
        yield f"{part[0].prompt}: {'; '.join(_phrase(row) for row in part)}.", _cited(part)
    asked = [row for row in rows if _is_asked(row) and row.prompt not in OF_THE_STAY]
    yield from _as_noted_and_open(
        [row for row in asked if row.prompt in _TAKEN], [row for row in asked if _is_checked(row)]
    )
    open_ones = [row for row in asked if row.prompt not in _TAKEN and not _is_checked(row)]
    doses = [row for row in open_ones if _question(row) == RIGHT_DOSE]
    begun = [row for row in rows if row.prompt in _BEGUN_HERE]
    others = [row for row in open_ones if row not in doses]
    for question, held in ((WHETHER, others), (HOW_MUCH, doses), (AT_HOME, begun)):
        for part in _parts(held, MOST_IN_ONE):
            # a dose in doubt, or of what may be over, is no part of the question
            named = (_phrase(row) if _question(row) == PAUSED else row.name for row in part)
            names = "; ".join(named)
            yield f"{_capital(names)}: {gap_text(question)}", _cited(part)


def _as_noted_and_open(
    taken: Sequence[MedicineRow], checked: Sequence[MedicineRow]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what the note tells of medicines about which nobody has decided, and behind it the one question that is asked of them.

    taken: told as taken, with the doses that the note gives them. checked: what something speaks against.
    """
    for told, lead, more in ((taken, SO_FAR, ALSO_SO_FAR), (checked, TO_CHECK, TO_CHECK)):
        for number, part in enumerate(_parts(told, MOST_TOLD)):
            yield f"{more if number else lead}: {'; '.join(_phrase(row) for row in part)}.", _cited(part)
    named = (*taken, *checked)
    if named:
        asked = gap_text(OF_THESE) if len(named) > 1 else f"{_capital(named[0].name)}: {gap_text(WHETHER)}"
        yield asked, _cited(named)


def _capital(name: str) -> str:
    return f"{name[:1].upper()}{name[1:]}"


def _is_checked(row: MedicineRow) -> bool:
    """Whether something speaks against a medicine that the note names, and not so that it is to be left before the team has decided."""
    return asks(row.prompt, _CHECKED) and not row.prompt.endswith(Prompt.LEAVE)


def _starts_again(row: MedicineRow) -> bool:
    """Whether the note says when a medicine on hold is taken again: "restart 1/20"."""
    words = tokens(row.reason).words[:1]
    return (
        row.action is MedicineAction.ON_HOLD
        and bool(words)
        and words[0] in word_lists("letter/words_medicines")["again"]
    )


def _is_asked(row: MedicineRow) -> bool:
    return (row.action is MedicineAction.UNDECIDED and row.prompt != Prompt.UNCHANGED) or (
        _is_paused(row) and not _is_until(row)
    )


def _is_until(row: MedicineRow) -> bool:
    """Whether the note says until when a medicine is on hold: "until the count recovers"."""
    words = tokens(row.reason).words[:1]
    return _is_paused(row) and bool(words) and words[0] in word_lists("letter/words_medicines")["until"]


def _is_paused(row: MedicineRow) -> bool:
    """Whether a row is on hold by the note alone: as often for a morning, or before an operation, as until somebody says so."""
    return row.action is MedicineAction.ON_HOLD and row.source == THE_NOTE and not _starts_again(row)


def _question(row: MedicineRow) -> str:
    """What a patient's table says of a row that nobody has decided: in its own words where they are for the patient, the prompt else."""
    if _is_paused(row):
        return PAUSED
    told = next((words for prompt, words in _IN_TABLE.items() if row.prompt == prompt), "")
    return told or (BEFORE if "?" in row.prompt else f"{row.prompt.rstrip('.')}.")


def medicine_phrase(row: MedicineRow) -> str:
    """A row in one phrase: name, dose, timing."""
    return " ".join(part for part in (row.name, ", ".join(p for p in (row.dose, row.timing) if p)) if part)


def medicine_cells(row: MedicineRow) -> tuple[str, str, str, str, str] | None:
    """A row as a patient's table has it, which tells what its sentence tells: name, how much, when, what for or why, what to do.

    None for what the letter leaves out.
    """
    if row.action is MedicineAction.HOSPITAL_ONLY or row.prompt in OF_THE_STAY:
        return None
    if _is_asked(row):
        question = _question(row)
        doubted = question in (BEFORE, _PLANNED, RIGHT_DOSE, STOPPED, PAUSED)
        dose, timing = ("", "") if doubted or _is_half(row) else (row.dose, row.timing)
        return row.name, dose, timing, "", question
    if is_not_taken(row):
        # how much was taken is no matter of a medicine that is not taken
        return row.name, "", "", _quoted(row.reason) or row.reason, row.what_to_do
    dose, timing = ("", "") if _is_half(row) else (row.dose, row.timing)
    return row.name, dose, timing, row.reason, row.what_to_do


def _is_half(row: MedicineRow) -> bool:
    """Whether a dose lacks its unit, or is shorthand: half a dose is none."""
    return NO_UNIT in row.dose or AS_WRITTEN in row.dose


def _phrase(row: MedicineRow) -> str:
    said = medicine_phrase(row)
    if _is_half(row):
        begun = row.action in (MedicineAction.CHANGED, MedicineAction.NEW, MedicineAction.TAKE)
        taken = begun or row.action is MedicineAction.CONTINUE
        said = (_as_noted(row) if taken else "") or (f"{row.name} (ask your team how much)" if begun else row.name)
    if row.action is MedicineAction.CHANGED and row.old_dose:
        return f"{said} (before: {row.old_dose})"
    if is_not_taken(row):
        return f"{row.name}{_because(row.reason)}"
    doubt = next((f" ({words})" for prompt, words in _DOUBTS.items() if row.prompt == prompt), "")
    return f"{said}{_for(row, said)}{doubt}"


def _for(row: MedicineRow, said: str) -> str:
    """` for constipation`: what it is taken for, where the note's words name that and no person ("for her nerves")."""
    open_one = row.action is MedicineAction.UNDECIDED and row.prompt not in (*_TAKEN, Prompt.UNCHANGED)
    theirs = word_lists("letter/words_medicines")["person"] & frozenset(tokens(row.reason).words)
    if not row.reason or f"for {row.reason}" in said or open_one or (theirs and row.action is MedicineAction.UNDECIDED):
        return ""
    return f"{'' if said.endswith(_AS_NEEDED) else ','} for {row.reason}"


def _without_needed(said: str) -> str:
    return re.sub(rf",? {_AS_NEEDED}\b", "", said, count=1)


_AS_NEEDED = "as needed"


def _as_noted(row: MedicineRow) -> str:
    """`aspirin “81”, once a day`: a dose to which the note gives no unit, in its own words; empty for shorthand."""
    amount, _, rest = row.dose.partition(f" {NO_UNIT}")
    if AS_WRITTEN in row.dose or rest.strip() or not amount.replace(".", "").isdigit():
        return ""
    return ", ".join(part for part in (f"{row.name} \u201c{amount}\u201d", row.timing) if part)


def _because(reason: str) -> str:
    """` because of kidney injury`, or the note's own words; what stands in a bracket that the reason leaves open is not told."""
    reason = _OPEN_BRACKET.sub("", reason)
    quoted = _quoted(reason)
    return f" ({quoted})" if quoted else f" because of {in_plain_terms(reason)}" if reason else ""


def _quoted(reason: str) -> str:
    """The note's own words where they are a clause ("he was dizzy"), for they speak of the patient as another, or say until when; else empty."""
    words, kinds = tokens(reason).words, word_lists("letter/words_medicines")
    if words and words[0] in kinds["when"]:
        return "" if len(words) == 1 else f"the note says: \u201c{reason}\u201d"
    clause = bool(words) and (words[0] in kinds["subject"] or not kinds["person"].isdisjoint(words))
    return f"the note says why: \u201c{reason}\u201d" if clause else ""


def _parts(rows: Sequence[MedicineRow], most: int) -> Iterator[Sequence[MedicineRow]]:
    for first in range(0, len(rows), most):
        yield rows[first : first + most]


def _cited(rows: Sequence[MedicineRow]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(piece for row in rows for piece in row.citations))
