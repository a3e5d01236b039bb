"""Items marked with a plus or a minus: "cough (-)", "(-) fever, chills", "+cough -fever -chills".

Takes the words of one sentence; gives the scopes of the minus signs. A plus only ends what is denied before it. A minus
before a single item may be the bullet of a list; it counts where signs are used as signs. It does not know cues.
"""

from collections.abc import Sequence

from backend.nlp.attributes.scope import Scope
from backend.schemas.vocabulary import Assertion

_SIGNS = frozenset("+-")
_SEPARATED = frozenset((",", ";", ".", "\n", "(", ")", ":"))
_BEFORE_LIST = frozenset((",", ";", ":", "\n"))


def sign_scopes(words: Sequence[str], first: int, last: int, free: Sequence[int]) -> list[Scope]:
    """The scopes of the minus signs of words[first:last].

    free: where a sign is set to the word after it and apart from the word before it.
    """
    if _SIGNS.isdisjoint(words[first:last]):
        return []
    return _glued(words, first, last, free) + _bracketed(words, first, last)


def item_start(words: Sequence[str], i: int, first: int) -> int:
    """Where the item of a list that ends before i begins."""
    while i > first and words[i - 1] not in _SEPARATED:
        i -= 1
    return i


def _glued(words: Sequence[str], first: int, last: int, free: Sequence[int]) -> list[Scope]:
    listed = [
        i
        for i in range(first, last - 1)
        if words[i] in "+-" and words[i + 1][:1].isalpha() and (i == first or words[i - 1] in _BEFORE_LIST)
    ]
    signed = sorted({*listed, *free})
    plus = any(words[i] == "+" for i in signed)
    inner = sum(words[i] == "-" and i > first and words[i - 1] != "\n" for i in free)
    result = []
    for i in signed:
        told = i in free and i > first and words[i - 1] in (",", ";")
        if words[i] == "-" and (plus or told or len(signed) > 2 or inner > 1):
            ends = (j for j in range(i + 1, last) if words[j] in (",", ";", "+", "\n", ".") or j in signed)
            result.append(Scope(Assertion.NEGATED, i + 1, next(ends, last), i, i + 1))
    return result


def _bracketed(words: Sequence[str], first: int, last: int) -> list[Scope]:
    marks = [i for i in range(first + 1, last - 1) if words[i] in "+-" and words[i - 1] == "(" and words[i + 1] == ")"]
    # Where the first mark leads a list, each of them does, up to the next mark.
    leads = bool(marks) and (marks[0] - 1 == first or words[marks[0] - 2] in (":", "\n"))
    result = []
    for i in marks:
        if words[i] != "-":
            continue
        if leads:
            end = next((j for j in range(i + 2, last) if words[j] in (";", "(", "\n", ".")), last)
            result.append(Scope(Assertion.NEGATED, i + 2, end, i, i + 1))
        elif words[i - 2] in _BEFORE_LIST:
            end = next((j for j in range(i + 2, last) if words[j] in (",", ";", "(", "\n", ".")), last)
            result.append(Scope(Assertion.NEGATED, i + 2, end, i, i + 1))
        else:
            result.append(Scope(Assertion.NEGATED, item_start(words, i - 1, first), i - 1, i, i + 1))
    return result
