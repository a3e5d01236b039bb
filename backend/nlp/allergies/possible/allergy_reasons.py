"""Why somebody may not have a medicine, where it is no reaction: kidneys, pregnancy, another medicine, an operation, the price.

Takes the place of a statement ("cannot take ibuprofen"); looks at the rest of its clause. A clause that names a reaction as well
is one of an allergy all the same, and so is one whose reason the medicine may have brought itself (bleeding, liver, platelets).
"""

import re

from backend.nlp.allergies.allergy_vocabulary import has_allergic_reaction

_FAR = 110


def other_reason(text: str, start: int, end: int) -> bool:
    """Whether the clause around text[start:end] gives a reason that is no reaction to the medicine."""
    left = max(text.rfind(mark, max(0, start - _FAR), start) for mark in (". ", ";", "\n", "(")) + 1
    stop = _CLAUSE_END.search(text, end, min(len(text), end + _FAR))
    right = stop.start() if stop else min(len(text), end + _FAR)
    clause = text[max(left, start - _FAR) : right]
    return _REASON.search(clause) is not None and not has_allergic_reaction(clause) and not _HARM.search(clause)


_CLAUSE_END = re.compile(r"[;\n]|\.(?=\s|$)")
_HARM = re.compile(
    r"\b(?:allerg\w*|reaction|intoleran\w+|side[- ]effects?|(?:gives?|gave|makes?|made|caus\w+|brings?|brought) (?:on |him|her|them|his|my|me|a\b|an\b|bad|severe))",
    re.IGNORECASE,
)
_WHY = r"(?:because of|because|due to|d/t|owing to|given|as|since|with|for|in view of|on account of|on|while|in)\s+(?:(?:she|he|they|patient|is|has|had|was|are|on|a|an|the|his|her|their|of|known|chronic|recent|prior|active|current|past|history|risk|severe|previous|possible|worsening|poor|reduced|low|advanced|concurrent|stage|high)\s+)*"
_REASON = re.compile(
    rf"\b{_WHY}(?:kidney|renal|ckd|egfr|gfr|pregnan\w*|breast-?feeding|lactation|interact\w*|warfarin|coumadin|apixaban|anticoag\w*|blood thinners?"
    r"|surgery|operation|procedure|scan|colonoscopy|insurance|cost|price|heart failure|cirrhosis|falls?\b|age\b|driving|dementia|methotrexate|maoi|transplant)\b"
    r"|\b(?:until|unless)\b|\bnot (?:indicated|needed|covered)\b|\bat (?:this|present)(?: time)?\b|\bfor now\b|\bat present\b|\binteract\w* with\b|\bexcept for\b",
    re.IGNORECASE,
)
