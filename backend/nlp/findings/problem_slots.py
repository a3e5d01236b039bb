"""Problems that a note names in a slot: the items of its problem lists, and what follows "history of", "denies", "presents with".

Takes a parsed note; gives phrases that its lexicon need not know. Items are set apart by lines, numbers, commas and semicolons.
An item with a verb, a person, a date or a procedure is none: backend.nlp.findings.problem_phrases cuts and judges it.
"""

from collections.abc import Iterator

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.problem_phrases import Phrase, clean, glued, lists, names_problem
from backend.schemas.vocabulary import SectionCategory

FAMILY = "findings/problem"
_LISTS = frozenset(
    {
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.CHIEF_COMPLAINT,
        SectionCategory.ASSESSMENT,
        SectionCategory.FAMILY_HISTORY,
    }
)
_APART = frozenset((",", ";", ":", ".", "(", ")", "\n", "and", "or", "nor", "as", "with", "but", "which", "who"))
_MOST_ITEMS = 12


def listed(note: ParsedNote) -> Iterator[Phrase]:
    """The items of the note's problem lists that name a problem, in order."""
    for sentence in note.sentences:
        if note.sections[sentence.section].category not in _LISTS:
            continue
        for first, last in _items(note, sentence.first, sentence.last):
            phrase = clean(note, first, last)
            past = note.sections[sentence.section].category is SectionCategory.PAST_MEDICAL_HISTORY
            if phrase is not None and names_problem(note, phrase, strict=not past):
                yield phrase


def slotted(note: ParsedNote) -> Iterator[tuple[Phrase, str]]:
    """What follows the words before problems, as far as it names some, each with the rule that led to it."""
    for trigger in note.triggers[FAMILY]:
        if trigger.row.event not in ("problem", "denied"):
            continue
        at = note.sentence_at(note.tokens.starts[trigger.first])
        if at is None:
            continue
        for number, (first, last) in enumerate(_items(note, trigger.last, note.sentences[at].last)):
            phrase = _leading(note, first, last)
            if phrase is None or number >= _MOST_ITEMS:
                break
            if names_problem(note, phrase, strict=trigger.row.event == "denied"):
                yield phrase, trigger.row.rule_id
            if phrase.last < last - 1:
                break  # a verb or a time follows: the list is at its end


def _leading(note: ParsedNote, first: int, last: int) -> Phrase | None:
    """The words at the beginning of a stretch that can be a problem, before a verb, a person or a time."""
    stop = lists().stop
    while first < last and note.words[first] in stop and note.words[first] in _MAY_LEAD:
        first += 1
    end = next((j for j in range(first, last) if note.words[j] in stop), last)
    return clean(note, first, end)


_MAY_LEAD = frozenset(("having", "being", "his", "her", "their", "my", "this", "associated", "approximately", "about"))


def _items(note: ParsedNote, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Half-open stretches of tokens between marks, numbers of lists and joining words."""
    begin = first
    for i in range(first, last):
        word = note.words[i]
        if word in _APART and not (word in ".," and glued(note, i)):
            if begin < i and not (word == "." and i - begin == 1 and note.words[begin].isdigit()):
                yield begin, i
            begin = i + 1
    if begin < last:
        yield begin, last
