"""What it says for a condition that the note names it: now, as known for long, as history, as suspected, or as denied.

"No prior DVT" and "denies any history of stroke" deny the past alone: they say nothing of today, for or against. A long-standing
condition in a list of what the patient has ("62F with HTN, gout, CKD") is known; it is today's where the note states an acute change:
"CHF exacerbation", "new atrial fibrillation", "gout flare".
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from backend.diagnosis.ranking.condition_courses import Course
from backend.schemas.drafts.note import Mention, Note
from backend.schemas.vocabulary import Assertion, SectionCategory

# nats
STATED, MEASURED, SEEN, KNOWN, SUSPECTED, DENIED = 6.0, 4.0, 3.0, 2.0, 2.5, -4.0
LONG_KNOWN, COMPLAINT, CHIEF_COMPLAINT, SAME_HISTORY = 1.5, 2.5, 4.0, 0.8
PAST = frozenset(
    {
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.MEDICATIONS,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.FAMILY_HISTORY,
    }
)
STATING = frozenset(
    {
        SectionCategory.CHIEF_COMPLAINT,
        SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
        SectionCategory.ASSESSMENT,
        SectionCategory.PLAN,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.UNLABELED,
        SectionCategory.OTHER,
    }
)
CHIEF = frozenset({SectionCategory.CHIEF_COMPLAINT, SectionCategory.ASSESSMENT})
ONE_LINE = frozenset({SectionCategory.ALLERGIES, SectionCategory.CHIEF_COMPLAINT})
BEFORE, AROUND = 120, 40  # characters looked at before a denial's name, and beside a name for an acute change


class Naming(NamedTuple):
    """weight in nats; stated: the note names it as present; historical: as known from before."""

    weight: float
    stated: bool
    historical: bool


def naming(text: str, mention: Mention, course: Course, known: Collection[str]) -> Naming | None:
    """What a mention of a condition's own name adds to it; None where it says nothing of today.

    known: the concepts that the note names as history anywhere.
    """
    if mention.assertion in (Assertion.FAMILY, Assertion.HYPOTHETICAL):
        return None
    if mention.assertion == Assertion.NEGATED:
        return None if denies_past_only(text, mention) else Naming(DENIED, False, False)
    if mention.assertion == Assertion.UNCERTAIN or others_opinion(text, mention):
        return Naming(SUSPECTED, False, False)
    if mention.assertion == Assertion.HISTORICAL or mention.section in PAST:
        return Naming(SAME_HISTORY, False, True)
    if mention.section not in STATING:
        return Naming(SEEN, True, False)
    changed = mention.section in CHIEF or states_acute_change(text, mention)
    if course == Course.SIGN:
        return Naming(CHIEF_COMPLAINT if mention.section in CHIEF else COMPLAINT, True, False)
    if mention.concept_id in known and not changed:
        return Naming(KNOWN if course == Course.ACUTE else LONG_KNOWN, True, True)
    if course == Course.CHRONIC and not changed:
        return Naming(LONG_KNOWN, True, False)
    return Naming(MEASURED if mention.text[:1].isdigit() else STATED, True, False)


def in_running_text(note: Note, mention: Mention) -> Mention:
    """The mention; as of no section where it stands in running text under a line of allergies or a chief complaint.

    Neither header has a second line of its own: what follows it is the story, with the patient's old conditions.
    """
    if mention.section not in ONE_LINE:
        return mention
    bodies = [part.body_char for part in note.sections if part.start_char <= mention.start_char]
    if not bodies or "\n" not in note.text[bodies[-1] : mention.start_char].strip():
        return mention
    return mention.model_copy(update={"section": SectionCategory.UNLABELED})


def denies_past_only(text: str, mention: Mention) -> bool:
    """Whether a negated name stands under "no prior", "no history of", "never had", or before "before": the past is denied."""
    before = text[max(0, mention.start_char - BEFORE) : mention.start_char]
    after = text[mention.end_char : mention.end_char + AROUND]
    return bool(_DENIED_PAST.search(before) or (_DENIED.search(before) and _EARLIER.match(after)))


def others_opinion(text: str, mention: Mention) -> bool:
    """Whether a name is what somebody took the illness for before, and its treatment has not helped: "called it a skin infection … no change"."""
    before = text[max(0, mention.start_char - AROUND) : mention.start_char]
    after = text[mention.end_char : mention.end_char + BEFORE]
    return bool(_TAKEN_FOR.search(before) and _NO_HELP.search(after))


def states_acute_change(text: str, mention: Mention) -> bool:
    """Whether the words in or right around a name tell that a known condition has become today's."""
    lead = text[max(0, mention.start_char - AROUND) : mention.start_char]
    before = _CLAUSE_BREAK.split(lead)[-1]
    after = _CLAUSE_BREAK.split(text[mention.end_char : mention.end_char + AROUND])[0]
    name = text[mention.start_char : mention.end_char]
    return bool(
        _BROUGHT.search(lead) or _ACUTE_CHANGE.search(f"{before}{name}") or _ACUTE_CHANGE.search(f"{name}{after}")
    )


_CLAUSE_BREAK = re.compile(
    r"[,.;:\n()]|\b(?:and|but|who|which|that|now|with (?:a )?(?:history|hx)|on|for which|p/w|presents?|presenting|brought|here|comes|came|complain\w*|c/o|s/p)\b",
    re.IGNORECASE,
)
_DENIED_PAST = re.compile(
    r"\b(?:(?:no|without|denies|denied|negative for|nor)\b[^.;\n]{0,30}?\b(?:prior|previous|prev|past|history|hx|h/o|earlier|known|personal)"
    r"|never (?:had|been|before|has|diagnosed)|has(?:n't| not) (?:ever )?had)\b(?:(?!\bbut\b|\bnow\b)[^.;\n])*$",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:no|not|never|without|denies|denied)\b[^.;\n]*$", re.IGNORECASE)
_EARLIER = re.compile(
    r"[^.;,\n]{0,20}\b(?:before|previously|in the past|ever|history|hx|in the family)\b", re.IGNORECASE
)
_TAKEN_FOR = re.compile(
    r"\b(?:called (?:it|this|that)|was told (?:it was|she had|he had|of)|thought (?:it was|to be|to have)|labell?ed(?: as)?|diagnosed(?: with| as)?|treated (?:as|for)|for (?:a )?(?:presumed|supposed)|put down to)"
    r"[\s\"'“]*(?:an? |the |simple |likely )?[\"'“]?$",
    re.IGNORECASE,
)
_NO_HELP = re.compile(
    r"\b(?:no (?:change|better|improvement|relief|response|effect|benefit)|not (?:better|improved|improving|helped|responded|settled)|without (?:change|improvement|relief|benefit|effect)"
    r"|(?:didn't|did not|hasn't|has not) (?:help|helped|work|worked|settle|settled|respond|responded|improve|improved|touch|touched))",
    re.IGNORECASE,
)
_ACUTE_CHANGE = re.compile(
    r"\b(?:acute(?:ly)?|exacerbation|exac|exacerbated|ADHF|AECOPD|flare|flaring|flare-up|crisis|attack|decompensat\w+|worsen\w+|worse|uncontrolled|poorly controlled"
    r"|newly|new|new[- ]onset|breakthrough|relaps\w+|recurr\w+|symptomatic|bleeding|ruptured?|rapid|RVR|intractable|refractory|overload(?:ed)?|episode)\b",
    re.IGNORECASE,
)
_BROUGHT = re.compile(
    r"\b(?:(?:presents?|presented|presenting|admitted|here|p/w|sent|referred|treated|brought in) (?:with|for)|p/w|show(?:s|ed)|reveal\w*|consistent with|c/w|suggest\w*"
    r"|suspect\w*(?: of)?) (?:a |an |severe |critical |his |her )?$",
    re.IGNORECASE,
)
