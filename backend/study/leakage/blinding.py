"""The blinding rule: what is taken out of every text a rater sees. It is the same for all arms; the original is kept.

In this order: (1) white space, quotation marks, dashes and bullets become plain; (2) the patterns of `leak_patterns` run:
mark-up, words in which a program speaks of itself or of its sources ('according to the retrieved documents,'), citation
markers and reference lists, marks of one program's layout; (3) lines that are a known heading go, but for the four parts
of a SOAP note; (4) names go: of the study's systems, generators and arms, of well-known models, and what the coordinator adds.

It knows words, not style: length, order and manner stay, and `style_leaks` warns of some of them.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from backend.registry import ENGINES, WRITERS
from backend.study.leakage.leak_patterns import BULLET, LETTERED, MODELS, NUMBERED, PLAIN, STEPS, VERSIONED

RULE = "leapnote-blinding/2"
NAME_GONE = "[…]"

URL_WORDS = frozenset({"http", "https"})
HEADINGS = (
    "discharge instructions", "instructions", "summary", "overview", "introduction", "conclusion", "answer",
    "final answer", "explanation", "reasoning", "rationale", "thought", "thoughts", "evidence", "output", "response",
    "draft", "note", "progress note", "soap note", "clinical answer", "disclaimer", "key points", "notes",
)  # fmt: skip
SOAP = {"s": "Subjective", "o": "Objective", "a": "Assessment", "p": "Plan"}
SOAP_NAMES = {name.lower(): name for name in SOAP.values()}


class BlindingTerms(NamedTuple):
    """What to take out besides what the rule knows: names, and headings."""

    names: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()


class Blinded(NamedTuple):
    """removed counts by kind what was taken out or made plain."""

    text: str
    removed: dict[str, int]


NO_TERMS = BlindingTerms()
MOST_ROUNDS = 50  # each round takes something away, so few are needed; marks within marks need a second


def blinded(text: str, terms: BlindingTerms = NO_TERMS) -> Blinded:
    """The text after the rule. Blinding it again changes nothing: the rule is run until nothing is left to it."""
    count: Counter[str] = Counter()
    for _ in range(MOST_ROUNDS):
        if (changed := _once(text, terms, count)) == text:
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
    # the kinds of engines are ordinary words or none; a writer has a name of its own
    no_names = URL_WORDS.union(ENGINES.names()) - set(WRITERS.names())
    kept = {name for name in found if len(name) > 2 and name.lower() not in no_names}
    return tuple(sorted(kept, key=lambda name: (-len(name), name)))


def name_pattern(name: str) -> re.Pattern[str]:
    """The name as a word of its own, in any case, with any of space, hyphen or underscore between its parts."""
    parts = [re.escape(part) for part in re.split(r"[\s_-]+", name) if part]
    return re.compile(rf"(?<!\w){'[ _-]*'.join(parts)}(?!\w)", re.IGNORECASE)


def _once(text: str, terms: BlindingTerms, count: Counter[str]) -> str:
    """The rule once. count: what was taken out is added to it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(PLAIN)
    text = BULLET.sub("- ", text)
    text = LETTERED.sub(r"\1. ", NUMBERED.sub(r"\1. ", text))
    for step in STEPS:
        text, times = step.pattern.subn(step.becomes, text)
        count[step.kind] += times
    text, times = _without_headings(text, terms.headings)
    count["heading"] += times
    text, times = _without_names(text, terms.names)
    count["name"] += times
    return _tidy(text)


def _without_names(text: str, names: tuple[str, ...]) -> tuple[str, int]:
    text, total = VERSIONED.subn(NAME_GONE, text)
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
