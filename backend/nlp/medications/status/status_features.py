"""What is known of a named medicine and bears on its status: the named features that the scorer weighs.

Evidence of all kinds side by side: the trigger that governs it, its section, list and the note's setting, the words of its line
on both sides, its route and dose, what the attributes engine says, and what the note tells of the same medicine elsewhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from backend.nlp.attributes.seam import SpanAttributes
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.medications.medicine_names import MedicineWord, medicine_words
from backend.nlp.medications.medicine_runs import StatedMedicine
from backend.nlp.scoring.evidence import Evidence
from backend.nlp.scoring.word_kinds import word_kinds
from backend.nlp.scoring.words_beside import Named, WordsBeside
from backend.schemas.record import Experiencer, Setting

_NEAR = 6
"""Statements of the same medicine elsewhere that are looked at."""


def status_evidence(
    note: ParsedNote, stated: Sequence[StatedMedicine], attributes: Sequence[SpanAttributes], setting: Setting
) -> Evidence:
    """What bears on the status of each medicine.

    Args:
        note: the parsed note.
        stated: its medicines, in order of place.
        attributes: of each of them.
        setting: where the note was written.
    """
    reader = _Reader(note, stated, attributes, setting)
    features = tuple(tuple(dict.fromkeys(reader.of(at))) for at in range(len(stated)))
    return Evidence(features, tuple(reader.bond(at) for at in range(len(stated) - 1)))


class _Reader:
    def __init__(
        self, note: ParsedNote, stated: Sequence[StatedMedicine], attributes: Sequence[SpanAttributes], setting: Setting
    ) -> None:
        self._note, self._stated, self._attributes, self._setting = note, stated, attributes, setting
        dosed = {i for one in stated for d in one.dosages for i in range(d.first, d.last)}
        self._spans = [Named(one.named.first, one.named.last, one.named.start_char) for one in stated]
        self._beside = WordsBeside(note, self._spans, word_kinds("medications/words_status"), dosed)
        self._events = [_event(one) for one in stated]
        self._places: dict[str, list[int]] = {}
        for at, one in enumerate(stated):
            self._places.setdefault(one.named.name.lower(), []).append(at)

    def of(self, at: int) -> Iterable[str]:
        """The features of one medicine; some twice."""
        said = self._beside.said(self._spans[at], self._stated[at].context.section.value)
        return chain(self._context(at), said, self._own(at), self._elsewhere(at))

    def bond(self, at: int) -> str:
        """What parts a medicine from the next."""
        return self._beside.bond(self._spans[at], self._spans[at + 1])

    def _context(self, at: int) -> Iterator[str]:
        one = self._stated[at]
        context, event = one.context, self._events[at]
        told = [
            f"section:{context.section.value}",
            f"setting:{self._setting.value}",
            *(f"told:{t}" for t in context.settings),
        ]
        if context.list_event:
            told.append(f"list:{context.list_event}")
        told += [
            name
            for name, holds in (("infused", context.infused), ("ordered", context.ordered), ("dated", one.dated))
            if holds
        ]
        yield f"event:{event}"
        for name in told:
            yield name
            yield f"{name}:event:{event}"
        if one.governing is not None:
            yield f"event:{event}:{'before' if one.governing.trigger.last <= one.named.first else 'after'}"
        yield from self._beside.title(self._spans[at])

    def _own(self, at: int) -> Iterator[str]:
        one, attribute, kinds = self._stated[at], self._attributes[at], medicine_words()
        yield f"kind:{one.named.category.value}"
        words = {*one.named.name.lower().split(), *self._note.words[one.named.first : one.named.last]}
        for kind in (MedicineWord.HOSPITAL_ONLY, MedicineWord.HOSPITAL_OFTEN):
            if not kinds[kind].isdisjoint(words):
                yield f"is:{kind.value}"
        if not one.named.recognised:
            yield "unknown"
        for d in (found.dosage for found in one.dosages):
            yield f"route:{d.route or 'none'}"
            yield f"timing:{d.timing or 'none'}"
            yield "dosed" if d.dose is not None or d.quantity is not None else "undosed"
            if d.as_needed:
                yield "as_needed"
        if not one.dosages:
            yield "no_dosage"
        for name, holds in (
            ("negated", attribute.negated), ("hypothetical", attribute.hypothetical),
            ("historical", attribute.historical), ("uncertain", attribute.uncertain),
        ):  # fmt: skip
            if holds:
                yield f"attribute:{name}"
        if attribute.experiencer is not Experiencer.PATIENT:
            yield f"whose:{attribute.experiencer.value}"

    def _elsewhere(self, at: int) -> Iterator[str]:
        """What governs the medicines beside it, and the same one elsewhere."""
        one = self._stated[at]
        for name, other in (("previous", at - 1), ("next", at + 1)):
            if 0 <= other < len(self._stated) and self._stated[other].context.section is one.context.section:
                yield f"{name}:{self._events[other]}"
        for place in self._places[one.named.name.lower()][:_NEAR]:
            if place != at:
                when, same = ("later" if place > at else "earlier"), self._stated[place]
                yield f"{when}:{self._events[place]}"
                yield f"{when}:section:{same.context.section.value}"


def _event(one: StatedMedicine) -> str:
    return one.governing.event if one.governing is not None and one.governing.event else "none"
