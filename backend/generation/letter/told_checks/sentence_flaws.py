"""What keeps a turned text from being told: a sentence that is broken, leans on what nobody told, or is written as charts write.

Its verb stands in a clause that only describes, a second verb follows a comma alone, a piece of a list hangs on its end, a dash stands
for a word. `flaw_of` tells which, so that a letter leaves it out.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from backend.generation.letter.plain_language.clause_subjects import Addressee, ClauseSubjects
from backend.generation.letter.plain_language.letter_words import Word, is_adverb, lists, words_of
from backend.generation.letter.plain_language.telegrams import break_of, is_telegram
from backend.generation.letter.plain_language.verb_forms import (
    EITHER,
    SURE,
    is_auxiliary,
    is_participle,
    is_past,
    third_kind,
    verbs,
    with_you,
)
from backend.generation.letter.told_checks.clause_joints import is_disjointed
from backend.generation.letter.told_checks.others_told import is_of_other, leans_on_untold
from backend.nlp.lexicon.variants import english_words

_SENTENCES = re.compile(r"(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<=[.!?])\s+(?=[A-Z])")
_QUOTES = frozenset('"“”')
_LABEL, _SHORTEST = 4, 3
"""Words of a label before its colon; letters of a word that is not said twice in a row."""
_LISTED = 3
"""Commas before a verb from which it is no verb of a sentence but a noun of a list."""
_WHO = frozenset(("who", "whom", "whose", "which"))


class Flaw(StrEnum):
    """What keeps a text from being a whole sentence."""

    NO_VERB = "no_verb"
    RUN_ON = "run_on"
    FRAGMENT = "fragment"
    AGREEMENT = "agreement"
    NO_SUBJECT = "no_subject"
    SHORTHAND = "shorthand"
    LEANS = "leans"  # on what no sentence tells: "You understood this may raise your sugar"


def flaw_of(text: str) -> Flaw | None:
    """What keeps a turned text from being whole sentences that stand by themselves; None for nothing.

    Args:
        text: one or more sentences to the patient, or of a child to the parents.
    """
    if leans_on_untold(text) or is_of_other(text):
        return Flaw.LEANS
    for number, sentence in enumerate(_SENTENCES.split(text)):
        words = words_of(sentence.strip())
        if not words or (number and is_telegram(sentence)):
            return Flaw.NO_VERB
        flaw = TurnedSentence(words).flaw()
        if flaw is not None:
            return flaw
    return None


def _is_of_he(low: str) -> bool:
    """Whether a word behind "you" is a verb as "he" has it."""
    return third_kind(low) == SURE or (low[-3:] in ("zes", "ses") and with_you(low) in english_words())


class TurnedSentence:
    """One turned sentence, with the places of its finite verbs.

    Args:
        words: of it.
    """

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = words
        self.low = ["" if word.quoted else word.low for word in words]
        clause = ClauseSubjects(words, Addressee())
        small = lists()["prepositions"]  # "as", which ends like a verb
        places = range(len(words))
        self.finite = [
            i for i in places if self.low[i] not in small and (clause.is_finite(i) or self._goes_with_you(i))
        ]

    def flaw(self) -> Flaw | None:
        """The first flaw found."""
        if self._is_without_verb() or self._is_without_auxiliary():
            return Flaw.NO_VERB
        last = [low for low in self.low if low not in (".", "!")][-2:]
        if (
            self._turns_to_orders()
            or any(self.runs_on(i) for i in self.finite)
            or (last[:1] == [","] and is_participle(last[-1]))
            or last[-1:] in (["and"], ["or"], ["but"], ["the"])  # cut before its end
        ):
            return Flaw.RUN_ON
        if any(self._begins_fragment(i) for i, low in enumerate(self.low) if low == ","):
            return Flaw.FRAGMENT
        if any(self._leads_nowhere(i) or self._gives_nothing(i) for i in range(1, len(self.low) - 1)):
            return Flaw.FRAGMENT
        quoted = (
            i for i in range(2, len(self._words)) if self._words[i - 1].text in _QUOTES and self.low[i - 2] == "you"
        )
        if any(third_kind(self._words[i].low) is not None for i in quoted):  # 'even though you "wants to"'
            return Flaw.AGREEMENT
        first = self._skipped(1)
        if self.low[0] == "you" and first < len(self.low) and _is_of_he(self.low[first]):
            return Flaw.AGREEMENT  # "You still localizes it"
        if self.low[0] == "you" and self.disagreeing():
            return Flaw.AGREEMENT
        if any(low in lists()["denials"] and not self._has_person(i) for i, low in enumerate(self.low)):
            return Flaw.NO_SUBJECT
        if any(self.low[i - 1 : i + 1] == [",", "so"] and self._is_done(i + 1) for i in range(1, len(self.low) - 2)):
            return Flaw.NO_SUBJECT  # "had pain, so brought you in"
        if any(map(self._is_charted, range(1, len(self.low)))):
            return Flaw.SHORTHAND
        if self._is_broken_by_mark() or self._says_twice() or is_disjointed(self._words, self.finite):
            return Flaw.SHORTHAND
        doubted = "?" in self.low[:-1]  # "insulin? - to check"
        if (
            doubted
            or any(one.text == "x" for one in self._words)
            or any(map(self._lacks_word, range(len(self.low) - 1)))
        ):
            return Flaw.SHORTHAND
        return None

    def disagreeing(self) -> list[int]:
        """Where verbs that go with "he" are joined to those of "you"."""
        return [i for i in range(2, len(self.low)) if self._disagrees(i)]

    def _is_charted(self, i: int) -> bool:
        """Whether words that end at i stand together in charts alone: "beats consecutive", "refused the by mouth", "not unable", "was been"."""
        own = lists()
        before, low = self.low[i - 1], self.low[i]
        after = self.low[i + 1] if i + 1 < len(self.low) else "."
        ends = after in own["marks"] | own["times"] | {"one"} and before[:1].isalpha() and before.endswith("s")
        verb = next((k for k in range(i - 1, 0, -1) if k in self.finite or self.low[k - 1] == "to"), 0)
        if low in own["behind_noun"] and ends and verb and self.low[verb] not in own["states_of"]:
            return True
        closed = own["prepositions"] - {
            "in",
            "on",
            "over",
            "about",
            "around",
            "near",
            "above",
            "under",
            "after",
            "before",
            "past",
        }
        if before in ("a", "an", "the", "your") and low in closed and not self._words[i].quoted:
            return True
        if before in ("not", "never") and low in own["negations"] | own["without"]:
            return True
        if before in ("is", "was", "are", "were") and low == "been":
            return True
        if low == "be" and is_participle(self.low[self._skipped_back(i - 1)]):
            return True  # "was thought still be blocked"
        if low == "that" and before in ("seem", "seemed", "appear", "appeared"):
            return self.low[i - 2] in ("you", "child", "he", "she", "they")
        return (
            before in ("of", "with", "had", "have")
            and low in own["felt_states"]
            and after in own["marks"] | own["joins"]
        )

    def _is_without_auxiliary(self) -> bool:
        """Whether the patient has a participle for a verb: "You considering a coil", "You seen at the clinic"."""
        begin = {"you": 1, "your": 2}.get(self.low[0], 0)
        if not begin or (begin == 2 and self.low[1:2] != ["child"]):
            return False
        i = self._skipped(begin)
        low = self.low[i] if i < len(self.low) else ""
        if low.endswith("ing"):
            return low not in verbs()
        return is_participle(low) and not is_past(low) and low not in verbs()

    def _is_broken_by_mark(self) -> bool:
        """Whether a dash, a stroke or the colon of a label parts the sentence, and no clause follows it."""
        own = lists()
        mark = break_of(self._words)
        if mark is None:
            return False
        following = self.low[mark + 1]
        if self._words[mark].text == ":":
            return mark <= _LABEL and self.low[0] not in verbs() and not any(i < mark for i in self.finite)
        clause = own["joins"] | own["openers"] | own["determiners"] | own["subjects"] | {"your"}
        return self._words[mark].text == "/" or not (following in clause or following in verbs())

    def _turns_to_orders(self) -> bool:
        """Whether a sentence of something else goes on with an order: "Platelets are low, check weekly, hold if below 50"."""
        own = lists()
        if self.low[0] in own["patient_verbs"] | own["openers"] | {"you", "they"} or self.low[0] in verbs():
            return False
        ends = own["openers"] | own["prepositions"]
        orders = (
            i
            for i in range(2, len(self.low) - 1)
            if self.low[i - 1] == "," and self.low[i] in own["needing_object"] - {"continue"}
        )
        free = {"to", "you", "they"} | own["modals"]
        return any(
            (self.low[i + 1] in ends or is_adverb(self.low[i + 1])) and free.isdisjoint(self.low[:i]) for i in orders
        )

    def _says_twice(self) -> bool:
        """Whether a word stands twice in a row: "low sodium sodium 124"."""
        pairs = pairwise(self.low)
        return any(one == other and len(one) > _SHORTEST and one.isalpha() for one, other in pairs)

    def _lacks_word(self, i: int) -> bool:
        """Whether a small word is left out behind the word at i: "a history gout", "was found to glucose of 30", "( diagnosed)"."""
        own, low, following = lists(), self.low[i], self.low[i + 1]
        small = (
            own["prepositions"]
            | own["joins"]
            | own["openers"]
            | own["marks"]
            | own["modals"]
            | {"(", "/", "taking", ""}
        )
        verb = (
            is_auxiliary(following) or is_past(following) or third_kind(following) is not None or following in verbs()
        )
        if low == "history":
            return not (following in small or verb or is_adverb(following) or following in own["times"])
        if low == "to" and i and self.low[i - 1] in ("found", "noted"):
            return not (verb or following in ("be", "") or is_adverb(following)) or following in (
                "has",
                "had",
                "having",
            )
        if low == "who" and self.low[0] == "you":  # "You have had surgery in 2018 who came with a cough"
            person = own["female"] | own["male"] | own["person"] | own["people"] | {",", ""}
            return following in own["opening_verbs"] - {"has", "had", "is", "was"} and self.low[i - 1] not in person
        return low == "(" and bool(self._words[i + 1].space)

    def _goes_with_you(self, i: int) -> bool:
        """Whether a base form at i is the verb of "you" or "they", or joined to one ("You smoke, drink and use")."""
        own = lists()
        if self.low[i] in own["prepositions"] | own["joins"] | own["marks"] or is_adverb(self.low[i]):
            return False
        k = self._skipped_back(i - 1)
        return k >= 0 and self.low[k] in ("you", "they") and (self.low[i] in verbs() or k == 0)

    def _has_person(self, i: int) -> bool:
        """Whether one who can deny something stands before the verb at i: "but otherwise denies" has none."""
        own = lists()
        who = own["subjects"] | own["female"] | own["male"] | own["person"] | own["people"] | own["patient"]
        before = self.low[self._skipped_back(i - 1)] if i else ""
        return (
            is_auxiliary(before)
            or before in who - own["determiners"] - {"it", "there", "your"}
            or (before in own["joins"] and self.low[0] == "you")
        )

    def _skipped_back(self, i: int) -> int:
        while i > 0 and (is_adverb(self.low[i]) or self.low[i] == "not"):
            i -= 1
        return i

    def _skipped(self, i: int) -> int:
        while i < len(self.low) and (is_adverb(self.low[i]) or self.low[i] in (",", "not")):
            i += 1
        return i

    def _is_without_verb(self) -> bool:
        """Whether no verb outside a clause that only describes or leads on is the sentence's own, with its subject before it."""
        own = lists()
        begin = self._skipped(0)
        if begin >= len(self.low) or self.low[0] == "not":
            return True
        first = self.low[begin]
        left_out: set[int] = set()
        inside = False
        for i, low in enumerate(self.low):
            inside = (inside and low != ",") or (low in _WHO | {"than"} and i > begin)
            if inside:
                left_out.add(i)
        least = 1
        if first in own["openers"] - _WHO:
            comma = next((i for i, low in enumerate(self.low) if low == ","), None)
            left_out |= set(range(comma or 0))
            least = 2 if comma is None and first not in own["prepositions"] else 1
        main = [i for i in self.finite if i not in left_out]
        led = first in own["openers"] | own["prepositions"]
        if main and not led and self.low[begin : main[0]].count(",") >= _LISTED:
            return True  # "Gout, asthma, heart failure, many leg wounds"
        return len(main) < least or main[0] == begin

    def runs_on(self, i: int) -> bool:
        """Whether a verb at i follows a comma as if a new sentence began: "is a boy, had a repair", and no list of verbs ends in "and"."""
        own = lists()
        j = self._skipped_back(i - 1)
        if j < 1 or self.low[j] != ",":
            return False
        earlier = [k for k in self.finite if k < j]
        if not earlier:
            return False
        following = self.low[i + 1] if i + 1 < len(self.low) else "."
        loose = own["prepositions"] | own["joins"] | own["openers"] | own["marks"]
        person = self.low[i] in own["dropped_subject"] and following in ("like", "as", "that")  # "felt like fainting"
        if is_participle(self.low[i]) and not person and (following in loose or is_adverb(following)):
            return False  # "a repair, done by Dr. Y"
        named = own["determiners"] | own["subjects"] | {"your"}
        if is_participle(self.low[i]) and following not in named and not following[0].isdigit() and self._lists_on(i):
            return False  # "no fever, swollen legs or cough"
        before = next((k for k in range(j - 1, -1, -1) if self.low[k] == ","), None)
        if before is not None:
            head = self.low[before + 1 + (self.low[before + 1] in own["joins"])]
            aside = own["relatives"] | own["prepositions"] | own["openers"]
            if head in aside or is_adverb(head) or head.endswith("ing") or is_participle(head):
                return before + 1 in self.finite
        return not any(
            self.low[k] in ("and", "or", "but") and self._skipped(k + 1) in self.finite
            for k in range(i + 1, len(self.low))
        )

    def _lists_on(self, i: int) -> bool:
        """Whether a list that holds i goes on to its last member: "or" with no clause behind it."""
        openers = lists()["openers"]
        joins = [k for k in range(i + 1, len(self.low) - 1) if self.low[k] in ("and", "or")]
        return any(self.low[k + 1] not in openers for k in joins)

    def _begins_fragment(self, comma: int) -> bool:
        """Whether what follows a comma is a piece of a list without a verb: "otherwise a healthy child", "no radiation and is constant"."""
        own = lists()
        i = comma + 1
        if (
            i < len(self.low)
            and self.low[i] in ("and", "but")
            and i + 1 < len(self.low)
            and self.low[i + 1] in ("also", "not")
        ):
            k = self._skipped(i + 1)
            return k < len(self.low) and self.low[k].endswith("ing")
        start = i
        while i < len(self.low) and self.low[i] in ("otherwise", ",", "hence"):
            i += 1
        if i >= len(self.low):
            return False
        ends = next((k for k in range(i, len(self.low)) if self.low[k] in (",", ".", ";")), len(self.low))
        bare = not any(i <= k < ends for k in self.finite)
        if i > start:
            return bare and self.low[i] in own["determiners"] | {"not"}
        denied = "no" in self.low[:comma]
        return (
            self.low[i] == "no"
            and not denied
            and (bare or any(self.low[k - 1] in ("and", "but") for k in self.finite if i < k < ends))
        )

    def _gives_nothing(self, i: int) -> bool:
        """Whether a verb of giving at i has no object: "Your wife gave for cramps"."""
        own = lists()
        gives = self.low[i] in own["giving"] and self.low[i] not in own["given"] and is_past(self.low[i])
        return gives and i in self.finite and self.low[i + 1] in own["prepositions"] - {"to"}

    def _leads_nowhere(self, i: int) -> bool:
        """Whether "and" at i joins a reason of which nothing follows: "has had less urine today and because of the lasting cough"."""
        following = self.low[i + 1]
        if self.low[i] != "and" or following not in ("because", "due", "despite", "secondary", "although", "since"):
            return False
        return following not in self.low[:i] and not any(k > i for k in self.finite)

    def _is_done(self, i: int) -> bool:
        """Whether a past form at i has its object or its way behind it: "brought you", "went to bed"."""
        own = lists()
        return is_past(self.low[i]) and self.low[i + 1] in own["addressed"] | {"to", "the", "a"}

    def _disagrees(self, i: int) -> bool:
        """Whether a verb at i that goes with "he" is joined to those of "you": "You smoke and drinks alcohol"."""
        own = lists()
        low = self.low[i]
        third = low in ("is", "was", "has", "does") or third_kind(low) is not None
        j = self._skipped_back(i - 1)
        following = self.low[i + 1] if i + 1 < len(self.low) else "."
        behind = own["particles"] | (own["prepositions"] | own["determiners"] if third_kind(low) == SURE else set())
        listed = self.low[j] == "," and ("then" in self.low[j:i] or following in behind)
        if not third or not (self.low[j] in ("and", "but", "or") or listed):
            return False
        if (
            third_kind(low) == EITHER
            and self.low[j] in ("and", "or")
            and (following in own["prepositions"] | own["joins"] | own["marks"] or not following.isalnum())
        ):
            return False  # "falls and visits"
        subjects = [k for k in self.finite if k < j]
        last = max(subjects, default=0)
        # "better when you stand or walks": the verb that it is joined to is of "you" itself
        begin = last if self.low[self._skipped_back(last - 1)] == "you" else 0
        return bool(subjects) and not any(self.low[k] in own["relatives"] for k in range(begin, j))
