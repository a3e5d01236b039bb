"""Going back: a sentence, or all of a version, as they were. Going back adds; what is left behind is kept as earlier text."""

from collections.abc import Callable, Iterable, Sequence

from backend.schemas.patients.saved_case import EarlierText, ReviewedSentence, VersionContent

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
