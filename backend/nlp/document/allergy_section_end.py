"""Where an allergies section without a header after it gives way to the story.

"Allergies: PCN" is often the only header of a short note; what follows is no list of allergies. It ends at a blank line
before a paragraph that tells something else, at a long line of prose under a line that names the allergies, or at a sentence that
only the story has: an age, vital signs, a dose, a laboratory value, what was given; at a line of another matter's label ("Mobility:"),
or at one of medicines as they are taken, with the line that heads them. A line that speaks of allergies or reactions always stays;
"cough" and "nausea" are none where the line begins with an age.
"""

import re
from functools import lru_cache

from backend.nlp.document.headers import COLUMNS, MAX_HEADER_CHARS, Kind, known_header
from backend.nlp.document.sentences import sentences
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.vocabulary import SectionCategory

# "Medications", "Other" and "Immunizations" may head a part of a list of allergies.
_OWN = frozenset(
    (SectionCategory.ALLERGIES, SectionCategory.MEDICATIONS, SectionCategory.OTHER, SectionCategory.IMMUNIZATIONS)
)

_RESULTS = frozenset((SectionCategory.RESULTS, SectionCategory.IMAGING))
_ALLERGY = re.compile(
    r"allerg|react(?!ive)|intoler|rash|hives|itch|anaphyla|swell|angioedema|urticaria|nausea|upset|cough|nkd|sensitiv|side effect"
    r"|\b(?:caus|made (?:her|him)|makes|gives|breaks out)",
    re.I,
)
_SURE = re.compile(
    r"allerg|react(?!ive)|intoler|rash|hives|anaphyla|angioedema|urticaria|nkd|sensitiv|side effect|\b(?:caus|made (?:her|him)|breaks out)",
    re.I,
)
_LISTED = re.compile(r"\s*(?:[-*•·●▪◦>]|\d{1,2}[.)]|[^\n]{0,80}(?:\||\t))")
_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|eighteen|nineteen"
_AGE = re.compile(
    r"\s*(?:(?:the |this |pt |patient )[\w ]{0,20})?(?:is )?(?:an? )?\d{1,3}[ -]?(?:y\.?\s?/?o\b|yo\b|years?\b|yr|[MF]\b)"
    rf"|\s*(?:this |an? )?(?:{_TENS})(?:[ -]years?\b|,)"
    r"|\s*(?:an? )?(?:[\w-]+ ){0,2}(?:lady|woman|man|gentleman|girl|boy|m(?:iner|other)|nurse|teacher|farmer|driver|widow(?:er)?) (?:of|aged) (?:about )?\d{2}\b",
    re.I,
)
_STORY = re.compile(
    r"^\s*(?i:reason|o/e|oe|pc|hpc|hopc|obs|admit|given|came|presented|presents|home|lives|was brought|brought|exam|plan|impression|last (?:menses|menstrual|meal|period|tetanus)|LMP|tetanus|yours|kind regards|I|we|thank you)\b"
    r"|\b(?i:temperature|pulse|heart rate|resp(?:iration|iratory rate)?s?|blood pressure|(?:o2 )?sats?|saturation)(?: (?:is|was|of))?[ :]{1,2}\d"
    r"|\b(?:BP|HR|RR|SpO2|Temp|T|P)[ :]{1,2}\d|\b(?:K|Na|Cr|HCO3|Hgb|Hb|WBC|Plt|lactate|glucose|glu|[Pp]otassium|[Ss]odium|[Cc]reatinine|[Uu]rea|eGFR|CRP|WCC|INR|pH) \d"
    r"|\b\d+(?:\.\d+)? ?(?:mg|mcg|units|mL)\b"
    r"|^(?!.*\b(?i:after|when|once|since|with|until)\b)[^\n]*\b(?:started|commenced|ordered|requested|inserted)\.?\s*$",
)
# "Amlodipine 10 mg - edema" is an entry for all its dose.
_DOSED = re.compile(
    r"\s*[A-Z][\w-]+ \d+(?:\.\d+)? ?(?:mg|mcg|units|mL)(?: [a-z.]{2,6})?\s*[-\u2013:(]+\s*[a-z]+(?: [a-z]+){0,2}[).\s]*$"
)
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_BREAK = re.compile(r"\n|(?<=[.!?]),(?=[A-Z])")  # a comma right between two sentences was a line break
_LONG = 9  # words of a paragraph's first line that no list of allergies has
# "2 large bore, group & save": what is counted right under a denial is done to the patient. A line of bare names stays.
_COUNTED = re.compile(r"\s*\d+\s+[a-z]{2,}")
_DENIAL = re.compile(
    r"\W*(?:nkd?a|none(?: known)?|nil(?: known)?|no known (?:drug |medication )?allergies|denies)\W*", re.I
)
_PROSE = 25  # words of a line right under a line of allergies that are no list


_LINE = re.compile(r"[^\n]+")
_LABEL = re.compile(r"\s*(?P<title>[A-Za-z][^:\n|;,.(]{0,40}?)\s*:(?!\d)\s*(?P<rest>[^\n]*)")
# What an allergy may be to, and what the columns of a table of allergies are called.
_KIND = re.compile(
    r"allerg|drug|food|med|environ|season|latex|contrast|dye|insect|animal|other|substance|agent|reaction|severity|type|note|comment"
    r"|date|status|name|item|source|onset|criticality",
    re.I,
)
_TAKEN = re.compile(
    r"\b(?:bd|b\.?i\.?d|t\.?d\.?s|t\.?i\.?d|q\.?i\.?d|q\.?d\.?s|od|nocte|mane|q\.?h\.?s|qam|qpm|q\d+h|prn|p\.?o|daily|weekly|puffs?)\b"
    r"|\b\d+(?:\.\d+)? ?(?:mg|mcg|micrograms?|units|ml|g)\b|\b[0-2]?\d:[0-5]\d\b",
    re.I,
)
_WORD = re.compile(r"[a-z]+")
_RESTS = 3
"""Words after an unknown label that are no more an answer to "which?"."""


def allergies_end(text: str, body: int, end: int) -> int:
    """The offset at which the story begins again, or `end`."""
    start = len(text[body:end]) - len(text[body:end].lstrip()) + body
    end = _foreign(text, start, end)
    for gap in _PARAGRAPH.finditer(text, start, end):
        line = text[gap.end() : end].split("\n", 1)[0]
        if _is_narrative(line, _LONG) or _titled(line):
            end = gap.end()
            break
    below = _BREAK.search(text, start, end)
    if below and _DENIAL.fullmatch(text, start, below.start()):
        line = text[below.end() : end].split("\n", 1)[0]
        if _COUNTED.match(line) and not _ALLERGY.search(line):
            return below.end()
    if below and not text[start : below.start()].rstrip().endswith((",", ";", "and", "or")):
        line = text[below.end() : end].lstrip()
        if _is_prose(_BREAK.split(line, maxsplit=1)[0]):
            return end - len(line)
    for place, (first, last) in enumerate(sentences(text, start, end)):
        sentence = text[first:last]
        if place and (_is_narrative(sentence, 10_000) or _results(sentence)):
            return first
    return end


def rows_end(text: str, body: int, end: int) -> int:
    """The offset behind the rows of a table whose head stands right before them."""
    last = body
    for line in _LINE.finditer(text, body, end):
        if text[last : line.start()].count("\n") > 1 or not COLUMNS.search(line[0].strip()):
            break
        last = line.end()
    return min(end, last + 1)


def is_regimen(line: str) -> bool:
    """Whether a line tells how a medicine is taken: a dose, how often, at which times."""
    return bool(_TAKEN.search(line))


def _foreign(text: str, start: int, end: int) -> int:
    """Where the first line of another matter begins, or the line that heads it; the end if there is none."""
    lines = list(_LINE.finditer(text, start, end))
    # under a header on a line of its own each line is an entry, and the list's reader knows the names
    listed = not text[text.rfind("\n", 0, start) + 1 : start].strip() and start > 0
    for place, line in enumerate(lines[1:], start=1):
        said = line[0]
        if not said.strip() or _ALLERGY.search(said):
            continue
        if _other_label(said, listed):
            return line.start()
        if is_regimen(said) and not _DOSED.match(said):
            above = lines[place - 1]
            heads = place > 1 and _heads(text, above[0], lines[place - 2].end(), above.start())
            return above.start() if heads else line.start()
    return end


def _heads(text: str, line: str, before: int, at: int) -> bool:
    """Whether a line stands over a list of medicines: after a blank line, or with a colon at its end."""
    if not line.strip() or _ALLERGY.search(line):
        return False
    return line.rstrip().endswith(":") or text[before:at].count("\n") > 1


def _other_label(line: str, listed: bool) -> bool:
    """Whether a line begins with a label that is of no allergy: "Mobility: hoist", "Fam: brother on dialysis"; listed: it is one of a list."""
    found = _LABEL.match(line)
    if found is None or _KIND.search(found["title"]):
        return False
    header = known_header(found["title"])
    if header is not None:
        return header.category not in _OWN or header.kind is Kind.INNER
    words = _WORD.findall(found["title"].lower())
    if len(words) > 1 and not _words("lists", "taken_now").isdisjoint(words):
        return not _reacts(found["rest"])  # "Current antibiotics: doxycycline"
    label = not listed and len(found["title"].split()) == 1 and len(found["rest"].split()) >= _RESTS
    return label and not _may_name(found["title"]) and not _reacts(found["rest"])


def _may_name(title: str) -> bool:
    """Whether a label ends as names of medicines do: "Flucloxacillin"."""
    return title.lower().endswith(tuple(_words("effects", "ending")))


def _reacts(rest: str) -> bool:
    """Whether what stands behind a label begins with words for an allergic reaction: "blisters in 2018 (confirmed by the practice)"."""
    said = _WORD.findall(rest.lower())[:_RESTS]
    return not (_words("lists", "allergic") - _words("lists", "weak")).isdisjoint(said)


@lru_cache(maxsize=4)
def _words(of: str, kind: str) -> frozenset[str]:
    rows = rule_rows(RULES / "allergies" / f"words_{of}.tsv", 2)
    return frozenset(word for word, own in rows if own == kind)


def _results(sentence: str) -> bool:
    """Whether a sentence begins with the label of results or pictures: "MSU: E. coli sensitive to nitrofurantoin"."""
    found = _LABEL.match(sentence)
    header = known_header(found["title"]) if found else None
    return header is not None and header.category in _RESULTS and header.kind is not Kind.INNER


def _is_prose(line: str) -> bool:
    """Whether a line right under a line of allergies is the story: it begins with an age, or is long and no list."""
    cut = [line[start:stop] for start, stop in sentences(line, 0, len(line))][:2]
    if _LISTED.match(line) or any(_SURE.search(sentence) for sentence in cut):
        return False
    running_text = any(len(one.split()) >= _LONG and one.count(",") * 5 <= len(one.split()) for one in cut)
    long = len(line.split()) >= _PROSE and running_text and not any(_ALLERGY.search(one) for one in cut)
    return long or bool(_AGE.match(line))


def _titled(line: str) -> bool:
    """Whether a line is the header of another section, however it is set ("Objective")."""
    found = None if _ALLERGY.search(line) or len(line) > MAX_HEADER_CHARS else known_header(line)
    return found is not None and found.kind in (Kind.MAIN, Kind.LABEL) and found.category not in _OWN


def _is_narrative(line: str, long: int) -> bool:
    """Whether a line or sentence belongs to the story."""
    if not line.strip() or _ALLERGY.search(line) or _LISTED.match(line) or _DOSED.match(line):
        return False
    return bool(_AGE.match(line) or _STORY.search(line)) or len(line.split()) > long
