"""What the API says, in the page's language: by the kind of an error or of a flag, with the API's own words behind it.

The API speaks English, and what its texts name is medical knowledge in English; the kind is what a page can say in its language.
"""

from collections.abc import Mapping
from types import MappingProxyType

from app.words.words import ENGLISH, _, later, spoken

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


def error_words(kind: str, message: str) -> str:
    """What the API refused: its own words, and in another language the kind before them."""
    return message if spoken() == ENGLISH else f"{_(ERRORS.get(kind, ERRORS['LeapnoteError']))} ({message})"


def flag_words(kind: str, message: str) -> str:
    """What a flag says: its own words, and in another language its kind before them."""
    return message if spoken() == ENGLISH or kind not in FLAGS else f"{_(FLAGS[kind])}: {message}"
