"""What a note itself decides about one medicine, from all its statements of that medicine.

A statement counts as decided in this encounter where it stands in the plan, the assessment, the instructions or the hospital course, is
worded as an order ("stop", not "was stopped"), or is a clinician's correction; else it is history. What is only thought of, conditional, or
named without a dose adds nothing. A correction beats whatever was read; then what is decided beats the list, and a restart the hold before it.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from backend.generation.letter.medicines.stated.regimens import (
    Regimen,
    distinct,
    fuller,
    is_part_of,
    regimens_of,
    same_regimen,
    stated,
)
from backend.generation.letter.medicines.stated.told_events import CHANGE_OF, events_of, is_by_entry, is_one_dose
from backend.nlp.medications.medicine_events import (
    BY_SECTION,
    CONDITIONAL,
    NEVER,
    NO_HELP,
    PLAN_ITEM,
    SCORED,
    UNBEARABLE,
)
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import (
    Dosage,
    Experiencer,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    StatedBy,
)
from backend.schemas.vocabulary import SectionCategory

RAN_OUT, SWITCHED = "ran out", "switched"
_TRIALS = frozenset({NO_HELP, UNBEARABLE})
"""Why a medicine was stopped, as the reader names it where the verb alone says so."""
_ONLY_NAMED = 0.5
"""Certainty of a medicine that a note names without saying anything of it."""
_DECIDED = frozenset({
    SectionCategory.PLAN, SectionCategory.ASSESSMENT, SectionCategory.INSTRUCTIONS, SectionCategory.HOSPITAL_COURSE,
})  # fmt: skip
_PLANNED = frozenset({SectionCategory.PLAN, SectionCategory.INSTRUCTIONS})
_ONCE = frozenset({"", "ONCE", "STAT"})
"""Timings of what is given and done with; what is begun in hospital to be taken on is asked about."""
_BEGUN = frozenset({"PRESCRIBED", "STARTED", "SWITCHED_TO"})
"""Events by which a medicine was once begun, whatever became of it."""
_HAD = frozenset({"TAKES", "GIVEN", "TREATED"})
"""Events that in the past tense tell only that it was had."""
_OVER = frozenset({MedicationStatus.STOPPED, MedicationStatus.COMPLETED})
_BESIDE = 3  # letters between a medicine's name and the word that stops it: " - "
_DOSE_CHANGES = frozenset({"increased", "decreased", "changed"})


class Kind(StrEnum):
    """What one statement says of a medicine: history (taken, stopped before), decided now, or given here."""

    TAKEN = "taken"
    CONTINUED = "continued"
    CHANGED = "changed"
    STARTED = "started"
    PLANNED = "planned"
    DISCHARGE = "discharge"
    STOPPED = "stopped"
    STOPPED_BEFORE = "stopped before"
    HELD = "on hold"
    NOT_TAKEN = "not taken"
    TRIED = "tried before"
    HERE = "given here"


_BEFORE = (Kind.STOPPED_BEFORE, Kind.NOT_TAKEN)
GOES_ON = frozenset({Kind.CONTINUED, Kind.CHANGED, Kind.STARTED, Kind.DISCHARGE})
ENDS = frozenset({Kind.STOPPED, Kind.HELD})


class NoteDecision(NamedTuple):
    """What the note says of one medicine.

    Attributes:
        kind: the decision; TAKEN where the note only states that it is taken.
        regimen: the dosage that holds after it, as far as stated.
        old: the dosage before a change.
        disagreeing: regimens that contradict each other, or none.
        conflict: two kinds that contradict each other ("on hold", "continued"), or none.
        taken: it was taken at home before.
        firm: of a decision, that it is worded as one and has a dose.
        listed: it is also told as taken, apart from the decision.
        why: of a stop or hold.
        now: it is listed, or told as taken; False where the note tells only that it was once begun.
        at_home: it is told as taken at home or stands in a list of what is.
        plain: of a stop, that its word stands right beside the name.
        worded: of a stop, that words end it, and none continues it in the same breath ("continue, never stop").
        replaced: the note tells what takes its place. ordered: an order begins it. resumes: when it is taken again.
    """

    kind: Kind
    regimen: Regimen = ()
    old: Regimen = ()
    disagreeing: tuple[Regimen, ...] = ()
    conflict: tuple[Kind, ...] = ()
    taken: bool = False
    firm: bool = False
    listed: bool = False
    why: str = ""
    now: bool = True
    at_home: bool = False
    plain: bool = False
    worded: bool = False
    replaced: bool = False
    ordered: bool = False
    resumes: str = ""


def kind_of(one: MedicationStatement) -> Kind | None:
    """What a statement says of a medicine of the patient; None where it is no reason for a row."""
    here = one.category is MedicationCategory.INPATIENT
    if one.experiencer is not Experiencer.PATIENT:
        return None
    if one.why_stopped in _TRIALS and one.status in _OVER and not here:
        return Kind.TRIED
    if one.status is MedicationStatus.COMPLETED:
        return None
    words, ordered = _words(one), any(map(_ordered, _by_span(one)))
    now = one.stated_by is StatedBy.CLINICIAN or one.decided or ordered
    now |= one.section in _DECIDED and "had" not in words
    match one.status:
        case MedicationStatus.ON_HOLD:
            return Kind.HELD
        case MedicationStatus.STOPPED:
            if one.why_stopped == RAN_OUT:
                return Kind.STOPPED_BEFORE
            if here and not ordered:
                return Kind.HERE
            if one.why_stopped == SWITCHED and not now:
                return None
            return Kind.STOPPED if now else Kind.STOPPED_BEFORE
        case MedicationStatus.NOT_TAKEN:
            return Kind.NOT_TAKEN if _belongs(one) and NEVER not in events_of(one) else None
    if one.status is MedicationStatus.INTENDED and CONDITIONAL in one.rule_ids:
        return None
    if here:
        if one.change in _DOSE_CHANGES and one.decided and one.section is not SectionCategory.HOSPITAL_COURSE:
            return Kind.CHANGED
        return Kind.STARTED if one.change == "started" and one.dosage.timing not in _ONCE else Kind.HERE
    if one.category is MedicationCategory.DISCHARGE:
        return Kind.DISCHARGE
    if _is_only_named(one) or (words & (_lists()["tentative"] - _decisive(one)) and one.rule_ids != (BY_SECTION,)):
        return None
    if one.status is MedicationStatus.INTENDED:
        return Kind.PLANNED
    if one.section is not SectionCategory.PLAN and one.dosage.timing in _ONCE and is_one_dose(one):
        return Kind.HERE
    if not now or not one.change:
        return Kind.TAKEN
    if one.change == "started":
        return Kind.STARTED
    return Kind.CHANGED if one.change in _DOSE_CHANGES else Kind.CONTINUED


def _decisive(one: MedicationStatement) -> frozenset[str]:
    """Tentative words that decide all the same: "I recommend Mobic 15 mg once a day" in a plan, "she can keep using it"; "consider" does not."""
    advised, allows = _is_firm(one) and one.section in _PLANNED, one.change == "continued"
    return frozenset().union(_lists()["advised"] if advised else (), _lists()["allows"] if allows else ())


def decision_of(statements: Sequence[MedicationStatement]) -> NoteDecision | None:
    """What the statements of one medicine come to; None where they are no reason for a row.

    Args:
        statements: of one medicine, in any order.
    """
    clinicians = [one for one in statements if one.stated_by is StatedBy.CLINICIAN]
    placed = sorted(clinicians or statements, key=lambda one: one.spans[0].start_char if one.spans else 0)
    placed += [beside for one in placed if (beside := _worded_beside(one)) is not None]
    found = [(kind, one) for one in placed if (kind := kind_of(one)) is not None]
    if not found:
        return None
    by_kind: dict[Kind, list[MedicationStatement]] = {}
    for kind, one in found:
        by_kind.setdefault(kind, []).append(one)
    _settle(by_kind)
    taken = bool(by_kind.keys() & {Kind.TAKEN, Kind.CONTINUED, Kind.CHANGED, Kind.HELD})
    taken |= any(one.change == "resumed" for _, one in found)
    before = regimens_of(by_kind.get(Kind.TAKEN, ()))
    conflict = _conflict(by_kind)
    if conflict:
        everything = regimens_of([one for _, one in found])
        return NoteDecision(conflict[0], fuller(everything), conflict=conflict, taken=taken, why=_why(by_kind))
    for kind in _RANKED:
        if kind in by_kind:
            return _decided(kind, by_kind[kind], before, taken)._replace(
                why=_why(by_kind),
                listed=Kind.TAKEN in by_kind,
                at_home=any(_is_of_home(one) for _, one in found),
                plain=any(map(_is_plain, by_kind[kind])),
                replaced=any(one.replaced_by for one in by_kind[kind]),
                ordered=any(map(_is_order, by_kind[kind])),
                resumes=next((one.resumes for one in by_kind[kind] if one.resumes), ""),
                worded=any(is_ended_in_words(one) and "CONTINUED" not in events_of(one) for one in by_kind[kind]),
            )
    return None


_RANKED = (
    Kind.STOPPED, Kind.HELD, Kind.DISCHARGE, Kind.CHANGED, Kind.STARTED, Kind.CONTINUED, Kind.PLANNED,
    Kind.TAKEN, Kind.STOPPED_BEFORE, Kind.NOT_TAKEN, Kind.TRIED, Kind.HERE,
)  # fmt: skip
"""Which kind speaks for a medicine: what is decided before what is history, what is given here last."""


def _decided(kind: Kind, own: Sequence[MedicationStatement], before: Sequence[Regimen], taken: bool) -> NoteDecision:
    mine = regimens_of(own)
    now = fuller(mine) if kind is not Kind.TAKEN else fuller(before)
    old: Regimen = ()
    apart: tuple[Regimen, ...] = ()
    if kind in (Kind.CHANGED, Kind.STARTED, Kind.DISCHARGE, Kind.PLANNED):
        stated_old = next((one.old_dosage for one in own if one.old_dosage is not None), None)
        earlier = [regimen for regimen in before if not same_regimen(regimen, now)]
        old = (stated_old,) if stated_old is not None else fuller(earlier)
        if not stated(now) and kind is not Kind.CHANGED:
            now = fuller(before)
        apart = tuple(mine) if len(mine) > 1 else ()
    elif kind in (Kind.TAKEN, Kind.CONTINUED):
        again = [one for one in mine if not any(is_part_of(one, other) for other in before)]
        every = distinct([*before, *(again if kind is Kind.CONTINUED else ())])
        apart = tuple(every) if len(every) > 1 else ()
        now = fuller(every)
    elif not stated(now):
        now = fuller(before)
    firm = any(_is_firm(one) for one in own)
    return NoteDecision(kind, now, old, apart, taken=taken, firm=firm, now=any(map(is_taken_now, own)))


def _conflict(by_kind: dict[Kind, list[MedicationStatement]]) -> tuple[Kind, ...]:
    """The kinds that contradict each other: ended and going on; taken or continued, and stopped before or not taken."""
    ends = [kind for kind in _RANKED if kind in ENDS and kind in by_kind]
    goes = [kind for kind in _RANKED if kind in GOES_ON and kind in by_kind]
    if ends and goes:
        return ends[0], goes[0]
    if Kind.STOPPED in by_kind and regimens_of(by_kind.get(Kind.PLANNED, ())):
        return Kind.STOPPED, Kind.CHANGED  # "stop it if you vomit" beside the dose that they go home with
    before = regimens_of(by_kind.get(Kind.TAKEN, ()))
    stopped = regimens_of(by_kind.get(Kind.STOPPED, ()))
    if before and stopped and not any(same_regimen(a, b) for a in before for b in stopped):
        return Kind.STOPPED, Kind.CHANGED  # a dose beside "stop" that is not the one taken is as likely a new one
    past = [kind for kind in (Kind.STOPPED_BEFORE, Kind.NOT_TAKEN, Kind.TRIED) if kind in by_kind]
    if past == [Kind.STOPPED_BEFORE] and all(one.why_stopped == RAN_OUT for one in by_kind[Kind.STOPPED_BEFORE]):
        past = []  # who runs out of a medicine is still to take it
    now = [kind for kind in (Kind.TAKEN, Kind.CONTINUED) if kind in by_kind]
    if past and now and not ends:
        return now[0], past[0]
    return ()


def _worded_beside(one: MedicationStatement) -> MedicationStatement | None:
    """What a plan says of a medicine without its dose, where reading made one statement of it and of the list: "increase metformin"."""
    told = one.decided or _ordered(_words(one))
    if one.change or one.status is not MedicationStatus.ACTIVE or not told:
        return None
    change = next((CHANGE_OF[event] for event in events_of(one) if event in CHANGE_OF), None)
    return one.model_copy(update={"change": change, "dosage": Dosage()}) if change else None


def _settle(by_kind: dict[Kind, list[MedicationStatement]]) -> None:
    """Take out what a later statement of the same medicine ends: a hold or a stop before a restart, a start after a dose given here."""
    resumed = [one for kind in (Kind.TAKEN, Kind.CONTINUED) for one in by_kind.get(kind, ()) if one.change == "resumed"]
    begun = [one for kind in (Kind.STARTED, Kind.DISCHARGE) for one in by_kind.get(kind, ())]
    last = max((_place(one) for one in resumed), default=-1)
    if last > max((_place(one) for one in by_kind.get(Kind.HELD, ())), default=0):
        by_kind.pop(Kind.HELD, None)
    ended = [one for kind in _BEFORE for one in by_kind.get(kind, ())]
    old = regimens_of(
        [one for one in ended if not any(same_regimen((one.dosage,), (other.dosage,)) for other in (*resumed, *begun))]
    )
    if ended and max(map(_place, [*resumed, *begun]), default=-1) > max(map(_place, ended)):
        for kind in _BEFORE:
            by_kind.pop(kind, None)
        again = [*resumed, *begun]
        if old and not begun:  # "stopped 20 mg in March, restarted at 5 mg"
            for kind in (Kind.TAKEN, Kind.CONTINUED):
                by_kind.pop(kind, None)
        if old:
            by_kind[Kind.CHANGED] = [
                one.model_copy(update={"old_dosage": one.old_dosage or old[0][0]}) for one in again
            ]
            for kind in (Kind.STARTED, Kind.DISCHARGE):
                by_kind.pop(kind, None)
    given = any(SCORED not in one.rule_ids or events_of(one) & {"GIVEN"} for one in by_kind.get(Kind.HERE, ()))
    if given and not by_kind.keys() & {Kind.TAKEN, Kind.CONTINUED}:
        by_kind.pop(Kind.STOPPED, None)  # given and ended here, it is nothing to stop at home
    here = all(one.category is MedicationCategory.INPATIENT for one in by_kind.get(Kind.CHANGED, ()))
    if Kind.CHANGED in by_kind and here and not by_kind.keys() & {Kind.TAKEN, Kind.HELD}:
        by_kind[Kind.HERE] = [*by_kind.get(Kind.HERE, ()), *by_kind.pop(Kind.CHANGED)]
    history = by_kind.get(Kind.TAKEN, [])
    if Kind.HERE in by_kind and history and not any(map(is_taken_now, history)):
        by_kind[Kind.STARTED] = [*by_kind.get(Kind.STARTED, ()), *by_kind.pop(Kind.TAKEN)]  # from a drip to tablets


def _place(one: MedicationStatement) -> int:
    return one.spans[0].start_char if one.spans else 0


def _why(by_kind: dict[Kind, list[MedicationStatement]]) -> str:
    ended = (Kind.STOPPED, Kind.HELD, Kind.STOPPED_BEFORE, Kind.NOT_TAKEN, Kind.TRIED)
    return next((one.why_stopped for kind in ended for one in by_kind.get(kind, ()) if one.why_stopped), "")


def _belongs(one: MedicationStatement) -> bool:
    """Whether a medicine that is not taken is one the patient should take: listed, dosed or refused; "no aspirin" is not."""
    if one.category is not MedicationCategory.COMMUNITY:
        return False
    dosed = stated((one.dosage,)) and one.section not in _DECIDED
    return one.refused or one.section is SectionCategory.MEDICATIONS or dosed


def _is_only_named(one: MedicationStatement) -> bool:
    """Whether nothing is said of a medicine but its name; an unknown name stands there for the dose beside it."""
    if not one.recognised or one.stated_by is StatedBy.CLINICIAN:
        return False
    return one.certainty <= _ONLY_NAMED and not stated((one.dosage,))


def _is_firm(one: MedicationStatement) -> bool:
    return one.rule_ids != (BY_SECTION,) and stated((one.dosage,))


def _is_order(one: MedicationStatement) -> bool:
    """Whether a medicine is begun by an order, by what the writer says that will be done, or as an item of the plan by itself."""
    return bool(events_of(one) & {"ORDERED", "STARTED"}) or PLAN_ITEM in one.rule_ids or _ordered(_words(one))


def _ordered(words: frozenset[str]) -> bool:
    return bool(words & _lists()["order"]) and not words & (_lists()["past"] | _lists()["tentative"])


def _words(one: MedicationStatement) -> frozenset[str]:
    """The words that decided a statement: those of its spans behind the name, in lower case, without its dosage ("if needed")."""
    return frozenset().union(*_by_span(one))


def _by_span(one: MedicationStatement) -> list[frozenset[str]]:
    """The same by span."""
    spans = [span.text for span in one.spans[1:] if " ".join(span.text.split()) != one.dosage.text]
    return [frozenset(text.lower().replace(".", "").split()) for text in spans]


def _lists() -> dict[str, frozenset[str]]:
    return dict(word_lists("letter/words_decisions"))


def is_taken_now(one: MedicationStatement) -> bool:
    """Whether a statement says more than that a medicine was once begun or taken ("took"): it lists it, or says that it is taken."""
    events, words = events_of(one), _words(one)
    had = bool(words & _lists()["once"]) and not words & _lists()["still"]
    once = events <= _BEGUN or (events <= _BEGUN | _HAD and had)
    return one.section is SectionCategory.MEDICATIONS or not once


def was_started_on(one: MedicationStatement) -> bool:
    """Whether somebody put the patient on a medicine ("started her on"), and not they themselves began it ("she had started ibuprofen")."""
    return events_of(one) == frozenset({"STARTED"}) and bool(_words(one) & _lists()["still"])


def _is_of_home(one: MedicationStatement) -> bool:
    """Whether a statement is of what is taken at home: by its place in the note, or in words."""
    listed = one.section not in _DECIDED and BY_SECTION in one.rule_ids
    return one.category is MedicationCategory.COMMUNITY and (
        one.section is SectionCategory.MEDICATIONS
        or listed
        or kind_of(one) is Kind.TAKEN
        or (one.status is MedicationStatus.NOT_TAKEN and not one.refused)
    )


def _is_plain(one: MedicationStatement) -> bool:
    """Whether the word that decides stands right beside the name: "stop X, Y instead" stops X alone."""
    if one.stated_by is StatedBy.CLINICIAN or is_by_entry(one):
        return True
    names = {one.name.lower(), *(span.text.lower() for span in one.spans[:1])}
    named = [span for span in one.spans if span.text.lower() in names]
    dosed = one.dosage.text
    told = [span for span in one.spans[1:] if " ".join(span.text.split()) != dosed and span not in named]
    words = [span for span in told if one.decided or _ordered(frozenset(span.text.lower().split()))]
    gaps = (max(word.start_char - name.end_char, name.start_char - word.end_char) for word in words for name in named)
    return any(gap <= _BESIDE for gap in gaps)


def is_ended_in_words(one: MedicationStatement) -> bool:
    """Whether words of the note end a medicine, and not only what its place makes likely."""
    return bool(one.ends or one.why_stopped or events_of(one) & {"STOPPED", "HELD", "UNTIL", "AVOID"}) or (
        one.stated_by is StatedBy.CLINICIAN
    )
