"""`evaluate fit`: judged sentences read as written, figures derived by hand, and the sentences that ship."""

import json
from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.drafts.fit_run import FitOptions, evaluate_fit
from backend.evaluation.drafts.judged_sentences import read_judged
from backend.evaluation.reports.evaluation_run import RunOptions

JUDGED = Path(__file__).parents[2] / "benchmarks" / "fit"
NOTE = "HPI: A 60-year-old man has gout. He never smoked.\nMedications: allopurinol 100 mg daily."


def row(name: str, sentence: str, label: str, **more: object) -> dict[str, object]:
    return {"id": name, "text": NOTE, "sentence": sentence, "label": label, "planted": True, **more}


def write(folder: Path, *rows: dict[str, object]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "own.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in rows))
    return folder


def test_recall_precision_and_false_alarms_are_counted(container: Container, tmp_path: Path) -> None:
    folder = write(
        tmp_path / "judged",
        row("a", "Keep your stitches dry.", "not", kind="wound"),  # found
        row("b", "If you smoke, quit.", "not", kind="habit"),  # found
        row("c", "You like the sea.", "not", kind="other"),  # missed
        row("d", "Take your allopurinol each day.", "fits"),
        row("e", "Empty your catheter bag.", "fits"),  # a false alarm, by this judgement
        row("f", "You have gout.", "fits", cites="has gout"),
    )
    result, kept = evaluate_fit(container, FitOptions(folder, (), RunOptions(tmp_path, "2026-01-01", resamples=20)))
    figures = {(f.system, f.measure): f.value for f in result.figures}
    assert figures["own, planted", "recall"] == pytest.approx(2 / 3)
    assert figures["own, planted", "precision"] == pytest.approx(2 / 3)
    assert figures["own, planted", "false_alarms"] == pytest.approx(1 / 3)
    assert figures["own, drafts", "recall"] is None
    assert result.tables["kinds of misfits"]["wound"] == {"found": 1, "missed": 0}
    assert result.tables["kinds of misfits"]["other"] == {"found": 0, "missed": 1}
    errors = [json.loads(line) for line in (kept / "errors.jsonl").read_text().splitlines()]
    assert [one["id"] for one in errors] == ["c", "e"]
    assert all("text" not in one for one in errors)


def test_rows_whose_note_was_not_given_are_left_out_and_counted(tmp_path: Path) -> None:
    away: dict[str, object] = {"id": "z", "set": "elsewhere", "note": "n1", "sentence": "Rest.", "label": "fits"}
    notes, left_out = read_judged(write(tmp_path / "judged", row("a", "Rest.", "fits"), away), ())
    assert [one.rows[0].id for one in notes] == ["a"]
    assert left_out == {"no notes of the set elsewhere were given": 1}


def test_a_row_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"own\.jsonl, line 1 is no judged sentence"):
        read_judged(write(tmp_path / "judged", {"id": "a"}), ())
    with pytest.raises(InputError, match="holds no judged sentences"):
        read_judged(tmp_path, ())


def test_the_sentences_that_ship_are_enough_and_no_note_is_in_both_halves() -> None:
    halves = {}
    for file in ("learn", "held"):
        rows = [json.loads(line) for line in (JUDGED / f"{file}.jsonl").read_text().splitlines()]
        assert len({one["id"] for one in rows}) == len(rows) >= 250
        assert sum(one["planted"] and one["label"] == "not" for one in rows) >= 40
        assert all(bool(one["kind"] and one["reason"]) == (one["label"] == "not") for one in rows)
        halves[file] = {(one["set"], one["note"]) for one in rows}
    assert halves["learn"].isdisjoint(halves["held"])
