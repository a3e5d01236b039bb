"""What a note plans within the visit or stay itself, told to a patient who is home again as what the plan was."""

import re
from functools import lru_cache

from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.verb_forms import verbs
from backend.generation.letter.story_selection import Part, Unit
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.record import PlanKind, Setting

IN_HOUSE = "letter/in_house"
_AFTER = "after"  # "nothing by mouth after midnight" does not reach beyond the stay
AFTERWARDS = frozenset(
    (
        PlanKind.FOLLOW_UP,
        PlanKind.RETURN_PRECAUTION,
        PlanKind.PENDING_RESULT,
        PlanKind.DIET,
        PlanKind.ACTIVITY,
        PlanKind.CARER,
    )
)
"""Kinds of plans that are for afterwards."""
_IN_HOUSE = frozenset((Setting.EMERGENCY, Setting.ADMISSION, Setting.HOSPITAL_CONSULT))
_TO_COME = re.compile(
    r"^(?P<who>(?:you|your child|your team|(?:the|an?|your) [\w'-]+(?: [\w'-]+){0,3}|[A-Z][\w'-]+(?: [\w'-]+){0,3})) will (?P<not>not )?(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_GOING = re.compile(r"\b(?:am|is|are) (?P<adverb>(?:also|now|then|not) )?going to (?!work\b)(?=(?P<verb>[a-z]+)\b)")
_TEAM = frozenset(("your team", "the team"))


def is_of_stay(unit: Unit, text: str, setting: Setting, *, of_then: bool) -> bool:
    """Whether a plan is for the visit or stay itself and does not reach beyond it.

    Args:
        unit: of the note.
        text: as it is told.
        setting: of the encounter.
        of_then: it speaks of the day of the note.
    """
    words = set(re.findall(r"[a-z-]+", text.lower()))
    own = lists()
    if unit.kind in AFTERWARDS or not own["beyond_stay"].isdisjoint(words):
        return False
    return setting in _IN_HOUSE or of_then or not own["stay_words"].isdisjoint(words)


def is_for_stay_alone(unit: Unit, setting: Setting) -> bool:
    """Whether a decision is an order of the ward that ends with the stay: nothing by mouth, hourly checks, when to transfuse, the code status.

    Args:
        unit: of the note.
        setting: of the encounter; what a clinic decides is for home.
    """
    if unit.part is not Part.DECIDED or setting not in _IN_HOUSE | {Setting.PRE_OPERATIVE}:
        return False
    words = plain_marks(tokens(unit.text).words)
    if not (lists()["beyond_stay"] - {_AFTER}).isdisjoint(words):
        return False
    return bool(_automaton().find(words)[IN_HOUSE])


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(IN_HOUSE))


def to_come(text: str) -> str:
    """A text with "will" for what somebody is going to do: "We are going to repeat it", and not "She is going to work"."""

    def told(match: re.Match[str]) -> str:
        return f"will {match['adverb'] or ''}" if match["verb"] in verbs() or match["verb"] == "be" else match[0]

    return _GOING.sub(told, text)


def as_decided(text: str) -> str:
    """What was planned without the words that say so."""
    return text.removeprefix("The plan was ")


def as_planned(text: str) -> str | None:
    """A sentence with "will" as what the plan was; as it is without one, None where it has more than one subject.

    "You will be admitted" gives "The plan was for you to be admitted", "Your team will get a scan" "The plan was to get a scan".
    """
    whole = re.search(r"\bwill\b", text, re.IGNORECASE)
    if whole is None:
        return text
    match = _TO_COME.match(text)
    if match is None or re.search(r"[.!?]\s+[A-Z]", match["rest"]):
        return None
    rest = re.sub(r"\b(and|or|but)((?: then| also)?) will\b(?! not)", r"\1\2 to", match["rest"])
    if re.search(r"\bwill\b", rest):
        return None
    who = match["who"]
    negated = "not " if match["not"] else ""
    if who.lower() in _TEAM:
        return f"The plan was {negated}to {rest}"
    who = who if who.isupper() else f"{who[:1].lower()}{who[1:]}"
    return f"The plan was for {who} {negated}to {rest}"
