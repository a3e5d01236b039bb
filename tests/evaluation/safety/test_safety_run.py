"""`evaluate safety`: every part is drafted and counted, and of the odd half nothing but counts is kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from backend.container import Container
from backend.errors import InputError, NotFoundError
from backend.evaluation.reports.evaluation_run import RunOptions
from backend.evaluation.safety.safety_run import SafetyOptions, evaluate_safety, names_finder

NOTE = "Allergies: penicillin (anaphylaxis).\nHPI: A 60-year-old man with pneumonia and zebrastripe."


def vignette(half: str) -> dict[str, Any]:
    return {
        "id": f"v-{half}",
        "half": half,
        "kind": "allergy",
        "note": NOTE,
        "discharge_medicines": ["amoxicillin 500 mg TDS"],
        "dangers": [
            {"what": "allergy", "medicine": ["amoxicillin"], "with": ["penicillin"], "grade": "severe", "because": "it kills"},
            {"what": "disease", "medicine": ["zebrastripe"], "with": ["gout"], "grade": "warning", "because": "made up"},
        ],
    }  # fmt: skip


def prescription(half: str) -> dict[str, Any]:
    return {
        "id": f"p-{half}",
        "half": half,
        "patient": {"age_years": 60, "sex": "male", "weight_kg": None, "egfr": None, "problem": "gout", "medicines": []},
        "prescription": "allopurinol 100 mg OD",
        "medicine": "allopurinol",
        "about": "kidney",
        "error": None,
        "because": "usual",
    }  # fmt: skip


def probe(half: str) -> dict[str, Any]:
    return {
        "id": f"r-{half}",
        "half": half,
        "note": "HPI: A 60-year-old man with pneumonia.",
        "sign": "zebrastripe",
        "least": "call_today",
        "most": "call_ambulance",
        "words": [["zebrastripe"]],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "own"
    (made / "safety_vignettes").mkdir(parents=True)
    for name, row in (
        ("safety_vignettes/all.jsonl", vignette),
        ("prescriptions.jsonl", prescription),
        ("red_flags.jsonl", probe),
    ):
        (made / name).write_text("".join(f"{json.dumps(row(half))}\n" for half in ("even", "odd")), encoding="utf-8")
    return made


def options(folder: Path, half: str | None = None) -> SafetyOptions:
    return SafetyOptions(folder, RunOptions(folder.parent / "results", "2031-01-01", resamples=20), half)


def test_every_part_is_counted_and_the_errors_of_the_even_half_listed(container: Container, folder: Path) -> None:
    result, kept = evaluate_safety(container, options(folder))
    values = {(one.system, one.measure): (one.value, one.n) for one in result.figures}
    assert values["vignettes", "severe_as_severe"] == (1.0, 2)
    assert values["vignettes", "warning_found"] == (0.0, 2)
    assert values["vignettes: allergy", "found"] == (1.0, 2)
    assert values["vignettes", "foils_flagged"] == (None, 0)
    assert values["prescriptions: kidney", "specificity"] == (1.0, 2)
    assert values["warning signs", "not_told"] == (1.0, 2)
    errors = [json.loads(line) for line in (kept / "errors.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {(error["note"], error["kind"]) for error in errors} >= {("v-even", "warning_found"), ("r-even", "not_told")}
    assert not [error for error in errors if error["note"].endswith("odd")]


def test_of_the_odd_half_no_word_is_kept(container: Container, folder: Path) -> None:
    result, kept = evaluate_safety(container, options(folder, "odd"))
    assert result.data is not None and (result.data.split, result.data.items) == ("odd", 3)
    assert not [file for file in kept.iterdir() if "zebrastripe" in file.read_text(encoding="utf-8")]


def test_a_limit_draws_of_each_part_and_progress_is_told(container: Container, folder: Path) -> None:
    told: list[tuple[int, int, str]] = []
    chosen = options(folder)
    run = chosen.run._replace(progress=lambda *given: told.append(given), limit=1)
    result, _ = evaluate_safety(container, chosen._replace(run=run))
    assert result.data is not None
    assert result.data.notices == {"vignettes": 1, "prescriptions": 1, "warning signs": 1}
    assert told[:2] == [(0, 1, "vignettes"), (1, 1, "vignettes")]


def test_an_unknown_system_and_an_empty_folder_are_refused_before_anything_is_written(
    container: Container, folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(NotFoundError, match="zebra"):
        evaluate_safety(container, options(folder)._replace(system="zebra"))
    with pytest.raises(InputError, match="Give tests/benchmarks"):
        evaluate_safety(container, options(tmp_path / "nothing"))
    assert not (tmp_path / "results").exists()


def test_a_name_brings_the_names_of_its_concept(container: Container) -> None:
    names_of = names_finder(container)
    assert {"amoxicillin"} <= {name.lower() for name in names_of("amoxicillin")}
    assert names_of("zebrastripe") == ()
