"""The medicines of a letter as rows: one pass of reconciliation of the note's medicines with the discharge list.

Both are compared by ingredient (`medicine_groups`): brand and generic, UK and US name are one; a combination shares each of its
ingredients. What the note decides is told by `medicine_decisions`, whether two dosages are the same by `regimens`. The rules,
all of them, in the order in which they are asked:

- Whose: only the patient's. Another person's medicine, a course that is over, one only named, thought of ("consider") or
  conditional is no row.
- With a discharge list (the request's; without one, the medicines that the note itself lists for discharge):
    - on the list and taken before: `continue` with the same dosage as far as both state one, `changed` with another, old and new;
      a medicine on hold that the list has is taken again. One stopped by the note and on the list is `undecided`.
    - on the list and not taken before: `new`, also where it was given in hospital. Where the note names it less exactly
      ("insulin", "insulin glargine") it is `undecided`.
    - on the list with another medicine's ingredient (a combination, or one part of it): `changed`, and each ingredient that is
      then on no row is an `undecided` row of its own.
    - not on the list: taken before, started or planned: `undecided`; stopped by the note: `stopped`; stopped before: no row;
      not taken or refused: `undecided`.
    - an entry that says "stop" or "hold" is `stopped` or `on_hold`. One with words that were not read and may turn it round
      ("do NOT resume", "until Friday"), and one in which no medicine is read, is `undecided` in its own words; so is one whose
      dose cannot be compared with the note's. Other words of an entry ("for 5 days") stay beside the timing.
- Without a list the note's own decision holds: increased, decreased or changed with a dose: `changed`; started or planned with a
  dose: `new`; continued or resumed by its name (with a dose, or listed as taken besides) or with all medicines ("no medication
  changes"): `continue`; stopped: `stopped`; on hold: `on_hold`. But in hospital (admission, consultation, before an operation) what is started, planned, changed or on hold is
  so for the stay, and whether it goes on is `undecided`; "no medication changes" says nothing of home. A single dose planned there
  is `hospital_only`.
- Nothing decided: a medicine that is taken is `undecided`: "Taken before; your team will say whether to go on". So are one
  stopped before this visit, one not taken or refused, a change or plan without a dose.
- Given in hospital alone: `hospital_only`; it is not in a patient's copy.
- Statements of one medicine that agree are one row; where doses or decisions disagree, it is `undecided` and states both.
- Taken only when needed: `as_needed` where it would be `continue`.
- An allergy (`blocked`) reaches it: never `continue`, `as_needed`, `changed` or `new`, but `undecided`.
- An unknown name is listed as any other, with recognised false: nothing was checked for it.
"""

from collections.abc import Callable, Iterable, Sequence

from backend.generation.letter.medicine_decisions import RAN_OUT, SWITCHED, kind_of
from backend.generation.letter.medicine_groups import MedicineReader
from backend.generation.letter.medicine_reconciliation import DecidedMedicine, Prompt, Reconciliation
from backend.generation.letter.regimens import regimen_words
from backend.interfaces import Linker
from backend.nlp.medications.statements import BY_SECTION
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from backend.schemas.record import MedicationCategory, MedicationStatement, PatientRecord

_TAKES = frozenset({MedicineAction.CONTINUE, MedicineAction.AS_NEEDED, MedicineAction.CHANGED, MedicineAction.NEW})
_ORDER = (
    MedicineAction.CHANGED,
    MedicineAction.NEW,
    MedicineAction.CONTINUE,
    MedicineAction.AS_NEEDED,
    MedicineAction.STOPPED,
    MedicineAction.ON_HOLD,
    MedicineAction.UNDECIDED,
    MedicineAction.HOSPITAL_ONLY,
)
_WHY = {SWITCHED: "a switch to another medicine", RAN_OUT: "running out of it"}

Cite = Callable[[int], tuple[str, ...]]


def no_citation(place: int) -> tuple[str, ...]:
    """Cites nothing."""
    return ()


def medicine_rows(
    record: PatientRecord,
    discharge_medicines: Sequence[str],
    linker: Linker,
    cite: Cite,
    blocked: frozenset[str] = frozenset(),
    *,
    cite_entry: Cite = no_citation,
    note_text: str = "",
) -> tuple[MedicineRow, ...]:
    """The medicines of the letter, changed and new ones first, those that somebody has to decide last.

    Args:
        record: what the note states.
        discharge_medicines: the list for home, an entry each; empty where there is none.
        linker: reads the entries.
        cite: the ids of the pieces of the note that hold a code point of it.
        blocked: the concepts that an allergy of the patient reaches.
        cite_entry: the ids of the piece that is an entry of the list, by its number.
        note_text: the note's text, for what stands beside a medicine's name and dose; may be empty.
    """
    reader = MedicineReader(linker, note_text)
    entries = reader.of_list(discharge_medicines)
    of_note = reader.of_note([one for one in record.medications if entries or not _listed_for_discharge(one)])
    if not entries:
        entries = reader.of_note([one for one in record.medications if _listed_for_discharge(one)])
    reconciled = Reconciliation(record, linker, bool(discharge_medicines))
    rows = [_checked(row, blocked) for row in reconciled.rows(of_note, entries)]
    rows.sort(key=lambda row: _ORDER.index(row.action))  # stable: else in the order of note and list
    return tuple(_row(f"M{number}", row, cite, cite_entry) for number, row in enumerate(rows, start=1))


def citers(pieces: Iterable[NotePiece], discharge_medicines: Sequence[str]) -> tuple[Cite, Cite]:
    """The functions `cite` and `cite_entry` over the pieces of a draft's evidence."""
    held = list(pieces)
    pasted = [piece for piece in held if piece.note_type == "Pasted note"]
    listed = iter([piece.id for piece in held if piece.note_type == "Discharge medicines"])
    ids = [next(listed, "") if entry.strip() else "" for entry in discharge_medicines]

    def cite(place: int) -> tuple[str, ...]:
        return tuple(piece.id for piece in pasted if piece.start_char <= place < piece.end_char)[:1]

    def cite_entry(number: int) -> tuple[str, ...]:
        return (ids[number],) if number < len(ids) and ids[number] else ()

    return cite, cite_entry


def _listed_for_discharge(one: MedicationStatement) -> bool:
    """Whether a statement stands in a list of discharge medicines of the note itself."""
    return one.category is MedicationCategory.DISCHARGE and one.rule_ids == (BY_SECTION,) and kind_of(one) is not None


def _checked(row: DecidedMedicine, blocked: frozenset[str]) -> DecidedMedicine:
    """The row; a medicine that an allergy reaches is for nobody to go on with."""
    reached = blocked & ({row.medicine.concept_id or ""} | row.medicine.ingredients)
    if not reached or (row.action not in _TAKES and row.action is not MedicineAction.UNDECIDED):
        return row
    return row._replace(action=MedicineAction.UNDECIDED, prompt=Prompt.ALLERGY)


def _row(number: str, row: DecidedMedicine, cite: Cite, cite_entry: Cite) -> MedicineRow:
    dose, timing = regimen_words(row.regimen)
    if row.dose:
        dose, timing = row.dose, ""
    further = "" if not row.further or row.further in dose else row.further
    timing = ", ".join(part for part in (timing, further) if part)
    ended = row.action in (MedicineAction.STOPPED, MedicineAction.ON_HOLD)
    of_it = () if ended else (*row.statements, *row.medicine.statements)
    purpose = next((one.reason for one in of_it if one.reason), "")
    cited = [piece for one in row.statements for span in one.spans for piece in cite(span.start_char)]
    cited += [piece for entry in row.entries for piece in cite_entry(entry)]
    return MedicineRow(
        id=number,
        action=row.action,
        name=row.name or row.medicine.name,
        concept_id=row.medicine.concept_id if row.prompt != Prompt.PART_LEFT else min(row.medicine.ingredients),
        ingredients=tuple(sorted(row.medicine.ingredients)) if row.medicine.recognised else (),
        dose=dose,
        old_dose=row.old,
        timing=timing,
        reason=_WHY.get(row.why, row.why) or purpose,
        prompt=row.prompt,
        source=row.source,
        recognised=row.medicine.recognised,
        citations=tuple(dict.fromkeys(cited)),
        statement_ids=tuple(dict.fromkeys(one.id for one in row.statements)),
    )
