"""How much general advice a letter has room for, and what of it comes first.

Advice that is read to its end is short: what sends to treatment, then what sets a limit, then what merely encourages. After a stay
in hospital there is more to tell than after a visit, and of what the team only thinks of there is no more than when to get help.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.generation.composer.material import QuotedSentence
from backend.nlp.document.tokens import tokens
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
from backend.schemas.record import Setting
from backend.schemas.vocabulary import Length

STAYS = frozenset({Setting.ADMISSION, Setting.HOSPITAL_CONSULT})
ADVICE_WORDS = {Length.SHORT: 250, Length.FULL: 900}
"""Words of general advice in a letter: the most that a patient is asked to read, unless all is asked for."""
MOST_WARNINGS = {Length.SHORT: 10, Length.FULL: 16}
MOST_EMERGENCIES = {Length.SHORT: 9, Length.FULL: 12}
"""Warnings that send to emergency treatment: of more a reader keeps none."""
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


class AdviceBudget:
    """How many sentences of each part one letter has.

    Args:
        length: of the letter.
        stay: it is after a stay in hospital.
    """

    def __init__(self, length: Length, *, stay: bool) -> None:
        self.parts: Sequence[Part] = AFTER_A_STAY if stay else AFTER_A_VISIT
        self.first_of_all = tuple(
            one._replace(most=min(one.most, 2 if one.heading == DIET else 1)) for one in self.parts[1:4]
        )
        """What a letter says of its own subject before it turns to the patient's situations: a precaution, diet, activity."""
        self._full, self._stay = length is Length.FULL, stay

    def of(self, part: str, most: int, place: int, *, illness: bool, sure: bool) -> int:
        """How many sentences of a part of a condition's chapter are quoted.

        Args:
            part: of the chapter.
            most: as the part's row has it.
            place: of the condition among those that the letter is about; the first has more than the others.
            illness: it is one, and no symptom.
            sure: it is more than thought of.
        """
        most = most if place == 0 else min(most, SECOND_CONDITION_MOST)
        if not illness or not (sure or self._stay):
            most = min(most, (OF_A_THOUGHT if illness else OF_A_SYMPTOM).get(part, 0))
        return 2 * most if self._full else most


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


def _doubt(text: str) -> int:
    """0 for what to do, 1 for what to ask or tell, 2 for what holds only for some."""
    words, lists = tokens(text.lower()).words, word_lists("letter/words_advice")
    return 2 if not lists["condition"].isdisjoint(words) else int(words[0] in lists["ask"])


@lru_cache(maxsize=1)
def _limits() -> re.Pattern[str]:
    phrases = rule_names(RULES / "letter" / "limits.txt")
    return re.compile(rf"(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)
