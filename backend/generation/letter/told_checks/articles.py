"""The articles that notes leave out: "Cardiology consultation was requested", "at emergency department", "for initial evaluation"."""

import re
from functools import lru_cache

from backend.generation.letter.plain_language.everyday import is_medical
from backend.generation.letter.plain_language.in_place import may_be_noun
from backend.generation.letter.plain_language.letter_words import is_adverb, lists
from backend.generation.letter.plain_language.verb_forms import is_past, verbs
from backend.nlp.lexicon.variants import english_words

_AT_PLACE = re.compile(
    r"\b(at|in|to|from|into|by) ((?:emergency (?:department|room)|operating room|intensive care unit|recovery room|(?!(?:the|your|our|a|an|this|that|another|one|every|each|his|her|their) )[a-z]+(?: and [a-z]+)? team)\b(?!'s))"
)
_BY_DOCTOR = re.compile(
    r"\b(by|from|with|to) ((?!(?:the|your|our|an?|this|that|another|one|every|each|his|her|their|my|dr|any) )[a-z]+ (?:and [a-z]+ )?(?:doctor|surgeon|therapist|specialist))\b(?!')"
)
_HISTORY = re.compile(
    r"\b(have|has|had|with) ((?:(?:known|past|remote|long|strong|medical|previous|prior|underlying|significant) )*history of\b)"
)
_TEAM = re.compile(
    r"^([A-Z])([a-z]+(?: and [a-z]+)? team)(?= (?:was|is|has|saw|will|recommend(?:s|ed)?|advise[sd]?|suggest(?:s|ed)?)\b)"
)
_OF_BOTH = re.compile(r"\b(your|his|her|their) both (?=[a-z]+s\b|feet\b)", re.IGNORECASE)
_SAME = re.compile(r"\b(at|for|of|with|in|on|to|from) same (?=[a-z])")
_ONE_THING = re.compile(
    r"(?:^|(?<=[.;] ))(?P<name>(?P<first>[A-Z][\w/-]*)(?: [A-Za-z][\w/-]*){0,4}?)"
    r"(?= (?:\([^()]*\) )?(?:(?:of|on|for|to|in|at|from|done|taken|performed|obtained) [^,.;]*? )?(?:was|is|has|had|showed|shows|revealed|found|did)\b(?: (?:then|also|later))?(?: been)?(?: (?P<verb>[a-z]+))?)"
)
"""What a sentence begins with that may name one thing, with the word behind its verb."""
_VISIT = re.compile(r"\b(?P<lead>for|after|at|during) (?P<name>(?P<first>[a-z-]+)(?: [a-z-]+){1,4})\b")
_SPOKEN_WITH_VOWEL = re.compile(r"[aeio](?!ne\b|u[lnr])|u(?!ni|ri|ro|te|s[ei])|[AEFHILMNORSX](?:[A-Z-]|$)|[xX]-")
_DESCRIBES = ("al", "ic", "ary", "ive")
"""How an adjective ends, which is no name: "Neurosurgical"."""


def with_articles(text: str) -> str:
    """A sentence with the articles that notes leave out where one place, one visit or one thing is meant: "CT scan was done"."""
    text = _OF_BOTH.sub(lambda match: f"{_as_begun(match[1], 'both')} {match[1].lower()} ", text)
    text = _TEAM.sub(lambda match: f"The {match[1].lower()}{match[2]}" if match[1] not in "TY" else match[0], text)
    text = _BY_DOCTOR.sub(lambda match: f"{match[1]} {_with_a(match[2])}", text)
    text = _AT_PLACE.sub(r"\1 the \2", _HISTORY.sub(lambda match: f"{match[1]} {_with_a(match[2])}", text))
    text = _VISIT.sub(_one_visit, _SAME.sub(r"\1 the same ", text))
    return _ONE_THING.sub(_one_thing, _had().sub(_one_had, text))


def _one_thing(match: re.Match[str]) -> str:
    """A thing that can be counted, with "a" where it is told first, or "the": "Chest tube was removed", "Rash is fading"."""
    own, name, first = lists(), match["name"], match["first"]
    low, last = first.lower(), name.rsplit(" ", 1)[-1].lower()
    closed = own["determiners"] | own["subjects"] | own["negations"] | own["openers"] | own["joins"] | own["repeated"]
    closed = closed - own["ordinal"]
    if last not in own["counted"] or low in closed | own["prepositions"] or is_adverb(low):
        return name
    if low in verbs() and low not in own["counted"] | own["of_visits"]:
        return name  # an order
    common = first[1:] == first[1:].lower() and (low in english_words() or is_medical(low) or low.endswith(_DESCRIBES))
    name = f"{name[:1].lower()}{name[1:]}" if common else name
    verb = match["verb"] or ""
    if low in own["ordinal"]:
        return f"The {name}"
    first_told = verb in own["first_seen"] or (last in own["tests"] and verb not in own["undoing"])
    said = _with_a(name) if first_told else f"the {name}"
    return f"{said[:1].upper()}{said[1:]}"


@lru_cache(maxsize=1)
def _had() -> re.Pattern[str]:
    """What somebody has or a test shows that is one thing: "had recent episode of vomiting", "did not show pocket of pus"."""
    things = "|".join(sorted(lists()["single_things"]))
    return re.compile(
        r"\b(?P<lead>have|has|had|show|showed|developed|with|as) "
        rf"(?P<name>(?:[a-z-]+ ){{0,2}}?(?:{things}))(?= (?P<next>[a-z]+)|[,.;)]|$)"
    )


def _one_had(match: re.Match[str]) -> str:
    own, words = lists(), match["name"].split()
    goes_on = may_be_noun(match["next"] or "") and match["next"] not in own["particles"]
    small = own["determiners"] | own["negations"] | own["prepositions"] | own["joins"] | own["openers"]
    fits = not goes_on and (small | own["subjects"] | {"your", "had", "been"}).isdisjoint(words)
    fits = fits and not any(is_past(word) and word not in own["describing"] for word in words)
    return f"{match['lead']} {_with_a(match['name'])}" if fits else match[0]


def _one_visit(match: re.Match[str]) -> str:
    """A visit or an examination that is described: "for annual physical exam"."""
    own, words = lists(), match["name"].split()
    end = next((i for i, word in enumerate(words) if word in own["single_visits"] | {"evaluation", "opinion"}), 0)
    following = words[end + 1 : end + 2]
    if not end or words[0] not in own["of_visits"] or following == ["and"]:
        return match[0]
    return f"{match['lead']} {_with_a(match['name'])}"


def _with_a(name: str) -> str:
    return f"{'an' if _SPOKEN_WITH_VOWEL.match(name) else 'a'} {name}"


def _as_begun(model: str, text: str) -> str:
    return text.capitalize() if model[:1].isupper() else text
