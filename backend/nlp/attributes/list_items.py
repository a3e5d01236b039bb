"""Items of lists that carry their own mark: signs ("cough (-)"), answers ("Fever: no"), what trails ("GERD hx"), bare years.

Takes words of one sentence. How far other triggers reach, scopes decides.
"""

from collections.abc import Sequence

from backend.nlp.attributes.triggers import Cue, Event, Scope
from backend.nlp.document.clauses import timed
from backend.nlp.document.tokens import WordTest
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.vocabulary import Assertion

_LIST = "attributes/words_scopes"
MINUS, YEAR = "attributes/minus", "attributes/year"
_ITEM_ENDS = frozenset((",", ";", ".", "\n", "(", ")", ":"))
_AFTER_ANSWER = frozenset((",", ";", ".", ")", "\n"))
_SHORT_ITEM = 4
_FIRST_YEAR, _LAST_YEAR = "1940", "2099"
YEARS = WordTest(lambda word: len(word) == len(_LAST_YEAR) and word.isdigit() and _FIRST_YEAR <= word <= _LAST_YEAR)
SIGNS = WordTest(lambda word: word in ("+", "-"))
DASHES = WordTest(lambda word: word in ("-", "\u2013", "\u2014"))


def item_start(words: Sequence[str], i: int, first: int) -> int:
    """Where the item of a list that ends before i begins."""
    while i > first and words[i - 1] not in _ITEM_ENDS:
        i -= 1
    return i


def answers(words: Sequence[str], cue: Cue, first: int, last: int) -> bool:
    """Whether a cue is the answer after an item: "Fever: no", "chills - denies", "rash (none)", "Fever no, chills yes"."""
    lists = word_lists(_LIST)
    said = words[cue.last - 1]
    if cue.trigger.event is not Event.NEGATED or said not in lists["answers"] or cue.first <= first:
        return False
    before = words[cue.first - 1]
    ends = cue.last >= last or words[cue.last] in _AFTER_ANSWER
    lasts = said == "none" and (
        words[cue.last : cue.last + 1] == ["for"] or timed(words, cue.last, min(cue.last + 3, last))
    )
    # A form in one line: "Chest pain: No  Dyspnea: No"
    form = before == ":" and ":" in words[cue.last : min(cue.last + _SHORT_ITEM, last)]
    if not (ends or form or lasts):
        return False
    if before in lists["before_answer"]:
        return cue.first - 1 > first
    item = words[item_start(words, cue.first, first) : cue.first]
    verbs = word_lists("attributes/words_clauses")["verbs"]
    return (
        (lasts or said in lists["bare_answers"])
        and 0 < len(item) <= _SHORT_ITEM
        and not any(word in verbs and word != "s" for word in item)
        and item[-1].isalpha()
    )


def trails(words: Sequence[str], cue: Cue, first: int, last: int) -> bool:
    """Whether "history" or "possible" stands after what it is said of: "GERD hx.", "adrenal insufficiency possible"."""
    i, event = cue.first, cue.trigger.event
    if i <= first or not words[i - 1][:1].isalpha():
        return False
    if cue.last < last and words[cue.last] not in (".", ",", ";", "\n"):
        return False
    lists = word_lists(_LIST)
    if event is Event.UNCERTAIN and words[cue.last - 1] in lists["doubts"]:
        return cue.last == i + 1 or (cue.last == i + 2 and words[i] in lists["degrees_of_doubt"])  # "PE less likely."
    alone = event is Event.HISTORICAL and cue.last == i + 1 and words[i] in lists["histories"]
    return alone and words[i - 1] not in lists["kinds_of_history"]


def is_link(words: Sequence[str], cue: Cue, last: int) -> bool:
    """Whether a doubt links a sign to its cause, and so is of what follows: "this is likely gout"; not "gout is likely today"."""
    if cue.trigger.event is not Event.UNCERTAIN or words[cue.last - 1] not in ("likely", "probably", "possibly"):
        return False
    following = words[cue.last] if cue.last < last else ""
    return following[:1].isalpha() and following not in word_lists(_LIST)["after_doubt"]


def years(words: Sequence[str], first: int, last: int, places: Sequence[int]) -> list[Scope]:
    """A year set right after what happened then: "appendectomy 2015," is history. places: where the sentence has years."""
    result: list[Scope] = []
    lists = word_lists(_LIST)
    for i in places:
        if i == first or not words[i - 1].isalpha() or words[i - 1] in lists["no_event"]:
            continue
        start = item_start(words, i, first)
        ends = i + 1 >= last or words[i + 1] in _AFTER_ANSWER
        verbs = word_lists("attributes/words_clauses")["verbs"]
        if ends and not any(word in lists["onset"] or word in verbs for word in words[start:i]):
            result.append(Scope(Assertion.HISTORICAL, start, i, i, i + 1, YEAR))
    return result


def sign_scopes(words: Sequence[str], first: int, last: int, places: Sequence[int], free: Sequence[int]) -> list[Scope]:
    """The scopes of minus signs. A minus before a single item may be the bullet of a list; it counts where signs are used as signs.

    Args:
        words: of the whole text.
        first: the sentence's first word.
        last: the word after its last.
        places: where it has signs, other than as its last word.
        free: those where a sign is set to the word after it and apart from the one before ("-fever").
    """
    if not places:
        return []
    bracketed = [i for i in places if i > first and words[i - 1] == "(" and words[i + 1] == ")"]
    return _glued(words, first, last, places, free) + _bracketed(words, first, last, bracketed)


def _glued(words: Sequence[str], first: int, last: int, places: Sequence[int], free: Sequence[int]) -> list[Scope]:
    listed = [i for i in places if words[i + 1][:1].isalpha() and (i == first or words[i - 1] in (",", ";", ":", "\n"))]
    signed = sorted({*listed, *free})
    plus = any(words[i] == "+" for i in signed)
    inner = sum(words[i] == "-" and i > first and words[i - 1] != "\n" for i in free)
    result = []
    for i in signed:
        after_comma = i in free and i > first and words[i - 1] in (",", ";")
        if words[i] == "-" and (plus or after_comma or len(signed) > 2 or inner > 1):
            ends = (j for j in range(i + 1, last) if words[j] in (",", ";", "+", "\n", ".") or j in signed)
            result.append(Scope(Assertion.NEGATED, i + 1, next(ends, last), i, i + 1, MINUS))
    return result


def _bracketed(words: Sequence[str], first: int, last: int, marks: Sequence[int]) -> list[Scope]:
    # Where the first mark leads a list, each of them does, up to the next mark.
    leads = bool(marks) and (marks[0] - 1 == first or words[marks[0] - 2] in (":", "\n"))
    result = []
    for i in marks:
        if words[i] != "-":
            continue
        if leads or words[i - 2] in (",", ";", ":", "\n"):
            stops = (";", "(", "\n", ".") if leads else (",", ";", "(", "\n", ".")
            end = next((j for j in range(i + 2, last) if words[j] in stops), last)
            result.append(Scope(Assertion.NEGATED, i + 2, end, i, i + 1, MINUS))
        else:
            result.append(Scope(Assertion.NEGATED, item_start(words, i - 1, first), i - 1, i, i + 1, MINUS))
    return result
