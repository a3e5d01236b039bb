"""Situations: a class of medicines brings its members, but for those that a row leaves out."""

import pytest

from backend.nlp.people.situations import situation_rows


def names(chapter: str) -> frozenset[str]:
    return next(row.names for row in situation_rows() if row.chapter == chapter)


@pytest.mark.parametrize(
    ("chapter", "held"),
    [
        ("ACE inhibitor", ("lisinopril", "ramipril", "sacubitril-valsartan")),
        ("anticoagulant", ("warfarin", "tinzaparin", "apixaban", "acenocoumarol")),
        ("NSAID", ("naproxen", "celecoxib", "ibuprofen-famotidine")),
        ("SGLT2 inhibitor", ("dapagliflozin", "dapagliflozin-metformin")),
        ("antithyroid drug", ("carbimazole", "methimazole")),
        ("immune checkpoint inhibitor", ("nivolumab", "ipilimumab")),
    ],
)
def test_a_class_brings_its_members(chapter: str, held: tuple[str, ...]) -> None:
    assert set(held) <= names(chapter)


@pytest.mark.parametrize(
    ("chapter", "left_out"),
    [
        ("NSAID", ("aspirin", "diclofenac gel", "ketorolac eye drops")),
        ("anticoagulant", ("heparin flush",)),
        ("systemic glucocorticoid", ("prednisolone eye drops",)),
        ("immunosuppressant", ("methotrexate", "dupilumab")),
    ],
)
def test_a_member_that_the_row_leaves_out_is_none(chapter: str, left_out: tuple[str, ...]) -> None:
    assert names(chapter).isdisjoint(left_out)
    assert not any(name.startswith("not:") for name in names(chapter))


def test_what_is_no_medicine_that_is_taken_brings_nothing_else() -> None:
    assert names("asplenia") == {"asplenia", "splenectomy"}
