"""Reads allergies in the ways people speak of them: "does not agree with her", "PCN all.", "Zofran = hives", "contrast reaction".

Takes a sentence of running text; gives entries with exact offsets, of known medicines and allergens only. It reads what is
said right before or after a name; reactions as events are allergy_events' work.
"""

import re
from collections.abc import Callable, Iterator

from backend.nlp.allergies.allergy_entry import Entry
from backend.nlp.allergies.allergy_vocabulary import has_allergic_reaction, has_reaction, is_reaction, reaction_part
from backend.nlp.allergies.lists.allergy_pieces import Known
from backend.nlp.allergies.statements.allergy_events import REACTION, REACTS, REMEDIES, name_after, name_before
from backend.nlp.allergies.statements.allergy_objects import REACTION_END
from backend.nlp.attributes.gated_patterns import gated


def told_entries(
    text: str, start: int, end: int, known: Known, doubted: Callable[[int], bool], in_section: bool
) -> Iterator[Entry]:
    """The entries of text[start:end]. doubted tells whether what is said at a place is denied or no fact."""
    lowered = text[start:end].lower()
    reacts = REACTS.within(lowered)
    for gate in _AFTER_NAME:
        for match in gate.finditer(text, start, end, lowered):
            reach = 2 if gate.pattern is _HAD_REACTION else _NAME_WORDS
            if not doubted(match.start()) and (span := name_before(text, start, match.start(), known, reach)):
                if gate.pattern is _BARE_ALL and text[span[1] : match.start()].strip():
                    continue
                yield _entry(text, span, match, end)
    for match in _HELD_TO_BE.finditer(text, start, end, lowered):
        if not doubted(match.start()) and (span := name_before(text, start, match.start(), known)):
            yield _entry(text, span, match, end)
    for match in _EQUALS.finditer(text, start, end, lowered):
        told = _reaction_after(text, match.end(), end)
        if has_reaction(told) and (span := name_before(text, start, match.start(), known, _NAME_WORDS + 2)):
            if in_section and (text[start : span[0]].strip() or span[1] != match.start()):
                continue  # "Contrast dye --> hives" is read as an entry of the list
            yield Entry(*span, reaction=told)
    for gate in _BEFORE_NAME:
        bracket = gate.pattern is _IN_BRACKETS
        for match in gate.finditer(text, start, end, lowered) if reacts or not bracket else ():
            if doubted(match.start()):
                continue
            for span in names_after(text, match.end(), end, known):
                if bracket and (REMEDIES.search(text, *span) or text[span[1] : span[1] + 1] != ")"):
                    continue
                if gate.pattern in _NEEDS and not _NEEDS[gate.pattern].match(text, span[1], end):
                    continue
                yield Entry(*span, reaction=match[0].strip(" (:") if bracket else "", said=match[0])
    for match in (
        () if in_section else _DASHED.finditer(text, start, end, lowered)
    ):  # a section's lists are read as lists
        within = "(" in match[0]
        close = (_SHUT if within else _CLOSE).search(text, match.end(), min(end, match.end() + (80 if within else 40)))
        told = text[match.end() : close.start()] if close else ""
        first = told.split(",")[0]  # "Penicillin (anaphylaxis, needed epinephrine)": all of it tells how
        if first and is_reaction(first) and has_allergic_reaction(told) and not doubted(match.start()):
            span = name_before(text, start, match.start(), known, _NAME_WORDS)
            if span and span[1] == match.start() and not REMEDIES.search(text, *span):
                yield Entry(*span, reaction=told)
    for match in _SAME.finditer(text, start, end, lowered):
        if REACTION.search(text, max(0, start - 160), match.start()):
            for span in names_after(text, match.end(), end, known):
                yield Entry(*span)
    listed = _LISTED_SO.match(text, start, end)
    if listed and (span := name_before(text, max(0, start - 200), start, known, 30)):
        yield Entry(*span, said=listed[0])
    for match in _CAME_OFF.finditer(text, start, end, lowered) if reacts else ():
        if not doubted(match.start()) and (span := name_before(text, start, match.start(), known)):
            yield Entry(*span, reaction=match["told"])


def names_after(text: str, at: int, end: int, known: Known) -> Iterator[tuple[int, int]]:
    """The known names that begin at a place and those joined to them: "bananas, kiwi and melon"."""
    while span := name_after(text, at, end, known):
        yield span
        more = _AND.match(text, span[1], end)
        if not more:
            return
        at = more.end()


def _entry(text: str, span: tuple[int, int], match: re.Match[str], end: int) -> Entry:
    told = _reaction_after(text, match.end(), end)
    return Entry(*span, reaction=told if has_allergic_reaction(told) else "", said=match[0])


def _reaction_after(text: str, at: int, end: int) -> str:
    at = lead.end() if (lead := _LEAD.match(text, at, end)) else at
    return reaction_part(REACTION_END.split(text[at : min(end, at + 60)])[0])[0]


_NAME_WORDS = 3
_AUX = r"(?:(?:is|was|were|are|has been|have been|had been|being|got)\s+)?"
_HIM = r"(?:him|her|them|me|the patient|patient|pt)"
_HIS = r"(?:his|her|their|my|the patient's|pt's)"
_NAME = r"(?=[\w'])"
_AND = re.compile(r"\s*(?:,\s*(?:and|or)?|/|\+|&|\band\b|\bor\b)\s*", re.IGNORECASE)
_LEAD = re.compile(r"[\s(:,\"\u201c-]*")
_DISAGREES = re.compile(
    rf"\s+(?:(?:do|does|did)(?: not|n't) (?:agree|sit(?: well| right)?) with {_HIM}|(?:disagrees?|disagreed|never agreed) with {_HIM})\b",
    re.IGNORECASE,
)
_NOT_TOLERATED = re.compile(
    rf"(?:\s+\w{{1,3}})?\s+{_AUX}(?:(?:not|never|poorly|badly) (?:well )?tolerated|(?:could|can) ?not be tolerated|couldn't be tolerated)\b|\s+{_AUX}stopped (?:for|due to|because of) intolerance\b",
    re.IGNORECASE,
)
# "erythromycin tears up his stomach", "Haldol locked her jaw up"
_HURT = re.compile(
    r"[\s\"\u201c'(]+(?:really |always |just |once |had )?(?:tears?|tore|wreck(?:s|ed)?|kill(?:s|ed)?|rip(?:s|ped)?|burn(?:s|ed|t)?|eats?|ate|irritate[sd]?|hurts?|lock(?:s|ed)|swell(?:s|ed)"
    r"|puff(?:s|ed)|close[sd]|messe[sd] (?:up|with)|mess(?:es)? (?:up|with)|tightened|numb(?:s|ed)|bother(?:s|ed)|upsets?|blister(?:s|ed))"
    rf"\s+(?:and \w+\s+)?(?:up\s+)?{_HIS}\s+(?:stomach|belly|gut|guts|bowels|skin|jaw|throat|lips?|face|tongue|mouth|eyes?|hands?|airway|liver|kidneys?|nerves)\b",
    re.IGNORECASE,
)
# "sulfa nearly killed her", "Ativan turned him violent"; not "made her feel better"
_DID_TO = re.compile(
    r"[\s\"\u201c'(]+(?:has |had |always |once |just |really |nearly |almost |about )*(?:(?:nearly|almost|about) kill(?:s|ed)|(?:would|could|will|might) kill|made|makes|turn(?:s|ed)|left|drove|knock(?:s|ed)|sent|send(?:s)?|wiped)"
    rf" {_HIM}\b(?! (?:stools?|urine|motions|teeth)\b)(?! (?:home|to (?:the )?(?:floor|or|icu)))(?!(?:\s+[\w-]+){{0,4}}?\s+(?:better|well|comfortable|good|improv\w*|relief|asymptomatic|less|pain[- ]free|npo|stable|calm\w*|hungr\w+|thirsty)\b)",
    re.IGNORECASE,
)
_DASHED = gated(
    re.compile(r"\s*(?:\s-+\s|\u2013|\()\s*", re.IGNORECASE),
    "- \u2013 (",
)
_SAME = gated(
    re.compile(
        r"\bthe same(?: thing| reaction| problem)?(?: happened| occurred)? (?:with|to|from|after) (?=\w)", re.IGNORECASE
    ),
    "same",
)
_COUGH = re.compile(
    r"(?<=inhibitor)[ -](?:induced |associated |related )?cough\b|(?<=\bACE)[ -](?:induced |associated |related )?cough\b|(?<=\bACEI)[ -](?:induced )?cough\b|(?<=pril)[ -](?:induced |associated |related )?cough\b",
    re.IGNORECASE,
)
_SHUT = re.compile(r"[)\n]")
_CLOSE = re.compile(r"[).,;\n]|$")
_LISTED_SO = re.compile(
    r"\s*(?:(?:this|it) (?:was|is|has been) )?(?:listed|recorded|added|documented|entered|flagged) (?:as|to|in|on) (?:an? |the |his |her )?(?:drug )?(?:allerg(?:y|ies)|intolerances?)\b",
    re.IGNORECASE,
)
_BARE_ALL = re.compile(r"\s+(?:all|ALL)(?=\s*(?:[.;,\n(]|$))")  # "PCN all. will rx clinda"
_HAD_REACTION = re.compile(
    r"\s+(?:(?:infusion|hypersensitivity|allergic|adverse|skin|severe|bad|drug|injection|systemic|anaphylactic|local)\s+){0,2}reactions?\b(?!\s+(?:to|time|from|with)\b)",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"\s*(?::|--?|\u2013)\s*(?:(?:severe|bad|mild|true|known|yes,?)\s+)?allerg(?:y|ic)\b(?!\s+(?:to|rhinitis|reaction|conj|clinic|test|list|asthma|dermat))",
    re.IGNORECASE,
)
_HELD_TO_BE = gated(
    re.compile(
        r"\b(?:felt|thought|believed|considered?s?|presumed|deemed|labell?ed|flagged|charted|regarded|suspected|confirmed)\s+(?:this\s+|it\s+)?(?:to be|to have been|as|to represent)?\s*(?:an? |it an? )?"
        r"(?:true |drug |medication |possible |likely )?(?:allerg(?:y|ic reaction)|intolerance|hypersensitivity)\b(?!\s+(?:to|rhinitis)\b)"
        r"|\ballergic to (?:it|this|that|them)\b",
        re.IGNORECASE,
    ),
    "allerg intoleran hypersens",
)
_EQUALS = gated(
    re.compile(r"\s*(?:=>?|-+>|\u2192|\u21d2)\s*", re.IGNORECASE),
    "= > \u2192 \u21d2",
)
_ARTICLES = r"(?:(?:an?|any|the|his|her|some|more|taking|eating|using|being given|getting|iv|oral)\s+)*"
_BARRED_FROM = re.compile(
    rf"\b(?:never|not)\s+(?:to\s+)?(?:take|have|be given|receive|use|eat|get|touch)\s+{_ARTICLES}{_NAME}", re.IGNORECASE
)
_LASTING = re.compile(rf"\s+(?:ever\s+)?(?:again|anymore|any more)\b|[^.;]{{0,60}}{REACTION.pattern}", re.IGNORECASE)
_ON_LIST = re.compile(
    rf"\b(?:lists?|listed|listing|records?|recorded|shows?|has|have|had|documents?|documented|enter(?:ed)?|add(?:ed)?|carries|considers?|calls?|called|flags?|put|placed?)\s+{_ARTICLES}{_NAME}",
    re.IGNORECASE,
)
_AS_ALLERGY = re.compile(
    r"(?:\s+(?:and|or|,)\s+[\w-]+)*\s+(?:as|to|on|among|under|in)\s+(?:(?:an?|the|his|her|their|being)\s+)?(?:\w+\s+)?(?:allerg(?:y|ies|ens?)|intolerances?)\b",
    re.IGNORECASE,
)
_WEARS = re.compile(
    r"\b(?:bracelet|sticker|medical alert|medic ?alert|wristband|allergy (?:band|list|alert|card|tag|flag))\b[^.;\n]{0,20}?(?:\b(?:for|says?|reads?|lists?|includes?|shows?|states?|contains?|reading|saying|to add|adding|add|with)\b|:)\s*"
    r"(?:an? )?(?:allergy to |allergic to |\"?(?:no|avoid|never) )?",
    re.IGNORECASE,
)
# "Patch testing was positive at 96 hours to nickel and neomycin"
_TESTED = re.compile(
    rf"\b(?:(?:patch|prick|skin|allergy|intradermal)(?:[ -]prick)?[ -]test(?:s|ing|ed)?|rast|(?:specific )?ige)\b[^.;\n]{{0,40}}?\b(?:positive|reacted)\b[^.;\n]{{0,30}}?\b(?:to|for|with)\s+{_ARTICLES}{_NAME}"
    rf"|\bpositive\s+(?:(?:patch|prick|skin|allergy|intradermal)(?:[ -]prick)?[ -]tests?|rast|(?:specific )?ige)\s+(?:to|for|with)\s+{_ARTICLES}{_NAME}",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    rf"\b(?:had (?:trouble|problems?|a (?:problem|bad time|bad experience|terrible time)|issues|difficulty)|(?:does|did|do) (?:poorly|badly|not do well)|(?:trouble|problems?) in the past) (?:with|on) {_ARTICLES}{_NAME}"
    rf"|\b(?:got|gets|became|becomes|was|feels?|felt) (?:(?:very|really|so|violently|quite|terribly|extremely) )?(?:sick|ill|itchy|nauseated|nauseous) (?:with|from|on|after|when (?:he|she|they) (?:takes?|took)) {_ARTICLES}{_NAME}",
    re.IGNORECASE,
)
_BROKE_OUT = re.compile(
    r"\b(?:(?:br(?:oke|eaks?|eaking|oken) out|comes? out in (?:spots|hives|a rash|welts)|came out in (?:spots|hives|a rash|welts)|(?:swell(?:s|ed|ing)?|swollen|puff(?:s|ed|y)?|itch(?:es|ed)?)(?: up)?(?: all over)?"
    r"|itchy (?:mouth|throat|skin|tongue|lips)|(?:couldn't|could not|can't|cannot) breathe|stopped breathing|passed out|went into shock|turned red|anaphylaxed)"
    rf"(?:\s+(?!with\b|from\b|after\b|on\b|when\b)[\w-]+){{0,3}}?)\s+(?:with|from|after|on|when(?:ever)? (?:he|she|they|the patient|given)(?: (?:takes?|took|eats?|ate|was given|had|has|is given))?)\s+{_ARTICLES}{_NAME}",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(
    rf"{REACTION.pattern}\s*\(\s*(?:to |with |from |after )?(?=[\w'][\w' /-]{{2,30}}\))", re.IGNORECASE
)
_SWITCHED = re.compile(
    rf"\b(?:switch\w*|chang\w*|stop\w*|swap\w*|replac\w*|discontinu\w*)\s+{_ARTICLES}{_NAME}", re.IGNORECASE
)
_FOR_EFFECT = re.compile(
    r"[^.;\n]{0,40}?\b(?:for|because of|due to|given|owing to)\s+[^.;\n]{0,25}?(?:\bACE[ -]?(?:inhibitor|I)?[ -](?:induced )?cough|\w+-induced|side[ -]effects?|intoleran\w+)",
    re.IGNORECASE,
)
# "... but had to come off it after two doses because her lips swelled"
_CAME_OFF = gated(
    re.compile(
        r"\b(?:(?:had|has|have) to (?:come off|stop|quit|be taken off|discontinue)|(?:came|was taken|were taken|taken|took \w+) off|stopped|quit|discontinued)\s+(?:of\s+)?(?:it|this|them|that|taking it)\b"
        r"(?:\s+[\w-]+){0,6}?\s+(?:because|as|when|after|since|due to|for|secondary to)\b(?:\s+(?!no\b|not\b|without\b)[\w'-]+){0,6}?\s+"
        rf"(?P<told>{REACTION.pattern})",
        re.IGNORECASE,
    ),
    "off stop quit discontinu",
)
# What must follow the name: "never take X again", "lists X as an allergy", "switch X to Y for side effects".
_NEEDS = {_BARRED_FROM: _LASTING, _ON_LIST: _AS_ALLERGY, _SWITCHED: _FOR_EFFECT}
_AFTER_NAME = (
    gated(_DISAGREES, "agree sit"),
    gated(_NOT_TOLERATED, "tolerat"),
    gated(_HURT, "stomach belly gut bowels skin jaw throat lip face tongue mouth eye hand airway liver kidney nerves"),
    gated(_DID_TO, "kill made makes turn left drove knock sen wiped"),
    gated(_COUGH, "cough"),
    gated(_BARE_ALL, "all"),
    gated(_HAD_REACTION, "reaction"),
    gated(_CALLED, "allerg"),
)
_BEFORE_NAME = (
    gated(_BARRED_FROM, "never not"),
    gated(_ON_LIST, "allerg intoleran"),
    gated(_SWITCHED, "cough induced side intoleran"),
    gated(_WEARS, "bracelet alert band allergy sticker"),
    gated(_TROUBLE, "trouble problem issue difficult bad terrible poorly well sick ill itchy nause"),
    gated(_BROKE_OUT, "out swell swollen puff itch breath passed shock turned anaphylax"),
    gated(_IN_BRACKETS, "("),
    gated(_TESTED, "positive reacted"),
)
