"""What each cell of an evaluation really ran, and what it cost: fallbacks, identical texts, calls, tokens, seconds.

A cell is a system with a writer, perhaps with one setting varied. Its rows keep numbers, digests and the reasons of fallbacks,
never a text.
"""

import contextlib
import hashlib
import re
import time
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

from backend.container import Container
from backend.errors import InputError, LeapnoteError
from backend.pipeline.draft_pipeline import DraftPipeline
from backend.schemas.chat import Message
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from models.llm.engine_meter import Spent

USE = "use"
RETRIEVAL = ("extraction", "link", "conditions", "paths", "thought", "plan", "notes", "passages")
WRITING = ("write", "repair", "uncertainty")
COSTS = {
    "model_calls": "conversations sent to language models a text",
    "tokens_read": "tokens of prompts a text, as the servers counted them",
    "tokens_written": "tokens of replies a text, likewise",
    "retrieval_s": "seconds a text until its evidence is whole, calls of models within included; nothing is kept of the note or its "
    "passages from one cell to the next, what is built once is there, and each item draws the order of the cells",
    "inference_s": "seconds a text of writing, rewording and sampling, likewise",
}
FELL_BACK = "fell_back"
FELL_BACK_MEANS = "share of texts in which something ran otherwise than the cell's name promises"
TIMES = frozenset(("retrieval_s", "inference_s"))
"""The costs that the machine's load changes."""
_NUMBER = re.compile(r"\d[\d.,]*")
VARIED = "@"
WRITTEN_BY = "+"
SAME_TEXTS = "the same texts: nothing to compare"
WROTE_ALIKE = "wrote the same texts, character by character"
NOTHING_COMPARED = ": between them nothing is compared."
SAME_CONCEPTS = "found the same concepts in the same order."
SAME_VERDICTS = "said the same of every find."
_OF_TEXTS = re.compile(r" \(in \d+ of \d+ texts\)\.$")
WARM_NOTE = "Chief complaint: cough. Allergies: none known. Medications: metformin. Assessment: pneumonia. Plan: chest radiograph."
WARM_QUESTION = "What helps against a cough?"
Cell = TypeVar("Cell")
Uses = Mapping[str, Sequence[Mapping[str, Any] | None]]
"""By cell, a use a row; None where nothing was written."""


@runtime_checkable
class Warming(Protocol):
    """A cell that can run once before anything is measured."""

    def warm(self) -> None:
        """Run on a note or question of no item."""
        ...


def written_text(draft: Draft) -> str:
    """What cells that write are told apart by: their texts."""
    return draft.text


def metered(
    container: Container, run: Callable[[], Draft], made: Callable[[Draft], str] = written_text
) -> tuple[Draft, dict[str, Any]]:
    """A draft and its use.

    What other cells left in memory of the note and its passages is let go before, so that it costs what it costs alone.

    Args:
        container: whose models are counted; nothing else may ask them meanwhile.
        run: writes the draft.
        made: what cells are told apart by.
    """
    container.forget_notes()
    before, began = container.models.spent, time.perf_counter()
    draft = run()
    seconds = time.perf_counter() - began
    return draft, use_of(draft, container.models.spent.since(before), seconds, made)


def use_of(draft: Draft, spent: Spent, seconds: float, made: Callable[[Draft], str] = written_text) -> dict[str, Any]:
    """What a row keeps of how a draft came about."""
    times = draft.timings_ms
    told = not spent.untold  # a sum that leaves calls out is no cost
    return {
        "text": hashlib.sha256(made(draft).encode()).hexdigest()[:16],
        "fallbacks": sorted(set(draft.fallbacks)),
        "model_calls": spent.calls,
        "tokens_read": spent.read if told else None,
        "tokens_written": spent.written if told else None,
        "retrieval_s": round(sum(times.get(stage, 0.0) for stage in RETRIEVAL) / 1000, 4),
        "inference_s": round(sum(times.get(stage, 0.0) for stage in WRITING) / 1000, 4),
        "seconds": round(seconds, 4),
    }


def in_drawn_order(cells: Sequence[Cell], seed: int, item: str) -> list[Cell]:
    """The cells in an order drawn for an item: whoever runs first finds the machine colder, and that is no cell's merit or fault."""
    drawn = np.random.default_rng([seed, zlib.crc32(item.encode())])
    return [cells[place] for place in drawn.permutation(len(cells))]


def warm(cells: Sequence[object]) -> None:
    """Have each cell that can run once, unmeasured: models, indexes and tables that are built when first needed are then there."""
    for cell in cells:
        if isinstance(cell, Warming):
            with contextlib.suppress(LeapnoteError):  # what fails here fails in a row too, where it is told
                cell.warm()


def warm_up(container: Container, pipeline: DraftPipeline, request: DraftRequest, asked: str = "") -> None:
    """Run a pipeline once; a language model is loaded, and writes nothing.

    Args:
        container: whose models they are.
        pipeline: of the cell.
        request: any.
        asked: the generator's setting.
    """
    model = container.models.chosen(asked).roles.writer
    if model is None:
        pipeline.run(request)
        return
    pipeline.run_evidence(request)
    model.count_tokens((Message("user", WARM_NOTE),))


def mean_use(uses: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The use of a text that is drawn several times: all texts' digest, every fallback, the mean of each cost."""
    joined = hashlib.sha256("".join(str(use["text"]) for use in uses).encode()).hexdigest()[:16]
    found: dict[str, Any] = {FELL_BACK: sum(bool(use["fallbacks"]) for use in uses) / len(uses)}
    found["text"] = uses[0]["text"] if len(uses) == 1 else joined
    found["fallbacks"] = sorted({reason for use in uses for reason in use["fallbacks"]})
    for name in (*COSTS, "seconds"):
        told = [use[name] for use in uses]
        found[name] = None if None in told else round(sum(told) / len(told), 4)
    return found


def baseline_of(name: str, baseline: str) -> str:
    """The cell that a cell is compared with: a varied one with its own system unvaried, else the run's baseline.

    A baseline that is a system's name alone is that system by the cell's own writer.
    """
    if VARIED in name:
        return name.rpartition(VARIED)[0]
    _, mark, writer = name.partition(WRITTEN_BY)
    return f"{baseline}{mark}{writer}" if baseline and WRITTEN_BY not in baseline else baseline


def baseline_named(asked: str, names: Sequence[str]) -> str:
    """A cell by its name or its system's; of a system with several writers, the system's name.

    Raises:
        InputError: no cell has it; the cells are listed.
    """
    found = [name for name in names if VARIED not in name and name.split(WRITTEN_BY)[0] == asked]
    if asked not in names and not found:
        raise InputError(f"The baseline {asked!r} is no cell. Choose from: {', '.join(names)}")
    return found[0] if len(found) == 1 else asked


def checked_cells(names: Sequence[str], baseline: str) -> list[str]:
    """The names, each once, the baseline among them.

    Raises:
        InputError: there is none, one stands twice, or the baseline is none of them.
    """
    if not names or len(set(names)) != len(names):
        raise InputError(f"Each cell must be given once: {', '.join(names) or 'none'}.")
    if baseline:
        baseline_named(baseline, names)
    return list(names)


def same_texts(uses: Uses, one: str, other: str) -> bool:
    """Whether two cells wrote the same texts, character by character, in every row that both wrote, and in one at least."""
    both = [
        (a["text"], b["text"]) for a, b in zip(uses[one], uses[other], strict=True) if a is not None and b is not None
    ]
    return bool(both) and all(a == b for a, b in both)


def identical_cells(uses: Uses) -> tuple[tuple[str, ...], ...]:
    """The groups of two or more cells that wrote the same texts as the first of their group."""
    groups: list[list[str]] = []
    for name in uses:
        known = next((group for group in groups if same_texts(uses, group[0], name)), None)
        if known is None:
            groups.append([name])
        else:
            known.append(name)
    return tuple(tuple(group) for group in groups if len(group) > 1)


def fallback_shares(uses: Uses) -> dict[str, dict[str, int]]:
    """By cell and reason, in how many texts something ran otherwise than the cell's name promises."""
    found = {}
    for name, held in uses.items():
        written = [use for use in held if use is not None]
        counted = Counter(_NUMBER.sub("…", reason) for use in written for reason in use["fallbacks"])
        if counted:
            found[name] = dict(counted.most_common())
    return found


def captions(uses: Uses, alike: str = WROTE_ALIKE) -> list[str]:
    """What a reader must know beside the figures: which cells wrote the same texts, and what ran in place of what."""
    said = [f"{', '.join(cells)} {alike}{NOTHING_COMPARED}" for cells in identical_cells(uses)]
    for name, reasons in fallback_shares(uses).items():
        total = sum(use is not None for use in uses[name])
        said += [f"{name}: {reason} (in {n} of {total} texts)." for reason, n in reasons.items()]
    return said


def says_what_ran(caption: str) -> bool:
    """Whether a caption tells cells that gave the same, or what ran in place of what a cell's name promises."""
    return caption.endswith((NOTHING_COMPARED, SAME_CONCEPTS, SAME_VERDICTS)) or bool(_OF_TEXTS.search(caption))
