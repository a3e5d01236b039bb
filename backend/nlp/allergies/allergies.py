"""What the patient reacts to: from the allergies section and from running text anywhere in the note.

Takes the note, its sections and mentions, and a function that finds the concept of a phrase; gives the allergies with
exact offsets. Whatever is listed and not recognised is kept as written, unchecked. It does not judge cross-reactions.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from typing import NamedTuple

from backend.nlp.allergies.allergens import ALLERGEN_CATEGORIES, Allergens, Lookup
from backend.nlp.allergies.allergy_doubt import tolerated
from backend.nlp.allergies.allergy_entry import Entry, bounded_sentences, trimmed
from backend.nlp.allergies.allergy_experiencer import KIN, beside, borrowed, relative
from backend.nlp.allergies.allergy_items import allergy_items
from backend.nlp.allergies.allergy_respelling import as_written, moved, respelt
from backend.nlp.allergies.allergy_status import Denial, denials, outside, unreadable
from backend.nlp.allergies.allergy_vocabulary import has_allergic_reaction, is_noise, is_reaction
from backend.nlp.allergies.lists.allergy_entries import entries, joined
from backend.nlp.allergies.lists.allergy_lists import ListReader
from backend.nlp.allergies.lists.allergy_parts import list_and_telling
from backend.nlp.allergies.lists.allergy_remarks import is_remark
from backend.nlp.allergies.lists.allergy_shared_sections import bare_list, denies_all, shared_part, shared_with
from backend.nlp.allergies.lists.allergy_shorthand import not_obtained, shorthand
from backend.nlp.allergies.lists.allergy_source import after_source, only_source
from backend.nlp.allergies.possible.allergy_cues import Cues
from backend.nlp.allergies.statements.allergy_prose import prose, prose_entries
from backend.nlp.allergies.statements.allergy_tolerated import tolerated_since
from backend.nlp.document import sentences
from backend.schemas.drafts.note import Allergies, Mention, Section
from backend.schemas.vocabulary import AllergyStatus, Assertion, SectionCategory

Cut = Sequence[tuple[int, int]]
"""The sentences of a section's body."""


def find_allergies(
    text: str,
    sections: Sequence[Section],
    mentions: Sequence[Mention],
    lookup: Lookup,
    cut: Sequence[Cut] | None = None,
    words: Collection[str] | None = None,
) -> Allergies:
    """The patient's allergies and how the note leaves the question.

    lookup gives the concept a phrase names, or None. cut: the sentences of each section, where they are known already; words: the normal words of
    the text. The status is `listed` as soon as one thing is named, whatever denial stands beside it; `not_stated` when the note is silent.
    """
    if fixed := respelt(text, words):
        return as_written(text, fixed, _find(fixed.text, *moved(fixed, sections, mentions), lookup, None))
    return _find(text, sections, mentions, lookup, cut)


def _find(
    text: str, sections: Sequence[Section], mentions: Sequence[Mention], lookup: Lookup, cut: Sequence[Cut] | None
) -> Allergies:
    reader = _Reader(text, mentions, lookup)
    if cut is None:
        cut = [sentences(text, section.body_char, section.end_char) for section in sections]
    for section, own in zip(sections, cut, strict=True):
        if section.category is SectionCategory.ALLERGIES:
            reader.read_section(section, own)
        else:
            reader.read_running(section, own)
    return reader.result()


class _Said(NamedTuple):
    start: int
    end: int


class _Reader:
    def __init__(self, text: str, mentions: Sequence[Mention], lookup: Lookup) -> None:
        self._text = text
        self._cues = Cues(text)
        self._allergens = Allergens(lookup)
        self._mentions = [m for m in mentions if m.category in ALLERGEN_CATEGORIES]
        self._places = sorted(m.start_char for m in self._mentions)
        self._denied = sorted(
            (m.start_char, m.end_char)
            for m in mentions
            if m.assertion in _NO_FACT
            and m.category not in ALLERGEN_CATEGORIES
            and not (m.assertion is Assertion.FAMILY and borrowed(text, m.start_char))
        )
        self._lists = ListReader(text, self._allergens, self._mentions)
        self._entries: list[Entry] = []
        self._none: list[_Said] = []
        self._unreadable: list[_Said] = []

    def result(self) -> Allergies:
        items = allergy_items(self._text, self._entries, self._allergens)
        if items:
            return Allergies(status=AllergyStatus.LISTED, items=items, text=self._quote(self._none))
        if self._none:
            return Allergies(status=AllergyStatus.NONE_KNOWN, text=self._quote(self._none))
        if self._unreadable:
            return Allergies(status=AllergyStatus.UNREADABLE, text=self._quote(self._unreadable))
        return Allergies(status=AllergyStatus.NOT_STATED)

    def read_section(self, section: Section, cut: Cut) -> None:
        """A section of allergies: lists, tables, prose and statements."""
        if " to " in section.title.lower():
            start, body = section.start_char, section.body_char
            titled = prose_entries(self._text, start, body, self._allergens.known, in_section=False)
            if titled and denies_all(self._text, body, section.end_char):
                return  # "Allergies to latex: none" says nothing of the rest
            self._entries.extend(titled)
        if SectionCategory.MEDICATIONS in shared_with(section.title):
            self.read_running(section, cut)
            return
        found: list[Entry] = []
        odd: list[_Said] = []
        for start, end in bounded_sentences(self._text, cut):
            found = self._section_sentence(start, end, found, odd)
        if not found and not self._none and not self._unreadable:
            found = [Entry(*trimmed(self._text, said.start, said.end)) for said in odd]
        self._entries.extend(found)

    def _section_sentence(self, start: int, end: int, found: list[Entry], odd: list[_Said]) -> list[Entry]:
        text = self._text
        start = after_source(text, start, end)
        if kin := relative(text, start, end):
            for left, right in beside(text, start, end, kin):
                found = self._section_sentence(left, right, found, odd)
            return found
        denied = denials(text, start, end, in_section=True)
        self._none.extend(_Said(d.start, d.end) for d in denied if not tolerated(text[d.start : d.end]))
        named = any(
            self._allergens.known(text[m.start_char : m.end_char])
            for m in self._mentions
            if start <= m.start_char < end
        )
        if not denied and not named and unreadable(text[start:end]):
            told = prose_entries(text, start, end, self._allergens.known, in_section=True)
            if not told and not has_allergic_reaction(text[start:end]):
                self._unreadable.append(_Said(start, end))
                return found
            named = True
        for left, right in [part for span in outside(start, end, denied) for part in self._told_apart(*span)]:
            parts = list_and_telling(text, left, right, self._allergens.known)
            if len(parts) > 1:
                for part in parts:
                    found = self._section_sentence(*part, found, odd)
                continue
            if self._only_noise(left, right) or (denied and only_source(text, left, right, self._allergens)):
                continue
            if not denied and not named and unreadable(text[left:right]) and not is_reaction(text[left:right]):
                self._unreadable.append(_Said(left, right))
                continue
            if prose(text[left:right]):
                told = (
                    prose_entries(text, left, right, self._allergens.known, in_section=True)
                    or self._lists.mentioned(left, right)
                    or self._lists.enumerated(left, right)
                )
                held = {one.start for one in told}
                told = sorted([*told, *(one for one in self._lists.harmful(left, right) if one.start not in held)])
                excepted = _EXCEPT.match(text, left, right) if denied else None
                if not told and excepted:
                    told = entries(text, excepted.end(), right, self._allergens.known)
                elif not told and not denied and not is_reaction(text[left:right]):
                    odd.append(_Said(left, right))
                elif told:
                    told = self._lists.with_neighbours([*self._lists.leading(left, told), *told], left, right)
                    told = sorted([*told, *self._lists.beside(left, right, told)])
                found = joined(found, told, text[left:right])
            elif _BRACKETED.fullmatch(text, left, right) and found and not self._allergens.known(text[left:right]):
                found = [
                    *found[:-1],
                    found[-1]._replace(
                        reaction=", ".join(filter(None, (found[-1].reaction, text[left:right].strip(" .()"))))
                    ),
                ]
            elif (found or denied) and is_remark(text, left, right, self._allergens, bool(found)):
                continue
            elif _SHORT_TELLING.fullmatch(text, left, right) and not named and not is_reaction(text[left:right]):
                odd.append(_Said(left, right))
            else:
                before = len(found)
                found = self._lists.listed(left, right, found)
                if len(found) == before == 0 and named:
                    found = self._lists.mentioned(left, right)  # "Unknown (old chart: sulfa)"
                if len(found) == before == 0 and unreadable(text[left:right]):
                    self._unreadable.append(_Said(left, right))
        return found

    def _told_apart(self, start: int, end: int) -> list[tuple[int, int]]:
        """The parts between semicolons of a stretch that tells something: "PCN - rash; NSAIDs - avoid; sulfa" is told part by part."""
        if ";" not in self._text[start:end] or not prose(self._text[start:end]):
            return [(start, end)]
        parts = [match.span() for match in _PART.finditer(self._text, start, end)]
        return parts or [(start, end)]

    def _only_noise(self, start: int, end: int) -> bool:
        """Whether a stretch is no entry, and names none: not "per mother sulfa"."""
        remarked = _REMARKED.match(self._text, start, end) and (
            has_allergic_reaction(self._text[start:end]) or self._allergens.inside(self._text, start, end)
        )
        return is_noise(self._text[start:end]) and not remarked

    def read_running(self, section: Section, cut: Cut) -> None:
        """Any other section: only what is said to be an allergy, in so many words."""
        if (part := shared_part(self._text, section)) is not None:
            self._entries.extend(self._section_sentence(*part, [], []))
        family = section.category is SectionCategory.FAMILY_HISTORY
        before = self._read()
        for start, end in bounded_sentences(self._text, cut):
            # A short note goes on to the patient after "FH: …" without a header; such a sentence names no relative.
            if not (family and KIN.search(self._text, start, end)):
                self._running_sentence(start, end)
        if self._read() == before and (others := shared_with(section.title)):
            self._read_shared(section, cut, SectionCategory.MEDICATIONS in others)

    def _read_shared(self, section: Section, cut: Cut, medicines: bool) -> None:
        """A section whose header names allergies beside other things, and whose sentences do not say which is which."""
        if medicines:
            self._unreadable.append(_Said(section.start_char, section.body_char))
        for start, end in bounded_sentences(self._text, cut):
            if denies_all(self._text, start, end):
                self._none.append(_Said(start, end))
            elif not medicines:
                self._entries.extend(bare_list(self._text, start, end, self._allergens))

    def _read(self) -> int:
        """How much has been read so far."""
        return len(self._entries) + len(self._none) + len(self._unreadable)

    def _running_sentence(self, start: int, end: int) -> None:
        text = self._text
        denied: list[Denial] = []
        short = shorthand(text, start, end, self._allergens)
        self._entries.extend(short.listed)
        self._none.extend(_Said(*said) for said in short.none)
        if not self._cues.told(text[start:end], self._names_allergen(start, end)):
            return
        if kin := relative(text, start, end):
            for left, right in beside(text, start, end, kin):
                self._running_sentence(left, right)
            return
        self._unreadable.extend(_Said(*said) for said in not_obtained(text, start, end))
        denied = denials(text, start, end, in_section=False)
        self._none.extend(_Said(d.start, d.end) for d in denied if d.general)
        for left, right in outside(start, end, denied):
            for one in prose_entries(text, left, right, self._allergens.known, in_section=False, no_fact=self._no_fact):
                # "Asthma, allergy to penicillin, tonsillectomy": the list has gone on to other things.
                if not self._allergens.other(text[one.start : one.end]) and not tolerated_since(
                    text, one.start, one.end, self._allergens
                ):
                    self._entries.append(one)

    def _names_allergen(self, start: int, end: int) -> bool:
        """Whether a stretch holds a mention of something one can react to."""
        at = bisect_left(self._places, start)
        return at < len(self._places) and self._places[at] < end

    def _no_fact(self, place: int) -> bool:
        """Whether a place lies in what the note denies or tells of others: "denies hives after starting lisinopril"."""
        at = bisect_right(self._denied, (place, len(self._text))) - 1
        return at >= 0 and place < self._denied[at][1]

    def _quote(self, said: Sequence[_Said]) -> str:
        return "; ".join(dict.fromkeys(self._text[s.start : s.end].strip() for s in said))


_NO_FACT = frozenset((Assertion.NEGATED, Assertion.HYPOTHETICAL, Assertion.FAMILY))
_BRACKETED = re.compile(r"\s*\([^()\n]{2,60}\)[\s.]*")
# "She smokes.": no list, and too short to be taken for a sentence.
_SHORT_TELLING = re.compile(
    r"\s*(?:she|he|they|(?:the )?patient|pt)\s+(?!has\b|allerg)[a-z]+(?:\s+\w+)?[\s.]*", re.IGNORECASE
)
_REMARKED = re.compile(
    r"\s*(?:(?:as\s+)?per|according to|(?:re-?)?(?:reviewed|verified|confirmed|updated|reconciled|checked))\b",
    re.IGNORECASE,
)
_PART = re.compile(r"(?:\([^()\n]*\)|[^;])+;?")
_EXCEPT = re.compile(r"[\s,;]*(?:but|except(?: for)?|other than|apart from|aside from)\b", re.IGNORECASE)
