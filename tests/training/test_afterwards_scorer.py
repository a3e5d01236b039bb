"""Training of the scorer of what becomes of a medicine: labels by name and concept, and figures of writers that were not learned from."""

import json
from pathlib import Path

from backend.nlp.medications.status.afterwards_scorer import AFTERWARDS, afterwards_scorer
from backend.nlp.scoring.evidence import Evidence
from backend.schemas.record import Afterwards
from backend.training.afterwards_scorer import ACTIONS, NOTES, examples, figures
from backend.training.status_chain import Labelled


def test_a_medicine_has_the_label_of_the_row_that_names_it_or_its_concept(tmp_path: Path) -> None:
    rows = [{"medicine": "zocor", "action": "stopped"}, {"medicine": "ramipril", "action": "continue"}]
    path = tmp_path / "notes.jsonl"
    note = {"id": "w1-01", "text": "Takes ramipril 5 mg and aspirin 75 mg. Stop simvastatin 20 mg.", "rows": rows}
    path.write_text(json.dumps(note) + "\n", encoding="utf-8")
    ((writer, one),) = examples(path)
    assert writer == "w1"
    assert one.labels == (Afterwards.CONTINUED, None, Afterwards.STOPPED)


def test_rows_that_differ_label_nothing(tmp_path: Path) -> None:
    rows = [{"medicine": "zocor", "action": "stopped"}, {"medicine": "simvastatin", "action": "continue"}]
    path = tmp_path / "notes.jsonl"
    path.write_text(
        json.dumps({"id": "w1-01", "text": "Zocor 20 mg, simvastatin.", "rows": rows}) + "\n", encoding="utf-8"
    )
    ((_, one),) = examples(path)
    assert one.labels == (None,)


def test_figures_are_of_writers_that_were_not_learned_from() -> None:
    def note(writer: str, told: str, label: Afterwards, group: int) -> tuple[str, Labelled[Afterwards]]:
        evidence = Evidence(((told, "any"),), ())
        return writer, Labelled(group, evidence, (Afterwards.OPEN,), (label,), piece=False)

    # what one writer calls "x" another has never seen: it cannot be right but by chance of the bias
    labelled = [note("w1", "x", Afterwards.STOPPED, n) for n in range(6)]
    labelled += [note("w2", "y", Afterwards.ON_HOLD, n) for n in range(6, 12)]
    found = figures(labelled, 2)["likelihood at least 0"]
    assert found == {"medicines": 12, "share_read": 1.0, "right_of_those": 0.0}


def test_the_shipped_notes_use_every_action_and_the_shipped_model_knows_every_outcome() -> None:
    used = {row["action"] for line in NOTES.read_text("utf-8").splitlines() for row in json.loads(line)["rows"]}
    assert used == set(ACTIONS)
    assert afterwards_scorer().statuses == AFTERWARDS == tuple(Afterwards)
