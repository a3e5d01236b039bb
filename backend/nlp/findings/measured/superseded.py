"""Values of a note that a newer one of the same measure supersedes: "K 6.1 (hemolysed). Repeat K 4.4" leaves no high potassium.

Takes a parsed note and its mentions; gives where the findings of superseded values stand. A finding that the newest value tells as well
is superseded by none; one that the note names in words is for its words to end. Which findings a newer value ends, says
assets/rules/findings/ended_by_value.txt.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.measured.observations import Measured, all_measured
from backend.nlp.findings.measured.value_rows import FAMILY
from backend.nlp.findings.measured.value_times import newness
from backend.nlp.rules import RULES, rule_names
from backend.schemas.drafts.note import Mention

_NUMBER = re.compile(r"\d")


def superseded(note: ParsedNote, mentions: Sequence[Mention]) -> frozenset[int]:
    """The first characters of mentions of values that are no longer so."""
    own = [one for one in mentions if _NUMBER.search(one.text) and one.name in _ended_by_value()]
    if not own:
        return frozenset()
    series: dict[str, list[Measured]] = {}
    for value in note.once(all_measured):
        series.setdefault(value.measure, []).append(value)
    newest = {measure: _newest(values) for measure, values in series.items()}
    of = {one.start_char: measure for one in own if (measure := _measure(note, one)) in newest}
    told = {one.concept_id for one in own if one.start_char in of and _holds(newest[of[one.start_char]], one)}
    return frozenset(
        one.start_char
        for one in own
        if one.start_char in of and not _holds(newest[of[one.start_char]], one) and one.concept_id not in told
    )


def _measure(note: ParsedNote, mention: Mention) -> str:
    """The measure whose name stands last before a value in its sentence; empty for none."""
    at = note.sentence_at(mention.start_char)
    if at is None:
        return ""
    last, _ = note.token_range(_number(mention), len(note.text))
    found = note.triggers_within(FAMILY, note.sentences[at].first, last)
    return found[-1].row.event if found else ""


def _holds(value: Measured, mention: Mention) -> bool:
    return value.start_char <= _number(mention) < value.end_char


def _number(mention: Mention) -> int:
    """Where the number of a mention begins: of "EF 30%" the 30."""
    found = _NUMBER.search(mention.text)
    return mention.start_char + (found.start() if found else 0)


def _newest(values: Sequence[Measured]) -> Measured:
    """The last of which nothing says that it is of another time; else the last of the stay's beginning, else the one of the latest time."""
    now = [one for one in values if not one.date]
    later = [one for one in now if not one.first] or now
    if later:
        return later[-1]
    keys = newness([one.date for one in values])
    return values[max(range(len(values)), key=lambda i: (keys[i], i))]


@lru_cache(maxsize=1)
def _ended_by_value() -> frozenset[str]:
    return frozenset(rule_names(RULES / "findings" / "ended_by_value.txt"))
