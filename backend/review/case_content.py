"""What one version of a case holds: sentences with their writers, conditions and flags, beside the draft as it was saved.

A draft as the API gave it becomes version 1; of any version the draft can be had as that version has it.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Any

from backend.errors import InputError
from backend.schemas.drafts.draft import Draft, Flag, Sentence
from backend.schemas.patients.saved_case import (
    Gap,
    Provenance,
    ReviewedSentence,
    ReviewFlag,
    VersionContent,
    WriterKind,
)

GAP = re.compile(r"\[\s*team to complete", re.IGNORECASE)
COMPOSER = "composer"


def saved(draft: Draft) -> VersionContent:
    """The content of version 1: the draft itself. Raises InputError for a draft that contradicts itself."""
    _check(draft)
    kind = WriterKind.COMPOSER if draft.generator.name == COMPOSER else WriterKind.MODEL
    writer = Provenance(kind=kind, name=draft.generator.name, version=1)
    sentences = tuple(
        ReviewedSentence(**_fields(s), id=f"S{i}", written_by=writer, rests_on=s.condition_id)
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
    )


def draft_of_version(base: Draft, content: VersionContent) -> Draft:
    """The draft as it stands in a version: without what was deleted, with offsets into that version's text."""
    return base.model_copy(
        update={
            "text": content.text,
            "sentences": tuple(Sentence(**_fields(s)) for s in live(content.sentences)),
            "conditions": content.conditions,
            "flags": tuple(Flag(**{name: getattr(flag, name) for name in Flag.model_fields}) for flag in content.flags),
            "checks": content.checks,
            "readability": content.readability,
        }
    )


def live(sentences: Sequence[ReviewedSentence]) -> list[ReviewedSentence]:
    """The sentences that are not deleted, in order."""
    return [s for s in sentences if not s.deleted]


def gaps(content: VersionContent) -> tuple[Gap, ...]:
    """The places left for the team, in the order of the text."""
    left = [s for s in live(content.sentences) if GAP.search(s.text)]
    return tuple(Gap(sentence=s.id, section=s.section, text=s.text) for s in left)


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


def _fields(sentence: Sentence) -> dict[str, Any]:
    return {name: getattr(sentence, name) for name in Sentence.model_fields}


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
