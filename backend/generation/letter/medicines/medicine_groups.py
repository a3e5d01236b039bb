"""Medicines by ingredient: the statements of a record, and the entries of a list, that are of one medicine.

A brand is its generic and a UK name its US one, since the lexicon gives both one concept; a combination has the ingredients of
its name. An unknown name is a medicine of its own. What is put on the skin or into eye, ear or nose is another medicine than the
same ingredient swallowed.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.generation.letter.medicines.stated.beside_words import said_beside
from backend.generation.letter.medicines.stated.entry_texts import entry_texts, heading_in, label_of
from backend.generation.letter.medicines.stated.regimens import is_stepped, regimens_of, repeated_once
from backend.interfaces import Linker
from backend.nlp.document.tokens import tokens
from backend.nlp.measures.timing import are_parts_of_day
from backend.nlp.measures.units import NUMBER_WORDS, is_time
from backend.nlp.medications.lists.entry_remarks import Remark, entry_remarks, may_turn
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.note import Mention
from backend.schemas.record import Experiencer, MedicationCategory, MedicationStatement, MedicationStatus
from backend.schemas.vocabulary import Category

_LIST_HEADER = "Discharge medications:\n"
_LOCAL = frozenset({"topical", "nasal", "ophthalmic", "otic", "vaginal"})
_DRUGS = frozenset({Category.DRUG, Category.DRUG_CLASS, Category.SUBSTANCE})
_UNTIL = re.compile(
    r",?\s+(?:until|till|through)\s+(?P<day>\d{1,2}(?:st|nd|rd|th)?(?:[ /.-](?:[A-Z][a-z]{2,8}|\d{1,2}))(?:[ /.-]\d{2,4})?\b|[A-Z][a-z]{2,8}(?: \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?)?\b)"
)
"""The day on which a course ends."""
_DURATION = re.compile(
    r"\W{0,3}(?P<words>(?:for|x|\u00d7)\s?(?:the next |another |a total of )?(?P<n>\d+(?:-\d+)?|[a-z]+)\s?(?P<more>more )?(?P<unit>[a-z]+))\b",
    re.IGNORECASE,
)
_BARE_DURATION = re.compile(
    r",?\s+(?P<words>(?P<n>\d+)\s(?P<unit>[a-z]+))(?:\s(?:only|total))?(?=\s*(?:[,;.)\n]|$))", re.IGNORECASE
)
_NUMBERING = re.compile(r"^\s*(?:[-*\u2022]\s*)?(?:\d{1,2}[.)]\s+)?")
_FEW_LETTERS = 5
_STEM = 8
"""First letters of words that are one word in two forms."""
_PLACED = re.compile(r" (?P<place>[A-Za-z]+) (?P<form>[A-Za-z]+)\b")


class Medicine(NamedTuple):
    """One medicine of a note or of a list.

    Attributes:
        ingredients: concept ids, or the name in small letters where no lexicon knows it.
        local: the route that makes it another medicine than the same ingredient swallowed; else empty.
        statements: those of the record that are of it.
        name: as a patient reads it: "Lasix (furosemide)".
        course: steps of one prescription ("40 mg for 3 days, then 20 mg"), or of two in turn ("alternating with"), as the note has them.
        further: what an entry says beyond name and dosage ("for 5 days"), or how long, where the note says so.
        entry: the number of the list's entry, None for the note.
        written: the entry's own words.
        decision: what an entry's own remarks decide ("(new)", "- hold until seen"); detail: the words behind.
        unclear: whether an entry says something that was not read and may change what is to be done.
        category: of the lexicon, None for an unknown name.
    """

    ingredients: frozenset[str]
    local: str
    statements: tuple[MedicationStatement, ...]
    name: str
    further: str = ""
    entry: int | None = None
    written: str = ""
    decision: Remark | None = None
    detail: str = ""
    unclear: bool = False
    category: Category | None = None
    course: str = ""

    @property
    def recognised(self) -> bool:
        """Whether the lexicon knows it."""
        return all(one.recognised for one in self.statements) and bool(self.statements)

    @property
    def concept_id(self) -> str | None:
        """The lexicon's concept, or None."""
        return next((one.concept_id for one in self.statements if one.concept_id), None)

    @property
    def is_class(self) -> bool:
        """Whether it is named by its class alone ("water pill"), known or not ("diabetic medication")."""
        if self.category is not None or self.concept_id is not None or not self.statements:
            return self.category is Category.DRUG_CLASS
        words = tokens(self.statements[0].name).words
        return bool(words) and words[-1] in word_lists("letter/words_medicines")["kind"]

    def is_same(self, other: "Medicine") -> bool:
        """Whether both hold the same ingredients for the same place."""
        return self.ingredients == other.ingredients and self.local == other.local

    def shares(self, other: "Medicine") -> bool:
        """Whether one of several ingredients is the same."""
        return self.local == other.local and bool(self.ingredients & other.ingredients)

    def narrows(self, other: "Medicine") -> bool:
        """Whether the other's name says more exactly what this one's says: insulin, insulin glargine."""
        own, theirs = self._words(), other._words()
        return self.recognised and other.recognised and self.local == other.local and own < theirs

    def _words(self) -> frozenset[str]:
        return frozenset(self.statements[0].name.lower().split()) if self.statements else frozenset()


class MedicineReader:
    """Reads medicines out of a record and out of the entries of a list. Use one a draft.

    Args:
        linker: reads names and entries.
        note_text: the note's, for what stands between a name and its dose ("XL") and how long it is taken; may be empty.
    """

    def __init__(self, linker: Linker, note_text: str = "") -> None:
        self._linker = linker
        self._text = note_text
        self._mentions: dict[str, Mention | None] = {}

    def of_note(self, statements: Sequence[MedicationStatement]) -> list[Medicine]:
        """The patient's medicines of a record, in order of place."""
        groups: dict[tuple[frozenset[str], str], list[MedicationStatement]] = {}
        own = [one for one in statements if one.experiencer is Experiencer.PATIENT]
        for one in own:
            groups.setdefault((self._ingredients(one), _local(one)), []).append(one)
        for (ingredients, local), held in list(groups.items()):
            # a mention without a route is of the medicine that has one, where there is only that one
            others = [key for key in groups if key[0] == ingredients and key[1]]
            if not local and len(others) == 1 and not any(one.dosage.route or one.dosage.dose for one in held):
                groups[others[0]] += groups.pop((ingredients, local))
        starts = sorted(one.spans[0].start_char for one in statements if one.spans)
        made = [self._medicine(key, held, self._text) for key, held in groups.items()]
        return [self._with_what_is_beside(one, statements, starts) for one in made]

    def _with_what_is_beside(
        self, one: Medicine, everyone: Sequence[MedicationStatement], starts: Sequence[int]
    ) -> Medicine:
        beside = said_beside(one.statements, everyone, self._text)
        undosed = not any(own.dosage.text for own in one.statements)
        course = next((own.course for own in one.statements if undosed and _is_behind(own, one.name)), "")
        further = ", ".join(part for part in (one.further, course, beside) if part)
        return one._replace(course=_course(one.statements, self._text, starts), further=further)

    def of_list(self, entries: Sequence[str]) -> list[Medicine]:
        """The medicines of the entries of a list; an entry in which none is read is an unknown one, in its own words."""
        found: list[Medicine] = []
        for number, entry in enumerate(entries):
            written = _NUMBERING.sub("", " ".join(entry.split()))
            if written:
                found += self._of_entry(written, number)
        return found

    def _of_entry(self, written: str, number: int) -> list[Medicine]:
        text = f"{_LIST_HEADER}{written}"
        record = self._linker.read(text).record
        statements = [one for one in (record.medications if record else ()) if one.spans]
        statements = [one for one in statements if one.spans[0].start_char >= len(_LIST_HEADER)]
        statements = [one for one in statements if one.recognised] or statements
        if not statements:  # nothing that the reader takes for a medicine: "avoid ibuprofen", "same as before"
            one = MedicationStatement(id=f"entry-{number}", concept_id=None, name=written, recognised=False)
            own = frozenset({written.lower()})
            return [Medicine(own, "", (one,), written, entry=number, written=written, unclear=True)]
        return [one._replace(entry=number) for one in self._entries(text, len(_LIST_HEADER), len(text), statements)]

    def of_note_list(self, statements: Sequence[MedicationStatement]) -> list[Medicine]:
        """The entries of a discharge list of the note itself, in order of place.

        Args:
            statements: of that list, of any status; what is only named in a remark on another is none.
        """
        if not self._text:
            return self.of_note(statements)
        lines: dict[tuple[int, int], list[MedicationStatement]] = {}
        for one in sorted(statements, key=lambda one: one.spans[0].start_char):
            at = one.spans[0].start_char
            begin, end = self._text.rfind("\n", 0, at) + 1, self._text.find("\n", at)
            lines.setdefault((begin, end if end >= 0 else len(self._text)), []).append(one)
        found: list[Medicine] = []
        heading, last = "", min(begin for begin, _ in lines) if lines else 0
        for (begin, end), held in lines.items():
            heading = heading_in(self._text[last:begin]) or heading
            last = end
            for entry in self._entries(self._text, begin, end, held):
                doubtful = entry.decision is None and may_turn(heading)
                found.append(entry._replace(unclear=entry.unclear or doubtful))
        return found

    def _entries(
        self, text: str, first: int, last: int, statements: Sequence[MedicationStatement]
    ) -> Iterator[Medicine]:
        """The medicines of a line of a list, each with what the line says of it."""
        named = entry_texts(text, first, last, statements, lambda one: (self._ingredients(one), _local(one)))
        for key, held, written, beyond in named:
            if len({one.spans[0].start_char for one in held}) == 1:
                once = repeated_once(tuple(one.dosage for one in held))
                held = held if len(once) == len(held) else [held[0].model_copy(update={"dosage": once[0]})]
            medicine = self._medicine(key, held, text)._replace(written=written)
            said = entry_remarks(beyond, said=held[0].reason, label=label_of(held[0]))
            if is_stepped(tuple(one.dosage for one in held)):
                yield medicine._replace(further="", decision=said.decision, detail=said.detail)
                continue
            if len(held) > 1 and are_parts_of_day([one.dosage.timing for one in held]):
                yield medicine._replace(
                    decision=said.decision, detail=said.detail, further=said.further, unclear=said.unclear
                )
                continue
            if len(held) > 1 and said.decision is not Remark.CHANGED:  # "40 mg for 3 days, then 20 mg": a course
                further = written[written.find(held[0].spans[0].text) + len(held[0].spans[0].text) :].strip(" ,;:-")
                yield medicine._replace(further=further, unclear=said.unclear)
                continue
            before = held[1].dosage.text if len(held) > 1 else ""  # "changed, was 5 mg"
            yield medicine._replace(
                statements=(held[0],),
                decision=said.decision,
                detail=said.detail or before,
                further=said.further,
                unclear=said.unclear,
            )

    def _medicine(self, key: tuple[frozenset[str], str], held: Sequence[MedicationStatement], text: str) -> Medicine:
        # the fullest statement names it: a list says more than a word in the plan
        best = max(held, key=lambda one: (bool(one.dosage.text), one.certainty))
        mention = self._mention(best.name)
        return Medicine(
            key[0],
            key[1],
            tuple(held),
            self._name(best, text),
            "" if any(map(is_stepped, regimens_of(held))) else _longest(held, text),
            category=mention.category if mention and best.recognised else None,
        )

    def _ingredients(self, one: MedicationStatement) -> frozenset[str]:
        if not one.recognised:
            return frozenset({one.name.lower()})
        parts = [self._mention(name) for name in one.ingredients]
        if parts and all(part is not None and part.concept_id != one.concept_id for part in parts):
            return frozenset(part.concept_id for part in parts if part is not None)
        return frozenset({one.concept_id or one.name.lower()})

    def _name(self, one: MedicationStatement, text: str) -> str:
        """The name for a patient: the note's brand or national name beside the generic, with what kind of tablet it is."""
        generic = one.name
        if not one.spans or not one.recognised:
            return generic.rstrip(".")
        written = " ".join(one.spans[0].text.split())
        form = _form_behind(one, text)
        if generic.lower() in written.lower():
            at = written.lower().index(generic.lower())
            return f"{written[:at]}{generic}{written[at + len(generic) :]}{form}"
        mention = self._mention(written)
        if mention is not None and mention.concept_id == one.concept_id and _is_vague(mention):
            return f"{written[:1].lower()}{written[1:]}" if written[1:2].islower() else written
        own = mention is not None and mention.concept_id == one.concept_id
        if own and mention is not None and mention.category is Category.DRUG_CLASS:
            return _name_of_kind(written, generic)
        known = own and mention is not None and mention.score >= 1
        short = len(written) <= _FEW_LETTERS and written.isupper()
        if not known or short:
            return f"{generic}{form}"
        named, told = (frozenset(filter(str.isalnum, tokens(words).words)) for words in (written, generic))
        if told <= named or named <= told:
            return f"{written}{form}"  # "calcium and vitamin D" is what calcium-vitamin D says; "saline" says less, and stays
        return f"{written}{form} ({generic})"

    def _mention(self, name: str) -> Mention | None:
        """The medicine that a whole name is, or None; looked up once."""
        if name not in self._mentions:
            found = self._linker.link(name).note.mentions
            whole = [m for m in found if m.category in _DRUGS and m.end_char - m.start_char == len(name.strip())]
            self._mentions[name] = whole[0] if whole else None
        return self._mentions[name]


def _longest(held: Sequence[MedicationStatement], text: str) -> str:
    """How long it is taken, by the last statement that says so."""
    return next((words for one in reversed(held) if _is_open(one) and (words := _how_long(one, text))), "")


def _is_behind(one: MedicationStatement, name: str) -> bool:
    """Whether the words of a course that is begun stand behind the medicine, and are no part of its name: "dose pack", and not "burst of"."""
    told = one.course.lower()
    begun = one.status is MedicationStatus.INTENDED
    return begun and bool(told) and " of" not in told and told not in name.lower()


def _is_vague(mention: Mention) -> bool:
    """Whether words stand for a class, and not as its name or another name of it: "birth control pills"."""
    return mention.category is Category.DRUG_CLASS and mention.score < 1


def _name_of_kind(written: str, generic: str) -> str:
    """The name of a kind: the note's word, which may say less or more than the class that it is read as, with that class where it explains it."""
    if len(written) <= _FEW_LETTERS and written.isupper():
        initials = "".join(word[0] for word in re.split(r"[ -]", generic) if word)
        return generic if written.lower().startswith(initials.lower()) else written
    told, words = (tokens(one.replace("-", " ").lower()).words for one in (generic, written))
    if all(any(word.rstrip("s") in whole for whole in told) for word in words):
        return written  # "steroid cream"
    if any(word[:_STEM] == whole[:_STEM] and len(word) > _STEM for word in words for whole in told):
        return generic  # "immunosuppressive" names the same in another form
    return f"{written} ({generic})"


def _local(one: MedicationStatement) -> str:
    return one.dosage.route if one.dosage.route in _LOCAL else ""


def _form_behind(one: MedicationStatement, text: str) -> str:
    """` XL`: the words between name and dosage, where all of them say what kind of tablet it is."""
    end = one.spans[0].end_char
    stop = min((span.start_char for span in one.spans[1:] if span.start_char >= end), default=end)
    between = text[end:stop].replace("-", " ").split() if stop - end < 20 else []
    kinds = word_lists("letter/words_medicines")
    if between and all(word.lower().strip(",") in kinds["release"] for word in between):
        return " " + " ".join(word.strip(",") for word in between)
    placed = one.dosage.route or one.dosage.form
    found = None if placed else _PLACED.match(text, end)  # "saline nasal wash"
    told = found is not None and found["place"].lower() in kinds["place"] and found["form"].lower() in kinds["form"]
    return f" {found['place']} {found['form']}" if found is not None and told else ""


def _is_open(one: MedicationStatement) -> bool:
    """Whether a statement is of what is to be taken, at home."""
    going = (MedicationStatus.ACTIVE, MedicationStatus.INTENDED)
    return one.status in going and (one.category is not MedicationCategory.INPATIENT or one.change == "started")


def _how_long(one: MedicationStatement, text: str) -> str:
    """`for 5 days` or `until 14 Dec`, where the note says so right behind the dosage."""
    short = _SHORT_LENGTH.match(text, max(span.end_char for span in one.spans[:2])) if one.spans else None
    if short is not None and one.dosage.days and one.status is MedicationStatus.INTENDED:
        return f"for {short['n']} {_LENGTHS[short['of']]}{'s' if short['n'] != '1' else ''}"
    if not one.dosage.text or len(one.spans) < 2:
        return ""
    dosed = [span.end_char for span in one.spans[1:] if " ".join(span.text.split()) == one.dosage.text]
    until = _UNTIL.match(text, dosed[0]) if dosed else None
    if until is not None:
        return f"until {until['day']}"
    found = (_DURATION.match(text, dosed[0]) or _BARE_DURATION.match(text, dosed[0])) if dosed else None
    if found is None:
        counted = one.course and one.dosage.days and one.status is MedicationStatus.INTENDED
        return f"for {one.dosage.days:g} days" if counted else ""
    number = found["n"].replace("-", "").isdigit() or found["n"].lower() in NUMBER_WORDS
    words = " ".join(found["words"].split())
    return f"{'for ' if words[:1].isdigit() else ''}{words}" if is_time(found["unit"].lower()) and number else ""


def _course(held: Sequence[MedicationStatement], text: str, starts: Sequence[int]) -> str:
    """The steps of a prescription in the note's words; empty where it has no more than one.

    It goes from the name to the end of its sentence or the next name. "Alternating A and B every 3 hours" is told whole of both:
    how often each is taken stands nowhere.
    """
    kinds = word_lists("letter/words_medicines")
    if any(map(is_stepped, regimens_of(held))):
        return ""
    dosed = any(one.dosage.dose is not None for one in held)  # then turns without a dose are no steps
    for one in (one for one in held if _is_open(one) and (one.dosage.text or not dosed)):
        begin = one.spans[0].start_char if one.spans else len(text)
        worded = [span for span in one.spans[1:] if " ".join(span.text.split()) != one.dosage.text]
        turns = next((span.start_char for span in worded if set(span.text.lower().split()[:1]) & kinds["turns"]), None)
        if turns is not None:
            return _sentence_from(text, turns)
        stop = min((at for at in starts if at > begin), default=len(text))
        whole = _sentence_from(text, one.spans[0].end_char if one.spans else begin, stop).lstrip(" ,:-")
        words = tokens(whole).words
        at = next((i for i, word in enumerate(words) if word in kinds["sequence"]), len(words))
        counted = (
            any(word[:1].isdigit() or word in NUMBER_WORDS for word in part) for part in (words[:at], words[at:])
        )
        if one.dosage.text and all(counted):
            return whole
    return ""


_SHORT_LENGTH = re.compile(r"[ \w]{0,14}?\s(?:(?:for|x)\s*)?(?P<n>\d{1,2})\s?/\s?(?P<of>7|52|12)(?![\d/])")
_LENGTHS = {"7": "day", "52": "week", "12": "month"}
"""What a fraction of a British note counts: "for 3/7"."""
_SENTENCE_END = re.compile(r"\.(?=\s+[A-Z]|\s*$)|[;\n]")
_LONGEST_COURSE = 240


def _sentence_from(text: str, start: int, stop: int | None = None) -> str:
    stop = min(len(text) if stop is None else stop, start + _LONGEST_COURSE)
    end = next((m.start() for m in _SENTENCE_END.finditer(text, start, stop) if m.start() > start), stop)
    return re.sub(r"[\s,]+(?:and)?\s*$", "", " ".join(text[start:end].split()))
