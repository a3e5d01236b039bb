"""The shipped ranking on written notes: measured floors, and what first sight of docs/conditions.md became."""

import pytest

from backend.assembly import House
from tests.retrieval.condition_notes import figures

# first: the leader is right; three: one of the first three; shown: all that must be; barred: a leader that must not lead
FLOORS = {"tune": (39, 40, 40, 0), "held": (35, 39, 39, 1), "third": (31, 34, 36, 2)}


@pytest.mark.parametrize("name", list(FLOORS))
def test_the_right_condition_leads_as_often_as_measured(house: House, name: str) -> None:
    told = figures(house, name)["all"]
    first, three, shown, barred = FLOORS[name]
    assert told["notes"] == 40
    assert told["first"] >= first
    assert told["three"] >= three
    assert told["shown"] >= shown
    assert told["barred"] <= barred
