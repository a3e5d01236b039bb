"""Which parts of a sentence tell of somebody else's reaction: a relative's, a spouse's, a friend's, a pet's.

A person who only speaks ("his mother says he swelled up") tells of the patient; so does one who is called by the speaker what the
patient is to them ("her daughter recalls that her mother nearly died").
"""

from collections.abc import Sequence

from backend.nlp.allergies.allergy_wording import Wording, phrases

_INVERSE = {"child": "parent", "parent": "child", "spouse": "spouse", "sibling": "sibling"}
_OTHERS = frozenset((*_INVERSE, "other"))
_OWNED = frozenset(("her", "his", "my", "their", "our"))
_OF_SPEAKER = frozenset(("per", "to", "with", "by"))
_REACTIONS = frozenset(("reaction", "allergy", "rash", "allergies", "hives"))
_BORDERS = frozenset((";", ",", ".", "\n", "-", "\u2013", "\u2014", "that"))
_IN_FAMILY = (["in", "the"], ["in", "her"], ["in", "his"], ["in", "their"])
_ENDS = frozenset((",", ":", ")", "."))
_CARED = frozenset(("took", "gave", "brought", "found"))


def of_others(wording: Wording, first: int, last: int) -> list[tuple[int, int]]:
    """The stretches of tokens first to last that tell of somebody else, in order."""
    words = wording.words
    if not wording.persons.within(first, last) and "family" not in words[first:last]:
        return []
    found: list[tuple[int, int]] = []
    spoken: str | None = None
    at = first
    for i in range(first, last):
        kinds = _kinds(words[i])
        others = kinds & _OTHERS
        if words[i] == "family" and words[max(first, i - 2) : i] in _IN_FAMILY:
            others = frozenset(("other",))
        if "pet" in kinds and (i == first or words[i - 1] not in _OWNED):
            others = frozenset()
        if words[i : i + 2] == ["family", "history"]:
            others = frozenset(("other",))
        if i < at or not others:
            continue
        kind = next(iter(others))
        end = i + 1 if _in_whom(words, i, first) else _other(words, i, first, last)
        if end is None:
            spoken = spoken or kind
        elif not (spoken and _INVERSE.get(spoken) == kind):
            begin = i
            while begin > first and words[begin - 1] not in _BORDERS and not _kinds(words[begin - 1]) & _TURNS:
                begin -= 1
            found.append((begin, end))
            at = end
    return found


def others_alone(words: Sequence[str], first: int, last: int) -> bool:
    """Whether a sentence names a person who is not the patient, and none who speaks."""
    persons = [i for i in range(first, last) if _kinds(words[i]) & _INVERSE.keys()]
    return bool(persons) and not any("tells" in _kinds(word) for i in persons for word in words[i + 1 : i + 3])


def _in_whom(words: Sequence[str], at: int, first: int) -> bool:
    """Whether an allergy or a reaction right before says that it is in the person at a place: "egg allergy in the family"."""
    begin = at
    while begin > first and (words[begin - 1] in _OWNED or words[begin - 1] == "the"):
        begin -= 1
    named = words[begin - 2 : begin - 1] if begin - 2 >= first and words[begin - 1] == "in" else []
    return not _REACTIONS.isdisjoint(named) or words[max(first, begin - 2) : begin] in (["runs", "in"], ["run", "in"])


def _other(words: Sequence[str], at: int, first: int, last: int) -> int | None:
    """Where what is told of the person at a place ends; None where the person speaks, owns what the patient took, or is beside the patient."""
    before = words[max(first, at - 3) : at]
    beside = len(before) > 2 and before[-2] in ("and", "with") and "patient" in _kinds(before[0])
    speaks_of = before[:-1] if before[-1:] == ["that"] else before  # "he says that Mum was given it"
    called = len(speaks_of) > 1 and "parent" in _kinds(words[at]) and "tells" in _kinds(speaks_of[-1])
    speaks_to = not _OF_SPEAKER.isdisjoint(before[-2:]) and "harmed" not in _kinds(
        before[0]
    )  # "prescribed to her brother"
    if beside or called or speaks_to or ":" in words[at + 1 : min(last, at + 4)]:
        return None  # "she and her sister both get hives", "per her mother", "Sister at bedside: ..."
    told, end = "other" in _kinds(words[at]), _end(words, at, last)
    i = at + 1
    if words[i : min(i + 1, last)] == ["'"]:  # not "licked a friend's spoon"
        taken = any("exposed" in phrases("effects").of(word) for word in before)
        return end if (told and not taken) or not _REACTIONS.isdisjoint(words[i + 2 : min(i + 3, last)]) else None
    while i < last and "passed" in _kinds(words[i]):
        i += 1
    word, after = (words[i], words[i + 1 : min(i + 2, last)]) if i < last else (".", [])
    speaks = "tells" in _kinds(word)
    if speaks and ((told and after in (["me"], ["us"])) or words[i + 2 : min(i + 3, last)] == ["own"]):
        return end  # "mother reports her own rash"
    if word != "history" and (speaks or word in _ENDS):
        return end if any("harmed" in _kinds(one) for one in before) else None
    about = word in ("is", "was") and any("tells" in _kinds(one) for one in after)
    joined = word == "and" and any("patient" in _kinds(one) for one in after)
    if about or joined or word == "gave" or (word in _CARED and after in (["him"], ["her"])):
        return None  # "hives all over mom gave benadryl"
    return end


def _end(words: Sequence[str], at: int, last: int) -> int:
    """Where what is told of a person ends: where the patient is told of again."""
    he = "he" if "man" in _kinds(words[at]) else "she"
    for i in range(at + 1, last):
        if i > at + 1 and "contrast" in _kinds(words[i]):
            return i
        j = i + 1 + (words[i + 1 : i + 2] in (["and"], ["so"]))
        if words[i] == "," and j < last and "patient" in _kinds(words[j]) and words[j] != he:
            return i
    return last


def _kinds(word: str) -> frozenset[str]:
    return phrases("persons").of(word)


_TURNS = frozenset(("contrast", "reason"))
