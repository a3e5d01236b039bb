"""What a writer gives beside sentences: text as it is being written, and at the end an account of the run."""

from typing import NamedTuple

from backend.schemas.base import Frozen
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.gaps import UntoldLine
from backend.schemas.vocabulary import DraftStatus


class WrittenPiece(Frozen):
    """The sentence that is being written, as far as it goes, without markup and markers.

    It replaces the piece before it; a finished sentence ends it.
    """

    text: str


class Prepared(NamedTuple):
    """The prompt is written: from here on the writer waits for its model."""


class Dropped(NamedTuple):
    """Evidence of one kind that did not fit the model's context: how many of how many, the lowest ranked."""

    kind: str
    number: int
    of: int


class WriterReport(Frozen):
    """The last thing a writer gives.

    Attributes:
        status: how it ended.
        reason: why it ended otherwise than complete.
        answer: the letter of the option chosen.
        dropped: what did not fit the model's context.
        refused: evidence that may not be cited, since it holds injected instructions.
        left_out: sentences not written, since they name a condition that was ruled out.
        cleaned: how often markup was taken out.
        proposed: sentences whose citation the program proposed.
        untold: what the note decides or found and the text leaves out.
        prompt: name, version and hash.
        prompt_tokens: counted where the prompt comes near the model's context, and else at most so many.
        reply_tokens: the most for the reply.
    """

    status: DraftStatus = DraftStatus.COMPLETE
    reason: str = ""
    answer: str = ""
    dropped: tuple[Dropped, ...] = ()
    refused: tuple[str, ...] = ()
    left_out: int = 0
    cleaned: int = 0
    proposed: int = 0
    untold: tuple[UntoldLine, ...] = ()
    prompt: str = ""
    prompt_tokens: int = 0
    reply_tokens: int = 0

    def notices(self) -> tuple[str, ...]:
        """What a clinician should know of the run, a sentence each; nothing where all went as it should."""
        out = [f"{drop.number} of {drop.of} {drop.kind} did not fit the model's context" for drop in self.dropped]
        if self.refused:
            out.append(f"{', '.join(self.refused)} hold words aimed at a program and carry no sentence")
        if self.left_out:
            out.append(f"{_counted(self.left_out)} left out that named a condition that was ruled out")
        if self.cleaned:
            out.append(f"markup or links were taken out of the model's text {self.cleaned} times")
        if self.proposed:
            out.append(f"{_counted(self.proposed)} came without a citation; the program proposed one")
        return tuple(out)


class Repaired(NamedTuple):
    """A draft after a repair pass.

    Attributes:
        sentences: in their order; reworded ones hold what stood there in `before_repair`.
        removed: those taken out, as they were, for the record.
        reworded: how many.
        reason: what was done, or why nothing was.
    """

    sentences: tuple[WrittenSentence, ...]
    removed: tuple[WrittenSentence, ...]
    reworded: int
    reason: str


class Uncertainty(NamedTuple):
    """How far samples of one prompt disagree; 0 is certain, 1 is not, comparable within one scorer only.

    Attributes:
        answer: of the samples among themselves; None where not scored.
        sentences: of the draft's sentences, in order; None where not scored.
        reason: why nothing was scored.
        scorer: what scored.
        samples: how many there were.
    """

    answer: float | None
    sentences: tuple[float | None, ...]
    reason: str
    scorer: str = ""
    samples: int = 0


def _counted(number: int) -> str:
    return f"{number} sentence{'' if number == 1 else 's'}"
