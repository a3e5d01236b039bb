"""What a sentence denies: allergies at all, or one to something; and whether an allergies section could not be read.

A denial is a head ("no", "does not have"), general words, and a noun of allergies, with a tail ("to food or latex").
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.document.trigger_automaton import FoundTrigger

_FARTHEST = 12
"""Words that may stand between "no" and "allergies"."""


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
        if found and trigger.first < found[-1].last:
            continue
        if trigger.row.event == "NONE":
            end, _ = _tail(words, trigger.last, last)
            found.append(Denial(trigger.first, end, True, trigger.row.rule_id))
        elif trigger.row.event == "NO" and (one := _headed(words, trigger, last, in_section)):
            found.append(one)
        elif trigger.row.event == "NOT_ALLERGIC":
            end, tail = _tail(words, trigger.last, last)
            general = not tail or _any(words, tail, "general")
            general = general and not (tail and _is(words[tail[0]], "pronoun"))
            found.append(Denial(trigger.first, end, general, trigger.row.rule_id))
    bare = _bare(words, first, last) if in_section else None
    if in_section and not bare and not found and ":" in words[first:last]:
        bare = _bare(words, max(i for i in range(first, last) if words[i] == ":") + 1, last)
    if bare and not any(one.first < bare.last and bare.first < one.last for one in found):
        found = sorted([*found, bare])
    if in_section:
        found = [_of_label(words, one, first) for one in found]
    return [one._replace(last=_stated(words, one.last, last)) for one in found]


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
        return any(word in ("?", "_") for word in words[first:last])
    if table.of(" ".join(plain)) & {"unreadable_whole"}:
        return True
    if "unreadable_whole" in table.of(words[first]) and last - first > 1 and words[first + 1] == ",":
        return True
    marks = table.found(plain, 0, len(plain))
    if any("unreadable_whole" in one.kinds and one.last - one.first == len(plain) for one in marks):
        return True
    if any("unreadable" in one.kinds for one in marks):
        return True
    only = all("elsewhere" in table.of(word) for word in plain)
    return only and any("place" in table.of(word) for word in plain)


def _headed(words: Sequence[str], head: FoundTrigger, last: int, in_section: bool) -> Denial | None:
    table = phrases("lists")
    noun = named = thing = -1
    i = head.last
    between: list[str] = []
    before: list[str] = []
    while i < last and i - head.last < _FARTHEST:
        word = words[i]
        kinds = table.of(word)
        if i > head.last and list(words[i : i + 2]) == ["allergic", "to"]:
            return None  # "no fever allergic to penicillin"
        if "called" in kinds or ("problem" in kinds and named >= 0):
            noun = i
            break
        if kinds & {"stop", "breaks"} or (word == "no" and i > head.last):
            return None
        if word.isalnum():
            between.append(word)
            before += [word] if word not in ("or", "and") else []
            if not kinds & {"general", "about"}:
                named = i
            if "thing" in kinds:
                thing = i
        if word in (",", "/", "or", "and"):
            named = -1
            between = []
        i += 1
    if noun < 0:
        stop = next((k for k in range(head.last, last) if words[k] in _MARKS or words[k] == ","), last)
        if in_section and head.last - head.first > 1 and not _names_after(words, head.last, stop):
            return Denial(head.first, stop, True, head.row.rule_id)
        return None
    end = noun + 1
    while (more := _more(words, end, last)) > end:
        end = more
    if end < last and (_is(words[end], "not_own") or list(words[end : end + 2]) == ["on", "file"]):
        return None
    stop, tail = _tail(words, end, last)
    if words[noun].startswith("react") and not (
        (in_section and tail)
        or thing >= 0
        or _any(words, tail, "thing")
        or any("about" in table.of(w) for w in between)
    ):
        return None
    general = named < 0 and (thing >= 0 or not tail or _any(words, tail, "general"))
    told = [*before, *(words[tail[0] : tail[1]] if tail else ())]
    things = [word for word in told if word.isalnum() and "lead" not in table.of(word)]
    if things and all("surroundings" in table.of(word) for word in things):
        general = False  # "no allergies to food or latex": of medicines nothing is said
    return Denial(head.first, stop, general, head.row.rule_id)


def _more(words: Sequence[str], at: int, last: int) -> int:
    """The end of ", food allergies" or "or intolerances" at a place, or the place."""
    table = phrases("lists")
    i = at
    while i < last and words[i] in (",", "/", "or", "and", "nor", "&"):
        i += 1
    if i == at or (i < last and _is(words[i], "stop")):
        return at
    j = i
    while (
        j < last
        and j - i < 4
        and (table.of(words[j]) & {"general", "about"} or words[j] in ("or", "and", "/"))
        and "called" not in table.of(words[j])
    ):
        j += 1
    if j < last and "called" in table.of(words[j]):
        return j + 1
    # "latex allergies": a name before the noun
    joined = "or" in words[at:i] or "nor" in words[at:i] or words[at] == ","
    if joined and j + 1 < last and "called" in table.of(words[j + 1]) and words[j].isalpha():
        return j + 2
    return at


def _tail(words: Sequence[str], at: int, last: int) -> tuple[int, tuple[int, int] | None]:
    """The end of "to X, Y or Z" after a denial, and the words it names."""
    i = at
    while i < last and _is(words[i], "trailing"):
        i += 1
    if i >= last or words[i] not in ("to", "with", "of", "from"):
        return at, None
    j = i + 1
    while j < last and not _is(words[j], "stop") and words[j] not in _MARKS:
        if words[j] == "," and j + 1 < last and _is(words[j + 1], "stop"):
            break
        j += 1
    return j, (i + 1, j)


def _stated(words: Sequence[str], at: int, last: int) -> int:
    """Where "per the wife" or "at this time" ends after a denial."""
    if at < last and _is(words[at], "stated"):
        while at < last and words[at] not in _MARKS and words[at] != "," and not _is(words[at], "stop"):
            at += 1
    return at


def _bare(words: Sequence[str], first: int, last: int) -> Denial | None:
    """A sentence that begins with an answer: "None.", "The patient denies.", "Reviewed: nil of note."."""
    table = phrases("lists")
    i = first
    while (
        i < last
        and (
            (not words[i][:1].isalnum() and words[i] not in ("?",))
            or table.of(words[i]) & {"filler", "noise", "thing", "teller"}
        )
        and "none" not in table.of(words[i])
    ):
        i += 1
    if (
        i >= last
        or "none" not in table.of(words[i])
        or (words[i] in ("no", "denies", "denied", "deny", "not") and _names_after(words, i + 1, last))
    ):
        return None
    begin = i
    i += 1
    i += i < last and words[i] == "-"  # "non-contributory"
    while i < last and words[i] not in _MARKS and not _is(words[i], "stop") and words[i] != ",":
        if (
            not table.of(words[i])
            & {"filler", "general", "thing", "elsewhere", "called", "teller", "none", "empty", "noise"}
            and words[i].isalpha()
        ):
            return None
        i += 1
    return Denial(begin, i, True, "allergies/lists/none")


def _of_label(words: Sequence[str], one: Denial, first: int) -> Denial:
    """A denial with the label that it answers: "Latex: no" denies latex alone, "Drugs: no" all."""
    begin = one.first - 1
    while begin > first and words[begin - 1].isalpha():
        begin -= 1
    label = words[begin : one.first - 1]
    if one.first <= first or words[one.first - 1] != ":" or not label:
        return one
    if any(phrases("lists").of(word) - _THINGS for word in label):
        return one
    return one._replace(first=begin, general=False)


def _names_after(words: Sequence[str], at: int, last: int) -> bool:
    table = phrases("lists")
    while at < last and words[at] not in _MARKS and not _is(words[at], "stop") and words[at] != ",":
        if not table.of(words[at]) & {"filler", "general", "thing", "called", "teller", "none"}:
            return True
        at += 1
    return False


def _any(words: Sequence[str], span: tuple[int, int] | None, kind: str) -> bool:
    return span is not None and any(kind in phrases("lists").of(word) for word in words[span[0] : span[1]])


def _is(word: str, kind: str) -> bool:
    return kind in phrases("lists").of(word)


_THINGS = frozenset(("general", "surroundings"))
"""Kinds of words that name something one can react to: latex, contrast."""
_MARKS = frozenset((".", ";", "(", ")", ":", "\n", "-", "|", '"'))
