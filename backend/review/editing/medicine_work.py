"""The medicines table as a clinician has it, laid over the table of any draft, and the sentences that say the same.

A row is known by its ingredients, else by its name: so it stands through every new draft. What the letter says of medicines
in the table's own words follows the table.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from backend.errors import InputError
from backend.generation.letter.medicines.medicine_groups import MedicineReader
from backend.generation.letter.medicines.medicine_sentences import medicine_phrase, medicine_sentences
from backend.interfaces import Linker
from backend.schemas.drafts.draft import Draft, Sentence
from backend.schemas.drafts.gaps import GAP
from backend.schemas.drafts.headings import MEDICINES_PART
from backend.schemas.drafts.medicines import MedicineAction, MedicineQuestion, MedicineRow
from backend.schemas.patients.letter_work import MedicineDecision, MedicineEdit, MedicineKey
from backend.schemas.record import MedicationStatus, PatientRecord
from backend.schemas.vocabulary import Basis, Document

CLINICIAN = "a clinician"
OF_TABLE = "as the medicines table has it"
TAKEN = frozenset(
    {
        MedicineAction.CONTINUE,
        MedicineAction.AS_NEEDED,
        MedicineAction.CHANGED,
        MedicineAction.NEW,
        MedicineAction.UNDECIDED,
    }
)

ENDED = {MedicineAction.STOPPED: MedicationStatus.STOPPED, MedicineAction.ON_HOLD: MedicationStatus.ON_HOLD}


class TableRow(NamedTuple):
    """One row with what a clinician decided of it; removed ones are of the table, but not shown."""

    row: MedicineRow
    decision: MedicineDecision | None = None

    @property
    def removed(self) -> bool:
        """Whether a clinician took it out."""
        return self.decision is not None and self.decision.removed


class Decided(NamedTuple):
    """The decisions with a new one. before, after: the row in words, empty where there is none."""

    decisions: tuple[MedicineDecision, ...]
    before: str
    after: str


def table(rows: Sequence[MedicineRow], decisions: Sequence[MedicineDecision]) -> list[TableRow]:
    """The rows of a draft with a clinician's decisions, the draft's rows first; a decision whose row is gone stands by itself."""
    left = list(decisions)
    made: list[TableRow] = []
    for row in rows:
        decision = next((one for one in left if _is_of(one, row)), None)
        if decision is None:
            made.append(TableRow(row))
            continue
        left.remove(decision)
        cited = row.citations if _says_the_same(decision.row, row) else ()
        kept = {"id": row.id, "citations": cited, "statement_ids": row.statement_ids}
        made.append(TableRow(decision.row.model_copy(update=kept), decision))
    return [*made, *(TableRow(one.row.model_copy(update={"id": one.id}), one) for one in left)]


def shown_rows(rows: Sequence[MedicineRow], decisions: Sequence[MedicineDecision]) -> tuple[MedicineRow, ...]:
    """The rows that the letter has."""
    return tuple(one.row for one in table(rows, decisions) if not one.removed)


def decided(
    rows: Sequence[MedicineRow],
    decisions: Sequence[MedicineDecision],
    edit: MedicineEdit,
    author: str,
    at: datetime,
    linker: Linker | None,
) -> Decided:
    """The decisions after an edit of one row, or with a new row.

    Args:
        rows: of the draft.
        decisions: those made before.
        edit: the row as it is to stand.
        author: who decides.
        at: when.
        linker: reads the name; without one a new name is not recognised.

    Raises:
        InputError: there is no row of that id, or a new one is to be taken out.
    """
    now = table(rows, decisions)
    found = next((one for one in now if edit.id and one.row.id == edit.id), None)
    if edit.id and found is None:
        raise InputError(f"the medicines table has no row {edit.id[:12]!r}.")
    if found is None and edit.removed:
        raise InputError("name the row to take out by its id.")
    base = found.row if found else None
    row = _edited(edit, base, linker)
    old = found.decision if found else None
    if old is not None:
        made = old.model_copy(update={"row": row, "removed": edit.removed, "author": author, "at": at})
        after = tuple(made if one is old else one for one in decisions)
    else:
        number = max((int(one.id[1:]) for one in decisions), default=0) + 1
        made = MedicineDecision(
            id=f"A{number}",
            row=row,
            replaces=_key(base) if base else None,
            lone=not any(_same(_key(one.row), _key(row)) for one in now if not one.removed),
            removed=edit.removed,
            author=author,
            at=at,
        )
        after = (*decisions, made)
    before = medicine_phrase(base) if base and not (found and found.removed) else ""
    return Decided(after, before, "" if edit.removed else medicine_phrase(row))


def with_medicines(draft: Draft, decisions: Sequence[MedicineDecision]) -> Draft:
    """The draft with the table as the clinician has it, and the table's sentences after it.

    A draft that does not tell its table in the table's own words, as a model's, keeps its sentences.
    """
    if not decisions:
        return draft
    rows = shown_rows(draft.medicines, decisions)
    sentences = _following(draft, rows)
    places = {id(s): i for i, s in enumerate(sentences)}
    flags = []
    for flag in draft.flags:
        place = None if flag.sentence is None else places.get(id(draft.sentences[flag.sentence]))
        if flag.sentence is None or place is not None:
            flags.append(flag.model_copy(update={"sentence": place}))
    return draft.model_copy(update={"medicines": rows, "sentences": sentences, "flags": tuple(flags)})


def entries_to_check(decisions: Sequence[MedicineDecision]) -> tuple[str, ...]:
    """The rows of a clinician that a patient is to take, as entries of a list: the safety checks read them."""
    taken = (one.row for one in decisions if not one.removed and one.row.action in TAKEN)
    return tuple(medicine_phrase(row) for row in taken)


def ended_medicines(decisions: Sequence[MedicineDecision]) -> dict[str, MedicationStatus]:
    """The concepts of medicines that a clinician stopped, put on hold or took out, with the status that they have then."""
    out = {one.row.concept_id: MedicationStatus.NOT_TAKEN for one in decisions if one.removed and one.row.concept_id}
    shown = [one.row for one in decisions if not one.removed]
    ended = {row.concept_id: ENDED[row.action] for row in shown if row.action in ENDED and row.concept_id}
    return {concept: status for concept, status in (out | ended).items() if concept not in _taken(shown)}


def _taken(rows: Sequence[MedicineRow]) -> frozenset[str]:
    return frozenset(row.concept_id for row in rows if row.action in TAKEN and row.concept_id)


def as_decided(record: PatientRecord | None, decisions: Sequence[MedicineDecision]) -> PatientRecord | None:
    """The record with the medicines as a clinician decided that they go on: what is stopped is not taken beside the others."""
    ended = ended_medicines(decisions)
    if record is None or not ended:
        return record
    medications = (
        one.model_copy(update={"status": ended[one.concept_id]}) if one.concept_id in ended else one
        for one in record.medications
    )
    return record.model_copy(update={"medications": tuple(medications)})


def sentences_of_ended(rows: Sequence[MedicineRow]) -> frozenset[str]:
    """The table's sentences of the rows that a clinician stopped or put on hold."""
    ended = [row for row in rows if row.action in ENDED and row.source == CLINICIAN]
    return frozenset(text for text, _ in medicine_sentences(ended))


def changed_names(old: Draft, new: Draft) -> tuple[str, ...]:
    """The names of the rows that are not the same in two drafts' tables, as a text may name them, in small letters."""
    before = {(_key(row), medicine_phrase(row), row.action) for row in old.medicines}
    after = {(_key(row), medicine_phrase(row), row.action) for row in new.medicines}
    changed = {key for key, _, _ in before ^ after}
    named = [row.name for row in (*old.medicines, *new.medicines) if _key(row) in changed]
    return tuple(dict.fromkeys(name.partition(" (")[0].lower() for name in named))


def _following(draft: Draft, rows: Sequence[MedicineRow]) -> tuple[Sentence, ...]:
    before = {text for text, _ in medicine_sentences(draft.medicines)}
    told = [s for s in draft.sentences if s.text in before]
    letter = draft.document == Document.DISCHARGE_INSTRUCTIONS
    if not told and (before or not letter):
        return draft.sentences
    known = {s.text: s for s in told}
    section = told[0].section if told else MEDICINES_PART
    made = [known.get(text) or _sentence(text, cited, section) for text, cited in medicine_sentences(rows)]
    # a gap that asks which medicines there are is answered by the first row
    others = [s for s in draft.sentences if s.text not in before]
    if not told and made:
        others = [s for s in others if not (s.section == MEDICINES_PART and GAP.fullmatch(s.text))]
    place = _place(draft.sentences, others, told, section)
    return (*others[:place], *made, *others[place:])


def _place(sentences: Sequence[Sentence], others: Sequence[Sentence], told: Sequence[Sentence], section: str) -> int:
    if told:
        first = next(i for i, s in enumerate(sentences) if s is told[0])
        return sum(1 for s in sentences[:first] if any(s is one for one in others))
    inside = [i for i, s in enumerate(others) if s.section == section]
    return inside[0] if inside else len(others)


def _sentence(text: str, citations: tuple[str, ...], section: str) -> Sentence:
    basis = Basis.PATIENT if any(c.startswith("N") for c in citations) else Basis.GENERAL
    return Sentence(
        text=text, section=section, start_char=0, end_char=0, basis=basis, citations=citations, reason=OF_TABLE
    )


def _edited(edit: MedicineEdit, base: MedicineRow | None, linker: Linker | None) -> MedicineRow:
    same = base is not None and base.name == edit.name
    known = (base.concept_id, base.ingredients, base.recognised) if base and same else _read(edit.name, linker)
    changed = edit.action is MedicineAction.CHANGED and base is not None
    old = (base.old_dose or (base.dose if base.dose != edit.dose else "")) if changed and base else ""
    return MedicineRow(
        id=edit.id or "A0",
        action=edit.action,
        name=edit.name,
        concept_id=known[0],
        ingredients=known[1],
        recognised=known[2],
        dose=edit.dose,
        old_dose=old,
        timing=edit.timing,
        reason=edit.reason,
        prompt=base.prompt if base and edit.action is MedicineAction.UNDECIDED else "",
        question=base.question if base and edit.action is MedicineAction.UNDECIDED else MedicineQuestion.NONE,
        source=CLINICIAN,
        citations=base.citations if base and same and _says_the_same(edit, base) else (),
        statement_ids=base.statement_ids if base and same else (),
    )


def _read(name: str, linker: Linker | None) -> tuple[str | None, tuple[str, ...], bool]:
    """Concept, ingredients, and whether the lexicon knows the name."""
    found = MedicineReader(linker).of_list([name]) if linker is not None else []
    known = [one for one in found if one.recognised]
    if not known:
        return None, (), False
    ingredients = tuple(sorted({i for one in known for i in one.ingredients}))
    return (known[0].concept_id if len(known) == 1 else None), ingredients, len(known) == len(found)


def _says_the_same(edited: MedicineRow | MedicineEdit, row: MedicineRow) -> bool:
    """Whether what a row cites stands behind the edited one too: a place that tells another dose does not."""
    return (edited.dose, edited.timing) == (row.dose, row.timing)


def _key(row: MedicineRow) -> MedicineKey:
    return MedicineKey(ingredients=row.ingredients, name=row.name.lower())


def _same(one: MedicineKey, other: MedicineKey) -> bool:
    if one.ingredients or other.ingredients:
        return one.ingredients == other.ingredients
    return one.name == other.name


def _is_of(decision: MedicineDecision, row: MedicineRow) -> bool:
    """Whether a decision is of a draft's row: the one it was made of, or the same medicine come later."""
    if decision.replaces is not None:
        return _same(decision.replaces, _key(row))
    return decision.lone and _same(_key(decision.row), _key(row))
