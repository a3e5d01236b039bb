"""seams: what is registered, by name."""

import json

import pytest

from backend.cli.program import main
from backend.registry import PLANNERS, SEAMS, planner


class Careful:
    """Asks twice.

    What follows is for whoever reads the source.
    """


def test_a_registered_planner_is_listed_with_its_label_and_first_line(capsys: pytest.CaptureFixture[str]) -> None:
    with PLANNERS.scratch():
        planner("careful", label="Careful planner")(Careful)
        assert main(["seams", "planner"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert "planner  careful  Careful planner  Asks twice." in lines
        assert main(["seams", "--json"]) == 0
        found = {row["name"]: row["registered"] for row in json.loads(capsys.readouterr().out)}
    assert {"name": "careful", "label": "Careful planner", "about": "Asks twice.", "action": ""} in found["planner"]
    assert set(found) <= {seam.seam for seam in SEAMS}


def test_a_seam_there_is_not_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["seams", "dragon"]) == 2
    assert "There is no seam 'dragon'. Choose one of: strategy, " in capsys.readouterr().err
