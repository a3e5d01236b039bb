"""The sentences that tell an earlier stay to its end: "She was admitted from 07/11 to 07/14 with ... It was thought that ...".

Takes a parsed note; gives numbers of its sentences. Such a story begins with a stay on a day well before the note's last, or one
that is called earlier, and goes on while the verbs are past. It counts where the note tells that the stay ended: the days of its
beginning and end, or the discharge. What brings the patient today is told in the past too, and is none.
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.measures.dates import dates_of, day_of
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.vocabulary import SectionCategory

RULE = "attributes/earlier_stay"
_LIST = "attributes/words_earlier"
_SECTIONS = frozenset({
    SectionCategory.HISTORY_OF_PRESENT_ILLNESS, SectionCategory.CHIEF_COMPLAINT, SectionCategory.UNLABELED,
})  # fmt: skip
_MOST = 12
"""Sentences at most that one story of then goes on for."""
_VERB = 4
"""Tokens from "was" to the verb of the stay, and from a stay's first day to its last."""
_DAYS = 7
"""Days before the latest date of a note from which a stay is an earlier one."""


class _Opening(NamedTuple):
    """The tokens, last left out, of the words that tell of a stay, and whether they tell that it is over."""

    first: int
    last: int
    over: bool


def earlier_stays(note: ParsedNote) -> dict[int, tuple[int, int]]:
    """By sentence of an earlier stay the tokens, last left out, of the words that opened its story; for `ParsedNote.once`."""
    found: dict[int, tuple[int, int]] = {}
    lists, old = word_lists(_LIST), _old_dates(note)
    at = len(note.sentences) if _is_summary(note) else 0
    while at < len(note.sentences):
        opening = _opening(note, note.sentences[at], old)
        if opening is None:
            at += 1
            continue
        told, over, first = [at], opening.over, note.sentences[at]
        while at + 1 < len(note.sentences) and len(told) < _MOST and _leaves(note, at).isdisjoint(lists["leaves"]):
            following = note.sentences[at + 1]
            if following.section != first.section or not _goes_on(note.words, following):
                break
            at += 1
            told.append(at)
        over = over or any(
            not _leaves(note, later).isdisjoint(lists["leaves"])
            for later in range(told[0], len(note.sentences))
            if note.sentences[later].section == first.section
        )
        found |= dict.fromkeys(told, (opening.first, opening.last)) if over else {}
        at += 1
    return found


def _is_summary(note: ParsedNote) -> bool:
    """Whether a note tells of a stay that ends with it: its story of the stay is of today."""
    return any(
        one.category is SectionCategory.HOSPITAL_COURSE or "discharge" in one.title.lower() for one in note.sections
    )


def _leaves(note: ParsedNote, at: int) -> frozenset[str]:
    return frozenset(note.words[note.sentences[at].first : note.sentences[at].last])


def _opening(note: ParsedNote, sentence: Sentence, old: Sequence[int]) -> _Opening | None:
    """The words of a sentence that tell of a stay of then; None for none, or where it tells of these days too."""
    lists, words = word_lists(_LIST), note.words
    if note.sections[sentence.section].category not in _SECTIONS:
        return None
    places = [j for j in old if sentence.first <= j < sentence.last]
    told = words[
        min(places, default=sentence.first) : sentence.last
    ]  # "is a 35-year-old who on October 3 was admitted"
    if not lists["now"].isdisjoint(told):
        return None
    for i in range(sentence.first, sentence.last):
        if words[i] in lists["named_stay"] and i > sentence.first and words[i - 1] in lists["former"]:
            return _Opening(i - 1, i + 1, over=True)
        before = words[max(sentence.first, i - _VERB) : i]
        if places and words[i] in lists["stay"] and not lists["was"].isdisjoint(before):
            spans = lists["spans"] & set(words[max(sentence.first, places[-1] - _VERB) : places[-1]])
            return _Opening(i, i + 1, over=bool(spans) and i < places[-1])
    return None


def _old_dates(note: ParsedNote) -> list[int]:
    """The tokens of days well before the latest day of a note; none in a note of one day."""
    days = [(day, note.token_range(one.start_char, one.end_char)[0]) for one in dates_of(note) if (day := day_of(one))]
    latest = max((day for day, _ in days), default=date.min)
    return [place for day, place in days if (latest - day).days >= _DAYS]


def _goes_on(words: Sequence[str], sentence: Sentence) -> bool:
    """Whether a sentence goes on telling what was: it has a verb of the past and no word of these days."""
    lists, said = word_lists(_LIST), words[sentence.first : sentence.last]
    past = any(word in lists["was"] or word in lists["past"] or word[-2:] == "ed" for word in said)
    return past and lists["now"].isdisjoint(said)
