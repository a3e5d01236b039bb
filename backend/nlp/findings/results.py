"""What tests showed, as statements: which test, of which place and day, what it found, and how.

Takes a parsed note and the attributes of spans; gives a result for each sentence that has the shape "test, verb, finding" ("A CT scan of the
chest on 3/2 showed a small nodule", "Chest x-ray: clear", "The culture was negative"). Left out is what is of another person or an earlier
time, what is planned, and what has no sure end. Words are rows of assets/rules/findings/words_results.tsv.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from backend.nlp.attributes.seam import AttributesOf, SpanAttributes
from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.measures.dates import dates_of
from backend.nlp.measures.earlier_times import reaches_on, tells_earlier
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import Experiencer
from backend.schemas.vocabulary import SectionCategory

_WORD = re.compile(r"[^\W_]+(?:[’'./-][^\W_]+)*|[^\w\s]")
_MOST_NAME, _MOST_PLACE, _MOST_BETWEEN = 4, 7, 14
"""Words before the head of a test's name, of its place, and between the name and the verb."""
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


class Verdict(StrEnum):
    """How a test came out. FITS: what it showed would fit with something. DOUBTED: it is only supposed. AGAINST: it did not find what it looked for."""

    FOUND = "found"
    FITS = "fits"
    DOUBTED = "doubted"
    ABSENT = "absent"
    USUAL = "usual"
    AGAINST = "against"
    HIGH = "high"
    LOW = "low"
    POSITIVE = "positive"


NAMING = frozenset((Verdict.FOUND, Verdict.FITS, Verdict.DOUBTED, Verdict.ABSENT))
"""Verdicts that name what was found or not found."""


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


class _Shown(NamedTuple):
    """Where what was found begins, and how the test came out. bare: without a verb."""

    begin: int
    verdict: Verdict
    bare: bool = False


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
    low = [_DATE if any(a <= start < b for a, b, _ in days) else word.lower() for word, start, _ in words]
    leaning = low[1] in own["showing"] | own["being"] if len(low) > 1 and low[0] in _LEANING else False
    if leaning and before is not None and (shown := _shown(low, 1)) is not None:
        earlier_words = [
            (m[0].lower(), m.start(), m.end()) for m in _WORD.finditer(note.text, before.start_char, before.end_char)
        ]
        lows = [word for word, _, _ in earlier_words]
        last_head = next((i for i in range(len(lows) - 1, -1, -1) if lows[i] in tests), None)
        end = _end(low, shown.begin) if shown.verdict in NAMING else shown.begin
        if last_head is not None and (end > shown.begin or shown.verdict not in NAMING):
            first, last, old = _name(lows, last_head, tests)
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
        first, last, earlier = _name(low, at, heads)
        earlier = earlier and not reviewed
        shown = None if earlier else _shown(low, last)
        if shown is None and not earlier and not tests.isdisjoint(low[first:last]):
            shown = _telegram(low, first, last)
        at = last
        if shown is None:
            continue
        end = _end(low, shown.begin) if shown.verdict in NAMING else shown.begin
        more = False
        if shown.bare:
            end, more = _end_of_telegram(low, shown, end, tests)
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
    if apart or not low or not low[0].isalpha() or not closed.isdisjoint(low) or ":" in low or low[0] in _LEANING:
        return
    words = list(_WORD.finditer(note.text, sentence.start_char, sentence.end_char))
    while words and words[-1][0].lower() in own["read_as"] | {"."}:
        words.pop()  # "No fractures noted"
    denied = low[0] == "no"
    if len(words) > denied and not (denied and last.verdict is Verdict.USUAL):
        found, shown = (words[denied].start(), words[-1].end()), Verdict.ABSENT if denied else Verdict.FOUND
        yield Result(sentence.start_char, found[1], last.test, found, shown, last.date, bare=True)


def _name(low: Sequence[str], at: int, heads: Collection[str]) -> tuple[int, int, bool]:
    """The name of a test around one of its last words: words before it, the place behind it; whether it is of an earlier time."""
    own = word_lists("findings/words_results")
    first, last = at, at + 1
    no_name = own["no_name"] | own["ends"]  # "on apixaban so CT head was done"
    while first > max(0, at - _MOST_NAME) and low[first - 1][0].isalpha() and low[first - 1] not in no_name:
        first -= 1
    earlier = not own["earlier"].isdisjoint(low[max(0, first - 2) : last])
    while last < len(low) and (low[last] in own["tail"] or low[last] in heads):
        last += 1
    end = last + (low[last : last + 1] == ["of"])
    while end < len(low) and end - last <= _MOST_PLACE and _is_of_place(low[end], own, bare=low[last] != "of"):
        end += 1
    while end > last and low[end - 1] == "and":
        end -= 1
    told = end < len(low) and (low[end] in own["showing"] or low[end] in own["being"])
    if any(map(_is_body, low[last:end])) or (told and end > last + 1 and low[last] == "of"):
        last = end
    while last < len(low) and low[last] in own["tail"]:
        last += 1
    return first, last, earlier


def _is_body(word: str) -> bool:
    body = word_lists("findings/words_phrases")["body"]
    return any(one in body for one in (word, word.removesuffix("s"), word.removesuffix("es"), f"{word[:-3]}y"))


def _is_of_place(word: str, own: Mapping[str, Collection[str]], *, bare: bool) -> bool:
    if bare:
        return _is_body(word) or word in ("and", *_SIDES)
    if not word[0].isalpha() or any(word in own[name] for name in ("showing", "being", "done", "ends")):
        return False
    return word in ("the", "his", "her", "and") or word not in own["no_name"]


def _shown(low: Sequence[str], at: int) -> _Shown | None:
    """Where what a test showed begins behind its name, and how it came out; None where nothing is told."""
    own = word_lists("findings/words_results")
    if low[at : at + 1] == [":"]:
        return _after_verb(low, at + 1, bare=True)
    i = at
    while i < min(len(low), at + _MOST_BETWEEN):
        if low[i] in own["showing"]:
            return _after_verb(low, i + 1, bare=False)
        if low[i : i + 2] == ["ruled", "out"]:
            return _Shown(i + 2, Verdict.ABSENT)
        if low[i] in ("did", "does") and low[i + 1 : i + 2] == ["not"]:
            following = low[i + 2 : i + 3]
            return _Shown(i + 3, Verdict.ABSENT) if following and following[0] in own["base"] else None
        if low[i] in own["being"] or low[i] in own["filler"]:
            k = i + 1
            while k < len(low) and (low[k] in own["read_as"] or low[k] in own["filler"]):
                k += 1
            if k < len(low) and any(low[k] in own[name] for name in ("usual", "against", "leads", "high", "low")):
                return _after_verb(low, k, bare=True)
            if k < len(low) and low[k] in own["showing"]:
                return _after_verb(low, k + 1, bare=False)
            if k == i + 1 or k >= len(low) or low[k - 1] not in own["read_as"]:
                return None
            i = k
            continue
        if low[i] == ":" and i > at:
            return _after_verb(low, i + 1, bare=True)  # "X-ray, right hand: no break"
        if low[i] == "by":  # "ordered by her doctor"
            i = next(
                (k for k in range(i, min(i + _MOST_NAME + 3, len(low))) if low[k] in own["being"] | own["showing"]),
                len(low),
            )
            continue
        known = low[i] == _DATE or low[i].isdigit() or low[i] in own["between"] or low[i] in own["done"]
        if not (known or low[i] in _SIDES or _is_body(low[i])):
            return None
        i += 1
    return None


def _after_verb(low: Sequence[str], at: int, *, bare: bool) -> _Shown | None:
    """What stands behind the verb. bare: behind "was" or a colon, where "normal" is how the test came out."""
    own = word_lists("findings/words_results")
    if [*low[at : at + 1], *low[at + 1 : at + 2]] in _EXISTS:
        at += 2  # "these reveal there are no fractures"
    if at >= len(low):
        return None
    if low[at : at + 1] == ["within"] and low[at + 1 : at + 2] == ["normal"] and low[at + 2 : at + 3] in _LIMITS:
        return _Shown(at + 3, Verdict.USUAL)
    word, following = low[at], low[at + 1 : at + 2]
    ends = following in ([], ["."], [","], [";"], ["and"], ["x"], ["at"], ["today"])
    leads = following in (["for"], ["of"], ["with"], ["to"])
    if word in own["against"] and leads:
        return _Shown(at + 2, Verdict.ABSENT)
    if word in own["leads"] and leads:
        doubted = Verdict.DOUBTED if word in own["doubted"] else Verdict.FOUND
        return _Shown(at + 2, Verdict.FITS if word in own["fits"] else doubted)
    if not bare:
        return _Shown(at, Verdict.FOUND)
    turned = not own["not_so"].isdisjoint(low[max(0, at - 3) : at + 3])
    for name, verdict in _BARE.items():
        if word in own[name]:
            if not ends and not turned and verdict in (Verdict.HIGH, Verdict.LOW):
                continue  # "increased markings" are found
            return _Shown(at + 1, verdict) if ends and not turned else None
    return None if word in own["leads"] else _Shown(at, Verdict.FOUND)


def _telegram(low: Sequence[str], first: int, at: int) -> _Shown | None:
    """How a test came out whose name opens a telegram: "CT head no bleed", "duplex neg for DVT", "CXR mild edema"."""
    own = word_lists("findings/words_results")
    if at >= len(low) or (first and low[first - 1] not in _OPENING):
        return None
    word, following = low[at], low[at + 1 : at + 2]
    if word == "no" and following and following[0][0].isalpha():
        return _Shown(at + 1, Verdict.ABSENT, bare=True)
    if word in own["against"] and following == ["for"]:
        return _Shown(at + 2, Verdict.ABSENT, bare=True)
    for name in ("usual", "against"):
        if word in own[name]:
            ends = following in ([], ["."], [","], [";"])
            return _Shown(at + 1, _BARE[name], bare=True) if ends else None
    if not word[0].isalnum() or word == _DATE or not own["no_finding"].isdisjoint(low[at:]):
        return None
    return _Shown(at, Verdict.FOUND, bare=True)


def _end_of_telegram(low: Sequence[str], shown: _Shown, end: int, tests: frozenset[str]) -> tuple[int, bool]:
    """Where what a telegram tells ends, and whether it goes on: a comma ends a denial, unless another one follows."""
    at = end if shown.verdict in NAMING else shown.begin
    for i in range(shown.begin, at):
        if low[i] == "-" or (low[i] == "," and not tests.isdisjoint(low[i + 1 : i + 3])):
            return i, low[i] == "-"
        if low[i] == "," and shown.verdict is Verdict.ABSENT and low[i + 1 : i + 2] != ["no"]:
            return i, True
    rest = low[at : at + 2]
    ended = (
        not rest or rest[0] == "." or rest[0] == ";" or (rest[0] == "," and not tests.isdisjoint(low[at + 1 : at + 3]))
    )
    return at, not ended


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


def _end(low: Sequence[str], begin: int) -> int:
    """Where what was found ends: at the end of the sentence or before what tells something else; at its begin where that is not sure."""
    own = word_lists("findings/words_results")
    subjects = word_lists("letter/words_story")["clause_subjects"] - {"no", "the", "there", "his", "her"}
    for i in range(begin, len(low)):
        if low[i] == ")" or (low[i] == "(" and low[i + 2 : i + 3] == [")"]):
            continue  # a short form behind its name
        if low[i] in _MARKS:
            return i
        if low[i] == "for" and (low[i - 1] in own["leads"] or low[i - 1] == "evidence"):
            continue
        if low[i] in own["ends"] or low[i] in subjects or (low[i] == "that" and low[i - 1] == "and"):
            return i - (low[i - 1] in (",", "and")) - (low[i - 2 : i] == [",", "and"])
        if low[i] in own["being"] and low[i - 1] == "that":
            continue  # "a mass that was suspicious"
        if low[i] in own["being"] or low[i] in own["showing"] or low[i] in ("has", "had", "have"):
            return begin
    return len(low)


_EXISTS = [["there", "is"], ["there", "are"], ["there", "was"], ["there", "were"]]
_LEANING = frozenset(("it", "this", "these", "those", "which"))
_LIMITS = [["limits"], ["limit"], ["range"]]
_DATE = "date"
_SIDES = ("l", "r", "left", "right", "both", "bilateral")
_OPENING = frozenset((".", ",", ";", ":", "-", "–", "*", "•", ")", "+"))
"""What stands before the name that opens a telegram."""
_MARKS = frozenset((".", ";", "(", ":", '"', "“", "”"))
_BARE = {
    "usual": Verdict.USUAL,
    "against": Verdict.AGAINST,
    "high": Verdict.HIGH,
    "low": Verdict.LOW,
    "positive": Verdict.POSITIVE,
}
