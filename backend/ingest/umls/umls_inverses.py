"""Which relation is the other end of which, and the one direction in which a fact is kept.

MRREL says most facts twice, once from each end. The graph adds the other end itself, so each fact is kept once. The
inverse of a relation is, in this order: what MRDOC says; the relation whose rows mirror its own; what the allow-list
says; a name made from its own.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from backend.ingest.umls.umls_relations import AllowList

MIRRORED = 0.9  # share of a relation's rows, from either end, that must have a mirrored row
FEWEST = 3  # rows below which a mirror may be chance
_LOW = np.uint64(24)


class Facts(NamedTuple):
    """heads, tails: (m,) uint32, places of concepts. codes: (m,) uint16, places of relations."""

    heads: np.ndarray
    tails: np.ndarray
    codes: np.ndarray


def find_inverses(
    facts: Facts, names: Sequence[str], documented: Mapping[str, str], allowed: AllowList
) -> dict[str, str]:
    """The inverse of each name, itself for a symmetric relation. inverse[inverse[name]] == name for every name given."""
    mirrored = {names[one]: names[other] for one, other in _mirrors(facts, len(names)).items()}
    found: dict[str, str] = {}
    for source in (documented, mirrored, {name: allowed.inverse(name) for name in names}):
        for name in names:
            other = source.get(name)
            if other and name not in found and found.get(other, name) == name:
                found[name], found[other] = other, name
    for name in names:
        if name not in found:
            other = made_inverse(name)
            other = other if other not in found and other not in names else f"inverse_of_{name}"
            found[name], found[other] = other, name
    return found


def made_inverse(name: str) -> str:
    """`has_site` and `site_of` for one another, as UMLS names most pairs; else `inverse_of_` before the name."""
    if name.startswith("has_"):
        return f"{name[4:]}_of"
    if name.startswith("inverse_of_"):
        return name[len("inverse_of_") :]
    return f"has_{name[:-3]}" if name.endswith("_of") else f"inverse_of_{name}"


def kept_direction(name: str, inverse: str, allowed: AllowList) -> str:
    """Which of the two names a fact is kept under.

    The allow-list's, else the one that reads as an attribute, else the first by the alphabet.
    """
    for one in sorted((name, inverse)):
        if one in allowed.known:
            return one
    return min((name, inverse), key=lambda one: (one.startswith("inverse_"), one.endswith(("_of", "_by")), one))


def turned(
    facts: Facts, names: Sequence[str], inverses: Mapping[str, str], allowed: AllowList
) -> tuple[Facts, list[str]]:
    """Each fact once, in the kept direction, in order of head, tail and relation; and the names that its codes stand for."""
    kept = [kept_direction(name, inverses[name], allowed) for name in names]
    seen = set(np.unique(facts.codes).tolist())
    used = sorted({direction for code, direction in enumerate(kept) if code in seen})
    place = {name: code for code, name in enumerate(used)}
    codes = np.array([place.get(name, 0) for name in kept], dtype=np.uint64)[facts.codes]
    inverted = np.array([name != direction for name, direction in zip(names, kept, strict=True)], dtype=bool)[
        facts.codes
    ]
    # A symmetric relation has no direction: the smaller end is its head.
    both = np.array([inverses[name] == name for name in names], dtype=bool)[facts.codes]
    inverted |= both & (facts.heads > facts.tails)
    heads = np.where(inverted, facts.tails, facts.heads).astype(np.uint64)
    tails = np.where(inverted, facts.heads, facts.tails).astype(np.uint64)
    return unpacked(np.unique(packed(heads, tails, codes))), used


def packed(heads: np.ndarray, tails: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """(m,) uint64: 24 bits head, 24 bits tail, 16 bits relation."""
    keys: np.ndarray = heads << np.uint64(40) | tails << np.uint64(16) | codes
    return keys


def unpacked(keys: np.ndarray) -> Facts:
    """The facts of such keys."""
    low = np.uint64(0xFFFFFF)
    return Facts(
        (keys >> np.uint64(40)).astype(np.uint32),
        (keys >> np.uint64(16) & low).astype(np.uint32),
        (keys & np.uint64(0xFFFF)).astype(np.uint16),
    )


def _mirrors(facts: Facts, count: int) -> dict[int, int]:
    """Relations whose rows (a, r, b) have a row (b, s, a), nearly all of them and the other way round: r to s."""
    totals = np.bincount(facts.codes, minlength=count)
    heads, tails = facts.heads.astype(np.uint64), facts.tails.astype(np.uint64)
    ends, swapped = heads << _LOW | tails, tails << _LOW | heads
    order = np.argsort(ends, kind="stable")
    ends, codes = ends[order], facts.codes[order]
    first, last = np.searchsorted(ends, swapped, "left"), np.searchsorted(ends, swapped, "right")
    together = np.zeros((count, count), dtype=np.int64)
    # Concepts are joined by one relation mostly and by a handful at most, so few rounds see every mirrored row.
    for step in range(int((last - first).max(initial=0))):
        here = first + step < last
        np.add.at(together, (facts.codes[here], codes[first[here] + step]), 1)
    found: dict[int, int] = {}
    for one in range(count):
        other = int(np.argmax(together[one]))
        least = MIRRORED * max(totals[one], totals[other])
        if totals[one] >= FEWEST and together[one, other] >= least:
            found[one] = other
    return found
