"""Words of a chapter that point to a medicine without its name ("this pain pill", "of this kind"): told by the patient's own names of it."""

import re

from backend.nlp.document.sentences import sentences

_THIS_PILL = re.compile(r"\bthis (?:kind of )?(?:[a-z-]+ ){0,4}?pill\b(?: against clots)?")
_OF_THIS_KIND = re.compile(r"\bof this kind\b")
_POINTING = re.compile(rf"{_THIS_PILL.pattern}|{_OF_THIS_KIND.pattern}")


def points(text: str) -> bool:
    """Whether a sentence points to a medicine without its name."""
    return _POINTING.search(text) is not None


def with_names(text: str, names: str) -> str:
    """A sentence with names of medicines for the words that point to them."""
    return _OF_THIS_KIND.sub(lambda _: f"like {names}", _THIS_PILL.sub(lambda _: names, text))


def as_it_stands(told: str, passage: str) -> str:
    """A sentence as a passage has it, which may have been told with names for what only points to medicines.

    Args:
        told: the sentence as it was told.
        passage: the text of the passage that it is from.

    Returns:
        The passage's sentence; what was told, where no sentence of it becomes that.
    """
    if told in passage:
        return told
    for start, end in sentences(passage):
        own = passage[start:end]
        if points(own) and re.fullmatch(".+".join(map(re.escape, _POINTING.split(own))), told):
            return own
    return told
