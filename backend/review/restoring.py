"""Sentences as an earlier version had them: one, or all. What was written since is kept."""

from collections.abc import Callable, Iterable, Sequence

from backend.review.case_content import with_earlier
from backend.review.overlay import moved_citations
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.patients.saved_case import ReviewedSentence, VersionContent

NOT_THEN = "the restored version did not have it"


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
    """All sentences as they were then, in their order. Those written since stay in the list, deleted."""
    now = {s.id: s for s in sentences}
    out = [_as_then(now.get(s.id, s), s, version) for s in then.sentences]
    past = {s.id for s in then.sentences}
    for i, sentence in enumerate(sentences):
        if sentence.id in past:
            continue
        gone = (
            sentence if sentence.deleted else sentence.model_copy(update={"deleted": True, "deleted_reason": NOT_THEN})
        )
        before = sentences[i - 1].id if i else None
        place = next((j + 1 for j, s in enumerate(out) if s.id == before), 0)
        out.insert(place, gone)
    return out


def citing_now(sentence: ReviewedSentence, then: Evidence, now: Evidence) -> ReviewedSentence:
    """A sentence of an earlier draft with the ids that the present one's evidence has; what is gone is cited no more."""
    moved = moved_citations(then, now)
    return sentence.model_copy(update={"citations": tuple(moved[c] for c in sentence.citations if c in moved)})


def _as_then(now: ReviewedSentence, then: ReviewedSentence, version: int) -> ReviewedSentence:
    earlier = now.earlier if now.text == then.text else with_earlier(now, version)
    return then.model_copy(update={"earlier": earlier})
