"""Which words of a sentence a patient cannot be expected to read.

The words of assets/rules/letter/everyday_words.txt are everyday ones, and so are those of texts that are written for patients: the
handbook in several chapters, the plain wordings of concepts, the wordings of letters. Any other word of a medical name ("ureteral", "consolidation"), and
a word that is no English, is jargon. Names of people, places and medicines are left alone.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from backend.nlp.lexicon.variants import english_words, stem
from backend.nlp.rules import RULES, rule_names, rule_rows
from backend.settings import ROOT
from backend.stores.compiled import compiled

_KNOWLEDGE = ROOT / "assets" / "knowledge"
_WORD = re.compile(r"(?<![^\W_])[^\W\d_][^\W\d_'’]*")
_SHORTEST = 4
_HEADING = re.compile(r"^#.*$", re.MULTILINE)
_CHAPTERS = 2
"""In so many chapters a word stands that any patient is expected to read."""
_GLOSSED = re.compile(r"\S+ \([^()]*\)")


def jargon(text: str, known: Collection[str] = ()) -> tuple[str, ...]:
    """The words of a text that are jargon, in order.

    Args:
        text: as a letter would tell it.
        known: words in lower case that are explained or left as they are, as names of medicines.
    """
    bare = _GLOSSED.sub(" ", text)
    found = [match for match in _WORD.finditer(bare) if len(match[0]) >= _SHORTEST]
    return tuple(
        match[0]
        for match in found
        if not (match[0][0].isupper() and match.start())
        and match[0].lower() not in known
        and _is_jargon(match[0].lower())
    )


def is_medical(word: str) -> bool:
    """Whether a word in small letters stands in a medical name, a text for patients, or a table of plain words."""
    return stem(word) in _named() | everyday() or word in _charted()


@lru_cache(maxsize=1)
def _charted() -> frozenset[str]:
    """The words that the tables of plain words put plainly."""
    rows = [row for name in ("lay_words", "plain_terms") for row in rule_rows(RULES / "letter" / f"{name}.tsv", 3)]
    return frozenset(word for row in rows for word in re.findall(r"[a-z]+", row[0].lower()))


@lru_cache(maxsize=16384)
def _is_jargon(word: str) -> bool:
    root = stem(word)
    if root in everyday():
        return False
    return root in _named() or word not in english_words()


@lru_cache(maxsize=1)
def everyday() -> frozenset[str]:
    """The stems of the list of everyday words, of plain wordings, and of what several chapters for patients say.

    A word of one chapter alone is the name of what it is about, which it explains ("which is called cystoscopy").
    """
    return compiled("everyday", [_KNOWLEDGE], _everyday)


def _everyday() -> frozenset[str]:
    texts = [row[4] for row in _concepts() if len(row) > 4]
    texts += [plain for _, _, plain in rule_rows(RULES / "letter" / "plain_terms.tsv", 3)]
    texts += rule_names(RULES / "letter" / "everyday_words.txt")
    said = Counter(stem_ for chapter in _chapters() for stem_ in set(_stems([chapter])))
    return frozenset(_stems(texts)) | {one for one, chapters in said.items() if chapters >= _CHAPTERS}


def _chapters() -> Iterator[str]:
    """The text of each chapter with its warning signs, without headings: those are names of the clinic."""
    signs: dict[str, list[str]] = {}
    for row in _rows("red_flags"):
        if len(row) > 1:
            signs.setdefault(row[0].lower(), []).append(row[1])
    for path in sorted((_KNOWLEDGE / "handbook").glob("*.md")):
        for chapter in re.split(r"^# ", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            name = chapter.partition("\n")[0].strip().lower()
            yield _HEADING.sub("", f"# {chapter}") + " " + " ".join(signs.get(name, ()))


@lru_cache(maxsize=1)
def _named() -> frozenset[str]:
    """The stems of the words of medical names."""
    names = (f"{row[0]} {row[3]}" for row in _concepts() if len(row) > 3)
    return compiled("named", [_KNOWLEDGE], lambda: frozenset(_stems(names)))


def _concepts() -> Iterator[list[str]]:
    return _rows("concepts")


def _rows(folder: str) -> Iterator[list[str]]:
    for path in sorted((_KNOWLEDGE / folder).glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                yield line.split("\t")


def _stems(texts: Iterable[str]) -> Iterator[str]:
    words = {word for text in texts for word in re.findall(r"[^\W\d_]+", text.lower())}
    return map(stem, words)
