"""Who a sentence of a note speaks of, and whose each of its verbs is: the patient's, the team's, another's, or not sure.

Works on words alone, with lists (assets/rules/letter/words_story.tsv) and verb forms. Where two subjects are possible it says so.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from backend.generation.letter.plain_language.letter_words import Word, is_adverb, lists
from backend.generation.letter.plain_language.verb_forms import (
    SURE,
    is_auxiliary,
    is_participle,
    is_past,
    third_kind,
    verbs,
    with_you,
)
from backend.nlp.lexicon.variants import english_words

MALE, FEMALE = "male", "female"
PATIENT, TEAM, OTHER, UNSURE = "patient", "team", "other", "unsure"
SUBJECT_OF = {MALE: "he", FEMALE: "she"}
PRONOUNS = {
    "he": MALE, "him": MALE, "his": MALE, "himself": MALE,
    "she": FEMALE, "her": FEMALE, "hers": FEMALE, "herself": FEMALE,
}  # fmt: skip
_FAR = 9
"""Words between a subject and its verb, beyond which they are no longer taken for a pair."""


class Addressee(NamedTuple):
    """To whom a letter speaks. sex: None where the record does not say. child: the letter is to the parent."""

    sex: str | None = None
    child: bool = False

    @property
    def you(self) -> str:
        """How the patient is named as subject or object."""
        return "your child" if self.child else "you"

    @property
    def your(self) -> str:
        """How what is the patient's is marked."""
        return "your child's" if self.child else "your"


_DATE = re.compile(r"(?:19|20)\d\d|\d{1,2}/(?:\d{1,2}/)?\d{2,4}")
_BASES = frozenset(("be", "have", "do"))
_SUBJECTS = frozenset(("he", "she", "you", "they", "child"))
_SHOWN = frozenset(("this", "that"))
"""Words that stand for what was told before where a verb follows them."""


class Reference(NamedTuple):
    """Words first to last (left out) that mean the patient or the team. owns: they mark what is theirs."""

    first: int
    last: int
    who: str
    subject: bool
    owns: bool


class ClauseSubjects:
    """The subjects and verbs of one sentence.

    Args:
        words: of the sentence.
        patient: who is addressed; their sex says which pronouns may mean them.
    """

    def __init__(self, words: Sequence[Word], patient: Addressee) -> None:
        self.words = words
        self.low = [word.low for word in words]
        self.patient = patient
        self._finite: dict[int, bool] = {}
        self._subjects: dict[int, str] = {}

    @cached_property
    def references(self) -> list[Reference]:
        """Whoever is named by a noun: the patient, the team. Pronouns stand apart."""
        own = lists()
        found: list[Reference] = []
        i = 0
        while i < len(self.low):
            if self.words[i].quoted:
                i += 1
                continue
            low = self.low[i].removesuffix("'s")
            owns = self.low[i].endswith("'s")
            if low in own["patient"] and (self.patient.child or low not in own["young"]):
                first = i
                determined = i > 0 and self.low[i - 1] in ("the", "this", "that")
                bare = low in ("patient", "pt") and not (i > 0 and self._describes(i - 1))
                if determined:
                    first = i - 1
                following = self.low[i + 1] if i + 1 < len(self.low) else ""
                if (determined or bare) and following not in own["patient_describes"]:
                    found.append(Reference(first, i + 1, PATIENT, not owns, owns))
            elif low in own["titles"]:
                last = i + 1
                if last < len(self.low) and self.words[last].text == ".":
                    last += 1
                names = last
                while last < len(self.words) and last < names + 2 and self.words[last].text[:1].isupper():
                    last += 1
                if last > names and self._title_fits(low):
                    owns = self.low[last - 1].endswith("'s")
                    found.append(Reference(i, last, PATIENT, not owns, owns))
                i = last
                continue
            i += 1
        return found

    def _describes(self, i: int) -> bool:
        """Whether what ends at i makes "patient" another one than who is addressed: "a patient", "the source patient"."""
        own = lists()
        low, before = self.low[i], self.low[i - 1] if i else ""
        closed = (
            own["prepositions"] | own["joins"] | own["openers"] | own["marks"] | own["adverbs"] | own["determiners"]
        )
        named = (
            low.isalpha() and low not in closed and low not in verbs() and not is_past(low) and not is_auxiliary(low)
        )
        return low in own["any_patient"] or (named and before in own["determiners"])

    def _title_fits(self, title: str) -> bool:
        if self.patient.child:
            return False  # "Mr. X, a physician assistant" is no child
        feminine = title in lists()["female_titles"]
        return self.patient.sex is None or feminine == (self.patient.sex == FEMALE)

    def is_finite(self, i: int) -> bool:
        """Whether the word at i is a verb with a subject, as far as its form and its neighbours tell."""
        if i not in self._finite:
            self._finite[i] = self._is_finite(i)
        return self._finite[i]

    def subject_of(self, i: int) -> str:
        """Whose verb stands at i."""
        if i not in self._subjects:
            self._subjects[i] = self._subject(i)
        return self._subjects[i]

    def back(self, i: int) -> int:
        """The first word at or before i that is no adverb, no "not" and no "herself"."""
        while i > 0 and (
            is_adverb(self.low[i]) or self.low[i] in ("not", "himself", "herself") or self._is_no_longer(i)
        ):
            i -= 1
        return i

    def _is_no_longer(self, i: int) -> bool:
        return self.low[i] == "no" and self.low[i + 1 : i + 2] == ["longer"]

    def named(self, i: int) -> str | None:
        """Who is named by a subject that ends at i."""
        if i < 0 or self.words[i].quoted:
            return None
        if self.low[i] in ("i", "we"):
            return TEAM
        if self.patient.sex and self.low[i] == SUBJECT_OF[self.patient.sex]:
            return PATIENT
        return PATIENT if any(r.last == i + 1 and r.subject for r in self.references) else None

    def is_bare(self, i: int) -> bool:
        """Whether a base form at i has no subject of its own: behind another ("to rest and drink"), or in what is urged ("that he be seen")."""
        low = self.low[i]
        if low not in _BASES and low not in verbs():
            return False
        return self._is_urged(i) or (i > 1 and self.low[self.back(i - 1)] in ("and", "or") and self._follows_bare(i))

    def _is_urged(self, i: int) -> bool:
        """Whether somebody recommends that what stands before i does it: "I suggest he take it at night"."""
        j, urging = self.back(i - 1), lists()["urging"]
        first = next((r.first for r in self.references if r.last == j + 1 and r.subject), j)
        if first < 1 or not (self.named(j) or self.low[j] in _SUBJECTS):
            return False
        return self.low[first - 1] in urging or (
            first > 1 and self.low[first - 1] == "that" and self.low[first - 2] in urging
        )

    def _follows_bare(self, i: int) -> bool:
        """Whether the last verb before i is one without a subject of its own, behind "to" or behind a modal verb."""
        for k in range(i - 2, 0, -1):
            low, before = self.low[k], self.low[self.back(k - 1 - (self.low[k - 1] == "either"))]
            if low in lists()["openers"] - lists()["prepositions"] or low in (";", ":", "."):
                return False
            if (low in verbs() or low in _BASES) and (before == "to" or before in lists()["modals"]):
                return True
            if (is_past(low) or third_kind(low) == SURE) and not (low in verbs() or is_participle(low)):
                return False
        return False

    def _is_finite(self, i: int) -> bool:
        low = self.low[i]
        own = lists()
        before = self.low[i - 1] if i else ""
        if self.words[i].quoted or before == "to" or (low == "am" and before != "i"):
            return False  # "dizzy this am"
        if self.is_bare(i) or low in own["prepositions"]:
            return False  # "as" is no verb
        if is_auxiliary(low) or low in own["modals"]:
            k = self.back(i - 1) if i else 0
            helped = i > 0 and (is_auxiliary(self.low[k]) or self.low[k] in own["modals"])
            return not (helped and low in ("have", "had"))  # "does not have", "has not had"
        if self._is_noun(i):
            return False
        known = third_kind(low) is not None or (low.endswith("s") and with_you(low) in english_words())
        if known and (third_kind(low) is not None or self.named(i - 1) is not None or self._goes_on(i)):
            after_subject = self.named(self.back(i - 1)) is not None
            if before in _SHOWN and i == 1 and third_kind(low) is not None:
                return True  # no noun in -s stands behind "this"
            if third_kind(low) == SURE:
                return before not in own["determiners"] | own["prepositions"]
            return after_subject or self._goes_on(i)
        if low == "left" and not self._leaves(i):
            return False  # "swollen left leg"
        if is_past(low):
            if low in own["felt_states"] and before in own["feels"]:
                return False
            if before == "," and not any(self.is_finite(k) for k in range(i)):
                return False  # "Diabetes, poorly controlled"
            if before in _SHOWN and i == 1:
                after = self.low[2] if len(self.low) > 2 else "."
                closed = own["prepositions"] | own["marks"] | own["determiners"] | own["times"] | {"last"}
                return low in own["showing"] or after in closed or is_adverb(after)  # "This lasted until"
            if not i or before in own["determiners"] | own["prepositions"] or before in own["before_participles"]:
                return False
            k = self.back(i - 1)
            if k < i - 1 and self.low[k] in own["prepositions"]:
                return False  # "for partly collapsed lung"
            if self._caused(i):
                return False  # "had a scan performed"
            return (
                k >= 0
                and not is_auxiliary(self.low[k])
                and (self.low[k][:1].isalpha() or self.low[k] in ",)" or _DATE.fullmatch(self.low[k]) is not None)
            )
        if low in own["plural_verbs"] and self._follows_plural(i):
            return True
        # a base form behind "I" or "we", or behind another verb of theirs
        return low in verbs() and (
            self.named(self.back(i - 1)) == TEAM or (before in ("and", "but") and self._team_before(i - 1))
        )

    def _follows_plural(self, i: int) -> bool:
        """Whether a base form at i is the first verb behind several things: "Possible causes of the pain include"."""
        own = lists()
        small = own["prepositions"] | own["openers"] | own["modals"]
        head = self.low[next((k for k in range(1, i) if self.low[k] in small), i) - 1]
        several = head.endswith("s") and not head.endswith(("ss", "us", "is"))
        led = self.low[0] in small or self.low[0] in verbs()
        return several and not led and not any(self.is_finite(k) for k in range(i))

    def _is_noun(self, i: int) -> bool:
        """Whether a form in -s is a noun by what follows it: "causes of the pain", "muscle and bone causes, and stress"."""
        own, low = lists(), self.low[i]
        after = self.low[i + 1] if i + 1 < len(self.low) else "."
        if third_kind(low) is None or self.named(self.back(i - 1)) is not None:
            return False
        return (after == "of" and low not in own["takes_of"]) or (after in (",", ".") and low in own["giving"])

    def _caused(self, i: int) -> bool:
        """Whether a participle at i tells what was done to the object of "had"."""
        own = lists()
        for k in range(i - 1, max(-1, i - _FAR), -1):
            low = self.low[k]
            if low in own["joins"] | own["openers"] or not low[:1].isalnum():
                return False
            if low in ("had", "has", "have", "having"):
                return k < i - 1 and is_participle(self.low[i]) and self.named(k + 1) is None
        return False

    def _leaves(self, i: int) -> bool:
        own = lists()
        after = self.low[i + 1] if i + 1 < len(self.low) else ""
        closed = own["prepositions"] | own["determiners"] | own["particles"] | own["marks"] | own["joins"]
        return self.named(self.back(i - 1)) is not None or not after or after in closed or is_adverb(after)

    def _goes_on(self, i: int) -> bool:
        """Whether a form in -s that may be a noun is a verb by what stands around it: "smokes and drinks heavily"."""
        own = lists()
        before, after = self.low[self.back(i - 1)] if i else "", self.low[i + 1] if i + 1 < len(self.low) else ""
        if before not in own["joins"] and before != ",":
            return False
        if before == "then" or (
            before in own["joins"] and self.back(i - 1) < i - 1 and third_kind(self.low[i]) is not None
        ):
            return True  # an adverb stands before it: "drinks wine and also uses"
        object_follows = after in own["determiners"] or after in PRONOUNS or after.isdigit() or is_adverb(after)
        pair = (
            i >= 2
            and third_kind(self.low[i - 2]) is not None
            and third_kind(self.low[i]) is not None
            and self.is_finite(i - 2)
        )
        return object_follows or pair or self._is_habit(i, before, after)

    def _is_habit(self, i: int, before: str, after: str) -> bool:
        """Whether a form in -s goes on a sentence of the patient's habits: "smokes a pack a day and drinks beer"."""
        own = lists()
        small = own["prepositions"] | own["joins"] | own["marks"] | own["openers"] | own["modals"]
        if before not in ("and", "but") or third_kind(self.low[i]) is None or not after[:1].isalpha() or after in small:
            return False
        first = next((k for k in range(1, i) if self.is_finite(k)), None)
        if first is None or is_auxiliary(after) or third_kind(self.low[first]) is None:
            return False
        return self.named(first - 1) == PATIENT

    def _team_before(self, j: int) -> bool:
        """Whether the verb before j is one of the team's that agrees with it."""
        earlier = [k for k in range(j) if self.is_finite(k)]
        return bool(earlier) and self.low[earlier[-1]] not in lists()["modals"] and self.subject_of(earlier[-1]) == TEAM

    def _subject(self, i: int) -> str:
        j = self.back(i - 1)
        if j < 0:
            return OTHER
        if named := self.named(j):
            return named
        low = self.low[j]
        if low in ("who", "which", "that"):
            k = j - 1
            if k >= 0 and self.low[k] == ",":
                k -= 1
            return self.named(k) or OTHER if low == "who" and k >= 0 else OTHER
        if low in lists()["joins"] or low == ",":
            return self._shared_subject(i, j)
        return self._from_afar(i, j) or OTHER

    def _shared_subject(self, i: int, j: int) -> str:
        """The subject of a verb behind "and" or a comma: that of the verb before, where it is the only one."""
        earlier = [k for k in range(j) if self.is_finite(k) and not self._is_in_aside(k, j)]
        aside = next((k for k in range(1, j) if self.low[k] in ("which", "who") and self._is_in_aside(k + 1, j)), 0)
        if not earlier and aside and self.low[j] == ",":
            return self.named(aside - 2) or OTHER  # "Her pills, which she takes for gout, were stopped"
        if not earlier:
            named = [k for k in range(j) if self.named(k)]
            return UNSURE if named else OTHER
        openers = lists()["openers"]
        last = self.subject_of(earlier[-1])
        opened = [k for k in range(earlier[-1], j) if self.low[k] in openers and not self._is_in_aside(k + 1, j)]
        if last != OTHER and not all(self.low[k + 1].endswith("ing") for k in opened):  # "after doing so and put"
            return UNSURE
        for k in earlier[:-1]:
            if k > 1 and self.low[k - 2] in ("that", "which", "whom") and self.named(k - 1):
                continue  # "the latest blood test that I have is from June and shows"
            other = self.subject_of(k)
            if other == last or (
                self.low[k] in lists()["reporting"]
                and last == PATIENT
                and (is_auxiliary(self.low[i]) or is_past(self.low[i]))
            ):
                continue
            # "the pain is worse when you lie and wakes …": what stands before the opener may go on
            if last == OTHER or any(self.low[m] in openers for m in range(k, earlier[-1])):
                return UNSURE
        return last

    def _is_in_aside(self, k: int, end: int) -> bool:
        """Whether a verb at k stands in ", which …," that is closed before end: "a scan, which was normal, and was sent home"."""
        begin = next((m for m in range(k - 1, 0, -1) if self.low[m] in ("which", "who", "whom")), 0)
        commas = [m for m in range(begin - 1, end + 1) if self.low[m] == ","]
        return begin > 0 and commas[:1] == [begin - 1] and len(commas) > 1 and commas[1] > k

    def _from_afar(self, i: int, j: int) -> str | None:
        """A subject set apart from its verb by a phrase: "The patient since the morning has improved"."""
        own = lists()
        timed = self.low[j] in own["times"]
        for k in range(j, max(-1, j - _FAR), -1):
            if timed and self.low[k] in own["joins"] and self.low[k + 1] in own["prepositions"]:
                return self._shared_subject(i, k)  # "improved, but over the last days has had a cough"
            if named := self.named(k):
                following = self.low[k + 1]
                return named if following in own["prepositions"] and following != "of" else None
            if self.low[k] in (own["joins"] | own["openers"]) - own["prepositions"] or (k != j and self.is_finite(k)):
                return None
        return None
