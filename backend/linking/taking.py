"""Whether a medicine is taken now, by the words right before and after it.

"A history of atrial fibrillation on apixaban" makes the fibrillation history, not the apixaban; "now off warfarin",
"stopped lisinopril" and "prednisone, stopped it herself" end it. It looks at one mention and the few words beside it;
lists and scopes are assertions' work.
"""

import re

from backend.schemas.note import Mention
from backend.schemas.vocabulary import Assertion, Category

_MEDICINES = frozenset((Category.DRUG, Category.DRUG_CLASS))
_REACH = 40
_AFTER = 60
_AND_MORE = r"(?:[\w/.-]+ ){0,2}$"
_TAKES = re.compile(
    r"\b(?:on|takes|taking|using|receives|receiving|maintained on|managed with) (?:a |an |daily |oral |home )?$", re.I
)
_STOPPED = re.compile(
    r"\b(?:off|stopped|stopping|discontinued|quit taking|no longer (?:on|takes|taking)|taken off|came off|"
    rf"previously on|formerly on|used to take) {_AND_MORE}",
    re.I,
)
# What follows the medicine, its dose and how long it was taken: "prednisone 3 y, stopped it herself 6 days ago".
_DOSE = r"(?:[^\S\n]*(?:\d[\d.,/]*|mg|mcg|g|units?|y|yr|years?|months?|weeks?|days?|daily|bid|tid|qd|qhs|po|for|x|twice|once|a day)\b){0,7}"
_ENDED = re.compile(
    _DOSE
    + r"[^\S\n]*,?[^\S\n]*\(?(?:(?:but|and|which|who|then|until)[^\S\n]+)?(?:(?:he|she|was|has|had|since|been|self)[^\S\n-]+)*"
    r"(?P<cue>(?:stopped|discontinued|quit|d/c'?d)(?!\s+(?:his|her|the|for|by|due|\w+ing)\b(?! own))(?:[^\S\n]+(?:it|taking it|this|himself|herself|on (?:his|her) own))*)\b",
    re.IGNORECASE,
)
_STILL = re.compile(
    r"[^.;\n]{0,40}\b(?P<cue>(?:took|takes|taken|is taking|used|still takes|still on)[^\S\n]+(?:it|them|one|some)?[^\S\n]*(?:yesterday|today|this morning|last night|now|daily))\b",
    re.IGNORECASE,
)


def as_taken(text: str, mention: Mention) -> Mention:
    """The mention, present or historical as the words before it say; other mentions as they are."""
    if mention.category not in _MEDICINES or mention.assertion not in (Assertion.PRESENT, Assertion.HISTORICAL):
        return mention
    after = text[mention.end_char : mention.end_char + _AFTER]
    ended = _ENDED.match(after)
    if ended and mention.assertion == Assertion.PRESENT:
        return mention.model_copy(update={"assertion": Assertion.HISTORICAL, "assertion_cue": ended["cue"]})
    if mention.assertion == Assertion.HISTORICAL and (still := _STILL.match(after)):
        return mention.model_copy(update={"assertion": Assertion.PRESENT, "assertion_cue": still["cue"]})
    before = " ".join(text[max(0, mention.start_char - _REACH) : mention.start_char].split(" "))
    stopped = _STOPPED.search(before)
    if stopped:
        return mention.model_copy(update={"assertion": Assertion.HISTORICAL, "assertion_cue": stopped.group().strip()})
    if mention.assertion == Assertion.HISTORICAL:
        takes = _TAKES.search(before)
        if takes:
            return mention.model_copy(update={"assertion": Assertion.PRESENT, "assertion_cue": takes.group().strip()})
    return mention
