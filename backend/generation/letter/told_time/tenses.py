"""A sentence of the note's present told as what was so at the visit: "You are drowsy and have pain" gives "You were drowsy and had pain".

What a sentence tells is of one of three kinds, by its verb: a lasting condition ("have" with a disease), what somebody is or does as a
habit ("are a teacher", "smoke"), and a state of that moment, which is everything else. The last alone is told in the past.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from backend.generation.letter.plain_language.clause_subjects import Addressee, ClauseSubjects
from backend.generation.letter.plain_language.letter_words import Word, is_adverb, lists, words_of, written
from backend.generation.letter.plain_language.verb_forms import (
    SURE,
    is_auxiliary,
    is_participle,
    is_past,
    participle_of,
    third_kind,
    verbs,
    with_you,
)
from backend.nlp.lexicon.variants import english_words
from backend.nlp.rules import RULES, rule_rows

_SENTENCES = re.compile(r"(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<=[.!?])\s+(?=[A-Z])")
_PAST = {
    "is": "was", "are": "were", "has": "had", "have": "had", "does": "did", "do": "did", "can": "could", "will": "would",
    "isn't": "wasn't", "aren't": "weren't", "hasn't": "hadn't", "haven't": "hadn't", "doesn't": "didn't", "don't": "didn't",
    "cannot": "could not", "can't": "couldn't", "won't": "wouldn't",
}  # fmt: skip
_BE, _HAVE = frozenset(("is", "are")), frozenset(("has", "have"))
_DO = frozenset(("do", "does", "don't", "doesn't"))
_HAVES = _HAVE | {"hasn't", "haven't"}
_JOINED = re.compile(r"^(it|that|there|he|she|you|they|who)'(s|re)$")
_SELVES = frozenset(("you", "child", "he", "she", "who"))
_OBJECTS = frozenset(("your", "you", "the", "it", "him"))
"""Before which no noun in -s stands."""
_OWN_VERBS = frozenset(("it", "this", "that", "which", "who", "he", "she"))
"""Behind which a form in -s is a verb."""
_VOWELS = "aeiou"
_SHORT = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")
"""A verb that doubles its last letter: "jog"."""
_SINCE_LONG = re.compile(
    r"\bfor (?:the (?:last|past) )?(?:(?:about|over|nearly|almost|at least|more than) )?[\w-]+ (?:to \w+ )?(?:weeks|months|years)\b(?! before\b)"
    r"|\bsince (?:the age of \w+|age \w+|(?:19|20)\d\d)\b"
)
"""How long a habit has lasted, which is told of a time that is not over: "You have smoked for 20 years"."""
_NEAR = 7
"""Words behind "have" among which the name of what is had stands."""


def as_of_visit(text: str, conditions: Collection[str], *, shifts: bool, habits: bool) -> str | None:
    """A text with its states of the moment in the past; None where a verb's form is not sure.

    Args:
        text: to the patient.
        conditions: in lower case, the names in it of what lasts.
        shifts: it has a time that is told from the visit, so that what "has been" until then "had been".
        habits: what it tells in the present is a habit or a history, and stays.
    """
    told = []
    for one in _SENTENCES.split(text):
        words = words_of(one)
        sentence = _Sentence(words, conditions, shifts=shifts, habits=habits).told() if words else None
        if sentence is None:
            return None
        told.append(sentence)
    return " ".join(told)


def past_of(base: str) -> str:
    """The past of a verb by its base."""
    verb = verbs().get(base)
    if verb is not None:
        return verb.past
    if base in _irregular():
        return _irregular()[base]
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return f"{base[:-1]}ied"
    return f"{base}{base[-1]}ed" if _SHORT.fullmatch(base) else f"{base}ed"


@lru_cache(maxsize=1)
def _irregular() -> dict[str, str]:
    return {row[0]: row[1] for row in rule_rows(RULES / "letter" / "irregular_pasts.tsv", 2)}


@lru_cache(maxsize=1)
def _saying() -> frozenset[str]:
    """Bases of verbs by which somebody says or thinks something."""
    return frozenset(map(with_you, lists()["reporting"] | lists()["telling"])) | {"complain"}


@lru_cache(maxsize=1)
def _told_without_subject() -> frozenset[str]:
    """Bases of verbs that are nothing else, whatever follows them."""
    return frozenset(map(with_you, lists()["dropped_subject"]))


class _Sentence:
    """One sentence on its way into the past. Use once."""

    def __init__(self, words: Sequence[Word], conditions: Collection[str], *, shifts: bool, habits: bool) -> None:
        self._words, self._conditions = words, conditions
        self._shifts, self._habits = shifts, habits
        self._low = ["" if word.quoted else word.low for word in words]
        self._clause = ClauseSubjects(words, Addressee())
        self._put: dict[int, str] = {}
        self._is_told_of_self = False

    def told(self) -> str | None:
        """The sentence, or None."""
        perfects: list[int] = []
        infinitive = strict = False
        mine = False  # the last verb is a present one of "you", which a base form behind "and" goes on
        advised = to_come = False
        for i, low in enumerate(self._low):
            if not low:
                continue
            advised |= self._is_advice(i)
            to_come = low not in (";", "but") and (to_come or (advised and low in lists()["relatives"]))
            if to_come:
                continue  # "advised you to keep it raised when you sit and continue to ice it"
            joined = _JOINED.match(low)
            if joined is not None:
                if not self._join(i, joined[1]):
                    return None
                continue
            form = self._form(i)
            if not form:
                infinitive |= low == "to"
                if low in lists()["modals"] or self._clause.is_finite(i):
                    mine = False
                elif (mine and self._goes_on(i, infinitive=infinitive, strict=strict)) or self._says_behind_past(i):
                    self._put[i] = past_of(low)
                    infinitive = False
                continue
            infinitive = False
            strict = low in _PAST
            mine = with_you(low) == low and low not in ("do", "don't", "can", "will")
            if low in _HAVES and self._is_perfect(i):
                perfects.append(i)
            elif self._is_of_then(i):
                self._put[i] = form
            else:
                mine = False
        if self._shifts or self._put or any(map(self._lasts_until_then, perfects)):
            for i in perfects:
                if not (self._is_told_of_self and self._low[i - 1] in ("who", "that")):
                    self._into_past(i)
        self._last_until_now()
        return written(
            [word._replace(text=self._cased(i, word)) for i, word in enumerate(self._words) if self._put.get(i) != ""]
        )

    def _last_until_now(self) -> None:
        """Tell a habit of the patient with how long it has lasted as what has been so: "You smoke a pack a day for 20 years"."""
        finite = [i for i in range(len(self._low)) if self._clause.is_finite(i) or (i and self._low[i - 1] == "you")]
        i = finite[0] if len(finite) == 1 else 0
        if i and self._low[:i] == ["you"] and not self._put and self._low[i] in lists()["habits"]:
            joined = not lists()["habits"].isdisjoint(self._low[i + 1 :])
            if not joined and _SINCE_LONG.search(written(self._words[i:])):
                self._put[i] = f"have {participle_of(past_of(self._low[i]))}"

    def _is_advice(self, i: int) -> bool:
        """Whether "to" at i leads on to what somebody was advised to do from then on: "told you to rest", "was advised not to drive"."""
        if self._low[i] != "to" or self._low[i + 1 : i + 2] in ([], ["the"], ["your"], ["you"]):
            return False
        k = self._back(i - 1)
        k -= (self._low[k] == "you") + 2 * (self._low[k - 1 : k + 1] == ["your", "child"])
        return k >= 0 and self._low[k] in lists()["informed"] | lists()["urging"] | {"encouraged", "encourage"}

    def _cased(self, i: int, word: Word) -> str:
        text = self._put.get(i, word.text)
        return text[:1].upper() + text[1:] if word.text[:1].isupper() else text

    def _form(self, i: int) -> str:
        """The past of a present verb at i that has a subject; empty for any other word."""
        low = self._low[i]
        k = self._back(i - 1)
        before = self._low[k] if i else ""
        if self._clause.is_bare(i):
            return ""
        if before == "well" and k and self._low[self._back(k - 1)] in lists()["modals"]:
            return ""  # "may well have been"
        if low in _BE and self._low[i + 1 : i + 2] == ["to"] and not self._shifts:
            return ""  # what "is to be" is still to come
        if low in _PAST:
            if before in lists()["modals"] - {"can", "will"} | {"to", "did", "didn't", "does", "do"} or not (
                self._clause.is_finite(i) or "'" in low
            ):
                return ""
            return _PAST[low]
        if low.endswith("s") and self._is_third(i, before):
            return past_of(with_you(low))
        if before in ("you", "they") and not is_past(low) and low not in lists()["prepositions"]:
            k = self._back(i - 1)
            if low not in verbs() and not self._is_rare_verb(i, k):
                return ""
            head = self._low[k - 1] if k else ""
            object_of = head in lists()["letting"] | {"to", "than"} or (
                third_kind(head) is not None and with_you(head) not in _saying()
            )
            asked = k > 0 and self._low[k - 1] in _PAST
            return "" if object_of or asked else past_of(low)
        return ""

    def _is_third(self, i: int, before: str) -> bool:
        """Whether a form in -s at i is a verb: by its clause, or behind a pronoun, an adverb or "and" where a noun would not stand."""
        low, own = self._low[i], lists()
        kind = third_kind(low)
        after = self._low[i + 1] if i + 1 < len(self._low) else "."
        small = own["prepositions"] | own["determiners"] | own["openers"] | {"your", "his", "her", "its"}
        shown = before in _OWN_VERBS and i == 1  # "this occurs"
        closed = before in small - own["relatives"] and not shown
        if is_past(low) or low in small | own["adverbs"] or not low.isalpha() or closed:
            return False
        if is_past(before) or before in _PAST or (before.endswith("ing") and kind != SURE):
            return False
        if (self._words[i].text[:1].isupper() and i) or before.endswith("'s"):
            return False
        if self._is_object(i):
            return False
        if self._clause.is_finite(i):
            return after not in (",", ".") or kind == SURE
        if kind is None and with_you(low) not in english_words():
            return False
        if before in _OWN_VERBS:
            return True
        adverb = i > 0 and is_adverb(self._low[i - 1]) and self._low[i - 1] != "further"
        said = kind is not None and before in ("and", "but") and after in own["clause_subjects"] | {"that"}
        said = said or (kind is not None and after in _OBJECTS and before[:1].isalpha())  # "light hurts your eyes"
        said = said or (before in ("and", "but") and after in own["openers"] and self._is_of_state(i))
        return said or (adverb and (kind is not None or after in own["prepositions"]) and before[:1].isalpha())

    def _is_rare_verb(self, i: int, you: int) -> bool:
        """Whether a word at i that no table has as a verb is one: "you" before it opens a clause."""
        own, low = lists(), self._low[i]
        opens = not you or self._low[you - 1] in own["openers"] - own["prepositions"] | own["joins"] | {",", "as"}
        verb = low.isalpha() and low in english_words() and past_of(low) in english_words()
        return opens and verb and not (is_auxiliary(low) or is_adverb(low) or low in own["joins"] | own["openers"])

    def _is_object(self, i: int) -> bool:
        """Whether a form in -s at i belongs to a verb before it in its clause: "You have belly cramps"."""
        own = lists()
        borders = own["joins"] | own["openers"] | {",", ";", ":", "-", "–"}
        for k in range(i - 1, 0, -1):
            if self._low[k] in borders:
                return False
            if self._clause.is_finite(k):
                return with_you(self._low[k]) not in _saying()
        return False

    def _is_of_state(self, i: int) -> bool:
        """Whether the last verb before i says how something is: "The calf is swollen and hurts when"."""
        last = next((k for k in range(i - 1, 0, -1) if self._clause.is_finite(k)), 0)
        return self._low[last] in _BE and self._low[last - 1] != "there"

    def _back(self, i: int) -> int:
        while i > 0 and (is_adverb(self._low[i]) or self._low[i] == "not"):
            i -= 1
        return i

    def _on(self, i: int) -> int:
        while i < len(self._low) and (is_adverb(self._low[i]) or self._low[i] in ("not", "never", "no")):
            i += 1
        return i

    def _goes_on(self, i: int, *, infinitive: bool, strict: bool) -> bool:
        """Whether a base form is joined to a verb of "you" before it: "You smoke, drink and use", not "want to sit and rest"."""
        low, k = self._low[i], self._back(i - 1)
        if low not in verbs() or is_past(low) or self._clause.is_bare(i) or low in lists()["prepositions"] or not k:
            return False
        if infinitive and self._low[k] != "but" and self._low[k - 1] != ",":
            return False
        after = self._low[i + 1] if i + 1 < len(self._low) else "."
        own = lists()
        object_follows = after in own["determiners"] | {"your", "you", "that", "it", "like"}
        phrase = after in own["prepositions"] | own["particles"] or is_adverb(after)
        phrase = phrase or not strict or low in _told_without_subject()
        sure = object_follows or (phrase and verbs()[low].kind == SURE)  # "You have nausea and double vision"
        if self._low[k] == ",":  # "sleep badly, dream a lot and talk"
            listed = not {"and", "or"}.isdisjoint(self._low[i:])
            return listed and (object_follows or (sure and (phrase or after == "little"))) and k == i - 1
        return sure and self._low[k] in ("and", "but", "or") and after not in (",", *lists()["joins"])

    def _says_behind_past(self, i: int) -> bool:
        """Whether a base form at i tells what the patient said or thought behind what is told in the past: "You fell, but believe that"."""
        joined = self._low[i - 1 : i] in (["and"], ["but"]) and self._low[0] == "you" and self._low[i] in _saying()
        return (
            joined and not self._habits and is_past(self._low[self._on(1)]) and "to" not in self._low[max(0, i - 4) : i]
        )

    def _is_perfect(self, i: int) -> bool:
        after = self._on(i + 1)
        word, following = [*self._low[after : after + 2], ".", "."][:2]
        small = lists()["prepositions"] | lists()["marks"] | lists()["determiners"] | lists()["particles"]
        describes = word in lists()["describing"] and following not in small and not is_adverb(following)
        return word in ("been", "had") or (is_participle(word) and "-" not in word and not describes)

    def _lasts_until_then(self, i: int) -> bool:
        """Whether "has" with a participle tells a state or what did not happen, rather than something done."""
        after = self._on(i + 1)
        if "not" in self._low[i + 1 : after] or "n't" in self._low[i]:
            return True
        return self._low[after] == "been" and not is_participle(
            self._low[self._on(after + 1)] if after + 1 < len(self._low) else ""
        )

    def _into_past(self, i: int) -> None:
        """Put "had" for "has"; of "has had" one is enough."""
        after = self._on(i + 1)
        who = self._low[self._back(i - 1)] if i else ""
        if who == "team" and is_past(self._low[after]) and "not" not in self._low[i + 1 : after]:
            self._put[i] = ""  # "Your team has explained"
        elif self._low[after] == "had" and self._low[i] in _HAVE and "not" not in self._low[i + 1 : after]:
            self._put[i] = ""
        else:
            self._put[i] = _PAST[self._low[i]]

    def _join(self, i: int, who: str) -> bool:
        """Write out "it's"; False where it may be "it has"."""
        after = self._low[self._on(i + 1)] if self._on(i + 1) < len(self._low) else "."
        if after in ("been", "had", "got"):
            self._put[i] = f"{who} had"
        elif self._habits:
            return True
        else:
            self._put[i] = f"{who} {'were' if who in ('you', 'they') else 'was'}"
        return True

    def _is_habit(self, i: int) -> bool:
        """Whether a verb at i that may tell a habit does: who speaks a language does always, who speaks clearly then."""
        after = self._words[i + 1].text if i + 1 < len(self._words) else "."
        return not self._low[i].startswith("speak") or after[:1].isupper()

    def _is_reported(self, i: int) -> bool:
        """Whether a verb at i stands in what somebody said, of which the saying is told in the past."""
        said = (k for k in self._put if k < i and with_you(self._low[k]) in _saying())
        return any(self._low[k] not in _PAST for k in said)

    def _is_of_then(self, i: int) -> bool:
        """Whether a present verb at i tells a state of the moment: no habit, no lasting condition, nothing that somebody is."""
        own, low = lists(), self._low[i]
        subject = self._low[self._back(i - 1)] if i else ""
        if self._is_reported(i):
            return True
        if self._habits and subject == "you" and low in _saying():
            return True
        if self._habits or (low in own["habits"] and subject in _SELVES | {"and", "but"} and self._is_habit(i)):
            self._is_told_of_self = True
            return False
        if self._is_told_of_self and subject in ("who", "that"):
            return False  # "You are a nurse who works at night"
        if low in _DO:  # "do not have any children"
            after = self._on(i + 1)
            return after >= len(self._low) or own["lasting"].isdisjoint(self._low[after + 1 : after + _NEAR])
        following = self._low[i + 1 : i + 1 + _NEAR]
        if low in _BE:
            rest = self._low[self._on(i + 1) :]
            named = rest[:1] and rest[0] in ("a", "an", "the") and not {"little", "bit"} & set(rest[1:2])
            if subject in _SELVES and (named or (rest[:1] and rest[0] in own["lasting_states"])):
                self._is_told_of_self = True
                return False
            return not (subject == "there" and "history" in following)
        if low in _HAVE:
            own_end = next(
                (k for k, word in enumerate(following) if word in own["marks"] | {"which", "that", "who"}), _NEAR
            )
            had = following[:own_end]
            text = " ".join(had)
            if not own["turns"].isdisjoint(had) or (had[:1] == ["no"] and own["lasting"].isdisjoint(had)):
                return True  # what somebody has not they have not at that moment
            return own["lasting"].isdisjoint(had) and not any(f" {name}" in f" {text}" for name in self._conditions)
        return True
