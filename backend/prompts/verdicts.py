"""A language model as judge: which sentences a text supports, whether documents support an answer, which of two notes is better.

The first is the premise-hypothesis question of LUQ, a text at a time. The last is asked in both orders, since models favour
a place.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from backend.interfaces import LanguageModel
from backend.prompts.asking import Asker, Reply
from backend.prompts.task import first_words
from backend.prompts.template import Prompt
from backend.prompts.training_prompts import SUPPORTS
from backend.schemas.base import Frozen

LEFT_OUT = "it left this sentence out"
SUPPORT_WORDS = 120  # of each document that a judge of support reads
REASON_WORDS = 100  # of such a judge
AT_ONCE = 40  # sentences a judge is asked about in one call
ENTAILED = Prompt(
    name="entailed",
    version=1,
    what="Which sentences a text entails (uncertainty by a judge; LUQ, Omni-RAG A.3)",
    instructions=(
        "Read TEXT, then judge each numbered sentence in SENTENCES by TEXT alone, whatever you know otherwise. yes: TEXT says the "
        "same, in whatever words. no: TEXT says the contrary, or gives another number, side, medicine or condition for the same "
        "thing. silent: TEXT says nothing about it. Reply with one JSON object and nothing else: "
        '{"verdicts": list of {"number": the sentence\'s number, "verdict": "yes", "no" or "silent"}}, one for each sentence.'
    ),
    data=("text", "sentences"),
    longest=1024,
)


PREFERRED = Prompt(
    name="preferred",
    version=1,
    what="Which of two progress notes serves better (evaluation; asked in both orders)",
    instructions=(
        "FIRST and SECOND are progress notes of one patient's visit, written by different hands. Judge which one would serve "
        "the team better: what matters is there and right by the other's account, nothing is made up, it is in order, and it "
        "can be acted on. Length and polish count for nothing. Reply with one JSON object and nothing else: "
        '{"choice": "first", "second" or "neither"}.'
    ),
    data=("first", "second"),
    longest=64,
)


class SentenceVerdict(StrEnum):
    """What a judge says of a sentence by a text: the text says so, says the contrary, or says nothing about it."""

    YES = "yes"
    NO = "no"
    SILENT = "silent"


class Judged(NamedTuple):
    """One sentence as it was judged. verdict: None where there is none; then reason says why."""

    verdict: SentenceVerdict | None
    reason: str = ""


class _Numbered(Frozen):
    number: int
    verdict: SentenceVerdict


class _Verdicts(Frozen):
    verdicts: Annotated[tuple[_Numbered, ...], Field(min_length=1)]


class Supported(Frozen):
    """What a judge says who is asked whether documents support the known answer."""

    reason: str = ""
    supports: bool


class _Choice(Frozen):
    choice: Literal["first", "second", "neither"]


def judged(asker: Asker, text: str, sentences: Sequence[str]) -> list[Judged]:
    """What a judge says of each sentence by one text, in one call.

    FullError is raised where the queue before the model is full, CancelledError where whoever asks gave up.

    Args:
        asker: of the model that judges.
        text: the premise.
        sentences: the hypotheses, at most AT_ONCE of them.

    Returns:
        One a sentence, in order.
    """
    numbered = "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(sentences, start=1))
    reply = asker.shaped(ENTAILED, _Verdicts, {"text": text, "sentences": numbered})
    if reply.value is None:
        return [Judged(None, reply.reason)] * len(sentences)
    said = {one.number: one.verdict for one in reply.value.verdicts}
    return [
        Judged(said[number]) if number in said else Judged(None, LEFT_OUT) for number in range(1, len(sentences) + 1)
    ]


def batches(count: int) -> Iterator[range]:
    """The places of so many sentences, AT_ONCE at a time."""
    return (range(at, min(at + AT_ONCE, count)) for at in range(0, count, AT_ONCE))


def preference(model: LanguageModel, ours: str, theirs: str, seed: int) -> float | None:
    """Which of two notes a judge prefers, blind.

    Returns:
        1 where ours is preferred in both orders, 0 where theirs is, 0.5 for anything between; None where the judge failed.
    """
    before = _preferred(model, ours, theirs, seed)
    after = _preferred(model, theirs, ours, seed)
    if before is None or after is None:
        return None
    if (before, after) == ("first", "second"):
        return 1.0
    return 0.0 if (before, after) == ("second", "first") else 0.5


def supports_answer(
    asker: Asker, question: str, known_answer: str, documents: Sequence[str], words: int = SUPPORT_WORDS
) -> Reply[Supported]:
    """Whether documents support the answer that is known to be right (Omni-RAG Eq. 1).

    Args:
        asker: of the model that judges.
        question: with its options, as a task.
        known_answer: the gold answer.
        documents: those that are read, best first.
        words: of each that the judge reads.
    """
    data = {"question": question, "known_answer": known_answer, "documents": numbered_documents(documents, words)}
    return asker.shaped(SUPPORTS, Supported, data, words=REASON_WORDS)


def first_half(documents: Sequence[str]) -> Sequence[str]:
    """What a judge of support reads (Omni-RAG 5.1.2); of an odd number the larger half, so one stays one."""
    return documents[: (len(documents) + 1) // 2]


def numbered_documents(documents: Sequence[str], words: int) -> str:
    """Documents as a judge reads them: numbered, each cut after so many words."""
    return "\n\n".join(f"({i}) {first_words(text, words)}" for i, text in enumerate(documents, start=1))


def _preferred(model: LanguageModel, first: str, second: str, seed: int) -> str | None:
    reply = Asker(model, seed).shaped(PREFERRED, _Choice, {"first": first, "second": second})
    return None if reply.value is None else reply.value.choice
