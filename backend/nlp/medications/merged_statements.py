"""Statements of one medicine in several places, made one: what tells the same, what ended further on, what a plan decides.

Two doses are never merged, nor are two entries of one list that call a medicine by two names, and what is only named joins any other
statement of its name.
"""

from collections.abc import Sequence

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.medications.medicine_events import BY_SECTION, DECIDED, FAMILY
from backend.nlp.medications.medicine_names import MedicineWord, medicine_words
from backend.schemas.record import Dosage, Experiencer, MedicationCategory, MedicationStatement, MedicationStatus
from backend.schemas.vocabulary import SectionCategory

WEAK = 0.5
"""Certainty of a medicine that is only named, with nothing said of it: it adds nothing to a statement of the same medicine."""
_MOST_ALIKE = 20
"""Statements of one medicine that a further one is compared with, so that no text can cost the square of its length."""
_MOST_SPANS = 24
_ONCE = frozenset({"ONCE", "STAT"})
_GOES_ON = frozenset({"continued", "resumed"})
"""Changes that are of the dose as it was."""
_SUPERSEDED = frozenset(f"{FAMILY}/{row}" for row in ("started", "discharged", "prescribed", "treated", "loading"))
_NEVER_AGAIN = f"{FAMILY}/never-again"
"""The row that tells that what was had is over for good: what is told of it without a dose is of then."""
_NOT_AGAIN = frozenset(f"{FAMILY}/{row}" for row in ("avoid", "told-not", "told-not-it", "never-again", "will-not-be"))
"""Rows that tell that a medicine is not to be taken, which ends what was taken."""
_WITHHELD = f"{FAMILY}/withheld"
_NOT_DECIDED = frozenset(f"{FAMILY}/{row}" for row in ("ran-out",))
"""Rows that tell that a medicine was not had, which is no decision."""
_APART = "\n,;"
"""What stands between two entries of a list."""
_OVER = frozenset({
    MedicationStatus.STOPPED, MedicationStatus.COMPLETED, MedicationStatus.ON_HOLD, MedicationStatus.NOT_TAKEN,
})  # fmt: skip


def merged(note: ParsedNote, made: Sequence[MedicationStatement]) -> list[MedicationStatement]:
    """Statements of one medicine that tell the same as one, the one with a dose; what is only named joins any other."""
    kept: list[MedicationStatement] = []
    places: dict[tuple[str, Experiencer], list[int]] = {}
    # Stable, in order of place: what is over before what began, what is only named last.
    for one in sorted(map(_without_day, made), key=lambda s: (_only_named(s), s.status not in _OVER)):
        same = places.setdefault((one.name.lower(), one.experiencer), [])
        weak = _only_named(one)
        near = same[:_MOST_ALIKE]
        at = next(
            (
                i
                for i in near
                if weak or (_agree(one, kept[i]) and not _are_two_entries(note, one, kept[i])) or _ended(one, kept[i])
            ),
            None,
        )
        decided = None if at is not None else next((i for i in near if _decided_on(one, kept[i])), None)
        if decided is not None:
            kept[decided] = _as_decided(one, kept[decided])
        elif at is None:
            same.append(len(kept))
            kept.append(one)
        else:
            kept[at] = _together(kept[at], one)
    return sorted(kept, key=lambda s: s.spans[0].start_char)


def _without_day(one: MedicationStatement) -> MedicationStatement:
    """The statement; the day of a restart ("restart on Thursday") is no dosage."""
    amount = one.dosage.dose is not None or one.dosage.quantity is not None
    return one.model_copy(update={"dosage": Dosage()}) if one.resumes and not amount and one.dosage.timing else one


def _only_named(one: MedicationStatement) -> bool:
    """Whether nothing is said of a medicine; of a name that no lexicon knows, a dose or a trigger says something."""
    described = not one.recognised and (one.rule_ids != (BY_SECTION,) or _fullness(one.dosage) > 0)
    return one.certainty <= WEAK and not described


def _is_for_home(one: MedicationStatement) -> bool:
    """Whether a statement is an entry of a discharge list, which stands for itself."""
    return one.listed is MedicationCategory.DISCHARGE


def _ended(began: MedicationStatement, over: MedicationStatement) -> bool:
    """Whether a medicine that was started or prescribed is told to be over elsewhere."""
    return (
        over.status in _OVER
        and not _is_for_home(over)
        and over.rule_ids != (BY_SECTION,)
        and began.category is not MedicationCategory.INPATIENT
        and began.section is not SectionCategory.MEDICATIONS
        and not (began.category is MedicationCategory.DISCHARGE and over.status is MedicationStatus.NOT_TAKEN)
        and (not _SUPERSEDED.isdisjoint(began.rule_ids) or _was_taken(began) or _of_then(began, over))
    )


def _of_then(began: MedicationStatement, over: MedicationStatement) -> bool:
    """Whether a medicine is told never to come back, and all else that is told of it has no dose: "a bleed on naproxen; naproxen never again"."""
    return _NEVER_AGAIN in over.rule_ids and _fullness(began.dosage) == 0


def _was_taken(one: MedicationStatement) -> bool:
    """Whether all that is told of a medicine is that it was taken: "was taking", "was on"."""
    words, kinds = {word for span in one.spans[1:] for word in span.text.lower().split()}, medicine_words()
    return not kinds[MedicineWord.PAST_VERB].isdisjoint(words) and kinds[MedicineWord.PRESENT].isdisjoint(
        words - {"taking", "using"}
    )


def _decided_on(taken: MedicationStatement, over: MedicationStatement) -> bool:
    """Whether a medicine taken at home is stopped or held further on: "metformin 1 g daily", and in the plan "hold metformin"."""
    if (
        _is_for_home(over)
        or taken.status is not MedicationStatus.ACTIVE
        or taken.category is not MedicationCategory.COMMUNITY
        or taken.change
    ):
        return False
    ended = over.status in (MedicationStatus.STOPPED, MedicationStatus.ON_HOLD)
    ended = ended or not {*_NOT_AGAIN, _WITHHELD}.isdisjoint(over.rule_ids)
    ended = ended or (f"{FAMILY}/no-medicine" in over.rule_ids and over.section in DECIDED)  # "no ibuprofen", as a plan
    if not ended or not _NOT_DECIDED.isdisjoint(over.rule_ids):
        return False
    doses = taken.dosage.dose, over.dosage.dose
    later = any(taken.spans[0].start_char < span.start_char for span in over.spans)
    return later and (None in doses or doses[0] == doses[1])


def _ended_as(over: MedicationStatement) -> MedicationStatus:
    """How a medicine ends that was taken: what is withheld of it is on hold, what is not to be taken is stopped."""
    if _WITHHELD in over.rule_ids:
        return MedicationStatus.ON_HOLD
    return MedicationStatus.STOPPED if over.status is MedicationStatus.NOT_TAKEN else over.status


def _as_decided(taken: MedicationStatement, over: MedicationStatement) -> MedicationStatement:
    """The medicine as it is taken, with what was decided of it."""
    return taken.model_copy(
        update={
            "status": _ended_as(over),
            "why_stopped": over.why_stopped,
            "decided": over.decided,
            "dosage": max(taken.dosage, over.dosage, key=_fullness),
            "spans": (*taken.spans, *over.spans)[:_MOST_SPANS],
            "rule_ids": tuple(dict.fromkeys((*taken.rule_ids, *over.rule_ids))),
        }
    )


def _agree(a: MedicationStatement, b: MedicationStatement) -> bool:
    if (a.status, a.category, _is_for_home(a)) != (b.status, b.category, _is_for_home(b)):
        return False
    doses = (a.dosage.dose, a.dosage.quantity), (b.dosage.dose, b.dosage.quantity)
    if (None, None) in doses:
        return not (a.dosage.timing and b.dosage.timing and a.dosage.timing != b.dosage.timing)
    return doses[0] == doses[1] and (a.dosage.timing == b.dosage.timing or not (a.dosage.timing and b.dosage.timing))


def _are_two_entries(note: ParsedNote, a: MedicationStatement, b: MedicationStatement) -> bool:
    """Whether one list has a medicine twice, each time with a dose, by two names: "Plavix 75 mg daily", and "clopidogrel 75 mg daily".

    What stands in brackets behind a name is of its entry.
    """
    first, second = sorted((a, b), key=lambda one: one.spans[0].start_char)
    if not (_is_entry(first) and _is_entry(second)):
        return False
    if first.spans[0].text.lower() == second.spans[0].text.lower() or not (first.dosage.text and second.dosage.text):
        return False
    starts = [one.spans[0].start_char for one in (first, second)]
    between = note.text[first.spans[0].end_char : starts[1]]
    apart = any(mark in between for mark in _APART) and between.count("(") <= between.count(")")
    return apart and note.section_at(starts[0]) is note.section_at(starts[1])


def _is_entry(one: MedicationStatement) -> bool:
    """Whether nothing but a list of medicines tells of one."""
    return one.rule_ids == (BY_SECTION,) and (one.listed is not None or one.section is SectionCategory.MEDICATIONS)


def _together(a: MedicationStatement, b: MedicationStatement) -> MedicationStatement:
    """One statement of two that agree: the fuller dosage, the words of both."""
    fuller = a if _fullness(a.dosage) >= _fullness(b.dosage) or (_only_named(b) and _fullness(a.dosage)) else b
    if a.status is not b.status and not _only_named(a):
        fuller = a.model_copy(update={"dosage": fuller.dosage})
    other = b if fuller is a else a
    update = {
        "spans": (*fuller.spans, *other.spans)[:_MOST_SPANS],
        "rule_ids": tuple(dict.fromkeys((*fuller.rule_ids, *other.rule_ids))),
        "certainty": max(a.certainty, b.certainty),
    }
    if _only_named(b) and not _only_named(a):
        update |= {"status": a.status, "category": a.category}
    else:
        update |= _decision(fuller, other)
    for name in ("reason", "why_stopped", "old_dosage", "resumes"):
        update[name] = getattr(fuller, name) or getattr(other, name)
    if other.dosage.as_needed and not fuller.dosage.as_needed and fuller.dosage.timing not in _ONCE:
        needed = {"as_needed": True, "as_needed_for": fuller.dosage.as_needed_for or other.dosage.as_needed_for}
        update["dosage"] = fuller.dosage.model_copy(update=needed)
    if all(getattr(fuller, name) == value for name, value in update.items()):
        return fuller
    return fuller.model_copy(update=update)


def _decision(fuller: MedicationStatement, other: MedicationStatement) -> dict[str, object]:
    """What was decided of a medicine, by whichever of its statements decides: a list with "continue" in the plan."""
    told = next((one.change for one in (fuller, other) if one.decided and one.change in _GOES_ON), fuller.change)
    return {"decided": fuller.decided or other.decided, "change": told}


def _fullness(dosage: Dosage) -> int:
    return sum(
        (
            dosage.dose is not None,
            dosage.quantity is not None,
            bool(dosage.timing),
            dosage.as_needed,
            bool(dosage.route),
        )
    )
