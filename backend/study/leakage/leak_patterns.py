"""What the rule of `blinding` takes out, as patterns: typography, mark-up, citations, self-reference, names of models.

Nothing here may take away a finding: signs and numbers that a clinician uses ('+ JVD', '(K1)', 'CKD-3b', '(May 2020)', '> 38 C')
match no pattern. What cannot be told from those is left, and `style_leaks` warns of it.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

PLAIN = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "\t": " "}
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", "")
    | dict.fromkeys(map(chr, (0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)), " ")
    | {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
)
MODELS = (
    "ChatGPT", "GPT-3.5", "GPT-4", "GPT-4o", "GPT-5", "OpenAI", "Anthropic", "Gemini", "Copilot", "Llama", "Mistral",
    "Mixtral", "Qwen", "DeepSeek", "Gemma", "BioMistral", "Meditron", "MedGemma", "Med-PaLM", "MedAlpaca", "PMC-LLaMA",
    "BioGPT", "ClinicalGPT", "HuatuoGPT", "Asclepius", "Vicuna", "Leapnote", "ReinRAG", "RAR2", "CLI-RAG", "Omni-RAG",
    "ClinicalRAG", "DR.KNOWS", "Reflexion", "SeRTS", "Query2Doc",
)  # fmt: skip
VERSION = r"(?:[-_ ]?v?\d[\w.]*)?(?:-(?:\d[\w.]*|mini|nano|turbo|chat|it|instruct|base|large|small))*"
VERSION += r"(?: (?:Pro|Flash|Ultra|Turbo|Instruct|Chat))?"
VERSIONED = re.compile(
    rf"(?<!\w)(?:(?:{'|'.join(re.escape(name) for name in sorted(MODELS, key=len, reverse=True))}){VERSION}"
    r"|Claude (?:\d[\w.]*|Instant)(?: (?:Opus|Sonnet|Haiku))?|Claude (?:Opus|Sonnet|Haiku)(?: \d[\w.]*)?"
    r"|Phi-[1-4](?:\.\d)?(?:-\w+)*)(?!\w)",
    re.IGNORECASE,
)
"""A model's name with its version. Of names that are also people's or letters' ('Claude', 'phi') only with one."""

BOOKS = "UpToDate|MedlinePlus|PubMed|StatPearls|Wikipedia|DrugBank|MedQuAD|DynaMed|Medscape|UMLS|SNOMED(?:[ -]CT)?"
NUMBER = r"\^?[1-5]?\d"  # 0 to 59: a longer number in brackets is a value, not a reference
NAMED = r"(?:[Dd]oc(?:ument)?|[Ss]ource|[Pp]assage|[Ee]vidence|[Cc]ontext|[Cc]it(?:e|ation)|[Rr]ef(?:erence)?)s?"
ID = rf"(?:[KGPN]\d{{1,3}}|{NAMED}[.:]? ?\d{{1,3}}|{NUMBER})"
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SELF_NOUN = r"(?:AI|artificial intelligence|(?:large )?language model|virtual assistant|chatbot)"
_TEXT = r"(?:draft|response|text|document|note|letter|summary|answer|message|content|output)"
_ASKED = rf"(?:(?:progress|SOAP|clinical|discharge|revised|rewritten|final) )*(?:{_TEXT}|instructions?|version)"
_GIVEN = r"(?:provided|given|supplied|retrieved|cited)"
_SOURCES = r"(?:context|evidence|passages?|documents?|sources?|references?|knowledge (?:graph|base)|reasoning paths?|search results?)"
_GIVEN_NOUN = rf"(?:{_SOURCES}|information|text|note|record|history|literature|guidelines?|data|material|case|details)"


class Step(NamedTuple):
    """One replacement. kind: under which it is counted. becomes: as `re.sub` takes it."""

    kind: str
    pattern: re.Pattern[str]
    becomes: str | Callable[[re.Match[str]], str] = ""


def _unescape(found: re.Match[str]) -> str:
    return {"nbsp": " ", "amp": "&", "lt": "<", "gt": ">", "quot": '"', "#39": "'", "apos": "'"}[found[1]]


def _upper_after(found: re.Match[str]) -> str:
    return str(found[1]).upper()


def _sentence(words: str) -> re.Pattern[str]:
    """The whole sentence that these words begin, with its stop."""
    return re.compile(rf"(?:(?<=[.!?] )|^)(?:{words})[^.!?\n]*(?:[.!?]+[ ]*|$)", re.MULTILINE | re.IGNORECASE)


STEPS: tuple[Step, ...] = (
    Step("mark_up", re.compile(r"<!--.*?-->", re.DOTALL)),
    Step("self", re.compile(r"<(think|thinking|reasoning|scratchpad)>.*?</\1>", re.DOTALL | re.IGNORECASE)),
    Step("self", re.compile(r"<\|\w{1,20}\|>|\[/?INST\]|<</?SYS>>|</?s>|</?(?:think|thinking|answer|response)>")),
    Step("mark_up", re.compile(r"&(nbsp|amp|lt|gt|quot|#39|apos);"), _unescape),
    Step("mark_up", re.compile(r"<sup>(\d{1,2})</sup>"), lambda found: found[1].translate(_SUPERSCRIPT)),
    Step("citation", re.compile(r"[ ]*<cite\b[^>\n]{0,80}>[^<\n]{0,80}</cite>", re.IGNORECASE)),
    Step("mark_up", re.compile(
        r"</?(?:b|i|u|em|strong|sup|sub|br|p|ul|ol|li|div|span|h[1-6]|code|pre|table|tr|td|th|hr)\b[^<>\n]{0,80}>", re.IGNORECASE
    )),
    Step("mark_up", re.compile(r"^[ ]*```\w*[ ]*$", re.MULTILINE)),
    Step("mark_up", re.compile(r"`([^`\n]+)`"), r"\1"),
    Step("mark_up", re.compile(r"~~(?=\S)(.+?)(?<=\S)~~"), r"\1"),
    Step("mark_up", re.compile(r"\\\((.{1,80}?)\\\)"), r"\1"),
    Step("mark_up", re.compile(r"^[ ]*\|?(?:[ ]*:?-{3,}:?[ ]*\|)+[ ]*(?:-{3,})?[ ]*$", re.MULTILINE)),
    Step("mark_up", re.compile(r"^[ ]*\|(.+)\|[ ]*$", re.MULTILINE),
         lambda found: "; ".join(cell.strip() for cell in found[1].split("|") if cell.strip())),
    Step("mark_up", re.compile(r"^[ ]*>[ ]?(?=[A-Za-z\"])", re.MULTILINE)),
    Step("mark_up", re.compile(r"(?<!\[)…(?!\])"), "..."),
    Step("mark_up", re.compile(r"^[ ]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ ]*$", re.MULTILINE)),
    Step("mark_up", re.compile(r"^[ ]{0,3}#{1,6}[ ]+(.*?)[ ]*#*$", re.MULTILINE), r"\1"),
    Step("mark_up", re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    Step("mark_up", re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])"), r"\1"),
    Step("mark_up", re.compile(r"(?<![\w_])_(?=[A-Za-z])([^_\n]+?)(?<=[^\s_])_(?![\w_])"), r"\1"),
    Step("self", re.compile(
        rf"\b(?:according to|based on|as (?:stated|noted|described|mentioned|shown) in|per|from|using) (?:the |these )?"
        rf"(?:(?:reasoning|knowledge)\b|{_GIVEN} (?:\w+ ){{0,2}}{_GIVEN_NOUN}\b|{_SOURCES} {_GIVEN}|{_SOURCES}(?=,)"
        rf"|\[?{NAMED} \d{{1,3}}\]?|(?:{BOOKS})\b)[^.,\n]{{0,60}},[ ]*(\w)", re.IGNORECASE
    ), _upper_after),
    Step("self", re.compile(r"\bas an? (?:ai|artificial|large language|language)\b[^.,\n]{0,60},[ ]*(\w)", re.IGNORECASE),
         _upper_after),
    Step("self", re.compile(
        rf"(?:(?<=[.!?] )|^)the (?:(?:{_GIVEN} )?{_SOURCES}) (?:show|say|state|suggest|indicate|mention|note|confirm)s? that (\w)",
        re.MULTILINE | re.IGNORECASE,
    ), _upper_after),
    Step("references", re.compile(
        r"^[ ]*(?:references|sources|citations|bibliography)[ ]*:?[ ]*\n"
        r"(?:[ ]*(?:\[[^\]\n]{1,12}\]|\d{1,3}\. |- ).*(?:\n|\Z)|[ ]*\n)+",
        re.IGNORECASE | re.MULTILINE,
    )),
    Step("citation", re.compile(r"!?\[(\[?[^\[\]\n]{0,120}\]?)\]\((?:https?:|www\.|#|/)[^()\s]*\)"), r"\1"),
    Step("citation", re.compile(r"[ ]*【[^】\n]{0,60}】")),
    Step("citation", re.compile(rf"[ ]*(?:\[{ID}(?:[ ]*(?:[,;→]|->?)[ ]*{ID})*\])+")),
    Step("citation", re.compile(r"[ ]*\{\d{1,2}(?:[,;-] ?\d{1,2})*\}")),
    Step("citation", re.compile(r"[ ]*\((?:[Ss]ources?: [^()\n]{1,200}|[Ss]ee \[\d{1,3}\])\)")),
    Step("citation", re.compile(rf"[ ]*\((?:{BOOKS})\)")),
    Step("citation", re.compile(r"[ ]*[(\[][A-Z][\w'-]+(?: [A-Z][\w'-]+)? et al\.?,? ?\(?(?:19|20)\d\d[a-z]?\)?[)\]]")),
    Step("citation", re.compile(r"[ ]*[(\[]?\bPMC?ID:? ?(?:PMC)?\d{4,9}(?:[;,] ?(?:PMC?ID:? ?)?(?:PMC)?\d{3,9})*[)\]]?")),
    Step("citation", re.compile(r"[ ]*[(\[]?(?:https?://(?:dx\.)?doi\.org/|\bdoi: ?)10\.\d{4,9}/[^\s)\]]*[\w/][)\]]?", re.IGNORECASE)),
    Step("citation", re.compile(r"[ ]*[(\[](?:(?:CUI|UMLS)[: ] ?)?C\d{7}[)\]]")),
    Step("citation", re.compile(r"(?:https?://|\bwww\.)[^\s<>()\[\]\"]*[\w/]"), "(web address)"),
    Step("citation", re.compile(r"\b[\w-]+(?:\.[\w-]+)*\.(?:md|pdf|txt|jsonl?|csv|tsv|html?|docx?|xml)\b", re.IGNORECASE), "(file)"),
    # after a word or a stop only: m² and 10² are units and numbers
    Step("citation", re.compile(r"(?:(?<=[A-Za-z]{4})|(?<=[.,;:!?)]))[¹²³⁴⁵⁶⁷⁸⁹⁰]+(?:[,⁻][¹²³⁴⁵⁶⁷⁸⁹⁰]+)*")),
    Step("layout", re.compile(r"\[[ ]*team to complete[ ]*:?[ ]*([^\]\n]*)\]", re.IGNORECASE), r"(to be completed: \1)"),
    Step("layout", re.compile(r"[ ]*\[[ ]*possible[ ]*:[ ]*confirm[ ]*\]", re.IGNORECASE), " (possible)"),
    Step("self", _sentence(rf"(?:please )?(?:note that |remember that )?I(?: am|'m) (?:just |only )?an? {_SELF_NOUN}\b")),
    Step("self", _sentence(
        rf"(?:please )?(?:note that |note: )?(?:this|the) {_TEXT} (?:was|is|has been) (?:automatically |auto-?)?(?:generated|written|"
        rf"produced|created|drafted) (?:automatically\b|(?:by|using|with) (?:an? |the )?(?:\w+ )?{_SELF_NOUN}\b)"
    )),
    Step("self", _sentence(r"(?:note: ?)?this is (?:only )?an? (?:[\w-]+ )?draft\b")),
    Step("self", _sentence(r"I hope (?:this|that|it) (?:helps|is helpful)")),
    Step("self", _sentence(r"(?:please )?(?:feel free to |do not hesitate to )?let me know (?:if|whether)")),
    Step("self", _sentence(r"is there anything else I can")),
    Step("self", re.compile(r"^[ ]*disclaimer[ ]*:.*$", re.IGNORECASE | re.MULTILINE)),
    Step("self", re.compile(
        rf"^[ ]*(?:(?:sure|certainly|of course|absolutely|okay)[!,.:] ?)?(?:here(?:'s| is| are)|below (?:is|are)) "
        rf"(?:the|a|an|your|my) {_ASKED}\b[^\n:]{{0,80}}:[ ]*$", re.IGNORECASE | re.MULTILINE
    )),
    Step("self", re.compile(r"^[ ]*(?:sure|certainly|of course|absolutely)!(?=[ \n]|$)[ ]*", re.IGNORECASE | re.MULTILINE)),
    Step("self", re.compile(r"^[ ]*(?:final )?(?:answer|response|output)[ ]*:[ ]*(?=\S)", re.IGNORECASE | re.MULTILINE)),
)  # fmt: skip
BULLET = re.compile(r"^[ ]*(?:[-*•·●◦‣▪►▶▸➢➤◆■→⇒⁃]|\u2013)[ ]+", re.MULTILINE)
NUMBERED = re.compile(r"^[ ]*\(?(\d{1,2})[.)][ ]+", re.MULTILINE)
LETTERED = re.compile(r"^[ ]*\(?([a-h])\)[ ]+", re.MULTILINE)
