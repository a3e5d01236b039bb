"""What one version of a case holds: sentences with their writers, conditions and flags, beside the draft as it was saved.

A draft as the API gave it becomes version 1; of any version the draft can be had as that version has it.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from backend.errors import InputError
from backend.nlp.extraction.head_lines import details_of, filled
from backend.review.editing.gap_answers import NOT_NEEDED, gap_kind
from backend.schemas.drafts.draft import Draft, Flag, Sentence
from backend.schemas.drafts.gaps import GAP as PLACE
from backend.schemas.drafts.gaps import gaps_of
from backend.schemas.drafts.headings import REQUIRED
from backend.schemas.patients.letter_details import LetterDetails
from backend.schemas.patients.letter_work import ComparedSentence, ComparedState, Origin
from backend.schemas.patients.saved_case import (
    EarlierText,
    Gap,
    Provenance,
    ReviewedSentence,
    ReviewFlag,
    VersionContent,
    WriterKind,
)

GAP = re.compile(r"\[\s*team to complete", re.IGNORECASE)
COMPOSER = "composer"
BY_A_PERSON = "deleted by a person"
NO_LONGER = "no longer follows from the note"


def saved(draft: Draft, details: LetterDetails | None = None) -> VersionContent:
    """The content of version 1: the draft itself. Raises InputError for a draft that contradicts itself.

    Args:
        draft: as it was written.
        details: for the letter's head; what they leave empty is as the lines over the note give it.
    """
    _check(draft)
    writer = writer_of(draft, 1)
    sentences = tuple(
        ReviewedSentence(
            **sentence_fields(s), id=f"S{i}", written_by=writer, rests_on=s.condition_id, origin=_origin(s)
        )
        for i, s in enumerate(draft.sentences, start=1)
    )
    return VersionContent(
        text=draft.text,
        sentences=sentences,
        conditions=draft.conditions,
        flags=identified(draft.flags, sentences),
        checks=draft.checks,
        readability=draft.readability,
        next_sentence=len(sentences) + 1,
        details=filled(details or LetterDetails(), details_of(draft.note.text)),
    )


def draft_of_version(base: Draft, content: VersionContent) -> Draft:
    """The draft as it stands in a version: without what was deleted, with offsets into that version's text.

    Args:
        base: the draft that the version stands on, with the medicines as a clinician has them.
        content: the version.
    """
    return base.model_copy(
        update={
            "text": content.text,
            "sentences": tuple(Sentence(**sentence_fields(s)) for s in live(content.sentences)),
            "gaps": gaps_of([(s.section, s.text) for s in live(content.sentences)], REQUIRED),
            "conditions": content.conditions,
            "flags": tuple(Flag(**{name: getattr(flag, name) for name in Flag.model_fields}) for flag in content.flags),
            "checks": content.checks,
            "readability": content.readability,
        }
    )


def is_required_gap(sentence: ReviewedSentence) -> bool:
    """Whether a sentence holds a gap without whose answer the letter is not to be signed."""
    return sentence.section in REQUIRED and GAP.search(sentence.text) is not None


def live(sentences: Sequence[ReviewedSentence]) -> list[ReviewedSentence]:
    """The sentences that are not deleted, in order."""
    return [s for s in sentences if not s.deleted]


def writer_of(draft: Draft, version: int) -> Provenance:
    """Who wrote a draft, which a version brought."""
    kind = WriterKind.COMPOSER if draft.generator.name == COMPOSER else WriterKind.MODEL
    return Provenance(kind=kind, name=draft.generator.name, version=version)


def edited_by_person(sentence: ReviewedSentence) -> bool:
    """Whether its words are a person's."""
    return sentence.written_by.kind == WriterKind.PERSON


def deleted_by_person(sentence: ReviewedSentence) -> bool:
    """Whether a person took it out, as it reads; a gap that needs no answer is one."""
    return sentence.deleted and (
        sentence.deleted_reason == BY_A_PERSON or sentence.deleted_reason.startswith(NOT_NEEDED)
    )


def with_earlier(sentence: ReviewedSentence, version: int) -> tuple[EarlierText, ...]:
    """The sentence's earlier texts, with the one it has now, which stood up to that version."""
    old = EarlierText(text=sentence.text, written_by=sentence.written_by, last_version=version)
    return (*sentence.earlier, old)


def with_origins(content: VersionContent, first: Draft) -> VersionContent:
    """A version that was stored without its sentences' origins, with those of the draft it was saved as."""
    if content.draft_number != 1 or any(s.origin for s in content.sentences):
        return content
    origins = {f"S{i}": _origin(s) for i, s in enumerate(first.sentences, start=1)}
    sentences = (s.model_copy(update={"origin": origins.get(s.id)}) for s in content.sentences)
    return content.model_copy(update={"sentences": tuple(sentences)})


def gaps(content: VersionContent) -> tuple[Gap, ...]:
    """The places left for the team, in the order of the text."""
    found = []
    for s in live(content.sentences):
        prompts = [place[1] for place in PLACE.finditer(s.text)] or ([""] if GAP.search(s.text) else [])
        found += [(s, prompt) for prompt in prompts]
    return tuple(
        Gap(
            id=f"GAP{number}",
            sentence=s.id,
            section=s.section,
            text=s.text,
            prompt=prompt,
            required=s.section in REQUIRED,
            kind=gap_kind(prompt),
        )
        for number, (s, prompt) in enumerate(found, start=1)
    )


def compared(
    before: VersionContent, after: VersionContent, removed_by: Mapping[str, str]
) -> tuple[ComparedSentence, ...]:
    """The sentences of two versions side by side, in the order of the second; those that it lacks stand where they were.

    removed_by: who took a sentence out, by its id.
    """
    then = {s.id: s for s in live(before.sentences)}
    placed: list[tuple[str, ComparedSentence]] = []
    for s in live(after.sentences):
        was = then.get(s.id)
        state = ComparedState.ADDED
        if was is not None:
            state = ComparedState.SAME if was.text == s.text else ComparedState.CHANGED
        by = "" if state is ComparedState.SAME else s.written_by.name
        row = ComparedSentence(section=s.section, before=was.text if was else None, after=s.text, state=state, by=by)
        placed.append((s.id, row))
    there, last = {name for name, _ in placed}, ""
    for s in live(before.sentences):
        if s.id not in there:
            by = removed_by.get(s.id, "")
            row = ComparedSentence(section=s.section, before=s.text, after=None, state=ComparedState.REMOVED, by=by)
            place = next((i + 1 for i, (name, _) in enumerate(placed) if name == last), 0)
            placed.insert(place, (s.id, row))
        last = s.id
    return tuple(row for _, row in placed)


def identified(flags: Sequence[Flag], sentences: Sequence[ReviewedSentence]) -> tuple[ReviewFlag, ...]:
    """The flags with ids made of what they say, so that the same flag has the same id in every version.

    Flags that say the same of the same sentence become one.
    """
    now = live(sentences)
    known: dict[str, ReviewFlag] = {}
    for flag in flags:
        place = now[flag.sentence].id if flag.sentence is not None else ""
        parts = "\x1f".join((flag.kind, flag.severity, flag.message, place))
        name = f"F-{hashlib.sha256(parts.encode('utf-8', 'replace')).hexdigest()[:10]}"
        fields = {field: getattr(flag, field) for field in Flag.model_fields}
        known.setdefault(name, ReviewFlag(**fields, id=name))
    return tuple(known.values())


def sentence_fields(sentence: Sentence) -> dict[str, Any]:
    """What a sentence of a draft has."""
    return {name: getattr(sentence, name) for name in Sentence.model_fields}


def _origin(sentence: Sentence) -> Origin:
    return Origin(text=sentence.text, section=sentence.section, now=sentence.text)


def _check(draft: Draft) -> None:
    count = len(draft.sentences)
    for place, sentence in enumerate(draft.sentences):
        if draft.text[sentence.start_char : sentence.end_char] != sentence.text:
            raise InputError(
                f"The draft contradicts itself: sentence {place} is not what its text has at "
                f"{sentence.start_char} to {sentence.end_char}. Send the draft as POST /v1/drafts gave it."
            )
    for flag in draft.flags:
        if flag.sentence is not None and not 0 <= flag.sentence < count:
            raise InputError(
                f"The draft contradicts itself: a flag names sentence {flag.sentence} of {count}. "
                "Send the draft as POST /v1/drafts gave it."
            )
