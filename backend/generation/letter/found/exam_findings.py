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
    r"\s*(?:to (?:palpation|touch)|on palpation)?\s*(?:and (?:\w+ )?\w+ )?(?:in|of|on|over|at|across)?\s*(?:the|his|her)?\s*"
    r"(?P<side>left|right|both|bilateral)?\s*",
    re.IGNORECASE,
)
_BOTH = re.compile(r"^[\w\s,+/]{0,18}\bbilaterally\b", re.IGNORECASE)

_ELSEWHERE = re.compile(
    r"\b(?:of|over|in|on|along|around|at|across) (?:the|his|her|both|left|right|bilateral)\b", re.IGNORECASE
)
"""A place that has no row."""


class Sign(NamedTuple):
    """A sign in plain words, where it stands, and its statement. measure: words of a measured value that tells the same; empty for none."""

    text: str
    kind: str
    measure: str
    span: tuple[int, int]
    statement: ProblemStatement


_Row = tuple[str, frozenset[str], str, str]
_PLACED = re.compile(r" (?:in|of|over|at) ")


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
    reacted = {note.sentence_at(span.start_char) for one in record.allergies.items for span in one.spans[:1]}
    seen = [(one, start, end) for one in record.stated_problems for start, end in _in_exam(one, note)]
    seen = [one for one in seen if note.sentence_at(one[1]) not in reacted]  # what a medicine did once is no sign
    for (one, start, end), said in zip(seen, attributes_of([(s, e) for _, s, e in seen]), strict=True):
        row = _row(one.name.lower())
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
    after = re.split(r"[.;:]", note.text[end : end + _NEAR])[0]
    low = set(re.findall(r"[a-z']+", f"{note.text[clause.start_char : start]} {after}".lower()))
    return not low.isdisjoint(lists()["negations"] - {"unable"}) or not low.isdisjoint(lists()["not_told_signs"])


def _place(note: ParsedNote, start: int, end: int) -> str:
    """Where a sign is, in plain words: by its own words, those beside it, or the heading; empty where the note does not say it."""
    named = note.text[start:end].lower()
    behind = note.text[end : end + _NEAR].partition(".")[0]
    before = re.split(r"[.;:,\n]", note.text[max(0, start - _NEAR) : start])[-1].lower()
    both = "both" if _BOTH.match(behind) else ""
    lead = _BEHIND.match(behind)
    following = behind[lead.end() :].lower() if lead else ""
    sided_too = behind[lead.start("side") :].lower() if lead and lead["side"] else following
    side = (lead["side"] or "") if lead else ""
    sided = re.search(r"\b(left|right|both|bilateral)\s+$", before)
    for written, place in _places():
        word = re.escape(written)
        own = re.search(rf"(?:\b(left|right|both|bilateral)\s+)?\b{word}\b", named)
        if own is not None:
            return _worded(place, own[1] or (sided[1] if sided and own.start() == 0 else "") or both)
        if re.match(rf"{word}\b", sided_too):
            return _worded(place, side or both if sided_too is following else "")
        if re.match(rf"{word}\b", following):
            return _worded(place, side or both)
        at = re.search(
            rf"(?:\b(left|right|both|bilateral)\s+)?\b{word}\s+(?:(?:is|was|are|were|pitting|mildly|slightly)\s+)*$",
            before,
        )
        if at is not None:
            return _worded(place, at[1] or both or ("both" if written.startswith("bi") else ""))
    return _of_heading(note, start, end, both)


def _of_heading(note: ParsedNote, start: int, end: int, both: str) -> str:
    """The place of the heading that a sign stands under; empty where its sentence names another place."""
    at = note.sentence_at(start)
    stop = note.sentences[at].end_char if at is not None else end
    section = note.section_at(start)
    labels = list(_LABEL.finditer(note.text, section.start_char if section else 0, start))
    if not labels:
        return ""
    begin = max(labels[-1].end(), note.sentences[at].start_char if at is not None else 0)
    sentence = f"{note.text[begin:start]} {note.text[end:stop]}".lower()
    if _ELSEWHERE.search(note.text[end:stop]) or any(
        re.search(rf"\b{re.escape(one)}\b", sentence) for one, _ in _places()
    ):
        return ""
    return next((_worded(place, both) for written, place in _places() if written == labels[-1][1].lower()), "")


def _worded(place: _Place, side: str) -> str:
    low = side.lower()
    if low in ("left", "right"):
        return f"the {low} {place.one}"
    if low in ("both", "bilateral") and " or " in place.many:
        return f"the {place.many} on both sides"  # "extremities" tells not which
    return f"both {place.many}" if low in ("both", "bilateral") and place.one != place.many else f"the {place.many}"


def plain_signs() -> dict[str, str]:
    """What is told of a sign, by the name of the problem, in lower case: signs that need no place, without what explains them."""
    return {name: told.partition(" (")[0] for name, (told, *_) in _rows().items() if "{place}" not in told}


def _row(name: str) -> _Row | None:
    """The row of a name, or of what it ends with ("one-sided leg swelling") or of a place ("tenderness in the groin")."""
    rows = _rows()
    longest = sorted(rows, key=len, reverse=True)
    of_place = (key for key in longest if _PLACED.match(name.removeprefix(key)) and name.startswith(key))
    key = name if name in rows else next((key for key in longest if name.endswith(f" {key}")), next(of_place, ""))
    return rows.get(key)


@lru_cache(maxsize=1)
def _rows() -> dict[str, _Row]:
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
