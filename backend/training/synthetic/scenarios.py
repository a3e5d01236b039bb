"""Read the synthetic scenarios: reasons for admission, comorbidities, pools and frames, as one Library.

Takes the folder assets/training/scenarios (its README describes the format). It reads shapes and
names the file and entry of a fault; `scenario_check` judges whether everything fits together.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from backend.errors import KnowledgeError
from backend.training.synthetic.phrases import Block, Condition, Option, parse_condition, parse_option
from backend.training.synthetic.scenario_library import (
    CHANGES,
    Allergy,
    Change,
    Comorbidity,
    Fact,
    Frames,
    Letter,
    Library,
    Pools,
    Scenario,
    Style,
    Vitals,
)

SHARED = ("pools", "comorbidities", "frames")
T = TypeVar("T")


def read_library(folder: Path) -> Library:
    """Read the whole folder. Raises KnowledgeError naming file and entry where one has the wrong shape."""
    if missing := [name for name in SHARED if not (folder / f"{name}.toml").is_file()]:
        raise KnowledgeError(f"{folder.name!r} lacks {missing[0]}.toml. Give the folder of scenarios.")
    pools, comorbidities, frames = (_load(folder / f"{name}.toml") for name in SHARED)
    scenarios = []
    for path in sorted(folder.glob("*.toml")):
        if path.stem not in SHARED:
            scenarios += _entries(_load(path), "scenario", path.stem, partial(_scenario, system=path.stem))
    return Library(
        tuple(scenarios),
        tuple(_entries(comorbidities, "comorbidity", "comorbidities", _comorbidity)),
        tuple(_entries(pools, "allergy", "pools", _allergy)),
        _pools(pools.get("pools", {})),
        {tag: tuple(names) for tag, names in pools.get("excluded_drugs", {}).items()},
        {name: tuple(drugs) for name, drugs in pools.get("classes", {}).items()},
        _frames(frames),
    )


def _load(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise KnowledgeError(f"{path.name} is no TOML: {error}") from None


def _entries(table: Mapping[str, Any], key: str, stem: str, read: Callable[[dict[str, Any]], T]) -> list[T]:
    """Each `[[key]]` read, with the file and the entry's id before the message of whatever is wrong in it."""
    entries = []
    for number, row in enumerate(table.get(key, []), start=1):
        try:
            entries.append(read(row))
        except (KnowledgeError, KeyError, TypeError, ValueError, AttributeError) as error:
            what = f"the key {error} is missing" if isinstance(error, KeyError) else str(error)
            raise KnowledgeError(f"{stem}.toml, {key} {row.get('id', number)!r}: {what}") from None
    return entries


def _only(row: Mapping[str, Any], allowed: Iterable[str], what: str) -> None:
    if unknown := sorted(set(row) - set(allowed)):
        raise KnowledgeError(f"{what} has no key {unknown[0]!r}. It has: {', '.join(sorted(allowed))}")


def _options(values: object) -> tuple[Option, ...]:
    if not isinstance(values, list):
        raise KnowledgeError(f"{values!r} is no list of texts. Put it in square brackets.")
    return tuple(parse_option(value) for value in values)


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise KnowledgeError(f"{value!r} is no chance. Write a number from 0 to 1.")
    return float(value)


def _block(value: object) -> Block:
    if isinstance(value, str):
        return Block((parse_option(value),))
    if isinstance(value, list):
        return Block(_options(value))
    if not isinstance(value, dict) or "say" not in value:
        raise KnowledgeError(f"{value!r} is no block. Write a text, a list of texts, or a table with `say`.")
    _only(value, ("p", "when", "say"), "A block")
    return Block(_options(value["say"]), _share(value.get("p", 1)), parse_condition(value.get("when", "")))


def _blocks(row: Mapping[str, Any], key: str) -> tuple[Block, ...]:
    return tuple(_block(value) for value in row.get(key, []))


def _change(row: Mapping[str, Any]) -> Change:
    _only(row, (*CHANGES, "for", "p", "when"), "A change")
    kinds = [kind for kind in CHANGES if kind in row]
    if len(kinds) != 1:
        raise KnowledgeError(f"A change has one of {', '.join(CHANGES)}; this has {len(kinds)}: {sorted(row)}")
    what = Block(_options(row[kinds[0]]), _share(row.get("p", 1)), parse_condition(row.get("when", "")))
    return Change(kinds[0], what, _options(row.get("for", [])))


def _letter(row: Mapping[str, Any]) -> Letter:
    _only(row, Letter._fields, "`instructions`")
    changes = tuple(_change(change) for change in row.get("changes", []))
    parts = [_blocks(row, part) for part in ("why", "course", "medicines", "advice", "follow_up")]
    return Letter(parts[0], parts[1], changes, parts[2], parts[3], _options(row.get("warnings", [])), parts[4])


def _fact(label: str, value: object) -> Fact:
    if not isinstance(value, dict):
        return Fact(label, ((label, 1.0),), _share(value), Condition())
    _only(value, ("p", "when", "of"), f"The fact {label!r}")
    choices = tuple((str(tag), float(weight)) for tag, weight in value.get("of", {label: 1}).items())
    return Fact(label, choices, _share(value.get("p", 1)), parse_condition(value.get("when", "")))


def _facts(row: Mapping[str, Any]) -> tuple[Fact, ...]:
    return tuple(_fact(label, value) for label, value in row.get("facts", {}).items())


def _pools(table: Mapping[str, Any]) -> Pools:
    return {name: _options(values) for name, values in table.items()}


def _vitals(row: Mapping[str, Any]) -> Vitals:
    _only(row, Vitals._fields, "`vitals`")
    temp, hr, bp, rr, spo2 = (str(row[field]) for field in Vitals._fields[:-1])
    return Vitals(temp, hr, bp, rr, spo2, parse_condition(row.get("when", "")))


def _scenario(row: Mapping[str, Any], system: str) -> Scenario:
    _only(row, set(Scenario._fields) - {"system"}, "A scenario")
    low, high = row["ages"]
    if not 18 <= low <= high <= 99:
        raise KnowledgeError(
            f"`ages` {low} to {high} is no range of adult ages. Write [lowest, highest] from 18 to 99."
        )
    return Scenario(
        system,
        row["id"],
        tuple(row["conditions"]),
        float(row.get("weight", 1)),
        (low, high),
        _share(row.get("female", 0.5)),
        tuple(row.get("tags", ())),
        tuple(row.get("excluded_drugs", ())),
        {name: _share(chance) for name, chance in row.get("comorbidities", {}).items()},
        _options(row["complaint"]),
        _options(row["presents"]),
        _blocks(row, "hpi"),
        _options(row.get("denies", [])),
        tuple(_vitals(entry) for entry in row.get("vitals", [])),
        _blocks(row, "exam"),
        _blocks(row, "results"),
        _blocks(row, "treated"),
        _facts(row),
        _pools(row.get("pools", {})),
        _letter(row["instructions"]),
    )


def _comorbidity(row: Mapping[str, Any]) -> Comorbidity:
    _only(row, Comorbidity._fields, "A comorbidity")
    young, middle, old = (_share(chance) for chance in row["chance"])
    return Comorbidity(
        row["id"],
        _options(row.get("names", [])),
        (young, middle, old),
        parse_condition(row.get("when", "")),
        _blocks(row, "history"),
        _blocks(row, "medicines"),
        _facts(row),
        _letter(row.get("instructions", {})),
    )


def _allergy(row: Mapping[str, Any]) -> Allergy:
    _only(row, Allergy._fields, "An allergy")
    return Allergy(row["id"], _share(row["chance"]), parse_condition(row.get("when", "")), _options(row["lines"]))


def _frames(table: Mapping[str, Any]) -> Frames:
    def style(row: Mapping[str, Any]) -> Style:
        _only(row, Style._fields, "A style")
        rest = (_options(row[field]) for field in Style._fields[3:])
        return Style(row["id"], float(row["weight"]), _share(row["abbreviate"]), *rest)

    short = tuple((long, tuple(forms)) for long, forms in table.get("short", {}).items())
    return Frames(tuple(_entries(table, "style", "frames", style)), short, _pools(table.get("texts", {})))
