"""Thoughts: what knowledge a task may involve, in words (RAR2 section 3). A thought is a query, and never evidence.

With a model they are sampled; without one the thought is the reasoning paths of the note, verbalised. A question without a
note is asked first, and its paths count what was learned (backend/retrieval/passages/query_expansion.py). A thought says
nothing of whether it is right.
"""

from collections.abc import Sequence
from typing import NamedTuple

from backend.prompts.asking import Asker
from backend.prompts.evidence_prompts import THOUGHT, THOUGHT_AGAIN
from backend.prompts.task import first_words, query_text, task_text
from backend.schemas.chat import SamplingParams
from backend.schemas.drafts.evidence import Passage, ReasoningPath
from backend.schemas.drafts.request import DraftRequest

MOST_THOUGHT_WORDS = 400
MOST_QUERY_WORDS = 4_224  # eight thoughts, the most that are swept, and a question of 1,024 words
DOCUMENT_WORDS = 150  # of each document that is fed back
NO_MODEL = "no language model is set"
BY_PATHS = "so the paths are the thought"
BESIDE = "so the paths are asked beside the question"
BY_QUESTION = "so the question is asked"
NO_HELP = "left out: beside a question the paths find no more (models/passages/expansion.json)"


class Thoughts(NamedTuple):
    """What was thought.

    Attributes:
        texts: in the order they were thought.
        reason: who thought them.
        fallback: what fell back and why; empty where nothing did.
        from_paths: they are the reasoning paths, in words.
    """

    texts: tuple[str, ...]
    reason: str
    fallback: str = ""
    from_paths: bool = False

    def beside(self, request: DraftRequest) -> bool:
        """Whether they are paths of a question that has no note: then the question is asked, and they beside it."""
        return self.from_paths and bool(request.question.strip()) and not request.text.strip()


def path_thought(paths: Sequence[ReasoningPath]) -> str:
    """The paths' sentences one after the other, best first; empty without paths."""
    return " ".join(dict.fromkeys(path.text for path in paths if path.text))


def sampled(
    asker: Asker | None, request: DraftRequest, paths: Sequence[ReasoningPath], m: int, temperature: float
) -> Thoughts:
    """Thoughts of a model, m of them, at a temperature and top-p 1; without a model one thought from the paths.

    Where there are no paths either, there is no thought, and the caller asks with the question.
    """
    why = NO_MODEL
    if asker is not None:
        data = {"task": task_text(request)}
        reply = asker.texts(THOUGHT, data, sampling=SamplingParams(m, temperature), words=MOST_THOUGHT_WORDS)
        if reply.texts:
            short = f"{m - len(reply.texts)} of {m} thoughts came without a word" if len(reply.texts) < m else ""
            return Thoughts(_cut(reply.texts), f"{len(reply.texts)} by {asker.name}", short)
        why = reply.reason
    return from_paths(paths, f"thought: {why}")


def thought_again(asker: Asker, request: DraftRequest, earlier: str, passages: Sequence[Passage]) -> Thoughts:
    """The next thought of an iteration, having read what the earlier one found; none when the model gives none."""
    data = {"task": task_text(request), "earlier_thought": earlier, "documents": documents_text(passages)}
    reply = asker.texts(THOUGHT_AGAIN, data, words=MOST_THOUGHT_WORDS)
    return Thoughts(_cut(reply.texts[:1]), f"by {asker.name}", reply.reason)


def from_paths(paths: Sequence[ReasoningPath], why: str) -> Thoughts:
    """The embedded thought, and why it stands in."""
    thought = path_thought(paths)
    if thought:
        return Thoughts((thought,), f"from {len(paths)} reasoning paths", f"{why}, {BY_PATHS}", from_paths=True)
    return Thoughts((), "no reasoning path to tell", f"{why} and there are no reasoning paths, {BY_QUESTION}")


def thought_query(request: DraftRequest, thoughts: Sequence[str], with_question: bool) -> str:
    """The thoughts as one query; the question stands before them where that is set, and alone where there are none."""
    parts = [query_text(request), *thoughts] if with_question or not thoughts else list(thoughts)
    return first_words("\n".join(parts), MOST_QUERY_WORDS)


def documents_text(passages: Sequence[Passage]) -> str:
    """Passages as a model reads them, each with its id."""
    return "\n\n".join(f"[{p.id}] {p.title}. {first_words(p.text, DOCUMENT_WORDS)}" for p in passages)


def _cut(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(first_words(text, MOST_THOUGHT_WORDS) for text in texts)
