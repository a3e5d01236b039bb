"""What of a story says the same, by stems and numbers; whether a sentence leans on another, has lost its place, or is too long to read at once."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from backend.generation.letter.plain_language.letter_words import is_adverb, leaning, lists
from backend.generation.letter.plain_language.verb_forms import (
    SURE,
    is_auxiliary,
    is_participle,
    is_past,
    third_kind,
    verbs,
)
from backend.generation.letter.plan_items.plan_slots import names_visit
from backend.generation.letter.story_selection import Part, Unit
from backend.generation.letter.story_wording import HISTORY, LINE, NAMED, WordedUnit
from backend.nlp.lexicon.variants import stem
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import PlanKind, ProblemStatement
from backend.schemas.vocabulary import SectionCategory

LISTS = frozenset((*NAMED, HISTORY))
"""Frames of which a part of the letter has one sentence."""
_READ_AT_ONCE = 36
"""Words of a sentence that is read at once."""
_VISIT_ALONE = re.compile(r"A (?:follow-up )?visit is planned for (?:you|your child) in (?P<when>[\w -]+)\.")
_LEANS_AT_END = re.compile(r"\b(?:of|for|with|to|about|from) (?:this|these|it)\b(?=\s*[.;,])", re.IGNORECASE)
_THAT_ONE = re.compile(
    r"\b(?:on|in|at|during|after|from|by|with|of|for|before|since|following) (?:that|those) ((?:[a-z-]+ ){0,2}?)([a-z-]+)\b",
    re.IGNORECASE,
)
_ONE_OF_THEM = re.compile(r"\b(?:order|obtain|schedule|repeat|arrange|request) one\b", re.IGNORECASE)
_SAID_ALREADY, _LONGER = 0.75, 3
"""Of the words of a sentence, the share that another has; how many more it may have."""
_PLURAL = 3
"""Letters of a word from which its last may make it a plural."""
_PLACED = frozenset(("in", "on", "at", "over", "around", "near", "from", "behind", "below", "above"))
_SUPPOSED = re.compile(r"it (?:appears|seems|is (?:un)?likely|is possible) that\b", re.IGNORECASE)
_TAKEN_FOR = re.compile(
    r"(?:Your|The) team (?:thinks?|thought|believe[sd]?|suspect(?:s|ed)?|feels?|felt)(?: that)? (?:this|these) (?:is|was|are|were|may|might|could)\b"
)
_EXISTS = re.compile(r"there (?:is|are|was|were)\b", re.IGNORECASE)
_OF_CHILD = re.compile(r"\b(?:child|he|she|him|his|her)\b", re.IGNORECASE)
OF_READER = re.compile(r"\byou(?:r(?! team))?\b", re.IGNORECASE)
_FEWEST = 2
"""Words besides small ones, of a sentence in which nothing was read."""
_OF_THE_PATIENT = frozenset(
    (
        SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.FAMILY_HISTORY,
    )
)
"""Sections of which a sentence in which nothing was read is told only where it speaks of the patient."""
_SENTENCES = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)[.!?]\s+(?=[A-Z])")


class ToldUnit(NamedTuple):
    """A told unit with its words, and other units that say the same. over: the place of the title that its sentence names first."""

    worded: WordedUnit
    words: frozenset[str]
    again: list[Unit]
    over: tuple[tuple[int, int], ...] = ()


def says_same(one: ToldUnit, worded: WordedUnit, words: frozenset[str]) -> bool:
    """Whether a chosen unit says what another says: nearly all its words, its numbers, and as much denied."""
    if not words or len(words & one.words) < _SAID_ALREADY * len(words) or len(words) > len(one.words) + _LONGER:
        return False
    return denies(one.worded.text) == denies(worded.text) and numbers(worded.text) <= numbers(one.worded.text)


def adds_nothing(worded: WordedUnit, said: frozenset[str], named: frozenset[str]) -> bool:
    """Whether a unit only says again what was said, and when: "You had mental changes on the day you were seen".

    Args:
        worded: the unit.
        said: stems of what was said.
        named: stems of the note's words for it, by which a name alone may stand for the same.
    """
    own = lists()
    small = {stem(word) for word in own["times"] | own["seen_by_others"] | own["brought"] | own["addressed"]}
    return stems(worded.text) - small <= (said | named if worded.frame in NAMED else said)


def qualified(chosen: Sequence[ToldUnit], units: Sequence[Unit]) -> list[ToldUnit]:
    """What is chosen, without what the next clause takes back in part where that is not told: "She eats well; however ...".

    Decisions stay, and so does the sentence that tells how they came.

    Args:
        chosen: in the order of the note.
        units: all of the note, in its order.
    """
    told = {unit.start for one in chosen for unit in (one.worded.unit, *one.again)}
    contrasts = lists()["contrasts"]
    untold = {
        before.start
        for before, after in pairwise(units)
        if after.start not in told
        and after.section is before.section
        and not (before.opening or before.part is Part.DECIDED)
        and after.text.split(" ", 1)[0].lower().strip(",") in contrasts
    }
    return [one for one in chosen if one.worded.unit.start not in untold]


def told_in_full(chosen: Sequence[ToldUnit]) -> list[ToldUnit]:
    """What is chosen, without a decision that another tells with more: "back in 2 weeks" beside "back in 2 weeks when the result is there".

    Args:
        chosen: in the order of the note.
    """
    kept: list[ToldUnit] = []
    for one in chosen:
        fuller = next((other for other in chosen if other is not one and _tells_more(other, one)), None)
        if fuller is None:
            kept.append(one)
        else:
            fuller.again.extend((one.worded.unit, *one.again))
    return kept


def _tells_more(other: ToldUnit, one: ToldUnit) -> bool:
    """Whether a decision has all the words and numbers of another, and more of its own."""
    both = (other.worded, one.worded)
    if _is_result_again(other, one) or _is_visit_again(other, one):
        return True
    if any(each.unit.part is not Part.DECIDED or each.unit.kind is not PlanKind.FOLLOW_UP for each in both):
        return False
    same = denies(both[0].text) == denies(both[1].text) and numbers(both[1].text) == numbers(both[0].text)
    return same and one.words < other.words


def _is_result_again(other: ToldUnit, one: ToldUnit) -> bool:
    """Whether what a plan says that a test showed is told among what was found: the same test and numbers, and nearly all words."""
    texts = [each.worded.text for each in (one, other)]
    if one.worded.unit.part is not Part.DECIDED or other.worded.unit.part is not Part.FOUND:
        return False
    if any(lists()["showing"].isdisjoint(re.findall(r"[a-z]+", text.lower())) for text in texts):
        return False
    said = len(one.words & other.words) >= _SAID_ALREADY * len(one.words)
    return said and denies(texts[0]) == denies(texts[1]) and numbers(texts[0]) <= numbers(texts[1])


def _is_visit_again(other: ToldUnit, one: ToldUnit) -> bool:
    """Whether a decision says no more than that there is a visit then, and another plans it with its own words: "see you back in 2 weeks"."""
    bare = _VISIT_ALONE.fullmatch(one.worded.text)
    if bare is None or other.worded.unit.kind is not PlanKind.FOLLOW_UP or _VISIT_ALONE.fullmatch(other.worded.text):
        return False
    conditional = not word_lists("letter/words_decisions")["conditions"].isdisjoint(other.worded.text.lower().split())
    return not conditional and names_visit(other.worded.unit.text) and bare["when"] in other.worded.text


def named_once(chosen: Sequence[ToldUnit], reason: str) -> list[ToldUnit]:
    """What is chosen, without names alone of what another sentence tells or names before."""
    told = [one.worded.text for one in chosen if one.worded.frame not in NAMED]
    said = [stems(_before_denial(text)) for text in (*told, reason)]
    sentences = [stems(_before_denial(one.worded.text)) for one in chosen if not one.worded.frame]
    kept: list[ToldUnit] = []
    for one in chosen:
        if one.worded.frame == HISTORY:
            items = one.worded.text.split(", ")
            held = [
                name
                for name, following in zip(items, [*items[1:], ""], strict=True)
                if goes_on(following) or goes_on(name) or not any(stems(name) <= words for words in sentences)
            ]
            if not held:
                continue
            one = one._replace(worded=one.worded._replace(text=", ".join(held)))
            sentences += map(stems, held)
        if one.worded.frame in NAMED:
            names = [name for name in one.worded.text.split(", ") if not any(stems(name) <= words for words in said)]
            said += map(stems, names)
            if not names:
                continue
            one = one._replace(worded=one.worded._replace(text=", ".join(names)))
        kept.append(one)
    return kept


def together(chosen: Sequence[ToldUnit]) -> list[ToldUnit]:
    """What is chosen, with what makes one list behind its first: a letter has one sentence of health problems, and one of history."""
    first: dict[str, int] = {}
    for place, one in enumerate(chosen):
        first.setdefault(one.worded.frame, place)
    grouped = {*LISTS, LINE}
    places = {id(one): first[one.worded.frame] if one.worded.frame in grouped else n for n, one in enumerate(chosen)}
    return sorted(chosen, key=lambda one: places[id(one)])


def goes_on(item: str) -> bool:
    """Whether an item of a list says more of the one before it: ", on amiodarone", ", treated in 2004"."""
    first = item.split(" ", 1)[0].lower()
    return (
        first in lists()["prepositions"] | lists()["joins"] | lists()["relatives"]
        or is_participle(first)
        or first[:1].isdigit()
    )


def _before_denial(text: str) -> str:
    """A text up to the first word that denies."""
    denial = next((m for m in re.finditer(r"[a-z']+", text.lower()) if m[0] in lists()["negations"]), None)
    return text if denial is None else text[: denial.start()]


def denies(text: str) -> bool:
    """Whether a text has a word that denies."""
    return not lists()["negations"].isdisjoint(re.findall(r"[a-z']+", text.lower()))


def leans(text: str) -> bool:
    """Whether a sentence means what another one tells: it begins with "this" or says "at that time"."""
    first = re.match(r"[^\W\d_]+", text)
    begins = first is not None and first[0].lower() in lists()["anaphors"] and _SUPPOSED.match(text) is None
    return (
        begins
        or _refers_back(text)
        or _lacks_several(text)
        or _means_another(text)
        or _LEANS_AT_END.search(text) is not None
        or _lacks_one(text)
        or leaning().search(text) is not None
    )


def supposes(text: str) -> bool:
    """Whether a sentence tells what the team took "this" for, which is what they came for: "Your team thought this was a sprain"."""
    return _TAKEN_FOR.match(text) is not None


def is_nowhere(unit: Unit) -> bool:
    """Whether a finding of an examination, of which nothing else is told, has lost its place, which a heading told: "There is mild wasting"."""
    if unit.section is not SectionCategory.PHYSICAL_EXAM or _EXISTS.match(unit.text) is None:
        return False
    words = set(re.findall(r"[a-z]+", unit.text.lower()))
    body = {stem(word) for word in word_lists("findings/words_phrases")["body"]}
    again = any(isinstance(one, ProblemStatement) and len(one.spans) > 1 for one in unit.statements)
    return not again and words.isdisjoint(_PLACED) and body.isdisjoint(map(stem, words))


def _means_another(text: str) -> bool:
    """Whether "that" points to a test, a visit or a stay that the text does not name before: "A cyst was seen on that scan"."""
    own = lists()
    named = own["tests"] | own["visits"] | own["operations"] | own["occasions"]
    for found in _THAT_ONE.finditer(text):
        words = found[0].lower().split()[2:]
        noun = next((word for word in words if word.removesuffix("s") in named or word in named), "")
        before = re.findall(r"[a-z]+|[,;]", text[: found.start()].lower())
        if noun and noun not in before and own["joins"].isdisjoint(before) and own["relatives"].isdisjoint(before):
            return True  # else an earlier clause may tell which: "You were in the hospital and fell during that stay"
    return False


def _lacks_one(text: str) -> bool:
    """Whether "order one" stands in a text that names nothing before it that one could be of."""
    found = _ONE_OF_THEM.search(text)
    return found is not None and re.search(r"\ban? [a-z]", text[: found.start()]) is None


def _lacks_several(text: str) -> bool:
    """Whether "them" stands in a text that names no several things before it: "You have not taken them since"."""
    before, them, _ = text.lower().partition(" them")
    words = re.findall(r"[a-z']+", before)
    own = lists()
    return bool(them) and not any(
        (word.endswith("s") and len(word) > _PLURAL and word not in own["times"] and third_kind(word) != SURE)
        for word in words
    )


def _refers_back(text: str) -> bool:
    """Whether "it" stands in a text with no noun before it that it could mean: "You have not taken it since"."""
    words = re.findall(r"[a-z']+", text.lower())
    own = lists()
    small = (
        own["subjects"] | own["openers"] | own["prepositions"] | own["joins"] | own["determiners"] | own["negations"]
    )
    at = next((i for i, word in enumerate(words) if word in ("it", "its") and i), 0)
    return at > 0 and all(
        word in small | own["modals"]
        or is_auxiliary(word)
        or is_adverb(word)
        or is_past(word)
        or is_participle(word)
        or word in verbs()
        for word in words[:at]
    )


def is_of_patient(worded: WordedUnit, *, child: bool) -> bool:
    """Whether what a unit tells is of the patient, and more than a word or two.

    Args:
        worded: the unit.
        child: the patient is one.
    """
    unit = worded.unit
    whom = _OF_CHILD if child else OF_READER
    known = any(getattr(one, "concept_id", "") is not None for one in unit.statements)
    bare = not known and unit.section in _OF_THE_PATIENT and not denies(worded.text)
    if (bare and not worded.frame and len(stems(worded.text)) < _FEWEST) or is_nowhere(unit):
        return False  # "You are unsure."
    told = bool(unit.statements) or unit.section not in _OF_THE_PATIENT or leans(worded.text)
    return told or bool(whom.search(worded.text))


def is_short(text: str) -> bool:
    """Whether every sentence of a text is one that is read at once."""
    return all(len(sentence.split()) <= _READ_AT_ONCE for sentence in _SENTENCES.split(text))


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text, as they are written."""
    return frozenset(re.findall(r"\d+(?:[.,/]\d+)*", text))


def stems(text: str) -> frozenset[str]:
    """The stems of its words of three letters or more, without those that every sentence has."""
    words = re.findall(r"[a-z0-9]{3,}", text.lower())
    small = (
        lists()["openers"] | lists()["prepositions"] | lists()["joins"] | lists()["determiners"] | lists()["repeated"]
    )
    return frozenset(stem(word) for word in words if word not in small)
