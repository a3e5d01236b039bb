"""What a medicine is for, or why it was ended, as far as the words are a reason.

Telegraphic notes cut reasons ("p.r.n. severe", "40 mg cont", "(home - HOLD, see above)"): what names no complaint, illness, finding, treatment or
part of the body is none, and is not told. A clause of the note ("it made her dizzy") and words that say when are told as they stand.
"""

from collections.abc import Collection

from backend.interfaces import Linker
from backend.nlp.document.tokens import tokens
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.vocabulary import Category

_NAMED = frozenset({
    Category.DISEASE, Category.SYMPTOM, Category.FINDING, Category.PHYSIOLOGY, Category.PHENOMENON, Category.PROCEDURE, Category.TEST,
    Category.ANATOMY, Category.ORGANISM, Category.DRUG, Category.DRUG_CLASS, Category.ALLERGEN, Category.SUBSTANCE,
})  # fmt: skip


def told_reason(reason: str, linker: Linker, known: Collection[str] = ()) -> str:
    """The reason, or nothing where its words are none.

    Args:
        reason: in the note's words.
        linker: reads what it names.
        known: reasons that are told as they stand.
    """
    if reason in known:
        return reason
    words, kinds = tokens(reason).words, word_lists("letter/words_medicines")
    if words and (words[0] in kinds["when"] or words[0] in kinds["subject"] or not kinds["person"].isdisjoint(words)):
        return reason
    named = any(mention.category in _NAMED for mention in linker.link(reason).note.mentions) if words else False
    return reason if named else ""
