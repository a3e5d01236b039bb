"""Reads the plan of one note: a stretch of it as sentences, from the slots that the rules and the record's own names fill."""

import re
from collections.abc import Callable, Iterator

from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.telegrams import has_finite_verb
from backend.generation.letter.plan_items.plan_items import plan_sentences
from backend.generation.letter.plan_items.plan_slots import Named, counts_months_as_twelfths, names_plan, slots_of
from backend.generation.letter.plan_items.return_reader import names_help, return_sentences
from backend.schemas.record import PatientRecord, ProblemStatement, ProcedureStatement
from backend.schemas.vocabulary import SectionCategory

_TITLED = re.compile(
    r"\b(?P<title>Dr|Mr|Mrs|Ms|Miss|Prof|Professor)\b\.? (?:[A-Z]\.? )?(?P<name>[A-Z][^\W\d_]+(?:['’-][A-Z][^\W\d_]+)*)"
)
_TAKEN = re.compile(r"\b(?:on|taking)\s(?P<name>[a-z]{3,})\b", re.IGNORECASE)
_PLANS = frozenset((SectionCategory.PLAN, SectionCategory.INSTRUCTIONS, SectionCategory.ASSESSMENT))
_ELSEWHERE = frozenset(
    (
        SectionCategory.UNLABELED,
        SectionCategory.OTHER,
        SectionCategory.RESULTS,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.MEDICATIONS,
        SectionCategory.PHYSICAL_EXAM,
    )
)
_AWAITED = re.compile(
    r"(?:results? )?(?:pending|outstanding|awaited|awaiting)(?: results?)?(?: (?:at|on) (?:discharge|d/c|dc))?\s*:\s*",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"([A-Za-z][\w'’+-]*(?: [\w'’+-]+){0,4})(?=\s*(?:[,;.]|$))")
"""What a list of awaited results names, between its commas."""
_LEADING = re.compile(r"^(?:re|for|of)\s+", re.IGNORECASE)
_LONGEST = 40
_SHORTENED = 4
"""Letters that a short form shares with its name; a word of more that shares none is another name."""
_LETTERHEAD = re.compile(r"[A-Z][^\W\d]+(?: [A-Z][^\W\d]+)+")


def is_letterhead(text: str, section: SectionCategory) -> bool:
    """Whether a stretch is a line of capitalised words above a note's first heading: "Outpatient Department"."""
    return section is SectionCategory.UNLABELED and _LETTERHEAD.fullmatch(text.strip()) is not None


class PlanReader:
    """Reads stretches of one note.

    Args:
        record: of the note.
        note_text: the note.
        said: words of the note, with where they begin, in plain words.
        patient: who is addressed.
        is_plain: whether a patient can read words.
    """

    def __init__(
        self,
        record: PatientRecord,
        note_text: str,
        said: Callable[[str, int], str],
        patient: Addressee,
        is_plain: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self._said, self._patient, self._is_plain = said, patient, is_plain
        self._note = note_text
        self._twelfths = counts_months_as_twelfths(note_text)
        self._persons = {match["name"]: f"{match['title']} {match['name']}" for match in _TITLED.finditer(note_text)}
        self._record = record
        medicines = {
            span.text: one.name
            for one in record.medications
            for span in one.spans
            if len(span.text) > 2 and one.concept_id
        }
        longest = "|".join(map(re.escape, sorted(medicines, key=len, reverse=True)))
        self._medicines = {written.lower(): name for written, name in medicines.items()}
        self._medicine = re.compile(rf"\b(?:{longest})\b", re.IGNORECASE) if medicines else None
        names = "|".join(map(re.escape, sorted(self._persons, key=len, reverse=True)))
        self._person = re.compile(rf"{_TITLED.pattern}|\b(?P<bare>{names})\b" if names else _TITLED.pattern)

    def sentences(self, text: str, start: int, section: SectionCategory) -> str:
        """A stretch of the note as sentences to the patient; empty where it is not read whole.

        Args:
            text: of the note.
            start: where it begins.
            section: that it stands in.
        """
        if section not in _PLANS | _ELSEWHERE or "?" in text or is_letterhead(text, section):
            return ""
        help_at = return_sentences(text, start, self._said, self._is_plain)
        if help_at or len(text.split()) > _LONGEST:
            return help_at
        slots = slots_of(text, self._named(text, start), self._twelfths)
        if slots is None:
            return ""
        if any(one.event == "begin" for one in slots.slots) and not self._follows_medicine(start):
            return ""  # what is to be started is not known
        return plan_sentences(slots, self._patient, planned=section in _PLANS)

    def plans(self, text: str, start: int, section: SectionCategory) -> bool:
        """Whether a stretch that is no sentence says what is to come: an item of a plan, read whole or not."""
        if self.sentences(text, start, section):
            return True
        if section is SectionCategory.ASSESSMENT:
            return names_help(text) and len(text.split()) <= _LONGEST
        if section not in _ELSEWHERE or len(text.split()) > _LONGEST or has_finite_verb(text):
            return False
        return names_plan(text) or names_help(text)

    def _medicine_as_written(self, text: str) -> str:
        """The name of a medicine that a note writes out in small letters, or what it is called."""
        name = self._medicines[text.lower()].lower()
        return text if text.islower() and text[:_SHORTENED] != name[:_SHORTENED] and len(text) > _SHORTENED else name

    def _follows_medicine(self, start: int) -> bool:
        """Whether the sentences of the same paragraph before a place name a medicine, and one alone."""
        paragraph = self._note[self._note.rfind("\n", 0, start) + 1 : start]
        named = (
            {self._medicines[one[0].lower()] for one in self._medicine.finditer(paragraph)} if self._medicine else ()
        )
        return len(named) == 1

    def _named(self, text: str, start: int) -> list[Named]:
        found = [Named(*match.span(), "who", self._whole(match)) for match in self._person.finditer(text)]
        if self._medicine is not None and _AWAITED.match(text) is None:
            found += [
                Named(*match.span(), "medicine", self._medicine_as_written(match[0]))
                for match in self._medicine.finditer(text)
            ]
        found += self._short(text)
        end = start + len(text)
        for one in self._record.statements:
            if not isinstance(one, ProblemStatement | ProcedureStatement):
                continue
            for span in one.spans:
                if span.note_id or not start <= span.start_char < end:
                    continue
                place = span.start_char - start, span.end_char - start
                said = _LEADING.sub("", " ".join(self._said(span.text, span.start_char).split()))
                if isinstance(one, ProblemStatement):
                    found.append(Named(*place, "why", f"the {said}" if span.text.islower() else said))
                elif not lists()["tests"].isdisjoint(span.text.lower().split()):
                    found.append(Named(*place, "test", f"{'an' if said[:1].lower() in 'aeiou' else 'a'} {said}"))
        return [*found, *self._awaited(text)]

    def _awaited(self, text: str) -> Iterator[Named]:
        """Yield the tests that a list of awaited results names, which a patient needs to know by their names."""
        head = _AWAITED.match(text)
        for match in _ENTRY.finditer(text, head.end()) if head is not None else ():
            yield Named(*match.span(1), "test", " ".join(match[1].split()))

    def _short(self, text: str) -> Iterator[Named]:
        """Yield medicines that the note writes short where it says that they are taken: "no driving on oxy"."""
        for match in _TAKEN.finditer(text):
            names = {
                name.lower() for name in self._medicines.values() if name.lower().startswith(match["name"].lower())
            }
            if len(names) == 1:
                yield Named(*match.span("name"), "medicine", names.pop())

    def _whole(self, match: re.Match[str]) -> str:
        held = match.groupdict()
        return self._persons[held["bare"]] if held.get("bare") else f"{match['title']} {match['name']}"
