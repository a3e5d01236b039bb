"""Inverses of relations: from MRDOC, from mirrored rows, from the list, from the name; and the direction that is kept."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.ingest.umls.umls_files import read_documentation
from backend.ingest.umls.umls_inverses import Facts, find_inverses, made_inverse, packed, turned, unpacked
from backend.ingest.umls.umls_relations import AllowList, read_allowed
from backend.ingest.umls.umls_settings import RelationList, UmlsSettings

SAMPLE = Path(__file__).parent / "umls_sample"
LINES = read_allowed(UmlsSettings().relation_file)
ALLOWED = AllowList(LINES, RelationList.ALL, {})


def _facts(*rows: tuple[int, int, int]) -> Facts:
    """From (head, relation, tail)."""
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return Facts(table[:, 0].astype(np.uint32), table[:, 2].astype(np.uint32), table[:, 1].astype(np.uint16))


def test_mrdoc_counts_before_anything_else() -> None:
    facts = _facts((0, 0, 1), (1, 1, 0), (2, 0, 3), (3, 1, 2), (4, 0, 5), (5, 1, 4))
    names = ("interprets", "is_interpreted_by", "read_by")
    assert find_inverses(facts, names, {"interprets": "read_by"}, ALLOWED)["interprets"] == "read_by"


def test_mirrored_rows_make_a_pair_that_no_name_tells() -> None:
    # Three rows a->b of relation 0, each with its row b->a of relation 1.
    facts = _facts((0, 0, 1), (1, 1, 0), (2, 0, 3), (3, 1, 2), (4, 0, 5), (5, 1, 4))
    assert find_inverses(facts, ("follows", "precedes"), {}, ALLOWED) == {"follows": "precedes", "precedes": "follows"}


def test_too_few_mirrored_rows_are_chance() -> None:
    # Two of two rows are mirrored: below FEWEST, so the names decide, and they tell nothing of one another.
    facts = _facts((0, 0, 1), (1, 1, 0), (2, 0, 3), (3, 1, 2))
    found = find_inverses(facts, ("follows", "precedes"), {}, ALLOWED)
    assert (found["follows"], found["precedes"]) == ("inverse_of_follows", "inverse_of_precedes")


def test_a_relation_that_mirrors_itself_is_symmetric() -> None:
    facts = _facts(*[(a, 0, b) for a, b in ((0, 1), (1, 0), (2, 3), (3, 2))])
    assert find_inverses(facts, ("beside",), {}, ALLOWED) == {"beside": "beside"}


def test_half_mirrored_rows_are_no_pair() -> None:
    # Of ten rows of relation 0, five are mirrored by relation 1: below the share of 0.9.
    rows = [(2 * n, 0, 2 * n + 1) for n in range(10)] + [(2 * n + 1, 1, 2 * n) for n in range(5)]
    found = find_inverses(_facts(*rows), ("likes", "knows"), {}, ALLOWED)
    assert found["likes"] == "inverse_of_likes"


@pytest.mark.parametrize(
    ("name", "inverse"),
    [
        ("has_site", "site_of"),
        ("site_of", "has_site"),
        ("treats", "inverse_of_treats"),
        ("inverse_of_treats", "treats"),
    ],
)
def test_a_name_gives_an_inverse_and_back(name: str, inverse: str) -> None:
    assert made_inverse(name) == inverse
    assert made_inverse(inverse) == name


def test_facts_are_turned_into_the_direction_of_the_list() -> None:
    # 7 finding_site_of 3 is 3 has_finding_site 7; both rows are one fact.
    facts = _facts((7, 0, 3), (3, 1, 7))
    names = ("finding_site_of", "has_finding_site")
    kept, used = turned(facts, names, find_inverses(facts, names, {}, ALLOWED), ALLOWED)
    assert [used[code] for code in kept.codes] == ["has_finding_site"]
    assert (kept.heads.tolist(), kept.tails.tolist()) == ([3], [7])


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5), st.integers(0, 6)), max_size=40))
def test_turning_keeps_every_fact_once_whichever_end_told_it(rows: list[tuple[int, int, int]]) -> None:
    names = ("has_finding_site", "finding_site_of", "same_as", "alpha", "zeta_of", "isa")
    inverses = find_inverses(_facts(*rows), names, {}, ALLOWED)
    assert all(inverses[inverses[name]] == name for name in names)
    kept, used = turned(_facts(*rows), names, inverses, ALLOWED)

    def ends(head: int, name: str, tail: int) -> frozenset[tuple[int, str, int]]:
        return frozenset({(head, name, tail), (tail, inverses[name], head)})

    before = {ends(head, names[code], tail) for head, code, tail in rows}
    after = [
        ends(h, used[c], t)
        for h, c, t in zip(kept.heads.tolist(), kept.codes.tolist(), kept.tails.tolist(), strict=True)
    ]
    assert set(after) == before
    assert len(after) == len(before)


@given(st.integers(0, 2**24 - 1), st.integers(0, 2**24 - 1), st.integers(0, 2**16 - 1))
def test_a_packed_fact_comes_back(head: int, tail: int, code: int) -> None:
    one = unpacked(packed(*(np.array([value], dtype=np.uint64) for value in (head, tail, code))))
    assert (one.heads[0], one.tails[0], one.codes[0]) == (head, tail, code)


def test_mrdoc_is_read_for_inverses_and_obsolete_term_types(tmp_path: Path) -> None:
    (tmp_path / "MRDOC.RRF").write_text(
        "RELA|one|rela_inverse|other|\nTTY|ZZ|tty_class|obsolete|\nTTY|YY|tty_class|preferred|\nRELA|x|expanded_form|X|\n"
    )
    found = read_documentation(tmp_path)
    assert (found.inverses["one"], found.inverses["other"]) == ("other", "one")
    assert "ZZ" in found.obsolete_types and "YY" not in found.obsolete_types
    assert "x" not in found.inverses
    assert found.inverses["CHD"] == "PAR"
