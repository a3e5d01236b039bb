"""Whether a medicine is taken now, by the words right before it.

"A history of atrial fibrillation on apixaban" makes the fibrillation history, not the apixaban; "now off warfarin" and
"stopped lisinopril" end it. It looks at one mention and the few words before it; lists and scopes are assertions' work.
"""

import re

from backend.schemas.note import Mention
from backend.schemas.vocabulary import Assertion, Category

_MEDICINES = frozenset((Category.DRUG, Category.DRUG_CLASS))
_REACH = 40
_AND_MORE = r"(?:[\w/.-]+ ){0,2}$"
_TAKES = re.compile(
    r"\b(?:on|takes|taking|using|receives|receiving|maintained on|managed with) (?:a |an |daily |oral |home )?$", re.I
)
_STOPPED = re.compile(
    r"\b(?:off|stopped|stopping|discontinued|quit taking|no longer (?:on|takes|taking)|taken off|came off|"
    rf"previously on|formerly on|used to take) {_AND_MORE}",
    re.I,
)


def as_taken(text: str, mention: Mention) -> Mention:
    """The mention, present or historical as the words before it say; other mentions as they are."""
    if mention.category not in _MEDICINES or mention.assertion not in (Assertion.PRESENT, Assertion.HISTORICAL):
        return mention
    before = " ".join(text[max(0, mention.start_char - _REACH) : mention.start_char].split(" "))
    stopped = _STOPPED.search(before)
    if stopped:
        return mention.model_copy(update={"assertion": Assertion.HISTORICAL, "assertion_cue": stopped.group().strip()})
    if mention.assertion == Assertion.HISTORICAL:
        takes = _TAKES.search(before)
        if takes:
            return mention.model_copy(update={"assertion": Assertion.PRESENT, "assertion_cue": takes.group().strip()})
    return mention
