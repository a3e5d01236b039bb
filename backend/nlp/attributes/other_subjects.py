"""Where "she" or "he" is another person than the patient: "his wife lives with him. She has diabetes and takes insulin".

Takes a parsed note; gives stretches of characters with the token of the one they speak of. A pronoun is another's where it has the
other sex than the patient and somebody of that sex is named before it; it speaks until the patient is named again.
"""

from collections.abc import Iterator
from typing import NamedTuple

from backend.nlp.attributes.family import person_words
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.vocabulary import SectionCategory

SEX = "people/sex"
RULE = "attributes/other_subject"
_CLEAR = 2.5
"""How many times the words of one sex outweigh those of the other before they decide."""
_SURE = 10.0
_BACK = 2
"""Sentences before that of a pronoun in which the one it speaks of is named."""
_TOLD = 4
_PRONOUNS = {"she": "female", "he": "male"}


class OtherSubject(NamedTuple):
    """Half-open code points that speak of another person; person is the token where that one is named."""

    start: int
    end: int
    person: int


def other_subjects(note: ParsedNote) -> tuple[OtherSubject, ...]:
    """The stretches of a note whose subject is somebody of the other sex, in order; for `ParsedNote.once`."""
    sex = told_sex(note)[0]
    other = next((one for one, of in _PRONOUNS.items() if sex and of != sex), "")
    return tuple(_stretches(note, other)) if other and other in note.words else ()


def _stretches(note: ParsedNote, pronoun: str) -> Iterator[OtherSubject]:
    words, lists = note.words, word_lists("attributes/words_people")
    named = lists[_PRONOUNS[pronoun]]
    own = lists["patient"] - {pronoun, "i", "they"}
    tells = lists["tells"] - lists["takes"]
    verbs = word_lists("attributes/words_clauses")["verbs"] | lists["takes"]
    for at, sentence in enumerate(note.sentences):
        for i in range(sentence.first, sentence.last - 1):
            if words[i] != pronoun or words[i + 1] not in verbs or not tells.isdisjoint(words[i + 1 : i + _TOLD]):
                continue  # "she has noticed swelling of his legs"
            begin = note.sentences[max(0, at - _BACK)].first
            person = next((j for j in range(i - 1, begin - 1, -1) if words[j] in named), None)
            if person is None:
                continue
            last = next(
                (j for j in range(i + 1, sentence.last) if words[j] in own or words[j] in (";", ")")), sentence.last
            )
            yield OtherSubject(note.tokens.starts[i], note.tokens.ends[last - 1], person)


def told_sex(note: ParsedNote) -> tuple[str, FoundTrigger | None, float]:
    """The sex that the words of a note tell by weight, the word that tells most, and the certainty; empty where they do not agree."""
    apart = [
        note.token_range(s.start_char, s.end_char)
        for s in note.sections
        if s.category is SectionCategory.FAMILY_HISTORY
    ]
    weights = {"female": 0.0, "male": 0.0}
    best: dict[str, FoundTrigger] = {}
    persons = person_words().others
    for t in note.triggers[SEX]:
        if any(first <= t.first < last for first, last in apart):
            continue
        weight = float(t.row.cells["weight"])
        if weight > 3 and not persons.isdisjoint(note.words[t.last : t.last + 2]):
            continue
        sex = t.row.event
        weights[sex] += weight
        if sex not in best or weight > float(best[sex].row.cells["weight"]):
            best[sex] = t
    more, less = sorted(weights, key=weights.__getitem__, reverse=True)
    if not weights[more] or weights[more] < _CLEAR * weights[less]:
        return "", None, 0.0
    return more, best[more], 1.0 if weights[more] >= _SURE + _CLEAR * weights[less] else 0.8
