"""The order of flags, and which warnings are folded."""

from backend.schemas.drafts.draft import Flag
from backend.schemas.vocabulary import Severity
from backend.verification.safety.flag_order import OPEN_WARNINGS, in_order


def flag(severity: Severity, message: str, medicine: str = "") -> Flag:
    return Flag(kind="dose", severity=severity, message=message, medicine=medicine)


def test_the_severest_stand_first_and_a_medicine_s_warnings_together() -> None:
    given = [
        flag(Severity.INFO, "note"),
        flag(Severity.WARNING, "one", "warfarin"),
        flag(Severity.WARNING, "two", "digoxin"),
        flag(Severity.WARNING, "three", "warfarin"),
        flag(Severity.SEVERE, "stop"),
    ]
    assert [one.message for one in in_order(given)] == ["stop", "one", "three", "two", "note"]


def test_warnings_beyond_the_fifth_are_folded_and_severe_ones_never() -> None:
    given = [flag(Severity.WARNING, str(i)) for i in range(8)] + [flag(Severity.SEVERE, f"s{i}") for i in range(9)]
    found = in_order(given)
    assert len(found) == len(given)
    assert [one.message for one in found if one.folded] == ["5", "6", "7"]
    assert sum(one.severity is Severity.WARNING and not one.folded for one in found) == OPEN_WARNINGS


def test_ordering_again_changes_nothing_and_unfolds_what_has_room() -> None:
    once = in_order([flag(Severity.WARNING, str(i)) for i in range(6)])
    assert in_order(once) == once
    assert not any(one.folded for one in in_order(once[-1:]))
