"""What was found and done and the story does not tell: results, signs of the examination and treatments, each as a plain sentence.

Takes the record, the note with its pieces and the story that is told; gives at most six sentences, the most important first, and what
has no plain words for the team. The weights are rows of assets/rules/letter/found_weights.tsv.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.generation.letter.found.exam_findings import Sign, signs
from backend.generation.letter.found.found_line import FoundLine
from backend.generation.letter.found.test_results import AS_HOPED, test_lines
from backend.generation.letter.found.treatments_given import Given, given_here
from backend.generation.letter.plain_language.everyday import jargon
from backend.generation.letter.plain_language.plain_terms import PlainTerms
from backend.generation.letter.story import Story, StorySentence, addressee
from backend.generation.letter.story_likeness import denies, stems
from backend.generation.letter.story_selection import PASTED
from backend.generation.letter.untold.untold_results import MOST as MOST_UNTOLD
from backend.generation.letter.untold.untold_results import UntoldResult
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.attributes.seam import SpanAttributes
from backend.nlp.document.parsed_note import ParsedNote, parse_note
from backend.nlp.findings.result_words import NAMING
from backend.nlp.findings.results import Result, results
from backend.nlp.people.injected_instructions import has_injected_instructions
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.corrections import Correction
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.record import PatientRecord, Setting
from backend.schemas.vocabulary import SectionCategory

MOST = 6
"""Lines that a letter adds to the story."""
MOST_SIGNS, MOST_GIVEN = 4, 6
_WORTH = 1.0
_LONGEST_NAME = 8
"""Words of the plain wording of a problem."""
_EXPLAINED = re.compile(r"\([A-Z]{2,5}\)")
"""A short form behind its meaning: "pumping strength (EF)"."""
_SAME_PLACE = re.compile(r"\b((?:in|at|of|on) (?:the|your) [a-z]+) \1\b")
"""A place that the plain words of a name and the note both tell."""
_SAID = 0.6
"""Of the words of a line, the share that one told sentence has where it tells the same."""
_EXPLAINED = re.compile(r" \([^()]*\)")
"""What is explained in brackets, which no other sentence has to say."""
_EXAMINED = frozenset((SectionCategory.PHYSICAL_EXAM, SectionCategory.VITAL_SIGNS, SectionCategory.REVIEW_OF_SYSTEMS))
_ACUTE = frozenset((Setting.EMERGENCY, Setting.ADMISSION, Setting.HOSPITAL_CONSULT))


class Found(NamedTuple):
    """Sentences for the patient, and results that the team has to put in words."""

    sentences: tuple[StorySentence, ...]
    untold: tuple[UntoldResult, ...]


def found_lines(
    record: PatientRecord,
    note_text: str,
    pieces: Sequence[NotePiece],
    plain: Mapping[str, str],
    told: Story,
    about: Collection[str] = (),
    corrections: Sequence[Correction] = (),
) -> Found:
    """What the story leaves out of what was found and done.

    Args:
        record: of the note.
        note_text: the note, which the record's spans and the pieces index.
        pieces: the patient's notes as evidence; only pieces of the pasted note are told.
        plain: everyday words by concept id.
        told: the story of the note.
        about: names of what the letter is about.
        corrections: of the note: what a clinician corrected is not told in its words.
    """
    return _Finder(record, note_text, pieces, plain, told, about, corrections).found()


class _Finder:
    """Finds the lines of one note. Use once."""

    def __init__(
        self,
        record: PatientRecord,
        note_text: str,
        pieces: Sequence[NotePiece],
        plain: Mapping[str, str],
        told: Story,
        about: Collection[str],
        corrections: Sequence[Correction],
    ) -> None:
        self._record, self._text, self._plain = record, note_text, plain
        self._pieces = [one for one in pieces if one.note_type == PASTED]
        self._told, self._corrections = told, corrections
        self._note: ParsedNote = parse_note(note_text)
        self._terms = PlainTerms(record.statements, plain)
        self._patient = addressee(record)
        self._said_ids = {held for one in told.sentences for held in one.statement_ids}
        self._said = [(stems(one.text), denies(one.text)) for one in told.sentences]
        self._lead = stems(" ".join((record.encounter.reason, *about)))

    def found(self) -> Found:
        """The chosen lines and the gaps."""
        lines, untold = self._results()
        lines += [*self._signs(), *self._given()]
        worth = {one: self._worth(one) for one in lines}
        ranked = sorted(lines, key=lambda one: (-worth[one], one.spans[0]))
        chosen = [one for one in ranked if worth[one] >= _WORTH][:MOST]
        rest = {one: "rest of the " if one in chosen else "" for one in lines if one.part}
        gaps = [UntoldResult(f"{lead}{self._test_of(one)}", *one.spans[0]) for one, lead in rest.items()]
        kept = [
            gap
            for gap in self._told.untold
            if not any(a < gap.end and gap.start < b and _names(one, gap) for one in chosen for a, b in one.spans)
        ]
        return Found(tuple(map(self._sentence, chosen)), _once((*gaps, *kept, *untold)))

    def _results(self) -> tuple[list[FoundLine], list[UntoldResult]]:
        your = f"{self._patient.your.capitalize()}"
        found = [
            one
            for one in results(self._note, self._attributes)
            if self._may_tell(one.start, one.end) and self._is_finding(one)
        ]
        lines: list[FoundLine] = []
        untold: list[UntoldResult] = []
        for one, name, line in test_lines(found, self._text, your, self._spelled, self._is_plain, self._is_spelled):
            if line is not None and not self._is_told(line.text):
                lines.append(line)
            elif line is None and name and not self._is_told(self._plainly(self._text[one.start : one.end], one.start)):
                untold.append(UntoldResult(name, one.start, one.end))
        return lines, untold

    def _is_finding(self, one: Result) -> bool:
        """Whether what a result names is read as a problem, since a telegram has no verb that says it, and no finding of an examination that was as it should be."""
        section = self._note.section_at(one.start)
        if one.verdict in AS_HOPED and section is not None and section.category in _EXAMINED:
            return False
        if not one.bare or one.verdict not in NAMING:
            return True
        spans = (span for held in self._record.stated_problems for span in held.spans if not span.note_id)
        return any(one.found[0] <= span.start_char < one.found[1] for span in spans)

    def _signs(self) -> Iterator[FoundLine]:
        """Yield the signs of the examination as one sentence."""
        held = [
            one
            for one in signs(self._record, self._note, self._attributes)
            if one.statement.id not in self._said_ids and self._may_tell(*one.span) and not self._is_named(one)
        ]
        worth = {one: self._worth_of_sign(one) for one in held}
        kept = sorted((one for one in held if worth[one] >= _WORTH), key=lambda one: -worth[one])[:MOST_SIGNS]
        kept = [one for one in held if one in kept]
        if kept:
            spans = tuple(one.span for one in kept)
            yield FoundLine(
                f"The doctor found {_and([one.text for one in kept])}.",
                "sign",
                spans,
                tuple(one.statement.id for one in kept),
            )

    def _given(self) -> Iterator[FoundLine]:
        """Yield the treatments as one sentence: those of one kind together."""
        held = [
            one
            for one in given_here(self._record, self._note, self._plain, self._plainly)
            if one.statement.id not in self._said_ids and self._may_tell(*one.span) and self._is_plain_medicine(one)
        ][:MOST_GIVEN]
        groups: dict[str, list[Given]] = {}
        for one in held:
            groups.setdefault(one.group or one.text, []).append(one)
        if held:
            words = [f"{name} ({_and([o.text for o in of])})" if of[0].group else name for name, of in groups.items()]
            was = "was" if self._patient.child else "were"
            yield FoundLine(
                f"{self._patient.you.capitalize()} {was} given {_and(words)}.",
                "treatment",
                tuple(one.span for one in held),
                tuple(one.statement.id for one in held),
            )

    def _worth_of_sign(self, one: Sign) -> float:
        """The weight of a sign: of its kind, more where the letter is about it or the note names it elsewhere too."""
        own = weights()
        words = stems(f"{one.text} {one.statement.name}")
        places = [self._note.section_at(span.start_char) for span in one.statement.spans if not span.note_id]
        again = any(place and place.category is not SectionCategory.PHYSICAL_EXAM for place in places)
        return own[one.kind] + own["lead"] * (not words.isdisjoint(self._lead)) + own["again"] * again

    def _worth(self, line: FoundLine) -> float:
        own = weights()
        worth = own[line.kind]
        worth += own["lead"] * (not stems(line.text).isdisjoint(self._lead))
        worth += own["asked"] * any(
            a < gap.end and gap.start < b for gap in self._told.untold for a, b in line.spans[:1]
        )
        return worth + own["acute"] * (self._record.encounter.setting in _ACUTE)

    def _is_told(self, text: str) -> bool:
        """Whether one sentence of the story tells nearly all that a line tells, and as much denied."""
        words = stems(_EXPLAINED.sub("", text))
        return any(len(words & said) >= _SAID * len(words) and denied == denies(text) for said, denied in self._said)

    def _is_named(self, one: Sign) -> bool:
        """Whether the story names a sign, in these words or the note's, or the measured value that tells it."""
        named = [stems(one.text.partition(" (")[0]), stems(self._text[slice(*one.span)]), stems(one.measure)]
        told = [said for said, denied in self._said if not denied]
        return any(words and words <= said for words in named for said in told)

    def _may_tell(self, start: int, end: int) -> bool:
        """Whether a stretch is of the note's own words: nothing corrected, nothing that instructs a program."""
        if any(one.start_char < end and start < one.end_char for one in self._corrections):
            return False
        pieces = [one for one in self._pieces if one.start_char < end and start < one.end_char]
        return bool(pieces) and not any(has_injected_instructions(one.text) for one in pieces)

    def _sentence(self, line: FoundLine) -> StorySentence:
        cites = dict.fromkeys(
            piece.id for a, b in line.spans for piece in self._pieces if piece.start_char < b and a < piece.end_char
        )
        return StorySentence(line.text, tuple(cites), line.statement_ids)

    def _test_of(self, line: FoundLine) -> str:
        whose = f"{self._patient.your.capitalize()} "
        return re.split(r" (?:showed|was|were) ", line.text, maxsplit=1)[0].removeprefix(whose)

    def _attributes(self, spans: Sequence[tuple[int, int]]) -> Sequence[SpanAttributes]:
        return read_attributes(self._note, spans)

    def _plainly(self, text: str, start: int) -> str:
        return self._terms.said(text, start)

    def _spelled(self, text: str, start: int) -> str:
        """Words of the note in plain words, and the name of a problem as its plain words where no patient could read it: "PE"."""
        told = self._plainly(text, start)
        for one in self._record.stated_problems:
            words = self._plain.get(one.concept_id or "", "")
            for span in one.spans if words and len(words.split()) <= _LONGEST_NAME else ():
                inside = not span.note_id and start <= span.start_char < start + len(text)
                words = words.removeprefix("a ").removeprefix("an ") if span.start_char > start else words
                if inside and (span.text.isupper() or jargon(span.text)) and f"({span.text})" not in told:
                    told = re.sub(rf"\b{re.escape(span.text)}\b", words, told)
        return _SAME_PLACE.sub(r"\1", told)

    def _is_plain(self, text: str) -> bool:
        return not jargon(text) and not self._terms.residue(text, names=True)

    def _is_spelled(self, text: str) -> bool:
        return not jargon(text) and not self._terms.residue(_EXPLAINED.sub(" ", text))

    def _is_plain_medicine(self, one: Given) -> bool:
        """Whether a patient can read what a medicine is called: a name may be any, what stands for it may not."""
        return not self._terms.residue(one.text, names=True)


def _names(line: FoundLine, gap: UntoldResult) -> bool:
    """Whether a line tells of the test that a gap asks about."""
    return stems(gap.name) <= stems(line.text)


def _is_same(one: UntoldResult, other: UntoldResult) -> bool:
    """Whether two gaps ask for one result: of one test, or by two names of it at one place."""
    meet = one.start < other.end and other.start < one.end
    words, others = stems(one.name) - stems("rest"), stems(other.name) - stems("rest")
    return one.name == other.name or (meet and (words <= others or others <= words))


def _once(untold: Sequence[UntoldResult]) -> tuple[UntoldResult, ...]:
    """The first results of which none stands where another does, at most three."""
    found: list[UntoldResult] = []
    for one in untold:
        if not any(_is_same(one, other) for other in found):
            found.append(one)
    return tuple(found[:MOST_UNTOLD])


def _and(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


@lru_cache(maxsize=1)
def weights() -> dict[str, float]:
    """The weight of each feature."""
    return {name: float(weight) for name, weight in rule_rows(RULES / "letter" / "found_weights.tsv", 2)}
