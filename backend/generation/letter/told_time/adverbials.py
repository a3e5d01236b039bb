"""Times that a note tells from its own day ("yesterday", "3 days ago"), told from the visit to a patient who reads them later.

The rows of assets/rules/letter/visit_times.tsv, each with an example that is read when they are.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules import RULES, rule_rows

SEEN, CAME = "{who} {be} seen", "{who} came"
"""What a time is told from; the second where a sentence says already that the patient was seen."""
_LEFT_OUT, _NOT_TOLD, _KEPT = "-", "!", "as written"
_PAST = "past:"
_NUMBER = (
    r"(?:\d+(?:\.\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|few|several|couple|many|some)"
)
_WORDS = {
    "n": rf"(?:an? )?{_NUMBER}(?: ?(?:-|–|to|or) ?{_NUMBER})?(?: of)?",
    "unit": r"(?:minute|hour|day|night|week|month)s?(?: or (?:so|two))?(?! of\b)",
    "part": r"(?:morning|afternoon|evening|night)",
    "weekday": r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?! (?:the )?\d|, (?-i:[A-Z])|s)",
    "visit": r"(?:visit|appointment|examination|exam|evaluation|conversation|consultation)",
    "came": r"(?:came|come|comes|here|seen|return|returned|returns|brought|referred|admitted|transferred|presents|presented)",
    "words": r"(?: [\w'’/-]+){0,6}?",
}
_SLOT = re.compile(r"\{(\w+)\}")
_QUOTED = re.compile(r"[\"“][^\"“”]*[\"”]")
_SEEN_ALREADY = re.compile(r"\b(?:you were|your child was) seen\b", re.IGNORECASE)
_LEADS_ON = re.compile(r"\b(?:since|until|till|before|after|from|of|by|for|to) $", re.IGNORECASE)
"""What stands before "on the morning" and leaves out its "on"."""
_TWO_ANCHORS = re.compile(
    r" before (?:you were seen|your child was seen|you came|your child came)(?=,? (?:about |around |approximately |more than |over |less than )?[\w-]+ (?:hour|day|night|week|month)s? before (?:you were seen|your child was seen|you came|your child came))"
)
"""The first of two times that say the same: "on the Monday before you were seen, two days before you were seen"."""
_TWICE = re.compile(r"\b(the|a|an|in|on|of|for|to|at) \1\b", re.IGNORECASE)
_SPARE = re.compile(r"(?<=\()\s+|,(?=\s*[,.;])|^\s*,\s*|(?<=\s)\s+|\s+(?=[,.;])")


class Timed(NamedTuple):
    """A text told from the visit. moved: it has a time before or after the visit; of_then: it spoke of the note's own moment."""

    text: str
    moved: bool
    of_then: bool


class _Row(NamedTuple):
    pattern: re.Pattern[str]
    told: str
    happened: bool


def from_visit(text: str, *, decided: bool, child: bool = False) -> Timed | None:
    """A text with its times told from the visit; None where one of them cannot be.

    Args:
        text: to the patient; what it quotes stays.
        decided: it tells what is to be done, in which a weekday is one to come.
        child: the letter is to the parents.
    """
    anchor = _anchor(CAME if _SEEN_ALREADY.search(text) else SEEN, child=child)
    moved = of_then = False
    told, at = "", 0
    for quoted in (*_QUOTED.finditer(text), None):
        end = len(text) if quoted is None else quoted.start()
        while (found := _first(text, at, end, decided=decided)) is not None:
            match, row = found
            if row.told == _NOT_TOLD:
                return None
            said = match[0] if row.told == _KEPT else "" if row.told == _LEFT_OUT else _filled(row.told, match, anchor)
            if said.startswith("on the ") and _LEADS_ON.search(text, 0, match.start()):
                said = said.removeprefix("on ")
            if said and said.lower() in told.lower():
                said = ""  # "last night" a second time
            moved, of_then = moved or anchor in said, of_then or row.told == _LEFT_OUT
            told, at = f"{told}{text[at : match.start()]}{_as_begun(match, said)}", match.end()
        told, at = f"{told}{text[at:end]}{'' if quoted is None else quoted[0]}", end if quoted is None else quoted.end()
    if moved or of_then:
        told = _TWICE.sub(r"\1", _TWO_ANCHORS.sub("", _SPARE.sub("", told))).strip()
        told += text[-1] if text[-1:] == "." != told[-1:] else ""  # "this a.m."
    return Timed(told[:1].upper() + told[1:] if text[:1].isupper() else told, moved, of_then)


def _anchor(form: str, *, child: bool) -> str:
    return form.format(who="your child" if child else "you", be="was" if child else "were")


def _first(text: str, at: int, end: int, *, decided: bool) -> tuple[re.Match[str], _Row] | None:
    """The first place that a row fits, and of its rows the first."""
    rows = (row for row in _rows() if not (row.happened and decided))
    found = [(match, row) for row in rows if (match := row.pattern.search(text, at, end)) is not None]
    return min(found, key=lambda one: one[0].start(), default=None)


def _as_begun(match: re.Match[str], said: str) -> str:
    return said[:1].upper() + said[1:] if match[0][:1].isupper() else said


def _filled(told: str, match: re.Match[str], anchor: str) -> str:
    """The told words with what the note has in their places."""
    given = match.groupdict()
    return _SLOT.sub(lambda slot: anchor if slot[1] == "anchor" else (given[slot[1]] or ""), told)


@lru_cache(maxsize=1)
def _rows() -> tuple[_Row, ...]:
    """The rows in their order.

    Raises:
        KnowledgeError: an example is not told as its row says.
    """
    table = rule_rows(RULES / "letter" / "visit_times.tsv", 4)
    rows = tuple(_row(written, told) for written, told, _, _ in table)
    for (written, _, example, shown), row in zip(table, rows, strict=True):
        match = row.pattern.search(example)
        said = (
            ""
            if match is None or row.told in (_LEFT_OUT, _NOT_TOLD)
            else _filled(row.told, match, _anchor(SEEN, child=False))
        )
        said = match[0] if match is not None and row.told == _KEPT else said
        whole = "" if match is None else _SPARE.sub("", f"{example[: match.start()]}{said}{example[match.end() :]}")
        if match is None or shown not in (_NOT_TOLD, whole) or (shown == _NOT_TOLD) != (row.told == _NOT_TOLD):
            raise KnowledgeError(f"visit_times.tsv: '{written}' tells '{example}' as '{whole}', not as '{shown}'.")
    return rows


def _row(written: str, told: str) -> _Row:
    """One row; a choice in brackets that the told words repeat is one of their places."""
    happened = written.startswith(_PAST)
    written = written.removeprefix(_PAST)
    for number, choice in enumerate(re.findall(r"\((?![^)]*\()[^()]*\)", told)):
        told = told.replace(choice, f"{{choice{number}}}", 1)
        written = written.replace(choice, f"(?P<choice{number}>{choice[1:-1]})", 1)
    pattern = _SLOT.sub(lambda slot: f"(?P<{slot[1]}>{_WORDS[slot[1]]})", written)
    return _Row(re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE), told, happened)
