"""What a section header says: words in, category and kind out. It knows words only, not where they stand in a note.

The headers themselves are in assets/rules/section_headers.tsv. A header may carry qualifiers ("Current Medications at
Home"), stand for several things ("Past Medical/Surgical History": the first one counts), or have lost a word to
de-identification ("___ Complaint").
"""

import re
from collections import Counter
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.schemas.vocabulary import SectionCategory
from backend.settings import ROOT

RULES = ROOT / "assets" / "rules" / "section_headers.tsv"
MAX_HEADER_CHARS = 80
MAX_HEADER_WORDS = 9


class Kind(StrEnum):
    """How readily a header opens a section; the rules file explains each."""

    MAIN = "main"
    LABEL = "label"
    INNER = "inner"
    EXAM = "exam"
    LETTER = "letter"


class Header(NamedTuple):
    category: SectionCategory
    kind: Kind
    key: str


class HeaderTable(NamedTuple):
    """known: by key. blanked: by key with one word lost. last_words: words that may stand before a header's colon."""

    known: dict[str, Header]
    blanked: dict[str, Header]
    last_words: frozenset[str]


def header_key(phrase: str) -> str:
    """The form under which a header is looked up: lower case, no punctuation, no "and", plurals folded.

    "Allergies & Adverse Reactions (reviewed)" gives "allergy adverse reaction"; a de-identified word gives "_".
    """
    bare = _BRACKETS.sub(" ", _BLANK.sub(" _ ", phrase)).lower().replace("'", "").replace("\u2019", "")
    return " ".join(_fold(word) for word in _WORD.findall(bare) if word not in _JOINERS)


def known_header(phrase: str) -> Header | None:
    """The header a phrase is, allowing for qualifiers and one lost word; None when it is no header we know."""
    return _known(header_key(phrase))


def likely_header(phrase: str) -> Header | None:
    """The header that a phrase's nouns suggest, for text that is set as a header but is not in the table."""
    words = header_key(phrase).split()
    if not words or len(words) > MAX_HEADER_WORDS - 3:
        return None
    if words[-1] == "history":
        kin = next((_HISTORIES[word] for word in words if word in _HISTORIES), SectionCategory.OTHER)
        return Header(kin, Kind.MAIN, " ".join(words))
    if "allergy" in (words[0], words[-1]) and not _NOT_ALLERGIES.intersection(words):
        return Header(SectionCategory.ALLERGIES, Kind.MAIN, " ".join(words))
    for word in (words[-1], words[0]):
        if word in _NOUNS:
            kind = Kind.EXAM if _NOUNS[word] is SectionCategory.PHYSICAL_EXAM else Kind.LABEL
            return Header(_NOUNS[word], kind, " ".join(words))
    return None


def may_end_header(word: str) -> bool:
    """Whether a header we know can end in this word; a quick test before the costlier ones."""
    folded = _fold(word.lower())
    return folded in header_table().last_words or folded.startswith("_")


@lru_cache(maxsize=1)
def header_table() -> HeaderTable:
    """The shipped table, read once. Raises KnowledgeError with the line when the file is malformed."""
    return read_headers(RULES)


def read_headers(path: Path) -> HeaderTable:
    """Read a header table. Raises KnowledgeError naming the line whose category or kind is not in its closed list."""
    known: dict[str, Header] = {}
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [(number, line) for number, line in enumerate(lines, 1) if line and not line.startswith("#")]
    for number, line in rows[1:]:
        cells = line.split("\t")
        try:
            phrase, category, kind = cells
            header = Header(SectionCategory(category), Kind(kind), header_key(phrase))
        except ValueError as error:
            raise KnowledgeError(f"{path.name}, line {number}: {error}. Write: header, category, kind.") from error
        held = known.setdefault(header.key, header)
        if held.category is not header.category:
            raise KnowledgeError(f"{path.name}, line {number}: '{phrase}' already stands for {held.category}.")
    last_words = frozenset(key.rpartition(" ")[2] for key in known) | _TRAILING_QUALIFIERS | frozenset(_NOUNS)
    return HeaderTable(known, _blanked(known), last_words)


def _blanked(known: dict[str, Header]) -> dict[str, Header]:
    found: dict[str, Counter[SectionCategory]] = {}
    for key, header in known.items():
        words = key.split()
        if len(words) > 1 and header.kind in (Kind.MAIN, Kind.LABEL):
            for place in range(len(words)):
                blank = " ".join([*words[:place], "_", *words[place + 1 :]])
                found.setdefault(blank, Counter())[header.category] += 1
    # "___ History" may be any of five: a header all the same, of a category nobody can tell.
    return {
        blank: Header(_agreed(counts), Kind.MAIN, blank)
        for blank, counts in found.items()
        if blank.count("_") == 1 and blank not in _TOO_BLANK
    }


def _agreed(counts: Counter[SectionCategory]) -> SectionCategory:
    category, most = counts.most_common(1)[0]
    return category if 4 * most >= 3 * counts.total() else SectionCategory.OTHER


@lru_cache(maxsize=4096)
def _known(key: str) -> Header | None:
    table = header_table()
    words = key.split()
    if not words or len(words) > MAX_HEADER_WORDS + 3:
        return None
    if "_" in words:
        return table.blanked.get(key)
    if words[:2] == ["reason", "for"] and len(words) > len(("reason", "for")):
        return Header(SectionCategory.CHIEF_COMPLAINT, Kind.MAIN, key)
    cut = next((i for i, word in enumerate(words) if i and word in _CUTTERS), len(words))
    while cut > 1 and words[cut - 1] in _TRAILING_QUALIFIERS:
        cut -= 1
    for end in dict.fromkeys((len(words), cut)):
        for start in range(end):
            header = table.known.get(" ".join(words[start:end]))
            if header and (not start or header.kind in (Kind.MAIN, Kind.LABEL)):
                return header
            if words[start] not in _LEADING_QUALIFIERS:
                break
    return None


def _fold(word: str) -> str:
    if word in ("hx", "hist"):
        return "history"
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_BLANK = re.compile(r"_{2,}|\[\*\*[^\]\n]{0,60}\*\*\]")
_BRACKETS = re.compile(r"\([^()\n]{0,60}\)|\[[^\[\]\n]{0,60}\]")
_WORD = re.compile(r"[^\W_]+|_")
_JOINERS = frozenset(("and", "or", "the", "a/n"))
_CUTTERS = frozenset(
    [
        "on",
        "at",
        "prior",
        "per",
        "from",
        "upon",
        "before",
        "during",
        "as",
        "taken",
        "for",
        "in",
        "to",
        "by",
        "with",
        "including",
        "since",
    ]
)
_TRAILING_QUALIFIERS = frozenset(
    _fold(w) for w in ["reviewed", "today", "list", "updated", "noted", "continued", "only", "cont", "note"]
)
_LEADING_QUALIFIERS = frozenset(
    _fold(word)
    for word in [
        "current",
        "home",
        "outpatient",
        "inpatient",
        "active",
        "known",
        "brief",
        "pertinent",
        "relevant",
        "initial",
        "admission",
        "admitting",
        "discharge",
        "updated",
        "recent",
        "significant",
        "complete",
        "detailed",
        "today",
        "todays",
        "additional",
        "other",
        "preliminary",
        "final",
        "overall",
        "limited",
        "focused",
        "directed",
        "repeat",
        "patient",
        "patients",
        "pt",
        "his",
        "her",
        "my",
        "new",
        "chronic",
        "general",
        "full",
        "clinical",
        "ed",
        "er",
        "his/her",
        "emergency",
        "department",
        "room",
        "nursing",
        "postoperative",
        "preoperative",
        "interval",
        "prehospital",
        "reported",
        "stated",
        "review",
        "of",
        "remote",
        "previous",
        "prior",
    ]
)
_TOO_BLANK = frozenset(("_ for", "_ on", "_ data", "_ list", "_ note", "reason _"))
_NOT_ALLERGIES = frozenset(
    ["testing", "test", "shot", "clinic", "immunology", "immunologic", "rhinitis", "immunotherapy", "medicine"]
)
_HISTORIES = {
    "family": SectionCategory.FAMILY_HISTORY,
    "social": SectionCategory.SOCIAL_HISTORY,
    "surgical": SectionCategory.PAST_SURGICAL_HISTORY,
    "medical": SectionCategory.PAST_MEDICAL_HISTORY,
    "psychiatric": SectionCategory.PAST_MEDICAL_HISTORY,
    "illness": SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
    "allergy": SectionCategory.ALLERGIES,
    "medication": SectionCategory.MEDICATIONS,
}
_NOUNS = {
    "medication": SectionCategory.MEDICATIONS,
    "med": SectionCategory.MEDICATIONS,
    "complaint": SectionCategory.CHIEF_COMPLAINT,
    "examination": SectionCategory.PHYSICAL_EXAM,
    "exam": SectionCategory.PHYSICAL_EXAM,
    "diagnosis": SectionCategory.ASSESSMENT,
    "diagnose": SectionCategory.ASSESSMENT,
    "impression": SectionCategory.ASSESSMENT,
    "assessment": SectionCategory.ASSESSMENT,
    "plan": SectionCategory.PLAN,
    "recommendation": SectionCategory.PLAN,
    "laboratory": SectionCategory.RESULTS,
    "lab": SectionCategory.RESULTS,
    "result": SectionCategory.RESULTS,
    "data": SectionCategory.RESULTS,
    "study": SectionCategory.RESULTS,
    "imaging": SectionCategory.IMAGING,
    "ultrasound": SectionCategory.IMAGING,
    "mri": SectionCategory.IMAGING,
    "radiograph": SectionCategory.IMAGING,
    "instruction": SectionCategory.INSTRUCTIONS,
    "course": SectionCategory.HOSPITAL_COURSE,
    "procedure": SectionCategory.PROCEDURES,
    "operation": SectionCategory.PROCEDURES,
    "immunization": SectionCategory.IMMUNIZATIONS,
    "surgery": SectionCategory.PAST_SURGICAL_HISTORY,
}
