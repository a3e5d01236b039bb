"""What a test showed as one plain sentence ("Your CT scan of the chest showed a small lump.").

A result is told in a frame of assets/rules/letter/result_frames.tsv. What of it a patient could not read is not told, and nothing of a
denial is told alone; a test whose name is not plain is left to the team.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from backend.generation.letter.found.found_line import FoundLine
from backend.generation.letter.plain_language.letter_words import lists
from backend.nlp.findings.result_words import Verdict
from backend.nlp.findings.results import Result
from backend.nlp.rules import RULES, rule_rows

_LONGEST, _LONGEST_NAME = 34, 9
"""Words of what a test showed, and of its name."""
_WHOSE = re.compile(r"\b(?:(?:the )?patient['’]s|his|her|their|the patient’s)\b", re.IGNORECASE)
_OWNER = re.compile(r"^(?:the )?patient['’]s ", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:he|she|it|they|him|we|i|this|these|those|your team|patient|above|below|follow\w*)\b", re.IGNORECASE
)
_NO_ARTICLE = re.compile(r"\bno (?:an?|the) ")
_SITED = re.compile(
    r"^(CT|CT scan|MRI|MRI scan|CTA|x-ray|ultrasound) (head|brain|chest|neck|spine)$",
    re.IGNORECASE,
)
"""A test with its place behind it: "CT head"."""
_LEAD = re.compile(
    r"^(?:(?:the|some|also|only|again|just|now|evidence of|findings? of|there (?:is|was)) )+", re.IGNORECASE
)
_SIGNS = re.compile(r"\b(no )?(?:definite |clear |obvious )?evidence (?:of|for)\b", re.IGNORECASE)
_PIECES = re.compile(r", (?:and )?| and (?=(?:also|an?|some)\b)")
_LAST_NO = re.compile(r",? (?<!and )(no sign of [^,]*)$")
_HEAD = re.compile(r" (?:of\b|\()")
_AMOUNT = re.compile(r"\blevels?$")
_LISTED = re.compile(r",? and (?=[^,]*$)")

Plainly = Callable[[str, int], str]
"""Says words of the note, with where they begin, in plain words."""
Readable = Callable[[str], bool]


def test_lines(
    found: Sequence[Result], note: str, your: str, said: Plainly, is_plain: Readable, is_spelled: Readable
) -> Iterator[tuple[Result, str, FoundLine | None]]:
    """Yield each result with the plain name of its test, and its sentence; with None where it cannot be put in plain words, or the note has it in two ways.

    Args:
        found: of the note.
        note: its text.
        your: whose the test is: "Your", "Your child's".
        said: puts words of the note plainly.
        is_plain: whether a patient can read words.
        is_spelled: whether they have no short form either, of which a telegram is full.
    """
    names = [_name(note[one.test[0] : one.test[1]], one.test[0], said, is_plain) for one in found]
    same: dict[tuple[str, str], list[Result]] = {}
    for one, name in zip(found, names, strict=True):
        same.setdefault((name.lower(), one.date), []).append(one)
    for one, name in zip(found, names, strict=True):
        readable = is_spelled if one.bare else is_plain
        told = (
            _line(one, name, note, your, said, readable)
            if name and not _is_in_two_ways(one, same[name.lower(), one.date], note)
            else None
        )
        if one.verdict is Verdict.AGAINST and _AMOUNT.search(name):
            name, told = "", None  # a level is high or low; one that is "negative" tells that nothing was taken
        yield one, f"{name} of {one.date}" if name and one.date else name, told


def _is_in_two_ways(one: Result, same: Sequence[Result], note: str) -> bool:
    """Whether a note has what a test showed in two ways: normal and not, or a thing found and not found."""

    def named(of: Result) -> set[str]:
        return set(re.findall(r"[a-z]{4,}", note[slice(*of.found)].lower()))

    others = [other for other in same if (other.verdict in AS_HOPED) != (one.verdict in AS_HOPED)]
    parted = {one.verdict, *(other.verdict for other in others)} & {Verdict.USUAL, Verdict.AGAINST}
    return bool(others) and (bool(parted) or any(named(one) & named(other) for other in others))


def _line(one: Result, name: str, note: str, your: str, said: Plainly, is_plain: Readable) -> FoundLine | None:
    test = f"{name} of {one.date}" if one.date else name
    what, part = "", False
    if one.found[0] < one.found[1]:
        what, part = _what(one, note, said, is_plain)
        if not what:
            return None
    head = _HEAD.split(name, maxsplit=1)[0]
    were = head.endswith("s") and not head.endswith("ss")
    text = frames()[one.verdict.value].format(your=your, test=test, what=what, was="were" if were else "was")
    text = text.replace("showed no no ", "showed no ")
    return FoundLine(text, f"result:{one.verdict.value}", ((one.start, one.end), one.test), part=part or one.more)


def _name(text: str, start: int, said: Plainly, is_plain: Readable) -> str:
    """The plain name of a test; empty where it has none."""
    plain = " ".join(said(text, start).split())
    plain = _SITED.sub(r"\1 of the \2", plain)
    plain = _OWNER.sub("", plain)
    name, _, place = plain.partition(" of ")
    if place:
        plain = f"{name} of the {_WHOSE.sub('', place).strip().removeprefix('the ')}"
    if not is_plain(plain) or len(plain.split()) > _LONGEST_NAME or plain.startswith(("a ", "an ")):
        return ""
    return f"{plain[:1].lower()}{plain[1:]}" if plain[1:2].islower() else plain


def _what(one: Result, note: str, said: Plainly, is_plain: Readable) -> tuple[str, bool]:
    """What a test showed in plain words, and whether something of it is left out; empty where nothing is plain."""
    start, end = one.found
    whole = _worded(note[start:end], start, said, one.verdict)
    if is_plain(whole) and _can_stand(whole):
        return whole, False
    if len(whole.split()) <= _LONGEST and not _can_stand(whole):
        return "", True
    if one.verdict is not Verdict.FOUND or " or " in note[start:end]:
        return "", True
    kept: list[str] = []
    left_out = False
    places = _pieces(note, start, end)
    for begin, stop in places:
        piece = _worded(note[begin:stop], begin, said, one.verdict)
        leans = left_out and note[begin:stop].split(maxsplit=1)[0].lower() not in lists()["determiners"]
        if is_plain(piece) and _can_stand(piece) and len(piece.split()) > 1 and not leans:
            kept.append(piece)
        else:
            left_out = True
    if not kept or len(kept) * 2 < len(places):
        return "", True
    return (f"{', '.join(kept[:-1])} and {kept[-1]}" if len(kept) > 1 else kept[0]), left_out


def _pieces(note: str, start: int, end: int) -> list[tuple[int, int]]:
    """The parts of a list; what a denial or a doubt begins is one part to its end, and a part that leans on another ends the list."""
    found: list[tuple[int, int]] = []
    begin = start
    for match in (*_PIECES.finditer(note, start, end), None):
        stop = match.start() if match else end
        words = set(re.findall(r"[a-z']+", note[begin:end].lower()))
        if not lists()["negations"].isdisjoint(words) or not lists()["doubts"].isdisjoint(words):
            found.append((begin, end))
            break
        found.append((begin, stop))
        begin = match.end() if match else end
    return found


def _worded(text: str, start: int, said: Plainly, verdict: Verdict) -> str:
    plain = _WHOSE.sub("your", " ".join(said(text, start).split()))
    plain = _NO_ARTICLE.sub("no ", plain)
    plain = _SIGNS.sub(lambda match: "no sign of" if match[1] else "signs of", plain)
    plain = _LEAD.sub("", plain).strip(" ,;.-")
    plain = _LAST_NO.sub(r" and \1", plain)
    if verdict is Verdict.ABSENT:
        plain = _LISTED.sub(" or ", re.sub(r"^(?:an?|any) ", "", plain))
    return f"{plain[:1].lower()}{plain[1:]}" if plain[1:2].islower() else plain


def _can_stand(text: str) -> bool:
    """Whether words name what was found: no clause of another subject, no cut sentence, and not too long."""
    words = re.findall(r"[^\W_]+", text.lower())
    own = lists()
    if not words or len(words) > _LONGEST or _OTHER.search(text) or any(mark in text for mark in '"“”?:['):
        return False
    small = own["prepositions"] | own["joins"] | own["determiners"] | own["modals"]
    return words[-1] not in small | {"evidence", "sign", "signs"} and words[0] not in own["joins"] | (
        own["prepositions"] - own["negations"]
    )


AS_HOPED = frozenset((Verdict.USUAL, Verdict.AGAINST, Verdict.ABSENT))


@lru_cache(maxsize=1)
def frames() -> dict[str, str]:
    """The frame of each verdict."""
    return {row[0]: row[1] for row in rule_rows(RULES / "letter" / "result_frames.tsv", 2)}
