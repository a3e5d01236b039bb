"""What a note says of a kind of medicine ("NSAIDs", "her blood pressure pills"), and what follows for the medicines of that kind that it names.

- A kind that the plan goes on with decides the members that the note tells as taken; a kind that it ends, those that can be left out at once.
- A kind beside a member that it is told of ("insulin", Lantus; "start an antibiotic", nitrofurantoin) is no row of its own.
- A kind alone is told as the note decides it: what goes on goes on where the note tells it as taken besides, and what is begun is new where
  a patient can get it by its kind ("emollients"). Which antibiotic, or which blood pressure pill, has to be told.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from backend.generation.letter.medicines.listed_rows import THE_NOTE, DecidedMedicine, going_on
from backend.generation.letter.medicines.medicine_decisions import Kind, is_ended_in_words, kind_of
from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.generation.letter.medicines.stated.told_events import events_of
from backend.generation.letter.medicines.stated.usual_units import UsualUnit, no_unit
from backend.nlp.document.tokens import tokens
from backend.nlp.medications.medicine_events import NEVER, SCORED
from backend.nlp.medications.merged_statements import WEAK
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.medicines import MedicineAction
from backend.schemas.record import Experiencer, MedicationStatement, MedicationStatus, PatientRecord
from backend.schemas.vocabulary import SectionCategory

TAKES = frozenset({
    MedicineAction.CONTINUE, MedicineAction.AS_NEEDED, MedicineAction.CHANGED, MedicineAction.NEW, MedicineAction.TAKE,
})  # fmt: skip
_TAKEN = frozenset({MedicineAction.CONTINUE, MedicineAction.AS_NEEDED})
_BEGUN = frozenset({Kind.STARTED, Kind.PLANNED, Kind.DISCHARGE})
_BEFORE = frozenset({Prompt.TAKEN_BEFORE, Prompt.NEEDED_BEFORE, Prompt.UNCHANGED})
TOLD_AS_TAKEN = _BEFORE | {Prompt.NOT_ON_LIST}
_ADDED = re.compile(r"[^.;\n]*(?:\b(?:and|as well as|plus|also|besides)\b|[+&])[^.;\n]*", re.IGNORECASE)
"""What stands between two names of which one is told in addition to the other."""


def _nothing(_: str) -> tuple[str, ...]:
    return ()


def _not_kept_up(_: str) -> bool:
    return False


def usual(_: MedicationStatement) -> bool:
    """No dose is far above the usual."""
    return False


class Against(NamedTuple):
    """What somebody has to decide where what the patient has speaks against a medicine; never: it is not to be given at all."""

    prompt: str = ""
    never: bool = False


def _nothing_against(_: str) -> Against:
    return Against()


class TableKnowledge(NamedTuple):
    """What is known of medicines, by concept id.

    Attributes:
        classes: the classes above a medicine.
        against: what speaks against a medicine; of the empty prompt for nothing.
        intolerances: what the note lists as not tolerated, without an allergy.
        allergy_siblings: of what an allergy surely reaches, what is only of one family with the allergen, and neither it nor of it.
        allergy_kin: what is of a kind with a listed allergy or may cross-react with it, so that somebody has to ask.
        kept_up: whether a medicine or class does harm where it is stopped without a word.
        far_above: whether a stated dose is far above the usual.
        usual_unit: the one unit in which a dose without a unit is usual.
    """

    classes: Callable[[str], Collection[str]] = _nothing
    against: Callable[[str], Against] = _nothing_against
    intolerances: frozenset[str] = frozenset()
    allergy_siblings: frozenset[str] = frozenset()
    allergy_kin: frozenset[str] = frozenset()
    far_above: Callable[[MedicationStatement], bool] = usual
    usual_unit: UsualUnit = no_unit
    kept_up: Callable[[str], bool] = _not_kept_up


class DecidedKinds:
    """The rows of a note with what it says of their kinds. Use once a draft.

    Args:
        rows: as reconciled.
        record: of the note, whose statements of kinds decide too where they are no row.
        known: the classes above a medicine, and which do harm where they are stopped.
        note_text: the note's, for what is told in addition to another.
        stay: whether the patient is in hospital, where a plan is for the stay.
    """

    def __init__(
        self,
        rows: Sequence[DecidedMedicine],
        record: PatientRecord,
        known: TableKnowledge,
        note_text: str,
        *,
        stay: bool,
    ) -> None:
        self._rows = rows
        self._record = record
        self._known = known
        self._text = note_text
        self._stay = stay

    def rows(self) -> list[DecidedMedicine]:
        """The rows: those of kinds that are told by their members left out, members as their kind is decided."""
        kept = [row for row in self._rows if not self._is_said_by_member(row)]
        return [self._ended(self._kept_up(row)) for row in kept]

    def _of(self, row: DecidedMedicine) -> Collection[str]:
        """The kinds that a medicine is of: the classes above it, and what it is called by the way it is taken ("inhalers")."""
        concept = row.medicine.concept_id
        classes = frozenset(() if concept is None else self._known.classes(concept))
        inhaled = not classes.isdisjoint(word_lists("letter/words_medicines")["inhaled"])
        return classes | {_INHALERS} if inhaled else classes

    def _own(self) -> Iterator[MedicationStatement]:
        return (one for one in self._record.medications if one.experiencer is Experiencer.PATIENT)

    def _kept_up(self, row: DecidedMedicine) -> DecidedMedicine:
        """The row; one that is only told as taken goes on where the plan of a visit goes on with its kind."""
        if self._stay or row.prompt not in _BEFORE or row.medicine.is_class:
            return row
        classes = self._of(row)
        lent = next((kind for kind in self._rows if self._lends(kind) is row), None)
        if lent is not None:
            return row._replace(action=lent.action, prompt="", regimen=lent.regimen)
        kept = any(_kind(one) in classes and kind_of(one) is Kind.CONTINUED and one.decided for one in self._own())
        return row._replace(action=going_on(row.regimen), prompt="") if kept else row

    def _lends(self, kind: DecidedMedicine) -> DecidedMedicine | None:
        """The one member that a kind goes on with as it tells, where the note tells nothing of how that is taken: "NSAIDs as needed", ibuprofen."""
        plain = bool(kind.regimen) and all(one.dose is None for one in kind.regimen)
        if self._stay or not (plain and kind.medicine.is_class and kind.action in _TAKEN) or kind.entries:
            return None
        concept = kind.medicine.concept_id or kind.medicine.statements[0].name
        members = [one for one in self._rows if not one.medicine.is_class and concept in self._of(one)]
        if len(members) != 1 or members[0].regimen or members[0].prompt not in _BEFORE:
            return None
        return members[0]

    def _ended(self, row: DecidedMedicine) -> DecidedMedicine:
        """The row; one that goes on by a list while the note ends its kind is stopped with it, or asked about.

        It is stopped where the plan of a visit ends the kind and the medicine does no harm when it is left out at once. What is begun by
        its own name is.
        """
        if row.medicine.concept_id is None or (
            row.action not in TAKES - {MedicineAction.NEW} and row.prompt not in (*_BEFORE, Prompt.BEGUN_BEFORE)
        ):
            return row
        classes = self._of(row)
        name = next(self._ending(classes), "")
        if not name:
            return row
        told = (
            row.prompt in (*_BEFORE, Prompt.BEGUN_BEFORE)
            and not self._stay
            and not self._known.kept_up(row.medicine.concept_id)
        )
        if told and any(_kind(one) in classes and _is_ended_here(one) for one in self._own()):
            return row._replace(action=MedicineAction.STOPPED, prompt="", regimen=(), further="")
        return row._replace(action=MedicineAction.UNDECIDED, prompt=f"{Prompt.CLASS_ENDED}: {name}")

    def _ending(self, classes: Collection[str]) -> Iterator[str]:
        """The names of the kinds that the note ends, holds, or has as not taken."""
        for other in self._rows:
            over = other.action in (MedicineAction.STOPPED, MedicineAction.ON_HOLD)
            over |= other.prompt in (Prompt.STOPPED_BEFORE, Prompt.HELD_FOR_STAY)
            if other.medicine.concept_id in classes and over and any(map(is_ended_in_words, other.medicine.statements)):
                yield other.name or other.medicine.name
        for one in self._own():
            untaken = one.status is MedicationStatus.NOT_TAKEN and NEVER not in events_of(one)
            if _kind(one) in classes and (untaken or _is_ended_here(one)):
                yield one.name

    def _is_said_by_member(self, row: DecidedMedicine) -> bool:
        """Whether a row of a kind alone ("insulin") is of a medicine that another row names ("Lantus")."""
        concept = row.medicine.concept_id or row.medicine.statements[0].name
        plain = row.prompt in TOLD_AS_TAKEN or row.action in _TAKEN
        begun = row.medicine.is_class and any(kind_of(one) in _BEGUN for one in row.statements)
        if self._lends(row) is not None:
            return True
        told = row.regimen and concept != _INHALERS
        if row.entries or told or row.further or not (plain or begun):
            return False
        return any(
            other is not row
            and other.action not in (MedicineAction.HOSPITAL_ONLY, MedicineAction.STOPPED)
            and concept in self._of(other)
            and (
                plain
                or (other.action in TAKES and any(kind_of(one) in (*_BEGUN, Kind.CHANGED) for one in other.statements))
            )
            and (not plain or not _is_added(row, other, self._text))
            for other in self._rows
        )


_INHALERS = "inhalers"


def _kind(one: MedicationStatement) -> str:
    return one.concept_id or one.name


def _is_ended_here(one: MedicationStatement) -> bool:
    """Whether the note itself ends a kind ("stop all NSAIDs"), or tells to avoid it."""
    avoided = one.status is MedicationStatus.NOT_TAKEN and "AVOID" in events_of(one)
    return one.decided and (kind_of(one) is Kind.STOPPED or avoided)


def as_kind(row: DecidedMedicine, known: TableKnowledge) -> DecidedMedicine:
    """The row of a kind alone ("blood pressure pills"): as the note decides it, else which one it is has to be told before anything else."""
    begun = row.action in (MedicineAction.NEW, MedicineAction.CHANGED)
    if begun or row.prompt == Prompt.PLANNED:
        got = row.action is not MedicineAction.CHANGED and _is_got_by_its_kind(row)
        action, prompt = (MedicineAction.NEW, "") if got else (MedicineAction.UNDECIDED, Prompt.PLANNED)
        return row._replace(action=action, prompt=prompt)
    kept_up = row.action in _TAKEN and row.source == THE_NOTE and (_is_got_by_its_kind(row) or _is_told_as_taken(row))
    if kept_up or row.prompt == Prompt.UNCHANGED:
        return row
    if row.action not in TAKES and row.prompt not in (*TOLD_AS_TAKEN, Prompt.BEGUN_BEFORE):
        return row
    kept = row.medicine.concept_id is not None and known.kept_up(row.medicine.concept_id)
    return row._replace(action=MedicineAction.UNDECIDED, prompt=Prompt.CLASS_KEPT if kept else Prompt.CLASS)


def _is_told_as_taken(row: DecidedMedicine) -> bool:
    """Whether a list or words besides "continue" tell that the patient takes it, so that they know which one it is."""
    return any(one.section is SectionCategory.MEDICATIONS or events_of(one) & _HAD for one in row.statements)


_HAD = frozenset({"TAKES", "STARTED", "PRESCRIBED"})


def is_only_thought_of(one: MedicationStatement) -> bool:
    """Whether a plan names a kind of medicine without a word that decides on it, or a dose."""
    return one.dosage.dose is None and (one.certainty <= WEAK or SCORED in one.rule_ids or one.refused)


def _is_got_by_its_kind(row: DecidedMedicine) -> bool:
    """Whether a patient can get it without a name, as from a pharmacy: "emollients"."""
    words = frozenset(tokens(row.medicine.name).words) | frozenset(tokens(row.medicine.statements[0].name).words)
    return not words.isdisjoint(word_lists("letter/words_medicines")["by_kind"])


def is_nothing_to_start(row: DecidedMedicine, rows: Sequence[DecidedMedicine], known: TableKnowledge) -> bool:
    """Whether a class was ended before, or is on hold while its members are asked about by their names."""
    held = row.action is MedicineAction.ON_HOLD and any(
        other.prompt.startswith(Prompt.CLASS_ENDED)
        and row.medicine.concept_id in known.classes(other.medicine.concept_id or "")
        for other in rows
    )
    return held or row.prompt in (Prompt.STOPPED_BEFORE, Prompt.STOP_MEANT)


def _is_added(row: DecidedMedicine, other: DecidedMedicine, note_text: str) -> bool:
    """Whether the note tells one of two medicines in addition to the other: "Lantus as well as oral hypoglycemics"."""
    own, theirs = ([one.spans[0] for one in decided.medicine.statements if one.spans] for decided in (row, other))
    pairs = [sorted((a, b), key=lambda span: span.start_char) for a in own for b in theirs]
    return any(_ADDED.fullmatch(note_text[first.end_char : last.start_char]) for first, last in pairs)
