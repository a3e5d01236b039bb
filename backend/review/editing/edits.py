"""Edits applied to one version's content, with a record of each: of its sentences here, of the rest of the letter in `letter_edits`.

Nothing is lost by an edit: a rewritten sentence keeps its earlier texts and writers, a deleted one stays, marked. This is pure: see `recheck`.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from backend.errors import InputError
from backend.review.case_content import BY_A_PERSON, GAP, gaps, is_required_gap, live, with_earlier
from backend.review.editing.gap_answers import NOT_NEEDED, REQUIRED_GAP, check_gap_answer, check_reason, check_rewritten
from backend.review.editing.letter_edits import VERDICTS, LetterParts, LetterWork, Recorded, judged
from backend.review.recheck import EDITED, LEFT
from backend.review.restoring import citing_now, restored_sentence, restored_version
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.drafts.gaps import GAP as PLACE
from backend.schemas.drafts.headings import REQUIRED
from backend.schemas.patients.letter_work import Origin
from backend.schemas.patients.saved_case import (
    Edit,
    EditKind,
    EditRecord,
    Provenance,
    ReviewedSentence,
    VersionContent,
    WriterKind,
)
from backend.schemas.vocabulary import Basis, ConditionStatus

OWN_SECTION = "Added by the team"
_JUDGED = (
    "support", "support_score", "uncertainty", "fit", "fit_reason", "raised", "proposed", "before_repair", "checked_by", "changed", "outdated",
)  # fmt: skip
"""What was found of a sentence as it stood, which other words have not: as of one that nobody has looked at."""


class Edited(NamedTuple):
    """The content with the edits.

    Attributes:
        content: the version to be.
        records: one an edit.
        changed: ids of the sentences whose text a person has just written.
        named: ids of those whose citations a person has just named.
        settled: the version, this one or the restored one, whose text, flags and checks hold where nothing else changes them.
        letter: what the letter is drafted from now; None where only sentences were looked at.
    """

    content: VersionContent
    records: tuple[EditRecord, ...]
    changed: frozenset[str]
    named: frozenset[str]
    settled: VersionContent
    letter: LetterWork | None = None


def applied(
    content: VersionContent,
    edits: Sequence[Edit],
    version: int,
    at: datetime,
    evidence: Evidence,
    contents: Callable[[int], VersionContent],
    letter: LetterParts | None = None,
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
        letter: what the letter is made from; without it only sentences can be edited.

    Raises:
        InputError: an edit cannot be made; the message gives its place, never its text.
    """
    working = _Working(content, version, at, evidence, contents, letter)
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
        letter: LetterParts | None,
    ) -> None:
        self._content, self._settled = content, content
        self._letter = LetterWork(content, letter, at) if letter else None
        self._sentences = list(content.sentences)
        self._conditions = list(content.conditions)
        self._by_index = [s.id for s in live(content.sentences)]
        self._next = content.next_sentence
        self._version, self._at, self._contents = version, at, contents
        self._citable = frozenset[str]()
        self._cite(evidence)
        self._records: list[EditRecord] = []
        self._changed: set[str] = set()
        self._inserted: set[str] = set()
        self._named: set[str] = set()

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
                self._check_may_go(sentence)
                self._put(
                    sentence.model_copy(update={"deleted": True, "deleted_reason": BY_A_PERSON, "checked_by": ""})
                )
                self._record(edit, sentence.id, Recorded(earlier=sentence.text))
            case EditKind.RESTORE:
                self._restore(edit)
            case EditKind.CHECK | EditKind.UNCHECK:
                self._check(edit)
            case EditKind.FILL_GAP:
                self._fill(edit)
            case _ if edit.kind in VERDICTS:
                self._judge(edit)
            case _:
                self._record(edit, None, self._of_letter().make(edit, self._content.flags))

    def result(self) -> Edited:
        new: dict[str, Any] = {
            "sentences": tuple(self._sentences),
            "conditions": tuple(self._conditions),
            "next_sentence": self._next,
        }
        if (letter := self._letter) is not None:
            names = ("draft_number", "judgements", "medicines", "answers", "details")
            new |= {name: getattr(letter, name) for name in names}
        content = self._content.model_copy(update=new)
        changed, named = frozenset(self._changed), frozenset(self._named)
        return Edited(content, tuple(self._records), changed, named, self._settled, letter)

    def _replace(self, edit: Edit) -> None:
        sentence, text = self._live(edit), _given(edit)
        citations = sentence.citations if edit.citations is None else self._known(edit.citations)
        if text == sentence.text and citations == sentence.citations:
            raise InputError("the sentence already reads like this.")
        if is_required_gap(sentence):
            check_rewritten(sentence.text, text)
        basis = sentence.basis
        if basis == Basis.PATIENT and not any(c.startswith("N") for c in citations):
            basis = Basis.GENERAL  # a sentence about the patient must cite the patient's notes
        update = {"basis": basis, "citations": citations, "origin": _seen(sentence)} | self._by_person(edit, text)
        if text == sentence.text:
            update["written_by"] = sentence.written_by  # other citations make nobody the writer of the words
        else:
            update["earlier"] = with_earlier(sentence, self._version)
        if edit.citations is not None:
            self._named.add(sentence.id)
        self._put(sentence.model_copy(update=update))
        self._changed.add(sentence.id)
        self._record(edit, sentence.id, Recorded(text=edit.text, earlier=sentence.text))

    def _fill(self, edit: Edit) -> None:
        text = _given(edit)
        now = self._content.model_copy(update={"sentences": tuple(self._sentences)})
        found = next((one for one in gaps(now) if one.id == edit.gap), None)
        if found is None:
            raise InputError(f"the letter has no gap {edit.gap!r} now.")
        sentence = next(s for s in self._sentences if s.id == found.sentence)
        before = [one.id for one in gaps(now) if one.sentence == found.sentence].index(found.id)
        places = list(PLACE.finditer(sentence.text))
        if not places:
            raise InputError("the gap has no end; edit the sentence.")
        place = places[before]
        if edit.not_needed:
            self._leave_empty(edit, sentence, text)
            return
        check_gap_answer(found.prompt, text)
        filled = f"{sentence.text[: place.start()]}{text}{sentence.text[place.end() :]}"
        earlier = with_earlier(sentence, self._version)
        self._put(
            sentence.model_copy(update=self._by_person(edit, filled) | {"earlier": earlier, "origin": _seen(sentence)})
        )
        self._changed.add(sentence.id)
        self._record(edit, sentence.id, Recorded(text=text, earlier=sentence.text))

    def _leave_empty(self, edit: Edit, sentence: ReviewedSentence, reason: str) -> None:
        """The gap needs no answer: it goes, with the reason; only one that is a whole sentence can."""
        if not PLACE.fullmatch(sentence.text.rstrip(".")):
            raise InputError("the gap stands within a sentence. Edit the sentence.")
        check_reason(reason)
        why = f"{NOT_NEEDED}: {reason}"
        gone = {"deleted": True, "deleted_reason": why, "checked_by": "", "origin": _seen(sentence)}
        self._put(sentence.model_copy(update=gone))
        self._record(edit, sentence.id, Recorded(text=why, earlier=sentence.text))

    def _check(self, edit: Edit) -> None:
        sentence = self._live(edit)
        update: dict[str, Any] = {"checked_by": ""}
        if edit.kind is EditKind.CHECK:
            update = {"checked_by": edit.author, "changed": False, "outdated": "", "origin": _seen(sentence)}
        self._put(sentence.model_copy(update=update))
        self._record(edit, sentence.id, Recorded())

    def _check_may_go(self, sentence: ReviewedSentence) -> None:
        """Refuse to take out what a letter may not lack: a required gap, filled or not. A person's own gap may go."""
        wrote = sentence.origin.text if sentence.origin else ""
        open_gap = is_required_gap(sentence) and (sentence.origin is not None or sentence.earlier)
        if open_gap or (sentence.section in REQUIRED and GAP.search(wrote)):
            raise InputError(REQUIRED_GAP)

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
        self._record(edit, written.id, Recorded(text=text))

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
            number_of_draft = self._contents(number).draft_number
            if self._letter is not None and number_of_draft != self._letter.draft_number:
                parts = self._letter.parts
                back = citing_now(back, parts.sources(number_of_draft)[0].evidence, parts.draft.evidence)
            self._put(back)
            made = Recorded(text=back.text, earlier=sentence.text)
            self._record(edit, sentence.id, made, to_version=number)
            return
        to = edit.to_version or self._version - 1
        if to < 1:
            raise InputError("version 1 has nothing before it to restore.")
        then = self._settled = self._contents(to)
        self._sentences = restored_version(self._sentences, self._version, then)
        self._conditions = list(then.conditions)
        if self._letter is not None:
            self._letter.back_to(then)
            self._cite(self._letter.parts.draft.evidence)
        self._record(edit, None, Recorded(), to_version=to)

    def _judge(self, edit: Edit) -> None:
        concept = edit.concept_id or edit.text.strip()
        if edit.sentence is not None and not concept:
            concept = self._any(edit).rests_on or ""
        place = next((i for i, c in enumerate(self._conditions) if c.concept_id == concept), None)
        named = self._any(edit).id if edit.sentence is not None else None
        letter = self._letter
        known = letter is not None and any(one.concept_id == concept for one in letter.judgements)
        if place is None and not known:
            raise InputError("give concept_id, one of the draft's conditions, or a sentence that rests on one.")
        if letter is not None and letter.request is not None:
            made = letter.make(edit.model_copy(update={"concept_id": concept}), self._content.flags)
            self._record(edit, named, made)
            return
        status = _STATUSES.get(edit.kind)
        if status is None or place is None:
            self._of_letter().make(edit, self._content.flags)  # refuses, with the reason
            return
        self._conditions[place] = self._conditions[place].model_copy(update={"status": status})
        self._sentences = [judged(s, concept, status) for s in self._sentences]
        self._record(edit, named, Recorded(concept=concept))

    def _of_letter(self) -> LetterWork:
        if self._letter is None:
            raise InputError("only sentences can be edited here.")
        return self._letter

    def _cite(self, evidence: Evidence) -> None:
        groups = (evidence.paths, evidence.graph, evidence.passages, evidence.notes)
        self._citable = frozenset(item.id for group in groups for item in group)

    def _by_person(self, edit: Edit, text: str) -> dict[str, Any]:
        written_by = Provenance(kind=WriterKind.PERSON, name=edit.author, version=self._version + 1, at=self._at)
        unjudged = {name: ReviewedSentence.model_fields[name].default for name in _JUDGED}
        reason = LEFT if GAP.search(text) else EDITED
        return {**unjudged, "text": text, "written_by": written_by, "reason": reason}

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

    def _record(self, edit: Edit, sentence: str | None, made: Recorded, to_version: int | None = None) -> None:
        self._records.append(
            EditRecord(
                version=self._version + 1,
                kind=edit.kind,
                sentence=sentence,
                text=made.text,
                earlier_text=made.earlier,
                concept_id=made.concept,
                flag=made.flag,
                to_version=to_version,
                author=edit.author,
                at=self._at,
            )
        )


_STATUSES = {
    EditKind.CONFIRM_CONDITION: ConditionStatus.CONFIRMED,
    EditKind.RULE_OUT_CONDITION: ConditionStatus.RULED_OUT,
}


def _seen(sentence: ReviewedSentence) -> Origin | None:
    """The origin, once a person has looked at what the program writes there now."""
    origin = sentence.origin
    return origin.model_copy(update={"text": origin.now or origin.text}) if origin else None


def _given(edit: Edit) -> str:
    text = edit.text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise InputError("it needs a text; to take a sentence out use the kind 'delete'.")
    return text
