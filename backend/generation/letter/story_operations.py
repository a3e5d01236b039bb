"""Operations that a note tells as "status post" and a turned sentence would tell as a time: "You have gout after hip surgery"."""

import re

from backend.generation.letter.plain_language.telegrams import is_telegram

_POST = re.compile(r"\bstatus[\s-]post\b|\bs/p\b", re.IGNORECASE)
_AFTER = re.compile(r"\bafter (?:an? |the )?(\w+)", re.IGNORECASE)
_HAS = re.compile(r"(?:You (?P<you>have)|Your child (?P<child>has)) (?!had\b|been\b)")
_HAS_AFTER = re.compile(
    r"^(?P<has>(?:You|Your child) (?P<have>have|has) (?!had\b|been\b)[^,;]*?(?:, [^,;]+)*?),?(?: and)? after (?P<what>(?!being\b|having\b|an? (?:fall|accident|injury))(?:(?!\band\b)[^,;])+)$"
)
_LISTED_AFTER = re.compile(r"(?<=[\w)])(?:,? now|,? currently)?(?:,| and)? after ")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def with_operations(turned: str, text: str) -> str:
    """A turned text in which "status post" does not read as "after": "You have gout after hip surgery" tells two things.

    Args:
        turned: to the patient.
        text: the note's words.
    """
    own = {match[1].lower() for match in _AFTER.finditer(text)}  # what the note itself says "after" of
    told = [match[1].lower() for match in _AFTER.finditer(turned) if match[1].lower() not in own]
    if not _POST.search(text) or not told:
        return turned
    if is_telegram(turned):
        return turned if own else _LISTED_AFTER.sub(", ", turned)
    whole = _SENTENCE.split(turned)
    for n, one in enumerate(whole):
        if _HAS.match(one) and (match := _AFTER.search(one)) and match[1].lower() in told:
            alone = _HAS_AFTER.sub(r"\g<has> and \g<have> had \g<what>", one)
            whole[n] = alone if alone != one else f"{one[: match.start()].rstrip(' ,')} with {one[match.start(1) :]}"
    return " ".join(whole)
