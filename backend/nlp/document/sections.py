"""Cuts a note into sections, with exact offsets.

Headers stand in four guises: on a line of their own, at the start of a line, inside run-on dictation ("... pain. ALLERGIES:
None. ..."), and as Markdown.

What looks like a header but is running text must not end a section, so an ordinary label ("Plan:", "Labs:") opens one
only in the style in which the note writes its other headers, and labels inside a section ("Onset:", "HEENT:") never do.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from backend.nlp.document.allergy_section_end import allergies_end, is_regimen, rows_end
from backend.nlp.document.header_candidate import Candidate, Case, Place
from backend.nlp.document.header_candidates import candidates
from backend.nlp.document.headers import Kind, heads_reactions
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.drafts.note import Section
from backend.schemas.vocabulary import SectionCategory

Found = list[Candidate]
_HOLDS_NO_VITALS = frozenset(
    (
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.FAMILY_HISTORY,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.MEDICATIONS,
        SectionCategory.IMMUNIZATIONS,
    )
)
_SIGN = r"(?:T|Tm|Temp(?:erature)?|BP|B/P|HR|Pulse|P|RR|R|Resp|SpO2|O2 ?sats?|Sats?|Weight)"
_VITALS = re.compile(
    rf"\n[^\S\n]*(?=(?:(?:VS|Vitals?(?: signs)?|Obs|O/?E|PE|O|Exam(?:ination)?|On exam(?:ination)?)\b\s*[:,-]?\s*)?{_SIGN}\s*[:=]?\s*\d[\d./]*[^\S\n]*(?:\u00b0?[CF]\b|%|/min|mmHg|RA)?[,;]?\s+{_SIGN}\s*[:=]?\s*\d)"
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


def sections(text: str) -> tuple[Section, ...]:
    """The sections of a note, in order, without overlap, together covering the whole text; none for an empty text.

    Text before the first header, or without any, is one section of category `unlabeled` with an empty title.
    """
    if not text:
        return ()
    heads = list(_section_heads(text))
    made = []
    if not heads or heads[0].start > 0:
        end = heads[0].start if heads else len(text)
        made.append(Section(category=SectionCategory.UNLABELED, title="", start_char=0, body_char=0, end_char=end))
    ends = [*(head.start for head in heads[1:]), len(text)]
    for head, following in zip(heads, ends, strict=False):
        listed = head.category is SectionCategory.ALLERGIES and head.body < following
        of_list = rows_end if heads_reactions(text[head.title_start : head.title_end]) else allergies_end
        end = of_list(text, head.body, following) if listed else following
        if head.category in _HOLDS_NO_VITALS and head.body < following:
            end = _history_end(text, head.body, following, head.category, head.title_end)
        made.append(
            Section(
                category=head.category,
                title=text[head.title_start : head.title_end],
                start_char=head.start,
                body_char=min(head.body, end),
                end_char=end,
            )
        )
        if end < following:
            unlabeled = SectionCategory.UNLABELED
            made.append(Section(category=unlabeled, title="", start_char=end, body_char=end, end_char=following))
    return tuple(made)


def _section_heads(text: str) -> Iterator[Candidate]:
    """The candidates that open a section."""
    found = candidates(text)
    style = _Style(text, found)
    current: Candidate | None = None
    for one in found:
        if (current is None or one.start >= current.title_end) and style.opens(text, one, current):
            current = one
            yield one


class _Style:
    """How a note writes its headers, and so which candidates are headers of it."""

    def __init__(self, text: str, found: Found) -> None:
        # Abbreviations are in capitals in any style, so they tell nothing, unless there is nothing else.
        said = [c for c in found if c.kind is Kind.MAIN and c.place is not Place.INSIDE]
        sure = [c for c in said if c.title_end - c.title_start > _ABBREVIATION] or said
        upper = sum(c.case is Case.UPPER for c in sure)
        self.upper = upper > 0 and 2 * upper >= len(sure)
        self.abbreviated = all(c.title_end - c.title_start <= _ABBREVIATION for c in said)
        self.many_upper = self.upper and len({c.category for c in sure if c.case is Case.UPPER}) >= 3
        self.bullets = 2 * sum(_bulleted(text, c) for c in sure) >= len(sure)
        # What the note heads in its own style; the same words in another are text ("Medications: out of Lasix").
        self.proper = {
            c.category
            for c in said
            if (c.case is Case.UPPER if self.many_upper else c.place is not Place.SENTENCE)
            and (self.bullets or not _bulleted(text, c))
        }
        headings = {c.category for c in said if c.place is Place.HEADING}
        self.headed = headings if len(headings) >= _HEADINGS else set()
        inline = sum(c.place is Place.SENTENCE for c in sure)
        self.run_on = inline > 0 and 2 * inline >= len(sure)
        letters = {c.category for c in found if c.kind is Kind.LETTER and c.place is Place.LINE}
        judged = {c.category for c in found if c.place is Place.LINE and c.colon}
        assessed = SectionCategory.PLAN in letters and SectionCategory.ASSESSMENT in judged and len(judged) >= _SECTIONS
        self.letters = len(letters) >= 3 or assessed

    def opens(self, text: str, one: Candidate, current: Candidate | None) -> bool:
        """Whether a candidate opens a section, the one before it being `current`."""
        now = current.category if current else SectionCategory.UNLABELED
        if (
            now is SectionCategory.HISTORY_OF_PRESENT_ILLNESS
            and one.place is Place.LINE
            and one.category in self.headed
        ):
            return False  # "Medications: unclear." on a line of a history, where headers stand on lines of their own
        heading = one.place is Place.HEADING
        if one.place is Place.INSIDE or (current is not None and _deeper(one, current)):
            return False
        if now is SectionCategory.PHYSICAL_EXAM and not heading and one.category in _WITHIN_EXAM:
            return False
        match one.kind:
            case None:
                return self._unknown(text, one, now)
            case Kind.INNER:
                return False
            case Kind.EXAM:
                return (now in _BEFORE_EXAM and one.place is not Place.SENTENCE) or (
                    now in _BEFORE_EXAM and self.upper and one.case is Case.UPPER
                )
            case Kind.LETTER:
                return self.letters and one.place is Place.LINE
            case Kind.MAIN:
                of_list = current is not None and now is SectionCategory.ALLERGIES and _heads_drugs(text, one, current)
                return not (of_list or _repeats(one, current) or self._is_running_text(text, one))
            case Kind.LABEL:
                if current is not None and now is SectionCategory.ALLERGIES and _lists_drugs(text, one, current):
                    return False
                return not _repeats(one, current) and (self._label(one, now) or _lists_allergies(one))

    def _is_running_text(self, text: str, one: Candidate) -> bool:
        """Whether a header's words stand in running text of a section, in another style than the note's own headers."""
        if one.case is Case.UPPER or one.place is Place.HEADING:
            return False
        if _bulleted(text, one) and not self.bullets:
            return one.category in self.proper or one.category is not SectionCategory.ALLERGIES
        if one.place is not Place.SENTENCE or not (self.many_upper or not self.run_on):
            return False
        in_sentence = self.many_upper and text[one.body : one.body + 1].islower()
        return one.category in self.proper or (in_sentence and one.category is not SectionCategory.ALLERGIES)

    def _label(self, one: Candidate, now: SectionCategory) -> bool:
        if one.place is Place.HEADING:
            decides = one.category is SectionCategory.PLAN and one.case is Case.TITLE
            return one.colon or one.level > 0 or one.case is Case.UPPER or not self.upper or decides
        test = one.category in _LABELS_WITHIN and one.title_end - one.title_start <= _TEST
        if test and one.case is Case.UPPER and (one.place is Place.SENTENCE or not self.upper):
            # "CT: appendicitis." on a line of the history tells a result within it.
            return now not in _HOLDS_TESTS and (self.upper or one.place is Place.LINE)
        if one.case is Case.UPPER:
            return self.upper or (one.place is Place.LINE and now is not SectionCategory.INSTRUCTIONS)
        within = now in _HAS_LABELS and one.category in _LABELS_WITHIN
        concludes = self.abbreviated and one.place is Place.LINE and one.category in _CONCLUDES
        if within or (self.upper and not concludes):
            return False
        return one.place is Place.LINE or (self.run_on and one.case is Case.TITLE)

    def _unknown(self, text: str, one: Candidate, now: SectionCategory) -> bool:
        if one.level:
            return True
        if not self.many_upper or now in _HOLDS_UNKNOWN:
            return False
        # "SULFA DRUGS: rash" is an entry of the list of allergies, and losing one is the worst that can happen.
        return now is not SectionCategory.ALLERGIES or not _REACTION.search(text, one.body, one.body + 80)


def _lists_drugs(text: str, one: Candidate, current: Candidate) -> bool:
    """Whether "Drugs:" is the first line of a list of allergies, and no medicine as it is taken stands behind it."""
    line = text[one.body :].partition("\n")[0]
    return (
        one.category is SectionCategory.MEDICATIONS
        and not text[current.title_end : one.start].strip(" \t\n:*-")
        and bool(line.strip())
        and not is_regimen(line)
    )


def _heads_drugs(text: str, one: Candidate, current: Candidate) -> bool:
    """Whether "Medications:" is the first part of a list of allergies, whose next part is of food or of another thing around us."""
    rest = text[one.body :].partition("\n")[2].lstrip()
    label = _LABEL.match(rest)
    return (
        _lists_drugs(text, one, current) and label is not None and label[1].lower().removesuffix("s") in _surroundings()
    )


_LABEL = re.compile(r"(?:[-*\u2022]\s*)?([A-Za-z]+)(?:\s+allerg\w+)?\s*[:\-]")


@lru_cache(maxsize=1)
def _surroundings() -> frozenset[str]:
    rows = rule_rows(RULES / "allergies" / "words_lists.tsv", 2)
    return frozenset(word for word, kind in rows if kind == "surroundings")


def _repeats(one: Candidate, current: Candidate | None) -> bool:
    """Whether a header only says again what the one right before it says.

    "PAST MEDICAL HISTORY: ILLNESSES: Asthma." is one section.
    """
    return current is not None and one.category is current.category and one.start <= current.body


def _deeper(one: Candidate, current: Candidate) -> bool:
    """A Markdown sub-heading that names nothing of its own stays inside its heading."""
    return one.level > current.level > 0 and one.kind in (None, Kind.INNER, Kind.EXAM)


def _lists_allergies(one: Candidate) -> bool:
    """As in "... a buffet. All: shellfish. ...": whatever the note's style, a missed allergy is the worst that can happen."""
    marked = one.colon or one.place is Place.HEADING
    return one.category is SectionCategory.ALLERGIES and marked and one.case is not Case.LOWER


def _bulleted(text: str, one: Candidate) -> bool:
    return one.place is Place.LINE and _BULLET.search(text, one.start, one.title_start) is not None


_ABBREVIATION = 5
_SECTIONS = 5
"""Kinds of sections that a note heads, from which a single letter heads one too."""
_HEADINGS = 3
_TEST = 3
_BULLET = re.compile(r"[-•·●▪◦>*]\s|\d")
_HOLDS_TESTS = frozenset(
    (
        SectionCategory.RESULTS,
        SectionCategory.IMAGING,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
        SectionCategory.OTHER,
    )
)
_WITHIN_EXAM = frozenset((SectionCategory.VITAL_SIGNS,))
_BEFORE_EXAM = frozenset(
    (
        SectionCategory.UNLABELED,
        SectionCategory.CHIEF_COMPLAINT,
        SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
        SectionCategory.VITAL_SIGNS,
        SectionCategory.MEDICATIONS,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.FAMILY_HISTORY,
        SectionCategory.ALLERGIES,
    )
)
_HAS_LABELS = frozenset(
    (
        SectionCategory.PLAN,
        SectionCategory.ASSESSMENT,
        SectionCategory.INSTRUCTIONS,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.IMAGING,
        SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
    )
)
_CONCLUDES = frozenset((SectionCategory.ASSESSMENT, SectionCategory.PLAN))
_LABELS_WITHIN = frozenset(
    (
        SectionCategory.RESULTS,
        SectionCategory.IMAGING,
        SectionCategory.PROCEDURES,
        SectionCategory.VITAL_SIGNS,
        SectionCategory.OTHER,
    )
)
_HOLDS_UNKNOWN = frozenset(
    (
        SectionCategory.PHYSICAL_EXAM,
        SectionCategory.REVIEW_OF_SYSTEMS,
        SectionCategory.RESULTS,
        SectionCategory.IMAGING,
        SectionCategory.ASSESSMENT,
        SectionCategory.PLAN,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.MEDICATIONS,
        SectionCategory.PROCEDURES,
        SectionCategory.INSTRUCTIONS,
        SectionCategory.VITAL_SIGNS,
    )
)
_REACTION = re.compile(
    r"\s*(?:\w+ ){0,2}(?:rash|hives|itch|anaphyla|swell|nausea|vomit|gi\b|unknown|cough|shock|angio|urticaria|upset|diarrh)",
    re.IGNORECASE,
)


def _history_end(text: str, body: int, end: int, category: SectionCategory, title_end: int) -> int:
    """Where a history ends: at its first line that begins with two vital signs, a family's on its title's line with the paragraph.

    A short note goes on from "Past history: ..." to "T 38.9, HR 116, BP 112/70. Red eyes." after no more than a line break. What
    follows is of today, whatever header stands above it. "FH: father gout." is a paragraph, and the next one is of the patient.
    """
    found = _VITALS.search(text, body, end)
    last = found.end() if found else end
    if category is SectionCategory.FAMILY_HISTORY and "\n" not in text[title_end:body]:
        paragraph = _PARAGRAPH.search(text, body, last)
        return paragraph.end() if paragraph else last
    return last
