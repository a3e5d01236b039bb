"""What somebody has to decide about a medicine, in words that a patient may read too."""

from collections.abc import Collection
from enum import StrEnum

from backend.schemas.drafts.medicines import MedicineQuestion


class Prompt(StrEnum):
    """What somebody has to decide about a medicine, in words that a patient may read too."""

    NONE = ""
    TAKEN_BEFORE = "Taken until now: do not stop it by yourself, your team will say what to go on with"
    NEEDED_BEFORE = "Used when needed until now: your team will say whether to go on with it"
    RAN_OUT = "You had run out of it: your team will say whether to go on with it"
    BEGUN_BEFORE = "Taken, prescribed or started before this visit: tell your team whether you still take it"
    CLASS_ENDED = "Ask your team today whether to take it, for the note speaks of stopping all of its kind"
    UNCHANGED = "Listed as taken, and not changed at this visit"
    NAMED_ONLY = "Named in the note, not told as taken at home, and not on the discharge list"
    NOT_ON_LIST = "Not on the discharge list: stop or continue?"
    STOPPED_BUT_LISTED = "The note stops it, but the discharge list has it: which is right?"
    HELD_FOR_STAY = "Put on hold in the hospital: do not take it again before your team says so"
    HELD_HERE = "Put on hold in the hospital, and not told as taken at home"
    STOP_MEANT = "The note may stop it: is it to be stopped?"
    NOT_TAKEN_HERE = "Offered or named, and not taken"
    CHANGED_IN_STAY = "The dose is changed in the hospital: which one at home?"
    STARTED_IN_STAY = "Started in the hospital: go on at home?"
    PLAN_OF_STAY = "In the plan of the hospital stay: is it for home too?"
    PLANNED = "In the plan of the note: start it, and with which dose?"
    PLANNED_SO = "In the plan of your note: ask your team whether and when to start it"
    DOSE_NOT_STATED = "The dose is to change; the note does not say to which"
    DOSES_DISAGREE = "The note states different doses: which is right?"
    DOSE_UNUSUAL = "Its dose in the note is far above the usual: which is right?"
    DECISIONS_DISAGREE = "The note says two things of it: which is right?"
    STOPPED_BEFORE = "Stopped before this visit: do not start it again before your team has decided"
    NOT_TAKEN = "The note says that it is not taken: leave it unless your team decides otherwise"
    LIST_UNCLEAR = "The discharge list says more of it than could be read: what is to be done?"
    COMPARE = "Note and discharge list say the dose in words that could not be compared: is it the same?"
    LESS_EXACT = "The note names it less exactly: is it the same medicine?"
    PART_LEFT = "Part of a medicine taken before, and not on the discharge list: stop or continue?"
    TRIED = "Tried before and stopped"
    AVOID = "Do not take"
    INTOLERANCE = "Listed as not tolerated, but taken now: ask your team about it, and do not stop it on your own"
    AGAINST = "It may do harm beside what your note says"
    LEAVE = "Do not take it before your team has decided"
    ASK = "Ask your team before you take it"
    KEEP = "Ask your team about it today, and do not start or stop it on your own"
    VALUE = "Your age or a value in your note speaks against it"
    CLASS = "The note says only what kind of medicine it is, not which one: if you take one, show it to your team"
    CLASS_KEPT = "The note says only what kind of medicine it is, not which one: if you take one, do not stop it by yourself, show it to your team"
    SAME_TWICE = "Ask your team how much of it you may take in all; it is also in"
    INTOLERABLE = "Listed as not tolerated: ask your team before you take it"
    ALLERGY = "Listed as an allergy: do not take it before your team has decided"
    ALLERGY_SIBLING = "Of one kind with what your note lists as an allergy: do not take it before your team has decided"
    ALLERGY_KIN_KEPT = (
        "Related to what your note lists as an allergy: ask your team about it, and do not stop it on your own"
    )
    ALLERGY_KIN = "Related to what your note lists as an allergy: ask your team before you take it"


NOT_NOW = frozenset({
    Prompt.HELD_FOR_STAY, Prompt.HELD_HERE, Prompt.STOP_MEANT, Prompt.STOPPED_BEFORE, Prompt.NOT_TAKEN,
    Prompt.NOT_TAKEN_HERE, Prompt.TRIED, Prompt.CLASS_ENDED, Prompt.AVOID,
})  # fmt: skip
"""What is asked about a medicine that is not taken now: neither to stop nor to go on with."""


_QUESTIONS = {
    Prompt.TAKEN_BEFORE: MedicineQuestion.TAKEN, Prompt.NEEDED_BEFORE: MedicineQuestion.AS_NEEDED,
    Prompt.UNCHANGED: MedicineQuestion.TAKEN,
    Prompt.PLANNED: MedicineQuestion.START, Prompt.PLANNED_SO: MedicineQuestion.START,
    Prompt.STARTED_IN_STAY: MedicineQuestion.HOME, Prompt.PLAN_OF_STAY: MedicineQuestion.HOME,
    Prompt.CHANGED_IN_STAY: MedicineQuestion.DOSE, Prompt.DOSE_NOT_STATED: MedicineQuestion.DOSE,
    Prompt.DOSES_DISAGREE: MedicineQuestion.DOSE, Prompt.DOSE_UNUSUAL: MedicineQuestion.DOSE, Prompt.COMPARE: MedicineQuestion.DOSE,
    Prompt.HELD_FOR_STAY: MedicineQuestion.HELD,
}  # fmt: skip
"""What each asks, where it is more than whether to take the medicine."""


def question_of(prompt: str) -> MedicineQuestion:
    """What a prompt asks, by the answers that it can have; none where it is empty."""
    return next(
        (question for one, question in _QUESTIONS.items() if prompt == one),
        MedicineQuestion.OTHER if prompt else MedicineQuestion.NONE,
    )


def asks(prompt: str, questions: Collection[Prompt]) -> bool:
    """Whether a prompt is one of some questions, whatever it names behind it."""
    return any(prompt.startswith(one) for one in questions)
