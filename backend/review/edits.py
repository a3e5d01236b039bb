"""Edits applied to one version's content, with a record of each: replace, insert, delete, restore, judge a condition.

Nothing is lost by an edit: a rewritten sentence keeps its earlier texts and their writers, a deleted one stays in the
list, marked. This is pure; the layout and the checks that follow are in `recheck`.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from backend.errors import InputError
from backend.review.case_content import GAP, live
from backend.review.recheck import EDITED, LEFT
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.patients.saved_case import (
    EarlierText,
    Edit,
    EditKind,
    EditRecord,
    Provenance,
    ReviewedSentence,
    VersionContent,
    WriterKind,
)
from backend.schemas.vocabulary import Basis, ConditionStatus, Support

BY_A_PERSON = "deleted by a person"
OWN_SECTION = "Added by the team"


class Edited(NamedTuple):
    """changed: ids of the sentences whose text a person has just written."""

    content: VersionContent
    records: tuple[EditRecord, ...]
    changed: frozenset[str]


def applied(
    content: VersionContent,
    edits: Sequence[Edit],
    version: int,
    at: datetime,
    evidence: Evidence,
    contents: Callable[[int], VersionContent],
) -> Edited:
    """All edits in their order, or none.

    An index counts the sentences as they were before the first of these edits.

    Args:
        content: of the version that the edits were made for.
        edits: in the order they are made.
        version: the number of that version; the new one is version + 1.
        at: when they are made.
        evidence: of the draft; citations must be in it.
        contents: gives an earlier version's content.

    Raises:
        InputError: an edit cannot be made; the message gives its place, never its text.
    """
    working = _Working(content, version, at, evidence, contents)
    for place, edit in enumerate(edits):
        try:
            working.make(edit)
        except InputError as error:
            raise InputError(f"Edit {place} ({edit.kind.value}): {error} Nothing was saved.") from None
    return working.result()


class _Working:
    """One version while its edits are made; sentences are replaced, never removed."""

    def __init__(
        self,
        content: VersionContent,
        version: int,
        at: datetime,
        evidence: Evidence,
        contents: Callable[[int], VersionContent],
    ) -> None:
        self._content = content
        self._sentences = list(content.sentences)
        self._conditions = list(content.conditions)
        self._by_index = [s.id for s in live(content.sentences)]
        self._next = content.next_sentence
        self._version, self._at, self._contents = version, at, contents
        groups = (evidence.paths, evidence.graph, evidence.passages, evidence.notes)
        self._citable = frozenset(item.id for group in groups for item in group)
        self._records: list[EditRecord] = []
        self._changed: set[str] = set()
        self._inserted: set[str] = set()

    def make(self, edit: Edit) -> None:
        match edit.kind:
            case EditKind.REPLACE:
                self._replace(edit)
            case EditKind.INSERT_AFTER:
                self._insert(edit, _given(edit))
            case EditKind.NOTE_GAP:
                self._insert(edit, f"[team to complete: {_given(edit).strip('[] ')}]")
            case EditKind.DELETE:
                sentence = self._live(edit)
                self._put(sentence.model_copy(update={"deleted": True, "deleted_reason": BY_A_PERSON}))
                self._record(edit, sentence.id, earlier=sentence.text)
            case EditKind.RESTORE:
                self._restore(edit)
            case EditKind.CONFIRM_CONDITION:
                self._judge(edit, ConditionStatus.CONFIRMED)
            case EditKind.RULE_OUT_CONDITION:
                self._judge(edit, ConditionStatus.RULED_OUT)

    def result(self) -> Edited:
        new = {"sentences": tuple(self._sentences), "conditions": tuple(self._conditions), "next_sentence": self._next}
        return Edited(self._content.model_copy(update=new), tuple(self._records), frozenset(self._changed))

    def _replace(self, edit: Edit) -> None:
        sentence, text = self._live(edit), _given(edit)
        citations = sentence.citations if edit.citations is None else self._known(edit.citations)
        if text == sentence.text and citations == sentence.citations:
            raise InputError("the sentence already reads like this.")
        basis = sentence.basis
        if basis == Basis.PATIENT and not any(c.startswith("N") for c in citations):
            basis = Basis.GENERAL  # a sentence about the patient must cite the patient's notes
        update = {"basis": basis, "citations": citations} | self._by_person(edit, text)
        if text == sentence.text:
            update["written_by"] = sentence.written_by  # other citations make nobody the writer of the words
        else:
            update["earlier"] = with_earlier(sentence, self._version)
        self._put(sentence.model_copy(update=update))
        self._changed.add(sentence.id)
        self._record(edit, sentence.id, earlier=sentence.text)

    def _insert(self, edit: Edit, text: str) -> None:
        place, section = self._place(edit)
        citations = self._known(edit.citations or ())
        written = ReviewedSentence(
            id=f"S{self._next}",
            section=section,
            start_char=0,
            end_char=0,
            basis=Basis.PATIENT if any(c.startswith("N") for c in citations) else Basis.GENERAL,
            citations=citations,
            **self._by_person(edit, text),
        )
        self._next += 1
        self._sentences.insert(place, written)
        self._inserted.add(written.id)
        self._changed.add(written.id)
        self._record(edit, written.id, text=text)

    def _place(self, edit: Edit) -> tuple[int, str]:
        """Where a new sentence goes, and its section. Those inserted at one place keep the order they were sent in."""
        if edit.sentence is not None:
            after = self._live(edit)
            place, section = self._index(after.id) + 1, edit.section or after.section
        elif edit.section:
            inside = [i for i, s in enumerate(self._sentences) if s.section == edit.section]
            place, section = (inside[-1] + 1 if inside else len(self._sentences)), edit.section
        else:
            now = live(self._sentences)
            place, section = 0, now[0].section if now else OWN_SECTION
        while place < len(self._sentences) and self._sentences[place].id in self._inserted:
            place += 1
        return place, section

    def _restore(self, edit: Edit) -> None:
        if edit.to_version is not None and edit.to_version > self._version:
            raise InputError(f"there is no version {edit.to_version} to go back to; the newest is {self._version}.")
        if edit.sentence is not None:
            sentence = self._any(edit)
            versions = [edit.to_version] if edit.to_version else range(self._version, 0, -1)
            found = restored_sentence(sentence, self._version, versions, self._contents)
            if found is None:
                raise InputError("the sentence has nothing different to go back to.")
            back, number = found
            self._put(back)
            self._record(edit, sentence.id, text=back.text, earlier=sentence.text, to_version=number)
            return
        to = edit.to_version or self._version - 1
        if to < 1:
            raise InputError("version 1 has nothing before it to restore.")
        then = self._contents(to)
        self._sentences = restored_version(self._sentences, self._version, then)
        self._conditions = list(then.conditions)
        self._record(edit, None, to_version=to)

    def _judge(self, edit: Edit, status: ConditionStatus) -> None:
        concept = edit.concept_id or edit.text.strip()
        if edit.sentence is not None and not concept:
            concept = self._any(edit).rests_on or ""
        place = next((i for i, c in enumerate(self._conditions) if c.concept_id == concept), None)
        if place is None:
            raise InputError("give concept_id, one of the draft's conditions, or a sentence that rests on one.")
        self._conditions[place] = self._conditions[place].model_copy(update={"status": status})
        self._sentences = [judged(s, concept, status) for s in self._sentences]
        self._record(edit, self._any(edit).id if edit.sentence is not None else None, concept=concept)

    def _by_person(self, edit: Edit, text: str) -> dict[str, Any]:
        written_by = Provenance(kind=WriterKind.PERSON, name=edit.author, version=self._version + 1, at=self._at)
        mark: dict[str, Any] = {"support": Support.NOT_SCORED, "support_score": None, "uncertainty": None}
        return {"text": text, "written_by": written_by, "reason": LEFT if GAP.search(text) else EDITED, **mark}

    def _known(self, citations: Sequence[str]) -> tuple[str, ...]:
        for citation in citations:
            if citation not in self._citable:
                raise InputError(f"the draft has no evidence {citation[:12]!r} to cite.")
        return tuple(dict.fromkeys(citations))

    def _any(self, edit: Edit) -> ReviewedSentence:
        """The sentence an edit names, deleted or not.

        Raises:
            InputError: it names none, or one that is not there.
        """
        name = edit.sentence
        if name is None:
            raise InputError("name a sentence by its index or its id.")
        if isinstance(name, int):
            if name >= (count := len(self._by_index)):
                raise InputError(f"version {self._version} has {count} sentences, counted from 0; there is no {name}.")
            name = self._by_index[name]
        found = next((s for s in self._sentences if s.id == name), None)
        if found is None:
            raise InputError(f"there is no sentence {name}.")
        return found

    def _live(self, edit: Edit) -> ReviewedSentence:
        if (sentence := self._any(edit)).deleted:
            raise InputError(f"sentence {sentence.id} is deleted ({sentence.deleted_reason}); restore it first.")
        return sentence

    def _index(self, name: str) -> int:
        return next(i for i, s in enumerate(self._sentences) if s.id == name)

    def _put(self, sentence: ReviewedSentence) -> None:
        self._sentences[self._index(sentence.id)] = sentence

    def _record(
        self,
        edit: Edit,
        sentence: str | None,
        text: str | None = None,
        earlier: str = "",
        concept: str = "",
        to_version: int | None = None,
    ) -> None:
        self._records.append(
            EditRecord(
                version=self._version + 1,
                kind=edit.kind,
                sentence=sentence,
                text=edit.text if text is None else text,
                earlier_text=earlier,
                concept_id=concept,
                to_version=to_version,
                author=edit.author,
                at=self._at,
            )
        )


def _given(edit: Edit) -> str:
    text = edit.text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise InputError("it needs a text; to take a sentence out use the kind 'delete'.")
    return text


RULED_OUT = "its condition was ruled out"


def judged(sentence: ReviewedSentence, concept_id: str, status: ConditionStatus) -> ReviewedSentence:
    """The sentence after the verdict; one that was not written for this condition stays as it is."""
    if sentence.rests_on != concept_id:
        return sentence
    if status == ConditionStatus.CONFIRMED:
        return _confirmed(sentence)
    if sentence.deleted:
        return sentence
    return sentence.model_copy(update={"deleted": True, "deleted_reason": RULED_OUT})


def _confirmed(sentence: ReviewedSentence) -> ReviewedSentence:
    """The mark 'possible' goes; a sentence that went when the condition was ruled out comes back."""
    update: dict[str, object] = {"condition_id": None}
    if sentence.basis == Basis.POSSIBLE:
        update["basis"] = Basis.PATIENT if any(c.startswith("N") for c in sentence.citations) else Basis.GENERAL
    if sentence.deleted_reason == RULED_OUT:
        update |= {"deleted": False, "deleted_reason": ""}
    return sentence.model_copy(update=update)


NOT_THEN = "the restored version did not have it"


def with_earlier(sentence: ReviewedSentence, version: int) -> tuple[EarlierText, ...]:
    """The sentence's earlier texts, with the one it has now, which stood up to that version."""
    old = EarlierText(text=sentence.text, written_by=sentence.written_by, last_version=version)
    return (*sentence.earlier, old)


def restored_sentence(
    now: ReviewedSentence, version: int, versions: Iterable[int], contents: Callable[[int], VersionContent]
) -> tuple[ReviewedSentence, int] | None:
    """The sentence as the first of the versions has it that differs from now, with that version; None if none does.

    version: the one that now belongs to.
    """
    for number in versions:
        then = next((s for s in contents(number).sentences if s.id == now.id), None)
        if then is not None and (then.text, then.deleted) != (now.text, now.deleted):
            return _as_then(now, then, version), number
    return None


def restored_version(
    sentences: Sequence[ReviewedSentence], version: int, then: VersionContent
) -> list[ReviewedSentence]:
    """All sentences as they were then. Those written since stay in the list, deleted."""
    past = {s.id: s for s in then.sentences}
    out = []
    for sentence in sentences:
        if sentence.id in past:
            out.append(_as_then(sentence, past[sentence.id], version))
        elif sentence.deleted:
            out.append(sentence)
        else:
            out.append(sentence.model_copy(update={"deleted": True, "deleted_reason": NOT_THEN}))
    return out


def _as_then(now: ReviewedSentence, then: ReviewedSentence, version: int) -> ReviewedSentence:
    earlier = now.earlier if now.text == then.text else with_earlier(now, version)
    return then.model_copy(update={"earlier": earlier})
