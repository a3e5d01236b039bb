"""Pairs of a pre-admission note and the document written for the same stay, one JSON object a line.

Every importer of notes yields them; training and evaluation read them. They know no graph and no concepts.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from backend.errors import InputError

SPLITS = ("train", "validation", "test")


class Pair(NamedTuple):
    """note: what was known before admission (allergies, chief complaint, history). text: the discharge document.

    notices say what a reader should know of the pair, as `hpi_tells_course` (the history already tells the stay).
    """

    pair_id: str
    patient_id: str
    split: str
    note: str
    text: str
    notices: tuple[str, ...] = ()


def read_pairs(path: Path, splits: Iterable[str] = SPLITS) -> Iterator[Pair]:
    """The pairs of some splits, in file order. A line without a split belongs to `train`.

    Raises InputError that names the line when it is no pair.
    """
    wanted = frozenset(splits)
    if unknown := wanted - set(SPLITS):
        raise InputError(f"There is no split {sorted(unknown)[0]!r}. Choose from: {', '.join(SPLITS)}")
    if not path.is_file():
        raise InputError(f"There is no file {path.name!r}. Give a JSONL file of pairs with the fields note and text.")
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                pair = _pair(line, path.name, number)
                if pair.split in wanted:
                    yield pair


def write_pairs(path: Path, pairs: Iterable[Pair]) -> int:
    """Write them beside the old file and swap; returns how many."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    count = 0
    with partial.open("w", encoding="utf-8") as out:
        for pair in pairs:
            row = {"id": pair.pair_id, "patient_id": pair.patient_id, "split": pair.split}
            row |= {"note": pair.note, "text": pair.text}
            out.write(json.dumps({**row, "notices": list(pair.notices)}, ensure_ascii=False) + "\n")
            count += 1
    partial.replace(path)
    return count


def _pair(line: str, name: str, number: int) -> Pair:
    where = f"{name}, line {number}"
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{where} is no JSON ({error.msg}). Each line must be one object.") from None
    if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in ("note", "text")):
        raise InputError(f"{where} has no texts `note` and `text`. Each line needs both.")
    split = row.get("split", "train")
    if split not in SPLITS:
        raise InputError(f"{where} has the split {split!r}. Use one of: {', '.join(SPLITS)}")
    pair_id = str(row.get("id", number))
    notices = tuple(str(notice) for notice in row.get("notices", ()))
    return Pair(pair_id, str(row.get("patient_id", pair_id)), split, row["note"], row["text"], notices)
