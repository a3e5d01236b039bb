"""Reads allergies that are told in a sentence: "allergic to penicillin (hives)", "PCN allergy", "cannot take codeine".

Takes a sentence and gives entries with exact offsets. Outside an allergies section a reaction alone ("a rash after …")
counts only with something known to be a medicine or an allergen. It does not read denials; those are cut out before.
"""

import re
from collections.abc import Callable, Iterator

from backend.nlp.allergies.allergy_doubt import ORDER, cues, denied, doubted
from backend.nlp.allergies.allergy_entry import Entry, trimmed
from backend.nlp.allergies.allergy_vocabulary import (
    WordKind,
    any_of,
    has_allergic_reaction,
    has_reaction,
    is_reaction,
    only,
    reaction_part,
    words,
)
from backend.nlp.allergies.lists.allergy_entries import entries
from backend.nlp.allergies.lists.allergy_pieces import Known
from backend.nlp.allergies.statements.allergy_events import event_entries, name_after
from backend.nlp.allergies.statements.allergy_not_taken import GOES_ON, PRONOUN, names_something, not_taken
from backend.nlp.allergies.statements.allergy_objects import REACTION_END, last_known, run_start, statement_object
from backend.nlp.allergies.statements.allergy_speech import told_entries
from backend.nlp.allergies.statements.allergy_withheld import barred_entries
from backend.nlp.attributes.gated_patterns import gated


def prose(phrase: str) -> bool:
    """Whether a stretch of an allergies section is a sentence rather than a list."""
    # "allergic to X and Y, which cause hives": the reaction is that of both, which a list would not see.
    plain = _IN_BRACKETS.sub("", phrase)  # "NSAIDs (upset stomach, cannot take), tramadol"
    told = _VERB.search(plain) or (_TO.pattern.search(plain) and _WHICH.search(plain))
    return len(words(phrase)) >= _SENTENCE and bool(told)


def prose_entries(
    text: str, start: int, end: int, known: Known, in_section: bool, no_fact: Callable[[int], bool] = lambda at: False
) -> list[Entry]:
    """The entries a sentence tells, in order of place, without overlap; none when it tells none.

    no_fact tells of a place whether the note denies what stands there, or tells it of somebody else.
    """
    found: list[Entry] = []
    lowered = text[start:end].lower()

    def no_statement(at: int) -> bool:
        return no_fact(at) or denied(text, start, at) or doubted(text, start, at)

    for one in (
        *_objects(text, start, end, lowered, known, in_section),
        *_before_noun(text, start, end, lowered, known, in_section),
        *not_taken(text, start, end, lowered, known, in_section),
        *_reaction_first(text, start, end, lowered, known, in_section),
        *_thing_first(text, start, end, lowered, known, in_section),
        *barred_entries(text, start, end, known, no_statement),
        *event_entries(text, start, end, known, no_statement),
        *told_entries(text, start, end, known, no_statement, in_section),
    ):
        if all(one.end <= other.start or one.start >= other.end for other in found):
            found.append(one)
    return sorted(found)


def _objects(text: str, start: int, end: int, lowered: str, known: Known, in_section: bool) -> Iterator[Entry]:
    """What follows "allergic to", "allergies include", "adverse reaction to", "intolerant of"."""
    for match in cues(_TO, text, start, end, lowered):
        if doubted(text, start, match.start()) or _IT.match(text, match.end(), end):
            continue
        said = match[0].lower()
        stop, told, rest = statement_object(text, match.end(), end)
        her_own = _HERSELF.search(text, start, match.start()) and said.startswith("reacts")
        surely = (in_section and said.strip() != "allergic") or her_own or not _NEEDS_KNOWN.search(said)
        sensitive = "sensitiv" in said or said.startswith("react") or "intoleran" in said
        for one in entries(text, match.end(), stop, known):
            name = text[one.start : one.end]
            begins = None if surely or said.startswith("allerg") else name_after(text, one.start, one.end, known)
            if begins:
                one = one._replace(end=begins[1])  # "the iodine dye used for her kidney study"
                name = text[one.start : one.end]
            if not names_something(name) or (any_of(WordKind.BODY, name) and not known(name) and sensitive):
                continue
            if not known(name) and (not surely or (not in_section and (ORDER.match(name) or _WHAT_CAME.match(name)))):
                yield from _row(text, one, known)
                continue
            yield one._replace(reaction=one.reaction or told, said=f"{one.said} {said}")
        goes_on = GOES_ON.match(text, rest, end)
        if goes_on and (told or name_after(text, goes_on.end(), end, known)):
            after = statement_object(text, goes_on.end(), end)
            for one in entries(text, goes_on.end(), after.end, known):
                if known(text[one.start : one.end]):
                    yield one._replace(reaction=one.reaction or after.reaction, said=f"{one.said} {said}")


def _row(text: str, whole: Entry, known: Known) -> Iterator[Entry]:
    """The names of a row without marks, if it is names and nothing else: "allergic pcn sulfa"."""
    found: list[Entry] = []
    at = whole.start
    while at < whole.end and (span := name_after(text, at, whole.end, known)):
        found.append(whole._replace(start=span[0], end=span[1]))
        at = span[1] + 1
    if at >= whole.end:
        yield from found


def _before_noun(text: str, start: int, end: int, lowered: str, known: Known, in_section: bool) -> Iterator[Entry]:
    """What stands before "allergy", "intolerance", "sensitivity": "a severe PCN allergy (hives)"."""
    for match in cues(_NOUN, text, start, end, lowered):
        if _AFTER_NOUN.match(text, match.end(), end) or doubted(text, start, match.start()):
            continue
        left = run_start(text, start, match.start(), known)
        left, right = trimmed(text, left, match.start())
        name = text[left:right]
        noun = match[0].lower().strip(" -")
        if noun.startswith("intoleran") and only(WordKind.BODY, name):
            continue  # "glucose intolerance"
        if not names_something(name) or is_reaction(name):
            continue
        if noun == "allergic" and not (in_section or known(name)):
            continue  # "52f uti allergic sulfa"
        if only(WordKind.VAGUE, name) and not (in_section and any_of(WordKind.VAGUE, name) and _SEASON.search(name)):
            continue
        if not noun.startswith("allerg") and not (known(name) or (in_section and not any_of(WordKind.BODY, name))):
            if not noun.startswith("intoleran") or any_of(WordKind.BODY, name):
                continue
            if not _FOODLIKE.search(name):
                continue
        told = statement_object(text, match.end(), end).reaction
        bracket = _NEXT_BRACKET.match(text, match.end(), end)
        dash = _NEXT_DASH.match(text, match.end(), end)
        reaction = bracket[1] if bracket else (dash[1] if dash and has_reaction(dash[1]) else told)
        if not in_section and _COMMA.match(text, match.end(), end) and not has_allergic_reaction(reaction):
            reaction = ""  # "45F, PCN allergy, here with cough": the sentence has gone on to the complaint
        for one in entries(text, left, right, known):
            yield one._replace(reaction=one.reaction or reaction.strip(), said=f"{one.said} {noun}")


def _reaction_first(text: str, start: int, end: int, lowered: str, known: Known, in_section: bool) -> Iterator[Entry]:
    """As in "develops a rash with sulfa", "had anaphylaxis to contrast", "gets hives when she takes Bactrim"."""
    for match in cues(_REACTED, text, start, end, lowered):
        told = match[1]
        if not in_section and not has_allergic_reaction(told):
            continue
        if not has_reaction(told) or denied(text, start, match.end(1)) or doubted(text, start, match.end(1)):
            continue
        stop = statement_object(text, match.end(), end).end
        for one in entries(text, match.end(), stop, known)[:4]:
            if span := name_after(text, one.start, one.end, known):
                yield one._replace(end=span[1], reaction=one.reaction or reaction_part(told)[0])
            elif match[0].endswith(" to") and (brand := _BRAND.match(text, one.start, one.end)):
                yield one._replace(end=brand.end(), reaction=reaction_part(told)[0])  # "rash to Ceclor", unknown
            elif text[one.end : one.end + 1] == "," and not _BRAND.match(text, one.start, one.end):
                break  # "blisters on the trunk, calamine": what it came with has been told


def _thing_first(text: str, start: int, end: int, lowered: str, known: Known, in_section: bool) -> Iterator[Entry]:
    """As in "Penicillin caused a rash", "codeine makes her sick"."""
    for match in cues(_CAUSED, text, start, end, lowered):
        told = text[match.end() : min(end, match.end() + 80)]
        told = reaction_part(REACTION_END.split(told)[0])[0]
        # what it did to somebody, or why it is not given, may be a side effect
        person = in_section or _TO_PERSON.search(match[0]) or _AVOIDED.search(text, start, end)
        usable = has_reaction(told) if person else has_allergic_reaction(told) or _COUGH.search(told)
        if not usable or _DID_NOT.search(text, start, match.start()) or doubted(text, start, match.start()):
            continue
        left = run_start(text, start, match.start(), known)
        for one in last_known(text, entries(text, left, match.start(), known), known):
            name = text[one.start : one.end]
            if known(name) or (in_section and names_something(name) and not PRONOUN.fullmatch(name)):
                yield one._replace(reaction=told.strip(), said=one.said)


_SENTENCE = 4
_COMMA = re.compile(r"\s*[,;]")
_IN_BRACKETS = re.compile(r"\([^()\n]*\)")
_VERB = re.compile(
    r"\b(?:she|he|is|was|are|were|has|had|have|reports?|states?|stated|says|denie[sd]|takes?|tolerat\w+|can|cannot|will|been|they|we"
    r"|received|given|told|does|did|should|be|avoid)\b|\b(?:burns?|blisters?|upsets?|hurts?|locks?|tears?|makes?|gives?)\s+(?:\w+\s+){0,2}?(?:his|her|him|them|my|their)\b",
    re.IGNORECASE,
)
_TO = gated(
    re.compile(
        r"\b(?:allergic|anaphylactic)\s+(?:reactions?\s+)?(?:to|with|from|after)\b|\ballerg(?:y|ies),?\s+(?:(?:which|that)\s+)?(?:to|include[sd]?|including|are|is|of|listed as"
        r"|are listed as|noted to)\b(?!\s+(?:noted|reviewed|listed|documented|unknown|as (?:above|below|follows|listed)))"
        r"|\ballerg(?:y|ies)(?:\s*/\s*[a-z]+)?\s*[:=-]?\s+(?=[A-Za-z])(?!to\b|include|including|are\b|is\b|of\b|issues?\b|alerts?\b|concerns?\b|flags?\b)"
        r"|\b(?:allergic|adverse(?: drug)?|hypersensitivity|severe|bad|drug)\s+reactions?\s+(?:to|with|from|after)\b|\breact(?:s|ed|ions?)\s+to\b"
        r"|\bintoleran(?:t|ces?)\s+(?:of|to|with)\b|\b(?:hyper)?sensitiv(?:e|ity|ities)\s+to\b|\ballergic:|\banaphyla(?:xis|ctoid reaction)\s+(?:to|with|from|after)\b|\ballergic\s+(?!to\b|with\b|from\b|after\b|reactions?\b)(?=[a-z])",
        re.IGNORECASE,
    ),
    "allerg anaphyla react intoleran sensitiv",
)
# After these, running text names an allergen only where the graph knows it as one.
_NEEDS_KNOWN = re.compile(r"^react|^sensitiv|hypersens|(?:from|after|with)$|^allerg(?:y|ies|ic)\s*[:=-]?\s*$")
_HERSELF = re.compile(r"\b(?:he|she|patient|pt|they|skin)\s+(?:also\s+|now\s+|always\s+)?$", re.IGNORECASE)
_NOUN = gated(
    re.compile(
        r"[ -](?:allerg(?:y|ies|ic)|intoleran(?:ce|t)|(?:hyper)?sensitivity)\b(?!\s+(?:to|of|include))", re.IGNORECASE
    ),
    "allerg intoleran sensitiv",
)
_AFTER_NOUN = re.compile(
    r"\s+(?:clinic|medicines?|medications?|meds|pills?|shots?|tests?|testing|specialist|symptoms?|rhinitis|reactions?|season|conjunctivitis|asthma"
    r"|sinusitis|dermatitis|immunotherapy|list|history|bracelet|information|alert|evaluation|panel|screen\w*|studies|and immunology|doctor|flares?"
    r"|status|profile|review|injections?|treatment|bronchitis|cough|component)\b",
    re.IGNORECASE,
)
_REACTED = gated(
    re.compile(
        r"\b((?:[\w/-]+\s+(?:and\s+|or\s+)?){0,2}?(?:red[ -]man(?: syndrome)?|blister\w*|welts|throat (?:closing|tightness)|itchy|rash\w*|hives|urticaria|itch\w*|pruritus|swelling|angioedema|anaphyla\w+(?: reaction| shock)?|nausea\w*"
        r"|vomiting|n/v|diarrhea|gi upset|upset stomach|headaches?|dizz\w+|cough|sick|wheezing|flushing|stevens-johnson syndrome|sjs|dyspnea"
        r"|(?:shortness of|trouble|difficulty) breath\w*|confusion|hallucinations))\s+(?:to|with|from|after|on|when (?:\w+ ){0,3}?(?:took|takes|taking"
        r"|given|receives?|received|exposed to|eats|eating)|(?:due|secondary|related|in (?:response|reaction)) to|following|caused by|while taking|while on)"
        r"(?:\s+(?:taking|receiving|using|eating|exposure to|being given|the use of|use of|a dose of|the|iv|intravenous))*\b",
        re.IGNORECASE,
    ),
    "red blister welts throat itchy rash hives urticaria itch prurit swelling angioedema anaphyla nausea vomit n/v diarrhea upset headache dizz cough sick wheez flush stevens sjs dyspnea breath confusion hallucinat",
)
_CAUSED = gated(
    re.compile(
        r"\s+(?:has |have )?(?:caus(?:es|ed|e|ing)|g(?:ives?|ave|iven(?! with\b))|mak(?:es|e)|made|produc(?:es|ed)|induced|(?:results?|resulted) in|led to|upsets?|irritates?|bothers?)\b"
        r"(?:\s+(?:him|her|them|the patient|patient|pt|a|an|some|to|have|get|feel|severe|develop))*",
        re.IGNORECASE,
    ),
    "caus give gave mak made produc induced result led upset irritat bother",
)
_TO_PERSON = re.compile(r"\b(?:him|her|them|patient|pt|upsets?)\b", re.IGNORECASE)
_AVOIDED = re.compile(r"\b(?:avoid|intoleran|stopped|discontinu|not tolerat)", re.IGNORECASE)
_DID_NOT = re.compile(r"\b(?:not|never|\w+n't)(?:\s+(?:ever|really))?$", re.IGNORECASE)
_COUGH = re.compile(
    r"\b(?:throw(?:s|ing)? up|threw up|cough|nausea|vomiting|gi upset|myalgias?|sick|hallucinations)\b", re.IGNORECASE
)
# What came of it is no allergen either: "anaphylaxis to peanut at three, now eats it".
_WHAT_CAME = re.compile(
    r"(?:now|then|later|still|since|when|while|required|requiring|needed|needing|treated|completed|went|took|taken|eats|ate|resolved|tolerat\w+|hospitali\w+|intubated|admitted|sent|ended|carries|carrying)\b",
    re.IGNORECASE,
)
_BRAND = re.compile(r"[A-Z][a-z]{3,}\b")
_NEXT_BRACKET = re.compile(r"\s*[(\[]([^()\[\]]{1,80})[)\]]")
_NEXT_DASH = re.compile(r"\s*[-:\u2013\u2014,]\s*([^.;,\n]{1,60})")
_IT = re.compile(r"\s*(?:it|this|that|them|these|those)\b(?!\s+(?:medic|drug|class))", re.IGNORECASE)
_WHICH = re.compile(r"\bwhich\b", re.IGNORECASE)
_SEASON = re.compile(r"season|environment|food|pollen|spring|fall|indoor|outdoor|multiple", re.IGNORECASE)
_FOODLIKE = re.compile(
    r"\b(?:lactose|gluten|dairy|milk|wheat|statins?|narcotics?|opioids?|opiates?|aspirin|nsaids?|alcohol|latex|soy|fructose|ace inhibitors?|metformin)\b",
    re.IGNORECASE,
)
