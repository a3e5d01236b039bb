"""The review of the knowledge by a hospital's clinicians: what is reviewed, by whom, and a new decision.

A change is tried before it is kept: it must read, and break no rule that the knowledge does not break already.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from backend import __version__
from backend.errors import InputError, KnowledgeError, NotFoundError
from backend.knowledge.review.decisions import OF_TABLES, Decision, DecisionJournal, Verdict, undoable
from backend.knowledge.review.decisions import standing as decided_by
from backend.knowledge.review.items import Kind, ReviewItem, review_items
from backend.knowledge.review.own_chapters import HANDBOOK, own_chapter, own_chapters
from backend.knowledge.review.reviewed_folder import changed_files, difference, reviewed_folder
from backend.knowledge.starter import read_starter
from backend.knowledge.starter_check import breaches

FOLDER = "knowledge"
Clock = Callable[[], datetime]


def now() -> datetime:
    """The time, with its zone."""
    return datetime.now(UTC)


class State(StrEnum):
    """How an item stands. outdated: the text is another than the one that was reviewed."""

    UNREVIEWED = "unreviewed"
    ACCEPTED = "accepted"
    CHANGED = "changed"
    REFUSED = "refused"
    SIGNED = "signed"
    ADDED = "added"
    OUTDATED = "outdated"


class Reviewed(NamedTuple):
    """An item with the decision that counts, None where nobody has decided."""

    item: ReviewItem
    decision: Decision | None

    @property
    def state(self) -> State:
        """How it stands."""
        if self.decision is None:
            return State.UNREVIEWED
        return State(self.decision.verdict) if self.decision.digest == self.item.digest else State.OUTDATED


class KnowledgeReview:
    """The review of one knowledge folder.

    Args:
        shipped: the knowledge as it ships.
        data: the data folder, which holds the journal and the reviewed knowledge.
        clock: tells the time of a decision.
    """

    def __init__(self, shipped: Path, data: Path, clock: Clock = now) -> None:
        self._shipped = shipped
        self._place = data / FOLDER
        self._journal = DecisionJournal(self._place)
        self._clock = clock

    def folder(self) -> Path:
        """Where the knowledge is to be read from: the shipped folder, or one with what was decided.

        Decisions that this version's knowledge cannot be read with are an error that names each, and what is wrong.
        """
        latest = self._journal.latest()
        return reviewed_folder(self._shipped, latest, self._place, lambda folder: self._read(folder, latest))

    def items(self) -> list[Reviewed]:
        """Every item with how it stands; chapters of the hospital's own last."""
        decided = self._journal.latest()
        return [Reviewed(item, decided.get(item.id)) for item in (*review_items(self._shipped), *own_chapters(decided))]

    def one(self, item: str) -> Reviewed:
        """One item.

        Raises:
            NotFoundError: no item has the id.
        """
        for one in self.items():
            if one.item.id == item:
                return one
        raise NotFoundError(
            f"The knowledge holds no item {item!r}. List them with: python -m backend knowledge review list"
        )

    def history(self, item: str) -> list[Decision]:
        """Every decision about an item, the first first."""
        return [one for one in self._journal.all() if one.item == item]

    def standing(self) -> dict[str, Decision]:
        """The decision that counts, by item."""
        return self._journal.latest()

    def journal(self) -> list[Decision]:
        """Every decision about everything, and what was done with the hospital's own tables, the last first."""
        return self._journal.all()[::-1]

    def orphans(self) -> list[Decision]:
        """Decisions about rows that the knowledge holds no more, or in other words."""
        known = {item.id for item in review_items(self._shipped)}
        gone = [one for name, one in self._journal.latest().items() if name not in known]
        return [one for one in gone if one.verdict is not Verdict.ADDED and one.verdict not in OF_TABLES]

    def decide(
        self, item: str, verdict: Verdict, reviewer: str, text: str = "", reason: str = "", sources: str = ""
    ) -> Decision:
        """Keep a decision. It holds from the next start on.

        Args:
            item: id of the chapter or row; of a chapter that is added, its own.
            verdict: what is decided.
            reviewer: who decides.
            text: what stands in its place, of a change: a whole chapter, or a whole row; a whole chapter that is added.
            reason: why, as the reviewer says it.
            sources: what the reviewer consulted.

        Raises:
            InputError: a change without a text, a text that the knowledge cannot be read with or that breaks one of its rules, a
                signature of what is no standing instruction, a withdrawal of nothing, or no reviewer.
        """
        if verdict is Verdict.UNDONE:
            return self.undo(item, reviewer, reason)
        if verdict in OF_TABLES:
            raise InputError(f"{verdict} is said of the hospital's own tables. Install or remove them as such.")
        text = text.strip("\n")
        found = self._own(item, text) if verdict is Verdict.ADDED else self.one(item)
        if not reviewer.strip():
            raise InputError("A decision needs the name of the clinician who makes it.")
        if verdict is Verdict.SIGNED and found.item.kind is not Kind.STANDING:
            raise InputError(f"{item} is no standing instruction. Accept it, change it or refuse it.")
        if verdict is Verdict.WITHDRAWN and found.decision is None:
            raise InputError(f"Nobody has decided about {item}, so nothing can be withdrawn.")
        if found.item.file == HANDBOOK and verdict not in (Verdict.ADDED, Verdict.WITHDRAWN):
            raise InputError(f"{item} is the hospital's own chapter. Add it again to change it, or withdraw it.")
        if (verdict in (Verdict.CHANGED, Verdict.ADDED)) != bool(text.strip()):
            raise InputError("A change needs the new text, and no other decision has one.")
        decision = Decision(
            item=item,
            verdict=verdict,
            reviewer=reviewer.strip(),
            at=self._clock(),
            version=__version__,
            digest=found.item.digest,
            text=text,
            reason=reason.strip(),
            sources=sources.strip(),
        )
        if verdict in (Verdict.CHANGED, Verdict.REFUSED, Verdict.ADDED):
            self._try(decision)
        self._journal.add(decision)
        return decision

    def undo(self, item: str, reviewer: str, reason: str = "") -> Decision:
        """Take back the last decision about an item that counts: the one before it holds again, if there was one.

        Args:
            item: its id.
            reviewer: who takes it back.
            reason: why.

        Raises:
            NotFoundError: nobody has decided about such an item.
            InputError: nothing is left to take back, what held before cannot be read any more, or no reviewer.
        """
        before = self.history(item)
        if not before or before[0].verdict in OF_TABLES:
            raise NotFoundError(
                f"Nobody has decided about {item!r}. List decisions: python -m backend knowledge review journal"
            )
        if not reviewer.strip():
            raise InputError("A decision needs the name of the clinician who makes it.")
        decision = Decision(
            item=item,
            verdict=Verdict.UNDONE,
            reviewer=reviewer.strip(),
            at=self._clock(),
            version=__version__,
            digest=before[-1].digest,
            reason=reason.strip(),
        )
        everything = self._journal.all()
        if not undoable(before):
            raise InputError(f"Every decision about {item} is taken back already.")
        after = decided_by([*everything, decision])
        with tempfile.TemporaryDirectory() as place:
            try:
                _broken(reviewed_folder(self._shipped, after, Path(place)))
            except KnowledgeError as error:
                raise InputError(f"The knowledge cannot be read with what was decided before: {error}") from None
        self._journal.add(decision)
        return decision

    def add(self, text: str, reviewer: str, reason: str = "", sources: str = "") -> Decision:
        """Keep a chapter of the hospital's own; one of the same name takes its place.

        Args:
            text: the whole chapter, as in the handbook, its warning signs as lines `level: sign`.
            reviewer: who adds it.
            reason: why.
            sources: what the reviewer consulted.

        It must be of a concept that the knowledge has and tells no chapter of, and read by its rules, as for every decision.
        """
        return self.decide(own_chapter(text).id, Verdict.ADDED, reviewer, text, reason, sources)

    def _own(self, item: str, text: str) -> Reviewed:
        own = own_chapter(text)
        if own.id != item:
            raise InputError(f"The chapter is of {own.title!r}, so its id is {own.id}, not {item}.")
        if any(one.id == own.id for one in review_items(self._shipped)):
            raise InputError(f"The knowledge has a chapter of {own.title!r}. Change it instead.")
        return Reviewed(own, self._journal.latest().get(own.id))

    def difference(self) -> str:
        """What the decisions change, as a unified diff against the shipped files."""
        return difference(self._shipped, self._journal.latest())

    def signed(self) -> frozenset[str]:
        """Ids of the standing instructions that were signed and still read as they did then."""
        if not self._journal.latest():
            return frozenset()  # nothing is read anew where nobody has decided
        prefix = f"{Kind.STANDING}/"
        return frozenset(one.item.id.removeprefix(prefix) for one in self.items() if one.state is State.SIGNED)

    def chapters(self) -> dict[str, str]:
        """Who reviewed a chapter and when, in words, by the chapter's name in small letters; only what still reads as it did."""
        told: dict[str, str] = {}
        for one in self.items() if self._journal.latest() else ():
            if (
                one.decision
                and one.item.kind is Kind.CHAPTER
                and one.state in (State.ACCEPTED, State.CHANGED, State.ADDED)
            ):
                told[one.item.title.lower()] = f"reviewed by {one.decision.reviewer} on {one.decision.at:%Y-%m-%d}"
        return told

    def _read(self, folder: Path, decisions: Mapping[str, Decision]) -> None:
        """Read a folder before it is used, so that a decision of an older version is named."""
        try:
            _broken(folder)
        except KnowledgeError as error:
            wrong = [told for item, one in decisions.items() if (told := self._alone(item, one))]
            raise KnowledgeError(
                f"This version's knowledge cannot be read with what was decided: {'; '.join(wrong) or error} "
                "Decide anew, or withdraw with: python -m backend knowledge review withdraw ID --reviewer NAME"
            ) from None

    def _alone(self, item: str, decision: Decision) -> str:
        """What is wrong with one decision, by whom it is; empty where nothing is."""
        with tempfile.TemporaryDirectory() as place:
            try:
                _broken(reviewed_folder(self._shipped, {item: decision}, Path(place)))
            except (KnowledgeError, InputError) as error:
                return f"{item} ({decision.verdict} by {decision.reviewer}, {decision.at:%Y-%m-%d}): {error}"
        return ""

    def _try(self, decision: Decision) -> None:
        latest = self._journal.latest()
        if not changed_files(self._shipped, {decision.item: decision}):
            raise InputError(f"{decision.item} would read as it does now. Accept it instead.")
        with tempfile.TemporaryDirectory() as place:
            tried = reviewed_folder(self._shipped, {**latest, decision.item: decision}, Path(place))
            before = reviewed_folder(self._shipped, latest, Path(place) / "before")
            try:
                new = _broken(tried)
            except KnowledgeError as error:
                raise InputError(f"The knowledge cannot be read with this change: {error}") from None
            if decision.verdict is not Verdict.REFUSED and (more := [one for one in new if one not in _broken(before)]):
                raise InputError(f"This change breaks a rule of the knowledge: {more[0]}")


def counted(items: Sequence[Reviewed]) -> dict[str, dict[str, int]]:
    """How many items of each kind stand how."""
    table: dict[str, dict[str, int]] = {}
    for one in items:
        row = table.setdefault(one.item.kind.value, {state.value: 0 for state in State})
        row[one.state.value] += 1
    return table


def chosen(items: Sequence[Reviewed], kind: str = "", state: str = "", words: str = "") -> list[Reviewed]:
    """Those of a kind and state whose text holds all words; an empty argument chooses all."""
    wanted = words.lower().split()
    return [
        one
        for one in items
        if kind in ("", one.item.kind.value)
        and state in ("", one.state.value)
        and all(word in f"{one.item.id} {one.item.title} {one.item.text}".lower() for word in wanted)
    ]


def as_json(one: Reviewed, whole: bool = False) -> dict[str, object]:
    """An item for a program. whole: with its text and cells."""
    decision: Mapping[str, object] = one.decision.model_dump(mode="json") if one.decision else {}
    row: dict[str, object] = {
        "id": one.item.id,
        "kind": one.item.kind.value,
        "title": one.item.title,
        "state": one.state.value,
        "reviewer": decision.get("reviewer", ""),
        "date": str(decision.get("at", ""))[:10],
        "version": decision.get("version", ""),
        "sources": decision.get("sources", ""),
    }
    if whole:
        changed = str(decision.get("text", ""))
        row |= {
            "text": one.item.text,
            "cells": one.item.cells,
            "changed_text": changed,
            "reason": decision.get("reason", ""),
            "file": one.item.file,
            "line": one.item.line,
        }
    return row


def _broken(folder: Path) -> list[str]:
    return [f"{where.system}: {what}" for where, what in breaches(read_starter(folder))]
