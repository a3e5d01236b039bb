"""The shipped ranking on written notes: measured floors, and what first sight of docs/diagnosis.md became."""

import pytest

from backend.container import Container
from tests.diagnosis.condition_notes import figures

# notes; first: the leader is right; three: one of the first three; shown: all that must be; excluded: a leader that must not lead
FLOORS = {
    "tune": (40, 40, 40, 40, 0),
    "held": (40, 39, 40, 40, 1),
    "third": (40, 40, 40, 40, 0),
    "fourth": (25, 24, 25, 25, 0),
    "fifth": (25, 24, 25, 25, 0),
    "sixth": (20, 20, 20, 20, 0),
    "seventh": (40, 36, 37, 30, 2),
    "eighth": (40, 33, 36, 16, 2),
}


@pytest.mark.parametrize("name", list(FLOORS))
def test_the_right_condition_leads_as_often_as_measured(container: Container, name: str) -> None:
    counts = figures(container, name)["all"]
    notes, first, three, shown, excluded = FLOORS[name]
    assert counts["notes"] == notes
    assert counts["first"] >= first
    assert counts["three"] >= three
    assert counts["shown"] >= shown
    assert counts["excluded"] <= excluded
