"""How often and by which way a medicine is given, under one name each: "BID", "q12h" and "twice a day" are one schedule."""

import re

_OFTEN: tuple[tuple[str, str], ...] = (
    (r"every other day|qod|alternate days", "every other day"),
    (r"(?:once|one time) (?:a|per|each|every) week|once[- ]weekly|every week|weekly", "once a week"),
    (r"(?:twice|two times|2 times|2x) (?:a|per|each|every) week|twice weekly", "twice a week"),
    (r"(?:four|4) times (?:a|per|each|every) day|(?:four|4) times daily|4x (?:daily|a day)|qid|q\.i\.d\.?|qds|q6h|q 6 h|every (?:six|6) hours", "4 times a day"),
    (r"(?:three|3) times (?:a|per|each|every) day|(?:three|3) times daily|3x (?:daily|a day)|tid|t\.i\.d\.?|tds|q8h|q 8 h|every (?:eight|8) hours", "3 times a day"),
    (r"(?:twice|two times|2 times|2x) (?:a|per|each|every) day|twice[- ]daily|2x daily|bid|b\.i\.d\.?|bd|q12h|q 12 h|every (?:twelve|12) hours", "twice a day"),
    (r"q4h|every (?:four|4) hours|(?:six|6) times (?:a|per) day", "6 times a day"),
    (r"(?:once|one time) (?:a|per|each|every) day|once[- ]daily|(?:every|each) (?:day|morning|evening|night)|daily|qd|q\.d\.?|q24h|qam|qpm|qhs|nightly|at bedtime|a day", "once a day"),
)  # fmt: skip
_FREQUENCY = re.compile(
    "|".join(rf"(?P<f{i}>\b(?:{words})(?![a-z]))" for i, (words, _) in enumerate(_OFTEN)), re.IGNORECASE
)
_ROUTES: tuple[tuple[str, str], ...] = (
    (r"by mouth|orally|oral (?=dose|tablet|solution|medic|antibiotic|therapy|steroid)|p\.?o\.?(?![a-z])", "by mouth"),
    (r"intravenous(?:ly)?|iv(?= |$|[.,;])|i\.v\.|into (?:a|the|your) vein", "into a vein"),
    (r"intramuscular(?:ly)?|i\.m\.|IM(?= |$|[.,;])", "into a muscle"),
    (r"subcutaneous(?:ly)?|subq|sub-q|s\.c\.|under the skin", "under the skin"),
    (r"topical(?:ly)?|on the skin", "on the skin"),
    (r"rectal(?:ly)?|per rectum", "rectal"),
    (r"sublingual(?:ly)?|under the tongue", "under the tongue"),
    (r"inhaled|by inhaler|nebuli[sz]ed|by nebuli[sz]er", "inhaled"),
    (r"intranasal(?:ly)?|nasal spray|into the nose", "into the nose"),
)
_BY = re.compile("|".join(rf"(?P<r{i}>\b(?:{words}))" for i, (words, _) in enumerate(_ROUTES)), re.IGNORECASE)


def schedules_in(text: str) -> tuple[frozenset[str], str]:
    """The schedules that a text names, and the text with blanks in their place."""
    found: set[str] = set()
    left = text
    for m in _FREQUENCY.finditer(text):
        found.add(_OFTEN[int((m.lastgroup or "f0")[1:])][1])
        left = left[: m.start()] + " " * (m.end() - m.start()) + left[m.end() :]
    return frozenset(found), left


def routes_in(text: str) -> frozenset[str]:
    """The ways in which something is given."""
    return frozenset(_ROUTES[int((m.lastgroup or "r0")[1:])][1] for m in _BY.finditer(text))
