"""The sentences that tell an earlier stay: "She was admitted on 03/02 with ... Cultures showed ... She was discharged on 03/09".

Takes a parsed note; gives numbers of its sentences. Such a story begins with a stay on a day well before the note's last, or so many
weeks before this one, and goes on only as far as its discharge, over verbs of the past. A later sentence about that stay by its name
("His hospitalization was complicated by ...") is of it too. The sentence that opens it is of the past by itself where the note tells
the stay's last day, or a discharge further on. What brings the patient today is told in the past too, and is none.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
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
_MOST = 24
"""Sentences at most from the one that opens a story to its discharge."""
_VERB = 4
"""Tokens before the word of a stay in which "was" stands, and before its last day in which "to" does."""
_DAYS = 7
"""Days before the latest date of a note from which a stay is an earlier one."""


class _Opening(NamedTuple):
    """The tokens, last left out, of the words that tell of a stay, and whether its last day is told."""

    first: int
    last: int
    over: bool


def earlier_stays(note: ParsedNote) -> dict[int, tuple[int, int]]:
    """By sentence of an earlier stay the tokens, last left out, of the words that opened its story; for `ParsedNote.once`."""
    found: dict[int, tuple[int, int]] = {}
    before = [] if _is_summary(note) else _weeks_before(note)
    old = [] if _is_summary(note) else sorted({*_old_dates(note), *before})
    if not old:
        return found
    leaves = word_lists(_LIST)["leaves"]
    left = [at for at, one in enumerate(note.sentences) if not leaves.isdisjoint(note.words[one.first : one.last])]
    last_left = {note.sentences[at].section: at for at in left}
    for at, sentence in enumerate(note.sentences):
        opening = None if at in found else _opening(note, sentence, old)
        if opening is None:
            continue
        told = _story(note, at, left)
        over = opening.over or any(sentence.first <= place < sentence.last for place in before)
        if over or len(told) > 1 or last_left.get(sentence.section, -1) >= at:
            found |= dict.fromkeys(told, (opening.first, opening.last))
    return found | _named_again(note, found)


def _named_again(note: ParsedNote, found: Mapping[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """The sentences behind an earlier stay, of its section, that begin with its name: "Her stay was complicated by delirium"."""
    lists, again = word_lists(_LIST), dict[int, tuple[int, int]]()
    opened: dict[int, tuple[int, int]] = {}
    for at, sentence in enumerate(note.sentences):
        if at in found:
            opened[sentence.section] = found[at]
            continue
        begin = note.words[sentence.first : sentence.first + _VERB]
        names = begin[:1] and begin[0] in lists["of_it"] and not lists["named"].isdisjoint(begin[1:])
        if names and sentence.section in opened and _goes_on(note.words, sentence):
            again[at] = opened[sentence.section]
    return again


def _weeks_before(note: ParsedNote) -> list[int]:
    """The tokens that end "3 months prior to his current presentation": weeks or months before the stay or visit of the note."""
    lists, words = word_lists(_LIST), note.words
    spells = (i for i in range(2, len(words)) if words[i] in lists["before"] and words[i - 1] in lists["spells"])
    return [i for i in spells if _this_one(words, i)]


def _this_one(words: Sequence[str], place: int) -> range:
    """The tokens behind a place that name the stay or visit of the note: "to his current presentation"; empty for none."""
    named = word_lists(_LIST)["this_one"]
    end = next((i + 1 for i in range(place + 1, min(place + 1 + _VERB, len(words))) if words[i] in named), place)
    return range(place + 1, end)


def _story(note: ParsedNote, at: int, left: Sequence[int]) -> range:
    """The sentences from one that opens a story to the discharge that ends it; that one alone where the way is broken."""
    place = bisect_left(left, at)
    if place == len(left):
        return range(at, at + 1)
    end = left[place]
    reached = end - at < _MOST and all(
        note.sentences[i].section == note.sentences[at].section and _goes_on(note.words, note.sentences[i])
        for i in range(at + 1, end + 1)
    )
    return range(at, end + 1 if reached else at + 1)


def _is_summary(note: ParsedNote) -> bool:
    """Whether a note tells of a stay that ends with it: its story of the stay is of today."""
    return any(
        one.category is SectionCategory.HOSPITAL_COURSE or "discharge" in one.title.lower() for one in note.sections
    )


def _opening(note: ParsedNote, sentence: Sentence, old: Sequence[int]) -> _Opening | None:
    """The words of a sentence that tell of a stay of then; None for none, or where it tells of these days too."""
    places = old[bisect_left(old, sentence.first) : bisect_left(old, sentence.last)]
    if not places or note.sections[sentence.section].category not in _SECTIONS:
        return None
    lists, words = word_lists(_LIST), note.words
    # "is a 35-year-old who on October 3 was admitted": what stands before the day is of no matter
    named = {i for place in places for i in _this_one(words, place)}
    if any(words[i] in lists["now"] and i not in named for i in range(places[0], sentence.last)):
        return None
    for i in range(sentence.first, sentence.last):
        if words[i] in lists["stay"] and not lists["was"].isdisjoint(words[max(sentence.first, i - _VERB) : i]):
            spans = lists["spans"].intersection(words[max(sentence.first, places[-1] - _VERB) : places[-1]])
            return _Opening(i, i + 1, over=bool(spans) and i < places[-1])
    return None


def _old_dates(note: ParsedNote) -> list[int]:
    """The tokens of days well before the latest day of a note, in order; none in a note of one day."""
    days = [(day, note.token_range(one.start_char, one.end_char)[0]) for one in dates_of(note) if (day := day_of(one))]
    latest = max((day for day, _ in days), default=date.min)
    return [place for day, place in days if (latest - day).days >= _DAYS]


def _goes_on(words: Sequence[str], sentence: Sentence) -> bool:
    """Whether a sentence goes on telling what was: it has a verb of the past and no word of these days."""
    lists, said = word_lists(_LIST), words[sentence.first : sentence.last]
    past = any(word in lists["was"] or word in lists["past"] or word[-2:] == "ed" for word in said)
    return past and lists["now"].isdisjoint(said)
