"""How a problem runs: whether it is over, still there or long-standing, by its words and those beside it.

An event (an infarction, a fracture, a pneumonia) in a past history is over; a chronic disease there is still there. Words
such as "resolved", "as a child" and "old" decide before that. It does not know whether a problem is denied.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.lexicon.variants import stem
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.word_lists import word_lists

FAMILY = "findings/course"
_NEAR = 6
"""Tokens between a problem and the words after it that say how it runs."""
_BACK = 16
_NUMBERED = re.compile(r"\s*(?:\d{1,2}[.)]|[-*•])\s")
"""How a line of a list of diagnoses begins."""
_LEAD = 2
"""Tokens between words that say so and the problem after them."""


@lru_cache(maxsize=20_000)
def course(name: str) -> str:
    """chronic, event or empty for a problem of this name, by its words; a lasting event is chronic."""
    listed = word_lists("findings/words_courses")
    if name in _chronic():
        return "chronic"
    words = name.replace("-", " ").split()
    roots = frozenset(map(stem, words))
    if roots & listed["lasting"]:
        return "chronic"
    event = bool(roots & _stems("event")) or _is_acute_failure(words)
    ending = any(w.endswith(tuple(listed["chronic_ending"])) for w in words if not _stems("event") & {stem(w)})
    chronic = bool(roots & _stems("chronic")) or ending
    if chronic and not (event and roots & _stems("acute")):
        return "chronic"
    if event:
        return "event"
    return "event" if any(w.endswith(tuple(listed["event_ending"])) for w in words) else ""


def _is_acute_failure(words: Sequence[str]) -> bool:
    """Whether an organ but the heart fails for a time: "acute renal failure", "acute coronary syndrome", not "acute on chronic"."""
    listed = word_lists("findings/words_courses")
    return (
        "acute" in words
        and "chronic" not in words
        and words[-1] in listed["unless_acute"]
        and listed["heart"].isdisjoint(words)
    )


class Beside(NamedTuple):
    """Another problem of the sentence: its tokens and how it runs by its name."""

    first: int
    last: int
    runs: str


def stated_course(
    note: ParsedNote, first: int, last: int, runs: str = "", others: Sequence[Beside] = ()
) -> tuple[str, str]:
    """What words beside the tokens of a problem say of its course, resolved, past, active or empty, and their rule.

    Args:
        note: the parsed note.
        first: the problem's first token.
        last: the token behind its last.
        runs: how it runs by its name.
        others: the problems that follow it: what ends one of a list may end it alone.
    """
    at = note.sentence_at(note.tokens.starts[first])
    if at is None:
        return "", ""
    sentence = note.sentences[at]
    said = ("", "")
    near = min(sentence.last + _NEAR, last + 12)
    for trigger in note.triggers_within(FAMILY, max(sentence.first, first - _BACK), max(sentence.last, near)):
        reach = trigger.row.cells["reach"]
        if reach == "item" and last <= trigger.first and _ends_item(note, first, trigger.first, trigger.last):
            return trigger.row.event, trigger.row.rule_id
        if trigger.row.event == "nothing" or reach == "item" or trigger.last > near:
            continue
        if reach == "habit" and word_lists("attributes/words_scopes")["habits"].isdisjoint(note.words[first:last]):
            continue
        ahead = trigger.last <= first and (
            first - trigger.last <= _LEAD or (reach == "bracket" and _in_bracket(note.words, trigger.last, first))
        )
        behind = last <= trigger.first <= last + _NEAR and trigger.last <= sentence.last
        behind = behind and ";" not in note.words[last : trigger.first]  # "gout; asthma as a child"
        behind = behind and not (reach == "adjacent" and "," in note.words[last : trigger.first])
        behind = behind and not _is_of_next(note, (last, trigger.first, trigger.last), others)
        behind = behind and _is_said_of(note, (last, trigger.first, trigger.last), runs, others)
        if (ahead and reach not in ("previous", "adjacent")) or (behind and reach not in ("next", "bracket")):
            if ahead and reach != "bracket" and "," in note.words[trigger.last : first]:
                continue
            found = (trigger.row.event, trigger.row.rule_id)
            if found[0] == "resolved":
                return found  # "childhood asthma, no inhalers for years": what is past alone may still be there
            said = said if said[0] == "past" else found
    return said


def _ends_item(note: ParsedNote, first: int, mark: int, end: int) -> bool:
    """Whether a mark from mark to end closes the numbered line that a problem stands in: "treated with" goes on."""
    starts, text = note.tokens.starts, note.text
    begin = text.rfind("\n", 0, starts[first]) + 1
    item = "\n" not in text[starts[first] : starts[mark]] and _NUMBERED.match(text, begin) is not None
    return item and (end >= len(starts) or not note.words[end].isalnum() or "\n" in text[starts[mark] : starts[end]])


def _is_said_of(note: ParsedNote, places: tuple[int, int, int], runs: str, others: Sequence[Beside]) -> bool:
    """Whether words behind a problem are said of it, where its end, their beginning and their end are known.

    They are of the nearest problem before them. They are of an earlier one too where they are plural ("both resolved"), or where "and"
    alone joins two that run alike: "asthma, pneumonia resolved" and "asthma and pneumonia resolved" end no asthma.
    """
    last, mark, end = places
    between = [one for one in others if last <= one.first and one.last <= mark]
    if not between:
        return True
    nearest, listed = between[-1], word_lists("findings/words_courses")
    if not listed["plural"].isdisjoint(note.words[nearest.last : end]):
        return True
    alike = (runs == "chronic") == (nearest.runs == "chronic")
    return alike and "," not in note.words[last:mark] and listed["singular"].isdisjoint(note.words[mark:end])


def _is_of_next(note: ParsedNote, places: tuple[int, int, int], others: Sequence[Beside]) -> bool:
    """Whether words behind a comma lead on to the problem right after them: "stroke, chronic leg ulcers"; places as of `_is_said_of`."""
    last, mark, end = places
    following = next((one for one in others if one.last > end), None)
    near = following is not None and following.first - end <= _LEAD and "," not in note.words[end : following.first]
    return near and "," in note.words[last:mark]


def _in_bracket(words: Sequence[str], opened: int, first: int) -> bool:
    """Whether a token stands in the bracket that opens right before another."""
    return words[opened - 1] == "(" and ")" not in words[opened:first]


def only_history(cue: str) -> bool:
    """Whether the words that make a problem past say no more than that it is in the history."""
    words = cue.lower().replace("/", " ").replace(":", " ").split()
    return not words or not word_lists("findings/words_courses")["history"].isdisjoint(words)


@lru_cache(maxsize=4)
def _stems(name: str) -> frozenset[str]:
    return frozenset(map(stem, word_lists("findings/words_courses")[name]))


@lru_cache(maxsize=1)
def _chronic() -> frozenset[str]:
    return frozenset(
        name for name, _, course, _ in rule_rows(RULES / "condition_courses.tsv", 4) if course == "chronic"
    )
