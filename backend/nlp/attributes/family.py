"""Where a sentence speaks of another person's health rather than the patient's, and of whose.

Takes the words of one sentence. A relative counts only where something joins a condition to it ("mother had", "sister
with", "cancer in her aunt"); one who tells, brings or lives with the patient does not. It does not know sections.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules.rule_files import RULES, rule_rows
from backend.nlp.rules.word_lists import word_lists

_LIST = "attributes/words_people"
_AHEAD = 12
_NEAR = 6
_SHORTHAND = 5
_OWNED = 6
_OPENING = 60
"""Words of a note that say whose it is: behind them "Infant:" is the label of somebody else, unless they name a newborn."""


class PersonKind(StrEnum):
    """When a word for a person counts as another than the patient; the rules file explains each."""

    BLOOD = "blood"
    HOUSEHOLD = "household"
    OWNED = "owned"
    ANY_OWNER = "any_owner"
    ALWAYS = "always"
    AGED = "aged"
    CO = "co"


class Person(NamedTuple):
    """What a word for a person says: its kind, and the kinship it names, empty for no relative."""

    kind: PersonKind
    kinship: str


class PersonWords(NamedTuple):
    """The words for persons beside the patient, and among them for those of one kind.

    own: a child's note uses it of its patient; it is none of the others. workers: behind an age it tells the patient's work.
    informants: may tell the history. parents: informants whose child the patient is.
    """

    others: frozenset[str]
    own: frozenset[str]
    workers: frozenset[str]
    informants: frozenset[str]
    parents: frozenset[str]


class Stretch(NamedTuple):
    """Words first to last, last left out, that speak of another person; word is where that person stands."""

    first: int
    last: int
    word: int


@lru_cache(maxsize=1)
def people() -> Mapping[str, Person]:
    """The words for other people than the patient.

    Raises:
        KnowledgeError: a word has an unknown kind.
    """
    path = RULES / "attributes" / "people.tsv"
    found = {}
    for word, kinship, kind in rule_rows(path, 3):
        if kind not in list(PersonKind):
            raise KnowledgeError(f"{path.name}: '{word}' is of kind '{kind}'; use one of {', '.join(PersonKind)}.")
        found[word] = Person(PersonKind(kind), kinship)
    return found


@lru_cache(maxsize=1)
def person_words() -> PersonWords:
    """The words for persons, from assets/rules/people/words_persons.tsv."""
    rows = rule_rows(RULES / "people" / "words_persons.tsv", 3)
    return PersonWords(
        others=frozenset(word for word, own, _ in rows if own != "own"),
        own=frozenset(word for word, own, _ in rows if own == "own"),
        workers=frozenset(word for word, own, _ in rows if own == "work"),
        informants=frozenset(word for word, _, mark in rows if mark in ("tells", "parent")),
        parents=frozenset(word for word, _, mark in rows if mark == "parent"),
    )


def kinship_at(words: Sequence[str], i: int) -> str:
    """The kinship that the word at i names, with its side ("paternal aunt"); empty for one who is no relative."""
    person = people().get(words[i])
    if person is None or not person.kinship:
        return ""
    sides = [word for word in words[max(i - 2, 0) : i] if word in ("maternal", "paternal")]
    return " ".join([*sides, person.kinship])


def is_blood_relative(words: Sequence[str], i: int) -> bool:
    """Whether the word at i names one who shares the patient's blood: no husband, and no parent by marriage or adoption."""
    person = people().get(words[i])
    around = {words[j] for j in (i - 2, i - 1) if j >= 0} | set(
        words[i + 4 : i + 5] if words[i + 1 : i + 2] == ["-"] else ()
    )
    kin = person is not None and bool(person.kinship) and person.kind is not PersonKind.HOUSEHOLD
    return kin and word_lists(_LIST)["by_law"].isdisjoint(around)


def family_stretches(words: Sequence[str], first: int, last: int) -> list[Stretch]:
    """The stretches of words[first:last], one sentence, that speak of another person's health."""
    known = people()
    if known.keys().isdisjoint(words[first:last]):
        return []
    return [
        stretch
        for i in range(first, last)
        if words[i] in known and _another(words, i, first)
        for stretch in _of(words, i, first, last)
    ]


def own_again(words: Sequence[str], first: int, last: int) -> bool:
    """Whether a sentence within a family history that runs on in one line opens with the patient, a test or a habit.

    In "FH: MI. Trop 0.8, ECG with ST depression." the second sentence does.
    """
    lists = word_lists(_LIST)
    opening = words[first : first + 3]
    own = opening[0] in lists["own_words"] and opening[1:2] != ["'"]
    verb = opening[1:2] if opening[1:] not in (["is", "on"], ["has", "had"]) else ["takes"]
    person = opening[0] in ("he", "she") and not lists["own_after_person"].isdisjoint(verb)
    return (own or person) and not any(
        words[i] in people() or words[i] in ("family", "relatives") for i in range(first, last)
    )


def _another(words: Sequence[str], i: int, first: int) -> bool:
    """Whether the word at i is another person than the patient: a relative, or "her kids", "a friend", "his 4 year old"."""
    kind = people()[words[i]].kind
    before = words[max(first, i - _NEAR) : i]
    whose = ("her", "his", "my", "their", "our")
    if kind is PersonKind.AGED:
        return bool(before) and before[-1] in word_lists(_LIST)["ages"] and any(word in before for word in whose)
    if kind is PersonKind.CO:
        return "co" in before[-2:]
    if kind is PersonKind.OWNED:
        label = i == first >= _OPENING and words[i + 1 : i + 2] == [":"]
        return any(word in before[-2:] for word in whose) or (
            label and word_lists(_LIST)["newborn"].isdisjoint(words[:_OPENING])
        )
    return kind is not PersonKind.ANY_OWNER or not word_lists(_LIST)["owners"].isdisjoint(before[-2:])


def _of(words: Sequence[str], i: int, first: int, last: int) -> list[Stretch]:
    lists = word_lists(_LIST)
    before = i - 1
    while before >= first and words[before] in lists["owners"]:
        before -= 1
    leader = words[before] if before >= first else ""
    after = words[i + 1] if i + 1 < last else ""
    stretches = []
    if leader in ("in", "on") and (words[before + 1] in lists["owners"] or before + 1 == i):
        stretches.append(Stretch(first, before, i))
    if after == "of" and i + 2 < last and words[i + 2] not in lists["of_things"]:
        return stretches  # "a mother of two"
    if after == "'":
        owned = i + 2 + (words[i + 2 : i + 3] == ["s"])
        return [*stretches, Stretch(owned, min(owned + _OWNED, last), i)]
    joins = lists["joins"] | lists["are"]
    if _joined(words, i, last, leader):
        ends = (j for j in range(i + 1, last - 1) if words[j] == "and" and words[j + 1] in joins)
        reports = (
            j + 1
            for j in range(i + 1, last - 1)
            if words[j] in lists["tells"] and (words[j + 1] in lists["patient"] or words[j + 1] == "that")
        )
        end = min(next(reports, last), next(ends, last) if leader == "lost" else last)
        aside = words[i + 1 : i + 3] == [",", "who"] and leader.isalpha() and leader not in lists["before_subject"]
        if aside:  # "she takes after her mother, who had osteoporosis, and has asthma"
            end = min(end, next((j for j in range(i + 3, last - 1) if words[j] == "," and words[j + 1] == "and"), end))
        stretches.append(Stretch(i + 1, end, i))
    elif after in lists["are"] and not lists["kinds"].isdisjoint(words[i + 2 : i + 3]):
        # "his brother is an alcoholic", and no more: "her son is a nurse and found her with a fever"
        most = min(i + 2 + _SHORTHAND, last)
        ends = (j for j in range(i + 3, most) if not words[j].isalpha() or words[j] in lists["onward"])
        stretches.append(Stretch(i + 2, next(ends, most), i))
    elif item_end := _shorthand(words, i, first, last):
        stretches.append(Stretch(i + 1, item_end, i))
    return stretches


def _shorthand(words: Sequence[str], i: int, first: int, last: int) -> int:
    """Where the condition ends that stands right after a relative ("dad MI 50s, smokes"), or 0."""
    lists = word_lists(_LIST)
    begin = i
    while begin > first and words[begin - 1] in lists["owners"] | lists["by_blood"]:
        begin -= 1  # "maternal aunt gout", "birth mother epilepsy"
    opens = begin == first or words[begin - 1] in (",", ";", ":", "\n", "(", "|", "-")
    if people()[words[i]].kind is not PersonKind.BLOOD or not opens or not words[i + 1 : last][:1]:
        return 0
    end = next((j for j in range(i + 1, last) if words[j] in (",", ";", ".", ")", "\n")), last)
    item = words[i + 1 : end]
    if not item or not item[0][:1].isalnum():
        return 0
    if len(item) > 2 and item[-2] == "at" and item[-1].isdigit():
        item = item[:-2]  # "dad MI at 50"
    aside = any(word in lists["asides"] or word in lists["tells"] for word in item)
    return 0 if len(item) > _SHORTHAND or aside else end


def _joined(words: Sequence[str], i: int, last: int, leader: str) -> bool:
    """Whether what follows a person gives it a condition."""
    lists = word_lists(_LIST)
    speech_verbs, joins, owners = lists["tells"], lists["joins"], lists["owners"]
    after, second = [*words[i + 1 : min(i + 3, last)], "", ""][:2]
    if after in lists["marks"]:
        return leader not in lists["told_by"]  # "conversation with husband: 58 year old woman ..."
    if (leader == "lost" and after == "to") or (after == "on" and second in lists["treatments"]):
        return True  # "lost her mother to cancer", "a sister on hemodialysis"; no "visited her sister on Sunday"
    relative_clause = False
    if after == "," and second in ("who", "whom"):  # "her sister, who lives nearby, had a stroke"
        close = next((j for j in range(i + 3, min(i + 3 + _AHEAD, last - 1)) if words[j] == ","), last)
        if words[close + 1 : close + 2] and words[close + 1] in joins and words[close + 2 : close + 3] != ["to"]:
            return True
    for j in range(i + 1, min(i + 1 + _AHEAD, last)):
        word, following = words[j], words[j + 1] if j + 1 < last else ""
        relative_clause |= word in ("who", "whom")
        if word in (".", ";") or (word in lists["patient"] and not relative_clause):
            return False
        if word in speech_verbs and word not in lists["takes"]:
            return False
        if word in ("and", ",") and (
            (leader in lists["met"] and word == "and")
            or (leader[:1].isalpha() and leader not in lists["before_subject"] and following in joins)
        ):
            return False  # "she visited her sister and has had diarrhea"
        if word in lists["takes"] and following not in lists["taken"]:
            return True  # "her sister takes levothyroxine"; no "her sister took him to the clinic"
        if word == "had" and following == "to":
            return False  # "her daughter had to bring her in with ..."
        if word in lists["are"]:
            state = j + 1 + (following in lists["still"])
            if not lists["unwell"].isdisjoint(words[state : state + 1]):
                return True  # "his grandson was sick with ..."
            if following == "on" and j + 2 < last and words[j + 2] not in owners:
                return True  # "her mother is on hemodialysis"; no "on the phone"
            own_verb = j == i + 1 and leader not in lists["company"] | lists["told_by"]
            if own_verb and not lists["put_on"].isdisjoint(words[state : state + 1]):
                return True  # "her sister was started on carbimazole"; no "per mother was started on ..."
        if word in joins or (word == "w" and following == "/"):
            beside = (leader in lists["company"] or leader == "with") and not relative_clause
            # "her mother had cancer and her father had a DVT": the second is the subject of a clause of its own
            beside &= leader != "and" or j != i + 1 or word in lists["unfinite"]
            return following not in speech_verbs and not beside
    return False
