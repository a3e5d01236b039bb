"""Words of a turned sentence that stand together as no sentence has them: "reported no you had", "a the", "a sample for cancer the lump was benign".

They come of notes that leave a mark or a verb out; a text with one is no sentence, whatever else is right with it.
"""

from collections.abc import Sequence
from itertools import pairwise

from backend.generation.letter.plain_language.in_place import may_be_noun
from backend.generation.letter.plain_language.letter_words import Word, is_adverb, lists
from backend.generation.letter.plain_language.verb_forms import is_auxiliary, verbs

_ARTICLES = frozenset(("a", "an", "the", "no", "your", "his", "her", "their"))
_POINTING = _ARTICLES | {"you", "my", "our", "this", "these", "it"}
_BEGINS = frozenset(("the", "your", "it", "you", "this", "there"))
_HAVING = frozenset(("have", "has", "had", "having", "haven't", "hasn't", "hadn't"))
_NEAR, _SUBJECT, _SHORT_FORM = 4, 4, 2


def is_disjointed(words: Sequence[Word], finite: Sequence[int]) -> bool:
    """Whether words of a sentence stand together as no sentence has them.

    Args:
        words: of it, turned.
        finite: the places of its finite verbs.
    """
    low = ["" if word.quoted else word.low for word in words]
    if any(one in _ARTICLES and other in _POINTING for one, other in pairwise(low)):
        return True  # "reported no you had", "the your"
    if any(low[i] == "been" and _HAVING.isdisjoint(low[max(0, i - _NEAR) : i]) for i in range(1, len(low))):
        return True  # "but not been sick"
    return _is_labelled(words, low) or any(_is_fused(low, finite, i) for i in range(3, len(low) - 2))


def _is_labelled(words: Sequence[Word], low: Sequence[str]) -> bool:
    """Whether a label without its colon opens the sentence: "DH you take aspirin", "Plan your team will"."""
    if len(low) < _NEAR or low[1] not in ("you", "your"):
        return False
    short = words[0].text.isupper() and len(words[0].text) >= _SHORT_FORM
    return short or low[0] in lists()["bare_labels"]


def _is_fused(low: Sequence[str], finite: Sequence[int], i: int) -> bool:
    """Whether a second clause begins at i without a joint behind a whole one: "for possible cancer the lump was benign"."""
    own = lists()
    if low[i] not in _BEGINS or low[i + 1] in own["times"] or not any(k < i for k in finite):
        return False
    verb = next((k for k in finite if k > i), 0)
    subject = low[i + 1 : verb]
    small = own["prepositions"] | own["openers"] | own["joins"] | own["relatives"]
    if not verb or verb - i > _SUBJECT or not is_auxiliary(low[verb]) or not small.isdisjoint(subject):
        return False
    before = low[i - 1]
    takes = own["telling"] | own["reporting"] | own["takes_clause"]
    if not may_be_noun(before) or before in verbs() or before in takes or is_adverb(before) or before in own["times"]:
        return False
    leads = (own["openers"] - own["prepositions"]) | own["relatives"] | {"that", "than", "if", "when", "as"}
    return leads.isdisjoint(low[:i]) and takes.isdisjoint(low[max(0, i - _NEAR) : i]) and "," not in low[:i]
