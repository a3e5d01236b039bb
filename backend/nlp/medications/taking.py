"""Whether a medicine is taken now, by the words right before and after it.

"A history of atrial fibrillation on apixaban" makes the fibrillation history, not the apixaban; "now off warfarin",
"stopped lisinopril" and "prednisone, stopped it herself" end it. What is taken as needed or to prevent something is taken;
so is what stands in a list after "takes", and a medicine among the illnesses of the past, unless the words there say that
it is over. What was prescribed and never taken is denied. It looks at one mention and the few words beside it; lists and
scopes are assertions' work.
"""

import re
from collections.abc import Sequence

from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion, Category, SectionCategory

_MEDICINES = frozenset((Category.DRUG, Category.DRUG_CLASS))
_WEIGHED = frozenset((Assertion.PRESENT, Assertion.HISTORICAL, Assertion.HYPOTHETICAL, Assertion.NEGATED))
_REACH = 40
_AFTER = 60
_LONGEST_LIST = 40
_AND_MORE = r"(?:[\w/.-]+ ){0,2}$"
_TAKES = re.compile(
    r"\b(?:on|takes|taking|uses|using|receives|receiving|maintained on|(?:managed|controlled) (?:with|by)|continues|currently) "
    r"(?:a |an |daily |oral |home )?$",
    re.I,
)
# "A history of heart failure (furosemide 40 mg daily)": what is taken so often is taken.
_REGULARLY = re.compile(
    r"(?:[^\S\n]*(?:\d[\d.,/]*+|mg|mcg|g|units?|puffs?|tablets?|inhaler|po|by mouth)){0,5}[^\S\n]+"
    r"(?P<cue>daily|bid|tid|qid|qd|qhs|prn|as needed|nightly|weekly|twice (?:a day|daily)|once a day|every (?:day|morning|night|evening))\b",
    re.I,
)
# "Hx of hypothyroid (levothyroxine 75 mcg)": what stands with its dose right behind an illness is taken against it.
_AGAINST_IT = re.compile(r"[(\[]\s*$|\s[-\u2013]\s*$")
_DOSED = re.compile(r"[^\S\n]*\d[\d.,/]*[^\S\n]*(?:mg|mcg|g|units?|puffs?|ug|iu)\b", re.I)
_STOPPED = re.compile(
    r"\b(?:off|stopped|stopping|discontinued|quit taking|no longer (?:on|takes|taking)|taken off|came off|"
    rf"previously on|formerly on|used to take) {_AND_MORE}",
    re.I,
)
# What follows the medicine, its dose and how long it was taken: "prednisone 3 y, stopped it herself 6 days ago".
# A number does not begin within one, so that its digits are not shared out among the seven.
_DOSE = r"(?:[^\S\n]*(?:(?<![\d.,/])\d[\d.,/]*|mg|mcg|g|units?|y|yr|years?|months?|weeks?|days?|daily|bid|tid|qd|qhs|po|for|x|twice|once|a day)\b){0,7}"
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


# What the words say of the illness that a medicine is taken against, and not of the medicine: "aspirin as needed for pain".
_AGAINST = re.compile(
    r"(?:prn|p\.?\s?r\.?\s?n\b|(?:taken |used )?as needed|prophyla\w*|ppx|prevent\w*|to (?:avoid|prevent|reduce))", re.I
)
_NOT_YET = re.compile(
    r"\b(?:consider\w*|discuss\w*|recommend\w*|would|could|should|may|might|if|plan\w*|will|offer\w*|candidate)\b", re.I
)
# What is denied is something else, while the medicine is taken: "no seizures on levetiracetam", "no fever, on prednisone".
_BESIDE = re.compile(
    r"\b(?:no|not|n't|denie[sd]|denying|without|never|nor)\s(?P<denied>(?:[\w'/-]+,?\s){0,8}?(?:and\s)?)(?P<tie>(?:on|takes|taking|still taking|with|from|since starting|while (?:on|taking)|changes? (?:in|to)|change of|bring|brought|run out of|ran out of|adjust|refill)\s)"
    r"(?:(?:his|her|their|the|a|an|daily|home|oral|current|stable|low[- ]dose|chronic)\s){0,3}$",
    re.I,
)
_KEPT = re.compile(r"(?:bring|brought|run|ran|change|adjust|refill)", re.I)
_NOT_TAKEN = re.compile(
    r"\b(?:no|not|never|without|n't|denie[sd]|longer|been|being|be|current(?:ly)?|now|ever|yet|use[ds]?|using|take[ns]?|taking|took|start\w*|plac\w*|put|treat\w*|manag\w*|maintain\w*|therapy|exposure|contact|experience|"
    r"history|prescri\w*|given|recommend\w*|discharged|anticoagula\w*|candidate|tolerat\w*|also|really|he|she|patient|prophylaxis|done|coverage|response to|medications?|meds|medicines?|need\w*)\b",
    re.I,
)
_TREATED_ONLY = re.compile(r"[\s-]+(?:use|allergy|toxicity|overdose|exposure|therapy|level)\b", re.I)
_NONE = re.compile(r"\b(?:no|not|without|never|denie[sd]|declined|refused)\b[^,]*$", re.I)
_NEVER = re.compile(
    r"[^.;\n]{0,45}?[,(]?\s*+(?:(?:but|and|which|who|\u2013|-|,|\()\s*+)?(?:(?:he|she|they|patient|pt|has|had|i)\s*+)?"
    r"(?P<cue>(?:(?:has |had )?never (?:actually )?(?:took|taken|take|filled|fill|started|start|picked|used|tried|began)"
    r"|(?:did not|didn't|didnt|has not|hasn't|had not|hadn't|would not|wouldn't|refused to|refuses to|declined to) (?:actually |ever |yet )?(?:take|taken|took|fill|filled|start|started|pick|picked|use|used|try|tried))"
    r"(?:\s+(?:it up|them up|it|them|this|one|any|the prescription))?+\b(?! (?:more|other|another|with|again|today|this|yesterday|last|tonight|for|every|all|as|on|regularly|consistently|because|before|enough|properly|since))"
    r"|(?:(?<=, )|(?<=but )|(?<=but he )|(?<=but she )|(?<=which he )|(?<=which she ))(?:but )?(?:he |she |patient |pt )?(?:declined|refused)\b(?: it| them)?(?=\s*(?:[.,;)\n]|$)))",
    re.I,
)
# "No treatment with rituximab", "did not want amiodarone"; not "no response to treatment with rituximab".
_UNTREATED = re.compile(
    r"(?:\b(?:no|without)\s(?:(?:any|prior|previous|earlier|further|other|active|current|specific|regular)\s)*(?:treatment|therapy|courses?|doses?|trials?|use)\s(?:with|of|by)"
    r"|\b(?:not|n't)\s(?:want|wish)(?:\sto\s(?:take|start|try|use|begin|have|be\son|go\son))?)\s(?:(?:a|any|the|his|her|more|systemic|oral|iv|inhaled)\s)*$",
    re.I,
)
# "Insulin glargine: refused", "thrombolysis with alteplase was withheld"; not a dose of today, nor "aspirin, declined surgery".
_REFUSED = re.compile(
    _DOSE
    + r"[^\S\n]*(?:[,:;(\u2013-]+[^\S\n]*)?(?:(?:but|and|which)\s)?(?:(?:the\s)?(?:patient|pt|he|she|they|family)\s)?(?:(?:was|is|were|has|had|been)\s){0,2}"
    r"(?P<cue>refused|refuses|declined|declines|withheld|(?:not|never)\s(?:yet\s)?(?:started|begun|initiated|given|wanted))\b"
    r"(?=\s*(?:[.,;)\n]|$|(?:by|because|due|owing|for|as|after|in|since|despite|again|repeatedly|twice|x\s?\d)\b))",
    re.I,
)
_KEEPS = re.compile(
    r"\b(?:declin|refus)\w*\s(?:to\s)?(?:stop\w*|reduc\w*|cut|lower\w*|taper\w*|wean\w*|increas\w*|chang\w*|switch\w*|give up|come off|hold\w*|(?:an?\s)?(?:\w+er|extra|change|increase)\s)",
    re.I,
)
_OR = re.compile(r"\s*(?:,|;|/|,?\s(?:or|nor|and))\s*", re.I)
_PAST_WEEK = re.compile(
    _DOSE
    + r"(?:[^\S\n](?:was|were)?[^\S\n]?(?:given|taken|used|prescribed)?)?(?:[^\S\n]for(?:[^\S\n][\w-]+){1,4}?)?[^\S\n]*,?[^\S\n]*\(?(?P<cue>at (?:\d{1,2}|\w+)(?:[- ]?(?:\d/7|to \d+))?[- ]?(?:weeks?|wks?|w|months?)(?! (?:pregnant|now)))\b",
    re.I,
)
_AGO = re.compile(
    _DOSE
    + r"[^.;,\n]{0,30}?,?\s*+\(?(?P<cue>(?:\w+|a few|a couple of|several|many|some) (?:years?|yrs|months?) (?:ago|back|before|earlier)|years ago|last (?:year|spring|summer|fall|autumn|winter)|as a (?:child|kid|teen\w*|baby|boy|girl))\b",
    re.I,
)
_ONWARD = re.compile(
    r"\b(?:since|started|starting|began|begun|start|increased|decreased|changed|switched|added|adjusted|on|takes|taking|still)\b",
    re.I,
)
_OVER = re.compile(
    r"\b(?:ago|previous\w*|prior|former\w*|past|stopped|discontinued|completed|finished|course|cycles?|chemo\w*|s/p|status post|after|treated|trial|tried|failed|received|given|had|last|"
    r"until|once|was on|used to|abuse|misuse|overdose|poisoning|toxicity|induced|allerg\w*|reaction|intoleran\w*|resistan\w*|exposure|off|no longer|held|denies|not|never|(?:19|20)\d\d|as a child|rash|hives|level|hit|thrombocytopenia)\b",
    re.I,
)
_ENTRY_END = re.compile(r"[.;:)\n](?!\d)")
_ITEM_END = re.compile(r"[.;:),\n](?!\d)")
_LISTED = re.compile(
    r"(?:\s*(?:,|;|/|&|\+|\band\b|\bplus\b|\bwith\b|\bas well as\b|\d[\d.,/]*+|mg|mcg|g|units?|daily|bid|tid|qid|qd|qhs|po|prn|as needed|twice|once|at night|nightly|a day|weekly|every \w+|in the morning|tablets?|inhalers?|patch|low[- ]dose|home|oral|also))+\s*",
    re.I,
)


def as_taken(text: str, mention: Mention, header: str = "") -> Mention:
    """The mention as the words beside it say: taken, past, or never taken; other mentions as they are.

    header: the title of its section, by which a medicine may have been read as past.
    """
    if mention.category not in _MEDICINES or mention.assertion not in _WEIGHED:
        return mention
    after = text[mention.end_char : mention.end_char + _AFTER]
    before = " ".join(text[max(0, mention.start_char - _REACH) : mention.start_char].split(" "))
    if mention.assertion == Assertion.NEGATED:
        if keeps := _KEEPS.search(before):
            return _told(mention, Assertion.PRESENT, keeps[0].strip())
        beside = _BESIDE.search(_ENTRY_END.split(before)[-1])
        if beside is None or _NOT_TAKEN.search(beside["denied"]) or _TREATED_ONLY.match(text, mention.end_char):
            return mention
        if not beside["denied"] and not _KEPT.match(beside["tie"]):
            return mention  # "not on warfarin", but "did not bring her amiodarone"
        mention = _told(mention, Assertion.PRESENT, beside["tie"].strip())
    if mention.assertion == Assertion.HYPOTHETICAL:
        # a medicine is not what is prevented or eased: "acyclovir prophylaxis", "acetaminophen as needed and ibuprofen"
        clause = _ENTRY_END.split(before)[-1]
        if not _AGAINST.match(mention.assertion_cue) or _NOT_YET.search(clause) or _NONE.search(clause):
            return mention
        mention = _told(mention, Assertion.PRESENT, mention.assertion_cue)
    if (never := _NEVER.match(after)) and not _TAKES.search(before):
        return _told(mention, Assertion.NEGATED, never["cue"])
    if untreated := _UNTREATED.search(before):
        return _told(mention, Assertion.NEGATED, untreated[0].strip())
    if (refused := _REFUSED.match(after)) and not _TAKES.search(before):
        return _told(mention, Assertion.NEGATED, refused["cue"])
    ended = _ENDED.match(after)
    if ended and mention.assertion == Assertion.PRESENT:
        return _told(mention, Assertion.HISTORICAL, ended["cue"])
    if mention.assertion == Assertion.HISTORICAL and (still := _STILL.match(after)):
        return _told(mention, Assertion.PRESENT, still["cue"])
    if stopped := _STOPPED.search(before):
        return _told(mention, Assertion.HISTORICAL, stopped.group().strip())
    past = _PAST_WEEK.match(after) or _AGO.match(after)
    if past and mention.assertion == Assertion.PRESENT and not _ONWARD.search(before + after[: past.end()]):
        return _told(mention, Assertion.HISTORICAL, past["cue"])
    if mention.assertion == Assertion.HISTORICAL:
        if takes := _TAKES.search(before):
            return _told(mention, Assertion.PRESENT, takes.group().strip())
        if (often := _REGULARLY.match(after)) and not _over(text, mention):
            return _told(mention, Assertion.PRESENT, often["cue"])
        if _AGAINST_IT.search(before) and (dosed := _DOSED.match(after)) and not _over(text, mention):
            return _told(mention, Assertion.PRESENT, dosed[0].strip())
        if (
            mention.section is SectionCategory.PAST_MEDICAL_HISTORY
            and mention.assertion_cue == header
            and mention.category == Category.DRUG
            and not _over(text, mention)
        ):
            return _told(mention, Assertion.PRESENT, "")
    return mention


def lists_taken(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions, in order, each after one of its list.

    A past medicine that "takes" or "on" makes taken is taken, and what "no treatment with" denies of the first is denied of
    the others.
    """
    told: list[Mention] = []
    for mention in mentions:
        last = told[-1] if told else None
        if (
            last is not None
            and last.assertion == Assertion.NEGATED
            and mention.category in _MEDICINES
            and mention.assertion == Assertion.PRESENT
            and _UNTREATED.fullmatch(f"{last.assertion_cue} ")
            and _OR.fullmatch(text, last.end_char, mention.start_char)
        ):
            mention = _told(mention, Assertion.NEGATED, last.assertion_cue)
        if (
            last is not None
            and last.category in _MEDICINES
            and last.assertion == Assertion.PRESENT
            and _TAKES.match(f"{last.assertion_cue} ")
            and mention.category in _MEDICINES
            and mention.assertion == Assertion.HISTORICAL
            and mention.start_char - last.end_char <= _LONGEST_LIST
            and _LISTED.fullmatch(text, last.end_char, mention.start_char)
            and not _over(text, mention)
        ):
            mention = _told(mention, Assertion.PRESENT, last.assertion_cue)
        told.append(mention)
    return told


def _told(mention: Mention, assertion: Assertion, cue: str) -> Mention:
    return mention.model_copy(update={"assertion": assertion, "assertion_cue": cue, "also": ()})


def _over(text: str, mention: Mention) -> bool:
    """Whether the entry that a medicine stands in says that its use is past, or speaks of something else of it."""
    before = _ENTRY_END.split(text[max(0, mention.start_char - _AFTER) : mention.start_char])[-1]
    after = _ITEM_END.split(text[mention.end_char : mention.end_char + _AFTER])[0]
    return _OVER.search(f"{before} {after}") is not None
