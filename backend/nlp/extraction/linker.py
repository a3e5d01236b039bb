"""The dictionary linker: from the text of a note to its mentions, allergies and patient.

Takes the concepts of a vocabulary and, if there is a graph, a function that gives a concept's neighbours; implements
interfaces.Linker. It reads no file and keeps no note. Order: sections, names, short forms by context, measured values,
one concept a span, assertions, allergies, patient. The graph only decides between concepts that share a name.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

from backend.nlp.allergies.mentions import with_allergies
from backend.nlp.allergies.read_allergies import read_allergies
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import ParsedNote, parse_note
from backend.nlp.document.tokens import Tokens
from backend.nlp.extraction.corrections import corrected
from backend.nlp.findings.apart import apart_findings
from backend.nlp.findings.coordination import coordinated
from backend.nlp.findings.measured.values import (
    Held,
    is_measure,
    states_findings,
    telling_values,
    value_findings,
)
from backend.nlp.findings.nearby import nearby_findings
from backend.nlp.lexicon.capitals import initials
from backend.nlp.lexicon.matches import Candidate, Match, without_orders, without_overlap
from backend.nlp.lexicon.name_words import words_of
from backend.nlp.lexicon.names import NameIndex
from backend.nlp.lexicon.plain_names import is_starter
from backend.nlp.lexicon.senses import read_forms, turned_round
from backend.nlp.medications.clipped_medicines import clipped_medicines
from backend.nlp.medications.statements import assertions_of
from backend.nlp.people.patient import find_patient, is_label
from backend.nlp.record import patient_record
from backend.schemas.corrections import Correction
from backend.schemas.drafts.note import LinkedNote, Mention, Note, Section
from backend.schemas.record import AllergyRecord
from backend.schemas.vocabulary import Assertion, Category, SectionCategory, SemanticGroup
from backend.stores.graph.graph_rows import ConceptRow

Neighbours = Callable[[str], Collection[str]]

_NEIGHBOUR = 0.15
"""What the graph adds to a candidate that it joins to another concept of the note."""
_RIVAL = 0.25
"""What is taken from the score of the best candidate when another fits as well."""
_MOST_READINGS = 20_000
"""Phrases kept with their concepts; beyond it they are looked up anew, so that no text can fill the memory."""
_GROUPS = {one.value: one for one in SemanticGroup}
_CATEGORIES = {one.value: one for one in Category}
_GIVEN = frozenset((Category.DRUG, Category.DRUG_CLASS))
_NOT_READ = Candidate("", "", "", "", 0.0, "")
_ADULT = 16
"""Years from which the limits of measured values hold."""
_MEASURED = 0.9
"""The score of a finding that a value tells: nobody has written its name."""
_ALONE = 0.7
"""The score of what a value tells that is hardly beyond its limits."""


class DictionaryLinker:
    """Finds the concepts of a vocabulary in a note. Safe to share between threads once it is built."""

    def __init__(self, concepts: Iterable[ConceptRow] | NameIndex, neighbours: Neighbours | None = None) -> None:
        self._index = concepts if isinstance(concepts, NameIndex) else NameIndex.build(concepts)
        self._neighbours = neighbours
        self._readings: dict[str, Candidate | None] = {}

    @property
    def index(self) -> NameIndex:
        """The names, for those who look up single phrases."""
        return self._index

    def lookup(self, phrase: str) -> Candidate | None:
        """The concept that a whole phrase names, or None."""
        return self._index.lookup(phrase)

    def link(self, text: str) -> LinkedNote:
        """Sections, mentions with assertions, allergies and patient of one note. Mentions never overlap."""
        return self._linked(parse_note(text))[0]

    def named(self, text: str) -> tuple[Mention, ...]:
        """The mentions of a text that is nobody's note, without the reading of allergies."""
        note = parse_note(text)
        return tuple(self.mentions(note, self.names(note)))

    def _linked(self, note: ParsedNote) -> tuple[LinkedNote, AllergyRecord]:
        return self.linked(note, self.mentions(note, self.names(note)))

    def names(self, note: ParsedNote) -> list[tuple[Match, Candidate]]:
        """The names that a note says, without overlap, each with the one concept that it means there."""
        patient = note.once(find_patient)
        matches = self._matches(note.text, note.tokens, note.sections)
        if stated := [*self._apart(note), *self._nearby(note)]:
            matches = without_overlap([*matches, *stated])
        if (patient.age is None or patient.age >= _ADULT) and (stated := self._values(note)):
            matches = without_overlap([*matches, *stated])
        if clipped := clipped_medicines(note, matches, self._index.clipped):
            matches = without_overlap([*matches, *clipped])
        return self._choose(matches)

    def mentions(self, note: ParsedNote, names: Sequence[tuple[Match, Candidate]]) -> list[Mention]:
        """The names of a note as mentions, with what it says of each."""
        return _as_taken(note, self._said(note, names))

    def _said(self, note: ParsedNote, names: Sequence[tuple[Match, Candidate]]) -> list[Mention]:
        """The names as mentions with their attributes, medicines not yet as the words beside them say."""
        text, parts = note.text, note.sections
        spans = [(match.start_char, match.end_char) for match, _ in names]
        starts = [part.start_char for part in parts]
        mentions = []
        assessments = read_attributes(note, spans)
        for (match, candidate), assessed in zip(names, assessments, strict=True):
            at, holds = bisect_right(starts, match.start_char) - 1, assessed.holds
            mentions.append(
                Mention(
                    start_char=match.start_char,
                    end_char=match.end_char,
                    text=text[match.start_char : match.end_char],
                    concept_id=candidate.concept_id,
                    name=candidate.name,
                    group=_GROUPS[candidate.group],
                    category=_CATEGORIES[candidate.category],
                    assertion=holds[0] if holds else Assertion.PRESENT,
                    score=candidate.score,
                    why=candidate.why,
                    assertion_cue=assessed.cue,
                    also=holds[1:],
                    section=parts[at].category if at >= 0 else SectionCategory.UNLABELED,
                )
            )
        return mentions

    def linked(self, note: ParsedNote, mentions: list[Mention]) -> tuple[LinkedNote, AllergyRecord]:
        """A note with its mentions, the allergies read from them, and the patient; and the allergies of the record."""
        allergies, stated = read_allergies(note, mentions, self._agent, partial(read_attributes, note))
        marked = with_allergies(note, mentions, allergies)
        marked_note = Note(text=note.text, sections=note.sections, mentions=marked)
        return LinkedNote(note=marked_note, allergies=allergies, patient=note.once(find_patient)), stated

    def read(self, text: str, corrections: Sequence[Correction] = ()) -> LinkedNote:
        """As link, with the patient record of a note, and with a clinician's corrections of it, which must be of this text."""
        note = parse_note(text)
        linked, allergies = self._linked(note)
        values = self._values_alone(note, linked.note.mentions)
        record = patient_record(note, linked.note.mentions, allergies, self._concept_of, values)
        return self.correct(linked.model_copy(update={"record": record}), corrections)

    def correct(self, linked: LinkedNote, corrections: Sequence[Correction]) -> LinkedNote:
        """The note with a clinician's corrections, which must be of its text; they beat whatever was read."""
        return corrected(linked, corrections, self._index.concept)

    def _matches(self, text: str, found: Tokens, parts: Sequence[Section]) -> list[Match]:
        words = words_of(text, found)
        starts = [part.start_char for part in parts]
        shouted = {word.start for word in words if word.shouted}

        def section_at(place: int) -> SectionCategory:
            at = bisect_right(starts, place) - 1
            return parts[at].category if at >= 0 else SectionCategory.UNLABELED

        forms = read_forms(text, found, section_at, self._reading, shouted.__contains__)
        decided = sorted(forms.decided)
        decided_starts = [start for start, _ in decided]

        def is_part(match: Match) -> bool:
            """Whether a name is a form that is decided already, or a part of one ("N/V" of "n/v/d")."""
            at = bisect_right(decided_starts, match.start_char) - 1
            return at >= 0 and match.end_char <= decided[at][1]

        named = [match for match in self._index.matches(text, words) if not is_part(match)] + forms.matches
        if "non" in found.words:
            named = [match for match in named if not turned_round(text, match.start_char)]
        kept = [
            match
            for match in without_overlap(without_orders(named))
            if match.candidates[0].category not in _GIVEN or not is_measure(text, match.start_char, match.end_char)
        ]
        own = initials(text)
        return [
            m
            for m in coordinated(text, kept, self._reading)
            if not _in_header(m, parts, starts)
            and not is_label(text, m.start_char, m.end_char)
            and not (own and text[m.start_char : m.end_char] in own)
        ]

    def _values(self, note: ParsedNote) -> list[Match]:
        """Measured values that name a finding of this vocabulary; a list of allergies or medicines holds doses."""
        read = []
        for value in value_findings(note):
            named = self._finding(note, value.concept, value.start)
            if named is not None:
                read.append(Match(value.start, value.end, 0, (named._replace(score=_MEASURED, why=value.why),)))
        return read

    def _values_alone(self, note: ParsedNote, mentions: Sequence[Mention]) -> list[Mention]:
        """What values tell that only the record holds, as mentions: the note has none of them."""
        patient = note.once(find_patient)
        adult = patient.age is None or patient.age >= _ADULT
        ends = [one.end_char for one in mentions]
        read = []
        for value in note.once(telling_values):
            if (adult and value.is_finding) or value.held is Held.NOT or not (adult or value.child):
                continue
            at = bisect_right(ends, value.start)
            if at < len(mentions) and mentions[at].start_char < value.end:
                continue
            named = self._finding(note, value.concept, value.start)
            if named is not None:
                read.append((Match(value.start, value.end, 0, (named,)), named._replace(score=_ALONE, why=value.why)))
        return self._said(note, read) if read else []

    def _nearby(self, note: ParsedNote) -> list[Match]:
        """What a result and its place tell, where this vocabulary has the finding."""
        read = []
        for finding in nearby_findings(note):
            named = self._finding(note, finding.concept, finding.start)
            if named is not None:
                # a disease that a stretch tells says more than a name as long within it ("thrombus in the popliteal vein")
                words = finding.words + (named.category == Category.DISEASE)
                read.append(
                    Match(finding.start, finding.end, words, (named._replace(score=_MEASURED, why=finding.why),))
                )
        return read

    def _finding(self, note: ParsedNote, name: str, start: int) -> Candidate | None:
        """The finding of a name where this vocabulary has it and the section at a place tells findings."""
        named, section = self._reading(name), note.section_at(start)
        known = named is not None and named.name.lower() == name.lower()
        return named if known and section is not None and states_findings(note.text, section, start) else None

    def _concept_of(self, name: str) -> str | None:
        """The concept that is called so by its chief name; a synonym may be wider than its concept."""
        named = self._reading(name)
        return named.concept_id if named is not None and named.name.lower() == name.lower() else None

    def _apart(self, note: ParsedNote) -> list[Match]:
        """Findings of this vocabulary told in words that stand apart."""
        named = [(one, self._reading(one.concept)) for one in apart_findings(note)]
        return [
            Match(
                one.start,
                one.end,
                # a test's result says more than a name as long within it ("CT head: no blood")
                len(note.text[one.start : one.end].split()) + (concept.category == Category.FINDING),
                (concept._replace(score=_MEASURED, why="told in words that stand apart"),),
            )
            for one, concept in named
            if concept is not None and concept.name.lower() == one.concept.lower()
        ]

    def _reading(self, name: str) -> Candidate | None:
        """The concept of a name of the rules file, or of a part of a list or of an allergy; looked up once."""
        found = self._readings.get(name, _NOT_READ)
        if found is _NOT_READ:
            if len(self._readings) >= _MOST_READINGS:
                self._readings.clear()
            found = self._readings[name] = self._index.lookup(name)
        return found

    def _agent(self, name: str) -> Candidate | None:
        """As _reading, for what an allergy is told of, whose name may be clipped."""
        return self._reading(name) or self._index.clipped(name.lower().replace("-", ""))

    def _choose(self, matches: Sequence[Match]) -> list[tuple[Match, Candidate]]:
        """One concept for each match. Those with one candidate stand; the others lean on them through the graph."""
        certain = {match.candidates[0].concept_id for match in matches if len(match.candidates) == 1}
        return [(match, self._best(match, certain)) for match in matches]

    def _best(self, match: Match, certain: set[str]) -> Candidate:
        best = match.candidates[0]
        if len(match.candidates) == 1:
            return best
        rivals = [candidate for candidate in match.candidates if candidate.score >= best.score - _NEIGHBOUR]
        if is_starter(best.concept_id):  # neighbours decide between the starter's own, not for an import
            rivals = [candidate for candidate in rivals if is_starter(candidate.concept_id)]
        if len(rivals) == 1:
            return best
        joined = [self._joined(candidate, certain) for candidate in rivals]
        ranked = sorted(
            zip(joined, rivals, strict=True), key=lambda item: -item[1].score - _NEIGHBOUR * min(item[0], 3) / 3
        )
        (most, best), (next_most, second) = ranked[0], ranked[1]
        if most > next_most:
            return best._replace(why=f"{best.why}; the note's other findings fit it better than {second.name}")
        return best._replace(
            score=round(max(best.score - _RIVAL, 0), 2), why=f"{best.why}; it could also be {second.name}"
        )

    def _joined(self, candidate: Candidate, certain: set[str]) -> int:
        if self._neighbours is None:
            return 0
        return len(certain.intersection(self._neighbours(candidate.concept_id)))


def _in_header(match: Match, parts: Sequence[Section], starts: Sequence[int]) -> bool:
    at = bisect_right(starts, match.start_char) - 1
    return at >= 0 and match.start_char < parts[at].body_char


def _as_taken(note: ParsedNote, mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions with medicines as the words beside them say; others, and planned medicines, as they are.

    "A history of atrial fibrillation on apixaban" makes the fibrillation history, not the apixaban; "now off warfarin" ends it.
    """
    assertions = assertions_of(note, mentions)
    return [_as_stated(one, assertions) for one in mentions]


def _as_stated(mention: Mention, assertions: Mapping[int, tuple[Assertion, str]]) -> Mention:
    found = assertions.get(mention.start_char)
    if found is None or found[0] is mention.assertion:
        return mention
    return mention.model_copy(update={"assertion": found[0], "assertion_cue": found[1], "also": ()})
