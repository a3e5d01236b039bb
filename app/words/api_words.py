"""What the API says, in the page's language: by the kind of an error, or of a flag with what it names, and the API's own words behind it.

The API speaks English, and what its texts name is medical knowledge in English; the kind is what a page can say in its language.
"""

from collections.abc import Mapping
from types import MappingProxyType

from app.words.words import ENGLISH, _, later, spoken
from backend.schemas.drafts.draft import Flag

ERRORS: Mapping[str, str] = MappingProxyType(
    {
        "InputError": later("This cannot be taken as it is."),
        "InvalidRequest": later("A field is empty, too long or of another form."),
        "TooLongError": later("This is too long."),
        "too_long": later("This is too long."),
        "NotFoundError": later("This is not there, or no longer."),
        "HttpError": later("The service does not take this request."),
        "ConflictError": later("This does not go with how things stand now."),
        "StaleVersionError": later("Somebody else has changed this meanwhile."),
        "signed": later("This letter is signed. Reopen it to change it."),
        "SignedError": later("This letter is signed. Reopen it to change it."),
        "SignatureRefusedError": later("The letter cannot be signed yet."),
        "LeakError": later("The drafts name what must stay hidden from raters."),
        "MissingError": later("Something that this needs is missing or does not answer."),
        "EngineError": later("The language model cannot be used now."),
        "EngineFault": later("The language model cannot be used now."),
        "BusyError": later("Too much is asked at once. Try again in a moment."),
        "BusyFault": later("Too much is asked at once. Try again in a moment."),
        "FullError": later("Too much is asked at once. Try again in a moment."),
        "TooManyTriesError": later("Too many tries. Wait a little."),
        "LoginRefusedError": later("Name or password is wrong."),
        "LinkRefusedError": later("This link does not open a session."),
        "NotYouError": later("This is for another person or role."),
        "NotAProgramError": later("This is for people who log in, not for programs."),
        "CancelledError": later("It was stopped."),
        "Cancelled": later("It was stopped."),
        "KnowledgeError": later("The medical knowledge has a fault."),
        "FailedStageError": later("A part of the work failed."),
        "LeapnoteError": later("It could not be done."),
        "Defect": later("Leapnote failed. What you typed is unchanged; try again."),
    }
)
"""A sentence for each kind of error that the API answers with."""
FLAGS: Mapping[str, str] = MappingProxyType(
    {
        "age": later("Age outside the knowledge"),
        "allergy_conflict": later("Allergy conflict"),
        "allergy_disagreement": later("Allergies disagree"),
        "allergy_not_recognised": later("Allergy not recognised"),
        "allergy_not_stated": later("Allergies not stated"),
        "allergy_possible": later("Possible allergy"),
        "contraindication": later("Contraindication"),
        "dose": later("Unusual dose"),
        "route": later("Wrong route"),
        "formulary": later("Formulary"),
        "gap": later("Left to the team"),
        "injection": later("Instructions to a program"),
        "interaction": later("Interaction"),
        "medicine_not_recognised": later("Medicine not recognised"),
        "missing_part": later("Part missing"),
        "monitoring": later("Not monitored"),
        "must_not_miss": later("Must not be missed"),
        "negated_asserted": later("Denied in the note"),
        "not_to_give": later("Not for this patient"),
        "reading": later("Not one patient's note"),
        "stage_failed": later("A stage failed"),
        "unsupported_sentence": later("Not found in its source"),
        "untreated": later("Nothing is given for it"),
    }
)
"""The label of each kind of flag, as the kind is registered."""

ALERTS: Mapping[str, str] = MappingProxyType(
    {
        "age": later("The note gives no age, or the age of a child; the medical knowledge is for adults."),
        "allergy_conflict": later("This may cause an allergic reaction: {names}."),
        "allergy_disagreement": later("The notes and the letter disagree about allergies: {names}."),
        "allergy_not_recognised": later("An allergy was not recognised, so nothing was checked against it: {names}."),
        "allergy_not_stated": later("The note does not say whether there are allergies. Ask the patient: {names}."),
        "allergy_possible": later("This may be an allergy that is not listed as one. Check it: {names}."),
        "contraindication": later("This should not be used in this patient, or only with care: {names}."),
        "dose": later("The dose is not usual for this patient: {names}."),
        "route": later("By this way it must not be given: {names}."),
        "formulary": later("The hospital's formulary restricts this or lacks it: {names}."),
        "gap": later("Gaps are left that only the team can fill."),
        "injection": later(
            "The note holds words that read like instructions to a program. They were read as text only."
        ),
        "interaction": later("Together these may do harm: {names}."),
        "medicine_not_recognised": later("These were not recognised, so they were not checked: {names}."),
        "missing_part": later("A part of the letter has nothing in it. Write it yourself."),
        "monitoring": later("A test that this medicine needs is neither measured nor planned in the note: {names}."),
        "must_not_miss": later(
            "These fit the findings and must not be missed. Confirm them or rule them out: {names}."
        ),
        "negated_asserted": later("The letter says what the note denies: {names}."),
        "not_to_give": later("Some medicines should not be given to this patient, for what the note says: {names}."),
        "reading": later("The text does not read like the note of one patient in English."),
        "stage_failed": later("A part of the program failed. Check what is missing, or draft again."),
        "unsupported_sentence": later("A sentence was not found in its source. Correct it or take it out."),
        "untreated": later("A problem has no treatment in the note: {names}."),
    }
)
"""What each kind of flag says in a language that is not the API's. names: what the flag is about, at its end; without any the sentence ends before."""
_NAMES = ": {names}"


def error_words(kind: str, message: str) -> str:
    """What the API refused: its own words, and in another language the kind before them."""
    return message if spoken() == ENGLISH else f"{_(ERRORS.get(kind, ERRORS['LeapnoteError']))} ({message})"


def flag_words(flag: Flag, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """What a flag says: its own words; in another language its kind, what that means for what it names, and its own words behind.

    Args:
        flag: the flag.
        names: of the conditions, by the ids that a flag may hold.
    """
    if spoken() == ENGLISH or flag.kind not in FLAGS:
        return flag.message
    named = {name.casefold(): name for name in (flag.medicine, *(names.get(one, one) for one in flag.evidence)) if name}
    words = _(ALERTS[flag.kind])
    said = words.format(names=", ".join(named.values())) if named else words.replace(_NAMES, "")
    return f"{_(FLAGS[flag.kind])}. {said} ({flag.message})"
