"""How far each cue of a sentence reaches.

Takes the words of one sentence and its cues; gives scopes: stretches of words and what is said of the mentions in
them. In the tradition of NegEx and ConText (cues, pseudo-cues, stops), with clauses besides: a comma or an "and" that
opens a clause with a verb of its own ends a scope, one that only continues a list does not. Plus and minus signs are
read by signs, clauses that follow one another without a mark by clauses. It does not know sections or neighbouring
sentences: assertions does.
"""

from collections.abc import Sequence

from backend.nlp.attributes.cues import FAR, Cue, FoundCue
from backend.nlp.attributes.dated import back_again, earlier, just_now, lately, onset_of, opens, perfect
from backend.nlp.attributes.denials import denial_end, is_there
from backend.nlp.attributes.list_turns import (
    SEPARATORS,
    after_injury,
    list_goes_on,
    none_for,
    operated,
    story,
    turned,
    years,
)
from backend.nlp.attributes.plus_minus import item_start, sign_scopes
from backend.nlp.attributes.scope import Scope
from backend.nlp.attributes.trailing_cues import is_answer, trails
from backend.nlp.document.clauses import VERBS, breaks_of, clause_starts, entries, runs_on, unmarked
from backend.nlp.document.tokens import word_set
from backend.nlp.people.family import family_stretches
from backend.schemas.vocabulary import Assertion

_DENIERS = frozenset(("no", "not", "never", "without", "denies", "denied"))
_BEFORE_ANSWER = frozenset(":-(=?")
_LISTING = word_set("denies denied deny denying for")
_OWNERS = frozenset(("his", "her", "the", "a", "an", "my", "their"))
_NEAR_DATE = 5
_ENDED = frozenset(("resolved", "healed"))
_INTRODUCES = word_set(
    "given because in with despite although while considering due after on for based when since as if"
)


def scopes(
    words: Sequence[str], first: int, last: int, cues: Sequence[FoundCue], signs: Sequence[int] = ()
) -> list[Scope]:
    """The scopes of one sentence, words[first:last].

    cues: of that sentence, in order, without overlap. signs: where a plus or minus is set to the word after it and
    apart from the one before ("-fever").
    """
    starts = clause_starts(words, first, last)
    result = [
        Scope(
            Assertion.FAMILY,
            a,
            min([_stopped(Assertion.FAMILY, a, b, cues), *(s for s in starts if s > a)]),
            word,
            word + 1,
        )
        for a, b, word in family_stretches(words, first, last)
    ]
    breaks = sorted([*breaks_of(words, first, last), *starts])
    loose = unmarked(words, first, last)
    for found in cues:
        if found.cue.kind == "pseudo" and words[found.first] in _DENIERS:
            # "without complications" negates nothing that follows, but the complications themselves
            result.append(Scope(Assertion.NEGATED, found.last, found.last, found.first, found.last))
        if found.cue.kind in ("pseudo", "stop"):
            continue
        assertion = Assertion(found.cue.kind)
        if is_answer(words, found, first, last):
            start = item_start(words, found.first - (words[found.first - 1] in _BEFORE_ANSWER), first)
            result.append(Scope(assertion, start, found.first, found.first, found.last))
            continue
        if trails(words, found, first, last) or none_for(words, found, last):
            result.append(Scope(assertion, item_start(words, found.first, first), found.first, found.first, found.last))
            continue
        dated = assertion is Assertion.HISTORICAL and found.cue.forward and found.cue.backward
        if dated and story(words, found, last):
            continue  # "Three weeks ago my eyelids were puffy." opens today's story
        if assertion is Assertion.HISTORICAL and (just_now(words, found, last) or back_again(words, found, last)):
            continue
        onset = onset_of(words, found, first) if dated else None
        if onset is not None and not (words[onset] == "since" and words[onset + 1] in _OWNERS):
            continue  # "started three months ago" goes on now; "since his splenectomy in 1998" does not
        if found.cue.forward and (not dated or opens(words, found, first, last)):
            end = _forward(words, found, last, cues, breaks, assertion, loose)
            if not (assertion is Assertion.NEGATED and is_there(words, found.last, end, last)):
                result.append(Scope(assertion, found.last, end, found.first, found.last))
        if found.cue.backward and not (found.cue.forward and not dated and _faces_on(words, found, first, last)):
            # of "the flu he had two years ago" the flu is dated, by a clause that has nothing else
            floor = max([first, *(s for s in starts if s + 2 < found.first)] if dated else [first])
            if dated and loose:
                floor = max(floor, found.first - _NEAR_DATE)
            start = _backward(words, found, max(floor, onset or first), cues, assertion, dated)
            result.append(Scope(assertion, start, found.first, found.first, found.last))
        if found.cue.backward and not found.cue.forward and found.first == first and words[first] in _ENDED:
            # "Resolved AKI."
            result.append(
                Scope(
                    assertion,
                    found.last,
                    _forward(words, found, last, cues, breaks, assertion, loose),
                    first,
                    found.last,
                )
            )
    for a, b, word in earlier(words, first, last):
        result.append(
            Scope(Assertion.HISTORICAL, a, min(b, _stopped(Assertion.HISTORICAL, a, last, cues)), word, word + 1)
        )
    result += years(words, first, last) + sign_scopes(words, first, last, signs)
    marks = entries(words, first, last)
    return [scope.within(marks) for scope in result] if marks else result


def _stopped(assertion: Assertion, first: int, last: int, cues: Sequence[FoundCue]) -> int:
    return min((c.first for c in cues if assertion in c.cue.ends and c.first >= first), default=last)


def _forward(
    words: Sequence[str],
    found: FoundCue,
    last: int,
    cues: Sequence[FoundCue],
    breaks: Sequence[int],
    assertion: Assertion,
    loose: bool,
) -> int:
    start = found.last
    if found.cue.backward and assertion is Assertion.HISTORICAL and start < last and words[start] == ",":
        start += 1  # "In 2010, she had ..."
    end = min(last, _stopped(assertion, start, last, cues), _reached(words, start, last, found.cue))
    listing = words[found.last - 1] in _LISTING or (start < last and words[start] == ":")
    if assertion is not Assertion.HYPOTHETICAL:
        end = min((b for b in breaks if start < b < end), default=end)
    if assertion is Assertion.NEGATED:
        end = min(end, turned(words, start, last, cues))
        if loose:
            end = min(end, runs_on(words, start, end))
    for i in range(start, end):
        word = words[i]
        if assertion is Assertion.NEGATED:
            denied = denial_end(words, found, i, (start, end, last), listing)
            if denied is not None:
                return denied
        if word == ";" and not listing and assertion is not Assertion.FAMILY:
            return i
        if word == ")" and "(" not in words[start:i] and "(" in words[max(0, found.first - 8) : found.first]:
            return i
        if assertion is Assertion.HISTORICAL and word == "with" and after_injury(words, found, i):
            return i
        if assertion is Assertion.HISTORICAL and word == "," and i > start + 1 and operated(words, found, i):
            return i
        if assertion is Assertion.HISTORICAL and word in (",", "and") and i > start and lately(words, i + 1, last):
            return i  # "h/o asthma, cough x3d"
        if word == "," and i == start and found.cue.reach < FAR and assertion is Assertion.HYPOTHETICAL:
            return i  # "ondansetron prn, escitalopram daily"
        if word == "," and i > start and found.cue.reach < FAR and not list_goes_on(words, i, end):
            return i
    return end


def _backward(
    words: Sequence[str],
    found: FoundCue,
    first: int,
    cues: Sequence[FoundCue],
    assertion: Assertion,
    dated: bool,
) -> int:
    floor = max((c.last for c in cues if assertion in c.cue.ends and c.last <= found.first), default=first)
    floor = max(floor, first)
    content = reached = 0
    i = found.first - 1
    while i >= floor:
        word = words[i]
        near = dated or found.cue.reach < FAR
        if content and (word in (";", ":") or (near and word == ",") or (dated and word == "(")):
            return i + 1  # "hemoglobin 7.4 (was 13.1 in March)": the date is of what is in the bracket
        if content and word == "," and words[first] in _INTRODUCES and "," not in words[first:i]:
            return i + 1  # "Given his fever, sepsis must be considered"
        shared = dated and word == "and" and VERBS.isdisjoint(words[i + 1 : found.first])
        shared = shared and not perfect(words, floor, i)  # "his sodium has dropped and an ulcer bled in 2010"
        if content and word in SEPARATORS and not shared and _has_verb(words, i, floor):
            return i + 1  # but "had measles and chickenpox as a child" is one clause
        if word[:1].isalnum():
            content += 1
            reached += 1
            if reached > found.cue.reach:
                return i + 1
        i -= 1
    return floor


def _has_verb(words: Sequence[str], i: int, floor: int) -> bool:
    """Whether the stretch to the left of the separator at i, up to the one before, is a clause of its own."""
    j = i - 1
    while j >= floor and words[j] not in ",;":
        if words[j] in VERBS:
            return True
        j -= 1
    return False


def _reached(words: Sequence[str], start: int, last: int, cue: Cue) -> int:
    count = 0
    for i in range(start, last):
        count += words[i][:1].isalnum()
        if count > cue.reach:
            return i
    return last


def _faces_on(words: Sequence[str], found: FoundCue, first: int, last: int) -> bool:
    """Whether a cue of either side begins an item of a list, and so says nothing of the item before it."""
    return (
        found.first > first
        and words[found.first - 1] in (",", ";")
        and found.last < last
        and words[found.last][:1].isalpha()
    )
