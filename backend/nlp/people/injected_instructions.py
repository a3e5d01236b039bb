"""Whether a text holds words aimed at a program: orders, roles, forged fences, hidden characters.

It knows the common forms of such words in the languages listed and cannot know all: it is no wall. It reads a line or a passage,
and says nothing of what the words want.
"""

import re
import unicodedata
from functools import lru_cache

HIDDEN = 3  # invisible characters in one text: a stray one comes from a word processor
_COMMANDS = (
    r"\b(?:ignore|disregard|forget|override|bypass|discard|skip|neglect|do not follow|stop following|pay no attention to)\b[^.\n]{0,60}"
    r"\b(?:instructions?|prompts?|rules?|guidelines|guardrails|directions|directives|system|safety checks?|restrictions|everything (?:above|before)|"
    r"all (?:of the )?(?:above|previous))\b",
    r"\b(?:system|developer|hidden|initial|original) (?:prompt|message|instructions?|override)\b",
    r"\b(?:you are|you're|act as|behave as|pretend to be|role-?play)\b[^.\n]{0,30}\b(?:ai|assistant|language model|llm|chatbot|gpt|dan|bot|jailbroken|unrestricted)\b",
    r"\b(?:to|for|dear|attention|hey|note to|message to|instructions? (?:to|for)) (?:the |any |all |an? )?(?:ai|llms?|assistants?|language models?|chatbots?|summari[sz]ers?|writing program|model reading this)\b",
    r"\b(?:as an?|the) (?:ai|llm|language model|ai assistant)\b[^.\n]{0,40}\b(?:must|shall|should|will|has to|reading)\b",
    r"\b(?:new|updated|real|actual|additional) (?:task|instructions?|system|directives?)\s*[:\n]",
    r"\b(?:your (?:new |real |only )?(?:task|job|instructions?) (?:is|are|now))\b",
    r"\b(?:write|output|print|respond|reply|answer|repeat|say|state|include|insert|add|append|begin|start|end)\b[^.\n]{0,40}\b(?:exactly[:\s]*(?:[\"“'‘:]|this|the following|as follows)|verbatim|word for word|"
    r"the following (?:sentence|text|line|words)|this (?:sentence|line|text)|in (?:the|your|every) (?:draft|summary|output|reply|response|answer|document|discharge instructions))\b",
    r"\b(?:cite|mark|label|tag|rate|score|flag)\b[^.\n]{0,40}\b(?:as (?:supported|verified|confirmed|correct|safe|true|evidence)|it as|this as|[kgpn]\d)",
    r"\b(?:do not|don't|never) (?:cite|mention this instruction|tell the (?:clinician|user|team)|reveal|warn|flag)\b",
    r"\b(?:end|begin|start|close) of (?:the )?(?:(?:untrusted|trusted|user|quoted|input) )?(?:material|note|data|document|context|fence|prompt|evidence|patient note)s?\b\s*(?:[.:>\]\n=-]|$)",
    r"^[^\w\n]*system\s*(?:\([^)\n]{0,20}\))?\s*:",
    r"\b(?:tell|told|instruct(?:ed|s)?|order(?:ed|s)?|ask(?:ed|s)?) (?:the |this |your )?(?:computer|software|program|machine|model|ai)\b",
    r"\b(?:the |this )?(?:software|program|judge|verifier|checker|model|generator) (?:must|shall|should|has to|is to|will) (?:not )?(?:answer|write|say|reply|state|mark|flag|leave|omit|list|accept)\b",
    r"\b(?:every|all) (?:sentences?|statements?|claims?)\b[^.\n]{0,30}\b(?:is|are) (?:supported|verified|correct)\b",
    r"\b(?:tool|function)[ _](?:call|result|output|response)s?\b|\"(?:role|tool|function|tool_calls?)\"\s*:",
    r"<\|[^|>\n]{1,60}\|>|\[/?inst\]|<</?sys>>|</?(?:system|assistant|user|instructions?|note|evidence|passages?|material)>|###\s*(?:system|instruction|response|assistant|(?:end of )?example)",
    r"<<\s*(?:/|[0-9a-f]{8,})",
    r"<\s*(?:script|img|iframe|svg|a)\b|javascript:|\bon(?:error|load)\s*=|!\[[^\]\n]{0,1000}\]\(",
    r"\b(?:base64|rot13|decode (?:this|the following))\b",
    # Spanish, French, German, Italian, Portuguese, Dutch, Polish, Turkish, Swedish
    r"\b(?:ignora|ignore|ignorar|olvida|olvide|haz caso omiso)\b[^.\n]{0,50}\b(?:instrucciones|reglas|indicaciones|instruç(?:ões|oes)|regras)\b",
    r"\b(?:ignorez|ignore|oubliez|oublie|ne tenez pas compte)\b[^.\n]{0,50}\b(?:instructions|consignes|règles|regles)\b",
    r"\b(?:ignorier\w*|vergiss|vergessen sie|missacht\w*)\b[^.\n]{0,50}\b(?:anweisung\w*|regeln|vorgaben|instruktionen)\b",
    r"\b(?:ignora|dimentica|trascura)\w*\b[^.\n]{0,50}\b(?:istruzioni|regole|indicazioni)\b",
    r"\b(?:negeer|vergeet)\b[^.\n]{0,50}\b(?:instructies|regels|opdrachten)\b",
    r"\b(?:zignoruj|pomiń|pomin|zapomnij)\w*\b[^.\n]{0,50}\b(?:instrukcj\w*|polece\w*|zasad\w*)",
    r"\b(?:talimat|komut|kural)\w*\b[^.\n]{0,40}\b(?:yok say|unut|görmezden gel|gormezden gel)",
    r"\b(?:ignorera|glöm)\b[^.\n]{0,50}\b(?:instruktioner|regler)\b",
    # Russian and Ukrainian, Chinese, Japanese, Korean, Arabic, Hindi, Greek, Hebrew
    r"(?:игнорируй|игнорируйте|забудь|забудьте|не обращай внимания|ігноруй)[^.\n]{0,60}(?:инструкци|указани|правил|інструкці)",
    r"(?:忽略|无视|無視|忘记|忘記|不要理会)[^。\n]{0,30}(?:指令|指示|说明|規則|规则|提示)|(?:指示|命令|ルール)[^。\n]{0,12}(?:無視|忘れ)",
    r"(?:지시|명령|규칙)[^.\n]{0,20}(?:무시|잊)",
    r"(?:تجاهل|انس)[^.\n]{0,50}(?:التعليمات|الأوامر|القواعد)|(?:निर्देश|आदेश)[^।\n]{0,40}(?:अनदेखा|नज़रअंदाज़|भूल)",
    r"(?:αγνόησε|αγνοήστε|ξέχασε)[^.\n]{0,50}(?:οδηγίες|εντολές)|(?:התעלם|שכח)[^.\n]{0,40}(?:הוראות|ההוראות|הכללים)",
)
_AIMED = re.compile("|".join(f"(?:{command})" for command in _COMMANDS), re.IGNORECASE | re.MULTILINE)
_CODED = re.compile(
    r"(?<![A-Za-z0-9+/])(?=[A-Za-z0-9+/=]{40})(?=[A-Za-z0-9+/]*[a-z])(?=[A-Za-z0-9+/]*[A-Z])(?=[A-Za-z0-9+/]*\d)[A-Za-z0-9+/]{36,}={0,2}|\b[0-9a-fA-F]{48,}\b"
)
_INVISIBLE = frozenset(
    "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u00ad\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


_STRUCK = re.compile(r"(?:[A-Za-z][\u0300-\u036f]){4}")  # letters struck through, one after another
_LATIN_AND_CYRILLIC = re.compile(r"[A-Za-z][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]")
MIXED = 2  # words of both alphabets in one text: a single one may be a slip of the keyboard


@lru_cache(maxsize=4096)  # the same facts and passages come with every request
def has_injected_instructions(text: str) -> bool:
    """Whether a text reads like an order to a program, however it is spaced, cased or hidden."""
    hidden = sum(c in _INVISIBLE or "\U000e0000" <= c <= "\U000e007f" for c in text)
    if hidden >= HIDDEN or "\x1b[" in text or "\u202e" in text or _CODED.search(text) or _STRUCK.search(text):
        return True
    if sum(bool(_LATIN_AND_CYRILLIC.search(word)) for word in text.split()) >= MIXED:
        return True
    shown = unicodedata.normalize("NFKC", "".join(c for c in text if unicodedata.category(c) != "Cf"))
    spaced = re.sub(r"(?<=\b\w)[ ._-](?=\w\b)", "", shown)  # i g n o r e
    return bool(_AIMED.search(shown) or (spaced != shown and _AIMED.search(spaced)))


def note_has_injected_instructions(note: str) -> bool:
    """Whether any line of a note does."""
    return any(has_injected_instructions(line) for line in note.splitlines(keepends=True))
