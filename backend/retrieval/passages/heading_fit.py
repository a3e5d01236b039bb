"""Whether a passage is of the kind that is asked for: "How is it diagnosed?" and a section "Tests", or a text that tells of tests.

Takes a query, and a passage's heading or text; gives the kinds of each, and how much a text tells of a kind. It knows the
headings and words that medical pages, handbooks and leaflets in English commonly have, and nothing of what they mean.
"""

import re
from enum import StrEnum
from functools import lru_cache
from typing import Any

REMEMBERED = 16_384  # headings and titles whose words are kept


class Kind(StrEnum):
    """What a section is about."""

    OVERVIEW = "overview"
    SYMPTOMS = "symptoms"
    CAUSES = "causes"
    RISK = "risk"
    DIAGNOSIS = "diagnosis"
    TREATMENT = "treatment"
    MEDICINES = "medicines"
    PREVENTION = "prevention"
    OUTLOOK = "outlook"
    COMPLICATIONS = "complications"
    FREQUENCY = "frequency"
    INHERITANCE = "inheritance"
    GENES = "genes"
    LIVING = "living"
    RESEARCH = "research"
    DOSE = "dose"
    ADVERSE = "adverse"
    DIET = "diet"
    ACTIVITY = "activity"
    FOLLOW_UP = "follow_up"
    WARNING = "warning"


# each kind: words by which a query asks for it, and words of headings that have it
_CUES: dict[Kind, tuple[str, str]] = {
    Kind.SYMPTOMS: (
        r"symptoms?|signs?|manifest\w*|present(?:s|ing|ation)?|feels?|features?|findings?|abnormalit\w+|notice"
        r"|look(?:ing)? (?:like|(?:out )?for)|tell (?:if|whether)|how (?:do|would|can|will) (?:i|we|you) (?:know|tell)"
        r"|show(?:s|ed)? (?:up|itself|themselves)|how (?:does|do|did) .{0,60}\bshow|happens? (?:to|in|when)"
        r"|what (?:else )?(?:goes|comes|belongs|go|come|belong) (?:with|along|to)"
        r"|(?:might|would|will|should|could) (?:i|he|she|we|they|you|one) (?:feel|see|have|get)"
        r"|problems? (?:does|do|can|could|might|will|should)",
        r"symptoms?|signs?|presentation|manifestations?|features?|how it shows",
    ),
    Kind.CAUSES: (
        r"caus\w+|why|a?etiolog\w+|pathogenesis|pathophysiolog\w+|behind|(?:brings?|brought) (?:it |this |them )?on"
        r"|triggers?|triggered|leads? to|reasons?|(?:come|comes|coming) from|where (?:does|do|did)|damages?|blame|goes wrong"
        r"|due to|because of|set (?:it |this |them )?off|(?:what|which) (?:makes?|made|gives?|gave)",
        r"causes?|a?etiology|pathogenesis|pathophysiology",
    ),
    Kind.RISK: (
        r"risks?|who (?:gets?|is|are|has|catches|tends|develops)|likely|suscept\w+|predispos\w+|chances?|odds|prone"
        r"|which (?:groups?|people|patients)|tends? to|more (?:often|common)|raises?",
        r"risks?|susceptib\w+|predisposi\w+",
    ),
    Kind.DIAGNOSIS: (
        r"diagnos\w+|tests?|tested|testing|exams?|examin\w+|detect\w*|work-?up|investigat\w+|find(?:s|ing)? out|found out"
        r"|check(?:ed|s)?|confirm\w*|scans?|biops\w+|screen\w*|(?:doctors?|they|specialists?) (?:know|tell|spot)"
        r"|pick(?:ed)? up|spot(?:ted)?|prove[sdn]?|rul(?:e|ed|ing) out|x-?rays?|recogni[sz]e[sd]?|can one tell",
        r"diagnos\w+|tests?|testing|exams?|examination|evaluation|work-?up|investigations?|laboratory|imaging",
    ),
    Kind.TREATMENT: (
        r"treat\w*|manag\w+|therap\w+|cur(?:e|ed|able)|options?|get(?:ting)? rid|fix(?:ed)?|relie\w+|help(?:s|ed)?"
        r"|surger\w+|operat\w+|be done|remed\w+|pills?|tablets?|eas(?:e|es|ed)|antibiotics?|chemo\w*|transplant\w*"
        r"|cared? for|look(?:ed)? after|removed|medicines? for",
        r"treatments?|management|therap\w+",
    ),
    Kind.MEDICINES: (r"drugs?|medicines?|medications?", r"drugs?|medicines?|medications?"),
    Kind.PREVENTION: (
        r"prevent\w*|avoid\w*|keep(?:ing)? (?:\w+ ){0,6}from|stop (?:\w+ ){0,3}from|protect\w*|vaccin\w+|immuni[sz]\w+"
        r"|jabs?|lower (?:\w+ ){0,2}(?:risk|chances?)|ward off|reduc\w+|(?:don't|doesn't|not) (?:get|catch|spread)|spare",
        r"prevent\w+",
    ),
    Kind.OUTLOOK: (
        r"outlook|prognos\w+|surviv\w+|life expectancy|long[- ]term|how long|go(?:es)? away|gets? (?:better|worse|well)"
        r"|recover\w*|expect\w*|live|fatal|die|last|outgrow|future|become of|normal life|remission|relapse|comes? back"
        r"|will (?:i|he|she|they|we|it) (?:ever |still )?(?:walk|learn|grow|be able|heal|return|improve)"
        r"|how (?:fast|quickly|soon)",
        r"outlook|prognosis|survival",
    ),
    Kind.COMPLICATIONS: (
        r"complicat\w+|go wrong|problems?|harm|dangers?|lead to|if (?:it|this) is(?:n't| not) treated|untreated|happen if",
        r"complications?",
    ),
    Kind.FREQUENCY: (
        r"how (?:many|common|often|rare)|prevalen\w+|incidence|frequen\w+|epidemiolog\w+|number of people"
        r"|(?:common|rare) is",
        r"frequency|prevalence|incidence|epidemiology|statistics",
    ),
    Kind.INHERITANCE: (
        # not "an inherited disease", which says what it is and asks for nothing
        r"inherit(?:s|ance)?|(?:is|are|be|was|it) inherited|(?:inherited|hereditary)(?= *(?:$|\?))|heritable"
        r"|runs? in (?:the |my |our )?famil\w+|pass(?:ed|es|ing)? (?:it |this |that )?(?:on|down|to)"
        r"|(?:will|can|could) (?:i|my \w+|our \w+) get (?:it|this)"
        r"|(?:my|our|their|his|her|future|next|another|other) (?:\w+ )?(?:kids|child(?:ren)?|bab(?:y|ies)|pregnancy|sons?"
        r"|daughters?|brothers?|sisters?|offspring)|carriers?|famil(?:y|ies)|siblings?|parents?",
        r"inherit\w+|heredity",
    ),
    Kind.GENES: (r"genetic\w*|genes?|mutations?|dna|chromosom\w+", r"genetic\w*|genes?|mutations?"),
    Kind.LIVING: (
        r"what to do|what (?:can|should) i do|liv(?:e|ing) with|cop(?:e|ing)|at home"
        r"|day[- ]to[- ]day|daily|caring for|support|main points|key points|in short",
        r"considerations|self-?care|living|lifestyle|coping",
    ),
    Kind.RESEARCH: (
        r"research\w*|trials?|scientists?|stud(?:y|ied|ies|ying)|institutes?|nih|laborator(?:y|ies)|experimental"
        r"|being (?:done|tested|tried|developed)|developing|investigators",
        r"research|trials?",
    ),
    Kind.DOSE: (r"doses?|dosage|dosing|how much", r"doses?|dosage|dosing|administration"),
    Kind.ADVERSE: (r"side effects?|adverse|reactions?|safe|safety", r"side effects?|adverse|reactions?|precautions?"),
    Kind.DIET: (r"diets?|nutrition|foods?|eat|eating", r"diets?|nutrition|foods?|eating"),
    Kind.ACTIVITY: (r"activit\w+|exercis\w+", r"activit\w+|exercises?"),
    Kind.FOLLOW_UP: (r"follow-?ups?|monitor\w*", r"follow-?up|monitoring"),
    Kind.WARNING: (r"warnings?|emergenc\w+|red flags?|when to call", r"warnings?|emergency|red flags"),
}
_OVERVIEW = re.compile(
    r"\b(?:overview|information|definition|introduction|description|background|summary|about|what it is)\b"
)
_WHAT_IS = re.compile(
    r"\b(?:what(?:'s|s| is| are| was)(?! (?:the|being|known about)\b)|(?:what|which) (?:\w+ ){0,4}(?:is|are) (?:it|this|that|these|those)"
    r"|(?:what|which) (?:\w+ ){0,2}(?:disease|disorder|condition|illness|syndrome|infection|kinds?|types?|sorts?)"
    r"|define|describe|explain|overview|summary|in brief|meaning|(?:does|do|did) (?:it|this|that|they) mean|information|about)\b"
)
_SENTENCE_ENDS = re.compile(r"(?<=[.?!])\s+|\n+")
_CLAUSE_ENDS = re.compile(r"[,;:.?!]+(?:\s|$)|[()]")
_ASKS = re.compile(
    r"^(?:(?:and|but|or|so|also|then|please) )*(?:when|is|are|was|were|am|can|could|do|does|did|should|will|would|may|might|must"
    r"|has|have|had|tell|explain|describe|define|list|give|show)\b|\b(?:what|which|how|why|where|who|whom)\b"
)
# how words begin (a leading space) or what they hold, by which a text without a heading tells of a kind
_TEXT_CUES: dict[Kind, tuple[str, ...]] = {
    Kind.SYMPTOMS: ("symptom", " sign", " manifest", " feature"),
    Kind.CAUSES: (" caus", "etiolog", " due to ", " result"),
    Kind.RISK: (" risk", " suscept", " predispos", " likely"),
    Kind.DIAGNOSIS: ("diagnos", " test", " exam", "x-ray", " scan", "biopsy"),
    Kind.TREATMENT: (" treat", "therap", " surg", " manag"),
    Kind.MEDICINES: (" drug", " medic"),
    Kind.PREVENTION: (" prevent", " avoid"),
    Kind.OUTLOOK: ("prognos", " outlook", "surviv", " recover", " life"),
    Kind.COMPLICATIONS: ("complicat",),
    Kind.FREQUENCY: ("prevalen", "inciden", "frequen", " rare", " common", " affects", " occurs in", " in every"),
    Kind.INHERITANCE: ("inherit", "heredit", "autosomal", "recessive", "dominant"),
    Kind.GENES: (" gene", " mutation", "chromosom"),
    Kind.LIVING: (" support", " cope", " coping", " home", " help"),
    Kind.RESEARCH: ("research", " trial", " stud"),
    Kind.DOSE: (" dose", " dosage", " mg"),
    Kind.ADVERSE: ("side effect", " adverse", " reaction"),
    Kind.DIET: (" diet", " food", " eat", "nutri"),
    Kind.ACTIVITY: ("activit", "exercis"),
    Kind.FOLLOW_UP: ("follow-up", " follow up", "monitor"),
    Kind.WARNING: (" warning", "emergenc", " call "),
}
HALF_STATED = 2  # marks in a text that count as half of telling of a kind
_ASKED = {kind: re.compile(rf"\b(?:{asked})\b", re.MULTILINE) for kind, (asked, _) in _CUES.items()}
_HEADED = {kind: re.compile(rf"\b(?:{headed})\b") for kind, (_, headed) in _CUES.items()}


def asked_kinds(query: str) -> frozenset[Kind]:
    """What a query asks for, by the clauses that ask: "thin since birth, is it curable" tells of birth and asks for a cure.

    "What is X?", "which disease is that" ask for an overview where nothing in those clauses asks for anything else. The
    whole text counts where no clause asks, as in "gout treatment", or none of them says for what.
    """
    text = query.lower()
    asking = [clause for clause in map(str.strip, _CLAUSE_ENDS.split(text)) if _ASKS.search(clause)]
    found = _kinds_in("\n".join(asking)) if asking else frozenset()
    if not found and any(_WHAT_IS.search(clause) for clause in asking):
        return frozenset({Kind.OVERVIEW})
    found = found or _kinds_in(text)
    if Kind.WARNING in found:
        found -= {Kind.SYMPTOMS}  # "warning signs" are no symptoms
    return found


def asked_sentences(question: str) -> str:
    """A long question cut to its first sentence, which names the matter, and those that ask; whole where none asks."""
    sentences = [part for part in _SENTENCE_ENDS.split(question.strip()) if part]
    asking = [part for part in sentences if part.endswith("?") or _ASKS.search(part.lower())]
    return " ".join(dict.fromkeys([sentences[0], *asking])) if asking else question


@lru_cache(maxsize=REMEMBERED)
def heading_kinds(heading: str) -> frozenset[Kind]:
    """What a section of that heading is about; empty where the heading says nothing known."""
    text = heading.lower()
    found = frozenset(kind for kind, words in _HEADED.items() if words.search(text))
    if Kind.WARNING in found:
        found -= {Kind.SYMPTOMS}
    return found | {Kind.OVERVIEW} if _OVERVIEW.search(text) else found


def stated_share(text: str, kinds: frozenset[Kind], opens: bool) -> float:
    """0 to 1: how much a text without a heading tells of the kind asked for most told of, n marks counting n / (n + 2).

    opens: it is the beginning of its document, which is where an overview stands.
    """
    lowered = f" {text.lower()}"
    most = max((sum(map(lowered.count, _TEXT_CUES[kind])) for kind in kinds if kind in _TEXT_CUES), default=0)
    return 1.0 if opens and Kind.OVERVIEW in kinds else most / (most + HALF_STATED)


@lru_cache(maxsize=REMEMBERED)
def stems(text: str) -> frozenset[str]:
    """The distinct stems of a text's words, without the commonest English words."""
    stemmer, common = _english()
    return frozenset(stemmer.stemWords([word for word in _WORD.findall(text.lower()) if word not in common]))


def _kinds_in(text: str) -> frozenset[Kind]:
    return frozenset(kind for kind, cue in _ASKED.items() if cue.search(text))


@lru_cache(maxsize=1)
def _english() -> tuple[Any, frozenset[str]]:
    import Stemmer
    from bm25s.stopwords import STOPWORDS_EN

    return Stemmer.Stemmer("english"), frozenset(STOPWORDS_EN)


_WORD = re.compile(r"\w\w+")
