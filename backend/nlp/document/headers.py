"""What a section header says: words in, category and kind out. It knows words only, not where they stand in a note.

The headers themselves are in assets/rules/section_headers.tsv. A header may carry qualifiers ("Current Medications at
Home"), stand for several things ("Past Medical/Surgical History": the first one counts), or have lost a word to
de-identification ("___ Complaint"). Titles of lists of what is taken on leaving are phrases of their own rows.
"""

import re
from collections import Counter
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import FoundTrigger, TriggerAutomaton, plain_marks
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.vocabulary import SectionCategory

LIST_TITLES = "medications/list_label"
"""Family of the titles of lists of medicines, and of the labels within them."""
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
    """What a header's words say: its category and kind."""

    category: SectionCategory
    kind: Kind
    key: str


class HeaderTable(NamedTuple):
    """known: by key. blanked: by key with one word lost. last_words: words that may stand before a header's colon.

    leading, trailing, cutters, not_allergies: qualifiers, as the rules file explains them. reactants, effects: words of titles of
    lists of allergies ("drug", "intolerance"). agents, harms, dosing: titles of columns, of what one reacts
    to, what it did, and how it is taken. systems: names of what a record is kept in. sources: words behind a title that begin who says so, or
    when it was checked; tellers: who or what does, in a bracket. nouns: categories that a word suggests.
    """

    known: dict[str, Header]
    blanked: dict[str, Header]
    last_words: frozenset[str]
    leading: frozenset[str]
    trailing: frozenset[str]
    cutters: frozenset[str]
    not_allergies: frozenset[str]
    reactants: frozenset[str]
    effects: frozenset[str]
    sources: frozenset[str]
    tellers: frozenset[str]
    agents: frozenset[str]
    harms: frozenset[str]
    dosing: frozenset[str]
    systems: frozenset[str]
    nouns: dict[str, SectionCategory]


def header_key(phrase: str) -> str:
    """The form under which a header is looked up: lower case, no punctuation, no "and", plurals folded.

    "Allergies & Adverse Reactions (reviewed)" gives "allergy adverse reaction"; a de-identified word gives "_".
    """
    bare = _BRACKETS.sub(" ", _BLANK.sub(" _ ", phrase)).lower().replace("'", "").replace("\u2019", "")
    return " ".join(_fold(word) for word in _WORD.findall(bare) if word not in _JOINERS)


@lru_cache(maxsize=4096)
def known_header(phrase: str) -> Header | None:
    """The header a phrase is, allowing for qualifiers and one lost word; None when it is no header we know."""
    return _of_medicines(phrase, "main") or _known(header_key(phrase))


@lru_cache(maxsize=4096)
def line_header(phrase: str) -> Header | None:
    """The header a phrase is that has its line to itself: beside those known anywhere, "Rx" and "Discharged on" over a list."""
    return _of_medicines(phrase, "line") or known_header(phrase)


def list_title(phrase: str) -> FoundTrigger | None:
    """What a whole phrase is among the titles and labels of lists of medicines, or None."""
    words = [word for word in plain_marks(tokens(phrase).words) if word not in _MARKS]
    if not words or len(words) > _TITLE_WORDS:
        return None
    found = next(iter(_list_titles().find(words)[LIST_TITLES]), None)
    return found if found is not None and (found.first, found.last) == (0, len(words)) else None


@lru_cache(maxsize=1)
def _list_titles() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(LIST_TITLES))


def _of_medicines(phrase: str, title: str) -> Header | None:
    found = list_title(phrase)
    opens = found is not None and found.row.cells["title"] == title
    return Header(SectionCategory.MEDICATIONS, Kind.MAIN, header_key(phrase)) if opens else None


def likely_header(phrase: str) -> Header | None:
    """The header that a phrase's nouns suggest, for text that is set as a header but is not in the table."""
    table = header_table()
    words = header_key(phrase).split()
    if not words or len(words) > MAX_HEADER_WORDS - 3:
        return None
    if words[-1] == "history":
        kinds = (table.nouns.get(f"{word} history") for word in words)
        category = next((kind for kind in kinds if kind), SectionCategory.OTHER)
        return Header(category, Kind.MAIN, " ".join(words))
    if "allergy" in (words[0], words[-1]) and not table.not_allergies.intersection(words):
        return Header(SectionCategory.ALLERGIES, Kind.MAIN, " ".join(words))
    for word in (words[-1], words[0]):
        if word in table.nouns:
            kind = Kind.EXAM if table.nouns[word] is SectionCategory.PHYSICAL_EXAM else Kind.LABEL
            return Header(table.nouns[word], kind, " ".join(words))
    return None


def may_end_header(word: str) -> bool:
    """Whether a header we know can end in this word; a quick test before the costlier ones."""
    folded = _fold(word.lower())
    return folded in header_table().last_words or folded.startswith("_")


def tells_source(title: str) -> bool:
    """Whether a title goes on with who says so or when it was checked: "Allergies confirmed with daughter", "Allergies (pt form)".

    What a title goes on with may be what it is about as well: "Allergy to morphine (itch)", "Allergies (penicillin)" do not tell it.
    """
    table, words = header_table(), header_key(title).split()
    about = any(word == "to" and before != "according" for before, word in pairwise(words))
    bracket = _BRACKET_END.search(title)
    told = {_fold(word) for word in _WORD.findall(bracket[0].lower())} if bracket else {*words[1:3]} & table.sources
    return not about and not told.isdisjoint(table.sources | table.trailing | table.tellers)


def heads_reactions(line: str) -> bool:
    """Whether a line heads the columns of a table of allergies: "Agent | Reaction | Severity"; no table of medicines with their doses."""
    cells = [frozenset(header_key(cell).split()) for cell in COLUMNS.split(line) if cell.strip()]
    table = header_table()
    if len(cells) < _COLUMNS or ":" in line or any(len(cell) > _COLUMN_WORDS or cell & table.dosing for cell in cells):
        return False
    return any(cell <= table.agents for cell in cells[:2]) and any(cell & table.harms for cell in cells)


def what_about(title: str) -> re.Match[str] | None:
    """The "to" of a title of allergies behind which it names what they are to: "Allergy to penicillin (per GP)".

    Behind it no general word for what one can be allergic to, nor who says so: "Allergies to drugs", "Allergies according to wife".
    """
    found = _TO.search(title)
    words = header_key(title[found.end() :]).split() if found else []
    return found if words and words[0] not in header_table().reactants else None


@lru_cache(maxsize=1)
def header_table() -> HeaderTable:
    """The shipped table, read once. Raises KnowledgeError with the line when the file is malformed."""
    return read_headers(RULES / "section_headers.tsv", RULES / "header_words.tsv")


def read_headers(headers: Path, header_words: Path) -> HeaderTable:
    """Read a header table and the words of headers.

    Raises:
        KnowledgeError: the category or kind of a header or word is not in its closed list, or a header is not unique.
    """
    known: dict[str, Header] = {}
    for phrase, category, kind in rule_rows(headers, 3):
        try:
            header = Header(SectionCategory(category), Kind(kind), header_key(phrase))
        except ValueError as error:
            raise KnowledgeError(f"{headers.name}, '{phrase}': {error}.") from error
        if known.setdefault(header.key, header).category is not header.category:
            raise KnowledgeError(f"{headers.name}: '{phrase}' already stands for {known[header.key].category}.")
    qualifiers: dict[str, set[str]] = {kind: set() for kind in _QUALIFIERS}
    nouns: dict[str, SectionCategory] = {}
    for word, kind in rule_rows(header_words, 2):
        if kind in qualifiers:
            qualifiers[kind].add(_fold(word))
            continue
        try:
            nouns[" ".join(map(_fold, word.split()))] = SectionCategory(kind)
        except ValueError as error:
            raise KnowledgeError(f"{header_words.name}, '{word}': {error}.") from error
    leading, trailing, cutters, not_allergies, reactants, effects, sources, tellers, agents, harms, dosing, systems = (
        frozenset(qualifiers[kind]) for kind in _QUALIFIERS
    )
    last_words = frozenset(key.rpartition(" ")[2] for key in known) | trailing | reactants | effects | frozenset(nouns)
    titles = (row.phrase for row in trigger_rows(LIST_TITLES) if row.cells["title"] == "main")
    last_words |= frozenset(_fold(word) for phrase in titles for word in _WORD.findall(phrase))
    return HeaderTable(
        known,
        _blanked(known),
        last_words,
        leading,
        trailing,
        cutters | sources,
        not_allergies,
        reactants,
        effects,
        sources,
        tellers,
        agents,
        harms,
        dosing,
        systems,
        nouns,
    )


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
    cut = next((i for i, word in enumerate(words) if i and word in table.cutters), len(words))
    while cut > 1 and words[cut - 1] in table.trailing:
        cut -= 1
    for end in dict.fromkeys((len(words), cut)):
        for start in range(end):
            of_record = start > 0 and words[start - 1] in table.systems
            header = table.known.get(" ".join(words[start:end])) or _allergies(words[start:end], of_record)
            if header and (not start or header.kind in (Kind.MAIN, Kind.LABEL)):
                return header
            if words[start] not in table.leading | table.systems:
                break
    return _several(words)


def _allergies(words: list[str], of_record: bool) -> Header | None:
    """A title of words for allergies alone: "Medication sensitivities", "Allergies to drugs or foods"; no "Allergy medicines".

    of_record: the name of a record stands before them, so that sensitivities are no germ's.
    """
    table = header_table()
    at = words.index("to") if "to" in words else len(words)
    said, to = words[:at], words[at + 1 :]
    if said in (["allergy", "drug"], ["allergy", "food"]):
        said.reverse()  # "Allergies, drug"
    if not said or said[-1] not in table.effects or not table.reactants.issuperset(to):
        return None
    if not (table.reactants | table.effects | _UNWANTED).issuperset(said):
        return None
    if "allergy" in said:
        return Header(SectionCategory.ALLERGIES, Kind.MAIN, " ".join(words))
    explicit = of_record or _UNWANTED.intersection(said) or table.reactants.intersection(words)
    return Header(SectionCategory.ALLERGIES, Kind.LABEL, " ".join(words)) if explicit else None


def _several(words: list[str]) -> Header | None:
    """Two or more headers in one ("Social History, Family History, and Review of Systems"): the first one counts."""
    known = header_table().known
    for cut in range(len(words) - 1, 0, -1):
        first = known.get(" ".join(words[:cut]))
        if first and first.kind is Kind.MAIN:
            rest = _known(" ".join(words[cut:]))
            if rest and rest.kind is Kind.MAIN:
                return Header(first.category, Kind.MAIN, " ".join(words))
    return None


def _fold(word: str) -> str:
    if word in ("hx", "hist"):
        return "history"
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_MARKS = frozenset("*-=_#.:\n")
_COLUMNS, _COLUMN_WORDS = 2, 3
_TITLE_WORDS = 10
_BLANK = re.compile(r"_{2,}|\[\*\*[^\]\n]{0,60}\*\*\]")
_BRACKETS = re.compile(r"\([^()\n]{0,60}\)|\[[^\[\]\n]{0,60}\]")
COLUMNS = re.compile(r"\s*\|\s*|\t\s*|\s{2,}")
"""What parts the cells of a row: a bar, a tab, several blanks."""
_TO = re.compile(r"(?<!according)\s+to\s+", re.IGNORECASE)
_BRACKET_END = re.compile(r"[(\[][^()\[\]\n]{0,60}[)\]]$")
_WORD = re.compile(r"[^\W_]+|_")
_JOINERS = frozenset(("and", "or", "the", "a/n"))
_QUALIFIERS = (
    "leading",
    "trailing",
    "cutter",
    "not_allergies",
    "reactant",
    "effect",
    "source",
    "teller",
    "agent",
    "harm",
    "dosing",
    "system",
)
_UNWANTED = frozenset(("adverse", "untoward", "allergic"))
_TOO_BLANK = frozenset(("_ for", "_ on", "_ data", "_ list", "_ note", "reason _"))
