"""What becomes of a medicine by the discharge list alone: what the entry's own remarks decide, else the words it is read by."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.generation.letter.medicines.medicine_groups import Medicine
from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.generation.letter.medicines.stated.regimens import Regimen, stated
from backend.generation.letter.plain_language.plain_terms import in_plain_terms
from backend.nlp.measures.timing import timings_in
from backend.nlp.medications.lists.entry_remarks import Remark
from backend.nlp.medications.medicine_events import BY_SECTION
from backend.schemas.drafts.medicines import MedicineAction
from backend.schemas.record import MedicationCategory, MedicationStatement, MedicationStatus

_AMOUNT = re.compile(r"(?P<amount>\d[\d.]*)\s?(?P<unit>mg|mcg|g|ml|mL|units?)?\b(?P<rest>[^,;()]*)")
THE_NOTE, THE_LIST, BOTH, CLINICIAN = (
    "the note",
    "discharge medicines",
    "the note and discharge medicines",
    "a clinician",
)


class DecidedMedicine(NamedTuple):
    """A row before it has its id, its words and its citations. likely: a learned reading decides it, and no rule."""

    action: MedicineAction
    medicine: Medicine
    regimen: Regimen = ()
    old: str = ""
    prompt: str = ""
    source: str = THE_NOTE
    why: str = ""
    statements: tuple[MedicationStatement, ...] = ()
    entries: tuple[int, ...] = ()
    name: str = ""
    further: str = ""
    dose: str = ""
    likely: bool = False


def listed_row(own: Sequence[Medicine], *, home_told: bool) -> DecidedMedicine:
    """A row of the list alone: what its remarks decide, else what its words are read as."""
    own = [one for one in own if not one.unclear] or own
    first = own[0]
    held = [one for medicine in own for one in medicine.statements]
    unclear = next((medicine.written for medicine in own if medicine.unclear), "")
    if not unclear and _disagree(own):
        unclear = "; ".join(medicine.written for medicine in own)
    regimen = tuple(one.dosage for one in held if stated((one.dosage,)))
    further = ", ".join(dict.fromkeys(medicine.further for medicine in own if medicine.further))
    course = any(len(medicine.statements) > 1 for medicine in own) and bool(further)
    by_dose = sorted(own, key=lambda one: not any(stated((held.dosage,)) for held in one.statements))
    decided = next((medicine for medicine in by_dose if medicine.decision is not None), first)
    action = _as_listed(home_told, decided, held, regimen)
    ended = action in (MedicineAction.STOPPED, MedicineAction.ON_HOLD)
    if unclear:
        action, regimen, further = MedicineAction.UNDECIDED, (), ""
    return DecidedMedicine(
        action,
        first,
        regimen,
        old=_old_dose(decided.detail, regimen) if action is MedicineAction.CHANGED else "",
        prompt=_asked_of(action, decided, bool(unclear), unstated=_changes_unstated(held, regimen)),
        source=THE_LIST,
        why=(decided.detail if ended else "") or next((one.why_stopped for one in held if one.why_stopped), ""),
        statements=tuple(held) if first.entry is None else (),
        entries=tuple(one.entry for one in own if one.entry is not None),
        further="" if course else further,
        dose=f"\u201c{unclear}\u201d" if unclear else further if course else "",
    )


def _disagree(own: Sequence[Medicine]) -> bool:
    """Whether one entry of a medicine puts it off and another gives a dose of it: "20 mg, resume 6/14", "10 mg until then"."""
    off = [one for one in own if one.decision in _OFF]
    dosed = any(stated((held.dosage,)) for one in own if one not in off for held in one.statements)
    return bool(off) and dosed and any(stated((held.dosage,)) for one in off for held in one.statements)


_DOSE_CHANGES = frozenset({"increased", "decreased", "changed"})
_OFF = frozenset({Remark.HOLD, Remark.RESUME})


def _as_listed(home_told: bool, one: Medicine, held: Sequence[MedicationStatement], regimen: Regimen) -> MedicineAction:
    """What becomes of an entry by itself."""
    match one.decision:
        case Remark.STOP | Remark.AVOID:
            return MedicineAction.STOPPED
        case Remark.HOLD:
            return MedicineAction.ON_HOLD
        case Remark.RESUME:  # with a day or an event it is taken from then on
            return MedicineAction.ON_HOLD if one.detail else going_on(regimen)
        case Remark.SAME:
            return going_on(regimen)
        case Remark.CHANGED:
            return MedicineAction.CHANGED if stated(regimen) else MedicineAction.UNDECIDED
        case Remark.NEW:
            return MedicineAction.NEW
    if _changes_unstated(held, regimen):
        return MedicineAction.UNDECIDED
    statuses = {one.status for one in held}
    course = stated(regimen) and bool(one.further)  # "30 mg until 16/1 then stop" is taken
    if statuses <= {MedicationStatus.STOPPED, MedicationStatus.NOT_TAKEN} and not course:
        return MedicineAction.STOPPED
    if statuses == {MedicationStatus.ON_HOLD} and not course:
        return MedicineAction.ON_HOLD
    if all(is_of_home(one) and one.rule_ids == (BY_SECTION,) for one in held):
        return MedicineAction.UNDECIDED  # a list that decides entry by entry, and not this one
    return MedicineAction.NEW if home_told else MedicineAction.TAKE


def _changes_unstated(held: Sequence[MedicationStatement], regimen: Regimen) -> bool:
    """Whether a dose is to change, and the list does not say to which: "double the furosemide"."""
    return not stated(regimen) and any(one.change in _DOSE_CHANGES for one in held)


def _asked_of(action: MedicineAction, one: Medicine, unclear: bool, *, unstated: bool) -> str:
    if unclear:
        return Prompt.LIST_UNCLEAR
    if action is MedicineAction.UNDECIDED:
        return Prompt.DOSE_NOT_STATED if unstated or one.decision is Remark.CHANGED else Prompt.TAKEN_BEFORE
    return Prompt.AVOID if one.decision is Remark.AVOID else ""


def is_of_home(one: MedicationStatement) -> bool:
    """Whether a statement is only of what is taken at home."""
    return one.category is MedicationCategory.COMMUNITY and one.status is MedicationStatus.ACTIVE and not one.change


def going_on(regimen: Regimen) -> MedicineAction:
    """How a medicine goes on: taken, or only when needed."""
    needed = bool(regimen) and all(one.as_needed for one in regimen)
    return MedicineAction.AS_NEEDED if needed else MedicineAction.CONTINUE


def _old_dose(detail: str, regimen: Regimen) -> str:
    """The dose before a change that a remark tells: "from 20", "was 40 BD", with the unit of the new one where it has none."""
    found = _AMOUNT.search(detail)
    unit = found and (found["unit"] or (regimen[0].unit if regimen else ""))
    if not found or not unit:
        return ""
    rest = in_plain_terms(found["rest"]).strip()
    return f"{found['amount']} {unit}{f' {rest}' if timings_in(rest) else ''}"
