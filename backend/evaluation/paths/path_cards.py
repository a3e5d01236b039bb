"""Figures of `evaluate paths` on the card of a checkpoint: what the policy finds, and what everything beside it finds.

The policy that is measured may be another than the one that ships: a twin, trained in the same way on pairs that leave the
test's reasons for admission out. The entry then says so, and names the twin. It knows no retriever.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from backend.errors import InputError
from backend.evaluation.reports.journal import file_sha256
from backend.schemas.evaluation_results import Difference, Figure, Order, Result
from models.policy.checkpoint import CARD, WEIGHTS, Checkpoint, load_checkpoint
from models.policy.walking.walk_settings import WalkSettings

MEASURE, COMMON = "recall", "recall_common"
"""What a card holds of a run: recall in each retriever's own order, and in the order that is common to all."""
SAME_WAY: dict[str, Any] = {
    "graph": "",
    "encoder": "",
    "dimension": 0,
    "rewards": {},
    "training": {},
    "learned_concept_step": False,
    "policy_notes": 0,
    "refit_every": 0,
    "refitted": False,
    "sampled": False,
}
"""What two policies share that were trained in the same way, with what a card means that does not tell it; the walk is compared beside."""


class CardTarget(NamedTuple):
    """folder: the checkpoint whose card takes the figures. name: of the measured policy in the run; measured: its folder."""

    folder: Path
    name: str
    measured: Path


def card_targets(folders: Sequence[Path], policies: Sequence[tuple[str, Checkpoint, Path]]) -> tuple[CardTarget, ...]:
    """For each checkpoint the policy of the run that has its name; asked before the run, which takes minutes.

    Raises:
        InputError: no policy has the name, or the one that has was trained otherwise.
    """
    named = {name: (checkpoint, folder) for name, checkpoint, folder in policies}
    targets = []
    for folder in folders:
        own = load_checkpoint(folder)
        name = str(own.card.get("name", own.name))
        if name not in named:
            raise InputError(
                f"No policy of this run is called {name!r}. Name the one to measure: --policy {name}=FOLDER"
            )
        checkpoint, measured = named[name]
        if other := _differs(own.card, checkpoint.card):
            raise InputError(
                f"The policy of {measured.parent.name!r} was trained otherwise than {name!r}: {', '.join(other)} differ. "
                "Figures on a card must be of that policy, or of one trained in the same way on other pairs."
            )
        targets.append(CardTarget(folder, name, measured))
    return tuple(targets)


def into_card(target: CardTarget, result: Result, note: str = "") -> None:
    """Add the run's figures to the card, in place of those on the same pairs. note: what else a reader must know."""
    path = target.folder / CARD
    card = json.loads(path.read_text(encoding="utf-8"))
    entry = card_entry(target, result, note)
    kept = [old for old in card.get("figures", ()) if _place(old) != _place(entry)]
    card["figures"] = [*kept, entry]
    written = path.with_suffix(".partial.json")
    written.write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    written.replace(path)


def card_entry(target: CardTarget, result: Result, note: str = "") -> dict[str, Any]:
    """What a card says of one run: recall in both orders and differences by system and budget, each as [value, low, high].

    Points of sensitivity curves (NAME@…) are left out. An empty figure is null.

    Raises:
        ValueError: the run does not hold the policy.
    """
    if result.data is None:
        raise ValueError("A result without data has no figures.")
    measured = json.loads((target.measured / CARD).read_text(encoding="utf-8"))
    weights, own = file_sha256(target.measured / WEIGHTS), file_sha256(target.folder / WEIGHTS)
    itself = weights == own
    twin_notes = [] if itself else [_twin_note(_name(target, measured), measured.get("data", {}))]
    return {
        "data": result.data.model_dump(include={"name", "sha256", "split", "items", "notices", "synthetic"}),
        "date": result.date,
        "program": result.versions.get("leapnote", ""),
        "graph": result.graph,
        "seed": result.seed,
        "limit": result.settings.get("limit"),
        "resamples": result.settings.get("resamples"),
        "budgets": list(result.settings.get("budgets", ())),
        "measured": {
            "name": _name(target, measured),
            "weights": weights,
            "data": measured.get("data"),
            "itself": itself,
        },
        "note": " ".join(dict.fromkeys([*twin_notes, *([note] if note else []), *result.caveats])),
        MEASURE: _by_system(result.figures, Order.OWN),
        COMMON: _by_system(result.figures, Order.COMMON),
        "difference": _differences(target.name, result.differences),
    }


def _place(entry: dict[str, Any]) -> tuple[Any, ...]:
    """What one entry of a card replaces another by."""
    return entry["data"]["sha256"], entry["data"]["split"], entry["measured"]["itself"]


def _differs(own: dict[str, Any], other: dict[str, Any]) -> list[str]:
    found = [key for key, absent in SAME_WAY.items() if own.get(key, absent) != other.get(key, absent)]
    if WalkSettings.from_json(own["walk"]) != WalkSettings.from_json(other["walk"]):
        found.append("walk")
    return found


def _name(target: CardTarget, measured: dict[str, Any]) -> str:
    return str(measured.get("name", target.measured.name))


def _twin_note(name: str, data: dict[str, Any]) -> str:
    learned = f"{data.get('file', 'pairs without a name')} ({str(data.get('hash', 'no hash'))[:8]})"
    return f"Not of these weights: of the twin {name}, trained in the same way on {learned}."


def _by_system(figures: Sequence[Figure], order: Order) -> dict[str, dict[str, list[float | None]]]:
    found: dict[str, dict[str, list[float | None]]] = {}
    for figure in figures:
        if figure.measure == MEASURE and figure.order == order and not figure.group and "@" not in figure.system:
            found.setdefault(figure.system, {})[str(figure.budget)] = _interval(figure)
    return found


def _differences(name: str, differences: Sequence[Difference]) -> dict[str, dict[str, list[float | None]]]:
    found: dict[str, dict[str, list[float | None]]] = {}
    for gap in differences:
        if gap.measure == MEASURE and gap.order == Order.OWN and gap.system == name and "@" not in gap.baseline:
            found.setdefault(gap.baseline, {})[str(gap.budget)] = _interval(gap)
    return found


def _interval(found: Figure | Difference) -> list[float | None]:
    return [None if value is None else round(value, 4) for value in (found.value, found.low, found.high)]
