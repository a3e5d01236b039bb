"""Cards: what a set of training data or a checkpoint was made of, so that it can be made again, and judged.

A card holds names, numbers and hashes, never a word of a question or a reply.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from backend.prompts.prompt_registry import versions as prompt_versions

CARD, DATA_CARD = "card.json", "data.json"
FIGURES = ("loss", "rewards/margins", "rewards/accuracies", "mean_token_accuracy")


def write_card(path: Path, card: Mapping[str, Any], *, flat: bool = False) -> None:
    """Write beside, then replace. flat: a row of weights is one line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    text = json.dumps(card, indent=1, ensure_ascii=False)
    if flat:
        text = re.sub(r"\[\s+([-\d.,\s]+?)\s+\]", lambda found: f"[{' '.join(found[1].split())}]", text)
    partial.write_text(text + "\n", encoding="utf-8")
    partial.replace(path)


def data_card(facts: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    """facts: what the run depends on. made: what came of it."""
    return {**facts, "prompts": prompt_versions(), "made": dict(made)}


def checkpoint_card(
    facts: Mapping[str, Any], versions: Mapping[str, str], data: Path, history: Sequence[Mapping[str, float]]
) -> dict[str, Any]:
    """facts: what the run depends on; what the data's own card says is taken along where it lies beside them."""
    beside = data.parent / DATA_CARD
    origin = json.loads(beside.read_text(encoding="utf-8")) if beside.is_file() else None
    return {**facts, "versions": dict(versions), "data_card": origin, "figures": figures(history)}


def figures(history: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """First and last value of each curve, with the number of logged steps; a curve that was not logged is left out."""
    found: dict[str, Any] = {"steps": len(history)}
    for name in FIGURES:
        values = [line[name] for line in history if name in line]
        if values:
            found[name] = {"first": round(values[0], 4), "last": round(values[-1], 4)}
    return found


def weights_hash(folder: Path) -> str:
    """sha256 over the configuration and every file of weights, by name; empty where the folder holds none."""
    files = sorted([*folder.glob("*.safetensors"), *folder.glob("config.json")])
    total = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            total.update(f"{path.name} {hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return total.hexdigest() if files else ""
