"""What a note says beside a problem: since when, on which side, how bad. Takes tokens of a parsed note; gives words of the note."""

import re

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import WordTest
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.rules.word_lists import word_lists

_A_YEAR = re.compile(r"(?:19|20)\d\d")
_BESIDE = 2
"""Tokens before a problem in which its side and its degree stand."""
ONSET, GRADE = "findings/onset", "findings/grade"
_GRADE_BEFORE, _GRADE_BEHIND = 9, 11
"""Tokens beside a problem in which a grade stands."""
_REACH = 8
"""Tokens after a problem in which its time is stated."""
_SIDES = {"l": "left", "lt": "left", "r": "right", "rt": "right", "bilaterally": "bilateral", "both": "bilateral"}
_ARROWS = frozenset((">", "→"))


def body_side(note: ParsedNote, first: int, last: int) -> str:
    """left, right or bilateral, where the words of a problem or right before it say so; else empty."""
    for j in _near(note, first, last, _SIDED):
        word = note.words[j]
        if len(word) > 2 or j < first:
            return _SIDES.get(word, word)
    return ""


def severity(note: ParsedNote, first: int, last: int) -> str:
    """The word that says how bad a problem is, or that the grade of a scale beside it means ("Child-Pugh C"); empty for none."""
    named = next((note.words[j] for j in _near(note, first, last, _GRADED)), "")
    if named:
        return named
    beside = note.triggers_within(GRADE, max(0, first - _GRADE_BEFORE), last + _GRADE_BEHIND)
    return next((t.row.event for t in beside if _is_said_of(note, t, first, last)), "")


def _is_said_of(note: ParsedNote, grade: FoundTrigger, first: int, last: int) -> bool:
    """Whether nothing but marks and words like "stage" stands between a grade and a problem, before or behind it."""
    start, end = (grade.last, first) if grade.last <= first else (last, grade.first)
    return all(not note.tokens.word[i] or note.words[i] in ("is", "with", "of") for i in range(start, end)) and not any(
        note.words[i] in (".", ";") for i in range(start, end)
    )


def stage(note: ParsedNote, first: int, last: int) -> str:
    """The words of a problem, right before or right behind it, that say at what stage it is: "uncontrolled"; empty for none."""
    passed = note.where_within(_STAGED, first - _STAGE_BEFORE, last + _STAGE_BEHIND)
    is_word = note.tokens.word
    words = [note.words[j] for j in passed if all(is_word[k] for k in range(j, first)) and _reaches(note, last, j)]
    return " ".join(dict.fromkeys(words))


def onset(note: ParsedNote, first: int, last: int) -> str:
    """Since when a problem is there or how long, in the words of the note: "for three days", "since 2010"; empty for none."""
    at = note.clause_at(note.tokens.starts[first])
    if at is None:
        return ""
    clause = note.clauses[at]
    for trigger in note.triggers_within(ONSET, max(clause.first, first - _REACH), min(clause.last, last + _REACH)):
        ahead = trigger.row.event == "before" and trigger.last <= first <= trigger.last + 3
        if ahead or (trigger.row.event == "after" and trigger.first >= last):
            return " ".join(note.written(trigger.first, trigger.last).split())
    return ""


def dated_before(note: ParsedNote, first: int, last: int, *, event: bool) -> bool:
    """Whether the sentence of a problem dates it to a year, or months or years ago.

    What is no event may have begun then and be there still ("began in 2005"): a verb of beginning leaves it.
    """
    at = note.sentence_at(note.tokens.starts[first])
    if at is None:
        return False
    sentence = note.sentences[at]
    begins = word_lists("findings/words_courses")["begins"]
    if not event and not begins.isdisjoint(note.words[sentence.first : sentence.last]):
        return False
    if event and (_led_by_year(note, sentence.first, first) or _followed_by_year(note, last)):
        return True
    found = note.triggers_within(ONSET, max(sentence.first, first - 2 * _REACH), min(sentence.last, last + 2 * _REACH))
    return any(
        trigger.row.cells["over"] == "yes"
        and not _of_another(note, last, trigger.first)
        and not _of_coming(note, sentence.first, trigger.first)
        and _ARROWS.isdisjoint(note.words[trigger.last : first])  # "a fracture 4 wks ago -> CT: clots"
        for trigger in found
    )


def _of_coming(note: ParsedNote, first: int, time: int) -> bool:
    """Whether a day is that on which the patient came: "presented on 01/07 after a fall"."""
    clauses = word_lists("attributes/words_clauses")
    came = clauses["presents"] | clauses["moved"]
    return not came.isdisjoint(note.words[max(first, time - _REACH) : time]) and "/" in note.words[time : time + 4]


def _of_another(note: ParsedNote, last: int, time: int) -> bool:
    """Whether a time behind a problem is of the next item: "a seizure today, stroke in 2017"."""
    between = note.words[last:time]
    at = next((i for i, word in enumerate(between) if word in (",", ";")), None)
    return at is not None and at > 0 and any(word[:1].isalpha() for word in between[at:])


def _led_by_year(note: ParsedNote, begin: int, first: int) -> bool:
    """Whether an item of a list is a year and a problem: "2017 duodenal ulcer, 2019 shoulder dislocation"."""
    year = first > begin and _A_YEAR.fullmatch(note.words[first - 1]) is not None
    return year and (first - 2 < begin or not note.tokens.word[first - 2])


def _followed_by_year(note: ParsedNote, last: int) -> bool:
    """Whether a year stands right behind a problem: "GI bleed 2011", "stroke (2017)"."""
    at = last + (note.words[last : last + 1] == ["("])
    return at < len(note.words) and _A_YEAR.fullmatch(note.words[at]) is not None


def _near(note: ParsedNote, first: int, last: int, test: WordTest) -> list[int]:
    """The tokens of a problem, and of the words right before it, that pass a test."""
    is_word = note.tokens.word
    passed = note.where_within(test, first - _BESIDE, last)
    return [j for j in passed if all(is_word[j:first])]


def _reaches(note: ParsedNote, last: int, j: int) -> bool:
    """Whether a word behind a problem is said of it: "hypertension, uncontrolled", and not "hypertension and severe pain"."""
    marks = (",", "-", "(", "\u2013", "is", "was", "remains", "which", "poorly")
    rest = note.words[last:j]
    after = note.words[j + 1 : j + 2]
    return j < last or (
        all(one in marks for one in rest) and (not after or not note.tokens.word[j + 1] or after[0] in _ENDS)
    )


_STAGE_BEFORE, _STAGE_BEHIND = 3, 4
_ENDS = ("on", "with", "despite", "for", "since", "at", "in", "today", "now", "and")
_STAGED = WordTest(lambda word: word in word_lists("findings/words_courses")["stage"])
_SIDED = WordTest(lambda word: word in word_lists("findings/words_courses")["side"])
_GRADED = WordTest(lambda word: word in word_lists("findings/words_courses")["severity"])
