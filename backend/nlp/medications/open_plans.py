"""What a plan leaves open or puts off: "we may add montelukast", "after surgery, she will start cisplatin", "consider stopping aspirin".

Such a medicine is thought of or comes later; nothing of it begins, changes or ends today. The words are rows of
assets/rules/medications/open_plan_triggers.tsv: OPEN stands right before the words that begin, change or end a medicine, or within them; LATER
opens their sentence, or stands behind the medicine.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Category

FAMILY = "medications/open_plan"
_OPEN, _LATER = "OPEN", "LATER"
_FAR = 10
"""Words behind a medicine in which it is told when it begins."""
_LONGEST = 12
"""Words in which open words and what stands between them and a medicine lie."""
_BETWEEN = frozenset({"a", "an", "the", "some", "her", "his", "with", "on", "of", "use", "using", "oral", "iv"})
_ENDS = frozenset({".", ";", ":", "\n"})
_LEADS = frozenset({"and", "then", "also", "so", "but", ",", "-", "\u2022", "(", ")", "plan"})
"""What may stand before words that open a sentence."""
_BEFORE_ORDER = frozenset({"-", "\u2013", "\u2014", ":", ">", "\u2192", "="})
_LINE = 400
"""Code points before an order in which its line begins."""
_SIGNS = 2
"""Signs of a line that it takes to tell a case to come and no problem of today."""
_GOES_ON = frozenset({"and", "but", "for", "then"})
"""Words behind a medicine that go on to something else."""


def is_left_open(note: ParsedNote, trigger: FoundTrigger) -> bool:
    """Whether the words that begin, change or end a medicine are only thought of: "may", "consider", "thinking about".

    Args:
        note: the parsed note.
        trigger: the words.
    """
    number = note.sentence_at(note.tokens.starts[trigger.first])
    first = trigger.first if number is None else note.sentences[number].first
    found = note.triggers_within(FAMILY, max(0, first - 1), trigger.last)
    return any(one.row.event == _OPEN and (one.last == trigger.first or _meets(one, trigger)) for one in found)


def is_named_open(note: ParsedNote, first: int) -> bool:
    """Whether open words stand right before a medicine that no other words govern: "he might benefit from gabapentin".

    Args:
        note: the parsed note.
        first: the first token of the name.
    """
    found = note.triggers_within(FAMILY, max(0, first - _LONGEST), first)
    return bool(found) and found[-1].row.event == _OPEN and set(note.words[found[-1].last : first]) <= _BETWEEN


def is_put_off(note: ParsedNote, sentence: Sentence, trigger: FoundTrigger, last: int, behind: int) -> bool:
    """Whether a sentence tells that what it plans comes later: "once the biopsy is back, we will start", "at the next visit".

    Args:
        note: the parsed note.
        sentence: that of the plan.
        trigger: the words that plan it.
        last: where the medicine's name ends.
        behind: the token behind it and its dosage, which may hold a "once" that is none.
    """
    words = note.words
    later = [one for one in note.triggers_within(FAMILY, sentence.first, sentence.last) if one.row.event == _LATER]
    begins = [i for i in range(sentence.first, trigger.first) if i == sentence.first or words[i - 1] in _ENDS]
    opens = {_first_word(note, i, trigger.first) for i in begins}
    if any(one.last <= trigger.first and one.first in opens for one in later):
        return True
    end = behind
    while end < min(sentence.last, behind + _FAR) and words[end] not in _ENDS | _GOES_ON:
        end += 1
    return any(last <= one.first < end for one in later)


class Signs:
    """The symptoms of a note by place.

    Args:
        mentions: what the note names.
    """

    def __init__(self, mentions: Sequence[Mention]) -> None:
        signs = sorted((one.start_char, one.concept_id) for one in mentions if one.category is Category.SYMPTOM)
        self._starts, self._ids = [start for start, _ in signs], [concept for _, concept in signs]
        self._often = Counter(self._ids)

    def lead_a_case(self, begin: int, end: int) -> bool:
        """Whether two or more stand in a stretch, and none of them elsewhere in the note."""
        here = Counter(self._ids[bisect_left(self._starts, begin) : bisect_left(self._starts, end)])
        return len(here) >= _SIGNS and all(self._often[one] == count for one, count in here.items())


def is_for_a_case(note: ParsedNote, trigger: FoundTrigger, signs: Signs) -> bool:
    """Whether a medicine is ended only where signs come that lead the order: "vomiting, diarrhoea, unsteady - stop lithium".

    Two signs or more stand before a mark and the order, and the note tells none of them elsewhere: "nausea, vomiting: stop metformin" to who
    came with them is done today.

    Args:
        note: the parsed note.
        trigger: the words that end the medicine.
        signs: of the note.
    """
    start = note.tokens.starts[trigger.first]
    if note.words[max(0, trigger.first - 1)] not in _BEFORE_ORDER or (number := note.sentence_at(start)) is None:
        return False
    line = note.text.rfind("\n", max(0, start - _LINE), start) + 1
    return signs.lead_a_case(max(note.tokens.starts[note.sentences[number].first], line), start)


def _meets(one: FoundTrigger, trigger: FoundTrigger) -> bool:
    """Whether open words share a word with the trigger, and do not begin behind it."""
    return one.first < trigger.last and one.last > trigger.first


def _first_word(note: ParsedNote, first: int, last: int) -> int:
    """The first word of a clause behind numbers, marks and joining words."""
    return next((i for i in range(first, last) if note.words[i] not in _LEADS and note.words[i][:1].isalpha()), first)
