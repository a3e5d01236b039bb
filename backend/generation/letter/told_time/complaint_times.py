"""How long a complaint has lasted, where the telegram of a history begins with it: "3/7 hx of sore ear" is a sore ear for 3 days.

The rows of assets/rules/letter/complaint_times.tsv, each with an example that is read when they are.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.verb_forms import with_you
from backend.nlp.rules import RULES, rule_rows

_NUMBER = r"(?:\d+(?:\.\d+)?(?:\s?[-–]\s?\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|few|a few)"
_SLOTS = {
    "n": rf"(?P<n>{_NUMBER})",
    "unit": r"(?P<unit>hour|hr|day|week|wk|month|mth|year|yr)s?",
    "who": r"(?:(?:(?:the )?(?:pt|patient|he|she) )?(?:c/o|complain(?:s|ed|ing) of|presents? with|presented with|presenting with|with|has|reports) (?:an? )?)",
    "hx": r"(?P<hx>\s*(?:hx|h/o|hist|history)\b(?: of)?)",
}
_UNITS = {"hr": "hour", "wk": "week", "mth": "month", "yr": "year"}
_NONE = "-"
_END_OF_NAME = re.compile(
    r"\s[-–]\s|[,;(]|\.(?:\s|$)| (?=which|that|with|since|after|when|but|and (?:has|is|had|was))|$"
)
"""Where what lasts is named, and more is said of it."""
_PART = re.compile(r"(?:,|\s?-) (?P<verb>[a-z]+)\b")
_STROKE = re.compile(r"(?<=[a-z])\s?/\s?(?=[a-z])")
_DASHED = re.compile(r"(?<=[a-z])- (?=[a-z])|\s-\s(?=[a-z])")
_TIMED = re.compile(r"\b(?:for|since|ago|over the)\b", re.IGNORECASE)


class TimeLead(NamedTuple):
    """The beginning of a telegram that tells how long. length: code points up to what lasts; told: the time, empty for none."""

    length: int
    told: str


def time_lead(text: str, *, periods: bool, opens: bool) -> TimeLead | None:
    """How a telegram begins with the time of what it tells; None for one that does not.

    Args:
        text: of the note.
        periods: the note means three days by "3/7", also where no word for a history follows.
        opens: it opens the history, so that "history of" without a time is of what they came for.
    """
    for pattern, told in _rows():
        match = pattern.match(text)
        if match is not None and (match["hx"] or periods) and (opens or told != _NONE):
            return TimeLead(match.end(), "" if told == _NONE else _filled(told, match))
    return None


def with_time(text: str, told: str) -> str:
    """A telegram with how long behind what it names: "sore ear, worse at night" and "3 days" give "sore ear for 3 days, worse at night".

    Args:
        text: of what lasts.
        told: how long; empty for no time.
    """
    if not told:
        return text
    end = _END_OF_NAME.search(text)
    at = end.start() if end is not None else len(text)
    name = text[:at].rstrip()
    return text if _TIMED.search(name) else f"{name} for {told}{text[at:]}"


def whole_complaint(text: str) -> str:
    """A telegram of a complaint whose later parts say what became of it, as clauses: "cough, started last night", "swelling- went down".

    A part behind a dash that tells something else is left out.

    Args:
        text: in plain words.
    """
    verbs_of = lists()["becomes"]

    def joined(match: re.Match[str]) -> str:
        verb = match["verb"].lower()
        several = text[: match.start()].endswith("s")
        return f", which {with_you(verb) if several else verb}" if verb in verbs_of else match[0]

    text = _PART.sub(joined, _STROKE.sub(" or ", text))
    broken = _DASHED.search(text)
    return text if broken is None else text[: broken.start()]


def _filled(told: str, match: re.Match[str]) -> str:
    number, given = match["n"], match.groupdict().get("unit")
    unit = told.rpartition(" ")[2] if given is None else _UNITS.get(given.lower(), given.lower())
    unit = unit.removesuffix("s")
    return f"{number.lower()} {unit if number.lower() in ('1', 'a', 'an', 'one') else f'{unit}s'}"


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The rows in their order.

    Raises:
        KnowledgeError: an example is not told as its row says.
    """
    found: list[tuple[re.Pattern[str], str]] = []
    for written, told, example, shown in rule_rows(RULES / "letter" / "complaint_times.tsv", 4):
        for name, pattern in _SLOTS.items():
            written = written.replace(f"{{{name}}}", pattern)
        compiled = re.compile(
            rf"(?:{written})\s*(?=[A-Za-z])(?!(?:ago|later|prior|before|after|since|post)\b)", re.IGNORECASE
        )
        match = compiled.match(example)
        if match is None or with_time(example[match.end() :], "" if told == _NONE else _filled(told, match)) != shown:
            raise KnowledgeError(f"complaint_times.tsv: '{written}' does not tell '{example}' as '{shown}'.")
        found.append((compiled, told))
    return tuple(found)
