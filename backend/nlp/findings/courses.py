"""How a problem runs: whether it is over, still there or long-standing, by its words and those beside it.

An event (an infarction, a fracture, a pneumonia) in a past history is over; a chronic disease there is still there. Words
such as "resolved", "as a child" and "old" decide before that. It does not know whether a problem is denied.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

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
    event = bool(roots & _stems("event"))
    ending = any(w.endswith(tuple(listed["chronic_ending"])) for w in words if not _stems("event") & {stem(w)})
    chronic = bool(roots & _stems("chronic")) or ending
    if chronic and not (event and roots & _stems("acute")):
        return "chronic"
    if event:
        return "event"
    return "event" if any(w.endswith(tuple(listed["event_ending"])) for w in words) else ""


def stated_course(note: ParsedNote, first: int, last: int) -> tuple[str, str]:
    """What words beside the tokens of a problem say of its course, resolved, past, active or empty, and their rule."""
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
