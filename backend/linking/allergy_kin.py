"""Whose allergy a sentence tells: words by which it speaks of a relative and not of the patient.

Patterns only; backend.linking.allergies decides what they count for.
"""

import re

KIN = re.compile(
    r"\b(?:father|mother|brother|sister|son|daughter|aunt|uncle|cousin|grand\w+|parents?|siblings?|wife|husband|dad|mom|mum|niece|nephew"
    r"|child(?:ren)?|family|maternal|paternal|relatives?|twin)(?:'s|s)?\b",
    re.IGNORECASE,
)
RELATIVE = re.compile(
    r"\b(?:father|mother|brother|sister|son|daughter|aunt|uncle|cousin|grand(?:mother|father|parent)|parents?|siblings?|wife|husband|dad|mom"
    r"|niece|nephew|children|family members?|family history)(?:'s)?\b(?!\s+(?:reports?|states?|says|said|notes|confirms|stated|reported|that))"
    r"(?:\s+(?:is|was|has|had|have|also|both|are|with|who|of|reportedly|a|an|known|history|severe|multiple|anaphylaxis|[\w-]+)){0,6}?"
    r"\s+(?:allerg|anaphyla)|\ballerg\w+[^.;,]{0,40}\bin (?:her|his|the) (?:father|mother|brother|sister|son|daughter|family|parents|siblings)",
    re.IGNORECASE,
)
