"""Words that reverse a statement: opposites on one axis (high and low, before and after), and a "no" before a word.

Two texts are held against each other clause by clause: "potassium high, sodium low" does not speak against "sodium low". Of a
cited text only clauses count that share a content word with the sentence's clause; where none does, the whole of it.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.tokens import letter_words

_AXES: dict[str, dict[str, str]] = {
    "level": {
        "raised": r"elevat\w+|rais(?:e|es|ed|ing)|increas\w+|ris(?:e|es|en|ing)|rose|high(?:er)?|up-?trending",
        "lowered": r"decreas\w+|reduc\w+|low(?:er|ered)?(?! (?:extremit|leg|limb|back|abdom|lobe|quadrant|respir|gi|esoph|chest))|dropp?\w*|fell|fallen|declin(?:e|ed|ing)(?! to)|diminish\w+|down-?trending",
    },
    "range": {
        "normal": r"normal|unremarkable|within normal limits|wnl|intact|not enlarged|clear to auscultation",
        "abnormal": r"abnormal\w*|elevat\w+|enlarged|impaired|thickened|dilated|rais(?:ed)",
    },
    "test": {"positive": r"positive|reactive|detected|grew", "negative": r"negative|non-?reactive|not detected|no growth|undetect\w+"},
    "trend": {
        "better": r"improv\w+|better|resolv\w+|subsid\w+",
        "worse": r"wors\w+|deteriorat\w+|aggravat\w+|exacerbat\w+",
    },
    "use": {"going on": r"continu\w+|started|resum\w+|began|initiat\w+", "ended": r"stopp?\w*|discontinu\w+|quit|ceas\w+|held"},
    "says": {"reported": r"report(?:s|ed|ing)?(?! (?:no|not)\b)|endors\w+|complain\w*", "denied": r"den(?:y|ies|ied|ying)"},
    "order": {"before": r"before(?! (?:you (?:were seen|came)|your child)\b)|prior to|pre-?op\w*", "after": r"after(?! (?:you were|your child was) seen\b)|following|post-?op\w*"},
    "grade": {"mild": r"mild(?:ly)?|slight(?:ly)?|minimal(?:ly)?", "moderate": r"moderate(?:ly)?", "severe": r"severe(?:ly)?|marked(?:ly)?|massive"},
    "pace": {"acute": r"acute(?:ly)?|sudden(?:ly)?", "chronic": r"chronic(?:ally)?|long-?standing"},
    "bound": {"above": r"above|more than|greater than|at least", "below": r"below|less than|at most|fewer than"},
    "growth": {"benign": r"benign|non-?cancerous", "malignant": r"malignan\w+|cancerous"},
    "steady": {"stable": r"stable|steady|unchanged", "unstable": r"unstable|unsteady"},
    "sex": {"male": r"male|man|gentleman|boy", "female": r"female|woman|lady|girl"},
    "time of day": {"morning": r"morning|mornings", "evening": r"evening|evenings", "night": r"night|nights|overnight|bedtime"},
    "near day": {"yesterday": r"yesterday", "today": r"today", "tomorrow": r"tomorrow"},
    "cause": {"bacterial": r"bacterial", "viral": r"viral", "fungal": r"fungal"},
    "vessel": {"arterial": r"arterial", "venous": r"venous"},
    "stroke": {"ischemic": r"isch[a]?emic", "hemorrhagic": r"h[a]?emorrhagic"},
    "rhythm": {"regular": r"regular(?:ly)?", "irregular": r"irregular(?:ly)?"},
    "always": {"always": r"always|constant(?:ly)?|continuous(?:ly)?", "never": r"never"},
    "place": {"internal": r"internal", "external": r"external"},
    "first": {"primary": r"primary", "secondary": r"secondary"},
    "systole": {"systolic": r"systolic", "diastolic": r"diastolic"},
    "position": {"lying": r"lying|supine|flat", "standing": r"standing|upright|sitting"},
    "danger": {"safe": r"safe|harmless|nothing to worry about|no danger|without (?:any )?risk", "risky": r"unsafe|dangerous|harmful|worsen\w*|contraindicated|avoid\w*|risky?"},
}  # fmt: skip
_OF_SOMETHING = frozenset({"range", "order", "level", "bound", "danger", "use", "says"})
"""Axes on which a text may have both sides, each said of something else."""
_AXIS = {
    axis: re.compile(
        "|".join(rf"(?P<p{i}>(?<![\w-])(?:{words})(?!\w))" for i, words in enumerate(poles.values())), re.IGNORECASE
    )
    for axis, poles in _AXES.items()
}
_ANY = re.compile(
    "|".join(rf"(?<![\w-])(?:{words})(?!\w)" for poles in _AXES.values() for words in poles.values()), re.IGNORECASE
)
_CLAUSE = re.compile(
    r"[,;:\n]|[.](?:\s|$)|\b(?:and|but|while|whereas|though|although|then|with|however)\b", re.IGNORECASE
)
_NOT = re.compile(
    r"(?:\b(?:not|no|never|without|denies|denied|nor|isn't|wasn't|aren't)|n't)\s+(?:\w+\s){0,1}$", re.IGNORECASE
)
_DENIED = re.compile(
    r"\b(?:no|(?:do(?:es)?|did|can|could|will|would|should|may)(?: not|n't)(?: have| has| had| been| be| get)?|not(?: have| had| been)?|deny|denies|denied|denying|without|never|nor|neither|none|negative for|absence of|free of|lacks?|no evidence of|ruled out|rules out|nil)\b|n't\b",
    re.IGNORECASE,
)
_DENIAL_ENDS = re.compile(
    r"[.;:\n](?:\s|$)|\b(?:but|however|except|although|though|while|because|when|until|since|who|which|has|had|have|reports|states|is|are|was|were|does)\b|,\s(?:and )?(?:she|he|the|you|it|they|there|patient)\b",
    re.IGNORECASE,
)
_CONTENT = re.compile(r"[a-z]{4,}")


class Opposed(NamedTuple):
    """A sentence's word and the opposite that its cited text has in its place."""

    said: str
    there: str


def opposites(text: str, cited: Sequence[str], common: Collection[str], nearest: str = "") -> list[Opposed]:
    """Where a cited text has the opposite of a sentence's word, said of the same thing.

    cited: the sentences of the cited texts. common: words that join no two clauses. nearest: the cited sentence that the text retells,
    if any: it stands in where no clause shares a word.
    """
    if not _ANY.search(text):
        return []
    out: list[Opposed] = []
    clauses = [clause for one in cited for clause in _clauses(one)]
    for clause in _clauses(text):
        if not _ANY.search(clause):
            continue
        about = _about(clause, common)
        for axis, pattern in _AXIS.items():
            said = _poles(axis, pattern, clause)
            if not said:
                continue
            shared = [len(about & _about(c, common)) for c in clauses]
            most = max(shared, default=0)
            there = [_poles(axis, pattern, c) for c, n in zip(clauses, shared, strict=True) if most and n == most]
            found = frozenset().union(*there)
            if not most and nearest:
                found = frozenset().union(*(_poles(axis, pattern, c) for c in _clauses(nearest)))
            if not found and axis not in _OF_SOMETHING:
                found = frozenset().union(*(_poles(axis, pattern, c) for c in clauses))
            for pole in sorted(said - found):
                against = [other for other in sorted(found - said) if _against(pole, other)]
                if against:
                    out.append(Opposed(pole.replace("!", "not "), against[0].replace("!", "not ")))
    return list(dict.fromkeys(out))


def prefixed_opposites(words: Collection[str], there: Collection[str]) -> list[Opposed]:
    """Words whose other half the cited text has: hyperkalemia beside hypokalemia, tachycardia beside bradycardia."""
    pairs = (
        ("hyper", "hypo"),
        ("tachy", "brady"),
        ("intra", "extra"),
        ("pre", "post"),
        ("poly", "oligo"),
        ("macro", "micro"),
        ("leukocytosis", "leukopenia"),
        ("hemi", "para"),
    )
    out = []
    for word in words:
        for one, other in (*pairs, *((b, a) for a, b in pairs)):
            swapped = other + word[len(one) :]
            if word.startswith(one) and word not in there and swapped in there and swapped not in words:
                out.append(Opposed(word, swapped))
    return sorted(out)


def shared_poles(text: str, cited: Sequence[str]) -> set[str]:
    """The words of a text that stand on an axis where the cited text has a word on the same side, in lower case."""
    if not _ANY.search(text):
        return set()
    whole = " . ".join(cited)
    out: set[str] = set()
    for pattern in _AXIS.values():
        own = list(pattern.finditer(text))
        there = {m.lastgroup for m in pattern.finditer(whole)} if own else set()
        out |= {word for m in own if m.lastgroup in there for word in letter_words(m[0])}
    return out


def denied_words(text: str) -> frozenset[str]:
    """The content words that stand behind a "no" in their clause or list."""
    return frozenset(word for start, end in _denials(text) for word in _CONTENT.findall(text[start:end].lower()))


def stated_words(text: str) -> frozenset[str]:
    """The content words that stand behind no "no"."""
    left = text
    for start, end in _denials(text):
        left = left[:start] + " " * (end - start) + left[end:]
    return frozenset(_CONTENT.findall(left.lower()))


def _denials(text: str) -> Iterable[tuple[int, int]]:
    for cue in _DENIED.finditer(text):
        ends = _DENIAL_ENDS.search(text, cue.end())
        yield cue.end(), min(ends.start() if ends else len(text), cue.end() + 90)


@lru_cache(maxsize=4096)
def _clauses(text: str) -> tuple[str, ...]:
    return tuple(part for part in _CLAUSE.split(text) if part.strip())


def _about(clause: str, common: Collection[str]) -> set[str]:
    """The first letters of a clause's content words, the opposites themselves left out."""
    left = _ANY.sub(" ", clause.lower())
    return {word[:6].rstrip("s") for word in letter_words(left, 3) if word not in common}


def _poles(axis: str, pattern: re.Pattern[str], clause: str) -> frozenset[str]:
    names = tuple(_AXES[axis])
    out = set()
    for m in pattern.finditer(clause):
        pole = names[int((m.lastgroup or "p0")[1:])]
        out.add(f"!{pole}" if _NOT.search(clause, 0, m.start()) else pole)
    return frozenset(out)


def _against(pole: str, other: str) -> bool:
    """Whether two poles of one axis exclude each other: high and low, high and not high; not "high" and "not low"."""
    if pole.startswith("!") != other.startswith("!"):
        return pole.lstrip("!") == other.lstrip("!")
    return pole != other
