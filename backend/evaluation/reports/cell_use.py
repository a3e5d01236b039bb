"""What each cell of an evaluation really ran, and what it cost: fallbacks, identical texts, calls, tokens, seconds.

A cell is a system with a writer, perhaps with one setting varied. Its rows keep numbers, digests and the reasons of fallbacks,
never a text.
"""

import hashlib
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from backend.container import Container
from backend.schemas.drafts.draft import Draft
from models.llm.engine_meter import Spent

USE = "use"
RETRIEVAL = ("extraction", "link", "conditions", "paths", "thought", "plan", "notes", "passages")
WRITING = ("write", "repair", "uncertainty")
COSTS = {
    "model_calls": "conversations sent to language models a text",
    "tokens_read": "tokens of prompts a text, as the servers counted them",
    "tokens_written": "tokens of replies a text, likewise",
    "retrieval_s": "seconds a text until its evidence is whole, calls of models within included",
    "inference_s": "seconds a text of writing, rewording and sampling",
}
_NUMBER = re.compile(r"\d[\d.,]*")
VARIED = "@"
SAME_TEXTS = "the same texts: nothing to compare"


class Identical(NamedTuple):
    """Cells that wrote the same texts, character by character, wherever all of them wrote."""

    cells: tuple[str, ...]
    texts: int


def metered(container: Container, run: Callable[[], Draft]) -> tuple[Draft, dict[str, Any]]:
    """A draft and its use.

    Args:
        container: whose models are counted; nothing else may ask them meanwhile.
        run: writes the draft.
    """
    before, began = container.models.spent, time.perf_counter()
    draft = run()
    return draft, use_of(draft, container.models.spent.since(before), time.perf_counter() - began)


def use_of(draft: Draft, spent: Spent, seconds: float) -> dict[str, Any]:
    """What a row keeps of how a draft came about."""
    times = draft.timings_ms
    told = spent.calls == 0 or spent.untold < spent.calls
    return {
        "text": hashlib.sha256(draft.text.encode()).hexdigest()[:16],
        "fallbacks": sorted(set(draft.fallbacks)),
        "model_calls": spent.calls,
        "tokens_read": spent.read if told else None,
        "tokens_written": spent.written if told else None,
        "retrieval_s": round(sum(times.get(stage, 0.0) for stage in RETRIEVAL) / 1000, 4),
        "inference_s": round(sum(times.get(stage, 0.0) for stage in WRITING) / 1000, 4),
        "seconds": round(seconds, 4),
    }


def baseline_of(name: str, baseline: str) -> str:
    """The cell that a cell is compared with: a varied one with its own system unvaried, else the run's baseline."""
    return name.split(VARIED, maxsplit=1)[0] if VARIED in name else baseline


def identical_cells(uses: Mapping[str, Sequence[Mapping[str, Any] | None]]) -> tuple[Identical, ...]:
    """The groups of two or more cells with the same texts in every row that all cells wrote.

    Args:
        uses: by cell, a use a row; None where nothing was written.
    """
    rows = list(zip(*uses.values(), strict=True))
    whole = [i for i, place in enumerate(rows) if all(use is not None for use in place)]
    if not whole:
        return ()
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, held in uses.items():
        texts = tuple(str(use["text"]) for i in whole if (use := held[i]) is not None)
        groups.setdefault(texts, []).append(name)
    return tuple(Identical(tuple(names), len(whole)) for names in groups.values() if len(names) > 1)


def fallback_shares(uses: Mapping[str, Sequence[Mapping[str, Any] | None]]) -> dict[str, dict[str, int]]:
    """By cell and reason, in how many texts something ran otherwise than the cell's name promises."""
    found = {}
    for name, held in uses.items():
        written = [use for use in held if use is not None]
        counted = Counter(_NUMBER.sub("…", reason) for use in written for reason in use["fallbacks"])
        if counted:
            found[name] = dict(counted.most_common())
    return found


def captions(uses: Mapping[str, Sequence[Mapping[str, Any] | None]]) -> list[str]:
    """What a reader must know beside the figures: which cells wrote the same texts, and what ran in place of what."""
    said = [
        f"{', '.join(one.cells)} wrote the same {one.texts} texts, character by character: between them nothing is compared."
        for one in identical_cells(uses)
    ]
    for name, reasons in fallback_shares(uses).items():
        total = sum(use is not None for use in uses[name])
        said += [f"{name}: {reason} (in {n} of {total} texts)." for reason, n in reasons.items()]
    return said


def same_texts(groups: Sequence[Identical], one: str, other: str) -> bool:
    """Whether two cells wrote the same texts."""
    return any(one in group.cells and other in group.cells for group in groups)
