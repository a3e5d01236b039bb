"""Where a sentence speaks of a relative's health rather than the patient's.

Takes the words of one sentence; gives the stretches that a relative's conditions lie in. A relative counts only where
something joins a condition to it ("mother had", "sister with", "cancer in her aunt"); one who tells, brings or
lives with the patient does not. It does not know sections: assertions does.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp.document.tokens import word_set

RELATIVES = word_set(
    "mother father mom dad mum mothers fathers brother brothers sister sisters sibling siblings son sons daughter "
    "daughters parent parents aunt aunts uncle uncles cousin cousins grandmother grandfather grandmothers grandfathers "
    "grandparent grandparents grandma grandpa nephew nephews niece nieces wife husband spouse twin grandson "
    "granddaughter grandchild grandchildren mgm mgf pgm pgf stepfather stepmother stepson stepdaughter girlfriend boyfriend "
    "fiance fiancee roommate roommates flatmate flatmates housemate housemates coworker coworkers colleague colleagues classmate classmates"
)
_JOINS = word_set(
    "has had have having with died dies dying deceased suffers suffered suffering diagnosed developed affected carries "
    "carried succumbed battled passed"
)
TELLS = word_set(
    "reports reported report states stated says said noticed notes noted found finds called calls call brought brings "
    "gives gave thinks thought feels felt believes denies denied describes described observed witnessed told tells "
    "recalls confirms confirmed concerned worried saw heard drove took takes helps visited visiting present "
    "accompanied lives live lived cares provides provided requests requested wants asked endorses adds added assists "
    "translated translating interpreted works contacted informed agreed agrees understands claims administers checks manages "
    "noticing been giving telling about driving asks warns warned insists insisted tells explains confirms remembers"
)
_PATIENT = word_set("she he patient pt i they")
_BLOOD = RELATIVES - word_set(
    "wife husband spouse stepfather stepmother stepson stepdaughter girlfriend boyfriend fiance fiancee roommate roommates "
    "flatmate flatmates housemate housemates coworker coworkers colleague colleagues classmate classmates"
)
_ASIDE = TELLS | word_set(
    "at in on by is was are were will would can could and with of from who to very here also not no now has had aware "
    "unable unwilling not nearby available historian deceased alive living healthy well age aged worried phoned states "
    "came arrived left asking requesting declined refused insists unsure unknown does did"
)
_OWNERS = word_set("her his the a an their my your patient's maternal paternal older younger elder oldest youngest")
_COMPANY = word_set("by per from to accompanied and than for")
_TOLD_BY = word_set("with per from by to via")
_TREATED = word_set("hemodialysis haemodialysis dialysis chemotherapy chemo insulin warfarin oxygen methadone")
_MET = word_set("visited visiting saw seeing met called phoned helped helping told joined nursed drove")
_ARE = word_set("is was are were")
_UNWELL = word_set(
    "sick ill unwell febrile treated hospitalized hospitalised admitted positive infected coughing vomiting jaundiced"
)
_STILL = (["being"], ["also"], ["now"], ["very"], ["just"], ["recently"])
_YOUNG = word_set("child children kid kids toddler toddlers baby newborn infant grandkids")
_COLLEAGUES = word_set("worker workers")
_ALL = word_set("everyone everybody")
_OTHERS = _YOUNG | _COLLEAGUES | _ALL | word_set("friend friends partner neighbor neighbors neighbour neighbours old")
_WHOSE = word_set("her his my their our")
_AGES = word_set("year years yr yrs month months week weeks")
_BEFORE_SUBJECT = word_set("and but that because as when while where since whose if then")
_KIND = word_set("a an diabetic hypertensive alcoholic epileptic schizophrenic asthmatic demented bipolar")
_ONWARD = word_set("and but or who that which with here at in")
_MARKS = frozenset(":-(=")
_END = frozenset(".;")
_AHEAD = 12
_NEAR = 6
_ONTO = frozenset(("and", ","))
_SHORTHAND = 5


class Stretch(NamedTuple):
    """Words first to last, last left out, that speak of a relative; word is where the relative stands."""

    first: int
    last: int
    word: int


_OWN = re.compile(
    r"(?<=[.;]\s)(?:ECG|EKG|trop\w*|BP|HR|RR|SpO2|O2 sats?|sats?|temp|T \d|WBC|Hgb|Hb|Cr|CXR|CT|exam\w*|PE|labs?|vitals?|VS|meds|on exam|"
    r"smok(?:es|ed|er)|non-?smoker|lives|drinks|pt|patient(?!['\u2019]s)|now|today|"
    r"(?:he|she) (?:presents|takes|is on|smokes|lives|drinks|came|reports|denies|has had))\b"
    r"(?![^.;\n]*\b(?:mother|father|mom|dad|mum|brothers?|sisters?|siblings?|sons?|daughters?|aunts?|uncles?|cousins?|grand\w+|parents?|family|relatives?)\b)",
    re.I,
)


def own_again(told: str, last: int) -> bool:
    """Whether a family history that runs on in one line has come back to the patient.

    In "FH: MI. Trop 0.8, ECG with ST depression." a later sentence opens with a test, the examination, habits or the patient.
    The text goes up to a sentence that begins at last.
    """
    if "\n" in told.strip():
        return False
    return any(match.start() > 0 for match in _OWN.finditer(told) if match.start() <= last)


def family_stretches(words: Sequence[str], first: int, last: int) -> list[Stretch]:
    """The stretches of words[first:last], one sentence, that speak of a relative's health."""
    return [stretch for i in range(first, last) if _another(words, i, first) for stretch in _of(words, i, first, last)]


def _another(words: Sequence[str], i: int, first: int) -> bool:
    """Whether the word at i is another person than the patient: a relative, or "her kids", "a friend", "his 4 year old"."""
    word = words[i]
    if word in RELATIVES or word not in _OTHERS:
        return word in RELATIVES
    before = words[max(first, i - _NEAR) : i]
    if word == "old":
        return bool(before) and before[-1] in _AGES and not _WHOSE.isdisjoint(before)
    if word in _COLLEAGUES:
        return "co" in before[-2:]
    return word in _ALL or not (_WHOSE if word in _YOUNG else _OWNERS).isdisjoint(before[-2:])


def _of(words: Sequence[str], i: int, first: int, last: int) -> list[Stretch]:
    before = i - 1
    while before >= first and words[before] in _OWNERS:
        before -= 1
    leader = words[before] if before >= first else ""
    after = words[i + 1] if i + 1 < last else ""
    stretches = []
    if leader in ("in", "on") and words[before + 1] in _OWNERS | {words[i]}:
        stretches.append(Stretch(first, before, i))
    if after == "of" and i + 2 < last and words[i + 2] not in ("the", "patient", "this"):
        return stretches  # "a mother of two"
    if after == "'":
        owned = i + 3 if i + 2 < last and words[i + 2] == "s" else i + 2
        stretches.append(Stretch(owned, min(owned + 6, last), i))
        return stretches
    if _joined(words, i, last, leader):
        ends = (j for j in range(i + 1, last - 1) if words[j] == "and" and words[j + 1] in _JOINS | _ARE)
        told = (j + 1 for j in range(i + 1, last - 1) if words[j] in TELLS and words[j + 1] in _PATIENT | {"that"})
        stretches.append(Stretch(i + 1, min(next(told, last), next(ends, last) if leader == "lost" else last), i))
    elif after in _ARE and not _KIND.isdisjoint(words[i + 2 : i + 3]):
        # "his brother is an alcoholic", and no more: "her son is a nurse and found her with a fever"
        ends = (j for j in range(i + 3, min(i + 2 + _SHORTHAND, last)) if not words[j].isalpha() or words[j] in _ONWARD)
        stretches.append(Stretch(i + 2, next(ends, min(i + 2 + _SHORTHAND, last)), i))
    elif item_end := _shorthand(words, i, first, last):
        stretches.append(Stretch(i + 1, item_end, i))
    return stretches


def _is_object(words: Sequence[str], i: int, leader: str) -> bool:
    """Whether the "and" or comma at i goes on with the patient: the relative before it is no subject, as in "cares for her kids and has"."""
    return (leader in _MET and words[i] == "and") or (
        leader[:1].isalpha() and leader not in _BEFORE_SUBJECT and not _JOINS.isdisjoint(words[i + 1 : i + 2])
    )


def _shorthand(words: Sequence[str], i: int, first: int, last: int) -> int:
    """Where the condition ends that stands right after a relative ("dad MI 50s, smokes"), or 0."""
    opens = i == first or words[i - 1] in (",", ";", ":", "\n", "(", "|", "-")
    if words[i] not in _BLOOD or not opens or i + 1 >= last or not words[i + 1][:1].isalpha():
        return 0
    end = next((j for j in range(i + 1, last) if words[j] in (",", ";", ".", ")", "\n")), last)
    item = words[i + 1 : end]
    if len(item) > 2 and item[-2] == "at" and item[-1].isdigit():
        item = item[:-2]  # "dad MI at 50"
    return 0 if len(item) > _SHORTHAND or _ASIDE.intersection(item) else end


def _joined(words: Sequence[str], i: int, last: int, leader: str) -> bool:
    """Whether what follows a relative gives it a condition."""
    if i + 1 < last and words[i + 1] in _MARKS:
        return leader not in _TOLD_BY  # "conversation with husband: 58 year old woman ..."
    if leader == "lost" and i + 1 < last and words[i + 1] == "to":
        return True  # "lost her mother to cancer"
    if words[i + 1 : i + 2] == ["on"] and i + 2 < last and words[i + 2] in _TREATED:
        return True  # "a sister on hemodialysis"; no "visited her sister on Sunday"
    relative_clause = False
    for j in range(i + 1, min(i + 1 + _AHEAD, last)):
        word = words[j]
        relative_clause |= word in ("who", "whom")
        if word in _END or (word in _PATIENT and not relative_clause):
            return False
        if word in TELLS or (word in _ONTO and _is_object(words, j, leader)):
            return False  # "she visited her sister and has had diarrhea"
        if word == "had" and words[j + 1 : j + 2] == ["to"]:
            return False  # "her daughter had to bring her in with ..."
        state = j + 1 + (words[j + 1 : j + 2] in _STILL)
        if word in _ARE and not _UNWELL.isdisjoint(words[state : state + 1]):
            return True  # "his grandson was sick with ..."
        if word in _ARE and j + 2 < last and words[j + 1] == "on" and words[j + 2] not in _OWNERS:
            return True  # "her mother is on hemodialysis"; no "on the phone"
        if word in _JOINS or (word == "w" and j + 1 < last and words[j + 1] == "/"):
            told = j + 1 < last and words[j + 1] in TELLS
            beside = leader in _COMPANY | {"with"} and not relative_clause
            return not told and not beside
    return False
