"""What tests showed, as statements: which test, of which place and day, what it found, and how.

Takes a parsed note and the attributes of spans; gives a result for each sentence that has the shape "test, verb, finding" ("A CT scan of the
chest on 3/2 showed a small nodule", "Chest x-ray: clear", "The culture was negative"). Left out is what is of another person or an earlier
time, what is planned, and what has no sure end. How words tell it stands in `result_words`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from backend.nlp.attributes.seam import AttributesOf, SpanAttributes
from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.findings.result_words import (
    DATE,
    LEANING,
    NAMING,
    Verdict,
    end_of_found,
    end_of_telegram,
    name_of_test,
    shown_behind,
    told_by_telegram,
)
from backend.nlp.measures.dates import dates_of
from backend.nlp.measures.earlier_times import reaches_on, tells_earlier
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import Experiencer
from backend.schemas.vocabulary import SectionCategory

_WORD = re.compile(r"[^\W_]+(?:[’'./-][^\W_]+)*|[^\w\s]")
_BACK = 2
"""Sentences over which an earlier time reaches on: "At that time she was admitted. A scan was negative."."""
_NEAR_END = 2
_UNSURE = re.compile(
    r"\b(?:if|would|will|should|could|to be (?:done|performed|obtained|ordered|repeated|seen)|pending|await\w*|plan\w*|unless|whether|may|might|depending|refus\w+|declin\w+|recommend\w*|not (?:yet|been))\b",
    re.IGNORECASE,
)
"""By which a sentence may tell no result."""
_NO_RESULTS = frozenset(
    (
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.FAMILY_HISTORY,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.MEDICATIONS,
        SectionCategory.ALLERGIES,
        SectionCategory.IMMUNIZATIONS,
        SectionCategory.REVIEW_OF_SYSTEMS,
        SectionCategory.PLAN,
        SectionCategory.INSTRUCTIONS,
    )
)


_OF_TODAY = frozenset((SectionCategory.RESULTS, SectionCategory.IMAGING))


class Result(NamedTuple):
    """What a test showed. All places are code points of the note, half open.

    test: its name, with its place. found: what it showed; empty for none named. date: when, as the note says it. bare: a telegram says
    it, without a verb. more: the note goes on to tell what else the test showed.
    """

    start: int
    end: int
    test: tuple[int, int]
    found: tuple[int, int]
    verdict: Verdict
    date: str = ""
    bare: bool = False
    more: bool = False


def results(note: ParsedNote, attributes_of: AttributesOf) -> tuple[Result, ...]:
    """The results of a note, in order."""
    found: list[Result] = []
    for number, sentence in enumerate(note.sentences):
        if note.sections[sentence.section].category in _NO_RESULTS:
            continue
        text = note.text[sentence.start_char : sentence.end_char]
        before = [s for s in note.sentences[max(0, number - _BACK) : number] if s.section == sentence.section]
        reached = any(reaches_on(note.text[s.start_char : s.end_char]) for s in before)
        earlier = reached or tells_earlier(text)
        named = list(_of_sentence(note, sentence, before[-1] if before else None))
        if not named and found and before and before[-1].start_char <= found[-1].end <= before[-1].end_char:
            named = list(_going_on(note, sentence, before[-1], found[-1]))
        goes_on = _goes_on(note, number)
        found += (
            one._replace(more=one.more or (goes_on and one.bare and one.end + _NEAR_END >= sentence.end_char))
            for one in named
            if (one.date or not earlier) and not is_unsure(note.text[sentence.start_char : one.end])
        )
    if not found:
        return ()
    places = [one.found if one.found[0] < one.found[1] else one.test for one in found]
    tests, shown = attributes_of([one.test for one in found]), attributes_of(places)
    return tuple(one for one, test, what in zip(found, tests, shown, strict=True) if _holds(one, test, what))


def is_unsure(text: str) -> bool:
    """Whether what a sentence tells may not have been: it is planned, awaited, asked or refused."""
    return _UNSURE.search(text) is not None or "?" in text


def _holds(one: Result, test: SpanAttributes, what: SpanAttributes) -> bool:
    """Whether a result is the patient's and of a test that was made."""
    if not (test.experiencer is what.experiencer is Experiencer.PATIENT) or test.hypothetical or what.hypothetical:
        return False
    return not (test.historical and not one.date) and not (
        test.negated and one.verdict in (Verdict.FOUND, Verdict.FITS)
    )


def _of_sentence(note: ParsedNote, sentence: Sentence, before: Sentence | None = None) -> Iterator[Result]:
    """Yield the results of a sentence; one that begins with "it" or "this" is of the test that the sentence before it ends with."""
    own = word_lists("findings/words_results")
    amounts = word_lists("findings/words_phrases")["amount"]
    tests = own["test"] | word_lists("letter/words_story")["tests"]
    heads = tests | amounts
    reviewed = note.sections[sentence.section].category in _OF_TODAY  # an earlier test that is gone over today
    words = [(m[0], m.start(), m.end()) for m in _WORD.finditer(note.text, sentence.start_char, sentence.end_char)]
    days = [(one.start_char, one.end_char, one.text) for one in dates_of(note)]
    low = [DATE if any(a <= start < b for a, b, _ in days) else word.lower() for word, start, _ in words]
    leaning = low[1] in own["showing"] | own["being"] if len(low) > 1 and low[0] in LEANING else False
    if leaning and before is not None and (shown := shown_behind(low, 1)) is not None:
        earlier_words = [
            (m[0].lower(), m.start(), m.end()) for m in _WORD.finditer(note.text, before.start_char, before.end_char)
        ]
        lows = [word for word, _, _ in earlier_words]
        last_head = next((i for i in range(len(lows) - 1, -1, -1) if lows[i] in tests), None)
        end = end_of_found(low, shown.begin) if shown.verdict in NAMING else shown.begin
        if last_head is not None and (end > shown.begin or shown.verdict not in NAMING):
            first, last, old = name_of_test(lows, last_head, tests)
            old = old and not reviewed
            if not old and not is_unsure(note.text[before.start_char : before.end_char]):
                test = (earlier_words[first][1], earlier_words[last - 1][2])
                day = next((text for a, _, text in days if before.start_char <= a < before.end_char), "")
                stretch = (words[0][1], words[end - 1][2])
                found = (words[shown.begin][1], stretch[1]) if end > shown.begin else (stretch[1], stretch[1])
                yield Result(*stretch, test, found, shown.verdict, day)
    at = 0
    while at < len(words):
        if low[at] not in heads:
            at += 1
            continue
        first, last, earlier = name_of_test(low, at, heads)
        earlier = earlier and not reviewed
        shown = None if earlier else shown_behind(low, last)
        if shown is None and not earlier and not tests.isdisjoint(low[first:last]):
            shown = told_by_telegram(low, first, last)
        at = last
        if shown is None:
            continue
        end = end_of_found(low, shown.begin) if shown.verdict in NAMING else shown.begin
        more = False
        if shown.bare:
            end, more = end_of_telegram(low, shown, end, tests)
        if shown.verdict in NAMING and (end <= shown.begin or tests.isdisjoint(low[first:last])):
            continue  # an amount is high or low, and shows nothing
        stop = words[max(end, last) - 1][2]
        between = range(words[first][1], words[min(shown.begin, len(words)) - 1][2])
        date = next((text for a, _, text in days if a in between), "")
        found = (words[shown.begin][1], words[end - 1][2]) if shown.begin < end else (stop, stop)
        test = (words[first][1], words[last - 1][2])
        bare = shown.bare or low[last : last + 1] == [":"]
        more = more or (bare and not shown.bare and low[end : end + 1] not in ([], ["."]))
        yield Result(words[first][1], stop, test, found, shown.verdict, date, bare, more)
        at = max(end, last)


def _going_on(note: ParsedNote, sentence: Sentence, before: Sentence, last: Result) -> Iterator[Result]:
    """Yield what a telegram tells behind the sentence of a test, among results: "Echo: EF 55%. Mild valve leak"."""
    own = word_lists("findings/words_results")
    low = [m[0].lower() for m in _WORD.finditer(note.text, sentence.start_char, sentence.end_char)]
    tests = own["test"] | own["tail"] | word_lists("letter/words_story")["tests"]
    closed = (
        own["being"] | own["showing"] | own["no_finding"] - {"in", "on", "at", "of", "with", "for", "to", "as"} | tests
    )
    apart = (
        "\n" in note.text[before.end_char : sentence.start_char]
        or note.sections[sentence.section].category not in _OF_TODAY
    )
    if apart or not low or not low[0].isalpha() or not closed.isdisjoint(low) or ":" in low or low[0] in LEANING:
        return
    words = list(_WORD.finditer(note.text, sentence.start_char, sentence.end_char))
    while words and words[-1][0].lower() in own["read_as"] | {"."}:
        words.pop()  # "No fractures noted"
    denied = low[0] == "no"
    if len(words) > denied and not (denied and last.verdict is Verdict.USUAL):
        found, shown = (words[denied].start(), words[-1].end()), Verdict.ABSENT if denied else Verdict.FOUND
        yield Result(sentence.start_char, found[1], last.test, found, shown, last.date, bare=True)


def _goes_on(note: ParsedNote, number: int) -> bool:
    """Whether a sentence behind one goes on in its line to tell what else was found: "No stones. 2 cm cyst"."""
    own = word_lists("findings/words_results")
    last = note.sentences[number]
    for following in note.sentences[number + 1 :]:
        if following.section != last.section or "\n" in note.text[last.end_char : following.start_char]:
            return False
        first = _WORD.search(note.text, following.start_char, following.end_char)
        if first is None or first[0].lower() != "no":
            return first is not None and (first[0][0].isdigit() or first[0].lower() in own["goes_on"])
        last = following  # what was not found is not asked for
    return False
