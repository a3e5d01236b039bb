"""The medicines of a patient against each other, by the graph's interactions."""

import pytest

from backend.schemas.vocabulary import Severity
from tests.verification.flags import QUIET, Check, of, said


def test_a_pair_that_interacts_is_warned_of_with_what_happens(check: Check) -> None:
    flags, checks = check(f"{QUIET} She takes warfarin and ibuprofen.")
    (flag,) = of(flags, "interaction")
    assert (flag.severity, flag.message) == (Severity.WARNING, "warfarin with ibuprofen: more bleeding.")
    (row,) = [row for row in checks.compared if row.kind == "interaction"]
    assert (row.against, row.found) == (1, "1 found among 1 pairs")


@pytest.mark.parametrize(
    "note",
    [
        "She takes warfarin.",  # one alone
        "She takes furosemide and lisinopril.",  # a class that is often doubled
        "She takes warfarin. She never took ibuprofen.",
        "She takes lisinopril, an ACE inhibitor.",  # the one is of the other's class
    ],
)
def test_what_is_no_conflict_raises_none(check: Check, note: str) -> None:
    assert of(check(f"{QUIET} {note}")[0], "interaction") == []


def test_the_draft_s_own_medicine_is_flagged_only_where_the_two_must_never_meet(check: Check) -> None:
    flags, _ = check(f"{QUIET} She takes warfarin.", said("Take ibuprofen."))
    assert of(flags, "interaction") == []  # more bleeding is a warning, not a never


def test_fewer_than_two_medicines_have_no_row(check: Check) -> None:
    _, checks = check(f"{QUIET} She takes warfarin.")
    assert [row for row in checks.compared if row.kind == "interaction"] == []
