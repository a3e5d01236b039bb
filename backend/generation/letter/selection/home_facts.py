"""What matters at home of the sections that a letter mostly leaves out: that they live alone or in care, what is smoked, how a wound looks.

Takes a clause with what was read in it; says whether it is told. What the patient has not, a habit that is over and what the examiner
measures by scales of their own stay out.
"""

import re
from collections.abc import Sequence

from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.telegrams import has_finite_verb
from backend.generation.letter.story_weights import feature_of
from backend.nlp.lexicon.variants import stem
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import (
    HabitStatus,
    MedicationStatement,
    ProblemStatement,
    SocialKind,
    SocialStatement,
    Statement,
)
from backend.schemas.vocabulary import SectionCategory

_LIVES = re.compile(
    r"\b(?:lives?|living|resides?|stays?) (?:\w+ ){0,2}?(?:alone|by (?:him|her)self|(?:[\w-]+ ){1,3}(?:living|care|center|centre|hospice|facility|shelter)\b"
    r"|(?:in|at) an? (?:[\w-]+ )*home\b)",
    re.IGNORECASE,
)
_OFTEN = re.compile(
    r"\b(?:dail(?:y|ies)|every (?:day|night|evening)|(?:per|a|each) (?:day|night)|heav(?:y|ily))\b", re.IGNORECASE
)
_HAD = frozenset(("problem:present", "problem:uncertain"))
"""Features of what a patient has."""
_STORIES = frozenset(
    (SectionCategory.CHIEF_COMPLAINT, SectionCategory.HISTORY_OF_PRESENT_ILLNESS, SectionCategory.UNLABELED)
)
_NEAR = 3
"""Words behind "now" that say how it is."""
_ROMAN = re.compile(r"\b[IVX]{2,}\b")
_FEWEST = 4
"""Words of what an examination tells in which nothing was read."""


def matters_at_home(
    text: str, inside: Sequence[Statement], section: SectionCategory, *, child: bool, reason: str = ""
) -> bool:
    """Whether a clause is told though its section is one that a letter leaves out.

    Args:
        text: of the note.
        inside: the statements of the clause.
        section: of the note.
        child: the patient is one, whose parents know with whom they live.
        reason: for the encounter, in the note's words; what runs in the family matters where they came for it.
    """
    if section is SectionCategory.PHYSICAL_EXAM:
        return _is_seen(text)
    if section is SectionCategory.REVIEW_OF_SYSTEMS:
        return is_reported(text, inside, section)
    if section is SectionCategory.FAMILY_HISTORY:
        return any(isinstance(one, ProblemStatement) and _shares(one.name, reason) for one in inside)
    return any(isinstance(one, SocialStatement) and _matters(one, text, child=child) for one in inside)


def is_reported(text: str, inside: Sequence[Statement], section: SectionCategory) -> bool:
    """Whether a review of systems tells in a sentence what the patient has: "She gets short of breath on the stairs", no "He has heartburn".

    Args:
        text: of the note.
        inside: the statements of the clause.
        section: of the note.
    """
    if section is not SectionCategory.REVIEW_OF_SYSTEMS:
        return False
    words = re.findall(r"[a-z']+", text.lower())
    own = word_lists("letter/words_home")
    of_patient = not own["patient"].isdisjoint(words[:1] if words[:1] != ["the"] else words[1:2])
    held = [feature for one in inside if (feature := feature_of(one)).startswith("problem:")]
    denied = not (lists()["negations"] | lists()["denials"]).isdisjoint(words)
    told = (
        bool(held)
        and _HAD.issuperset(held)
        and len(words) > _FEWEST
        and (not denied or not own["grave"].isdisjoint(words))
    )
    return of_patient and told and has_finite_verb(text)


def tells_course(text: str) -> bool:
    """Whether a sentence tells what makes a complaint better or worse, or what care was had: "It goes away when he sits up", "She wears a brace".

    Args:
        text: of the note.
    """
    own, words = word_lists("letter/words_home"), re.findall(r"[a-z]+", text.lower())
    eased = not own["eases"].isdisjoint(words) and not own["complaints"].isdisjoint(words)
    return eased or not own["cared"].isdisjoint(words)


def is_over(text: str, section: SectionCategory) -> bool:
    """Whether a telegram of the story tells a complaint of this illness's first days, or one that is over: "Initial cough - now gone".

    Args:
        text: of the note.
        section: that it stands in.
    """
    if section not in _STORIES or text.split(" ", 1)[0].lower() in lists()["subjects"] | {"had", "has"}:
        return False
    own, words = word_lists("letter/words_history"), re.findall(r"[a-z/]+", text.lower())
    if not own["past"].isdisjoint(words):
        return False
    began = not own["first_days"].isdisjoint(words)
    behind = words[words.index("now") + 1 :][:_NEAR] if "now" in words else words if began else []
    return not own["over_now"].isdisjoint(behind) and lists()["negations"].isdisjoint(behind)


def is_of_exam(text: str) -> bool:
    """Whether a finding is for the clinic alone: graded or measured, told with what is normal, or leaning on the one before.

    Args:
        text: of the note.
    """
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", text)]
    own = lists()
    return (
        any(c.isdigit() for c in text)
        or _ROMAN.search(text) is not None
        or not own["negations"].isdisjoint(words)
        or not (own["as_it_should_be"] | own["not_told_signs"]).isdisjoint(words)
        or words[0] in own["leaning_subjects"]
    )


def is_breathed(one: Statement) -> bool:
    """Whether a medicine is oxygen, which no table of medicines tells."""
    names = word_lists("letter/words_home")["breathed"]
    return isinstance(one, MedicationStatement) and one.name.lower() in names


def is_worth_denying(text: str, reason: str) -> bool:
    """Whether what a clause denies is told: an infection, an injury, that there was the like before, or what they came for.

    Args:
        text: of the note.
        reason: for the encounter, in the note's words.
    """
    own = word_lists("letter/words_home")["denied"]
    return not own.isdisjoint(re.findall(r"[a-z]+", text.lower())) or _shares(text, reason)


def _shares(text: str, reason: str) -> bool:
    """Whether two texts have a word of four letters or more in common."""
    words, others = ({stem(word) for word in re.findall(r"[a-z]{4,}", one.lower())} for one in (text, reason))
    return not words.isdisjoint(others)


def _matters(one: SocialStatement, text: str, *, child: bool) -> bool:
    if one.kind is SocialKind.LIVING:
        return not child and _LIVES.search(text) is not None
    if one.status is not HabitStatus.CURRENT:
        return False
    return one.kind is SocialKind.TOBACCO or (one.kind is SocialKind.ALCOHOL and _OFTEN.search(text) is not None)


def _is_seen(text: str) -> bool:
    """Whether an examination tells in whole words how a wound or a tube looks, or a sign that anybody sees: "The arm is weaker than the left"."""
    words = re.findall(r"[a-z]+", text.lower())
    own = word_lists("letter/words_home")
    if len(words) < _FEWEST or any(c.isdigit() for c in text) or words[0] in lists()["leaning_subjects"]:
        return False
    if not own["wound"].isdisjoint(words):
        return not own["states"].isdisjoint(words)
    return not own["signs"].isdisjoint(words) and lists()["negations"].isdisjoint(words)
