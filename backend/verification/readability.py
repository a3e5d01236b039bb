"""How hard the patient's text is to read: Flesch-Kincaid grade and SMOG, counted by rules that a reader can repeat.

Sentences are those of `backend.nlp.document.sentences`. A word is what stands between spaces and holds a letter or a digit;
"follow-up" is one word. Syllables are counted by `syllables`; a number counts one.
"""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp.document import sentences as sentence_spans
from backend.schemas.drafts.draft import Readability
from backend.schemas.drafts.gaps import is_no_statement, lists_open_medicines

FEWEST_WORDS = 30
FEWEST_SENTENCES = 3  # for SMOG, which asks for thirty and is stretched to fewer here
POLYSYLLABLE = 3
_LETTERS = re.compile(r"[a-z]+")
_SILENT_E = re.compile(r"(?<=[^aeiouy])e$")
_SOUNDED_LE = re.compile(r"[^aeiouy]le$")
_SILENT_ED = re.compile(r"(?<=[^aeioutdy])ed$")
_SILENT_ES = re.compile(r"(?<![cgsxz])(?<!ch)(?<!sh)(?<![^aeiouy]l)(?<=[^aeiouy])es$")
_SILENT_INSIDE = re.compile(r"(?<=[aeiouy])([^aeiouy]+)e(?=(?:ly|ful|less)$)")
_VOWELS = re.compile(r"[aeiouy]+")
_APART = re.compile(
    r"(?<![cgst])i[ao]|iu|giant|(?<![gq])uid|(?:[aeiouy][^aeiouy]{1,2})ier$|[aeiouy]ing|(?:[dn]|qu)iet|eo(?!p)|creat|react|rrhea|(?<=[aeiou][a-z])ea$|uous"
)


class Counts(NamedTuple):
    """How many sentences, words, syllables, and words of three syllables or more a text has."""

    sentences: int
    words: int
    syllables: int
    polysyllables: int


class TextReadability:
    """Measures the sentences of a draft. Notices in square brackets, and medicines about which it is asked, do not count."""

    def measure(self, sentences: Sequence[str]) -> Readability:
        """US school grades to one decimal, higher is harder.

        Returns:
            The number of words, and both grades; None for a text under 30 words, where the formulas mean nothing, and no
            SMOG for one under 3 sentences.
        """
        text = " ".join(s for s in sentences if not (is_no_statement(s) or lists_open_medicines(s)))
        words = len(text.split())
        if words < FEWEST_WORDS:
            return Readability(words=words)
        counted = counts(text)
        graded = smog(counted) if counted.sentences >= FEWEST_SENTENCES else None
        return Readability(
            fkgl=round(flesch_kincaid(counted), 1), smog=None if graded is None else round(graded, 1), words=words
        )


def flesch_kincaid(counted: Counts) -> float:
    """Flesch-Kincaid grade (Kincaid et al. 1975): 0.39 words a sentence + 11.8 syllables a word - 15.59.

    Of a text with at least one word.
    """
    return 0.39 * counted.words / counted.sentences + 11.8 * counted.syllables / counted.words - 15.59


def smog(counted: Counts) -> float:
    """SMOG grade (McLaughlin 1969): 1.043 times the root of 30 polysyllables a sentence, + 3.1291.

    Of a text with at least one sentence.
    """
    return 1.043 * math.sqrt(30 * counted.polysyllables / counted.sentences) + 3.1291


def counts(text: str) -> Counts:
    """The sentences, words and syllables of a text."""
    words = [word for word in text.split() if any(c.isalnum() for c in word)]
    each = [syllables(word) for word in words]
    spoken = [one for one in sentence_spans(text) if any(c.isalnum() for c in text[one[0] : one[1]])]
    return Counts(len(spoken), len(words), sum(each), sum(count >= POLYSYLLABLE for count in each))


def syllables(word: str) -> int:
    """The syllables of one English word, at least 1; parts around a hyphen are counted apart and added.

    Each run of vowels (a, e, i, o, u, y) is one syllable. Silent are an e at the end ("take", not "table"), the e of -ed but
    after t and d ("called", "needed"), the e of -es but after a hiss ("takes", "doses"), and the e before -ly, -ful and -less
    ("safely"). Two vowels that are spoken apart count two ("diet", "cardiac", "being"). A y before a vowel at the beginning
    and a u after q are consonants.
    """
    return max(1, sum(_syllables(part) for part in _LETTERS.findall(word.lower().replace("’", "").replace("'", ""))))


def _syllables(part: str) -> int:
    spoken = re.sub(r"^y(?=[aeiou])", "j", part.replace("qu", "qw"))
    if len(_VOWELS.findall(spoken)) > 1:
        spoken = _SILENT_ES.sub("s", _SILENT_ED.sub("d", spoken))
        spoken = spoken if _SOUNDED_LE.search(spoken) else _SILENT_E.sub("", spoken)
        spoken = _SILENT_INSIDE.sub(r"\1", spoken)
    return max(1, len(_VOWELS.findall(spoken)) + len(_APART.findall(part)))
