"""The note's medicines against a discharge list, or by the note alone: what becomes of each, and what has to be asked.

The rules stand in the docstring of `medicine_table`; this module carries them out.
"""

from collections.abc import Sequence

from backend.generation.letter.medicines.listed_rows import (
    BOTH,
    CLINICIAN,
    THE_NOTE,
    DecidedMedicine,
    going_on,
    is_of_home,
    listed_row,
)
from backend.generation.letter.medicines.medicine_decisions import (
    RAN_OUT,
    SWITCHED,
    Kind,
    NoteDecision,
    decision_of,
)
from backend.generation.letter.medicines.medicine_groups import Medicine
from backend.generation.letter.medicines.medicine_kinds import is_only_thought_of
from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.generation.letter.medicines.stated.beside_words import DOUBTED
from backend.generation.letter.medicines.stated.regimens import (
    Regimen,
    as_one,
    comparable,
    is_stepped,
    same_amounts,
    same_regimen,
    stated,
)
from backend.generation.letter.medicines.stated.told_events import events_of, is_course_here, is_told_as_taken
from backend.generation.letter.medicines.stated.visit_decisions import continuing_all, holds_decisions, is_visit
from backend.interfaces import Linker
from backend.nlp.document.tokens import tokens
from backend.nlp.medications.lists.entry_remarks import Remark
from backend.schemas.drafts.medicines import MedicineAction
from backend.schemas.record import (
    Dosage,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    PatientRecord,
    Setting,
    StatedBy,
)
from backend.schemas.vocabulary import SectionCategory

_GOES_ON = frozenset({MedicineAction.CONTINUE, MedicineAction.AS_NEEDED})
_DECIDED = frozenset({Kind.CONTINUED, Kind.CHANGED, Kind.HELD})
_OWN_LISTS = frozenset((SectionCategory.MEDICATIONS, SectionCategory.PAST_MEDICAL_HISTORY))
_PLANNED = frozenset((SectionCategory.PLAN, SectionCategory.INSTRUCTIONS))
_STAYS = frozenset({Setting.ADMISSION, Setting.HOSPITAL_CONSULT, Setting.PRE_OPERATIVE})
"""Settings in which a plan is for the stay."""


class Reconciliation:
    """The note's medicines against a list, or by themselves.

    Args:
        record: of the note, for its setting and plan.
        linker: reads the names of a combination's parts.
        note_text: the note's, for whether it holds what the visit decided.

    Attributes:
        stay: whether the plan is for a stay in hospital.
    """

    def __init__(self, record: PatientRecord, linker: Linker, note_text: str = "") -> None:
        self.stay = record.encounter.setting in _STAYS and not record.encounter.goes_home
        self._acute = self.stay or record.encounter.setting is Setting.EMERGENCY
        self._visit = is_visit(record)
        self._told_decisions = self._visit and holds_decisions(record, note_text)
        self._all_continue = not self.stay and continuing_all(record) is not None
        self._linker = linker
        self._home_told, self._own_list = True, False

    def rows(
        self, of_note: Sequence[Medicine], entries: Sequence[Medicine], *, own_list: bool = False
    ) -> list[DecidedMedicine]:
        """The rows: those of the list in its order, then those of the note that it lacks.

        Args:
            of_note: the note's medicines.
            entries: the list's; none where there is no list.
            own_list: the list is the note's own, beside which its plan decides too; what a visit prescribes is none of all that is taken.
        """
        self._own_list = own_list
        decided = [(one, found) for one in of_note if (found := decision_of(one.statements)) is not None]
        if not entries:
            rows = [row for one, found in decided if (row := self._by_note(one, found)) is not None]
            return [self._of_stay(row) for row in rows]
        self._home_told = any(map(_is_listed_at_home, of_note))
        out: list[DecidedMedicine] = []
        met: set[int] = set()
        for own in _by_ingredient(entries):
            exact = next((i for i, (one, _) in enumerate(decided) if i not in met and one.is_same(own[0])), None)
            if exact is not None:
                met.add(exact)
                out.append(self._on_both(*decided[exact], own))
                continue
            home = [(one, found) for one, found in decided if _was_taken(found)]
            shared = next(((one, found) for one, found in home if one.shares(own[0])), None)
            vague = next(((one, found) for one, found in home if one.narrows(own[0])), None)
            if shared is not None:
                out.append(self._in_another(*shared, own))
            elif vague is not None:
                met.update(i for i, (one, _) in enumerate(decided) if one is vague[0])
                out.append(self._less_exact(vague[0], own))
            else:
                out.append(listed_row(own, home_told=self._home_told))
        covered = frozenset().union(*(one.ingredients for one in entries))
        for i, (one, found) in enumerate(decided):
            if i not in met:
                out += self._not_listed(one, found, covered)
        return out

    def _of_stay(self, row: DecidedMedicine) -> DecidedMedicine:
        """The row; a course that is begun in the stay is asked about: whether it goes on at home."""
        if not self.stay or row.action is not MedicineAction.HOSPITAL_ONLY:
            return row
        course = any(map(is_course_here, row.statements))
        action, prompt = _asks(Prompt.STARTED_IN_STAY) if course else (row.action, row.prompt)
        return row._replace(action=action, prompt=prompt)

    def _by_note(self, one: Medicine, found: NoteDecision) -> DecidedMedicine | None:
        """A row by the note alone."""
        row = DecidedMedicine(
            MedicineAction.UNDECIDED, one, found.regimen, source=_note_source(one), why=found.why,
            statements=one.statements, further=one.further, dose=f"\u201c{one.course}\u201d" if one.course else "",
        )  # fmt: skip
        if found.conflict:
            words = f"{Prompt.DECISIONS_DISAGREE} ({found.conflict[0].value}; {found.conflict[1].value})"
            return row._replace(prompt=words)
        if found.disagreeing and not row.dose:
            return row._replace(prompt=Prompt.DOSES_DISAGREE, dose=_either(found.disagreeing))
        action, prompt = self._decided(found, one)
        if one.is_class and found.kind is Kind.STOPPED and not found.at_home:
            return None  # "off PPI 2 weeks before the test" is of no medicine that is told as taken
        if one.is_class and found.kind is Kind.PLANNED and all(map(is_only_thought_of, one.statements)):
            return None  # "options are exercise and analgesics as needed"
        if found.resumes and found.kind is Kind.CONTINUED and (found.at_home or not self.stay):
            return row._replace(action=MedicineAction.ON_HOLD, why=f"restart {found.resumes}")
        if prompt is Prompt.DOSES_DISAGREE:
            return row._replace(prompt=prompt, dose=_either([found.old, found.regimen]))
        changed = action is MedicineAction.CHANGED or prompt is Prompt.CHANGED_IN_STAY
        old = as_one(found.old) if changed and not one.course else ""  # a course tells its own steps
        prompt = Prompt.PLANNED_SO if prompt is Prompt.PLANNED and one.course else prompt
        return row._replace(action=action, prompt=prompt, old=old)

    def _decided(self, found: NoteDecision, one: Medicine) -> tuple[MedicineAction, str]:
        match found.kind:
            case Kind.STOPPED:
                return self._ended(found)
            case Kind.HELD:
                of_stay = Prompt.HELD_FOR_STAY if found.at_home else Prompt.HELD_HERE
                return _asks(of_stay) if self.stay else (MedicineAction.ON_HOLD, "")
            case Kind.CONTINUED:
                # "continue" beside a name alone is of anything; a dose or a listed medicine says that it is taken
                taken = not self.stay and any("TAKES" in events_of(held) for held in one.statements)
                sure = found.firm or found.listed or self._visit or taken
                again = any(
                    held.status is MedicationStatus.STOPPED for held in one.statements
                )  # "resume" what had ended
                goes_on = MedicineAction.TAKE if again else going_on(found.regimen)
                return (goes_on, "") if sure else _asks(Prompt.TAKEN_BEFORE)
            case Kind.CHANGED:
                if not stated(found.regimen):
                    return _asks(Prompt.DOSE_NOT_STATED)
                return _asks(Prompt.CHANGED_IN_STAY) if self.stay else (MedicineAction.CHANGED, "")
            case Kind.STARTED | Kind.PLANNED | Kind.DISCHARGE:
                return self._begun(found)
            case Kind.TAKEN:
                if not found.now:
                    return _asks(Prompt.BEGUN_BEFORE)
                if found.why == RAN_OUT:
                    return _asks(Prompt.RAN_OUT)
                if self._told_decisions and found.at_home and not self._all_continue and DOUBTED not in one.further:
                    return _asks(Prompt.UNCHANGED)
                if not self._all_continue:
                    needed = going_on(found.regimen) is MedicineAction.AS_NEEDED
                    return _asks(Prompt.NEEDED_BEFORE if needed and found.at_home else Prompt.TAKEN_BEFORE)
                return going_on(found.regimen), ""
            case Kind.STOPPED_BEFORE:
                if found.why == RAN_OUT:
                    return _asks(Prompt.RAN_OUT)
                return _asks(Prompt.STOPPED_BEFORE if found.worded else Prompt.STOP_MEANT)
            case Kind.NOT_TAKEN:
                offered = self._acute and not found.at_home
                return _asks(Prompt.NOT_TAKEN_HERE if offered else Prompt.NOT_TAKEN)
            case Kind.TRIED:
                return MedicineAction.STOPPED, Prompt.TRIED
            case Kind.HERE:
                return MedicineAction.HOSPITAL_ONLY, ""

    @staticmethod
    def _ended(found: NoteDecision) -> tuple[MedicineAction, str]:
        """What the note stops: surely only in words, and what is told as taken or stands beside them, and not the one side of a switch."""
        sure = found.at_home and found.replaced if found.why == SWITCHED else found.at_home or found.plain
        if found.worded and sure:
            return MedicineAction.STOPPED, ""
        return _asks(Prompt.STOP_MEANT)

    def _begun(self, found: NoteDecision) -> tuple[MedicineAction, str]:
        """What is started or planned: new, or changed where another dose was taken before."""
        steps = found.regimen[:1] if is_stepped(found.regimen) else found.regimen
        whole = bool(steps) and all(map(_is_whole, steps))
        if self.stay and found.kind is not Kind.DISCHARGE:
            if found.kind is Kind.PLANNED and any(one.timing == "ONCE" for one in found.regimen):
                return MedicineAction.HOSPITAL_ONLY, ""
            planned = found.kind is Kind.PLANNED and not found.firm
            return _asks(Prompt.PLAN_OF_STAY if planned else Prompt.STARTED_IN_STAY)
        if stated(found.old):
            return (MedicineAction.CHANGED, "") if found.firm or whole else _asks(Prompt.DOSES_DISAGREE)
        if found.taken and stated(found.regimen):
            return (MedicineAction.TAKE if found.ordered and found.firm else going_on(found.regimen)), ""
        if found.taken:
            return _asks(Prompt.TAKEN_BEFORE)
        sure = found.firm or whole or found.ordered or found.kind is Kind.DISCHARGE
        return (MedicineAction.NEW, "") if sure else _asks(Prompt.PLANNED)

    def _on_both(self, one: Medicine, found: NoteDecision, own: Sequence[Medicine]) -> DecidedMedicine:
        """A row of a medicine that note and list name."""
        row = listed_row(own, home_told=self._home_told)
        row = row._replace(
            source=BOTH,
            why=row.why or found.why,
            name=_both_names(own[0].name, one.name),
            statements=(*one.statements, *row.statements),
        )
        if row.prompt or row.action in (MedicineAction.STOPPED, MedicineAction.ON_HOLD):
            return row
        if found.kind is Kind.STOPPED and not found.conflict:
            return row._replace(action=MedicineAction.UNDECIDED, prompt=Prompt.STOPPED_BUT_LISTED)
        if row.action is MedicineAction.CHANGED and row.old:
            return row
        if not _was_taken(found) or own[0].decision is Remark.NEW:
            return row._replace(action=MedicineAction.NEW)
        if not found.at_home and own[0].decision not in (Remark.SAME, Remark.CHANGED):
            return row._replace(action=MedicineAction.TAKE)  # begun in the stay, it may be
        # before a change that the note itself tells, the patient took the old dose
        before = list(found.disagreeing) or [found.old if stated(found.old) else found.regimen]
        own_change = _own_change(own)
        if own[0].decision is Remark.SAME and not any(same_regimen(row.regimen, one) for one in before if stated(one)):
            apart = [regimen for regimen in (row.regimen, *before) if stated(regimen)]
            return (
                row._replace(action=MedicineAction.UNDECIDED, prompt=Prompt.DOSES_DISAGREE, dose=_either(apart))
                if len(apart) > 1
                else row
            )
        if (
            own[0].decision is Remark.CHANGED
            and own_change is None
            and not row.old
            and stated(row.regimen)
            and any(same_regimen(row.regimen, one) for one in before)
        ):
            return row._replace(
                action=MedicineAction.UNDECIDED, prompt=Prompt.LIST_UNCLEAR, dose=f"\u201c{own[0].written}\u201d"
            )
        if own_change is None and (not stated(row.regimen) or any(same_regimen(row.regimen, one) for one in before)):
            kept = row.regimen if stated(row.regimen) else found.regimen
            return row._replace(action=going_on(kept), regimen=kept)
        old = as_one(own_change) if own_change else _either([regimen for regimen in before if stated(regimen)])
        if own_change is None and not all(comparable(row.regimen, one) for one in before):
            if all(same_amounts(row.regimen, one) for one in before):
                return row._replace(action=MedicineAction.TAKE)  # as the list has it
            return row._replace(action=MedicineAction.UNDECIDED, prompt=Prompt.COMPARE, old=old)
        return row._replace(action=MedicineAction.CHANGED, old=old or row.old)

    def _in_another(self, one: Medicine, found: NoteDecision, own: Sequence[Medicine]) -> DecidedMedicine:
        """A row of an entry that holds an ingredient of another medicine taken before."""
        row = listed_row(own, home_told=self._home_told)
        if row.action not in (MedicineAction.NEW, MedicineAction.TAKE):
            return row
        old = " ".join(part for part in (one.name, as_one(found.regimen)) if part)
        return row._replace(action=MedicineAction.CHANGED, old=old, source=BOTH, statements=one.statements)

    def _less_exact(self, one: Medicine, own: Sequence[Medicine]) -> DecidedMedicine:
        row = listed_row(own, home_told=self._home_told)
        return row._replace(
            action=MedicineAction.UNDECIDED,
            prompt=row.prompt or Prompt.LESS_EXACT,
            source=BOTH,
            statements=one.statements,
        )

    def _not_listed(self, one: Medicine, found: NoteDecision, covered: frozenset[str]) -> list[DecidedMedicine]:
        """The rows of a medicine of the note that a discharge list does not have."""
        row = self._by_note(one, found)
        if row is None or row.action is MedicineAction.HOSPITAL_ONLY or found.kind is Kind.NOT_TAKEN:
            return [row] if row else []
        if found.kind in (Kind.STOPPED_BEFORE, Kind.TRIED) and not found.conflict:
            return []
        if found.kind is Kind.STOPPED and not found.conflict:
            return [row._replace(action=MedicineAction.STOPPED, prompt="", source=BOTH)]
        if self._all_continue and found.kind is Kind.TAKEN and found.now and row.action in _GOES_ON:
            return [row]  # "continue home medicines" beside the new prescriptions
        if self._own_list and found.kind in _DECIDED and not row.prompt and any(map(self._is_planned, one.statements)):
            return [row]
        left = one.ingredients - covered
        if left != one.ingredients:  # some of it stands on another row
            return [self._part(one, concept_id) for concept_id in sorted(left)]
        asked = Prompt.NOT_ON_LIST if _is_told_at_home(one) or found.conflict else Prompt.NAMED_ONLY
        asks = row._replace(action=MedicineAction.UNDECIDED, prompt=asked, old="")
        return [asks._replace(source=BOTH if _note_source(one) is THE_NOTE else row.source)]

    def _is_planned(self, one: MedicationStatement) -> bool:
        """Whether the note says what becomes of a medicine: a visit anywhere, a discharge summary in its plan."""
        told = bool(one.change) or one.status is MedicationStatus.ON_HOLD
        return told and (self._visit or one.section in _PLANNED)

    def _part(self, one: Medicine, concept_id: str) -> DecidedMedicine:
        """An ingredient of a combination that no row holds any more."""
        statement = one.statements[0]
        names = {self._concept(name): name for name in statement.ingredients}
        name = names.get(concept_id, one.name)
        part = one._replace(ingredients=frozenset({concept_id}), name=name)
        return DecidedMedicine(
            MedicineAction.UNDECIDED, part, prompt=Prompt.PART_LEFT, source=BOTH, statements=one.statements,
            name=name, old=one.name,
        )  # fmt: skip

    def _concept(self, name: str) -> str:
        found = self._linker.link(name).note.mentions
        return found[0].concept_id if found else name.lower()


def _by_ingredient(entries: Sequence[Medicine]) -> list[list[Medicine]]:
    """The entries of a list, those of one medicine together."""
    groups: dict[tuple[frozenset[str], str], list[Medicine]] = {}
    for one in entries:
        groups.setdefault((one.ingredients, one.local), []).append(one)
    return list(groups.values())


def _is_listed_at_home(one: Medicine) -> bool:
    """Whether it stands in a list of what is taken at home, beside which a discharge list tells what is new."""
    return any(own.section is SectionCategory.MEDICATIONS and is_of_home(own) for own in one.statements)


def _is_told_at_home(one: Medicine) -> bool:
    """Whether words or a list tell that it is taken at home; a name in running text may be of what was given, thought of or tested."""
    return any(
        own.stated_by is StatedBy.CLINICIAN
        or own.listed is MedicationCategory.COMMUNITY
        or (own.category is MedicationCategory.COMMUNITY and own.section in _OWN_LISTS)
        or (own.category is MedicationCategory.COMMUNITY and is_told_as_taken(own))
        for own in one.statements
    )


def _was_taken(found: NoteDecision) -> bool:
    return found.taken or found.kind is Kind.TAKEN or Kind.TAKEN in found.conflict


def _own_change(own: Sequence[Medicine]) -> Regimen | None:
    """The old dosage that an entry itself tells ("increased from 10 mg")."""
    dosages = [one.old_dosage for medicine in own for one in medicine.statements if one.old_dosage is not None]
    return tuple(dosages[:1]) if dosages else None


def _asks(prompt: Prompt) -> tuple[MedicineAction, str]:
    return MedicineAction.UNDECIDED, prompt


def _is_whole(one: Dosage) -> bool:
    """Whether a dosage says how much and when."""
    amount = one.dose is not None or one.quantity is not None
    return amount and bool(one.timing or one.as_needed)


def _either(regimens: Sequence[Regimen]) -> str:
    return " or ".join(dict.fromkeys(as_one(regimen) for regimen in regimens))


def _both_names(listed: str, noted: str) -> str:
    """The list's name, and the note's where it is another one: nobody may take a brand and its generic side by side."""
    short = noted.partition(" (")[0]
    own, other = (frozenset(tokens(name.replace("-", " ")).words) for name in (listed, short))
    told = any(a.startswith(b) or b.startswith(a) for a in own for b in other if len(min(a, b, key=len)) > 2)
    if told:
        return listed
    return f"{listed[:-1]}, {short})" if listed.endswith(")") else f"{listed} ({short})"


def _note_source(one: Medicine) -> str:
    by_clinician = any(s.stated_by is StatedBy.CLINICIAN for s in one.statements)
    return CLINICIAN if by_clinician else THE_NOTE
