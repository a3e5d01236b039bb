"""What a sentence denies: allergies at all, or one to something; and whether an allergies section could not be read.

A denial is a head ("no", "does not have"), general words, and a noun of allergies, with a tail ("to food or latex").
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.document.trigger_automaton import FoundTrigger

_FARTHEST = 12
"""Words that may stand between "no" and "allergies"."""
_MORE = 4


class Denial(NamedTuple):
    """A statement over tokens first to last that there is no allergy: none at all when general, else none to what it names."""

    first: int
    last: int
    general: bool
    rule_id: str


def denials(
    words: Sequence[str], triggers: Sequence[FoundTrigger], first: int, last: int, in_section: bool
) -> list[Denial]:
    """The denials of tokens first to last, in order, without overlap."""
    found: list[Denial] = []
    for trigger in triggers:
        event, one = trigger.row.event, None
        if found and trigger.first < found[-1].last:
            continue
        if event == "NO":
            one = _headed(words, trigger, last, in_section)
        elif event in ("NONE", "NOT_ALLERGIC"):
            end, tail = _tail(words, trigger.last, last)
            of_all = "general" in _kinds(tail) and not (tail and _is(tail[0], "pronoun"))
            one = Denial(trigger.first, end, event == "NONE" or not tail or of_all, trigger.row.rule_id)
        found += [one] if one else []
    if in_section:
        bare = _bare(words, first, last)
        if not bare and not found and ":" in words[first:last]:
            bare = _bare(words, max(i for i in range(first, last) if words[i] == ":") + 1, last)
        if bare and not any(one.first < bare.last and bare.first < one.last for one in found):
            found = sorted([*found, bare])
        found = [_of_label(words, one, first) for one in found]
    # "per the wife" and "at this time" belong to a denial
    return [
        one._replace(last=_end(words, one.last, last)) if one.last < last and _is(words[one.last], "stated") else one
        for one in found
    ]


def of_the_rest(words: Sequence[str], first: int, last: int) -> bool:
    """Whether a denial over tokens first to last is of all but what was told: "No other known allergies", "NKDA otherwise"."""
    return any(_is(word, "rest") for word in words[max(0, first - 1) : last + 1])


def begins_anew(words: Sequence[str], cue: int, first: int, last: int) -> bool:
    """Whether what is called an allergy over tokens first to last begins behind a comma, and is no part of what a cue before it denies.

    An adjective begins so ("not on any tablets, allergic to peanuts"), and so does anything where medicines are denied before the comma.
    """
    if list(words[first - 1 : first]) != [","]:
        return False
    denied = words[cue : first - 1]
    of_medicines = any(_is(word, "medicines") for word in denied)
    return "described" in _kinds(words[first:last]) or (of_medicines and "," not in denied)


def outside(first: int, last: int, taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The stretches of first to last that none of the taken ones covers."""
    at = first
    for left, right in sorted(taken):
        if at < left:
            yield at, left
        at = max(at, right)
    if at < last:
        yield at, last


def unreadable(words: Sequence[str], first: int, last: int) -> bool:
    """Whether a sentence of an allergies section, which names nothing, says that the allergies could not be found out."""
    table = phrases("lists")
    plain = [word for word in words[first:last] if word[:1].isalnum() or word in "'/"]
    if not plain:
        return not {"?", "_"}.isdisjoint(words[first:last])
    marks = table.found(plain, 0, len(plain))
    begins = marks and marks[0].first == 0 and "unreadable_whole" in marks[0].kinds
    if begins and (marks[0].last == len(plain) or list(words[first + 1 : first + 2]) == [","]):
        return True
    elsewhere = all("elsewhere" in table.of(word) for word in plain) and "place" in _kinds(plain)
    return elsewhere or any("unreadable" in one.kinds for one in marks)


def _headed(words: Sequence[str], head: FoundTrigger, last: int, in_section: bool) -> Denial | None:
    """A denial by its head: "no known drug allergies", "denies any reaction to penicillin"."""
    noun, named, told = -1, False, list[str]()
    for i in range(head.last, min(last, head.last + _FARTHEST)):
        word, kinds = words[i], _kinds(words[i : i + 1])
        if "called" in kinds or ("problem" in kinds and named):
            noun = i
            break
        if kinds & {"stop", "breaks"} or (word == "no" and i > head.last):
            return None
        if word == "," and told and _is(told[-1], "medicines") and _ROW.isdisjoint(_to_noun(words, i + 1, last)):
            return None  # "no regular medicines, penicillin allergy"
        if word in _JOINS:
            named = False
        elif word.isalnum():
            named = named or not kinds & {"general", "about"}
            told.append(word)
    if noun > head.last and list(words[noun : noun + 2]) == ["allergic", "to"]:
        return None  # "no fever allergic to penicillin"
    if noun < 0:
        stop = _end(words, head.last, last)
        of_all = in_section and head.last - head.first > 1 and not _names_after(words, head.last, stop)
        return Denial(head.first, stop, True, head.row.rule_id) if of_all else None
    end = noun + 1
    while (more := _more(words, end, last)) > end:
        end = more
    if list(words[end : end + 2]) == ["on", "file"] or (end < last and _is(words[end], "not_own")):
        return None
    stop, tail = _tail(words, end, last)
    known = _kinds((*told, *tail))
    if words[noun].startswith("react") and not (known & {"thing", "about"} or (in_section and tail)):
        return None
    general = not named and (not tail or "thing" in _kinds(told) or "general" in _kinds(tail))
    things = [word for word in (*told, *tail) if word.isalnum() and word not in _JOINS and not _is(word, "lead")]
    if things and all(_is(word, "surroundings") for word in things):
        general = False  # "no allergies to food or latex": of medicines nothing is said
    return Denial(head.first, stop, general, head.row.rule_id)


def _to_noun(words: Sequence[str], at: int, last: int) -> Sequence[str]:
    """The words from a place to the noun of allergies behind it."""
    return words[at : next((i for i in range(at, last) if _is(words[i], "called")), last)]


def _more(words: Sequence[str], at: int, last: int) -> int:
    """The end of ", food allergies", "or intolerances" or ", latex allergies" at a place, or the place."""
    i = at
    while i < last and words[i] in _JOINS | {"nor", "&"}:
        i += 1
    if i == at or (i < last and _is(words[i], "stop")):
        return at
    j = i
    while j < last and j - i < _MORE and (_kinds(words[j : j + 1]) & {"general", "about"} or words[j] in _JOINS):
        if _is(words[j], "called"):
            break
        j += 1
    named = j + (j + 1 < last and not _is(words[j], "called") and words[j].isalpha())
    return named + 1 if named < last and _is(words[named], "called") else at


def _tail(words: Sequence[str], at: int, last: int) -> tuple[int, Sequence[str]]:
    """The end of "to X, Y or Z" after a denial, and the words it names."""
    i = at
    while i < last and _is(words[i], "trailing"):
        i += 1
    if i >= last or words[i] not in ("to", "with", "of", "from"):
        return at, ()
    j = i + 1
    while j < last and not _is(words[j], "stop") and words[j] not in _MARKS:
        if words[j] == "," and j + 1 < last and _is(words[j + 1], "stop"):
            break
        j += 1
    return j, words[i + 1 : j]


def _bare(words: Sequence[str], first: int, last: int) -> Denial | None:
    """A sentence that begins with an answer: "None.", "The patient denies.", "Reviewed: nil of note."."""
    begin = first
    while begin < last and not _is(words[begin], "none"):
        leads = _kinds(words[begin : begin + 1]) & {"filler", "noise", "thing", "teller"}
        if not leads and (words[begin][:1].isalnum() or words[begin] == "?"):
            return None
        begin += 1
    if begin >= last or (words[begin] in _OPEN_ANSWERS and _names_after(words, begin + 1, last)):
        return None
    at = begin + 1
    at += words[at : at + 1] == ["-"]  # "non-contributory"
    end = _end(words, at, last)
    if any(word.isalpha() and not _kinds([word]) & _OF_ANSWERS for word in words[at:end]):
        return None
    things = [word for word in words[first:begin] if _is(word, "thing")]
    # "Foods nil" says nothing of medicines
    of_all = not things or not all(_is(word, "surroundings") for word in things)
    return Denial(begin, end, of_all, "allergies/lists/none")


def _of_label(words: Sequence[str], one: Denial, first: int) -> Denial:
    """A denial with the label that it answers: "Latex: no" denies latex alone, "Drugs: no" all."""
    begin = colon = one.first - 1
    while begin > first and words[begin - 1].isalpha():
        begin -= 1
    label = words[begin:colon]
    if colon < first or words[colon] != ":" or not label:
        return one
    if _kinds(label) - _OF_THINGS:
        return one
    return one._replace(first=begin, general=False)


def _names_after(words: Sequence[str], at: int, last: int) -> bool:
    return any(not _kinds([word]) & _NO_NAMES for word in words[at : _end(words, at, last)])


def _end(words: Sequence[str], at: int, last: int) -> int:
    """Where what begins at a place ends: at a mark, a comma or a word of another sentence."""
    return next((i for i in range(at, last) if words[i] in _MARKS or words[i] == "," or _is(words[i], "stop")), last)


def _is(word: str, kind: str) -> bool:
    return kind in phrases("lists").of(word)


def _kinds(words: Sequence[str]) -> frozenset[str]:
    return frozenset().union(*map(phrases("lists").of, words))


_OF_THINGS = frozenset(("general", "surroundings", "loose"))
"""The kinds of latex, contrast, antibiotics and other things one can react to."""
_JOINS = frozenset((",", "/", "or", "and"))
_ROW = _JOINS | {"nor", "&"}
_MARKS = frozenset((".", ";", "(", ")", ":", "\n", "-", "|", '"'))
_OPEN_ANSWERS = frozenset(("no", "denies", "denied", "deny", "not"))
_NO_NAMES = frozenset(("filler", "general", "thing", "called", "teller", "none"))
_OF_ANSWERS = _NO_NAMES | {"elsewhere", "empty", "noise"}
