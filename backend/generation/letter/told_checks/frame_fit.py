"""Whether a telegram fits the frame that would tell what it is: "Activity: nicotine dependence" and "Treatment: flu shot declined" do not.

A frame says what its words are; it may be used where what the unit names is such a thing. What fits no frame is not told.
"""

import re
from collections.abc import Collection, Mapping
from itertools import pairwise

from backend.generation.letter.plain_language.letter_words import is_adverb, lists
from backend.generation.letter.plain_language.telegrams import has_finite_verb
from backend.generation.letter.plain_language.verb_forms import is_auxiliary, is_participle, is_past, verbs
from backend.generation.letter.story_selection import Unit
from backend.generation.letter.told_checks.others_told import leans_on_untold
from backend.schemas.record import (
    MedicationCategory,
    MedicationStatement,
    ObservationStatement,
    PatientRecord,
    PlanStatement,
    ProblemStatement,
    ProcedureStatement,
    Statement,
    VerificationStatus,
)
from backend.schemas.vocabulary import SectionCategory

_ORDERED = frozenset(("to_do", "to_do_then"))
_HISTORIES = frozenset(("history", "history_said"))
_WITHOUT_VERB = frozenset(("treatment", "medicine", "activity", "diet", "test", "follow_up", "other", "carer", "goals"))
"""Frames of what is to be; a clause with its own verb tells something else."""
_NEVER_FIRST: Mapping[str, type[Statement] | tuple[type[Statement], ...]] = {
    "activity": (ProblemStatement, MedicationStatement, ObservationStatement),
    "test": MedicationStatement,
    "follow_up": MedicationStatement,
    "pending_result": MedicationStatement,
    "treatment": ObservationStatement,
    "medicine": ObservationStatement,
    "assessment": MedicationStatement,
}
"""What a telegram of a frame cannot begin with."""
_FEW = 2
"""Words of a sentence that tells only that all was well."""
_SHORT = 4
"""Words of a telegram that only names a test."""
_LEAD = 12
"""Code points before a name that a telegram still begins with."""
_VALUE = re.compile(
    r"\b(?:[A-Z]{1,3}|[A-Z]{1,2}[a-z]{1,2}) (?!(?:19|20)\d\d\b|\d+/)\d+(?:\.\d+)?\b(?! ?(?:days?|weeks?|months?|years?|hours?|times|mg|mcg|units|ml)\b)"
)
"""A short form with its number, which says nothing to a patient: "QTc 452"."""
_PANEL = 3
"""Measured values that are told together, with their names."""
_ASIDE = re.compile(r"\([^()]*\)")
_LABELLED = re.compile(r"[\w-]+(?: [\w-]+)?:\s")
_OF_A_LIST = re.compile(
    r"^(?:after (?!the age)|history of |(?:other |past |previous )?(?:surgeries|operations|history|problems) includes? |per (?:[\w'’]+ ){1,4}(?:records?|reports?|notes?), |(?:otherwise |only )?(?:significant|positive|notable|remarkable) (?:only )?for "
    r"|(?:(?:otherwise|mostly|essentially|largely|entirely) )?(?:unremarkable|normal|negative|none|noncontributory|nothing|not notable)(?: (?:past )?(?:medical |surgical )?history)? (?:except|other than|apart from|aside from)(?: for)? )+",
    re.IGNORECASE,
)
"""What opens an entry of a history and is no part of it: "status post", "history of"."""
_LABEL = re.compile(r"^(?P<label>[A-Za-z][A-Za-z /-]*): (?=[A-Z])")
_GIVEN_ON = re.compile(r"(?<!on )(?<!by )(?<!until )(?<!through )(?<!from )\b\d{1,2}/\d{1,2}(?:/\d{2,4})?$")
"""A date that ends a telegram of a treatment: the day on which it was given, "Tdap 3/28"."""


def fits(frame: str, text: str, unit: Unit) -> bool:
    """Whether a telegram may be told in a frame.

    Args:
        frame: its name in assets/rules/letter/frames.tsv.
        text: turned to the patient, in plain words.
        unit: of the note.
    """
    low = re.findall(r"[^\W\d_][\w'’]*|[,;:]|\d+", _ASIDE.sub(" ", text.lower()))
    own = lists()
    if (
        not low
        or leans_on_untold(text)
        or low[0] == "please"
        or low[-1] in own["prepositions"] - own["ago"] - {"after"} | {"no", "already"}
    ):
        return False
    panel = sum(isinstance(one, ObservationStatement) for one in unit.statements) >= _PANEL
    if (
        _VALUE.search(_ASIDE.sub(" ", text))
        and not panel
        and frame not in _ORDERED | {"pending_result", "treatment", "medicine"}
    ):
        return False
    if frame in _ORDERED:
        return _has_object(low)
    clauses = own["openers"] | own["prepositions"]
    if any(word == "you" and clauses.isdisjoint(low[max(0, i - 2) : i]) for i, word in enumerate(low) if i):
        return False  # a clause of its own
    if frame in _NEVER_FIRST and isinstance(first_named(unit), _NEVER_FIRST[frame]) and low[0] not in own["negations"]:
        return False
    if frame in _WITHOUT_VERB and not own["telling"].isdisjoint(low) and has_finite_verb(text):
        return False
    if frame in ("treatment", "medicine"):
        return _is_of_medicine(low, frame) and _GIVEN_ON.search(text) is None
    if frame in _HISTORIES:
        return _is_of_history(unit) and (
            frame == "history" or (bool(unit.statements) and _LABELLED.match(text) is None)
        )
    if frame == "course":
        return _LABELLED.match(text) is None
    if frame == "other":
        # "rubella immune" is no plan, nor is "no family history of gout"
        return low[-1] not in own["states"] and own["kin"].isdisjoint(low)
    if frame == "assessment":
        return low[-1] not in own["person"] and low[-1] not in own["visits"]
    return True


def first_named(unit: Unit) -> Statement | None:
    """What a telegram begins with."""
    first = next((one for one in unit.statements if not isinstance(one, PlanStatement)), None)
    return first if first is not None and first.spans[0].start_char - unit.start <= _LEAD else None


def _has_object(low: list[str]) -> bool:
    """Whether an order says what is to be done to what: "restart when Dr. X allows" does not."""
    own = lists()
    following = low[1] if len(low) > 1 else ""
    small = own["prepositions"] | own["openers"] | own["particles"]
    return low[0] not in own["needing_object"] or not (
        not following or following in small or (following.isdigit() and not own["times"].isdisjoint(low[2:3]))
    )


def _is_of_medicine(low: list[str], frame: str) -> bool:
    """Whether a telegram tells what is to be taken, and not what was refused, talked about, handed out or taken once."""
    own = lists()
    if not own["refused"].isdisjoint(low) or low[0] in own["former"] | own["modals"]:
        return False
    if (
        len(low) == 1
        or is_past(low[0])
        or "kg" in low
        or low[1] in ("level", "levels")
        or low[-1] == "only"  # "Tylenol only", which goes on from what is not to be taken
        or (frame == "treatment" and is_participle(low[-1]) and low[-1] in own["handled"])
    ):
        return False
    return low[0] not in verbs() or low[0] in own["prepositions"]


def _is_of_history(unit: Unit) -> bool:
    """Whether a telegram tells what somebody has had, and not a test."""
    tested = not lists()["tests"].isdisjoint(re.findall(r"[a-z-]+", unit.text.lower()))
    had = any(
        isinstance(one, ProblemStatement) and one.verification_status is not VerificationStatus.REFUTED
        for one in unit.statements
    )
    first = first_named(unit)
    measured = isinstance(first, ObservationStatement) or (tested and isinstance(first, ProcedureStatement))
    return had or not (tested or measured)


def history_entry(text: str) -> str:
    """An entry of a history without the part of the body that heads it ("Cardiac: "), "status post" and "history of"."""
    label = _LABEL.match(text)
    headed = label is not None and set(re.findall(r"[a-z]+", label["label"].lower())) <= lists()["systems"]
    return _OF_A_LIST.sub("", text[label.end() :] if label is not None and headed else text)


def is_operation_step(text: str, unit: Unit) -> bool:
    """Whether a sentence of the report of an operation tells how it went along, and not what was found or done: "The leg was prepped"."""
    words = re.findall(r"[a-z]+", text.lower().replace("time-out", "timeout"))
    named = any(
        isinstance(one, ProblemStatement | ProcedureStatement | ObservationStatement) for one in unit.statements
    )
    done = any(a in ("was", "were") and is_participle(b) for a, b in pairwise(words))
    return unit.section is SectionCategory.PROCEDURES and (
        (done and not named and lists()["operations"].isdisjoint(words))
        or not lists()["operative_steps"].isdisjoint(words)
    )


def is_ordered(unit: Unit) -> bool:
    """Whether a telegram only names what a test is sent for: "C diff sent"."""
    words = re.findall(r"[a-z]+", unit.text.lower())
    return len(words) <= _SHORT and not lists()["handled"].isdisjoint(words[-1:])


def _is_in_table(words: list[str], unit: Unit, listed: Collection[str]) -> bool:
    """Whether a sentence tells only that a medicine was begun, which the table of medicines tells: "Lisinopril 5 mg was started"."""
    own = lists()
    held = [one for one in unit.statements if not isinstance(one, PlanStatement)]
    if not held or own["begun"].isdisjoint(words):
        return False
    medicines = [one for one in held if isinstance(one, MedicationStatement)]
    if len(medicines) < len(held) or not all(one.name in listed for one in medicines):
        return False
    named = {word for one in medicines for word in re.findall(r"[a-z]+", f"{one.spans[0].text} {one.name}".lower())}
    small = own["begun"] | own["units"] | own["subjects"] | own["prepositions"] | own["joins"] | own["adverbs"]
    return all(word in named | small or word.isdigit() or is_auxiliary(word) for word in words)


def listed_medicines(record: PatientRecord) -> frozenset[str]:
    """The names of the medicines that a note lists as taken at home or from now on, as the table of medicines does.

    Args:
        record: of the note.
    """
    return frozenset(one.name for one in record.medications if one.category is not MedicationCategory.INPATIENT)


def says_little(text: str, unit: Unit, listed: Collection[str] = ()) -> bool:
    """Whether a sentence in which nothing was read has hardly a word that tells something: "You felt safe.", "Your team counseled.".

    Args:
        text: as it would be told.
        unit: of the note.
        listed: names of medicines that the table of medicines tells.
    """
    own = lists()
    small = (
        own["prepositions"] | own["determiners"] | own["subjects"] | own["joins"] | own["patient"] | own["untroubled"]
    )
    small |= {"team", "to", "not", "report", "reported", "day", "seen"} | own["refused"] | own["telling"]
    words = re.findall(r"[a-z]+|\d+", text.lower())
    told = [word for word in words if word not in small and not is_auxiliary(word) and not is_adverb(word)]
    untroubled = not own["untroubled"].isdisjoint(words) and own["negations"].isdisjoint(words)
    read = any(not isinstance(one, PlanStatement) for one in unit.statements)
    said = not {"report", "reported", *own["refused"]}.isdisjoint(
        words
    )  # "You reported ice cream", "You declined the injection"
    because = bool(told) and not own["causes"].isdisjoint(words)  # "This is most likely due to the tablets"
    return (not read and not because and len(told) <= (_FEW if untroubled or said else 1)) or _is_in_table(
        words, unit, listed
    )
