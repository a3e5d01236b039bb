"""Medication statements: each medicine of a note with its dosage, status, category, reason and change.

Names are found first, each takes the dosages between it and the next name of its entry or sentence, runs of names
share the trigger that governs them, and statements of one medicine that tell the same are merged: one with a dose
takes in those without; two doses are never merged, unless the note tells a change from one to the other.
"""

from collections.abc import Mapping, Sequence

from backend.nlp.attributes.engine import Attributes
from backend.nlp.attributes.seam import AttributesOf, SpanAttributes
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.measures.timing import are_parts_of_day
from backend.nlp.medications.lists.entry_decisions import decides, entries_of
from backend.nlp.medications.lists.list_kinds import LISTED
from backend.nlp.medications.lists.list_tables import by_columns
from backend.nlp.medications.medicine_clauses import (
    heads_item,
    is_conditional,
    is_of_before,
    takes_nothing,
    told_for_case,
    when_resumed,
    why_ended,
    with_own_dosages,
)
from backend.nlp.medications.medicine_events import (
    BY_SECTION,
    CONDITIONAL,
    DECIDED,
    DONE,
    PLAN_ITEM,
    is_requested,
)
from backend.nlp.medications.medicine_names import MedicineWord, medicine_words, named_medicines
from backend.nlp.medications.medicine_outcomes import Outcome, change_of, outcome
from backend.nlp.medications.medicine_runs import StatedMedicine, stated_medicines
from backend.nlp.medications.merged_statements import WEAK, merged
from backend.nlp.medications.open_plans import Signs
from backend.nlp.medications.status.afterwards_features import key_of
from backend.nlp.medications.status.afterwards_scorer import afterwards_of
from backend.nlp.medications.status.status_features import status_evidence
from backend.nlp.medications.status.status_scorer import Told, status_scorer, told_of
from backend.nlp.medications.status.verdicts import Verdict, by_entry, instead, is_settled
from backend.nlp.medications.times_given import with_times
from backend.nlp.medications.transitions import with_transitions
from backend.schemas.drafts.note import Mention
from backend.schemas.record import (
    Afterwards,
    Dosage,
    Experiencer,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    RecordSpan,
    Setting,
)
from backend.schemas.vocabulary import Assertion, Category, SectionCategory

_NOT_NOW = frozenset({"TAKES", "STARTED", "PRESCRIBED", "DISCHARGED", "CHANGED"})
"""Events of what is over where the note says that no medicine is taken."""
_TREATMENTS = (Category.DRUG, Category.DRUG_CLASS, Category.ALLERGEN, Category.PROCEDURE)
_VACCINE = ("vaccine", "immune globulin")
_UNDENIED = frozenset({"GIVEN", "STARTED", "TREATED", "PRESCRIBED"})
"""Events that a denial of the medicine ("no enoxaparin was given") undoes."""


def medication_statements(
    note: ParsedNote,
    mentions: Sequence[Mention],
    attributes_of: AttributesOf,
    setting: Setting = Setting.UNKNOWN,
    *,
    goes_home: bool = False,
) -> tuple[MedicationStatement, ...]:
    """The medicines that a note states, in order of place.

    Args:
        note: the parsed note.
        mentions: what the lexicon found in it, of any category; allergens are left out.
        attributes_of: the attributes of spans, for medicines that no trigger governs and for whose they are.
        setting: where the note was written; in a hospital, what it orders is given there.
        goes_home: whether the patient leaves with the note, so that what it orders is for home.

    Returns:
        One statement for each medicine and what is told of it.
    """
    named = named_medicines(note, mentions)
    if not named:
        return ()
    signs = Signs(mentions)
    others = {(one.start_char, one.end_char) for one in mentions if one.category not in _TREATMENTS}
    stated = [
        with_own_dosages(note, told_for_case(note, one, signs), others)
        for one in stated_medicines(note, named, setting, goes_home=goes_home)
    ]
    attributes = attributes_of([(one.named.start_char, one.named.end_char) for one in stated])
    outside = is_for_home(setting, goes_home=goes_home)
    ruled = verdicts(note, stated, attributes, outside=outside)
    evidence = status_evidence(note, stated, attributes, setting)
    told = [one.told for one in ruled]
    likelihoods = status_scorer().likelihoods(evidence, told)
    decided = status_scorer().chosen(likelihoods, told)
    made: list[MedicationStatement] = []
    for one, attribute, verdict, known, (likely, _) in zip(
        stated, attributes, ruled, evidence.features, decided, strict=True
    ):
        kept = likely is verdict.told or is_settled(note, one, verdict, likely, known, outside=outside)
        made += by_columns(note, _statements(note, one, attribute, verdict if kept else instead(one, verdict, likely)))
    stated_once = with_times(note, named, with_transitions(note, named, merged(note, made)))
    afterwards = afterwards_of(note, stated, ruled, evidence, likelihoods)
    return tuple(
        one.model_copy(update={"id": f"medication-{i}", **_afterwards(one, afterwards)})
        for i, one in enumerate(stated_once, start=1)
    )


def is_for_home(setting: Setting, *, goes_home: bool) -> bool:
    """Whether what a note plans is for home."""
    return goes_home or setting in (Setting.CLINIC, Setting.UNKNOWN)


def _afterwards(
    one: MedicationStatement, found: Mapping[str, tuple[Afterwards, float]]
) -> dict[str, Afterwards | float]:
    action, likelihood = found.get(key_of(one.concept_id, one.name), (Afterwards.OPEN, 0.0))
    return {"afterwards": action, "afterwards_likelihood": round(likelihood, 3)}


def verdicts(
    note: ParsedNote, stated: Sequence[StatedMedicine], attributes: Sequence[SpanAttributes], *, outside: bool = False
) -> list[Verdict]:
    """What the triggers, the section and the attributes say of each medicine, before the scorer is asked. outside: a plan is for home."""
    found = []
    entries = entries_of(note, stated)
    for at, (one, attribute, entry) in enumerate(zip(stated, attributes, entries, strict=True)):
        read = entry is not None and entry.holds(note, one.governing)  # the triggers have read it
        result = entry.outcome if entry is not None and not read else None
        if entry is not None and result is not None and attribute.experiencer is Experiencer.PATIENT:
            found.append(by_entry(entry, result))
            continue
        denied = attribute.negated and _denies(note, stated, at, attribute.cue_span)
        result, sure = _result(note, one, attribute, denied)
        item = outside and one.governing is None and not denied and heads_item(note, one)
        if item:
            result, sure = result._replace(status=MedicationStatus.INTENDED), 1.0
        by = PLAN_ITEM if item else BY_SECTION if one.governing is None else one.governing.trigger.row.rule_id
        rules = (by, CONDITIONAL) if is_conditional(note, one, attribute) else (by,)
        of_entry = read and decides(one.governing)
        found.append(Verdict(result, sure, told_of(result, _whose(one, attribute)), rules, of_entry))
    return found


def _whose(one: StatedMedicine, attribute: SpanAttributes) -> Experiencer:
    leaves = one.governing is not None and one.governing.event == "DISCHARGED"  # "discharged to her daughter's home on"
    return Experiencer.PATIENT if leaves else attribute.experiencer


def assertions_of(note: ParsedNote, mentions: Sequence[Mention]) -> dict[int, tuple[Assertion, str]]:
    """What triggers, lists and past histories say of the mentions of medicines: by first character, the assertion and its words.

    A mention of which they say nothing, or that is planned or another person's, is left out.
    """
    named = named_medicines(note, mentions)
    own = {mention.start_char: mention for mention in mentions}
    found: dict[int, tuple[Assertion, str]] = {}
    for stated in stated_medicines(note, named) if named else ():
        mention = own.get(stated.named.start_char)
        if mention is None or mention.assertion in (Assertion.FAMILY, Assertion.UNCERTAIN):
            continue
        holds = {mention.assertion, *mention.also}
        attributes = Attributes(
            negated=Assertion.NEGATED in holds,
            historical=Assertion.HISTORICAL in holds,
            hypothetical=Assertion.HYPOTHETICAL in holds,
        )
        status = _result(note, stated, attributes, attributes.negated)[0].status
        course = stated.governing is not None and status is MedicationStatus.COMPLETED
        if course and "PAST_TIME" not in stated.context.settings:
            continue  # a course that is over is told of by those who compare medicines
        if status in _ASSERTED:
            cue = _words(note, stated.governing.trigger).text if stated.governing is not None else ""
            found[mention.start_char] = (_ASSERTED[status], cue)
    return found


_ASSERTED = {
    MedicationStatus.ACTIVE: Assertion.PRESENT,
    MedicationStatus.ON_HOLD: Assertion.PRESENT,
    MedicationStatus.COMPLETED: Assertion.HISTORICAL,
    MedicationStatus.STOPPED: Assertion.HISTORICAL,
    MedicationStatus.NOT_TAKEN: Assertion.NEGATED,
}


def _denies(note: ParsedNote, stated: Sequence[StatedMedicine], at: int, cue: tuple[int, int] | None) -> bool:
    """Whether the words of a denial are of this medicine: not of the next one before them, nor of the entry on the line before."""
    if cue is None:
        return True
    one = stated[at].named
    if cue[0] >= one.end_char:
        return all(cue[0] <= later.named.start_char or later is stated[at] for later in stated[at : at + 2])
    before = stated[at - 1].named if at else None
    if before is None or before.start_char > cue[0]:
        return True
    return "\n" in note.text[before.end_char : cue[0]] or "\n" not in note.text[cue[1] : one.start_char]


def _statements(
    note: ParsedNote, stated: StatedMedicine, attributes: SpanAttributes, verdict: Verdict
) -> list[MedicationStatement]:
    """The statements of one named medicine: one for each dosage that is no change of the one before it."""
    one, found = stated.named, stated.governing
    result, sure = verdict.outcome, verdict.sure
    experiencer = attributes.experiencer if verdict.told is Told.OTHER else Experiencer.PATIENT
    if verdict.told is Told.OTHER and experiencer is Experiencer.PATIENT:
        experiencer = Experiencer.OTHER
    if one.score < 1 and not one.recognised:
        sure = min(sure, one.score)
    current = [d for d in stated.dosages if not d.before_change]
    old = [d for d in stated.dosages if d.before_change]
    if old and current and is_requested(note, old[0].first):
        current, old = old, []  # "he requested an increase from 140 mg to 175 mg"
    changed = bool(result.change in ("increased", "decreased", "changed") or old)
    if changed and not old and len(current) > 1 and not are_parts_of_day([d.dosage.timing for d in current]):
        old, current = [], current[-1:]
    base = MedicationStatement(
        id="medication",
        spans=(_span(note, one.start_char, one.end_char),),
        rule_ids=verdict.rule_ids,
        certainty=sure,
        concept_id=one.concept_id,
        name=one.name,
        recognised=one.recognised,
        ingredients=one.ingredients,
        old_dosage=old[0].dosage if old else None,
        status=result.status,
        category=result.category,
        change=change_of(result.change, [d.dosage for d in old], [d.dosage for d in current]),
        listed=_listed(stated, result),
        decided=verdict.of_entry
        or (one.section in (*DECIDED, SectionCategory.HOSPITAL_COURSE) and not is_of_before(note, found)),
        refused=result.refused,
        why_stopped=result.why_stopped or why_ended(note, one, found),
        resumes=when_resumed(note, one, found),
        experiencer=experiencer,
        reason=stated.reason or next((d.dosage.as_needed_for for d in current if d.dosage.as_needed_for), ""),
        section=one.section,
    )
    if found is None and not current:
        return [base]
    made = []
    for d in current or (None,):
        spans = [*base.spans]
        if d is not None:
            spans.append(_span(note, d.start_char, d.end_char))
        if found is not None:
            spans.append(_words(note, found.trigger))
        made.append(base.model_copy(update={"spans": tuple(spans), "dosage": d.dosage if d else Dosage()}))
    return made


def _listed(stated: StatedMedicine, result: Outcome) -> MedicationCategory | None:
    """The kind of list a medicine stands in; of what was given for the last time the stay's, of what is denied in it none."""
    if stated.governing is None:
        return None if result.status is MedicationStatus.NOT_TAKEN else LISTED.get(stated.context.list_event)
    return MedicationCategory.INPATIENT if stated.governing.event == DONE else LISTED.get(stated.context.list_event)


def _result(
    note: ParsedNote, stated: StatedMedicine, attributes: SpanAttributes, denied: bool
) -> tuple[Outcome, float]:
    """What the note says of a medicine, and how surely."""
    found = stated.governing
    if found is None:
        result, sure = _by_attributes(outcome("", stated.context), attributes, stated, denied)
        return _once_had(stated, result), sure
    said, kinds = note.words[found.trigger.first : found.trigger.last], medicine_words()
    past = not kinds[MedicineWord.PAST_VERB].isdisjoint(said) and kinds[MedicineWord.RECENT].isdisjoint(said)
    leaves = stated.context.goes_home or said[0] == "home"  # "home with naproxen"
    result = outcome(found.event, stated.context._replace(past_tense=past, goes_home=leaves))
    tensed = found.event in _NOT_NOW and not {"been", *kinds[MedicineWord.PAST_VERB]}.isdisjoint(said)
    told = stated.context.section not in (*DECIDED, SectionCategory.MEDICATIONS)
    if tensed and told and _is_taken(result) and note.once(takes_nothing):
        result = result._replace(status=MedicationStatus.COMPLETED)
    if denied and found.event in _UNDENIED:
        result = result._replace(status=MedicationStatus.NOT_TAKEN)
    thought_of = found.event == "HYPOTHETICAL" and not stated.dosages
    return _once_had(stated, result), WEAK if thought_of else stated.named.score


def _once_had(stated: StatedMedicine, result: Outcome) -> Outcome:
    """What holds of a vaccine, which is had once and not taken."""
    had = stated.named.name.endswith(_VACCINE) and _is_taken(result)
    return result._replace(status=MedicationStatus.COMPLETED) if had else result


def _is_taken(result: Outcome) -> bool:
    return result.status is MedicationStatus.ACTIVE and result.category is MedicationCategory.COMMUNITY


def _by_attributes(
    result: Outcome, attributes: SpanAttributes, stated: StatedMedicine, denied: bool
) -> tuple[Outcome, float]:
    """What holds of a medicine that no trigger governs: in a list it is taken, elsewhere it is only named."""
    listed = stated.context.section is SectionCategory.MEDICATIONS or stated.context.list_event
    dosed = any(d.dosage.dose is not None or d.dosage.timing for d in stated.dosages)
    if denied:
        return outcome("NOT_TAKEN", stated.context), 1.0
    if stated.context.section is SectionCategory.PAST_MEDICAL_HISTORY and not stated.dated:
        return result, 1.0 if dosed else WEAK
    if listed:
        return result, 1.0
    if dosed and stated.context.ordered:
        return result._replace(status=MedicationStatus.ACTIVE, category=MedicationCategory.INPATIENT), 1.0
    if attributes.hypothetical and not stated.with_dosed:
        return result._replace(status=MedicationStatus.INTENDED), WEAK
    if attributes.historical and not dosed:
        return result._replace(status=MedicationStatus.COMPLETED), WEAK
    return result, 1.0 if dosed else WEAK


def _span(note: ParsedNote, start: int, end: int) -> RecordSpan:
    return RecordSpan(start_char=start, end_char=end, text=note.text[start:end])


def _words(note: ParsedNote, found: FoundTrigger) -> RecordSpan:
    return _span(note, note.tokens.starts[found.first], note.tokens.ends[found.last - 1])
