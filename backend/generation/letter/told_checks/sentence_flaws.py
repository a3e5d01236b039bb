"""What keeps a turned text from being told: a sentence that is broken, leans on what nobody told, or is written as charts write.

Its verb stands in a clause that only describes, a second verb follows a comma alone, a piece of a list hangs on its end, a dash stands
for a word. `flaw_of` tells which, so that a letter leaves it out.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from backend.generation.letter.plain_language.clause_subjects import PRONOUNS, Addressee, ClauseSubjects
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
from backend.nlp.lexicon.variants import english_words

_SENTENCES = re.compile(r"(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<=[.!?])\s+(?=[A-Z])")
_QUOTES = frozenset('"“”')
_LABEL, _SHORTEST = 4, 3
"""Words of a label before its colon; letters of a word that is not said twice in a row."""
_LISTED = 3
"""Commas before a verb from which it is no verb of a sentence but a noun of a list."""
_TEAM_HAS = re.compile(r"\byour team (?:has|had|have) ([a-z]+)", re.IGNORECASE)
_OTHERS = frozenset(("he", "she", "one", "they"))
_LEANS = re.compile(
    r"^(?:You|Your (?:child|wife|husband)) (?:[a-z]+ly )?[a-z]+ (?:that )?(?:this|these) (?:may|might|can|could|will|would|is|was|are|were|has|had)\b"
    r"|\b(?:until|before|by|since) then\.?$|\b(?:for|of|to|with) as\b|(?<=[,;] )please\b"
)
"""What points to something told before: "You understood this may raise your sugar", "No ibuprofen until then"."""
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
        flaw = _Sentence(words).flaw()
        if flaw is not None:
            return flaw
    return None


def is_of_team(turned: str) -> bool:
    """Whether a text gives the team what a patient has: "We have neck pain", as an interviewer lists it."""
    own = lists()
    had = own["determiners"] | own["negations"] | {"to", "your"}
    following = (match[1] for match in _TEAM_HAS.finditer(turned))
    return any(
        not (word in had or is_participle(word) or is_adverb(word) or is_past(word) or is_auxiliary(word))
        for word in following
    )


def leans_on_untold(text: str) -> bool:
    """Whether a text points to something that another one tells: "No ibuprofen until then"."""
    return _LEANS.search(text) is not None


def is_of_other(text: str, sex: str | None = None) -> bool:
    """Whether a sentence is about another person: "She has rheumatoid arthritis" beside a man, "One has asthma".

    Args:
        text: turned, or of the note.
        sex: of the patient, whom a pronoun of the note may mean.
    """
    words = words_of(text) or []
    i = 1
    while i < len(words) and is_adverb(words[i].low):
        i += 1
    if not words or i >= len(words):
        return False
    verb = words[i].low
    acts = is_auxiliary(verb) or verb in lists()["modals"] or is_past(verb) or third_kind(verb) is not None
    return words[0].low in _OTHERS and PRONOUNS.get(words[0].low, "") != sex and acts


def _is_of_he(low: str) -> bool:
    """Whether a word behind "you" is a verb as "he" has it."""
    return third_kind(low) == SURE or (low[-3:] in ("zes", "ses") and with_you(low) in english_words())


class _Sentence:
    """One turned sentence."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = words
        self._low = ["" if word.quoted else word.low for word in words]
        clause = ClauseSubjects(words, Addressee())
        small = lists()["prepositions"]  # "as", which ends like a verb
        places = range(len(words))
        self._finite = [
            i for i in places if self._low[i] not in small and (clause.is_finite(i) or self._goes_with_you(i))
        ]

    def flaw(self) -> Flaw | None:
        """The first flaw found."""
        if self._is_without_verb() or self._is_without_auxiliary():
            return Flaw.NO_VERB
        last = [low for low in self._low if low not in (".", "!")][-2:]
        if (
            self._turns_to_orders()
            or any(self._runs_on(i) for i in self._finite)
            or (last[:1] == [","] and is_participle(last[-1]))
        ):
            return Flaw.RUN_ON
        if any(self._begins_fragment(i) for i, low in enumerate(self._low) if low == ","):
            return Flaw.FRAGMENT
        if any(self._leads_nowhere(i) or self._gives_nothing(i) for i in range(1, len(self._low) - 1)):
            return Flaw.FRAGMENT
        quoted = (
            i for i in range(2, len(self._words)) if self._words[i - 1].text in _QUOTES and self._low[i - 2] == "you"
        )
        if any(third_kind(self._words[i].low) is not None for i in quoted):  # 'even though you "wants to"'
            return Flaw.AGREEMENT
        first = self._skipped(1)
        if self._low[0] == "you" and first < len(self._low) and _is_of_he(self._low[first]):
            return Flaw.AGREEMENT  # "You still localizes it"
        if self._low[0] == "you" and any(self._disagrees(i) for i in range(2, len(self._low))):
            return Flaw.AGREEMENT
        if any(low in lists()["denials"] and not self._has_person(i) for i, low in enumerate(self._low)):
            return Flaw.NO_SUBJECT
        if self._is_broken_by_mark() or self._says_twice():
            return Flaw.SHORTHAND
        doubted = "?" in self._low[:-1]  # "insulin? - to check"
        if (
            doubted
            or any(one.text == "x" for one in self._words)
            or any(map(self._lacks_word, range(len(self._low) - 1)))
        ):
            return Flaw.SHORTHAND
        return None

    def _is_without_auxiliary(self) -> bool:
        """Whether the patient has a participle for a verb: "You considering a coil", "You seen at the clinic"."""
        begin = {"you": 1, "your": 2}.get(self._low[0], 0)
        if not begin or (begin == 2 and self._low[1:2] != ["child"]):
            return False
        i = self._skipped(begin)
        low = self._low[i] if i < len(self._low) else ""
        if low.endswith("ing"):
            return low not in verbs()
        return is_participle(low) and not is_past(low) and low not in verbs()

    def _is_broken_by_mark(self) -> bool:
        """Whether a dash, a stroke or the colon of a label parts the sentence, and no clause follows it."""
        own = lists()
        mark = break_of(self._words)
        if mark is None:
            return False
        following = self._low[mark + 1]
        if self._words[mark].text == ":":
            return mark <= _LABEL and self._low[0] not in verbs() and not any(i < mark for i in self._finite)
        clause = own["joins"] | own["openers"] | own["determiners"] | own["subjects"] | {"your"}
        return self._words[mark].text == "/" or not (following in clause or following in verbs())

    def _turns_to_orders(self) -> bool:
        """Whether a sentence of something else goes on with an order: "Platelets are low, check weekly, hold if below 50"."""
        own = lists()
        if self._low[0] in own["patient_verbs"] | own["openers"] | {"you", "they"} or self._low[0] in verbs():
            return False
        ends = own["openers"] | own["prepositions"]
        orders = (
            i
            for i in range(2, len(self._low) - 1)
            if self._low[i - 1] == "," and self._low[i] in own["needing_object"] - {"continue"}
        )
        free = {"to", "you", "they"} | own["modals"]
        return any(
            (self._low[i + 1] in ends or is_adverb(self._low[i + 1])) and free.isdisjoint(self._low[:i]) for i in orders
        )

    def _says_twice(self) -> bool:
        """Whether a word stands twice in a row: "low sodium sodium 124"."""
        pairs = pairwise(self._low)
        return any(one == other and len(one) > _SHORTEST and one.isalpha() for one, other in pairs)

    def _lacks_word(self, i: int) -> bool:
        """Whether a small word is left out behind the word at i: "a history gout", "was found to glucose of 30", "( diagnosed)"."""
        own, low, following = lists(), self._low[i], self._low[i + 1]
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
        if low == "to" and i and self._low[i - 1] in ("found", "noted"):
            return not (verb or following in ("be", "") or is_adverb(following)) or following in (
                "has",
                "had",
                "having",
            )
        if low == "who" and self._low[0] == "you":  # "You have had surgery in 2018 who came with a cough"
            person = own["female"] | own["male"] | own["person"] | own["people"] | {",", ""}
            return following in own["opening_verbs"] - {"has", "had", "is", "was"} and self._low[i - 1] not in person
        return low == "(" and bool(self._words[i + 1].space)

    def _goes_with_you(self, i: int) -> bool:
        """Whether a base form at i is the verb of "you" or "they", or joined to one ("You smoke, drink and use")."""
        own = lists()
        if self._low[i] in own["prepositions"] | own["joins"] | own["marks"] or is_adverb(self._low[i]):
            return False
        k = self._skipped_back(i - 1)
        return k >= 0 and self._low[k] in ("you", "they") and (self._low[i] in verbs() or k == 0)

    def _has_person(self, i: int) -> bool:
        """Whether one who can deny something stands before the verb at i: "but otherwise denies" has none."""
        own = lists()
        who = own["subjects"] | own["female"] | own["male"] | own["person"] | own["people"] | own["patient"]
        before = self._low[self._skipped_back(i - 1)] if i else ""
        return (
            is_auxiliary(before)
            or before in who - own["determiners"] - {"it", "there", "your"}
            or (before in own["joins"] and self._low[0] == "you")
        )

    def _skipped_back(self, i: int) -> int:
        while i > 0 and (is_adverb(self._low[i]) or self._low[i] == "not"):
            i -= 1
        return i

    def _skipped(self, i: int) -> int:
        while i < len(self._low) and (is_adverb(self._low[i]) or self._low[i] in (",", "not")):
            i += 1
        return i

    def _is_without_verb(self) -> bool:
        """Whether no verb outside a clause that only describes or leads on is the sentence's own, with its subject before it."""
        own = lists()
        begin = self._skipped(0)
        if begin >= len(self._low) or self._low[0] == "not":
            return True
        first = self._low[begin]
        left_out: set[int] = set()
        inside = False
        for i, low in enumerate(self._low):
            inside = (inside and low != ",") or (low in _WHO | {"than"} and i > begin)
            if inside:
                left_out.add(i)
        least = 1
        if first in own["openers"] - _WHO:
            comma = next((i for i, low in enumerate(self._low) if low == ","), None)
            left_out |= set(range(comma or 0))
            least = 2 if comma is None and first not in own["prepositions"] else 1
        main = [i for i in self._finite if i not in left_out]
        led = first in own["openers"] | own["prepositions"]
        if main and not led and self._low[begin : main[0]].count(",") >= _LISTED:
            return True  # "Gout, asthma, heart failure, many leg wounds"
        return len(main) < least or main[0] == begin

    def _runs_on(self, i: int) -> bool:
        """Whether a verb at i follows a comma as if a new sentence began: "is a boy, had a repair", and no list of verbs ends in "and"."""
        own = lists()
        j = self._skipped_back(i - 1)
        if j < 1 or self._low[j] != ",":
            return False
        earlier = [k for k in self._finite if k < j]
        if not earlier:
            return False
        following = self._low[i + 1] if i + 1 < len(self._low) else "."
        loose = own["prepositions"] | own["joins"] | own["openers"] | own["marks"]
        if is_participle(self._low[i]) and (following in loose or is_adverb(following)):
            return False  # "a repair, done by Dr. Y"
        named = own["determiners"] | own["subjects"] | {"your"}
        if is_participle(self._low[i]) and following not in named and not following[0].isdigit() and self._lists_on(i):
            return False  # "no fever, swollen legs or cough"
        before = next((k for k in range(j - 1, -1, -1) if self._low[k] == ","), None)
        if before is not None:
            head = self._low[before + 1 + (self._low[before + 1] in own["joins"])]
            aside = own["relatives"] | own["prepositions"] | own["openers"]
            if head in aside or is_adverb(head) or head.endswith("ing") or is_participle(head):
                return before + 1 in self._finite
        return not any(
            self._low[k] in ("and", "or", "but") and self._skipped(k + 1) in self._finite
            for k in range(i + 1, len(self._low))
        )

    def _lists_on(self, i: int) -> bool:
        """Whether a list that holds i goes on to its last member: "or" with no clause behind it."""
        openers = lists()["openers"]
        joins = [k for k in range(i + 1, len(self._low) - 1) if self._low[k] in ("and", "or")]
        return any(self._low[k + 1] not in openers for k in joins)

    def _begins_fragment(self, comma: int) -> bool:
        """Whether what follows a comma is a piece of a list without a verb: "otherwise a healthy child", "no radiation and is constant"."""
        own = lists()
        i = comma + 1
        if (
            i < len(self._low)
            and self._low[i] in ("and", "but")
            and i + 1 < len(self._low)
            and self._low[i + 1] in ("also", "not")
        ):
            k = self._skipped(i + 1)
            return k < len(self._low) and self._low[k].endswith("ing")
        start = i
        while i < len(self._low) and self._low[i] in ("otherwise", ","):
            i += 1
        if i >= len(self._low):
            return False
        ends = next((k for k in range(i, len(self._low)) if self._low[k] in (",", ".", ";")), len(self._low))
        bare = not any(i <= k < ends for k in self._finite)
        if i > start:
            return bare and self._low[i] in own["determiners"]
        denied = "no" in self._low[:comma]
        return (
            self._low[i] == "no"
            and not denied
            and (bare or any(self._low[k - 1] in ("and", "but") for k in self._finite if i < k < ends))
        )

    def _gives_nothing(self, i: int) -> bool:
        """Whether a verb of giving at i has no object: "Your wife gave for cramps"."""
        own = lists()
        gives = self._low[i] in own["giving"] and self._low[i] not in own["given"] and is_past(self._low[i])
        return gives and i in self._finite and self._low[i + 1] in own["prepositions"] - {"to"}

    def _leads_nowhere(self, i: int) -> bool:
        """Whether "and" at i joins a reason of which nothing follows: "has had less urine today and because of the lasting cough"."""
        following = self._low[i + 1]
        if self._low[i] != "and" or following not in ("because", "due", "despite", "secondary", "although", "since"):
            return False
        return following not in self._low[:i] and not any(k > i for k in self._finite)

    def _disagrees(self, i: int) -> bool:
        """Whether a verb at i that goes with "he" is joined to those of "you": "You smoke and drinks alcohol"."""
        own = lists()
        low = self._low[i]
        third = low in ("is", "was", "has", "does") or third_kind(low) is not None
        j = self._skipped_back(i - 1)
        following = self._low[i + 1] if i + 1 < len(self._low) else "."
        listed = self._low[j] == "," and ("then" in self._low[j:i] or following in own["particles"])
        if not third or not (self._low[j] in ("and", "but") or listed):
            return False
        if (
            third_kind(low) == EITHER
            and self._low[j] == "and"
            and (following in own["prepositions"] | own["joins"] | own["marks"] or not following.isalnum())
        ):
            return False  # "falls and visits"
        subjects = [k for k in self._finite if k < j]
        return not any(self._low[k] in own["relatives"] for k in range(j)) and bool(subjects)
