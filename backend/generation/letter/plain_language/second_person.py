"""Turns a clause of a note to its patient: "She was admitted and has …" gives "You were admitted and have …".

Takes plain text and who is addressed; gives the turned text, or None where it is not sure who is meant or what a verb belongs to:
"when in doubt, less". It changes persons and the verbs that agree with them, no other word. A child keeps the third person: the letter
is to the parent ("your child"). Whoever writes the note ("I", "we") becomes the team; in the patient's own words "I" is the patient.
"""

import re
from collections.abc import Sequence

from backend.generation.letter.plain_language.clause_subjects import (
    FEMALE,
    PATIENT,
    PRONOUNS,
    SUBJECT_OF,
    TEAM,
    UNSURE,
    Addressee,
    ClauseSubjects,
    Reference,
)
from backend.generation.letter.plain_language.letter_words import Word, is_adverb, lists, words_of, written
from backend.generation.letter.plain_language.openings import opening_of, opening_sentences
from backend.generation.letter.plain_language.verb_forms import (
    SURE,
    is_auxiliary,
    is_participle,
    is_past,
    verbs,
    with_it,
    with_you,
)
from backend.nlp.lexicon.variants import stem
from backend.nlp.rules.word_lists import word_lists

_JOINED = {"ll": "you will", "ve": "you have", "m": "you are"}
_TEAM_JOINED = {"ll": "your team will", "ve": "your team has", "m": "your team is", "re": "your team is"}
_TEAM_WORDS = {"i": "your team", "we": "your team", "us": "the team", "me": "the team", "my": "the team's", "our": "the team's"}  # fmt: skip
_OWN_WORDS = {"i": "you", "me": "you", "my": "your"}
_CONFESSED = ("admitted", "to")  # a ward, or a deed
_BY_ACCOUNT = ("according", "to")
_NUMBERS = frozenset(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "other"))
_CALLED = (
    ("(?:wife|girlfriend|fianc[eé]e|partner|spouse)", "(?:husband|boyfriend|partner|spouse)"),
    ("(?:husband|boyfriend|fianc[eé])", "(?:wife|girlfriend|partner|spouse)"),
    ("(?:mother|mom|father|dad)", "(?:son|daughter)"),
    ("(?:son|daughter)", "(?:father|mother|dad|mom)"),
)
"""Kin, and what they call a patient: "his wife … her husband"."""
_MOST_BEFORE = 60
"""Words of the sentence before that are looked at."""


def second_person(text: str, patient: Addressee, before: str = "", *, spoken: bool = False) -> str | None:
    """A clause or sentence of a note as it is told to the patient; None where it cannot be turned surely.

    Args:
        text: without short forms, since their words are not known here.
        patient: who is addressed.
        before: the sentence before it in the note, whose persons a pronoun may mean.
        spoken: the words are the patient's own or a parent's, as a chief complaint has them: "my finger" is yours.
    """
    turned = []
    text = _by_kin(text, patient)
    for part in opening_sentences(text) or [text]:
        words = words_of(part)
        sentence = _Turning(words, patient, before, spoken).turned() if words is not None else None
        if sentence is None:
            return None
        turned.append(sentence[:1].upper() + sentence[1:])
    return " ".join(turned)


def names_own_body(text: str) -> bool:
    """Whether a clause keeps the words of one who speaks of the own body: "pain all over my head"."""
    body = word_lists("findings/words_phrases")["body"]
    return any(stem(word) in map(stem, body) for word in re.findall(r"\bmy (\w+)", text.lower()))


def _by_kin(text: str, patient: Addressee) -> str:
    """The text with "the patient" for what kin of theirs calls them: "His wife said that her husband is confused"."""
    if patient.child or patient.sex is None:
        return text
    them = "her" if patient.sex != FEMALE else "his"  # whose a patient of the other sex is
    for kin, called in _CALLED:
        if re.match(rf"(?:the |his |her )?{kin}\b", text, re.IGNORECASE):
            return re.sub(rf"(?<=[a-z] ){them} {called}\b(?!['’-])", "the patient", text)
    return text


class _Turning:
    """One sentence on its way to the second person. Use once."""

    def __init__(self, words: Sequence[Word], patient: Addressee, before: str, spoken: bool) -> None:
        self._clause = ClauseSubjects(_completed(_with_auxiliary(words)), patient)
        self._words, self._low = self._clause.words, self._clause.low
        self._patient = patient
        self._before = before
        self._spoken = spoken and any(word.low.split("'", 1)[0] in _OWN_WORDS for word in words)
        self._pronouns = frozenset(word for word, sex in PRONOUNS.items() if sex == patient.sex)
        self._subject = SUBJECT_OF.get(patient.sex or "", "")
        self._put: dict[int, str] = {}

    def turned(self) -> str | None:
        """The sentence as it is told, or None."""
        if not self._sure():
            return None
        if self._spoken and (self._clause.references or any(low in self._pronouns for low in self._low)):
            return None  # one who speaks of the patient is not the patient
        for i, low in enumerate(self._low):
            if self._words[i].quoted:
                continue
            head = low.split("'", 1)[0]
            if head in ("you", "your", "yours"):
                return None  # whoever the note speaks to, it is not the patient
            own = low in self._pronouns or (head == self._subject and head != low)
            if (own or low in lists()["first_person"]) and not self._pronoun(i):
                return None
        for reference in self._clause.references:
            self._name(reference)
        for i in range(len(self._words)):
            if i not in self._put and self._clause.is_finite(i) and not self._agreed(i):
                return None
        texts = [(word, self._put.get(i, word.text)) for i, word in enumerate(self._words)]
        return written([word._replace(text=text) for word, text in texts if text])

    def _sure(self) -> bool:
        """Whether no pronoun for the patient can mean somebody else."""
        heads = [low.split("'", 1)[0] for low in self._low]
        if self._patient.child:
            return True
        if self._patient.sex is None:
            return not any(head in PRONOUNS for head in heads)
        mine = [i for i, head in enumerate(heads) if head in self._pronouns and not self._words[i].quoted]
        if not mine:
            return True
        references = self._clause.references
        other = self._named_before()
        meant = heads[mine[0]] == self._subject or other not in lists()["clinicians"]
        owns_other = self._low[mine[0] + 1 : mine[0] + 2] == [other]  # "his partner" is nobody else's
        if other is not None and meant and not owns_other and not any(r.first < mine[0] for r in references):
            return False
        others = [i for i, low in enumerate(self._low) if not self._words[i].quoted and self._may_be_meant(low)]
        named = [*mine, *(r.first for r in references)]
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
        low = self._low[i].split("'", 1)[0]
        source = self._low.index(",") if tuple(self._low[:2]) == _BY_ACCOUNT and "," in self._low else 0
        if low == self._subject and max(others) < source:
            return True  # "according to her daughter, she has not eaten": of whom the source tells
        if (
            low == self._subject
        ):  # "was referred by Dr. X after she fell": whoever did it is not whom the sentence is about
            own = lists()
            if {self._low[o].removesuffix("'s") for o in others} <= own["clinicians"] and self._is_cared_for(i):
                return True  # "the exam by Dr. X was normal, but she was admitted"
            led = bool(named) and min(named) < others[0]
            if led and self._low[i - 1] in ("if", "when") and {self._low[o] for o in others} <= own["clinicians"]:
                return True  # "should call her doctor if she feels dizzy"
            return led and all(self._low[o - 1] == "by" for o in others if o)
        own = lists()
        who = [self._low[o].removesuffix("'s") for o in others]
        same_sex = own["female"] if self._patient.sex == FEMALE else own["male"]
        led = any(n < others[0] for n in named) and same_sex.isdisjoint(who)
        after_all = low.endswith("self") and any(others[-1] < n < i for n in named)
        if low.endswith("self") or self._owns(i):
            return led or after_all or own["clinicians"].issuperset(who)
        return True  # whoever takes him is another

    def _is_cared_for(self, i: int) -> bool:
        """Whether the pronoun at i is one to whom something is done that is done to patients: "she was then sent"."""
        k = i + 1
        while k < len(self._low) and (is_auxiliary(self._low[k]) or self._low[k] == "been" or is_adverb(self._low[k])):
            k += 1
        done = k < len(self._low) and self._low[k] in lists()["passive_subject"]
        return done and any(self._low[j] in ("was", "been", "is") for j in range(i + 1, k))

    def _may_be_meant(self, low: str) -> bool:
        """Whether a word is another person whom a pronoun of the patient's sex could mean."""
        own = lists()
        who = low.removesuffix("'s")
        return who in own["person"] or who in (own["female"] if self._patient.sex == FEMALE else own["male"])

    def _named_before(self) -> str | None:
        """Whom the sentence before is about, where a pronoun could mean them: their name stands before its verb."""
        words = (words_of(self._before) or [])[:_MOST_BEFORE]
        if not words or opening_of(self._before):
            return None
        clause = ClauseSubjects(words, self._patient)
        verb = next((i for i in range(len(words)) if clause.is_finite(i)), 0)
        for i, low in enumerate(clause.low[:verb]):
            mine = any(r.first <= i < r.last and r.subject for r in clause.references)
            if mine or low in self._pronouns - {"her", "his"}:
                return None
            if self._may_be_meant(low):
                return low.removesuffix("'s")
        return None

    def _owns(self, i: int) -> bool:
        """Whether "her" or "his" at i marks what is the patient's, rather than the patient."""
        low = self._low[i]
        following = self._low[i + 1] if i + 1 < len(self._low) else "."
        if low != "her":
            return low == "his"
        if not following[:1].isalnum():
            return False
        if following[:1].isdigit() and not lists()["ago"].isdisjoint(self._low[i + 2 : i + 5]):
            return False  # "spoke to her 2 days ago"
        own = lists()
        if i and self._low[i - 1] in own["letting"] | {"keep", "keeps", "kept"} and following in verbs():
            helps = self._low[i - 1].startswith(("help", "let")) or self._low[i + 2 : i + 3] == ["up"]
            if helps or verbs()[following].kind == SURE:
                return False  # "makes her feel better", "helps her sleep"
        after = self._low[i + 2] if i + 2 < len(self._low) else "."
        led = i and self._low[i - 1] in own["prepositions"]
        if led and (following in _NUMBERS or following.isdigit()):
            # "for her two children", "for her 18 month visit", but "stay with her 2 weeks"
            last = self._low[i + 3] if after in own["times"] and i + 3 < len(self._low) else after
            return last == "of" or (last[:1].isalpha() and last not in own["times"] and not self._closed(last))
        closed = self._closed(following)
        if following in lists()["particles"]:  # "took her home today", but "her home visit", "her back pain"
            if i and self._low[i - 1] in lists()["prepositions"]:
                return True  # "within her home"
            after = self._low[i + 2] if i + 2 < len(self._low) else "."
            return after[:1].isalnum() and not self._closed(after)
        return not closed

    def _closed(self, low: str) -> bool:
        """Whether a word begins no noun phrase."""
        own = lists()
        words = own["prepositions"] | own["joins"] | own["openers"] | own["determiners"]
        return low in words or (is_adverb(low) and not low.endswith("ly"))

    def _pronoun(self, i: int) -> bool:
        """Turn a pronoun; False where it cannot be turned."""
        low, text = self._low[i], self._words[i].text
        following = self._low[i + 1] if i + 1 < len(self._low) else ""
        if low in lists()["first_person"]:
            return self._first_person(i)
        if low == "her" and i and self._low[i - 1] in lists()["giving"] and self._owns(i) and not self._does(i):
            return False  # "gives her hives", "told her mother": whose, or to whom
        if self._patient.child:
            if low == self._subject and i == 0:
                self._put[i] = _as(text, self._patient.you)
            return True
        _, _, end = low.partition("'")
        if end == "s":
            self._put[i] = _as(text, "you have" if self._has_done(i + 1) else "you are")
        elif end:
            if end not in _JOINED:
                return False
            self._put[i] = _as(text, _JOINED[end])
        elif low in ("himself", "herself"):
            self._put[i] = "yourself"
        elif low == "hers" or (low == "his" and not following[:1].isalnum()):
            self._put[i] = "yours"
        else:
            own = low != self._subject and self._owns(i)
            self._put[i] = _as(text, self._patient.your if own else self._patient.you)
        return True

    def _does(self, i: int) -> bool:
        """Whether what is to be done before i the patient is to do, so that "her" is her own: "she will bring her log"."""
        last = next((k for k in range(i - 1, 0, -1) if self._clause.is_finite(k)), 0)
        return self._low[last] in lists()["modals"] and self._clause.subject_of(last) == PATIENT

    def _has_done(self, i: int) -> bool:
        """Whether the word behind "she's" at i is what she has done: "she's been", "he's lost half a stone", but "she's seen at the clinic"."""
        own = lists()
        low, following = self._low[i : i + 1], self._low[i + 1 : i + 2]
        if not low or low[0] in own["after_have"]:
            return bool(low)
        object_follows = bool(following) and (following[0] in own["determiners"] or following[0][:1].isdigit())
        return is_participle(low[0]) and low[0] not in own["given"] | own["passive_subject"] and object_follows

    def _first_person(self, i: int) -> bool:
        """Turn a word of whoever writes; False where it may be no such word."""
        head, _, end = self._low[i].partition("'")
        text = self._words[i].text
        if head == "i" and i and self._low[i - 1] in lists()["numbered"]:
            return True  # "type I diabetes"
        if text == "US":
            return True  # an ultrasound, or a country
        if (head == "i" and text[0] != "I") or end == "d":
            return False
        if self._spoken and head in _OWN_WORDS:
            if end and end not in _JOINED:
                return False
            said = _JOINED[end] if end else _OWN_WORDS[head]
        else:
            said = _TEAM_JOINED[end] if end else _TEAM_WORDS[head]
        self._put[i] = _as(text, said) if i == 0 else said
        return True

    def _name(self, reference: Reference) -> None:
        first = reference.first
        text = self._patient.your if reference.owns else self._patient.you
        self._put[first] = _as(self._words[first].text, text) if first == 0 else text
        for i in range(first + 1, reference.last):
            self._put[i] = ""

    def _agreed(self, i: int) -> bool:
        """Put the form of the verb at i that goes with its new subject; False where that is not sure."""
        low = self._low[i]
        if self._patient.child and self._clause.named(self._clause.back(i - 1)) != TEAM:
            return True
        if low in lists()["modals"]:
            return True
        subject = self._clause.subject_of(i)
        if (
            self._spoken
            and subject == TEAM
            and self._clause.low[self._clause.back(i - 1)].split("'", 1)[0] in _OWN_WORDS
        ):
            subject = PATIENT
        if subject == UNSURE:
            if (
                is_past(low)
                and not is_auxiliary(low)
                and any(self._clause.is_finite(k) and is_past(self._low[k]) for k in range(i))
            ):
                return True  # "felt ill and put": a past, though its base is the same
            return with_you(low) == low and with_it(low) == low
        if subject == PATIENT:
            self._put[i] = with_you(low)
        elif subject == TEAM:
            self._put[i] = with_it(low)
        return True


def _completed(words: Sequence[Word]) -> Sequence[Word]:
    """The words with the subject that telegram style leaves out: "Denies fever", "Also was seen"."""
    own = lists()
    i = 0
    while i < len(words) and is_adverb(words[i].low):
        i += 1
    if i >= len(words):
        return words
    low = words[i].low
    following = words[i + 1].low if i + 1 < len(words) else ""
    is_passive = low in ("was", "is", "has") and (following in own["passive_subject"] or following == "been")
    unfinished = is_past(low) and any(word.low == "not" for word in words[:i])  # "Not passed urine since Tuesday"
    if (low, following) == _CONFESSED or unfinished:
        return words
    way = low == "admitted" and following.endswith("voluntary")
    if low in own["passive_subject"] and (following in own["prepositions"] or following[:1].isdigit() or way):
        added = "The patient was"
    elif (
        low in own["dropped_subject"]
        or is_passive
        or (low in ("has", "had") and following not in own["passive_subject"])
    ):
        added = "The patient"
    elif low in own["dropped_team"]:
        added = "We"
    else:
        return words
    first = words[0]._replace(space=" ", text=words[0].text[:1].lower() + words[0].text[1:])
    return [*(words_of(added) or ()), first, *words[1:]]


def _with_auxiliary(words: Sequence[Word]) -> Sequence[Word]:
    """The words with the auxiliary that telegram style leaves out behind "patient": "patient given a card", "patient informed of it"."""
    found: list[Word] = []
    for i, word in enumerate(words):
        found.append(word)
        if word.low == "patient" and not word.quoted and _is_told_to(words[i + 1 :]):
            found.append(Word(" ", "was", quoted=False))
    return found


def _is_told_to(words: Sequence[Word]) -> bool:
    """Whether these words tell what was done for somebody: "given a card", "informed of it", and no "told her story"."""
    own = lists()
    low = [word.low for word in words[:2]]
    if len(low) < 2 or low[0] not in own["informed"]:
        return False
    return (is_participle(low[0]) and not is_past(low[0])) or low[1] in own["prepositions"] | {"that"}


def _as(model: str, text: str) -> str:
    """The text with a capital where the word that it stands for has one."""
    return text[:1].upper() + text[1:] if model[:1].isupper() else text
