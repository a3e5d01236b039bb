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
    - not on the list: taken before, started or planned: `undecided`, and left out of the letter where nothing tells that it was taken at home; stopped by the note: `stopped`; stopped before: no row;
      not taken or refused: `undecided`.
    - an entry that says "stop" or "hold" is `stopped` or `on_hold`. One with words that were not read and may turn it round
      ("do NOT resume", "until Friday"), and one in which no medicine is read, is `undecided` in its own words; so is one whose
      dose cannot be compared with the note's. Other words of an entry ("for 5 days") stay beside the timing.
- Without a list the note's own decision holds: increased, decreased or changed with a dose: `changed`; started or planned with a
  dose: `new`; continued or resumed by its name (with a dose, or listed as taken besides) or with all medicines ("no medication
  changes"): `continue`; stopped in words, and told as taken or named right beside them: `stopped`, else `undecided`; on hold: `on_hold`. But in hospital (admission, consultation, before an operation) what is started, planned, changed or on hold is
  so for the stay, and whether it goes on is `undecided`; "no medication changes" says nothing of home. A single dose planned there
  is `hospital_only`.
- Nothing decided: after a visit from which the patient goes home, and of which the note holds the plan or the instructions, a medicine that is taken is `undecided`, and told as not changed there. Else it is `undecided`: "Taken until now: do not stop it by yourself, your team will say what to go on with"; one
  used when needed is asked about without "do not stop it". So are one
  stopped before this visit, one not taken or refused, a change or plan without a dose. The letter tells less of them (`medicine_sentences`).
- Where no rule decides, or the likeliest reading of all that the note says of a medicine is sure of something else, that reading decides if
  the patient leaves or prepares for an operation (`likely_rows`), and the row says so; where it is less sure of the opposite, it is asked.
- Given in hospital alone: `hospital_only`; it is not in a patient's copy.
- Statements of one medicine that agree are one row; where doses or decisions disagree, it is `undecided` and states both.
- Taken only when needed: `as_needed` where it would be `continue`.
- A dose far above the usual is for nobody to take: `undecided`, and the letter tells it as what the note lists and is to be checked.
- An allergy (`blocked`) reaches it: never `continue`, `as_needed`, `changed` or `new`, but `undecided`; so is one that is listed as
  not tolerated and taken all the same, and one that what the patient has speaks against (`TableKnowledge`).
- A kind alone ("antibiotic", "blood pressure pills") and the members of a kind that the note decides: `medicine_kinds`.
- A trial that failed or was not tolerated is `stopped`, with the prompt that it was only tried; the discharge list leaves it out.
- One ingredient that a combination of another row holds too is `undecided`: how much of it in all?
- An unknown name is listed as any other, with recognised false: nothing was checked for it.
- A dose without a unit is told with the one in which it is a usual dose of an adult, where there is only one (`usual_units`).
"""

import re
from collections.abc import Callable, Iterable, Sequence

from backend.generation.letter.medicines.likely_rows import likely_rows
from backend.generation.letter.medicines.listed_rows import BOTH, THE_LIST, DecidedMedicine
from backend.generation.letter.medicines.medicine_decisions import (
    RAN_OUT,
    SWITCHED,
    Kind,
    kind_of,
)
from backend.generation.letter.medicines.medicine_groups import MedicineReader
from backend.generation.letter.medicines.medicine_kinds import (
    TAKES,
    TOLD_AS_TAKEN,
    Against,
    DecidedKinds,
    TableKnowledge,
    as_kind,
    is_nothing_to_start,
)
from backend.generation.letter.medicines.medicine_prompts import NOT_NOW, Prompt, asks, question_of
from backend.generation.letter.medicines.medicine_reconciliation import Reconciliation
from backend.generation.letter.medicines.stated.regimens import AS_WRITTEN, is_shorthand, regimen_words, stated
from backend.generation.letter.medicines.stated.told_events import is_given
from backend.generation.letter.medicines.stated.told_reasons import told_reason
from backend.generation.letter.medicines.stated.usual_units import with_usual_units
from backend.generation.letter.plain_language.plain_terms import in_plain_terms
from backend.interfaces import Linker
from backend.nlp.medications.medicine_events import NO_HELP, RESCUE, UNBEARABLE
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from backend.schemas.record import (
    Dosage,
    Experiencer,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    PatientRecord,
    Setting,
)

_ORDER = (
    MedicineAction.CHANGED,
    MedicineAction.NEW,
    MedicineAction.TAKE,
    MedicineAction.CONTINUE,
    MedicineAction.AS_NEEDED,
    MedicineAction.STOPPED,
    MedicineAction.ON_HOLD,
    MedicineAction.UNDECIDED,
    MedicineAction.HOSPITAL_ONLY,
)
_WHY = {
    SWITCHED: "a switch to another medicine", RAN_OUT: "running out of it",
    NO_HELP: "lack of effect", UNBEARABLE: "side effects",
}  # fmt: skip
_AT_HOME = frozenset({Kind.TAKEN, Kind.CONTINUED, Kind.CHANGED})
_LEFT_ALONE = NOT_NOW | {Prompt.ALLERGY, Prompt.ALLERGY_SIBLING, Prompt.ALLERGY_KIN, Prompt.INTOLERABLE}
_NAME = 3
"""Letters of a name that is looked for in a note."""

Cite = Callable[[int], tuple[str, ...]]


_UNKNOWN = TableKnowledge()


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
    known: TableKnowledge = _UNKNOWN,
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
        known: what is known of classes, and of what speaks against a medicine.
    """
    reader = MedicineReader(linker, note_text)
    entries = reader.of_list(discharge_medicines)
    of_note = reader.of_note([one for one in record.medications if entries or not _is_for_home(one)])
    own_list = not entries
    if own_list:
        entries = reader.of_note_list([one for one in record.medications if _is_for_home(one)])
    (of_note, own), (entries, theirs) = (
        with_usual_units(found, record, known.usual_unit) for found in (of_note, entries)
    )
    reconciled = Reconciliation(record, linker, note_text)
    rows = [_spoken_of(row, note_text) for row in reconciled.rows(of_note, entries, own_list=own_list)]
    # before an operation the patient goes home with what is decided, though what is ordered is of the stay
    if own_list and (not reconciled.stay or record.encounter.setting is Setting.PRE_OPERATIVE):
        rows = likely_rows(rows, of_note, known.classes)
    kinds = DecidedKinds(rows, record, known, note_text, stay=reconciled.stay)
    rows = [_checked(row, blocked, known) for row in kinds.rows()]
    # "sleepy from her pain medicine", "stopped chemotherapy": a class alone is nothing to start again
    rows = [row for row in rows if not (row.medicine.is_class and is_nothing_to_start(row, rows, known))]
    rows = [_counted(row, rows) for row in rows]
    rows.sort(key=lambda row: _ORDER.index(row.action))  # stable: else in the order of note and list
    made = (_row(f"M{number}", row, cite, cite_entry, own | theirs) for number, row in enumerate(rows, start=1))
    return tuple(row.model_copy(update={"reason": told_reason(row.reason, linker, _WHY.values())}) for row in made)


def left_alone(rows: Iterable[MedicineRow]) -> frozenset[str]:
    """The concepts of medicines that the letter does not tell to take: how they are taken is no advice."""
    apart: set[str] = set()
    held: set[str] = set()
    for row in rows:
        ended = row.action in (MedicineAction.STOPPED, MedicineAction.ON_HOLD) or asks(row.prompt, _LEFT_ALONE)
        leave = ended or row.prompt.endswith((Prompt.LEAVE, Prompt.ASK))
        (apart if leave else held).update((row.concept_id or "", *row.ingredients))
    return frozenset(apart - held)


def _is_for_home(one: MedicationStatement) -> bool:
    """Whether a statement stands in a list of discharge medicines of the note itself."""
    own = one.experiencer is Experiencer.PATIENT and kind_of(one) is not Kind.HERE
    own &= one.status is not MedicationStatus.COMPLETED and RESCUE not in one.rule_ids  # "30 mg, course finished"
    own &= one.category is not MedicationCategory.INPATIENT and not (one.dosage.timing == "ONCE" and is_given(one))
    return own and one.listed is MedicationCategory.DISCHARGE and bool(one.spans)


def _spoken_of(row: DecidedMedicine, note_text: str) -> DecidedMedicine:
    """The row; a medicine of which the note speaks elsewhere too is not told as unchanged: something of it was not read."""
    if row.prompt != Prompt.UNCHANGED:
        return row
    own = [span for one in row.statements for span in one.spans]
    names = {one.name for one in row.statements} | {one.spans[0].text for one in row.statements if one.spans}
    longest = sorted((name for name in names if len(name) >= _NAME), key=len, reverse=True)
    places = re.finditer(rf"\b(?:{'|'.join(map(re.escape, longest))})\b", note_text, re.IGNORECASE) if longest else ()
    if all(any(span.start_char <= place.start() < span.end_char for span in own) for place in places):
        return row
    return row._replace(prompt=Prompt.TAKEN_BEFORE)


def _checked(row: DecidedMedicine, blocked: frozenset[str], known: TableKnowledge) -> DecidedMedicine:
    """The row; a medicine that an allergy reaches, or that something speaks against, is for nobody to go on with unasked."""
    if row.action not in TAKES and row.action is not MedicineAction.UNDECIDED:
        return row
    concepts = {row.medicine.concept_id or ""} | row.medicine.ingredients
    if blocked & concepts:
        listed = not known.allergy_siblings & concepts
        return row._replace(
            action=MedicineAction.UNDECIDED, prompt=Prompt.ALLERGY if listed else Prompt.ALLERGY_SIBLING
        )
    if asks(row.prompt, NOT_NOW):
        return row
    taken = any(kind_of(one) in _AT_HOME for one in row.statements)
    against = known.against(row.medicine.concept_id) if row.medicine.concept_id else Against()
    if against.prompt and (against.never or not _is_weighed(row)):
        prompt = against.prompt if taken else against.prompt.replace(Prompt.KEEP, Prompt.ASK)
        return row._replace(action=MedicineAction.UNDECIDED, prompt=prompt)
    if known.intolerances & concepts:
        return row._replace(action=MedicineAction.UNDECIDED, prompt=Prompt.INTOLERANCE if taken else Prompt.INTOLERABLE)
    if known.allergy_kin & concepts:
        kept = taken and row.medicine.concept_id is not None and known.kept_up(row.medicine.concept_id)
        return row._replace(
            action=MedicineAction.UNDECIDED, prompt=Prompt.ALLERGY_KIN_KEPT if kept else Prompt.ALLERGY_KIN
        )
    if row.medicine.is_class and not stated(row.regimen) and not row.further:
        return as_kind(row, known)
    if row.regimen and any(known.far_above(one) for one in row.statements if one.dosage in row.regimen):
        return row._replace(action=MedicineAction.UNDECIDED, prompt=Prompt.DOSE_UNUSUAL)
    return row


def _is_weighed(row: DecidedMedicine) -> bool:
    """Whether the team decided to go on with or to begin just this medicine: what speaks against it less than "never" is weighed then."""
    own = any(kind_of(one) not in (None, Kind.TAKEN) for one in row.statements)
    return row.action in TAKES and (own or row.source in (THE_LIST, BOTH))


def _counted(row: DecidedMedicine, rows: Sequence[DecidedMedicine]) -> DecidedMedicine:
    """The row; one ingredient that a combination of another row holds too is asked about: acetaminophen beside Lortab."""
    if row.action not in TAKES and row.prompt not in TOLD_AS_TAKEN:
        return row
    held = (
        other.name or other.medicine.name
        for other in rows
        if other is not row
        and (other.action in TAKES or other.action is MedicineAction.UNDECIDED)
        and row.medicine.ingredients < other.medicine.ingredients
        and row.medicine.local == other.medicine.local
    )
    other = next(held, "")
    return row._replace(action=MedicineAction.UNDECIDED, prompt=f"{Prompt.SAME_TWICE} {other}") if other else row


def _row(number: str, row: DecidedMedicine, cite: Cite, cite_entry: Cite, added: frozenset[Dosage]) -> MedicineRow:
    dose, timing = regimen_words(row.regimen)
    if not row.entries and is_shorthand(row.regimen):
        dose, timing = " ".join(part for part in (dose, timing, AS_WRITTEN) if part), ""
    if row.dose:
        dose, timing = row.dose, ""
    further = "" if not row.further or row.further in dose else in_plain_terms(row.further)
    timing = ", ".join(part for part in (timing, further) if part)
    ended = row.action in (MedicineAction.STOPPED, MedicineAction.ON_HOLD) or asks(row.prompt, NOT_NOW)
    of_it = () if ended else (*row.statements, *row.medicine.statements)
    purpose = next((one.reason for one in of_it if one.reason), "")
    why = "" if row.action in TAKES else _WHY.get(row.why, row.why)  # why it had ended is no reason to take it
    if why.count("(") != why.count(")"):
        why = why.partition("(")[0].rstrip()  # a bracket that is cut
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
        reason=why or purpose,
        prompt=row.prompt,
        question=question_of(row.prompt),
        source=row.source,
        usual_unit=next((one.unit for one in row.regimen if one in added), ""),
        recognised=row.medicine.recognised,
        likely=row.likely,
        citations=tuple(dict.fromkeys(cited)),
        statement_ids=tuple(dict.fromkeys(one.id for one in row.statements)),
    )
