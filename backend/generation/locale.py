"""A draft in the words of a country: emergency numbers, units, names of drugs, spelling.

The knowledge is written for the US with metric units beside its own. For another locale the words of its rows stand instead, in what the
program wrote and in the passages that it quotes, so that a quote still reads as its source. What the patient's own note says stays as it
is written there: a word that the note uses is not exchanged in sentences about the patient. The last step of a draft, after every check.
A note that is plainly British has the words of the UK, and one that may be of another country no number, where the request says nothing.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from backend.generation.note_place import Place, place_of
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.drafts.draft import Draft, Sentence, WrittenSentence
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.drafts.medicines import MedicineRow
from backend.schemas.vocabulary import Basis, Locale, Source

FOLDER = RULES / "locale"
_TWICE = re.compile(r"\b([\w-]+) \(\1\)", re.IGNORECASE)  # a name and its other name, where the two have become one
_BECOMES = " => "
_NO_WORD: frozenset[str] = frozenset()
_ANYWHERE = "anywhere"
"""The rows for a country that is not known: no number is named."""


class Pattern(NamedTuple):
    """One row of patterns. yes: pairs of before and after. no: what stays."""

    pattern: re.Pattern[str]
    words: str
    yes: tuple[tuple[str, str], ...]
    no: str


class LocaleWords:
    """The words of one locale.

    Args:
        words: what stands instead of a word or phrase, by it.
        patterns: rows that go first, in their order.
    """

    def __init__(self, words: dict[str, str], patterns: tuple[Pattern, ...]) -> None:
        self._words = {us.lower(): uk for us, uk in words.items()}
        self._names = frozenset(us for us in words if us[0].isupper())
        self._patterns = patterns
        every = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        self._word = re.compile(rf"(?<![\w-])(?:{every})(?![\w-])", re.IGNORECASE) if words else None

    def told(self, text: str, kept: frozenset[str] = _NO_WORD) -> str:
        """A text in these words.

        Args:
            text: as the program has it.
            kept: words and phrases, in small letters, that stay.
        """
        for row in self._patterns:
            text = row.pattern.sub(row.words, text)
        if self._word is None:
            return text
        text = self._word.sub(lambda found: found[0] if found[0].lower() in kept else self._instead(found[0]), text)
        return _TWICE.sub(r"\1", text)

    def used(self, note: str) -> frozenset[str]:
        """The words and phrases that a note uses itself."""
        return frozenset(found.lower() for found in self._word.findall(note)) if self._word else _NO_WORD

    def _instead(self, word: str) -> str:
        instead = self._words[word.lower()]
        return instead[0].upper() + instead[1:] if word[0].isupper() and word not in self._names else instead


@lru_cache
def locale_words(locale: Locale) -> LocaleWords | None:
    """The words of a locale; None for the US, whose words the knowledge has."""
    if locale is Locale.US:
        return None
    words = {row[0]: row[1] for row in rule_rows(FOLDER / f"{locale.value}_words.tsv", 2)}
    return LocaleWords(words, locale_patterns(locale))


def locale_patterns(locale: str) -> tuple[Pattern, ...]:
    """The rows of patterns of a locale, or of no country that is known, with their examples."""
    return tuple(
        Pattern(
            re.compile(pattern),
            words,
            tuple((before, after) for before, _, after in (one.partition(_BECOMES) for one in yes.split(" | "))),
            no,
        )
        for pattern, words, yes, no in rule_rows(FOLDER / f"{locale}_patterns.tsv", 4)
    )


class NoteWords(NamedTuple):
    """Whose words a draft has. locale: of its numbers and paper; words: what stands instead, None where all stays."""

    locale: Locale
    words: LocaleWords | None


def words_for(note: str, asked: Locale | None, setting: Locale = Locale.US) -> NoteWords:
    """Whose words a draft has: those that its request asks for, else those of its note's country, else those of the setting.

    Args:
        note: the text of the note.
        asked: by the request.
        setting: for notes that tell no country.
    """
    place = Place.NOT_TOLD if asked is not None or setting is not Locale.US else place_of(note)
    if place is Place.BRITISH_WORDS:
        return NoteWords(setting, _numberless())
    locale = asked or (Locale.UK if place is Place.UK else setting)
    return NoteWords(locale, locale_words(locale))


@lru_cache(maxsize=1)
def _numberless() -> LocaleWords:
    return LocaleWords({}, locale_patterns(_ANYWHERE))


def in_locale(draft: Draft, asked: Locale | None, setting: Locale = Locale.US) -> Draft:
    """A finished draft in the words that it is to have; offsets of its sentences follow. Those of a passage index its source as it stands there.

    Args:
        draft: as written.
        asked: by the request.
        setting: for notes that tell no country.
    """
    locale, words = words_for(draft.note.text, asked, setting)
    if words is None:
        return draft
    used = words.used(draft.note.text)

    def patient(text: str) -> str:
        return words.told(text, used)

    text, sentences = _relaid(
        draft, lambda one: patient(one.text) if one.basis is Basis.PATIENT else words.told(one.text)
    )
    return draft.model_copy(
        update={
            "locale": locale,
            "text": text,
            "sentences": sentences,
            "medicines": tuple(_row(row, patient) for row in draft.medicines),
            "evidence": _evidence(draft.evidence, words.told),
            "gaps": tuple(gap.model_copy(update={"prompt": words.told(gap.prompt)}) for gap in draft.gaps),
            "flags": tuple(flag.model_copy(update={"message": patient(flag.message)}) for flag in draft.flags),
        }
    )


def sentence_in_locale(
    sentence: WrittenSentence, note: str, asked: Locale | None, setting: Locale = Locale.US
) -> WrittenSentence:
    """A sentence as it is shown while the draft is written, in the words that the finished draft has. Takes what `words_for` takes."""
    words = words_for(note, asked, setting).words
    if words is None:
        return sentence
    kept = words.used(note) if sentence.basis is Basis.PATIENT else _NO_WORD
    return sentence.model_copy(update={"text": words.told(sentence.text, kept)})


def _relaid(draft: Draft, told: Callable[[Sentence], str]) -> tuple[str, tuple[Sentence, ...]]:
    """The draft's text with every sentence exchanged where it stands."""
    parts: list[str] = []
    sentences: list[Sentence] = []
    last = length = 0
    for one in draft.sentences:
        between, new = draft.text[last : one.start_char], told(one)
        start = length + len(between)
        parts += [between, new]
        sentences.append(one.model_copy(update={"text": new, "start_char": start, "end_char": start + len(new)}))
        last, length = one.end_char, start + len(new)
    return "".join([*parts, draft.text[last:]]), tuple(sentences)


def _row(row: MedicineRow, told: Callable[[str], str]) -> MedicineRow:
    return row.model_copy(update={"name": told(row.name), "reason": told(row.reason)})


def _evidence(evidence: Evidence, told: Callable[[str], str]) -> Evidence:
    passages = tuple(
        one.model_copy(update={"text": told(one.text), "title": told(one.title)}) if one.source is Source.BOOK else one
        for one in evidence.passages
    )
    return evidence.model_copy(update={"passages": passages})
