"""How much general advice a letter has room for, and what of it comes first.

Advice that is read to its end is short: what sends to treatment, then what sets a limit, then what merely encourages. After a stay
in hospital there is more to tell than after a visit, of what the team only thinks of there is no more than when to get help, and of an
illness that is quiet at a visit no more than the gravest signs: its daily care was explained long ago.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.generation.composer.material import QuotedSentence
from backend.knowledge.advice.red_flags import level_of
from backend.knowledge.advice.sign_classes import Level
from backend.nlp.document.tokens import tokens
from backend.nlp.people.care_frames import is_office_visit
from backend.nlp.rules import RULES, rule_names
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.headings import (
    ACTIVITY,
    DIET,
    FOLLOW_UP,
    MEDICINES_PART,
    PRECAUTIONS,
    WARNING,
    WHY,
)
from backend.schemas.record import PatientRecord, Setting
from backend.schemas.vocabulary import Length

STAYS = frozenset({Setting.ADMISSION, Setting.HOSPITAL_CONSULT})


class Room(NamedTuple):
    """How much one letter holds: words of general advice, warnings, and of these such as send to emergency treatment.

    It is the most that a patient is asked to read, unless all is asked for; of more warnings a reader keeps none.
    """

    words: int
    warnings: int
    emergencies: int


ROOM = {Length.SHORT: Room(250, 10, 9), Length.FULL: Room(900, 16, 12)}
ROOM_OF_A_VISIT = {Length.SHORT: Room(150, 7, 6), Length.FULL: ROOM[Length.FULL]}
OF_SITUATIONS = {"Warning signs": 6, "Precautions": 4, "Follow-up": 2}
"""Sentences of one part that all situations of a patient add together."""
SITUATION_WORDS = {Length.SHORT: 90, Length.FULL: 400}
"""Of the words of advice those that situations may use: what the letter is about has the rest."""
SECOND_CONDITION_MOST = 2
OF_A_SYMPTOM = {"Warning signs": 6, "Precautions": 1}
"""What is quoted of a symptom's chapter: when to get help. What is behind the symptom, and so what to eat and to do, nobody knows yet."""
OF_A_THOUGHT = {"Warning signs": 6, "Precautions": 1, "Diet": 1}
"""What is quoted after a visit of an illness that the team only thinks of; a stay has treated it."""


class Part(NamedTuple):
    """What is quoted of a chapter: its heading in the letter, the chapter's part, and how many sentences of it in a short letter."""

    heading: str
    part: str
    most: int


AFTER_A_STAY = (
    Part(WARNING, "Warning signs", 6),
    Part(PRECAUTIONS, "Precautions", 4),
    Part(DIET, "Diet", 3),
    Part(ACTIVITY, "Activity", 3),
    Part(WHY, "What it is", 1),
    Part(MEDICINES_PART, "Medicines", 2),
    Part(FOLLOW_UP, "Follow-up", 2),
)
"""The parts, the most important first."""
_OF_A_VISIT = {"Precautions": 2, "Diet": 1, "Activity": 1}
AFTER_A_VISIT = tuple(one._replace(most=_OF_A_VISIT.get(one.part, one.most)) for one in AFTER_A_STAY)
AT_A_CLINIC = {"Warning signs": 5, "Precautions": 1, "Diet": 1, "Activity": 1, "Medicines": 1, "Follow-up": 2}
"""What is quoted after a visit to a clinic, whose own plan says the rest."""
OF_A_QUIET_ILLNESS = {"Warning signs": 3}
"""What is quoted after such a visit of an illness that the note tells as quiet."""


class AdviceBudget:
    """How many sentences of each part one letter has.

    Args:
        length: of the letter.
        stay: it is after a stay in hospital.
        record: of the note; without one it is after no visit.

    Attributes:
        room: how much it holds.
        visit: it is after a visit to a clinic.
        parts: what is quoted of a chapter.
        first_of_all: what it says of its own subject before it turns to the patient's situations: a precaution, diet, activity.
    """

    def __init__(self, length: Length, *, stay: bool, record: PatientRecord | None = None) -> None:
        record = record or PatientRecord()
        self.visit = is_office_visit(record) and not stay
        self._acute = record.encounter.setting in STAYS | {Setting.EMERGENCY}
        self.room = (ROOM_OF_A_VISIT if self.visit else ROOM)[length]
        self.parts: Sequence[Part] = AFTER_A_STAY if stay else AFTER_A_VISIT
        self.first_of_all = tuple(
            one._replace(most=min(one.most, 2 if one.heading == DIET else 1)) for one in self.parts[1:4]
        )
        self._full, self._stay = length is Length.FULL, stay

    def of(self, part: str, most: int, place: int, *, illness: bool, sure: bool, quiet: bool = False) -> int:
        """How many sentences of a part of a condition's chapter are quoted.

        Args:
            part: of the chapter.
            most: as the part's row has it.
            place: of the condition among those that the letter is about; the first has more than the others.
            illness: it is one, and no symptom.
            sure: it is more than thought of.
            quiet: the note tells it as quiet.
        """
        most = most if place == 0 else min(most, SECOND_CONDITION_MOST)
        if not illness or not (sure or self._stay):
            most = min(most, (OF_A_THOUGHT if illness else OF_A_SYMPTOM).get(part, 0))
        if self.visit:
            most = min(most, (OF_A_QUIET_ILLNESS if quiet else AT_A_CLINIC).get(part, 0))
        return 2 * most if self._full else most

    def leaves_out(self, text: str, part: str, *, planned: bool, already: bool) -> bool:
        """Whether a sentence has no place in a letter: what is new today does not wait for a visit some day.

        One that tells not all leaves to the next visit what can wait for it. After a visit a sign to call for that the patient has
        already is what the visit was about.

        Args:
            text: as the letter would tell it.
            part: of the chapter.
            planned: the letter tells what the note itself plans next.
            already: it is a sign that the patient has already.
        """
        level = level_of(text)
        if level is Level.NEXT_VISIT:
            return not self._full or self._acute
        if self._full:
            return False
        if self.visit and already and level is Level.CALL_TODAY:
            return True
        return planned and not self._stay and _yields_to_plan(text, part)


def by_importance(quotes: Iterable[QuotedSentence], part: str, takes: Callable[[str], bool]) -> list[QuotedSentence]:
    """The sentences of a part of a chapter, the most important first; the chapter's order decides between equals.

    What sets a limit to activity comes before what encourages it ("do not drive until", "walk each day"). A precaution that says
    what to do, or is of a medicine that the patient takes, comes first, then what to ask or tell, and last what holds only if something
    is so that the letter cannot tell.

    Args:
        quotes: in the chapter's order.
        part: of the chapter.
        takes: whether the patient takes a medicine or one of a class, by its id.
    """
    match part:
        case "Activity":
            return sorted(quotes, key=lambda one: not _limits().match(one.text))
        case "Precautions":
            return sorted(quotes, key=lambda one: 0 if any(map(takes, one.medicines)) else _doubt(one.text))
    return list(quotes)


def _yields_to_plan(text: str, part: str) -> bool:
    """Whether a sentence has no place beside the plan of a visit: it encourages and sets no limit, asks the team, or holds only for some."""
    match part:
        case "Diet" | "Activity":
            return not _limits().match(text)
        case "Precautions" | "Medicines":
            return _doubt(text) > 0
    return part == "Follow-up"


def _doubt(text: str) -> int:
    """0 for what to do, 1 for what to ask, tell or write down, 2 for what holds only for some."""
    words, lists = tokens(text.lower()).words, word_lists("letter/words_advice")
    if not lists["condition"].isdisjoint(words):
        return 2
    return int(words[0] in lists["ask"] or not lists["record"].isdisjoint(words))


@lru_cache(maxsize=1)
def _limits() -> re.Pattern[str]:
    phrases = rule_names(RULES / "letter" / "limits.txt")
    return re.compile(rf"(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)
