"""How far each trigger of a sentence reaches: stretches of words and what is said of the mentions in them.

In the tradition of NegEx and ConText (triggers, pseudo-triggers, terminations), with clauses besides: a scope ends where
a clause begins, and a list that shares a trigger goes on until scope_ends says that it ends. It does not know sections.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from backend.nlp.attributes.family import family_stretches
from backend.nlp.attributes.list_items import answers, is_link, item_start, sign_scopes, trails, years
from backend.nlp.attributes.scope_ends import contrast_end, denial_end, past_end
from backend.nlp.attributes.time_cues import current_story, onset_before, opening_end, opens, perfect, returns
from backend.nlp.attributes.triggers import FAR, Cue, Direction, Event, Scope
from backend.nlp.document.clauses import clause_has_verb, entries, runs_on, unmarked
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.vocabulary import Assertion

_NEAR_DATE = 5
_BRACKET = 8
_ASIDE = 6  # words of a circumstance within a list
_LIMITED = frozenset(
    (("can", "not"), ("could", "not"), ("can", "only"), ("could", "only"), ("more", "than"), ("farther", "than"))
)
_PERSONS = frozenset(("he", "she", "patient", "pt", "they", "has", "had"))
KINSHIP = "attributes/people"


class SentenceWords(NamedTuple):
    """The words first to last of one sentence, its cues in order, and where its clauses begin, its years and its signs stand.

    set_signs are those set to the word after them and apart from the one before; dashes stand apart from both.
    """

    words: Sequence[str]
    first: int
    last: int
    cues: Sequence[Cue]
    borders: Sequence[int]
    years: Sequence[int] = ()
    signs: Sequence[int] = ()
    set_signs: Sequence[int] = ()
    dashes: Sequence[int] = ()


def scopes(sentence: SentenceWords) -> list[Scope]:
    """The scopes of a sentence, those of other people first."""
    words, first, last, cues = sentence[:4]
    result = _of_others(sentence)
    loose = unmarked(words, first, last)
    for cue in cues:
        if cue.trigger.event is Event.PSEUDO and words[cue.first] in word_lists("attributes/words_scopes")["deniers"]:
            # "without complications" negates nothing that follows, but the complications themselves
            result.append(_scope(Assertion.NEGATED, cue, cue.last, cue.last))
        if cue.trigger.asserts and not _comes_with(words, first, cue):
            result += _of_cue(sentence, cue, loose)
    result += years(words, first, last, sentence.years)
    result += sign_scopes(words, first, last, sentence.signs, sentence.set_signs)
    marks = entries(words, first, last)
    return [scope.within(marks) for scope in result] if marks else result


def _comes_with(words: Sequence[str], first: int, cue: Cue) -> bool:
    """Whether "without" tells what comes each time: "cannot walk a block without pain", "no more than 25 feet without tiring"."""
    if words[cue.first] != "without":
        return False
    lists = word_lists("attributes/words_scopes")
    begin = next((i + 1 for i in range(cue.first - 1, first - 1, -1) if words[i] in lists["joining"]), first)
    said = words[begin : cue.first]
    unable = not lists["inabilities"].isdisjoint(said)
    return unable or any(pair in _LIMITED for pair in pairwise(said))


def _scope(assertion: Assertion, cue: Cue, first: int, last: int) -> Scope:
    return Scope(
        assertion, first, last, cue.first, cue.last, cue.trigger.rule_id, cue.trigger.besides is Assertion.HISTORICAL
    )


def _of_others(sentence: SentenceWords) -> list[Scope]:
    """Where somebody else is spoken of: until the patient is named again, or a clause begins with a person."""
    words, first, last, cues, borders = sentence[:5]
    stretches = family_stretches(words, first, last)
    result = []
    for a, b, word in stretches:
        own = words[word + 1 : word + 2] == ["'"]  # "her mother's care and has insomnia"
        persons = (at for at in borders if at > a and (own or words[at] in _PERSONS))
        others = (other.word for other in stretches if word < a <= other.word < other.first)
        end = min(_stopped(Assertion.FAMILY, a, b, cues), next(persons, b), next(others, b))
        result.append(Scope(Assertion.FAMILY, a, end, word, word + 1, KINSHIP))
    return result


def _of_cue(sentence: SentenceWords, cue: Cue, loose: bool) -> list[Scope]:
    words, first, last, cues, borders = sentence[:5]
    trigger = cue.trigger
    assertion = Assertion(trigger.event.value)
    if answers(words, cue, first, last):
        before = cue.first - (words[cue.first - 1] in word_lists("attributes/words_scopes")["before_answer"])
        return [_scope(assertion, cue, item_start(words, before, first), cue.first)]
    if trails(words, cue, first, last):
        return [_scope(assertion, cue, item_start(words, cue.first, first), cue.first)]
    past = assertion is Assertion.HISTORICAL
    dated = past and trigger.direction is Direction.BOTH
    if past and (current_story(words, cue, last, cues, dated) or returns(words, cue, cues)):
        return []
    onset = onset_before(words, cue, first) if dated else None
    if onset is not None and not (
        words[onset] == "since" and words[onset + 1] in word_lists("attributes/words_scopes")["owners"]
    ):
        return []  # "started three months ago" goes on now; "since his splenectomy in 1998" does not
    if trigger.direction is Direction.BOTH and is_link(words, cue, last):
        return [_scope(assertion, cue, cue.last, _forward(sentence, cue, assertion, loose))]
    result = []
    needs_opening = dated or trigger.direction is Direction.OPENING
    trailing = trigger.direction is Direction.BOTH and words[cue.last : min(last, cue.last + 1)] == [","]
    closes = (
        assertion is Assertion.NEGATED and cue.first > first and trailing
    )  # "vancomycin not needed, paracetamol 1 g"
    if trigger.forward and not closes and (not needs_opening or opens(words, cue, first, last)):
        end = _forward(sentence, cue, assertion, loose)
        # "Ring the ward: fever, wound red" goes on to its end, "no" at an opening as far as it lists
        if trigger.direction is Direction.OPENING and assertion is not Assertion.HYPOTHETICAL:
            end = min(end, opening_end(words, cue, last, cues))
        if not (assertion is Assertion.NEGATED and _there(cues, cue.last, end)):
            result.append(_scope(assertion, cue, cue.last, end))
            if assertion is Assertion.NEGATED:
                result += _resumed(sentence, cue, end, loose)
        if trigger.besides is Assertion.NEGATED:  # "no family history of" denies, as far as a denial reaches
            result.append(_scope(Assertion.NEGATED, cue, cue.last, _forward(sentence, cue, Assertion.NEGATED, loose)))
    if trigger.backward and (dated or not trigger.forward or not _faces_on(words, cue, first, last)):
        # of "the flu he had two years ago" the flu is dated, by a clause that has nothing else
        floor = first
        if dated:
            floor = max([first, *(at for at in borders if words[at] in _PERSONS and at + 2 < cue.first)])
            floor = max(floor, cue.first - _NEAR_DATE) if loose else floor
        start = _backward(sentence, cue, max(floor, onset or first), assertion, dated)
        result.append(_scope(assertion, cue, start, cue.first))
    if dated:
        result += _of_outcome(sentence, cue, loose)
    leads = trigger.direction is Direction.BACKWARD and cue.first == first
    if leads and words[first] in word_lists("attributes/words_scopes")["ended"]:  # "Resolved AKI."
        result.append(_scope(assertion, cue, cue.last, _forward(sentence, cue, assertion, loose)))
    return result


def _of_outcome(sentence: SentenceWords, cue: Cue, loose: bool) -> list[Scope]:
    """What came of an event that is dated: "pneumonia two years ago complicated by sepsis"; not what is there since."""
    outcome = next((one for one in sentence.cues if one.first >= cue.last and one.trigger.event is Event.OUTCOME), None)
    if outcome is None or any(
        cue.last < at < outcome.first for at in sentence.borders if sentence.words[at] in _PERSONS
    ):
        return []
    end = _forward(sentence, cue._replace(last=outcome.last), Assertion.HISTORICAL, loose)
    return [_scope(Assertion.HISTORICAL, cue, outcome.last, end)]


def _resumed(sentence: SentenceWords, cue: Cue, end: int, loose: bool) -> list[Scope]:
    """The rest of a denied list behind the circumstance of one of its items: "no pain when walking, fever or cough"."""
    words, first, last, cues, borders = sentence[:5]
    circumstance = next((c for c in cues if c.first == end and c.trigger.event is Event.CIRCUMSTANCE), None)
    if circumstance is None:
        return []
    lists = word_lists("attributes/words_scopes")
    close = min([last, *(at for at in borders if at > circumstance.last)])
    comma = next((i for i in range(circumstance.last, min(circumstance.last + _ASIDE, close)) if words[i] == ","), None)
    if comma is None or clause_has_verb(words, first, circumstance.first, comma):
        return []
    if words[cue.last - 1] not in lists["listing"] and not _ends_in_or(words, comma + 1, close):
        return []  # without "or" nothing says that it is the same list: "no pain after surgery, nausea"
    on = cue._replace(last=comma + 1)
    end = _forward(sentence, on, Assertion.NEGATED, loose)
    return [_scope(Assertion.NEGATED, cue, comma + 1, end), *_resumed(sentence, on, end, loose)]


def _ends_in_or(words: Sequence[str], start: int, last: int) -> bool:
    """Whether bare items joined by "or" begin here: "fever or cough", not "and fever on day two or three"."""
    joined = next((i for i in range(start, last) if words[i] in ("or", "nor")), None)
    return (
        joined is not None
        and word_lists("attributes/words_scopes")["introduces"].isdisjoint(words[start:joined])
        and words[start] != "and"
    )


def _there(cues: Sequence[Cue], start: int, end: int) -> bool:
    """Whether what a denial reaches is there all the same: "no fever until this morning", "never had pain like this"."""
    near = cues[bisect_left(cues, (start + 1,)) : bisect_left(cues, (end + 1,))]
    return any(cue.trigger.event is Event.PRESENT for cue in near)


def _stopped(assertion: Assertion, first: int, last: int, cues: Sequence[Cue]) -> int:
    for at in range(bisect_left(cues, (first,)), len(cues)):
        if assertion in cues[at].trigger.ends:
            return cues[at].first
    return last


def _forward(sentence: SentenceWords, cue: Cue, assertion: Assertion, loose: bool) -> int:
    words, _, last, cues = sentence[:4]
    trigger, start = cue.trigger, cue.last
    lists = word_lists("attributes/words_scopes")
    if (
        trigger.direction is not Direction.FORWARD
        and assertion is Assertion.HISTORICAL
        and words[start:last][:1] == [","]
    ):
        start += 1  # "In 2010, she had ..."
    end = min(last, _stopped(assertion, start, last, cues), _reached(words, start, last, trigger.reach))
    listing = words[cue.last - 1] in lists["listing"] or (start < last and words[start] == ":")
    end = _clause_end(sentence, start, end, assertion, listing)
    if assertion is Assertion.NEGATED:
        end = min(end, contrast_end(words, start, last, cues))
        if len(sentence.dashes) == 1 and "not" in words[cue.first : cue.last] and start <= sentence.dashes[0] < end:
            end = sentence.dashes[0]  # "not given - anuric"; what is denied by name may be a list, "no fever - chills"
        end = min(end, runs_on(words, start, end)) if loose else end
        end = denial_end(words, cue, (start, end, last), listing)
    if assertion is Assertion.HISTORICAL:
        end = past_end(words, cue, (start, end, last), cues)
    near = trigger.reach < FAR
    for i in range(start, end):
        word = words[i]
        if word == ")" and "(" not in words[start:i] and "(" in words[max(0, cue.first - _BRACKET) : cue.first]:
            return i
        if (
            word == ","
            and near
            and (
                assertion is Assertion.HYPOTHETICAL
                if i == start
                else lists["alternative"].isdisjoint(words[i + 1 : min(i + 8, end)])
            )
        ):
            return i  # "ondansetron prn, escitalopram daily"; a list with "or" or "vs" goes on
    return end


def _clause_end(sentence: SentenceWords, start: int, end: int, assertion: Assertion, listing: bool) -> int:
    """The first border of a clause that ends the scope; a list goes on past a semicolon, a condition past a verb."""
    words = sentence.words
    for border in sentence.borders:
        if border >= end:
            break
        if border < start or (border == start and words[border] not in (";", "and")):
            continue
        if words[border] == ";":
            goes_on = listing or assertion is Assertion.FAMILY
            if goes_on and not _is_statement(sentence, border):
                continue
        elif assertion is Assertion.HYPOTHETICAL:
            continue
        return border
    return end


def _is_statement(sentence: SentenceWords, border: int) -> bool:
    """Whether what follows a semicolon tells something of its own: by a verb, or as seen ("negative for stroke; sinusitis noted")."""
    words, last = sentence.words, sentence.last
    end = next((i for i in range(border + 1, last) if words[i] == ";"), last)
    observed = word_lists("attributes/words_clauses")["observed"]
    return clause_has_verb(words, sentence.first, border, last) or not observed.isdisjoint(words[border + 1 : end])


def _backward(sentence: SentenceWords, cue: Cue, first: int, assertion: Assertion, dated: bool) -> int:
    words, cues = sentence.words, sentence.cues
    lists = word_lists("attributes/words_scopes")
    verbs = word_lists("attributes/words_clauses")["verbs"]
    # "presented with pain in 2010": a date tells of what brought the patient then
    ending = (one for one in cues if one.last <= cue.first and assertion in one.trigger.ends)
    floor = max([first, *(one.last for one in ending if not (dated and one.trigger.brings))])
    near = dated or cue.trigger.reach < FAR
    content = 0
    for i in range(cue.first - 1, floor - 1, -1):
        word = words[i]
        if content and (word in (";", ":") or (near and word == ",") or (dated and word == "(")):
            return i + 1  # "hemoglobin 7.4 (was 13.1 in March)": the date is of what is in the bracket
        if content and word in lists["separators"]:
            if word == "," and words[first] in lists["introduces"] and "," not in words[first:i]:
                return i + 1  # "Given his fever, sepsis must be considered"
            shared = dated and word == "and" and verbs.isdisjoint(words[i + 1 : cue.first])
            shared = shared and not perfect(words, floor, i)  # "his sodium has dropped and an ulcer bled in 2010"
            if word == "," and assertion is Assertion.NEGATED and _measured(words, i, floor):
                return i + 1  # "cyclizine 50 mg TDS, ondansetron not needed"
            if not shared and _has_verb(words, i, floor, verbs):
                return i + 1  # but "had measles and chickenpox as a child" is one clause
        content += word[:1].isalnum()
        if content > cue.trigger.reach:
            return i + 1
    return floor


def _measured(words: Sequence[str], i: int, floor: int) -> bool:
    """Whether the item to the left of the separator at i holds a number, as a dose, a value or a year: it is told by itself."""
    start = next((j + 1 for j in range(i - 1, floor - 1, -1) if words[j] in (",", ";")), floor)
    return any(word[:1].isdigit() for word in words[start:i])


def _has_verb(words: Sequence[str], i: int, floor: int, verbs: frozenset[str]) -> bool:
    """Whether the stretch to the left of the separator at i, up to the one before, is a clause of its own."""
    for j in range(i - 1, floor - 1, -1):
        if words[j] in (",", ";"):
            return False
        if words[j] in verbs:
            return True
    return False


def _reached(words: Sequence[str], start: int, last: int, reach: int) -> int:
    if reach >= last - start:
        return last
    count = 0
    for i in range(start, last):
        count += words[i][:1].isalnum()
        if count > reach:
            return i
    return last


def _faces_on(words: Sequence[str], cue: Cue, first: int, last: int) -> bool:
    """Whether a cue of either side begins an item of a list, and so says nothing of the item before it."""
    return (
        cue.first > first and words[cue.first - 1] in (",", ";") and cue.last < last and words[cue.last][:1].isalpha()
    )
