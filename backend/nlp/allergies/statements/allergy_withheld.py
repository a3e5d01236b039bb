"""Reads allergies told by what was done about them: put on the list, stopped for a rash, barred by an allergy.

Takes a sentence and gives entries with exact offsets, of medicines and allergens that are known only: "Keflex was
stopped because of a rash", "heparin was added to her allergy list", "Bactrim, to which she is allergic", "avoid ACE
inhibitors (previous angioedema)", "tried Lipitor but developed a rash".
"""

import re
from collections.abc import Callable, Iterator

from backend.nlp.allergies.allergy_entry import Entry
from backend.nlp.allergies.allergy_vocabulary import has_allergic_reaction, has_reaction, reaction_part
from backend.nlp.allergies.lists.allergy_entries import entries
from backend.nlp.allergies.lists.allergy_pieces import Known
from backend.nlp.allergies.statements.allergy_events import name_before
from backend.nlp.allergies.statements.allergy_objects import REACTION_END, run_start
from backend.nlp.attributes.gated_patterns import gated


def barred_entries(text: str, start: int, end: int, known: Known, doubted: Callable[[int], bool]) -> Iterator[Entry]:
    """The entries of text[start:end]. doubted tells whether what is said at a place is denied or no fact."""
    lowered = text[start:end].lower()
    for match in _LISTED.finditer(text, start, end, lowered):
        if doubted(match.start()) or _NOT.search(match[0]):
            continue
        if it := _IT.search(text, start, match.start()):  # "... on linezolid and it was added to his allergy list"
            if span := name_before(text, start, it.start(), known):
                yield Entry(*span)
        else:
            yield from _before(text, start, match.start(), known, "")
    for match in _CALLED.finditer(text, start, end, lowered):
        yield from _before(text, start, match.start(), known, "")
    for match in _FOR_ALLERGY.finditer(text, start, end, lowered):
        if _BARRED.search(text, start, match.start()):
            yield from _before(text, start, match.start(), known, "")
    for match in _STOPPED_FOR.finditer(text, start, end, lowered):
        told = _told(text, match.end(), end)
        if told and not doubted(match.start()):
            yield from _before(text, start, match.start(), known, told)
    for match in _STOPPED_MARK.finditer(text, start, end, lowered):
        told = _told(text, match.end(), end)
        if told and not doubted(match.start()) and ("," not in match[0] or EFFECTS.match(text, match.end(), end)):
            yield from _before(text, start, match.start(), known, told)
    for match in _NOT_FOR.finditer(text, start, end, lowered):
        yield from _before(text, start, match.start(), known, "")
    for match in _STOPPED.finditer(text, start, end, lowered):
        told = _told(text, match.end(), end)
        if told and not doubted(match.start()):
            for one in entries(text, *match.span("name"), known):
                if known(text[one.start : one.end]):
                    yield one._replace(reaction=told)
    yield from _tried(text, start, end, lowered, known, doubted)


def _tried(
    text: str, start: int, end: int, lowered: str, known: Known, doubted: Callable[[int], bool]
) -> Iterator[Entry]:
    """Medicines that are avoided for a reaction, or that were tried and brought one."""
    for pattern in (_AVOIDED, _TRIED, _AFTERWARDS):
        for match in pattern.finditer(text, start, end, lowered):
            # Where the sentence calls it an intolerance, a side effect is reaction enough.
            side_effect = _INTOLERANCE.search(text, start, end) is not None
            told = _told(text, match.end(), end, side_effect)
            if not told or doubted(match.start()):
                continue
            for one in entries(text, *match.span("name"), known):
                if known(text[one.start : one.end]):
                    yield one._replace(reaction=told)


def _before(text: str, start: int, at: int, known: Known, told: str) -> Iterator[Entry]:
    for one in entries(text, run_start(text, start, at, known), at, known):
        if known(text[one.start : one.end]):
            yield one._replace(reaction=one.reaction or told)


def _told(text: str, start: int, end: int, side_effect: bool = False) -> str:
    """The allergic reaction, or the side effect, that a reason begins with, or nothing."""
    told = reaction_part(REACTION_END.split(text[start : min(end, start + 60)])[0])[0]
    if has_allergic_reaction(told) or (side_effect and has_reaction(told)):
        return told
    named = EFFECTS.match(text, start, end)
    return named["effect"] if named else ""


# What is an effect of medicines wherever it is named as a reason.
EFFECTS = re.compile(
    r"\s*(?:[\w-]+\s+){0,3}?(?P<effect>myopath\w+|myalgias?|rhabdo\w*|HIT\b|heparin[- ]induced thrombocytopenia|tendon (?:rupture|tear|pain)|tendinitis|(?:acute )?dystoni\w+|akathisia|tardive dyskinesia"
    r"|serotonin syndrome|neuroleptic malignant syndrome|malignant hyperthermia|agranulocytosis|hallucinat\w+|priapism|red[- ]man\w*|ACE[- ](?:inhibitor )?cough|gynecomastia|AERD|[\w]+[- ]exacerbated respiratory disease"
    r"|drug[- ](?:induced|rash|fever|reaction)[\w ]*|side[- ]effects?|intolerance)\b",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:it|this|that|which|these)\s*$", re.IGNORECASE)
_LISTED = gated(
    re.compile(
        r"\s+(?:(?:is|was|were|are|has been|have been|be|been)\s+(?:\w+\s+)?)?(?:listed|added|noted|recorded|documented|entered|reported|flagged|placed|put"
        r"|marked)\s+(?:as|to|in|on|under|among)\s+(?:(?:an?|her|his|the|their|patient's)\s+)?(?:\w+\s+)?(?:allerg(?:y|ies|en)|intolerances?)\b"
        r"|\s*,?\s+to which\b[^.;]{0,30}?\b(?:allergic|reacts?|reacted)\b",
        re.IGNORECASE,
    ),
    "allerg intoleran react",
)
_CALLED = gated(
    re.compile(r"\s*:\s*allergic\b(?!\s+(?:to|rhinitis|reaction))", re.IGNORECASE),
    "allergic",
)  # "Latex: allergic"
_NOT = re.compile(r"\b(?:not|never)\b", re.IGNORECASE)
_WHY = r"(?:because of|due to|d/t|2/2|owing to|on account of|as a result of|secondary to|given|on account of|as (?:s?he|the patient|they) (?:developed|got|had)|when (?:s?he|the patient) (?:developed|got|had))"
_FOR_ALLERGY = gated(
    re.compile(rf"\s+{_WHY}\s+(?:[\w-]+\s+){{0,3}}?allergy\b(?!\s+to\b)", re.IGNORECASE),
    "allergy",
)
_BARRED = re.compile(
    r"\b(?:cannot|can't|can not|not|never|no|without|avoid\w*|unable|stop\w*|instead of|rather than|contraindicat\w*|held|hold|discontinu\w*)\b",
    re.IGNORECASE,
)
_STOP = r"(?:stop(?:ped|ping)?|discontinu(?:ed?|ing)|held|hold|d/c'?d|quit|came off|taken off|failed|quit|(?:completed|finished|took|got|had) only [\w -]{1,20}? of|could (?:only|not) (?:take|finish)|did not finish|cut short|in place of|instead of|rather than|(?:changed|switched|replaced)\s+(?:to|by|with|for)\s+[\w/-]+)"
_WHEN = r"(?:\s+(?:in|on|last|this|since)\s+\w+(?:\s+(?:19|20)\d\d)?)?"
_INTOLERANCE = re.compile(r"intoleran", re.IGNORECASE)
_NAME = r"(?P<name>(?:(?!but\b|and\b|for\b|because\b)[\w/-]+\s+){0,3}?[\w/-]+)"
_AVOIDED = gated(
    re.compile(
        rf"\b(?:avoid(?:s|ed|ing)?|(?:not|never) to (?:use|give|have|get|be given)|(?:should|must|may) (?:not|never) (?:be given|have|receive|take|get)|no)\s+(?:(?:all|any|the|further)\s+)*{_NAME}\s*"
        r"(?:and (?:all |other )?[\w-]+\s*)?(?:\(|-+|:|,|because of|because|due to|owing to|given|after|since|as|for)\s*(?:(?:a|an|the|her|his|prior|previous|past|known|history|hx|of|he|she|had|has|gets|got|severe)\s+)*",
        re.IGNORECASE,
    ),
    "avoid no",
)
_TRIED = gated(
    re.compile(
        rf"\b(?:tried(?: on)?|started(?: on)?|took|taking|given|put on|placed on|received)\s+(?:(?:a|one|dose|doses|of|the|some|course|his|her)\s+)*{_NAME}\s*,?\s+"
        r"(?:but|and|then|,)\s+(?:(?:then|subsequently|he|she|later|quickly|immediately|had to stop because he|had to stop because she)\s+)*"
        r"(?:developed|broke out (?:in|with)|got|came out in|reacted with|swelled)\s+(?:(?:a|an|some|the|severe|bad)\s+)*",
        re.IGNORECASE,
    ),
    "develop broke got came react swelled",
)
_AFTERWARDS = gated(
    re.compile(
        rf"\b(?:after|following|with|upon|within [\w ]{{1,15}}? of)\s+(?:(?:a|an|one|the|her|his|first|second|third|single|last|dose|doses|course|of|taking|receiving|starting|being|given|eating"
        rf"|iv|intravenous|oral)\s+)*{_NAME}\s*,?\s+(?:(?:she|he|the patient|patient|pt|they)\s+)(?:then\s+)?(?:developed|had|broke out (?:in|with)|got|experienced|came out in)\s+"
        r"(?:(?:a|an|some|the|severe|diffuse|bad)\s+)*",
        re.IGNORECASE,
    ),
    "develop had broke got experienc came",
)
# "rosuvastatin stopped 2021, myopathy"
_STOPPED_MARK = gated(
    re.compile(
        rf"\s+(?:(?:is|was|were)\s+)?(?:{_STOP}|contraindicated){_WHEN}(?:\s+[\w/]+){{0,4}}?\s*[,:;(-]+\s*",
        re.IGNORECASE,
    ),
    "stop discontinu held hold d/c quit off fail could only cut place instead rather chang switch replac finish contraindic",
)
# "meperidine should not be used in him"
_NOT_FOR = gated(
    re.compile(
        r"\s+(?:should|must|may|can|is) (?:not|never) (?:to )?be (?:used|given|prescribed|tried|repeated|restarted|administered)(?:\s+(?:again|in future)|\s+(?:in|to|for) (?:him|her|them|this (?:patient|man|woman|lady|gentleman)|the patient))\b",
        re.IGNORECASE,
    ),
    "not never",
)
_STOPPED_FOR = gated(
    re.compile(
        rf"\s+(?:(?:is|was|were|are|had to be|has been|had been)\s+(?:\w+\s+)?)?(?:{_STOP}|contraindicated){_WHEN}\s+{_WHY}\s+(?:an?\s+|the\s+|her\s+|his\s+|prior\s+|previous\s+|past\s+|known\s+|history of\s+|hx of\s+)*(?:drug\s+)?",
        re.IGNORECASE,
    ),
    "stop discontinu held hold d/c quit off fail could only cut place instead rather chang switch replac finish contraindic",
)
_STOPPED = gated(
    re.compile(
        rf"\b{_STOP}\s+(?:taking\s+)?(?P<name>(?:[\w/-]+\s+){{0,3}}?[\w/-]+)\s+{_WHY}\s+(?:an?\s+|the\s+|her\s+|his\s+)?",
        re.IGNORECASE,
    ),
    "stop discontinu held hold d/c quit off fail could only cut place instead rather chang switch replac finish",
)
