"""Statements that a patient has no allergies, or that nobody could find out.

Takes a stretch of the note, gives the spans of such statements; what lies outside them may still name an allergen
("NKDA except latex"). A denial of one thing ("not allergic to latex") is a span too, but says nothing of the rest.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.nlp.allergies.allergy_vocabulary import WordKind, allergy_words, any_of, is_noise, only, words
from backend.nlp.allergies.statements.allergy_withdrawn import withdrawn
from backend.nlp.attributes.gated_patterns import gated


class Denial(NamedTuple):
    """A statement that there is no allergy: none at all when general, else none to one thing."""

    start: int
    end: int
    general: bool


def denials(text: str, start: int, end: int, in_section: bool) -> list[Denial]:
    """The denials of one sentence, in order, without overlap.

    In an allergies section "none" alone is one, and a denial of one thing with nothing else stands for all.
    """
    lowered = text[start:end].lower()
    found = [
        *_short(text, start, end, lowered),
        *_negated(text, start, end, lowered, in_section),
        *(Denial(*span, False) for span in withdrawn(text, start, end)),
    ]
    if in_section:
        found.extend(Denial(m.start(), m.end(), True) for m in _MINUS.finditer(text, start, end))
        found.extend(Denial(m.start("label"), m.end(), True) for m in _LABELLED.finditer(text, start, end))
        if (other := _FORM.match(text, start, end)) is not None:
            found.append(Denial(other.start(), other.end(), False))
    if (
        in_section
        and (first := _NOTHING.match(text, start, end))
        and not _UNREADABLE_AFTER.match(text, first.end(), end)
    ):
        found.append(Denial(first.start(), first.end(), True))
    kept: list[Denial] = []
    for bare in sorted(found):
        stated = _STATED.match(text, bare.end, end) or _MORE_NONE.match(text, bare.end, end)
        one = bare._replace(end=stated.end()) if stated else bare
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        else:
            last = kept[-1]
            kept[-1] = Denial(last.start, max(last.end, one.end), last.general or one.general)
    return kept


def outside(start: int, end: int, denied: Sequence[Denial]) -> list[tuple[int, int]]:
    """The stretches of start to end that no denial covers."""
    spans = []
    at = start
    for one in denied:
        spans.append((at, one.start))
        at = max(at, one.end)
    spans.append((at, end))
    return [(left, right) for left, right in spans if left < right]


def unreadable(phrase: str) -> bool:
    """Whether a sentence of an allergies section says that the allergies could not be found out."""
    bare = _INNER.sub(" ", phrase)
    named = 0 < len(words(bare)) <= _NAME_WORDS and not is_noise(bare) and not only(WordKind.EMPTY, bare)
    if bare != phrase and named:
        phrase = bare  # "Sulfonamides (verified allergy, unknown)" names something
    plain = " ".join(words(phrase))
    table = allergy_words()
    if plain in table[WordKind.UNREADABLE_WHOLE] or (not plain and "_" in phrase) or (not plain and "?" in phrase):
        return True
    if _BLANK.fullmatch(phrase) or _UNKNOWN_FIRST.match(phrase):
        return True
    if plain and (_SEE.match(phrase) or (_PLACE.search(plain) and only(WordKind.ELSEWHERE, phrase))):
        return True
    padded = f" {plain} "
    for cue in table[WordKind.UNREADABLE]:
        before, found, _ = padded.partition(f" {cue} ")
        # "Xylazol (see chart)" names something: the cue must open the sentence, or the sentence be one.
        if found and (not before.strip() or is_noise(before) or _SENTENCE.search(phrase) or _ACCORDING.match(before)):
            return True
    return False


def _short(text: str, start: int, end: int, lowered: str) -> Iterator[Denial]:
    for match in _NKDA.finditer(text, start, end, lowered):
        yield Denial(match.start(), _with_tail(text, match.end(), end)[0], True)
    for pattern in (_ANSWER, _NEVER_REACTED, _NONE_TO_WHICH):
        for match in pattern.finditer(text, start, end, lowered):
            yield Denial(match.start(), match.end(), True)


def _negated(text: str, start: int, end: int, lowered: str, in_section: bool) -> Iterator[Denial]:
    at = start
    while _NEGATED.within(lowered) and (match := _NEGATED.pattern.search(text, at, end)):
        at = match.start() + 1
        between = _LAST_PART.split(match["between"])[-1] if match["between"] else ""
        noun = match["noun"].lower()
        if _CLAUSE.search(match["between"] or ""):
            continue  # "no medicines and has no allergies": a later "no" may be meant
        stop, tail = _with_tail(text, match.end(), end)
        about = (in_section and tail) or _REACTION_WORD.search(match["between"]) or any_of(WordKind.THING, tail)
        if noun.startswith("reaction") and not about:
            continue
        all_general = only(WordKind.GENERAL, between)
        named = any_of(WordKind.THING, between)
        if not in_section and all_general and words(between) and only(WordKind.SURROUNDINGS, between):
            all_general = False
        general = all_general and (named or not tail or any_of(WordKind.GENERAL, tail))
        at = max(match.end(), stop)
        yield Denial(match.start(), stop, general)
    for match in _NOT_ALLERGIC.finditer(text, start, end, lowered):
        stop, tail = _with_tail(text, match.end(), end)
        yield Denial(
            match.start(), stop, not _IT.match(text, match.end(), end) and (not tail or any_of(WordKind.GENERAL, tail))
        )
    for match in _TOLERATES.finditer(text, start, end, lowered):
        yield Denial(match.start(), match.end(), False)


def _with_tail(text: str, start: int, end: int) -> tuple[int, str]:
    """Where "to X, Y or Z" after a denial ends, and what it names."""
    while more := _OR_MORE.match(text, start, end) or _OR_KINDS.match(text, start, end):
        start = more.end()
    match = _TO.match(text, start, end)
    if not match or (is_noise(match[1]) and not any_of(WordKind.THING, match[1])):
        return start, ""
    return match.end(), match[1]


_MINUS = re.compile(
    r"\(-\)\s*(?:drugs?|med(?:ication|icine)?s?|foods?|latex|environmental|contrast|iodine)\b", re.IGNORECASE
)
# A line of a form: "Drug: none", "Latex allergy - no".
_LABELLED = re.compile(
    r"(?<![\w/-])(?P<label>(?:drugs?|medications?|medicines?|meds|foods?|environmental|environment|latex|contrast|iodine|insects?|other|animals?|seasonal)"
    r"(?:\s*(?:/|and)\s*(?:drugs?|medications?|foods?|latex))?(?:\s+(?:allerg(?:y|ies)|sensitivit(?:y|ies)|intolerances?))?\s*(?:[:=?]|\s-)\s*"
    r"(?:none|no|nil|negative|neg|denie[sd]|n|nkda|nka)(?:\s+(?:known|reported|noted))?)(?=\s*(?:$|[.;,\n)|]))",
    re.IGNORECASE,
)
# "Tobacco: none." on its own says that there is none of it, whatever it is.
_FORM = re.compile(r"\s*[A-Za-z][A-Za-z /]{1,25}:\s*(?:none|no|nil|negative|never|denie[sd])[\s.]*$", re.IGNORECASE)
_OR_MORE = re.compile(
    r"\s*(?:,|/|or|and|nor)\s*(?:(?:or|and|any|known|other|adverse|drug|food|medication|medicine|allergic|environmental|seasonal)\s+)*"
    r"(?:allerg(?:y|ies)|adrs?|reactions?|intolerances?|(?:hyper)?sensitivit(?:y|ies))\b(?!\s+on file)",
    re.IGNORECASE,
)
# "no known drug allergies, latex allergies or contrast allergies": the "or" shows that all of them are denied.
_OR_KINDS = re.compile(
    r"(?:\s*,\s*(?:[\w-]+\s+){1,2}allerg(?:y|ies)\b){0,4}\s*,?\s*\b(?:or|nor)\s+(?:[\w-]+\s+){1,2}allerg(?:y|ies)\b",
    re.IGNORECASE,
)
_KNOWN = r"(?:known|given|reported|noted|documented|recorded|stated|identified|significant|active|aware|relevant|declared|disclosed|volunteered|mentioned|admitted|elicited|endorsed|claimed|found)"
_THINGS = r"(?:drugs?|medications?|meds|medicines?|foods?|environmental|latex|allerg\w+|anything|substances?)"
_STOP_AHEAD = r"(?=\s*(?:$|[.;,:()\n–—\"\u201d-]|\b(?:but|except|excluding|other|however|although|though|aside|apart|besides|save|with)\b))"
# "Mother reports none.", but not "Mother has none."
_TELLER = r"(?:mother|father|mom|mum|dad|parents?|family|wife|husband|spouse|daughter|son|sister|brother|guardian|caregiver)(?=\s+(?:reports?|states?|says?|claims|indicates|den(?:y|ied|ies))\b)"
_NOTHING = re.compile(
    r"[\s\-–*•:,(\[\"\u201c]*(?:(?:reviewed|verified|updated|asked|discussed|confirmed)\s*(?:[,:;-]|and\b|[^.;:\n]{0,50}:)\s*)?(?:to (?:the best of )?(?:his|her|their|my|our) knowledge,?\s+)?(?:(?:reported|listed|recorded|given|stated|noted|said)\s+(?:as|to be)\s+)?(?:(?:(?:the|his|her|their)\s+)?(?:(?:patient|pt|he|she|"
    + _TELLER
    + r")(?:\s+(?:him|her)self)?|(?:him|her)self)\s+(?:(?:has|reports?|states?|says?|claims|indicates|had)\s+)?(?:that\s+)?[\"\u201c]?"
    r"(?:(?:he|she|they|there)\s+(?:has|have|had|is|are)\s+)?|there\s+(?:are|is|were)\s+)?(?:non-?(?:contributory|significant)|not significant|insignificant|unremarkable|none|nil|nope|nothing|negative|neg|zero|[0\u00d8\u00f8\u2205](?=[\s.]*$)"
    r"|den(?:ied|y|ies)|denies any|(?:does |do |did )?not have any|(?:is |are )?(?:not aware|unaware) of any|no|non)\b(?!-\w)"
    rf"(?:\s+(?:{_KNOWN}|are|is|were|was|have been|has been|{_THINGS}|any|to|or|and|all|everything|of note|at this time|currently|at present|whatsoever|to date|so far|of|"
    r"(?:per|by) (?:(?:the|her|his) )?(?:patient(?:'s)?|pt|family|wife|husband|report|history|chart|mother|mom|mum|father|dad|parents?|daughter|son|spouse|ems|snf|records?|gp|pcp|physician|nurse|pharmacy)"
    r"(?: (?:family|wife|husband|mother|father|parents?|daughter|son|report|chart|history|records?))?|"
    r"(?:that |which )?(?:have|has) (?:ever )?been (?:reported|documented|noted|identified|recorded|found)|"
    r"(?:that |which )?(?:he|she|they|we|i|the patient|patient|pt)(?: (?:is|are|was))? (?:knows?|aware|reports?|recalls?|know of|"
    r"knows of|aware of)(?: of| about)?)|\s*[/,]\s*(?=known|food|drug|latex|environmental))*" + _STOP_AHEAD,
    re.IGNORECASE,
)
_NKDA = gated(
    re.compile(r"\b(?:NK(?:D|F|M|DF|D/F)?As?|N\.K\.(?:D\.)?A\.?)(?!\w)", re.IGNORECASE),
    "nk n.k",
)
_ANSWER = gated(
    re.compile(
        r"\b(?:allerg(?:y|ies|ic)(?:\s+(?:history|status))?(?:\s+to\s++(?:(?!otherwise|other\b|but\b|else\b)[\w /]){0,40}?)?\s*+(?:(?:[:=-]|are|is|were|include|to)\s*+)?"
        r"(?:none|nils?|nothing|denied|negative|no(?=\s*(?:$|[.,;])))|none known)(?:\s+known)?\b(?!\s+(?:documented|on file|listed))",
        re.IGNORECASE,
    ),
    "allerg none",
)
_NEVER_REACTED = gated(
    re.compile(
        r"\b(?:never|not|n't)\s+(?:\w+\s+){0,2}?react(?:s|ed)?\s+(?:\w+ly\s+)?to\s+(?:any\s+|a\s+)?(?:medic\w+|drugs?|foods?|anything)\b[^.;,\n]*",
        re.IGNORECASE,
    ),
    "react",
)
_NONE_TO_WHICH = gated(
    re.compile(
        r"\b(?:no|not any|nothing)(?:\s+[\w-]+){0,3}?\s+(?:(?:to which|that|which)\s+)?(?:(?:s?he|they|the patient|patient|pt|i)\s+)?(?:is|are|was|were|am)\s+allergic(?:\s+to)?\b(?!\s+(?:to|rhinitis))",
        re.IGNORECASE,
    ),
    "allergic",
)
_NEGATED = gated(
    re.compile(
        r"(?:\(-\)|\b(?:no|non|denie[sd]|denys|deny|denying|without|nil|not known to have|negative for|(?:does |do |did )?not have|not had|(?:does|do|did)n't have|n't have|never had|not aware of|unaware of|"
        r"not report|not reported|absence of|not know of|no evidence of)\b)[\s:]*"
        r"(?P<between>(?:[\w'/&-]++[\s,][\s,/]*+){0,8}?(?:[\w'/&-]+/)??)(?P<noun>allerg(?:y|ies|ens?|ic (?:history|reactions?))|reactions?|intolerances?|sensitivit(?:y|ies)|"
        r"hypersensitivit(?:y|ies))\b(?!\s+(?:information|data|on file|list|status|issues?|alerts?|interactions?|conflicts?|flags?|concerns?)|\s*/\s*adrs? on file)",
        re.IGNORECASE,
    ),
    "allerg reaction intoleran sensitivit",
)
_NOT_ALLERGIC = gated(
    re.compile(
        r"\b(?:not|n't|never|nor|no longer|isn't|denies (?:being|that \w+ is))\s+(?:(?!whether\b|if\b)\w+\s+){0,4}?allergic\b",
        re.IGNORECASE,
    ),
    "allergic",
)
_TOLERATES = gated(
    re.compile(
        r"(?<!not )(?<!n't )(?<!cannot )(?<!never )(?<!poorly )(?<!not be )(?<!n't be )\b(?:has |have |had |can |is able to )?(?:previously |safely |since )?"
        r"tolerat(?:es|ed)\s+(?!poorly)[^.;,)\n]*|\b(?:ok|okay|fine)\s+(?:w/|with)\s*[^.;,)\n]*|(?<![^.;,\n]\s)\b(?:[\w-]+\s+){1,2}(?:is |was )?(?:ok|okay|fine|tolerated)(?=\s*(?:[.;,)]|$))|(?<!not )(?<!n't )(?<!never )(?<!not been )(?<!n't been )(?<!longer )\b(?:can|able to|may)\s+(?:safely\s+)?(?:take|tolerate)\s+[^.;,)\n]*"
        r"|\b(?:takes?|took|taking|has taken|had|received|uses?)\s+[^.;,)\n]{2,40}?\s+without\s+(?:any\s+|a\s+|an\s+)?(?:further\s+)?(?:problems?|issues?|difficult\w+|reactions?|trouble|incident|adverse \w+|rash)\b[^.;,)\n]*",
        re.IGNORECASE,
    ),
    "tolerat ok fine take without",
)
_TO = re.compile(
    r"\s+(?:(?:whatsoever|at all|of any (?:kind|sort|description))\s+)?(?:to|with|of|from)\s+((?:(?!\b(?:but|except|excluding|however|although|though|other than|aside|apart|besides|that (?:s?he|they|we|i)|she|he|has|is|takes|"
    r"only|allergic|patient)\b)[^.;()\n:-])*)",
    re.IGNORECASE,
)
_IT = re.compile(r"\s+to\s+(?:it|this|that|them|these|those|either)\b", re.IGNORECASE)
# How and when it was stated: "at the time of admission", "per the wife", "to her knowledge".
_STATED = re.compile(
    r"\s+(?:at|on|upon|during|when|per|according to|as|by|since|in|to (?:the|her|his|my|our|their) (?:best|knowledge)|that (?:s?he|they|we|i)\b)\b"
    r"(?:(?!\b(?:but|except|however|although|other|allerg\w+)\b)[^.;,:()\n-])*",
    re.IGNORECASE,
)
_NAME_WORDS = 4
_INNER = re.compile(r"\([^()\n]*\)")
_LAST_PART = re.compile(r",|\bor\b|\band\b|/")
_CLAUSE = re.compile(
    r"\b(?:but|except|however|although|has|is|was|with|which|who|she|he|to|other than|there|change|no|denies|without|given|because|due|since)\b",
    re.IGNORECASE,
)
_REACTION_WORD = re.compile(
    r"\b(?:allerg\w+|adverse|drug|medication|medicine|hypersensitivity|anaphylactic)\b", re.IGNORECASE
)
_MORE_NONE = re.compile(r"[\s,;/]*(?:specifically|nil known|none known|nil)(?=\s|[.;,]|$)", re.IGNORECASE)
_UNREADABLE_AFTER = re.compile(r"\s*(?:documented|on file|recorded|listed)\b", re.IGNORECASE)
_SENTENCE = re.compile(
    r"\b(?:patient|pt|he|she|we|they|who|allergies|allergy|status|history)\b[^.;]*\b(?:is|was|are|were|could|cannot|can|unable|not|intubated"
    r"|sedated|unresponsive|aphasic|nonverbal|unknown)\b",
    re.IGNORECASE,
)
_UNKNOWN_FIRST = re.compile(
    r"\W*(?:(?:the )?(?:patient|pt|family|he|she)\s+(?:is\s+)?(?=un))?(?:unknown|unclear|uncertain|unsure|unk|uta)\s*(?:[-–—,;:(]|at\b|as\b|due\b|because\b|since\b)\s*(?!reaction)",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:charts?|records?|computer|emr|ehr|epic|hpi|above|below|lists?|reviewed|updated|documented|dictated|outlined|noted|listed|unchanged|same"
    r"|file|notes?|sheet|form|system|profile|database|mar|elsewhere|summary)\b"
)
_SEE = re.compile(r"\W*(?:please\s+)?(?:see|refer|consult|check)\s+[^.;]{2,80}$", re.IGNORECASE)
_ACCORDING = re.compile(r"\s*(?:as\s+)?(?:per|according to)\b")
_BLANK = re.compile(r"[\s_.,;:*?-]*(?:_{2,}|\[\*\*[^\]]*\*\*\])[\s_.,;:*?-]*")
