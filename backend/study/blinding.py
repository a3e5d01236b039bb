"""The rule that takes tells out of every text a rater sees. One rule, the same for all arms; the original is kept.

In this order: (1) white space, quotation marks, dashes and bullets become plain; (2) Markdown marks go; (3) citation
markers and reference lists at the end go; (4) lines that are a known heading go, but for the four parts of a SOAP note;
(5) marks of one program's layout become neutral words; (6) words in which a program speaks of itself or of
its sources go ('according to the retrieved documents,'); (7) names go: of the study's systems, generators and arms, of well-known models, and what the coordinator adds.

It knows words, not style: length, order and manner stay, and `tells` warns of some of them.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

RULE = "leapnote-blinding/1"
NAME_GONE = "[…]"

PLAIN = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "\u00a0": " ", "\t": " ", "\u200b": ""}
)
BULLET = re.compile(r"^[ ]*(?:[-*•·●◦‣▪]|\u2013)[ ]+", re.MULTILINE)
NUMBERED = re.compile(r"^[ ]*(\d{1,2})[.)][ ]+", re.MULTILINE)
HEADING_MARK = re.compile(r"^[ ]{0,3}#{1,6}[ ]+(.*?)[ ]*#*$", re.MULTILINE)
EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
ITALIC = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])")
RULER = re.compile(r"^[ ]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ ]*$", re.MULTILINE)
NUMBER = r"\^?[1-5]?\d"  # 0 to 59: a longer number in brackets is a value, not a reference
ID = rf"(?:[KGPN]\d{{1,3}}|[Dd]oc(?:ument)?\.? ?\d{{1,3}}|[Ss]ource ?\d{{1,3}}|[Pp]assage ?\d{{1,3}}|{NUMBER})"
CITATION = re.compile(rf"[ ]*(?:\[{ID}(?:[ ]*[,;-][ ]*{ID})*\])+")
ROUND = re.compile(r"[ ]*\((?:[Ss]ources?: [^()\n]{1,200}|[Ss]ee \[\d{1,3}\])\)")
# after a word or a stop only: m² and 10² are units and numbers
SUPERSCRIPT = re.compile(r"(?:(?<=[A-Za-z]{4})|(?<=[.,;:!?)]))[¹²³⁴⁵⁶⁷⁸⁹⁰]+(?:[,⁻][¹²³⁴⁵⁶⁷⁸⁹⁰]+)*")
REFERENCES = re.compile(
    r"^[ ]*(?:references|sources|citations|bibliography)[ ]*:?[ ]*\n"
    r"(?:[ ]*(?:\[[^\]\n]{1,12}\]|\d{1,3}\. |- ).*(?:\n|\Z)|[ ]*\n)+",
    re.IGNORECASE | re.MULTILINE,
)
GAP = re.compile(r"\[[ ]*team to complete[ ]*:?[ ]*([^\]\n]*)\]", re.IGNORECASE)
POSSIBLE = re.compile(r"[ ]*\[[ ]*possible[ ]*:[ ]*confirm[ ]*\]", re.IGNORECASE)
LEAD_IN = re.compile(
    r"(?:\b(?:according to|based on|as (?:stated|noted|described|mentioned|shown) in|per) (?:the )?"
    r"(?:retrieved|provided|given|supplied|reasoning|knowledge)\b[^.,\n]{0,60},[ ]*|"
    r"\bas an? (?:ai|artificial|large language|language)\b[^.,\n]{0,60},[ ]*)(\w)",
    re.IGNORECASE,
)
SELF = re.compile(
    r"(?:(?<=[.!?] )|^)I(?: am|'m) an? (?:AI|artificial|large language|language model)[^.!?\n]*[.!?]?[ ]*", re.MULTILINE
)
MODELS = (
    "ChatGPT", "GPT-3.5", "GPT-4", "GPT-4o", "GPT-5", "OpenAI", "Anthropic", "Llama", "Mistral",
    "Mixtral", "Qwen", "DeepSeek", "Gemma", "BioMistral", "Meditron", "MedGemma", "Leapnote", "ReinRAG", "RAR2",
    "CLI-RAG", "Omni-RAG", "ClinicalRAG", "DR.KNOWS", "Reflexion", "SeRTS", "Query2Doc",
)  # fmt: skip
NO_NAMES = ("http", "https", "vllm", "openai", "auto", "transformers")
HEADINGS = (
    "discharge instructions", "instructions", "summary", "overview", "introduction", "conclusion", "answer",
    "final answer", "explanation", "reasoning", "rationale", "thought", "thoughts", "evidence", "output", "response",
    "draft", "note", "progress note", "soap note", "clinical answer", "disclaimer", "key points", "notes",
)  # fmt: skip
SOAP = {"s": "Subjective", "o": "Objective", "a": "Assessment", "p": "Plan"}
SOAP_NAMES = {name.lower(): name for name in SOAP.values()}


class Tells(NamedTuple):
    """What to take out besides what the rule knows: names, and headings."""

    names: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()


class Blinded(NamedTuple):
    """removed counts by kind what was taken out or made plain."""

    text: str
    removed: dict[str, int]


NO_TELLS = Tells()
MOST_ROUNDS = 50  # each round takes something away, so few are needed; marks within marks need a second


def blinded(text: str, tells: Tells = NO_TELLS) -> Blinded:
    """The text without tells. Blinding it again changes nothing: the rule is run until nothing is left to it."""
    count: Counter[str] = Counter()
    for _ in range(MOST_ROUNDS):
        if (changed := _once(text, tells, count)) == text:
            break
        text = changed
    return Blinded(text, {kind: times for kind, times in sorted(count.items()) if times})


def names_of(values: Iterable[str | None]) -> tuple[str, ...]:
    """The names worth removing in arm, system and generator names: whole, and the model within 'vllm:maker/model'.

    One or two characters are no name: 'A' and 'B' stand in every text.
    """
    found: list[str] = []
    for value in values:
        if value and (whole := value.strip()):
            found.append(whole)
            found += [part for part in re.split(r"[:#/]+", whole) if not part.replace(".", "").isdigit()]
    kept = {name for name in found if len(name) > 2 and name.lower() not in NO_NAMES}
    return tuple(sorted(kept, key=lambda name: (-len(name), name)))


def name_pattern(name: str) -> re.Pattern[str]:
    """The name as a word of its own, in any case, with any of space, hyphen or underscore between its parts."""
    parts = [re.escape(part) for part in re.split(r"[\s_-]+", name) if part]
    return re.compile(rf"(?<!\w){'[ _-]*'.join(parts)}(?!\w)", re.IGNORECASE)


def _once(text: str, tells: Tells, count: Counter[str]) -> str:
    """The rule once. count: what was taken out is added to it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(PLAIN)
    text = BULLET.sub("- ", text)
    text = NUMBERED.sub(r"\1. ", text)
    for kind, pattern, becomes in (
        ("mark_up", RULER, ""),
        ("mark_up", HEADING_MARK, r"\1"),
        ("mark_up", EMPHASIS, r"\2"),
        ("mark_up", ITALIC, r"\1"),
        ("references", REFERENCES, ""),
        ("citation", CITATION, ""),
        ("citation", ROUND, ""),
        ("citation", SUPERSCRIPT, ""),
        ("layout", GAP, r"(to be completed: \1)"),
        ("layout", POSSIBLE, " (possible)"),
        ("self", SELF, ""),
    ):
        text, times = pattern.subn(becomes, text)
        count[kind] += times
    text, times = LEAD_IN.subn(lambda found: found[1].upper(), text)
    count["self"] += times
    text, times = _without_headings(text, tells.headings)
    count["heading"] += times
    text, times = _without_names(text, tells.names)
    count["name"] += times
    return _tidy(text)


def _without_names(text: str, names: tuple[str, ...]) -> tuple[str, int]:
    total = 0
    for name in sorted({*names, *MODELS}, key=lambda n: (-len(n), n)):
        text, times = name_pattern(name).subn(NAME_GONE, text)
        total += times
    return text, total


def _without_headings(text: str, headings: tuple[str, ...]) -> tuple[str, int]:
    known = {_folded(heading) for heading in (*HEADINGS, *headings)} - set(SOAP_NAMES)
    lines, gone = [], 0
    for line in text.split("\n"):
        folded = _folded(line)
        if folded in SOAP_NAMES or (folded in SOAP and line.strip().endswith(":")):
            lines.append(SOAP_NAMES.get(folded) or SOAP[folded])
        elif folded and folded in known:
            lines.append("")
            gone += 1
        else:
            lines.append(line)
    return "\n".join(lines), gone


def _folded(line: str) -> str:
    return " ".join(line.strip().strip(":.").lower().split())


def _tidy(text: str) -> str:
    text = re.sub(r"[ ]{2,}", " ", text)
    text = re.sub(r"[ ]+([.,;:!?])", r"\1", text)
    text = re.sub(r"[ ]*\n[ ]*", "\n", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()
