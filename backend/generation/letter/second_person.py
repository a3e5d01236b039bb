"""Turns a clause of a note to its patient: "She was admitted and has …" gives "You were admitted and have …".

Takes plain text and who is addressed; gives the turned text, or None where it is not sure who is meant or what a verb belongs to:
"when in doubt, less". It changes persons and the verbs that agree with them, no other word. A child keeps the third person: the letter
is to the parent ("your child"). Whoever writes the note ("I", "we") becomes the team.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from backend.generation.letter.letter_words import Word, is_adverb, lists, words_of, written
from backend.generation.letter.verb_forms import (
    SURE,
    is_auxiliary,
    is_participle,
    is_past,
    third_kind,
    verbs,
    with_it,
    with_you,
)
from backend.nlp.lexicon.variants import english_words

MALE, FEMALE = "male", "female"
_PATIENT, _TEAM, _OTHER, _UNSURE = "patient", "team", "other", "unsure"
_SUBJECT_OF = {MALE: "he", FEMALE: "she"}
_OWN = {"he": MALE, "him": MALE, "his": MALE, "himself": MALE, "she": FEMALE, "her": FEMALE, "hers": FEMALE, "herself": FEMALE}  # fmt: skip
_JOINED = {"'ll": "will", "'ve": "have", "'m": "are"}
_AGO = frozenset(("ago", "later", "earlier", "before"))
_ANY_PATIENT = frozenset(("my", "our", "a", "any", "every", "each", "another", "other", "one"))
_HAVE_BEEN = frozenset(("been", "had", "got", "gotten", "become"))
_CONFESSED = ("admitted", "to")  # a ward, or a deed
_FAR = 9
"""Words between a subject and its verb, beyond which they are no longer taken for a pair."""
_AGE = r"(?:\d+(?:\.\d+)?|[a-z]+)[\s-]*(?:years?|yrs?|months?|mos?|weeks?|wks?|days?)[\s-]*(?:old|of[\s-]age)|\d+\s?y/?o\b|\d+\s?years? old|\d+[MF]\b"
_OPENING = re.compile(
    rf"^(?:(?:(?P<whom>the patient|this patient|patient|he|she|(?:mr|mrs|ms|miss)\.?\s[A-Z][\w'’-]*|this)\s(?:is|was)\s)(?:an?|the)?\s?|an?\s|this\s)?"
    rf"(?P<head>(?:[\w'’-]+\s){{0,4}}?(?:{_AGE})[\w'’/\s-]*?)"
    rf"(?=\s(?:who|with|w/|presenting|presents|presented|admitted|brought|referred|transferred|seen|status|here|being|complaining|comes|came|sent|has|had|is|was|in|for|from|that)\b|,|\.|$)",
    re.IGNORECASE,
)
_COMING = frozenset(("presenting", "complaining"))
_WITH = re.compile(
    r"^with\s(?P<what>.+?)(?:,?\s(?:and\s)?(?P<who>who)\s(?P<who_rest>.+)|,?\s(?P<verb>present(?:s|ed|ing)|admitted|brought|referred|transferred|seen|comes|came|complains)\s(?P<rest>.+))?$",
    re.IGNORECASE | re.DOTALL,
)


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


def second_person(text: str, patient: Addressee, before: str = "") -> str | None:
    """A clause or sentence of a note as it is told to the patient; None where it cannot be turned surely.

    Args:
        text: without short forms, since their words are not known here.
        patient: who is addressed.
        before: the sentence before it in the note, whose persons a pronoun may mean.
    """
    opened = _opened(text, patient)
    parts = opened if opened is not None else [text]
    turned = []
    for part in parts:
        words = words_of(part)
        if words is None:
            return None
        told = _Clause(words, patient, before).turned()
        if told is None:
            return None
        turned.append(told[:1].upper() + told[1:])
    return " ".join(turned)


def has_finite_verb(text: str) -> bool:
    """Whether a text has a verb that makes it a sentence rather than a telegram."""
    words = words_of(text)
    if words is None:
        return False
    clause = _Clause(words, Addressee(), "")
    own = lists()
    for i, word in enumerate(words):
        if clause.is_finite(i):
            return True
        if word.low in ("you", "they") and not word.quoted:
            k = i + 1
            while k < len(words) and is_adverb(words[k].low):
                k += 1
            following = words[k].low if k < len(words) else ""
            if following in verbs() and following not in own["prepositions"] and (i == 0 or words[i - 1].low != "to"):
                return True
    return False


def opening_of(text: str) -> str:
    """The words of an opening that tell age and sex and are not told ("This is a 58-year-old man"); empty where there are none."""
    match = _OPENING.match(text.strip())
    return match[0] if match is not None else ""


def is_telegram(text: str) -> bool:
    """Whether a text leaves out what makes it a sentence: its verb, its subject or its article ("Nasal polyps, had surgery")."""
    words = words_of(text)
    if not words or not has_finite_verb(text):
        return True
    clause, own = _Clause(words, Addressee(), ""), lists()
    first = words[0].low
    finite = [i for i in range(len(words)) if clause.is_finite(i)]
    if any(word.low in ("you", "they") for word in words):
        return False
    if first in own["openers"] or is_adverb(first):
        return not finite
    openers = [i for i, word in enumerate(words) if word.low in own["relatives"]]
    main = [i for i in finite if not openers or i < openers[0]]
    if not main:
        return True  # "Pain, which has improved"
    i = main[0]
    low, after = words[i].low, words[i + 1].low if i + 1 < len(words) else ""
    if is_auxiliary(low) or low in own["modals"] or third_kind(low) is not None:
        return words[i - 1].text in ",;" or i == 0 or words[i - 1].low in own["joins"]
    if first in own["determiners"] | own["subjects"] or not is_participle(low):
        return False
    # "Crew recorded 84/50" has an object, "Hepatitis C treated and cleared" has none
    closed = own["prepositions"] | own["joins"] | own["particles"] | own["marks"]
    return not after or after in closed or is_adverb(after) or after[0] in "(–"


def _opened(text: str, patient: Addressee) -> list[str] | None:
    """An opening such as "The patient is a 58-year-old man with gout who came with …" as sentences about "the patient".

    None where the text opens otherwise.
    """
    match = _OPENING.match(text.strip())
    if match is None:
        return None
    rest = text.strip()[match.end() :].lstrip()
    first, _, after = rest.partition(" ")
    low = first.lower()
    subject = "The patient"
    if low == "who":
        return [f"{subject} {after}"] if _verb_follows(after) else None
    if low == "with":
        split = _WITH.match(rest)
        if split is None:
            return None
        has = f"{subject} has {split['what'].rstrip(' ,.')}."
        if split["who"]:
            before_who = split["what"].rsplit(" ", 1)[-1].lower().strip(",")
            if before_who in _persons() or not _verb_follows(split["who_rest"]):
                return None
            return [has, f"{subject} {split['who_rest']}"]
        if split["verb"]:
            return [has, f"{subject} {_as_verb(split['verb'])} {split['rest']}"]
        return [has]
    if low in _COMING or low in ("presents", "presented", "comes", "came", "has", "had", "is", "was"):
        return [f"{subject} {_as_verb(first)} {after}"]
    if low in ("admitted", "brought", "referred", "transferred", "seen", "sent"):
        return [f"{subject} was {rest}"]
    return None


def _as_verb(word: str) -> str:
    low = word.lower()
    if low == "presenting":
        return "presented"
    if low == "complaining":
        return "complained"
    if low in ("admitted", "brought", "referred", "transferred", "seen"):
        return f"was {low}"
    return low


def _verb_follows(text: str) -> bool:
    words = words_of(text)
    if not words:
        return False
    for word in words[:4]:
        low = word.low
        if is_auxiliary(low) or low in lists()["modals"] or is_past(low) or third_kind(low) is not None:
            return True
        if not is_adverb(low):
            return False
    return False


def _persons() -> frozenset[str]:
    own = lists()
    return own["female"] | own["male"] | own["person"] | own["people"]


class _Reference(NamedTuple):
    """Words first to last (left out) that mean the patient or the team. owns: they mark what is theirs."""

    first: int
    last: int
    who: str
    subject: bool
    owns: bool


class _Clause:
    """One sentence on its way to the second person. Use once."""

    def __init__(self, words: Sequence[Word], patient: Addressee, before: str) -> None:
        self.words = words
        self.low = [word.low for word in words]
        self.patient = patient
        self.before = before

    def turned(self) -> str | None:
        self._complete()
        if not self._sure():
            return None
        put: dict[int, str] = {}
        for i, low in enumerate(self.low):
            if self.words[i].quoted:
                continue
            if "you" in (low, low.split("'", 1)[0]) or low in ("your", "yours"):
                return None  # whoever the note speaks to, it is not the patient
            if low in self._reference_at and not self._pronoun(i, put):
                return None
        for reference in self.references:
            if not self._referred(reference, put):
                return None
        for i in range(len(self.words)):
            if i in put or self.words[i].quoted or not self.is_finite(i):
                continue
            if not self._agreed(i, put):
                return None
        out = []
        for i, word in enumerate(self.words):
            text = put.get(i, word.text)
            if text:
                out.append(Word(word.space, text, word.quoted))
        return written(out)

    def _complete(self) -> None:
        """Put the subject where telegram style leaves it out: "Denies fever", "Also was seen"."""
        own = lists()
        i = 0
        while i < len(self.low) and is_adverb(self.low[i]):
            i += 1
        if i >= len(self.low):
            return
        low = self.low[i]
        following = self.low[i + 1] if i + 1 < len(self.low) else ""
        is_passive = low in ("was", "is", "has") and (following in own["passive_subject"] or following == "been")
        if low in own["passive_subject"] and following in own["prepositions"] and (low, following) != _CONFESSED:
            added = "The patient was"
        elif (low in own["dropped_subject"] or is_passive) and (low, following) != _CONFESSED:
            added = "The patient"
        elif low in own["dropped_team"]:
            added = "We"
        else:
            return
        first = self.words[0]
        lowered = first._replace(space=" ", text=first.text[:1].lower() + first.text[1:])
        words = [*(words_of(added) or []), lowered, *self.words[1:]]
        self.words, self.low = words, [word.low for word in words]

    @cached_property
    def references(self) -> list[_Reference]:
        """Whoever is named by a noun: the patient, the team. Pronouns stand apart."""
        own = lists()
        found: list[_Reference] = []
        i = 0
        while i < len(self.low):
            if self.words[i].quoted:
                i += 1
                continue
            low = self.low[i].removesuffix("'s")
            owns = self.low[i].endswith("'s")
            if low in own["patient"]:
                first = i
                determined = i > 0 and self.low[i - 1] in ("the", "this", "that")
                bare = low in ("patient", "pt") and not (i > 0 and self.low[i - 1] in _ANY_PATIENT)
                if determined:
                    first = i - 1
                if (determined or bare) and not self._is_other_kind(i):
                    found.append(_Reference(first, i + 1, _PATIENT, not owns, owns))
            elif low in own["titles"]:
                last = i + 1
                if last < len(self.low) and self.words[last].text == ".":
                    last += 1
                names = last
                while last < len(self.words) and last < names + 2 and self.words[last].text[:1].isupper():
                    last += 1
                if last > names and self._title_fits(low):
                    owns = self.low[last - 1].endswith("'s")
                    found.append(_Reference(i, last, _PATIENT, not owns, owns))
                i = last
                continue
            i += 1
        return found

    def _is_other_kind(self, i: int) -> bool:
        """Whether a word such as "patient" only describes a noun behind it ("patient care"), or is no person here."""
        following = self.low[i + 1] if i + 1 < len(self.low) else ""
        return (
            following in ("care", "safety", "education", "advocate", "controlled", "in", "who'd") and following != "in"
        )

    def _title_fits(self, title: str) -> bool:
        feminine = title in lists()["female_titles"]
        return self.patient.sex is None or feminine == (self.patient.sex == FEMALE)

    @cached_property
    def _pronouns(self) -> frozenset[str]:
        """The pronouns that may mean the patient."""
        return frozenset(word for word, sex in _OWN.items() if sex == self.patient.sex)

    @cached_property
    def _reference_at(self) -> frozenset[str]:
        own = lists()["first_person"]
        joined = (
            {f"{_SUBJECT_OF[self.patient.sex]}{end}" for end in ("'s", "'ll", "'d", "'ve")}
            if self.patient.sex
            else set()
        )
        return self._pronouns | own | joined

    def _sure(self) -> bool:
        """Whether no pronoun for the patient can mean somebody else."""
        if self.patient.child:
            return True
        if self.patient.sex is None:
            return not any(low.split("'", 1)[0] in _OWN for low in self.low)
        mine = [
            i for i, low in enumerate(self.low) if low.split("'", 1)[0] in self._pronouns and not self.words[i].quoted
        ]
        if not mine:
            return True
        other = self._named_first(words_of(self.before) or [])
        if other is not None and not any(r.first < mine[0] for r in self.references):
            subject = self.low[mine[0]].split("'", 1)[0] == _SUBJECT_OF[self.patient.sex]
            if subject or other.removesuffix("'s") not in lists()["clinicians"]:
                return False
        others = [i for i in range(len(self.low)) if self._may_be_meant(i)]
        named = [*mine, *(r.first for r in self.references)]
        return all(self._means_patient(i, [o for o in others if o < i], named) for i in mine)

    def _means_patient(self, i: int, others: Sequence[int], named: Sequence[int]) -> bool:
        """Whether a pronoun means the patient though other persons stand before it.

        Args:
            i: the pronoun.
            others: who stands before it.
            named: where the patient is named.
        """
        if not others:
            return True
        low = self.low[i].split("'", 1)[0]
        if low == _SUBJECT_OF[self.patient.sex or FEMALE]:
            return False
        clinicians = all(self.low[o].removesuffix("'s") in lists()["clinicians"] for o in others)
        first = any(n < others[0] for n in named)
        if low.endswith("self"):
            return clinicians or (first and not self._gendered(others)) or any(others[-1] < n < i for n in named)
        if self._owns(i):
            return clinicians or (first and not self._gendered(others))
        # he who takes him is another
        return True

    def _gendered(self, places: Sequence[int]) -> bool:
        """Whether one of some persons is a relative of the patient's own sex."""
        own = lists()
        same = own["female"] if self.patient.sex == FEMALE else own["male"]
        return any(self.low[i].removesuffix("'s") in same for i in places)

    def _may_be_meant(self, i: int) -> bool:
        """Whether the word is another person whom a pronoun of the patient's sex could mean."""
        own = lists()
        low = self.low[i].removesuffix("'s")
        if self.words[i].quoted:
            return False
        if low in own["person"]:
            return True
        return low in (own["female"] if self.patient.sex == FEMALE else own["male"])

    def _named_first(self, words: Sequence[Word]) -> str | None:
        """Whom the sentence before is about, where a pronoun could mean them: their name stands before its verb."""
        if not words or _OPENING.match(written(words)):
            return None
        clause = _Clause(words, self.patient, "")
        verb = next((i for i in range(len(words)) if clause.is_finite(i)), None)
        for i, low in enumerate(clause.low[:verb] if verb is not None else ()):
            mine = any(r.first <= i < r.last and r.subject for r in clause.references)
            if mine or low in self._pronouns - {"her", "his"}:
                return None
            if clause._may_be_meant(i):
                return low
        return None

    def _owns(self, i: int) -> bool:
        """Whether "her" or "his" at i marks what is the patient's, rather than the patient."""
        low = self.low[i]
        if low == "his":
            return True
        if low != "her":
            return False
        own = lists()
        following = self.low[i + 1] if i + 1 < len(self.low) else "."
        if not following[:1].isalnum():
            return False
        if following[:1].isdigit() and not _AGO.isdisjoint(self.low[i + 2 : i + 5]):
            return False  # "spoke to her 2 days ago"
        return not (
            following in own["prepositions"] | own["joins"] | own["openers"] | own["determiners"] | own["marks"]
            or following in own["particles"]
            or (is_adverb(following) and not following.endswith("ly"))
        )

    def _pronoun(self, i: int, put: dict[int, str]) -> bool:
        """Turn a pronoun; False where it cannot be turned."""
        low = self.low[i]
        you, your = self.patient.you, self.patient.your
        if low in lists()["first_person"]:
            return self._first_person(i, put)
        if low == "her" and i and self.low[i - 1] in lists()["giving"] and self._owns(i):
            return False  # "gives her hives", "told her mother": whose, or to whom
        if self.patient.child:
            if low in ("he", "she") and i == 0:
                put[i] = _as(self.words[i].text, you)
            return True
        head, _, end = low.partition("'")
        if end:
            if end == "s":
                following = self.low[i + 1] if i + 1 < len(self.low) else ""
                put[i] = _as(self.words[i].text, "you have" if following in _HAVE_BEEN else "you are")
            elif end == "d":
                return False
            else:
                put[i] = _as(self.words[i].text, f"you {_JOINED[chr(39) + end]}")
            return head in _SUBJECT_OF.values()
        if low in ("himself", "herself"):
            put[i] = "yourself"
        elif low == "hers" or (low == "his" and not self._noun_follows(i)):
            put[i] = "yours"
        elif low in _SUBJECT_OF.values() or not self._owns(i):
            put[i] = _as(self.words[i].text, you)
        else:
            put[i] = _as(self.words[i].text, your)
        return True

    def _noun_follows(self, i: int) -> bool:
        return i + 1 < len(self.low) and self.low[i + 1][:1].isalnum()

    def _first_person(self, i: int, put: dict[int, str]) -> bool:
        low = self.low[i]
        head, _, end = low.partition("'")
        if (head == "i" and self.words[i].text[0] != "I") or end == "d":
            return False
        if end:
            verb = {"ll": "will", "ve": "has", "m": "is", "re": "is"}[end]
            put[i] = _as(self.words[i].text, f"your team {verb}", sure=i == 0)
            return True
        place = dict.fromkeys(("i", "we"), "your team") | dict.fromkeys(("us", "me"), "the team")
        place |= dict.fromkeys(("my", "our"), "the team's")
        put[i] = _as(self.words[i].text, place[low], sure=i == 0)
        return True

    def _referred(self, reference: _Reference, put: dict[int, str]) -> bool:
        first, last = reference.first, reference.last
        text = self.patient.your if reference.owns else self.patient.you
        put[first] = _as(self.words[first].text, text, sure=first == 0)
        for i in range(first + 1, last):
            put[i] = ""
        return True

    def is_finite(self, i: int) -> bool:
        """Whether the word at i is a verb with a subject, as far as its form and its neighbours tell."""
        low = self.low[i]
        own = lists()
        before = self.low[i - 1] if i else ""
        if self.words[i].quoted or before == "to":
            return False
        if is_auxiliary(low) or low in own["modals"]:
            return True
        known = third_kind(low) is not None or (low.endswith("s") and with_you(low) in english_words())
        if known and (third_kind(low) is not None or self._named(i - 1) is not None or self._goes_on(i)):
            after_subject = self._named(self._back(i - 1)) is not None
            if third_kind(low) == SURE:
                return before not in own["determiners"] | own["prepositions"]
            return after_subject or self._goes_on(i)
        if is_past(low):
            if before == "," and not any(self.is_finite(k) for k in range(i)):
                return False  # "Diabetes, poorly controlled"
            if (
                not i
                or before in own["determiners"] | own["prepositions"]
                or before in ("to", "be", "been", "being", "having")
            ):
                return False
            k = self._back(i - 1)
            return k >= 0 and not is_auxiliary(self.low[k]) and (self.low[k][:1].isalpha() or self.low[k] == ",")
        # a base form behind "I" or "we", or behind another verb of theirs
        return low in verbs() and (
            self._named(self._back(i - 1)) == _TEAM or (before in ("and", "but") and self._team_before(i - 1))
        )

    def _goes_on(self, i: int) -> bool:
        """Whether a form in -s that may be a noun is a verb by what stands around it: "smokes and drinks heavily"."""
        own = lists()
        before, after = self.low[i - 1] if i else "", self.low[i + 1] if i + 1 < len(self.low) else ""
        if before not in own["joins"] and before != ",":
            return False
        if before == "then":
            return True
        object_follows = after in own["determiners"] or after in _OWN or after.isdigit() or is_adverb(after)
        pair = (
            i >= 2
            and third_kind(self.low[i - 2]) is not None
            and third_kind(self.low[i]) is not None
            and self.is_finite(i - 2)
        )
        return object_follows or pair

    def _team_before(self, j: int) -> bool:
        """Whether the verb before j is one of the team's that agrees with it."""
        earlier = [k for k in range(j) if self.is_finite(k)]
        return bool(earlier) and self.low[earlier[-1]] not in lists()["modals"] and self._subject(earlier[-1]) == _TEAM

    def _back(self, i: int) -> int:
        """The first word at or before i that is no adverb and no "not"."""
        while i > 0 and (is_adverb(self.low[i]) or self.low[i] == "not"):
            i -= 1
        return i

    def _named(self, i: int) -> str | None:
        """Who is named by a subject that ends at i."""
        if i < 0 or self.words[i].quoted:
            return None
        if self.low[i] in ("i", "we"):
            return _TEAM
        if self.patient.sex and self.low[i] == _SUBJECT_OF[self.patient.sex]:
            return _PATIENT
        return _PATIENT if any(r.last == i + 1 and r.subject for r in self.references) else None

    def _subject(self, i: int, depth: int = 0) -> str:
        """Whose verb stands at i."""
        j = self._back(i - 1)
        if j < 0 or depth > _FAR:
            return _OTHER
        if named := self._named(j):
            return named
        low = self.low[j]
        if low in ("who", "which", "that"):
            k = j - 1
            if k >= 0 and self.low[k] == ",":
                k -= 1
            return self._named(k) or _OTHER if low == "who" and k >= 0 else _OTHER
        if low in lists()["joins"] or low == ",":
            return self._carried(i, j, depth)
        return self._from_afar(j) or _OTHER

    def _carried(self, i: int, j: int, depth: int) -> str:
        """The subject of a verb behind "and" or a comma: that of the verb before, where it is the only one."""
        earlier = [k for k in range(j) if self.is_finite(k)]
        if not earlier:
            named = [k for k in range(j) if self._named(k)]
            return _UNSURE if named else _OTHER
        openers = lists()["openers"]
        last = self._subject(earlier[-1], depth + 1)
        if any(self.low[k] in openers for k in range(earlier[-1], j)) and last != _OTHER:
            return _UNSURE
        for k in earlier[:-1]:
            other = self._subject(k, depth + 1)
            if other == last or (
                self.low[k] in lists()["reporting"] and last == _PATIENT and is_auxiliary(self.low[i])
            ):
                continue
            # "the pain is worse when you lie and wakes …": what stands before the opener may go on
            if last == _OTHER or any(self.low[m] in openers for m in range(k, earlier[-1])):
                return _UNSURE
        return last

    def _from_afar(self, j: int) -> str | None:
        """A subject set apart from its verb by a phrase: "The patient since the morning has improved"."""
        own = lists()
        for k in range(j, max(-1, j - _FAR), -1):
            if named := self._named(k):
                following = self.low[k + 1]
                return named if following in own["prepositions"] and following != "of" else None
            if self.low[k] in (own["joins"] | own["openers"]) - own["prepositions"] or (k != j and self.is_finite(k)):
                return None
        return None

    def _agreed(self, i: int, put: dict[int, str]) -> bool:
        """Put the form of the verb at i that goes with its new subject; False where that is not sure."""
        low = self.low[i]
        if self.patient.child:
            named = self._named(self._back(i - 1))
            if named != _TEAM:
                return True
        turned_you, turned_it = with_you(low), with_it(low)
        if low in lists()["modals"]:
            return True
        subject = self._subject(i)
        if subject == _UNSURE:
            return turned_you == low and turned_it == low
        if subject == _PATIENT:
            put[i] = turned_you
        elif subject == _TEAM:
            put[i] = turned_it
        return True


def _as(model: str, text: str, sure: bool = True) -> str:
    """The text with a capital where the word that it stands for had one, "I" left out."""
    return text[:1].upper() + text[1:] if sure and model[:1].isupper() else text
