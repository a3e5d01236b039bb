"""What an examination found, as one plain sentence ("The doctor found swelling of both legs and a heart murmur.").

Only signs of assets/rules/letter/exam_findings.tsv are told, where the record has them as the patient's and of now; a place is one of
assets/rules/letter/exam_places.tsv, named beside the sign or by the heading it stands under.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from backend.generation.letter.plain_language.letter_words import lists
from backend.nlp.attributes.seam import AttributesOf
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import Experiencer, PatientRecord, ProblemStatement, VerificationStatus
from backend.schemas.vocabulary import SectionCategory

_NEAR = 45
"""Code points behind a sign within which its place stands."""
_LABEL = re.compile(r"(?:^|[.\n]\s*)([A-Za-z]+(?:[ ,/&]+[A-Za-z]+){0,4})\s?:(?=\s)")
_BEHIND = re.compile(
    r"\s*(?:to (?:palpation|touch)|on palpation)?\s*(?:in|of|on|over|at|across)?\s*(?:the|his|her)?\s*"
    r"(?P<side>left|right|both|bilateral)?\s*",
    re.IGNORECASE,
)
_BOTH = re.compile(r"^[\w\s,+/]{0,18}\bbilaterally\b", re.IGNORECASE)

_ELSEWHERE = re.compile(r"\b(?:of|over|in|on|along|around|at|across) (?:the|his|her|both|left|right)\b", re.IGNORECASE)
"""A place that has no row."""


class Sign(NamedTuple):
    """A sign in plain words, where it stands, and its statement. measure: words of a measured value that tells the same; empty for none."""

    text: str
    kind: str
    measure: str
    span: tuple[int, int]
    statement: ProblemStatement


class _Place(NamedTuple):
    one: str
    many: str


def signs(record: PatientRecord, note: ParsedNote, attributes_of: AttributesOf) -> tuple[Sign, ...]:
    """The signs of a note's examination in its order, each once.

    Args:
        record: of the note.
        note: parsed; the record's spans index its text.
        attributes_of: the attributes of spans of it.
    """
    found: dict[str, Sign] = {}
    denied = {p.name for p in record.stated_problems if p.verification_status is VerificationStatus.REFUTED}
    seen = [(one, start, end) for one in record.stated_problems for start, end in _in_exam(one, note)]
    for (one, start, end), said in zip(seen, attributes_of([(s, e) for _, s, e in seen]), strict=True):
        row = _rows().get(one.name.lower())
        if row is None or one.name in denied or said.negated or said.hypothetical or said.uncertain or said.historical:
            continue
        if said.experiencer is not Experiencer.PATIENT or _is_turned(note, start, end):
            continue
        told, unless, measure, kind = row
        if not unless.isdisjoint(re.findall(r"[a-z]+", note.text[start:end].lower())):
            continue
        place = _place(note, start, end) if "{place}" in told else ""
        text = told.format(place=place)
        if "{place}" not in told or place:
            found.setdefault(text, Sign(text, kind, measure, (start, end), one))
    return tuple(sorted(found.values(), key=lambda sign: sign.span))


def _in_exam(one: ProblemStatement, note: ParsedNote) -> Iterator[tuple[int, int]]:
    """Yield where an examination names a problem of the patient."""
    if one.verification_status is not VerificationStatus.CONFIRMED or one.experiencer is not Experiencer.PATIENT:
        return
    for span in one.spans:
        section = None if span.note_id else note.section_at(span.start_char)
        if section is not None and section.category is SectionCategory.PHYSICAL_EXAM:
            yield span.start_char, span.end_char


def _is_turned(note: ParsedNote, start: int, end: int) -> bool:
    """Whether a word of its clause denies it, or says that it is over."""
    at = note.clause_at(start)
    clause = note.clauses[at] if at is not None else None
    if clause is None:
        return True
    low = set(
        re.findall(
            r"[a-z']+",
            f"{note.text[clause.start_char : start]} {note.text[end : end + _NEAR].partition('.')[0]}".lower(),
        )
    )
    return not low.isdisjoint(lists()["negations"] - {"unable"}) or not low.isdisjoint(lists()["not_told_signs"])


def _place(note: ParsedNote, start: int, end: int) -> str:
    """Where a sign is, in plain words; empty where the note does not say it."""
    behind = note.text[end : end + _NEAR].partition(".")[0]
    before = re.split(r"[.;:,\n]", note.text[max(0, start - _NEAR) : start])[-1]
    lead = _BEHIND.match(behind)
    side = (lead["side"] or "") if lead else ""
    both = "both" if _BOTH.match(behind) else ""
    following = behind[lead.end() if lead else 0 :].lower()
    for written, place in _places():
        if re.match(rf"{re.escape(written)}\b", following):
            return _worded(place, side or both)
        at = re.search(
            rf"(?:\b(?P<side>left|right|both|bilateral)\s+)?\b{re.escape(written)}\s+(?:is |was |are |were |pitting |mildly |slightly )*$",
            before.lower(),
        )
        if at is not None:
            return _worded(place, at["side"] or both or ("both" if written == "bipedal" else ""))
    if _ELSEWHERE.search(behind):
        return ""
    section = note.section_at(start)
    labels = [match[1].lower() for match in _LABEL.finditer(note.text, section.start_char if section else 0, start)]
    named = labels[-1] if labels else ""
    return next((_worded(place, both) for written, place in _places() if written == named), "")


def _worded(place: _Place, side: str) -> str:
    low = side.lower()
    if low in ("left", "right"):
        return f"the {low} {place.one}"
    return f"both {place.many}" if low in ("both", "bilateral") and place.one != place.many else f"the {place.many}"


@lru_cache(maxsize=1)
def _rows() -> dict[str, tuple[str, frozenset[str], str, str]]:
    """By the name of a problem what is told of it, the words with which it is not, of what measure it is, and its kind."""
    rows = rule_rows(RULES / "letter" / "exam_findings.tsv", 5)
    return {
        name.lower(): (told, frozenset(unless.split()), measure.strip("-"), kind)
        for name, told, unless, measure, kind in rows
    }


@lru_cache(maxsize=1)
def _places() -> tuple[tuple[str, _Place], ...]:
    """Places by how notes write them, the longest first."""
    rows = rule_rows(RULES / "letter" / "exam_places.tsv", 3)
    found = ((word, _Place(one, many)) for written, one, many in rows for word in written.split("|"))
    return tuple(sorted(found, key=lambda item: -len(item[0])))
