"""Reads when to get help from a note in telegram style: "RTED for fever >38, CP" is "Go to the emergency department if any of these happens: …".

The rows of assets/rules/letter/return_triggers.tsv say whom to reach; what for is told in plain words, and only where all of it is plain.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.telegrams import has_finite_verb
from backend.generation.letter.plan_items.plan_slots import Token, names_plan, plain_tokens, plan_words
from backend.nlp.document.trigger_automaton import FoundTrigger, TriggerAutomaton
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.nlp.rules.word_lists import word_lists

FAMILY = "letter/return"
_LEAD, _ACT = "lead", "act"
_STROKE = re.compile(r"(?<=[a-z])/(?!(?:hrs?|hours?|days?|weeks?|min)\b)(?=[a-z]{3})", re.IGNORECASE)
_POINTS_BACK = frozenset(("this", "that", "these", "those", "it", "them", "needed", "necessary", "required"))
"""What an instruction is for that another sentence tells, or none: "come back for this", "sooner if needed"."""
_WORSE = frozenset(("worse", "worsening", "gets worse", "getting worse"))
_LONGEST = 70
"""Words of what one instruction is for."""
_SENTENCE = re.compile(r"\.\s+(?=\S)")
_COMPARED = (
    (re.compile(r"\b(?:T|temp|temperature)\s?(?:>=|≥|>|over|above)\s?(?=\d)", re.IGNORECASE), "temperature above "),
    (
        re.compile(r"(?:\bBP\s?)?(?:>=|=>|≥|\bat least)\s?(?=\d{2,3}/\d{2,3})", re.IGNORECASE),
        "blood pressure at or above ",
    ),
    (re.compile(r"(?:\bBP\s?)?(?:>|(?<!or )\babove)\s?(?=\d{2,3}/\d{2,3})", re.IGNORECASE), "blood pressure above "),
    (re.compile(r"\s?(?:>=|=>|≥)\s?(?=\d)"), " at or above "),
    (re.compile(r"\s?(?:<=|=<|≤)\s?(?=\d)"), " at or under "),
    (re.compile(r"\s?>\s?(?=\d+\s?(?:d|days?|h|hrs?|hours?|wks?|weeks?)\b)"), " for more than "),
    (re.compile(r"\s?>\s?(?=\d)"), " above "),
    (re.compile(r"\s?<\s?(?=\d)"), " under "),
    (re.compile(r"\s?/\s?(?:hr|h|hour)\b", re.IGNORECASE), " an hour"),
    (re.compile(r"\s?/\s?(?:d|day)\b", re.IGNORECASE), " a day"),
    (re.compile(r"(?<=[a-z0-9])/(?=[a-z])", re.IGNORECASE), " or "),
    (re.compile(r",\s*(?:or )?if\s"), ", "),
    (re.compile(r"^\s*(?:there (?:is|are)|develops?|getting|notices?) ", re.IGNORECASE), ""),
    (re.compile(r"\b(?<!a )temperature(?=\s+or\b|,|\s*$)", re.IGNORECASE), "a temperature"),
    (re.compile(r"\bor gets worse\b", re.IGNORECASE), "or getting worse"),
    (re.compile(r",(?=\w)"), ", "),
)
"""Marks of measure between words and numbers, as they are said."""
_ENDS = " \t\n.,;:-–—>→"


class _Instruction(NamedTuple):
    """Whom to reach, and where what it is for stands."""

    said: str
    start: int
    end: int


def return_sentences(text: str, start: int, said: Callable[[str, int], str], is_plain: Callable[[str], bool]) -> str:
    """When to get help, as sentences to the patient; empty where not all of a text is read.

    Args:
        text: of the note.
        start: where it begins in the note.
        said: words of the note, with where they begin, in plain words.
        is_plain: whether a patient can read words.
    """
    told: list[str] = []
    found = _instructions(text)
    for one in found:
        what = " ".join(_compared(_apart(text, one, start, said)).split()).strip(_ENDS)
        words = re.findall(r"[^\W\d_]+", what.lower())
        if (
            not words
            or words[0] in _POINTS_BACK
            or len(words) > _LONGEST
            or not _others().isdisjoint(words)
            or not word_lists("letter/words_decisions")["fetched"].isdisjoint(words)
            or names_plan(what)
        ):
            return ""
        if len(found) == 1 and "," not in what and text[:1].isupper() and has_finite_verb(what):
            return ""  # a sentence: "Return if the pain comes back"
        if not is_plain(what) or ("do" in words and "not" in words):
            return ""
        what = "the symptoms get worse" if what.lower() in _WORSE else what
        several = re.search(r",|(?<!at )\bor\b", what) is not None
        told.append(f"{one.said if several else one.said.replace('any of these', 'this')}: {what}.")
    return " ".join(told)


def _apart(text: str, one: _Instruction, start: int, said: Callable[[str, int], str]) -> str:
    """The words of what an instruction is for in plain words, those on each side of a stroke for themselves: "worsening sx/any concerns"."""
    borders = [one.start, *(m.end() for m in _STROKE.finditer(text, one.start, one.end)), one.end]
    return " or ".join(said(text[a:b].removesuffix("/"), start + a) for a, b in pairwise(borders))


def names_help(text: str) -> bool:
    """Whether a text tells whom to reach and for what, read whole or not."""
    found = plain_tokens(text, 0, len(text))
    triggers = _automaton().find([token.word for token in found])[FAMILY]
    conditional = found[:1] != [] and found[0].word in ("if", "any")
    return any(one.row.event == _LEAD or conditional for one in triggers)


def _instructions(text: str) -> Sequence[_Instruction]:
    """The instructions that make up a text; none where something of it belongs to none of them."""
    found = plain_tokens(text, 0, len(text))
    triggers = _automaton().find([token.word for token in found])[FAMILY]
    leads = [one for one in triggers if one.row.event == _LEAD]
    if leads:
        return _led(text, found, leads)
    acts = [one for one in triggers if one.row.event == _ACT]
    return _conditional(text, found, acts[0]) if len(acts) == 1 else ()


def _led(text: str, found: Sequence[Token], leads: Sequence[FoundTrigger]) -> Sequence[_Instruction]:
    """Instructions that begin with whom to reach: "Return for fever. 911 for chest pain"."""
    own = word_lists("letter/words_decisions")["before_help"]
    if any(token.word not in own for token in found[: leads[0].first]):
        return ()
    made: list[_Instruction] = []
    for place, one in enumerate(leads):
        last = leads[place + 1].first if place + 1 < len(leads) else len(found)
        begin, end = found[one.last - 1].end, found[last - 1].end if last > one.last else 0
        if end <= begin or _SENTENCE.search(text[begin:end].rstrip(_ENDS)):
            return ()
        made.append(_Instruction(_told(one, found), begin, end))
    return made


def _conditional(text: str, found: Sequence[Token], act: FoundTrigger) -> Sequence[_Instruction]:
    """An instruction that begins with what it is for: "If spreading or rigors -> return ED", "if pain, ring us or if fever"."""
    first, own = found[0].word, word_lists("letter/words_decisions")
    behind = found[act.last :]
    again = [token.word for token in behind[:2]] == ["or", "if"]
    if first not in ("if", "any") or (any(token.word.isalnum() for token in behind) and not again):
        return ()
    if any(token.word in own["to_do"] for token in found[: act.first]):
        return ()  # it tells to do something else as well
    begin, end = (found[0].end if first == "if" else 0), found[act.first].start
    if end <= begin or _SENTENCE.search(text[begin:end]):
        return ()
    instruction = _Instruction(_told(act, found), begin, end)
    return (instruction, instruction._replace(start=behind[1].end, end=len(text))) if again else (instruction,)


def _told(one: FoundTrigger, found: Sequence[Token]) -> str:
    words = [token.word for token in found[one.first : one.last]]
    number = next((word for word in words if word.isdigit()), "")
    named = [word for word in words if word in word_lists("letter/words_decisions")["reached"]]
    return (
        one.row.cells["said"]
        .replace("#1", number)
        .replace("*", " ".join(plan_words().get(word, word) for word in named))
    )


def _compared(text: str) -> str:
    for pattern, form in _COMPARED:
        text = pattern.sub(form, text)
    return text


@lru_cache(maxsize=1)
def _others() -> frozenset[str]:
    """Words by which what an instruction is for speaks of somebody: it is a sentence, told in another way."""
    own = lists()
    return (
        own["female"]
        | own["male"]
        | {"he", "she", "him", "his", "her", "hers", "they", "their", "we", "our", "you", "your"}
    )


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(FAMILY))
