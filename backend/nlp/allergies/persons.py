"""Which parts of a sentence tell of somebody else's reaction: a relative's, a spouse's, a friend's, a pet's.

A person who only speaks ("his mother says he swelled up") tells of the patient; so does one who is called by the speaker what the
patient is to them ("her daughter recalls that her mother nearly died").
"""

from collections.abc import Sequence

from backend.nlp.allergies.allergy_wording import Wording, phrases

_INVERSE = {"child": "parent", "parent": "child", "spouse": "spouse", "sibling": "sibling"}


def of_others(wording: Wording, first: int, last: int) -> list[tuple[int, int]]:
    """The stretches of tokens first to last that tell of somebody else, in order."""
    words = wording.words
    if not wording.persons.within(first, last) and "family" not in words[first:last]:
        return []
    table = phrases("persons")
    found: list[tuple[int, int]] = []
    spoken: str | None = None
    i = first
    while i < last:
        kinds = table.of(words[i]) & frozenset(("parent", "child", "spouse", "sibling", "other"))
        if words[i] == "family" and i + 1 < last and words[i + 1] == "history":
            kinds = frozenset(("other",))
        if "pet" in table.of(words[i]) and not (i > first and words[i - 1] in ("her", "his", "my", "their", "our")):
            kinds = frozenset()
        if not kinds:
            i += 1
            continue
        kind = next(iter(kinds))
        end = _other(words, i, first, last)
        if end is None:
            spoken = spoken or kind
            i += 1
        elif spoken and _INVERSE.get(spoken) == kind:
            i += 1
        else:
            begin = i
            while (
                begin > first
                and words[begin - 1] not in (";", ",", ".", "\n", "-", "\u2013", "\u2014")
                and not table.of(words[begin - 1]) & {"contrast", "reason"}
                and words[begin - 1] != "that"
            ):
                begin -= 1
            found.append((begin, end))
            i = end
    return found


def others_alone(words: Sequence[str], first: int, last: int) -> bool:
    """Whether a sentence names a person who is not the patient, and none who speaks."""
    table = phrases("persons")
    persons = [i for i in range(first, last) if table.of(words[i]) & {"parent", "child", "spouse", "sibling"}]
    return bool(persons) and not any("tells" in table.of(word) for i in persons for word in words[i + 1 : i + 3])


def _other(words: Sequence[str], at: int, first: int, last: int) -> int | None:
    """Where what is told of the person at a place ends; None where the person speaks, owns what the patient took, or is beside the patient."""
    table = phrases("persons")
    if (
        at > first + 1
        and words[at - 2] in ("and", "with")
        and "patient" in table.of(words[at - 3] if at - 3 >= first else "")
    ):
        return None  # "she and her sister both get hives"
    if (at > first and words[at - 1] in ("per", "to", "with", "by")) or (
        at > first + 1 and words[at - 2] in ("per", "to", "by", "with")
    ):
        return None
    i = at + 1
    other = "other" in table.of(words[at])
    if ":" in words[i : min(last, i + 4)]:
        return None  # "Sister at bedside: ..."
    if _unowned(words, at, first):
        return None
    if i < last and words[i] == "'":
        if other and "exposed" not in _taken(words, at, first):
            return _end(words, at, last)
        if i + 3 < last and words[i + 2] in ("reaction", "allergy", "rash", "allergies", "hives"):
            return _end(words, at, last)
        return None
    if i < last and words[i] == "history":
        return _end(words, at, last)
    while i < last and ("passed" in table.of(words[i])):
        i += 1
    if other and i + 1 < last and "tells" in table.of(words[i]) and words[i + 1] in ("me", "us"):
        return _end(words, at, last)
    if i + 2 < last and "tells" in table.of(words[i]) and words[i + 2] == "own":
        return _end(words, at, last)  # "mother reports her own rash"
    if i >= last or "tells" in table.of(words[i]) or words[i] in (",", ":", ")", "."):
        return None if not _harmed(words, at, first) else _end(words, at, last)
    if i + 1 < last and words[i] in ("is", "was") and "tells" in table.of(words[i + 1]):
        return None
    if i + 1 < last and words[i + 1] in ("him", "her") and words[i] in ("took", "gave", "brought", "found"):
        return None
    if words[i] == "gave":
        return None  # "hives all over mom gave benadryl"
    if words[i] in ("and",) and i + 1 < last and "patient" in table.of(words[i + 1]):
        return None
    if i + 1 < last and words[i + 1] in ("own",):
        return _end(words, at, last)
    return _end(words, at, last)


def _unowned(words: Sequence[str], at: int, first: int) -> bool:
    """Whether one who speaks calls the patient so: "he says that Mum was given it"; not "says that his mother was"."""
    table = phrases("persons")
    i = at - 1 - (at > first and words[at - 1] == "that")
    return i > first and "parent" in table.of(words[at]) and "tells" in table.of(words[i])


def _taken(words: Sequence[str], at: int, first: int) -> frozenset[str]:
    """The kinds of the words before a person who owns what the patient took: "licked a friend's spoon"."""
    return frozenset().union(*(phrases("effects").of(word) for word in words[max(first, at - 3) : at]))


def _harmed(words: Sequence[str], at: int, first: int) -> bool:
    table = phrases("persons")
    return any("harmed" in table.of(word) for word in words[max(first, at - 3) : at])


def _end(words: Sequence[str], at: int, last: int) -> int:
    table = phrases("persons")
    for i in range(at + 1, last):
        if "contrast" in table.of(words[i]) and i > at + 1:
            return i
        if words[i] == "," and i + 1 < last:
            j = i + 1 + (words[i + 1] in ("and", "so"))
            if j < last and "patient" in table.of(words[j]) and not _same(words[at], words[j]):
                return i
    return last


def _same(person: str, pronoun: str) -> bool:
    """Whether a pronoun may stand for the person."""
    return pronoun == ("he" if "man" in phrases("persons").of(person) else "she")
