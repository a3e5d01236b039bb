"""Whether the patient leaves the hospital with a note, so that what it plans is for home.

The words are rows of assets/rules/people/leaving_triggers.tsv. A way home under a condition ("home when he eats"), denied or of the past tells nothing.
"""

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.people.first_lines import first_lines
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.vocabulary import SectionCategory

FAMILY = "people/leaving"
_FIRST = 60
"""Tokens of a note that may be its title."""
_BACK = 6
"""Words before the way home that may put it off or into the past."""
_TOLD = frozenset((
    SectionCategory.PLAN, SectionCategory.ASSESSMENT, SectionCategory.INSTRUCTIONS, SectionCategory.HOSPITAL_COURSE,
    SectionCategory.UNLABELED, SectionCategory.MEDICATIONS,
))  # fmt: skip


def leaving(note: ParsedNote) -> FoundTrigger | None:
    """The first words of a note that tell that the patient now leaves; None without any."""
    return next((one for one in note.triggers[FAMILY] if _tells(note, one)), None)


def _tells(note: ParsedNote, one: FoundTrigger) -> bool:
    if one.row.event == "HEADING":
        return True
    if one.row.event == "TITLE":
        return one.first < _FIRST
    if one.row.event == "LINE":
        return _titles(note, one)
    place = note.tokens.starts[one.last - 1]  # the way home itself: "Dispo:" may be a title
    section, at = note.section_at(place), note.sentence_at(place)
    if at is None or section is None or section.category not in _TOLD:
        return False
    sentence, open_words = note.sentences[at], word_lists("people/words_leaving")
    before = note.words[max(sentence.first, one.first - _BACK) : one.last]
    beside = (*note.words[sentence.first : one.first], *note.words[one.last : sentence.last])
    return open_words["open"].isdisjoint(beside) and open_words["past"].isdisjoint(before)


def _titles(note: ParsedNote, one: FoundTrigger) -> bool:
    """Whether words stand in a line that is a title of the note and of the patient's leaving."""
    start, held = note.tokens.starts[one.first], word_lists("people/words_leaving")
    section = note.section_at(start)
    if section is None or section.category is SectionCategory.CHIEF_COMPLAINT:
        return False
    line = next(((a, b) for a, b in first_lines(note.text) if a <= start < b), None)
    if line is None:
        return False
    words = note.words[slice(*note.token_range(*line))]
    return held["after"].isdisjoint(words) and held["body"].isdisjoint(words)
