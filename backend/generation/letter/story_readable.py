"""Which words of a note a letter may keep though they are no everyday words: names that have to be told or are explained, and which are no proper names."""

import re
from collections.abc import Callable, Iterator, Mapping

from backend.generation.letter.plain_language.in_place import meaning
from backend.nlp.lexicon.variants import english_words, stem
from backend.schemas.record import PatientRecord, ProblemStatement, ProcedureStatement
from backend.schemas.vocabulary import Category

_CLIPPED = 5
"""Letters of a word that may be clipped from a longer one."""
_SHORTEST = 4
"""Letters of a word of a name that is no short form."""


def readable(
    record: PatientRecord,
    plain: Mapping[str, str],
    keeps: Callable[[ProblemStatement | ProcedureStatement], bool],
) -> frozenset[str]:
    """The words of names that a letter keeps: of medicines, of what everyday words explain, and of what has to be named."""
    names = [name for one in record.medications for name in (one.name, *(span.text for span in one.spans))]
    named: list[ProblemStatement | ProcedureStatement] = [*record.stated_problems, *record.procedures]
    names += [one.spans[0].text for one in named if one.spans and meaning(one, plain)]
    kept = {word for one in named if one.spans and keeps(one) for word in _written_out(one)}
    return frozenset(kept.union(*map(_words, names)))


def common_words(record: PatientRecord, note_text: str) -> frozenset[str]:
    """Words that are no proper names: of what the record names in lower case, and those that the note writes so.

    Args:
        record: what the note states.
        note_text: the note.
    """
    named = (getattr(one, "name", "") for one in record.statements)
    names = {word for name in named if name == name.lower() for word in name.split()}
    clinical: list[ProblemStatement | ProcedureStatement] = [*record.stated_problems, *record.procedures]
    plainly = (one for one in clinical if one.spans and one.name == one.name.lower())  # no eponym
    names |= {one.spans[0].text.lower() for one in plainly if " " not in one.spans[0].text}
    return frozenset(names | set(re.findall(r"(?<![\w.])[a-z]{3,}", note_text)))


def _written_out(one: ProblemStatement | ProcedureStatement) -> Iterator[str]:
    """Yield the words of a name as the note writes it, without short forms and those it clips: "ankle" of an "ankle frac"."""
    called = _words(one.name)
    named = {stem(word) for word in called}
    for written in re.findall(r"[^\W\d_]+", " ".join(span.text for span in one.spans)):
        word = written.lower()
        own = len(word) >= _SHORTEST and not written.isupper() and not any(each.startswith(word) for each in called)
        if one.concept_id is None or len(word) > _CLIPPED or own or word in english_words() or stem(word) in named:
            yield word


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())


def is_to_be_named(one: ProblemStatement | ProcedureStatement) -> bool:
    """Whether the name of a problem or procedure may stand as it is: a disease, a procedure, or what nobody knows another word for."""
    return isinstance(one, ProcedureStatement) or one.category is Category.DISEASE or one.concept_id is None
