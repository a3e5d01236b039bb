"""What a note says of the patient's allergies: the list with its status, and the statements of the record.

Order of the resolver: what is denied, withdrawn or tolerated in its own clause is no entry; then what a medicine was given for.
A relative's is never the patient's. A listed thing makes the status `listed`, whatever denial stands beside it.
"""

from collections.abc import Callable, Sequence

from backend.nlp.allergies.agents import Agents
from backend.nlp.allergies.allergens import Allergens, Lookup
from backend.nlp.allergies.denials import denials, outside, unreadable
from backend.nlp.allergies.entries import Entry
from backend.nlp.allergies.items import allergy_items
from backend.nlp.allergies.list_grammar import ListReader
from backend.nlp.allergies.wording import wording
from backend.nlp.document.parsed_note import ParsedNote
from backend.schemas.drafts.note import Allergies, Mention
from backend.schemas.vocabulary import AllergyStatus, SectionCategory

Span = tuple[int, int]


def read_allergies(note: ParsedNote, mentions: Sequence[Mention], lookup: Lookup, attributes_of: Callable) -> Allergies:
    reader = _Reader(note, mentions, lookup, attributes_of)
    reader.read()
    return reader.result()


class _Reader:
    def __init__(self, note, mentions, lookup, attributes_of) -> None:
        self._note = note
        self._wording = wording(note)
        self._allergens = Allergens(lookup)
        self._agents = Agents(note, self._wording.words, mentions, self._allergens)
        self._lists = ListReader(note, self._wording.words, self._agents, self._allergens)
        self._none: list[Span] = []
        self._unreadable: list[Span] = []

    def read(self) -> None:
        for sentence in self._note.sentences:
            section = self._note.sections[sentence.section]
            if section.category is SectionCategory.ALLERGIES:
                self._section_sentence(sentence.first, sentence.last)

    def result(self) -> Allergies:
        items = allergy_items(self._note, self._lists.entries, self._allergens)
        if items:
            return Allergies(status=AllergyStatus.LISTED, items=items, text=self._quote(self._none))
        if self._none:
            return Allergies(status=AllergyStatus.NONE_KNOWN, text=self._quote(self._none))
        if self._unreadable:
            return Allergies(status=AllergyStatus.UNREADABLE, text=self._quote(self._unreadable))
        return Allergies(status=AllergyStatus.NOT_STATED)

    def _quote(self, spans: list[Span]) -> str:
        return self._note.written(*spans[0]) if spans else ""

    def _section_sentence(self, first: int, last: int) -> None:
        words = self._wording.words
        triggers = [t for t in self._wording.triggers if first <= t.first and t.last <= last]
        denied = denials(words, triggers, first, last, in_section=True)
        self._none += [(d.first, d.last) for d in denied]
        if not denied and not self._agents.within(first, last) and unreadable(words, first, last):
            self._unreadable.append((first, last))
            return
        for left, right in outside(first, last, [(d.first, d.last) for d in denied]):
            self._lists.read(left, right)
