"""`evaluate drafts`: letters of annotated notes, by system."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import InputError, NotFoundError
from backend.evaluation.drafts.annotated_run import DraftsOptions, evaluate_drafts
from backend.evaluation.reports.evaluation_run import RunOptions
from backend.systems import DEFAULT_SYSTEM
from tests.evaluation.annotated import annotated

FACT = {"fact": "he has a fever", "quote": "with fever"}
TRAP = {"statement": "take penicillin"}


def options(folder: Path, *systems: str) -> DraftsOptions:
    run = RunOptions(folder.parent / "results", "2031-01-01", resamples=20)
    return DraftsOptions(folder, folder, run, systems=systems)


def test_each_system_named_has_its_figures_over_the_same_notes(container: Container, tmp_path: Path) -> None:
    folder = annotated(tmp_path / "notes", {"must_have": [FACT], "must_not": [TRAP]})
    result, kept = evaluate_drafts(container, options(folder, DEFAULT_SYSTEM, "no-retrieval"))
    assert set(result.systems) == {DEFAULT_SYSTEM, "no-retrieval"}
    measured = {name: {f.measure for f in result.figures if f.system == name} for name in result.systems}
    assert measured[DEFAULT_SYSTEM] == measured["no-retrieval"] == set(result.measures)
    traps = [f.value for f in result.figures if f.n and "must_not" in f.measure]
    assert traps and set(traps) <= {0.0, 1.0}
    spent = {(f.system, f.measure): f.value for f in result.figures}
    assert spent[DEFAULT_SYSTEM, "model_calls"] == 0 and (spent[DEFAULT_SYSTEM, "retrieval_s"] or 0) > 0
    assert result.data is not None and result.data.items == 1
    assert (kept / "errors.jsonl").is_file() and any("Only 1 notes" in caveat for caveat in result.caveats)


def test_without_a_system_named_the_default_writes_and_progress_is_told(container: Container, tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    chosen = options(annotated(tmp_path / "notes", {}, {}))
    run = chosen.run._replace(progress=lambda *given: told.append(given), limit=1)
    result, _ = evaluate_drafts(container, chosen._replace(run=run))
    assert list(result.systems) == [DEFAULT_SYSTEM]
    assert told == [(0, 1, DEFAULT_SYSTEM), (1, 1, DEFAULT_SYSTEM)]


def test_an_unknown_system_and_a_folder_without_notes_are_refused_before_anything_is_written(
    container: Container, tmp_path: Path
) -> None:
    folder = annotated(tmp_path / "notes")
    with pytest.raises(NotFoundError, match="zebra"):
        evaluate_drafts(container, options(folder, "zebra"))
    with pytest.raises(InputError, match="holds no annotation"):
        evaluate_drafts(container, options(tmp_path / "none"))
    assert not (tmp_path / "results").exists()
