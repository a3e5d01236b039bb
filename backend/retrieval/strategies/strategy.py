"""A strategy: one system's way to thought, plan, passages and graph facts, as one step, since some systems loop them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from backend.interfaces import NoteContext
from backend.retrieval.passages.passage_rows import references
from backend.schemas.drafts.evidence import GraphItem, Passage, Plan, Reference
from backend.schemas.vocabulary import Source

TEXT_SOURCES = tuple(source for source in Source if source != Source.GRAPH)
CHARACTERS_A_TOKEN = 4
Progress = Callable[[int, int, str], None]
"""progress(done, total, what): called between steps; it raises CancelledError to stop them."""


class RetrievedEvidence(NamedTuple):
    """Everything retrieved for a request beside paths and patient notes: the stages `thought`, `plan` and `passages`.

    Attributes:
        thoughts: what knowledge may be involved, in words; a query and never evidence.
        plan: what was asked of each source.
        passages: P1, P2… in order.
        graph: definitions and relations G1, G2… in order.
        references: source documents, numbered from 1.
        thought_reason: what was thought and by whom, or why nothing was; never empty.
        plan_reason: the same of the plan.
        passages_reason: the same of what was found.
        fallbacks: what ran otherwise than the system's name promises, and why; the page shows them.
    """

    thoughts: tuple[str, ...]
    plan: Plan
    passages: tuple[Passage, ...]
    graph: tuple[GraphItem, ...]
    references: tuple[Reference, ...]
    thought_reason: str
    plan_reason: str
    passages_reason: str
    fallbacks: tuple[str, ...] = ()


class Strategy(Protocol):
    """A system's way to evidence. Registered with `@strategy`; see `StrategyParts` for what it is built from.

    It writes nothing, keeps no state between two requests, serves several threads at once, and gives the same evidence for
    the same request, seed and sources. Whatever needs a language model falls back without one, and says so.
    """

    def retrieve(self, context: NoteContext, progress: Progress = ...) -> RetrievedEvidence:
        """What the sources hold for a request; finding nothing is a value whose reasons say why.

        Args:
            context: note, conditions, paths and request.
            progress: called at least once, and between steps.

        Raises:
            CancelledError: progress raised it, or a model was waited for when the request was cancelled.
        """
        ...


def silent(done: int, total: int, what: str) -> None:
    """Progress that nobody watches."""


def retrieved(
    plan: Plan,
    passages: Sequence[Passage],
    *,
    reasons: tuple[str, str, str],
    graph: Sequence[GraphItem] = (),
    thoughts: Sequence[str] | None = None,
    listed: Sequence[Reference] | None = None,
    fallbacks: Sequence[str] = (),
) -> RetrievedEvidence:
    """The value of a strategy, with what follows from the rest filled in.

    Args:
        plan: what was asked.
        passages: as `numbered` gives them.
        reasons: of thought, plan and passages.
        graph: graph items, numbered.
        thoughts: those of the plan where none are given.
        listed: references; one a source document where none are given.
        fallbacks: empty texts are left out.
    """
    return RetrievedEvidence(
        plan.thoughts if thoughts is None else tuple(thoughts),
        plan,
        tuple(passages),
        tuple(graph),
        references(passages) if listed is None else tuple(listed),
        *reasons,
        fallbacks=tuple(text for text in fallbacks if text),
    )


def counted(number: int, noun: str) -> str:
    """`1 passage`, `3 passages`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def estimated_tokens(text: str) -> int:
    """A quarter of the characters, rounded up: what English takes in common vocabularies, near enough for a budget."""
    return -(-len(text) // CHARACTERS_A_TOKEN)
