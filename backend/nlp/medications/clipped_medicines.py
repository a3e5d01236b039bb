"""Medicines whose names are clipped, where the words beside them tell of a medicine: "simva 40 nocte", "restart ramip", "allergic to clarithro".

A clipped name alone is none: a dose, a route or a timing stands beside it, a remark of medicines, a word of allergies in its
sentence, or it is an entry of a list.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import HYPHENS, WordTest
from backend.nlp.lexicon.clipped_names import LEAST_LETTERS, usual_clips
from backend.nlp.lexicon.matches import Candidate, Match
from backend.nlp.lexicon.name_words import TITLES
from backend.nlp.lexicon.variants import english_words
from backend.nlp.measures.routes import FAMILY as ROUTE
from backend.nlp.measures.timing import FAMILY as TIMING
from backend.nlp.measures.units import unit_of
from backend.nlp.medications.lists.list_lines import ENTRY_MARKS, begins_item
from backend.schemas.vocabulary import Category, SectionCategory

Clipped = Callable[[str], Candidate | None]
_ALLERGIES = "allergies/events"
_OF_ALLERGIES = frozenset((
    "AVOID", "CALLED", "CAME_OF", "CAUSES", "CHALLENGE", "CONTRAINDICATED", "FORBIDDEN", "INTOLERANT", "NOT_ALLERGIC", "POSITIVE",
    "REACTION_TO", "SENSITIVE", "SHORTHAND", "WITHDRAWN",
))  # fmt: skip
_JOINS = frozenset(("|", ",", ";", "/", "+", "&", "and", "or", "plus"))
_DOSES = frozenset(("dose", "form"))
_STRENGTHS = frozenset(("dose", "form", "time"))
_OF_A_PERSON = 3
"""Words before a name in which a title makes it a person's: "Dr. Alan Lisin"."""
_MOST_DOSE = 1500
"""Above it a bare number is no dose, but a year."""
_MOST_INITIALS = 4
"""Letters up to which a word of capitals is no clipped name: a PASI of 14."""
_STRANGE = WordTest(
    lambda word: (
        word in usual_clips() or (len(word) >= LEAST_LETTERS and word.isalpha() and word not in english_words())
    )
)


def clipped_medicines(note: ParsedNote, found: Sequence[Match], clipped: Clipped) -> list[Match]:
    """The clipped names of a note.

    Args:
        note: the parsed note.
        found: what the lexicon found in it, in order.
        clipped: gives the medicine of which a word is the beginning, or None.
    """
    ends = [match.end_char for match in found]
    reader: _Beside | None = None
    read: list[Match] = []
    for i in note.where(_STRANGE):
        start, end = note.tokens.starts[i], note.tokens.ends[i]
        first = _begin(note, i)
        at = bisect_left(ends, start + 1)
        if at < len(found) and found[at].start_char < end and (first == i or found[at].words > 1):
            continue
        named = clipped("".join(note.words[j] for j in range(first, i + 1) if note.tokens.word[j]))
        if named is None or (i == first and end - start <= _MOST_INITIALS and note.text[start:end].isupper()):
            continue
        reader = reader or _Beside(note, found)
        if reader.tells_medicine(first, i + 1):
            read.append(Match(note.tokens.starts[first], end, 1 + (first < i), (named,)))
            reader.add(first, i + 1)
    return read


def _begin(note: ParsedNote, i: int) -> int:
    """Where the name begins whose last word this is: "co-amox"."""
    starts, ends = note.tokens.starts, note.tokens.ends
    glued = i > 1 and note.words[i - 1] in HYPHENS and starts[i] == ends[i - 1] and starts[i - 1] == ends[i - 2]
    return i - 2 if glued and note.words[i - 2].isalpha() else i


class _Beside:
    """What stands beside the words of one note."""

    def __init__(self, note: ParsedNote, found: Sequence[Match]) -> None:
        self._note = note
        given = {Category.DRUG.value, Category.DRUG_CLASS.value}
        spans = [note.token_range(m.start_char, m.end_char) for m in found if m.candidates[0].category in given]
        self._medicines = {i for first, last in spans for i in range(first, last)}
        dosing = [one for family in (TIMING, ROUTE) for one in note.triggers[family]]
        remarks = note.triggers["medications/medication"]
        changes = note.triggers["medications/transition"]
        self._dosing = {one.first for one in dosing}
        self._begins = {one.first for one in (*changes, *(one for one in remarks if one.row.cells["left"] != "-"))}
        self._ends = {
            one.last for one in (*dosing, *changes, *(one for one in remarks if one.row.cells["right"] != "-"))
        }

    def add(self, first: int, last: int) -> None:
        """Hold words for a medicine, which those beside them are told by."""
        self._medicines.update(range(first, last))

    def tells_medicine(self, first: int, last: int) -> bool:
        """Whether what stands beside the words first to last, last left out, tells that they name a medicine."""
        note = self._note
        section = note.section_at(note.tokens.starts[first])
        if section is None or note.tokens.starts[first] < section.body_char:
            return False
        sentence = note.sentence_at(note.tokens.starts[first])
        if not TITLES.isdisjoint(note.words[max(0, first - _OF_A_PERSON) : first]):
            return False
        if sentence is None or section.category is SectionCategory.ALLERGIES:
            return sentence is not None
        borders = note.sentences[sentence]
        if self._is_dosed(first, last) or (first in self._ends and first > borders.first):
            return True
        after = last + (self._word(last) in (":", "-"))
        if (after in self._begins and after < borders.last) or self._is_entry(first, last, section.category):
            return True
        told = note.triggers_within(_ALLERGIES, borders.first, borders.last)
        return any(one.row.event in _OF_ALLERGIES for one in told)

    def _word(self, i: int) -> str:
        return self._note.words[i] if 0 <= i < len(self._note.words) else "\n"

    def _is_dosed(self, first: int, i: int) -> bool:
        """Whether a dose, a form, a route or a timing begins at a place: "40", "5mg", "nocte"."""
        if i in self._dosing:
            return True
        number, unit = self._word(i), unit_of(self._word(i + 1))
        if not number[:1].isdigit():
            return False
        while self._word(i + 1) in (".", "/", "-") and self._word(i + 2).isdigit():
            i += 2
            unit = unit_of(self._word(i + 1))
        if not number.isdigit():
            glued = unit_of(number.lstrip("0123456789"))
            return glued is not None and glued.kind in _DOSES
        if unit is not None and unit.kind in _DOSES:
            return True
        if int(number[:6]) > _MOST_DOSE or (unit is not None and unit.kind not in _STRENGTHS):
            return False
        usual = usual_clips().get(self._word(first))
        if usual is None or i + 1 in self._dosing:
            return True
        return usual.numbered and (self._word(i + 1) in ENTRY_MARKS or self._word(i + 1) in _JOINS)

    def _is_entry(self, first: int, last: int, section: SectionCategory) -> bool:
        """Whether words are an entry of a list of medicines, or are joined to a medicine."""
        ended = self._word(last) in ENTRY_MARKS or self._word(last) in _JOINS
        if section is SectionCategory.MEDICATIONS and (ended or begins_item(self._note, first)):
            return True
        before = self._word(first - 1) in _JOINS and first - 2 in self._medicines
        return (before and ended) or (self._word(last) in _JOINS and last + 1 in self._medicines)
