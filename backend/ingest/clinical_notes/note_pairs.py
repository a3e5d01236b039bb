"""Pairs of a pre-admission note and the document written for the same stay, one JSON object a line.

Every importer of notes yields them; training and evaluation read them. They know no graph and no concepts.
docs/training.md has the fields.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from backend.errors import InputError

SPLITS = ("train", "validation", "test")
_SHOWN = 60  # characters of an id that a message quotes


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


class PairFault(NamedTuple):
    """A line that is no pair. what: a sentence that says why and what to do; it quotes no note."""

    line: int
    what: str


def read_pairs(path: Path, splits: Iterable[str] = SPLITS) -> Iterator[Pair]:
    """The pairs of some splits, in file order.

    A line without a split belongs to `train`.

    Yields:
        Pair: one at a time.

    Raises:
        InputError: that names the line when it is no pair, of whatever split, or repeats the id of one before.
    """
    wanted = frozenset(splits)
    if unknown := wanted - set(SPLITS):
        raise InputError(f"There is no split {sorted(unknown)[0]!r}. Choose from: {', '.join(SPLITS)}")
    for found in pairs_and_faults(path):
        if isinstance(found, PairFault):
            raise InputError(f"{path.name}, line {found.line}: {found.what}")
        if found.split in wanted:
            yield found


def pairs_and_faults(path: Path) -> Iterator[Pair | PairFault]:
    """Every line that is not blank, as a pair or as what is wrong with it.

    Ids are kept in memory to find repeated ones.

    Yields:
        a pair, or what is wrong with its line.

    Raises:
        InputError: when the file cannot be read.
        _Refused: caught here, and becomes a fault.
    """
    if not path.is_file():
        raise InputError(f"There is no file {path.name!r}. Give a JSONL file of pairs with the fields note and text.")
    seen: dict[str, int] = {}
    try:
        with path.open("rb") as lines:
            for number, raw in enumerate(lines, start=1):
                try:
                    # the mark that some editors put at the start of a file is no part of its first line
                    line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                    if not line.strip():
                        continue
                    pair = _pair(line, number)
                    first = seen.setdefault(pair.pair_id, number)
                    if first != number:
                        raise _Refused(
                            f"it has the id {_quoted(pair.pair_id)} of line {first}. Give each pair its own."
                        )
                except UnicodeDecodeError:
                    yield PairFault(number, "it is not UTF-8. Save the file as UTF-8.")
                except _Refused as refused:
                    yield PairFault(number, str(refused))
                else:
                    yield pair
    except OSError as error:
        raise InputError(f"{path.name!r} cannot be read ({error.strerror}). Check its rights and its disk.") from None


def write_pairs(path: Path, pairs: Iterable[Pair]) -> int:
    """Write them beside the old file and swap; returns how many. Where the pairs end in an error nothing is left."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    count = 0
    try:
        with partial.open("w", encoding="utf-8") as out:
            for pair in pairs:
                row = {"id": pair.pair_id, "patient_id": pair.patient_id, "split": pair.split}
                row |= {"note": pair.note, "text": pair.text}
                out.write(json.dumps({**row, "notices": list(pair.notices)}, ensure_ascii=False) + "\n")
                count += 1
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return count


class _Refused(Exception):
    """Why a line is no pair."""


def _pair(line: str, number: int) -> Pair:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise _Refused(f"it is no JSON ({error.msg}). Each line must be one object.") from None
    except RecursionError:
        raise _Refused("its JSON is nested too deeply. Each line must be one flat object.") from None
    except ValueError:  # a number of more digits than Python takes
        raise _Refused("it holds a number that is too long. Write ids as text.") from None
    if not isinstance(row, dict):
        raise _Refused("it is no JSON object. Each line must be one, with the fields note and text.")
    note, text = _text(row, "note"), _text(row, "text")
    split = "train" if row.get("split") is None else row["split"]
    if split not in SPLITS:
        raise _Refused(f"it has the split {_quoted(split)}. Use one of: {', '.join(SPLITS)}")
    pair_id = _id(row, "id", str(number))
    return Pair(pair_id, _id(row, "patient_id", pair_id), split, note, text, _notices(row))


def _text(row: dict[str, Any], key: str) -> str:
    stated = row.get(key)
    if not isinstance(stated, str):
        raise _Refused(f"it has no text {key!r}. Each line needs the texts note and text.")
    if not stated.strip():
        raise _Refused(f"its {key!r} is empty. Leave such pairs out.")
    return _whole(stated, key)


def _id(row: dict[str, Any], key: str, otherwise: str) -> str:
    """Text, or a whole number as text; one that is absent or null is `otherwise`.

    Raises:
        _Refused: it is neither text nor a whole number.
    """
    stated = row.get(key)
    if stated is None:
        return otherwise
    if isinstance(stated, int) and not isinstance(stated, bool):
        return str(stated)
    if not isinstance(stated, str) or not stated.strip():
        raise _Refused(f"its {key!r} is {_quoted(stated)}. Give text or a whole number, or leave it out.")
    return _whole(stated, key)


def _notices(row: dict[str, Any]) -> tuple[str, ...]:
    stated = row.get("notices")
    if stated is None:
        return ()
    if not isinstance(stated, list) or not all(isinstance(notice, str) for notice in stated):
        raise _Refused('its "notices" are no list of texts. Write ["…"], or leave them out.')
    return tuple(_whole(notice, "notices") for notice in stated)


def _whole(stated: str, key: str) -> str:
    """The text itself, where every character of it is one: half a surrogate pair can be neither written nor encoded.

    Raises:
        _Refused: it holds half a surrogate pair.
    """
    try:
        stated.encode()
    except UnicodeEncodeError as error:
        raise _Refused(
            f"its {key!r} holds half a character at {error.start} (a lone surrogate). Write it whole, or leave it out."
        ) from None
    return stated


def _quoted(value: object) -> str:
    """A short plain value as it stands, else its kind: what is nested is not looked into."""
    stated = ascii(value) if isinstance(value, str | int | float) else f"a {type(value).__name__}"
    return stated if len(stated) <= _SHOWN else stated[:_SHOWN] + "…"
