"""Whose allergy a sentence tells: words by which it speaks of a relative, a spouse or a friend and not of the patient.

Takes a sentence; gives the parts of it that are not of somebody else. A relative counts who is called allergic or to whom
something happened ("her husband swelled up with penicillin"); one who tells of the patient ("his mother says he swelled up") does
not, nor does the patient whom a relative names ("her daughter recalls that her mother nearly died").
"""

import re
from collections.abc import Iterator

_PEOPLE = (
    r"(?:father|mother|brother|sister|son|daughter|aunt|uncle|cousin|grand(?:mother|father|parent|son|daughter|ma|pa)|parent|sibling|wife|husband|spouse|dad|mom|mum"
    r"|niece|nephew|children|youngest|eldest|oldest|family member|relative|twin|partner|friend|neighbou?r|room-?mate|boyfriend|girlfriend|co-?worker|colleague|classmate)"
)
_EFFECT = r"(?:reactions?|rash(?:es)?|hives|urticaria|welts|angio-?edema|anaphyla\w+|swelling|itch\w*|wheez\w+|blisters|vomiting|shock|sick|ill|trouble (?:with|breathing)|problems? with|bad time)"
_TELLS = r"(?:told|tells|thinks?|thought|believes?|recalls?|remembers?|mentions?|insists?|knows?|warns?|warned|asks?|confirmed|adds?|explains?|reports?|states?|says|said|notes|confirms|stated|reported)"


def patient_parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The parts of a sentence that do not tell of a relative's reaction; the whole sentence where none does."""
    if told := relative(text, start, end):
        return [part for left, right in beside(text, start, end, told) for part in patient_parts(text, left, right)]
    return [(start, end)]


def relative(text: str, start: int, end: int) -> re.Match[str] | None:
    """Where a sentence tells a relative's allergy or reaction, or None."""
    if not KIN.search(text, start, end) and not _PETS.search(text, start, end):
        return None
    called = next((m for m in _CALLED.finditer(text, start, end) if not child_speaks(text, start, m.start())), None)
    if called:
        return called
    return next((m for m in _HAPPENED.finditer(text, start, end) if not _is_patient(text, start, m)), None)


def child_speaks(text: str, start: int, at: int) -> bool:
    """Whether a parent is named at a place as only their child names them, who speaks of the patient: "she says Mum cannot have it"."""
    return _CHILD_SPEAKS.search(text, start, at) is not None and _PARENT.match(text, at) is not None


def beside(text: str, start: int, end: int, told: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The clauses of a sentence before and after the one that states a relative's allergy."""
    before = [mark.start() for mark in _BORDER.finditer(text, start, end) if mark.start() < told.start()]
    if before:
        yield start, before[-1]
    pronoun = _own_pronoun(text, start, told)
    after = next(
        (m for m in _BORDER.finditer(text, told.end(), end) if m["he"] is None or m["he"].lower() != pronoun), None
    )
    if after and after.end() < end:
        yield after.end(), end


def borrowed(text: str, at: int) -> bool:
    """Whether what a place tells came of a relative's medicine or food, and so is the patient's: "took her sister's Bactrim and had a rash"."""
    return _BORROWED.search(text, max(0, at - _NEAR), at) is not None


def _own_pronoun(text: str, start: int, told: re.Match[str]) -> str:
    """The pronoun that stands for the relative, where the patient's differs: "he" for her husband; empty where nobody can tell."""
    who = _WHO.search(text, told.start(), told.end())
    owner = _OWNER.search(text, start, who.start()) if who else None
    if who is None or owner is None:
        return ""
    male, female = _MEN.fullmatch(who[0]), _WOMEN.fullmatch(who[0])
    if male and owner[1].lower() == "her":
        return "he"
    return "she" if female and owner[1].lower() == "his" else ""


def _is_patient(text: str, start: int, told: re.Match[str]) -> bool:
    """Whether who is told of is the patient, whom a relative calls so: "her son says his mother nearly died"."""
    who = _WHO.search(text, told.start(), told.end())
    if _WITH_PATIENT.search(text, start, told.start()) or child_speaks(text, start, told.start()):
        return True  # "she and her sister both get hives"; "the daughter says Mum went into shock"
    if _PER.search(text, max(start, told.start() - _OWNED), told.start()):
        return True  # "per daughter had a rash to some antibiotic"
    teller = _TELLER.search(text, start, told.start())
    if who is None or teller is None:
        return False
    return who[0].lower() in next((names for tellers, names in _INVERSE if teller[1].lower() in tellers), ())


_NEAR = 90
_OWNED = 30
_PER = re.compile(
    r"\b(?:per|according to|told by|reported by) (?:(?:his|her|their|the|pt's|patient's) )?$", re.IGNORECASE
)
_BORROWED = re.compile(
    rf"\b(?:took|taken|takes|taking|ate|eaten|eating|used|tried|borrowed|given|wore)\s+(?:(?:some|one|two|a few) of\s+)?(?:her|his|a|my|their|the)\s+(?:\w+\s+)?{_PEOPLE}s?'s?\s+(?:(?!\b{_EFFECT}\b)[^.;])*$",
    re.IGNORECASE,
)
_PARENTS = ("father", "mother", "dad", "mom", "mum", "parent", "parents")
_CHILDREN = ("son", "daughter")
_INVERSE = (
    (_CHILDREN, _PARENTS),
    (_PARENTS, _CHILDREN),
    (("wife",), ("husband",)),
    (("husband",), ("wife",)),
    (("brother", "sister", "twin"), ("brother", "sister", "twin")),
    (("grandson", "granddaughter"), ("grandmother", "grandfather", "grandma", "grandpa")),
    (("niece", "nephew"), ("aunt", "uncle")),
    (("aunt", "uncle"), ("niece", "nephew")),
)
_WHO = re.compile(rf"\b{_PEOPLE}", re.IGNORECASE)
_MEN = re.compile(r"father|brother|son|uncle|grand(?:father|son|pa)|husband|dad|nephew|boyfriend", re.IGNORECASE)
_WOMEN = re.compile(
    r"mother|sister|daughter|aunt|grand(?:mother|daughter|ma)|wife|mom|mum|niece|girlfriend", re.IGNORECASE
)
_OWNER = re.compile(r"\b(her|his)\s+(?:\w+\s+)?$", re.IGNORECASE)
_CHILD_SPEAKS = re.compile(rf"\b(?:{_TELLS}|that)(?: (?:us|me|that))?\s+$", re.IGNORECASE)
_PARENT = re.compile(r"(?:Mum|Mom|Dad|Mother|Father|Gran|Grandma|Grandpa)\b")
_WITH_PATIENT = re.compile(r"\b(?:he|she|they|i|we|patient|pt) and (?:her|his|their|my|the) (?:\w+ )?$", re.IGNORECASE)
_TELLER = re.compile(rf"\b({_PEOPLE})\s+(?:\w+\s+)?{_TELLS}\b", re.IGNORECASE)
_PETS = re.compile(r"\b(?:dog|cat|puppy|kitten|horse)\b", re.IGNORECASE)
KIN = re.compile(
    rf"\b(?:{_PEOPLE}|child|family|maternal|paternal|grand\w+)(?:'s|s)?\b",
    re.IGNORECASE,
)
_CALLED = re.compile(
    rf"\b(?:{_PEOPLE}|family history)(?:'s|s)?\b(?!\s+{_TELLS}\b|\s+that\b)"
    r"(?:\s+(?:is|was|has|had|have|also|both|are|with|who|of|reportedly|a|an|known|history|severe|multiple|anaphylaxis|(?!that\b|he\b|she\b|patient\b|pt\b)[\w-]+)){0,6}?"
    rf"\s+(?:allerg|anaphyla)|\ballerg\w+[^.;,]{{0,40}}\bin (?:her|his|the) (?:{_PEOPLE}|family)",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    rf"\b{_PEOPLE}s?\b(?!'|\s+and (?:she|he|the patient)\b)(?:\s+(?:and (?:(?:her|his|both|two) )?\w+|who|also|both|once|too|always|never|nearly|almost|herself|himself|in \w+))*\s+"
    rf"(?:(?:has|have|had|having|gets?|got|develop(?:s|ed)|suffer(?:s|ed)|experienced|needed|went into|came out in|comes? out in|came up in)\s+(?:(?!(?:that|of|he|she|noticed|noted|seen)\b)[\w-]+\s+){{0,4}}?{_EFFECT}"
    r"|br(?:eaks?|oke) out|swell(?:s|ed)?\b|swole|react(?:s|ed)\b|itche[sd]|wheeze[sd]|vomit(?:s|ed)|throws? up|threw up|pass(?:es|ed) out|faint(?:s|ed)|collapse[sd]|stopped breathing|flushe[sd]|died (?:of|from|after)|blister(?:s|ed)"
    r"|(?:died|was intubated|ended up in|went to) [^.;,]{0,30}\b(?:with|from|after|on)\b"
    r"|(?:can ?not|can't|could not|couldn't|does not|doesn't|did not|didn't) (?:take|have|eat|use|tolerate|breathe|touch|drink)|(?:is|was|are) (?:\w+ )?(?:intolerant|sensitive)|turn(?:s|ed) (?:all )?(?:red|blue|purple)|carries an? epi"
    r"|(?:ate|took|was stung)(?!\s(?:him|her|me|them|us|the patient)\b))\b"
    r"|\b(?:her|his|their|my|the|a) (?:dog|cat|puppy|kitten|horse) (?:swelled|swole|had|got|broke|vomited|was|died|collapsed|itched)\b"
    rf"|\b{_PEOPLE}s?'s?\s+(?:(?!(?:and|with|after|on|from|he|she)\b)[\w-]+\s+){{0,3}}?{_EFFECT}\b"
    rf"|\b{_PEOPLE}\s+(?:told|tells) (?:me|us)\b[^.;]{{0,60}}?\b(?:gave|gives|made|makes|put|sent|caused)\s+(?:her|him)\b"
    rf"|\b(?:made|makes|gave|gives|(?:nearly |almost )?kill(?:s|ed)|sent|put)\s+(?:(?:her|his|my|the|their)\s+)(?:\w+\s+)?{_PEOPLE}\b"
    rf"|\b{_EFFECT}\s+(?:[\w-]+\s+){{0,6}}?in (?:her|his|the|a) (?:\w+ )?{_PEOPLE}\b"
    r"|\bfamily history of\b[^.;,]{0,40}?\b(?:reactions?|intoleran\w+|anaphyla\w+)\b"
    r"|\b(?:mother|sister|daughter|wife|aunt|mom|mum|niece)\s+(?:\w+\s+)?(?:reports?|mentions?|describes?|notes|has|recalls)\s+her own\b"
    r"|\b(?:father|brother|son|husband|uncle|dad|nephew)\s+(?:\w+\s+)?(?:reports?|mentions?|describes?|notes|has|recalls)\s+his own\b",
    re.IGNORECASE,
)
# What sets a clause of its own apart; a bare comma does not: "mother is allergic to sulfa, penicillin and eggs".
_BORDER = re.compile(
    r";|,?\s+(?:but|whereas|while|however|although|though|even though)\s+|,\s+(?:and\s+|so\s+)?(?=(?:the |our )?(?:patient|pt|(?P<he>he|she|i))\b)"
    rf"|,\s+(?:and\s+)?(?=(?:(?:her|his|the|a|my)\s+)?(?:(?!(?:and|or)\b)\w+\s+)?{_PEOPLE}s?\b)|,?\s+and\s+(?=(?:the patient|i)\b)",
    re.IGNORECASE,
)
