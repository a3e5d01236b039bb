"""Where the notes and the draft disagree about allergies: lists that differ, a draft that denies them, a note that is silent."""

from collections.abc import Iterator

from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.note import AllergyItem
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, Severity
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, make_flag
from backend.verification.support.allergy_statements import allergies_of, denies_all_allergies

DISAGREEMENT, NOT_STATED = "allergy_disagreement", "allergy_not_stated"
_NAMED = 3  # allergies that a flag names


@flag_kind(
    DISAGREEMENT,
    label="Allergies disagree",
    severity=Severity.SEVERE,
    explanation="The draft says that there are no allergies although a note lists some, or earlier notes list an allergy that "
    "the pasted note does not. It is a warning where the pasted note has a list that lacks only some.",
    action="Ask the patient, and correct the list or the sentence that is wrong.",
    example=FlagExample("Allergies: penicillin (hives)\n\nHPI: A 60-year-old woman.", "You have no known allergies."),
    counterexample=FlagExample(
        "Allergies: penicillin (hives)\n\nHPI: A 60-year-old woman.", "You are allergic to penicillin."
    ),
)
@safety_check("denied_allergies", order=20)
def denied_allergies(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield a flag for each sentence that denies all allergies although notes list some; intolerances contradict nothing."""
    listed = [f"the note lists “{item.text}”" for item in allergies_of(draft.linked)]
    listed += [f"“{item.text}” is {where}" for item, where in draft.earlier if item.kind == AllergyKind.ALLERGY]
    if not listed:
        return
    more = f", and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
    for place, sentence in enumerate(draft.sentences):
        if denies_all_allergies(sentence.text, draft.known.linker):
            yield make_flag(
                DISAGREEMENT,
                f"The draft says that there are no allergies, but {'; '.join(listed[:_NAMED])}{more}.",
                sentence=place,
                evidence=(sentence.text,),
            )


@flag_kind(
    NOT_STATED,
    label="Allergies not stated",
    severity=Severity.WARNING,
    explanation="The pasted note does not say whether the patient has allergies, so no medicine could be compared with them.",
    action="Ask the patient, and write the allergies, or that there are none, into the note.",
    of_note=True,
    example=FlagExample("A 60-year-old woman with cough."),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman with cough."),
)
@safety_check("allergies_not_stated", order=110)
def allergies_not_stated(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield a flag for a silent note; where earlier notes list allergies, `earlier_allergies_differ` says more."""
    silent = draft.linked.allergies.status in (AllergyStatus.NOT_STATED, AllergyStatus.UNREADABLE)
    if draft.has_note and silent and not draft.earlier:
        yield make_flag(
            NOT_STATED, "The note does not say whether there are allergies; nothing could be checked against them."
        )


@safety_check("earlier_allergies_differ", order=130)
def earlier_allergies_differ(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield one flag for allergies that earlier notes list and the pasted note does not.

    Severe where the pasted note says that there are none: one of the two notes is wrong. A note that says nothing of allergies
    disagrees with none; its flag is of the kind not stated.
    """
    if not draft.has_note or not draft.earlier:
        return
    listed = "; ".join(f"{_quoted(one.item)}, {one.where}" for one in draft.earlier)
    status = draft.linked.allergies.status
    says = {
        AllergyStatus.NONE_KNOWN: "The pasted note says that no allergies are known, but",
        AllergyStatus.LISTED: "The pasted note does not list all:",
    }.get(status, "The pasted note does not say whether there are allergies;")
    says_so = status in (AllergyStatus.NONE_KNOWN, AllergyStatus.LISTED)
    yield make_flag(
        DISAGREEMENT if says_so else NOT_STATED,
        f"{says} earlier notes list {listed}. Ask the patient.",
        severity=Severity.SEVERE if status == AllergyStatus.NONE_KNOWN else Severity.WARNING,
        evidence=tuple(one.item.text for one in draft.earlier),
    )


def _quoted(item: AllergyItem) -> str:
    reaction = f": {item.reaction}" if item.reaction else ""
    return f"“{item.text}” ({item.kind.value}{reaction})"
