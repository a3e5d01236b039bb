"""What stands against signing a version, how far it is, and the refusal that names all of it."""

from collections.abc import Sequence

from backend.errors import ConflictError, InputError
from backend.review.case_content import edited_by_person, gaps, live
from backend.review.editing.letter_edits import check_answer
from backend.schemas.drafts.evidence import Condition
from backend.schemas.patients.letter_work import Block, BlockKind, FlagAnswer, GivenAnswer, Progress
from backend.schemas.patients.saved_case import (
    Acknowledgement,
    Gap,
    ReviewedSentence,
    ReviewFlag,
    Signature,
    VersionContent,
)
from backend.schemas.vocabulary import ConditionStatus, Fit, Severity


class SignedError(ConflictError):
    """A signed version is to be changed, and nobody said that it is to be reopened."""

    kind = "signed"

    def __init__(self) -> None:
        super().__init__(
            "This letter is signed. Reopen it to change it: the signature stays with the version that was signed. Nothing was saved."
        )


class SignatureRefusedError(ConflictError):
    """blocks: all that stands against it; of these, flags: the severe ones without an answer, gaps: the required ones."""

    def __init__(self, blocks: tuple[Block, ...], flags: tuple[ReviewFlag, ...], left: tuple[Gap, ...]) -> None:
        named: dict[BlockKind, list[str]] = {}
        for block in blocks:
            named.setdefault(block.kind, []).append(block.id)
        parts = [f"{_TO_DO[kind]}: {', '.join(ids)}" for kind, ids in named.items()]
        super().__init__(f"This version cannot be signed yet: {'; '.join(parts)}.")
        self.blocks = blocks
        self.flags = flags
        self.gaps = left


_TO_DO = {
    BlockKind.SEVERE: "answer each severe alert, or change what it is about",
    BlockKind.GAP: "fill each place that the letter cannot do without",
    BlockKind.UNCONFIRMED: "confirm or rule out each diagnosis that the letter tells of, or take its sentences out",
    BlockKind.UNCHECKED_REQUIRED: "check, change or take out each sentence that may not fit",
}


def blocks_of(content: VersionContent, answered: Sequence[str] = ()) -> tuple[Block, ...]:
    """What stands against signing. answered: flags that the signer answers now."""
    flags = open_severe(content, answered)
    severe = (Block(kind=BlockKind.SEVERE, id=flag.id, message=flag.message) for flag in flags)
    left = (Block(kind=BlockKind.GAP, id=gap.id, message=gap.prompt) for gap in required_gaps(content))
    told = (Block(kind=BlockKind.UNCONFIRMED, id=c.concept_id, message=c.name) for c in unconfirmed(content))
    doubtful = (
        Block(kind=BlockKind.UNCHECKED_REQUIRED, id=s.id, message=s.outdated or s.fit_reason)
        for s in unchecked(content)
    )
    return (*severe, *left, *told, *doubtful)


def given_answers(content: VersionContent, signature: Signature | None) -> dict[str, GivenAnswer]:
    """The answers to flags, by the flag's id: those that the version holds, and those that its signer gave with the signature."""
    found = {one.flag: one for one in content.answers}
    if signature is not None:
        name, at = signature.name, signature.at
        for one in signature.acknowledgements:
            found[one.flag] = GivenAnswer(flag=one.flag, code=one.code, words=one.reason, name=name, at=at)
    return found


def progress_of(content: VersionContent) -> Progress:
    """How far the version is."""
    now, left = live(content.sentences), gaps(content)
    return Progress(
        sentences=len(now),
        checked=sum(bool(s.checked_by) for s in now),
        gaps=len(left),
        required_gaps=sum(gap.required for gap in left),
        open_severe=len(open_severe(content)),
        unconfirmed=len(unconfirmed(content)),
    )


def open_severe(content: VersionContent, answered: Sequence[str] = ()) -> tuple[ReviewFlag, ...]:
    """The severe flags that nobody has answered."""
    given = {one.flag for one in content.answers} | set(answered)
    return tuple(flag for flag in content.flags if flag.severity == Severity.SEVERE and flag.id not in given)


def required_gaps(content: VersionContent) -> tuple[Gap, ...]:
    """The gaps that the letter cannot be signed with."""
    return tuple(gap for gap in gaps(content) if gap.required)


def unconfirmed(content: VersionContent) -> tuple[Condition, ...]:
    """The conditions that live sentences rest on and that are still only possible."""
    told = {s.condition_id for s in live(content.sentences) if s.condition_id}
    return tuple(c for c in content.conditions if c.concept_id in told and c.status is ConditionStatus.POSSIBLE)


def unchecked(content: VersionContent) -> tuple[ReviewedSentence, ...]:
    """The sentences that may not fit this patient or this draft, and that nobody has checked.

    A clinician's own that cites nothing is marked where it does not fit, and stands against nothing.
    """
    doubtful = (s for s in live(content.sentences) if s.outdated or (_misfits(s) and not _is_own(s)))
    return tuple(s for s in doubtful if not s.checked_by)


def _misfits(sentence: ReviewedSentence) -> bool:
    return sentence.fit is Fit.NOT_FOR_THIS_PATIENT


def _is_own(sentence: ReviewedSentence) -> bool:
    return edited_by_person(sentence) and not sentence.citations


def check_signable(content: VersionContent, acknowledgements: tuple[Acknowledgement, ...]) -> None:
    """Refuse what must not be signed.

    Raises:
        InputError: an acknowledgement of a flag that the version does not have, or with an answer that is none.
        ConflictError: no sentence is left.
        SignatureRefusedError: with all that stands against it.
    """
    known = {flag.id: flag for flag in content.flags}
    for one in acknowledgements:
        if one.flag not in known:
            raise InputError(
                f"This version has no flag {one.flag!r} to acknowledge. GET /v1/cases/{{id}} lists its flags."
            )
        try:
            check_answer(FlagAnswer(code=one.code, words=one.reason[:500]), known[one.flag])
        except InputError as error:
            raise InputError(f"The acknowledgement of {one.flag}: {error}") from None
    if not live(content.sentences):
        raise ConflictError("This version has no sentence left, so there is nothing to sign.")
    answered = [one.flag for one in acknowledgements]
    if blocks := blocks_of(content, answered):
        raise SignatureRefusedError(blocks, open_severe(content, answered), required_gaps(content))
