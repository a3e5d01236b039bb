"""Whether a medicine or food that somebody reacted to was taken since without trouble, or shown to be harmless.

Takes the place of its name in running text; looks at what follows in the same sentence and the next. What was taken must be the same
thing, by name, by a pronoun, or as a member of the class that was named ("penicillin ... amoxicillin since"). What was tolerated only with
premedication, slowly or after desensitisation stays an allergy. It does not read lists of allergies: an entry there stands.
"""

import re

from backend.nlp.allergies.allergens import Allergens

_FAR = 240
_BEFORE = 28


def tolerated_since(text: str, start: int, end: int, allergens: Allergens) -> bool:
    """Whether the words after text[start:end], the name of something, say that it did no harm when it was taken again."""
    stop = _SECOND_END.match(text, end, min(len(text), end + _FAR))
    after = text[end : stop.end() if stop else min(len(text), end + _FAR)]
    if not _MAYBE.search(after):
        return False
    for match in _DISPROVED.finditer(after):
        if not _NOT.search(after, max(0, match.start() - _BEFORE), match.start()) and not _others(
            text[start:end], match[0], allergens
        ):
            return True
    for match in _TAKEN.finditer(after):
        told = _CLAUSE.match(after, match.start())
        said = told[0] if told else ""
        opening = after[max(0, match.start() - _BEFORE) : match.start()]
        if _NOT.search(opening) or _HELPED.search(said):
            continue
        harmless = _FINE.search(said) or match["well"] or (match["eats"] and _NOW.search(opening + said))
        if (
            harmless
            and _LATER.search(opening + said)
            and _same(text[start:end], said, match.end() - match.start(), allergens)
        ):
            return True
    return False


def _same(name: str, said: str, after_verb: int, allergens: Allergens) -> bool:
    """Whether what was taken is what the name says: a name in `said` decides, else a pronoun or an amount after the verb."""
    spans = allergens.inside(said, 0, len(said))
    if spans:
        return any(_covers(name, said[left:right], allergens) for left, right in spans)
    return _IT.match(said, after_verb) is not None


def _others(name: str, said: str, allergens: Allergens) -> bool:
    spans = allergens.inside(said, 0, len(said))
    return bool(spans) and not any(_covers(name, said[left:right], allergens) for left, right in spans)


def _covers(name: str, taken: str, allergens: Allergens) -> bool:
    """Whether a reaction to the first would be one to the second: the same, one of its mixtures, or a member of the class named."""
    first, second = allergens.concept(name), allergens.concept(taken)
    if first and second and first.concept_id == second.concept_id:
        return True
    member = f"{taken} {second.name if second else ''}".lower()
    names = {one.lower().rstrip("s") for one in (name, first.name if first else name)}
    return any(one in member for one in names) or any(
        stem in member and any(one.startswith(words) for one in names) for words, stem in _CLASSES
    )


_CLASSES = ((("penicillin", "pcn"), "cillin"), (("sulfa", "sulpha", "sulfonamide"), "sulfa"))
_SECOND_END = re.compile(r"(?:(?!\.\s|\n\n).)*(?:\.\s)?(?:(?!\.(?:\s|$)|\n).)*\.?", re.DOTALL)
_CLAUSE = re.compile(r"(?:(?!\.(?:\s|$)|;|\n|,? but ).)*")
_TROUBLE = r"(?:trouble|problems?|issues?|reactions?|difficult\w+|rash|hives|itch\w*|incident|hitch|(?:ill|bad) effects?|symptoms?|swelling|recurrence|harm|concerns?)"
_FINE = re.compile(
    rf"\b(?:without|w/o|no|not an?)\s+(?:(?:any|further|more|another|a|such|sign of an?)\s+)*{_TROUBLE}\b|\buneventful\w*"
    r"|\b(?:was|been|is|were|and|did|does|felt|just|has done|doing)\s+(?:just |quite |perfectly |totally )?(?:fine|well|ok|okay)\b|\bnothing (?:bad )?(?:happened|came of it)\b|\bsafely\b",
    re.IGNORECASE,
)
_TAKEN = re.compile(
    r"\b(?:taken|took|takes|taking|had|received|receives|used|uses|given|been on|is on|stays on|finished|completed|(?P<well>tolerat(?:ed|es|ing))|(?P<eats>eats|eating|eaten|ate|drinks))\b(?!\s+(?:no|to)\b)",
    re.IGNORECASE,
)
_IT = re.compile(
    r"\s+(?:(?:\w+ly|since|now|then|later|the|a|full|whole)\s+){0,2}(?:it|them|this|these|those|one|some|again|both|(?:\d+|one|two|three|four|five|several|many|multiple|numerous|repeated)\s+(?:mg|times|doses|courses|occasions)|course|daily|weekly|regularly|twice|every|\d)\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:since|again|later|now|afterwards|thereafter|subsequently|recently|last|ago|daily|weekly|monthly|regularly|every|often|then|times|courses|for years|this (?:year|month|week|winter|spring|summer|fall|autumn)|in (?:january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d))\b",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:now|since|daily|weekly|regularly|every|often|all the time|again)\b", re.IGNORECASE)
_NOT = re.compile(
    r"\b(?:not|never|n't|cannot|can't|avoid\w*|no longer|without|stopped|if|until|unless|before|wants?|asks?|nor)\b[^.;,]*$",
    re.IGNORECASE,
)
_HELPED = re.compile(
    r"\bpre-?(?:med|treat)\w*|\bdesensiti\w*|\b(?:benadryl|diphenhydramine|antihistamines?|steroids?|prednisone|cover)\b|\bslow(?:er|ly)?\b|\bdespite\b",
    re.IGNORECASE,
)
_DISPROVED = re.compile(
    r"\b(?:passed|negative|normal|uneventful|tolerated)\b[^.;\n]{0,40}?\b(?:challenge|rechallenge|test dose|(?:skin|prick|patch|allergy) test\w*)\b[^.;,\n]*"
    r"|\b(?:challenge|rechallenge|(?:skin|prick|patch|allergy) test\w*)\b[^.;,\n]{0,50}?\b(?:negative|passed|uneventful|tolerated|fine)\b"
    r"|\blabel\b[^.;,\n]{0,20}\b(?:removed|deleted)\b|\b(?:de-?label\w+|disprove[dn]|refuted|outgr(?:ew|own)|grew out of (?:it|that|this))\b"
    r"|\bturned out to (?:be|have been) (?:an? |the )?(?:mono\w*|viral|virus|measles|roseola|scabies|fifth disease|chicken ?pox|heat rash|hand[- ]foot|infection|bedbugs?|flea)\b",
    re.IGNORECASE,
)
_MAYBE = re.compile(
    r"\b(?:without|w/o|no|not an?|uneventful\w*|fine|well|ok|okay|nothing|safely|tolerat\w+|eats|eating|eaten|ate|drinks|challenge|rechallenge|test\w*|(?:de-?)?label\w*|disprove\w*|refuted|outgr\w+|grew|turned)\b",
    re.IGNORECASE,
)
