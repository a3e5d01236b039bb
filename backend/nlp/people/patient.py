"""Who the note is about: age, sex, and whether she is pregnant.

Takes the note and its sections, gives a Patient with the place of the words. It reads what is written and never infers
more; ages of relatives and of past events ("at age 54") are not the patient's. A de-identified age is no age.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from backend.nlp.document.tokens import tokens
from backend.schemas.drafts.note import Patient, Section
from backend.schemas.vocabulary import SectionCategory

FEMALE, MALE = "female", "male"


def find_patient(text: str, sections: Sequence[Section], words: Collection[str] | None = None) -> Patient:
    """Age in whole years (0 below one year), sex, pregnancy; None for what is not stated.

    start_char and end_char bound the words that tell the age, or the sex where there is no age. words: the normal words of the
    text, where they are known.
    """
    parts = [(s.start_char, s.end_char) for s in sections if s.category is not SectionCategory.FAMILY_HISTORY]
    parts = parts or [(0, len(text))]
    age: int | None = None
    sex: str | None = None
    start: int | None = None
    end: int | None = None
    for match, years in _ages(text, parts):
        age, start, end = years, match.start(), match.end()
        near = _SEX_NEAR.match(text, match.end()) if not match.groupdict().get("sex") else None
        said = match.groupdict().get("sex") or (near["sex"] if near else None)
        if said:
            sex = _SEXES[said.lower().rstrip(".")]
            end = near.end() if near else end
        break
    if sex is None:
        stated = _stated_sex(text, parts, tokens(text).words if words is None else words)
        if stated:
            sex = _SEXES[stated["sex"].lower()]
            start, end = stated.span() if start is None else (start, end)
        else:
            sex = _by_pronouns(text, parts)
    pregnant = None if sex == MALE else _pregnant(text, parts)
    return Patient(age=age, sex=sex, pregnant=pregnant, start_char=start, end_char=end)


def is_label(text: str, start: int, end: int) -> bool:
    """Whether a span is the label of a form: "Sex: male" tells no sexual activity."""
    return text[start:end].lower() in _LABELS and _AFTER_LABEL.match(text, end) is not None


def _ages(text: str, parts: Sequence[tuple[int, int]]) -> Iterator[tuple[re.Match[str], int]]:
    """The patient's age wherever it is told, in order."""
    for start, end in parts:
        for match in _AGE.finditer(text, start, end):
            years = _years(match)
            if years is None or not 0 <= years <= _OLDEST:
                continue
            before = text[max(start, match.start() - 60) : match.start()]
            after = text[match.end() : min(end, match.end() + 40)]
            if _OF_OTHERS_AFTER.match(after) or _OF_OTHERS.search(before):
                continue
            if match["bare"] and not (_OPENS.search(before) and _GOES_ON.match(after)):
                continue
            if match["told"] and not _OF_WHOM.search(before):
                continue
            if match["aged"] and _PAST.search(before):
                continue
            yield match, years


def _years(match: re.Match[str]) -> int | None:
    if match["words"]:
        tens, _, ones = re.sub(r"[\s-]+", " ", match["words"].lower()).partition(" ")
        return _NUMBERS[tens] + (_NUMBERS[ones] if ones else 0)
    for name, per_year in (("months", 12), ("weeks", 52), ("days", 365)):
        if match[name]:
            return int(match[name]) // per_year
    number = match["years"] or match["short"] or match["aged"] or match["bare"] or match["told"]
    return int(number) if number else None


def _stated_sex(text: str, parts: Sequence[tuple[int, int]], words: Collection[str]) -> re.Match[str] | None:
    for pattern, needed in ((_SEX_LABEL, _LABELS), (_SEX_NOUN, _NOUNS)):
        if needed.isdisjoint(words):
            continue
        for start, end in parts:
            for match in pattern.finditer(text, start, end):
                if not _OF_OTHERS.search(text[max(start, match.start() - 40) : match.start()]):
                    return match
    return None


def _by_pronouns(text: str, parts: Sequence[tuple[int, int]]) -> str | None:
    """The sex that the pronouns and titles agree on; None where both kinds are common."""
    counts = {FEMALE: 0, MALE: 0}
    for start, end in parts:
        for match in _PRONOUN.finditer(text, start, end):
            counts[FEMALE if match[0].lower().rstrip(".") in _FEMALE_WORDS else MALE] += 1
    more, less = sorted(counts, key=counts.__getitem__, reverse=True)
    return more if counts[more] and counts[more] >= _AGREE * counts[less] else None


def _pregnant(text: str, parts: Sequence[tuple[int, int]]) -> bool | None:
    """True when stated, False when denied, None when not stated; a statement outweighs a denial."""
    denied = False
    whole = text.lower()
    if not any(word in whole for word in _ABOUT_PREGNANCY) and not _OR_SHORT.search(whole):
        return None  # the pattern begins with any word, and so is slow
    for start, end in parts:
        for match in _PREGNANT.finditer(text, start, end):
            before = _CLAUSE.split(text[max(start, match.start() - 60) : match.start()])[-1]
            after = text[match.end() : match.end() + 30]
            if _NOT_NOW.search(before) or _KIN.search(before) or _NOT_NOW_AFTER.match(after):
                continue
            if _NOT.search(before) or _NEGATIVE_AFTER.match(after):
                denied = True
            elif not match["test"]:
                return True
    return False if denied else None


_OLDEST = 120
_AGREE = 5
_ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMBERS = (
    {word: i for i, word in enumerate(_ONES, 1)}
    | {word: i for i, word in enumerate(_TEENS, 10)}
    | {word: 10 * i for i, word in enumerate(_TENS, 2)}
)
_WORDS = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-]+(?:{'|'.join(_ONES)}))?|{'|'.join(_TEENS)}|{'|'.join(_ONES)})"
_AGE = re.compile(
    r"(?<![\w./-])(?=\d|t[ewh]|f[io]|s[ei]|e[il]|ni|one|ag)"  # a look at two letters, before the rest is tried
    rf"(?:(?P<years>\d{{1,3}})[\s-]*(?:years?|yrs?\.?)[\s-]*(?:old|of[\s-]age)\b|(?P<words>{_WORDS})[\s-]+years?[\s-]+old\b"
    r"|(?P<short>\d{1,3})\s*-?\s*(?:y\s*/\s*o|y\.\s?o\.?|yo|yr|yrs)(?:\s*/?\s*(?P<sex>[MF])\b|\b|(?<=\.))"
    r"|(?P<months>\d{1,2})[\s-]*(?:months?|mos?)[\s-]+old\b|(?P<weeks>\d{1,2})[\s-]*weeks?[\s-]+old\b|(?P<days>\d{1,2})[\s-]*days?[\s-]+old\b"
    r"|aged?(?:\s+(?:is|of))?\s*[:=]?\s*(?P<aged>\d{1,3})\b(?!\s*(?:months|weeks|days|/|\.\d))"
    r"|(?P<bare>\d{1,3})(?=\s?-?(?:[MF]|male|female)\b)"
    r"|(?P<told>\d{1,3})(?=\s*(?:[,;)]|\.(?!\d)|$)|\s+(?:and|but|with|who|now|today)\b))",
    re.IGNORECASE,
)
_SEX_WORDS = r"woman|man|female|male|lady|gentleman|girl|boy"
_SEX_NEAR = re.compile(
    rf"[\s,/-]*(?:(?!(?:with|who|whose|and|her|his|has|is|was|presents|brought)\b)[\w/-]+[\s,]+){{0,6}}?(?P<sex>{_SEX_WORDS}|[MF](?=[\s,.;:]|$))\b",
    re.IGNORECASE,
)
_SEX_LABEL = re.compile(r"\b(?:sex|gender)\s*[:=]\s*(?P<sex>female|male|[fm])\b", re.IGNORECASE)
_SEX_NOUN = re.compile(
    rf"\b(?:(?:patient|pt|is|was)\s+(?:is\s+)?(?:a|an|this)\s+(?:[\w-]+\s+){{0,4}}?|_{{2,}}[\s-]*(?:year|yr|y)[\s/-]*(?:old|o)[\s,]+(?:[\w-]+\s+){{0,3}}?"
    rf"|(?:this|pleasant|elderly|middle-aged|young|year[\s-]old)\s+(?:[\w-]+\s+){{0,2}}?|in (?:her|his) \d0'?s\s+)(?P<sex>{_SEX_WORDS}|[MF](?=\s))\b",
    re.IGNORECASE,
)
_AFTER_LABEL = re.compile(r"\s*(?:[:=/]|(?:male|female|[MF])\b)", re.IGNORECASE)
_LABELS = frozenset(("sex", "gender"))
_NOUNS = frozenset((*_SEX_WORDS.split("|"), "m", "f"))
_SEXES = {"f": FEMALE, "female": FEMALE, "woman": FEMALE, "lady": FEMALE, "girl": FEMALE} | {
    "m": MALE, "male": MALE, "man": MALE, "gentleman": MALE, "boy": MALE,
}  # fmt: skip
_PRONOUN = re.compile(r"\b(?:she|her|hers|herself|he|him|his|himself)\b|\b(?:mrs|ms|mr)\.", re.IGNORECASE)
_FEMALE_WORDS = frozenset(("she", "her", "hers", "herself", "mrs", "ms"))
_RELATIVES = (
    r"(?:son|daughter|mother|father|brother|sister|wife|husband|spouse|partner|aunt|uncle|cousin|niece|nephew|grand\w+|child|children|baby|infant"
    r"|mom|dad|parents?|siblings?|twin|friend|boyfriend|girlfriend|roommate|neighbor|fiance)"
)
_OF_OTHERS_AFTER = re.compile(rf"[\s,-]*(?:[\w-]+\s+){{0,2}}?{_RELATIVES}\b", re.IGNORECASE)
_OF_OTHERS = re.compile(
    rf"\b(?:(?:her|his|their|my|whose)\s+(?:[\w-]+\s+){{0,3}}|{_RELATIVES}(?:'s)?\b(?!\s*(?:of|to|reports|states|says|brought))[^.;\n]{{0,30}})$",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:at|since|until|by|from|before|after|died|diagnosed|onset|menarche|menopause|began|started|in|to|over|under|under the|the)\s+(?:the\s+)?(?:an?\s+)?$",
    re.IGNORECASE,
)
# "She's 86", "Mr. Tran, 59,", "Ms. Lee (44)"
_OF_WHOM = re.compile(
    r"(?:\b(?:[Hh]e|[Ss]he)(?:['\u2019]s|\s+is)(?:\s+(?:now|only|almost|nearly))?\s+|\b(?:Mr|Mrs|Ms|Miss|Mx|Dr)\.?\s+[A-Z][\w'-]*(?:\s+[A-Z][\w'-]*)?(?:,\s*|\s+\())$"
)
_OPENS = re.compile(
    r"(?:^|[\n:.;#*-]|\b(?:is|was|a|an|this|patient|pt|mr|mrs|ms|old|impression|hpi|for|the))[\s,*_]*(?:[A-Z]\w*\s+is\s+an?\s+)?$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\s?-?(?:male|female|[MF])\b(?!\s*(?:today|oral|temp|tmax|axillary|rectal))(?=\s*(?:$|[,;:.]|\w|\())",
    re.IGNORECASE,
)
_PREGNANT = re.compile(
    r"\b(?:g\s?\d{1,2}[\s,]*p\s?\d{1,4}[^.;\n]{0,40}?\b\d{1,2}(?:[\s-]*\d?[\s/+-]*\d?)\s*(?:weeks?|wks?|w(?:\d\s?d)?)|(?:\d{1,2}(?:\s*(?:\d/7|\+\s*\d))?|\w+)[\s-]*(?:weeks?|wks?|months?)(?:'|')?\s*"
    r"(?:pregnant|gestation|gestational age|ega|iup|intrauterine pregnancy)|pregnant|gravid|(?:iup|intrauterine pregnancy|pregnancy|gestation) at"
    r"|(?P<test>pregnancy test|u?-?hcg|beta[\s-]?hcg|pregnancy))\b",
    re.IGNORECASE,
)
_ABOUT_PREGNANCY = ("pregnan", "gestation", "gravid", "hcg", "iup")
_OR_SHORT = re.compile(r"g\s?\d{1,2}[\s,]*p\s?\d|ega\b")  # not "negative"
_CLAUSE = re.compile(r"[.;\n]|\bbut\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|no|denies|denied|negative|isn't|never|without|non|neg|unlikely)\b[^.;]*$", re.IGNORECASE)
_NEGATIVE_AFTER = re.compile(
    r"[\s:,(]*(?:test\s*)?(?:is|was|were)?\s*[:-]?\s*(?:neg\b|negative|not detected|denied)", re.IGNORECASE
)
_NOT_NOW = re.compile(
    r"\b(?:if|when|while she was|was last|last|previous|prior|previously|during|history of|could be|may be|might be|become|get|getting|became|trying|wants to"
    r"|tried|planning|before|after|since|been|avoid|whether|risk|until|women|woman who is|born at)\b[^.;]*$",
    re.IGNORECASE,
)
_KIN = re.compile(rf"\b{_RELATIVES}\b[^.;]*$", re.IGNORECASE)
_NOT_NOW_AFTER = re.compile(r"\s*(?:women|patients|last year|in \d{4}|years ago|before|in the past)", re.IGNORECASE)
