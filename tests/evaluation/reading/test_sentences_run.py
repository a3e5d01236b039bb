"""`evaluate sentences`: counts, a limit, and no sentence kept unless it is asked for."""

import json
from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.reading.fresh_sentences import MEASURES
from backend.evaluation.reading.sentences_run import SentencesOptions, evaluate_sentences
from backend.evaluation.reports.evaluation_run import RunOptions

DENIED = {"text": "Denies fever at home in Zebratown.", "span": "fever", "status": "denied"}
CLAIMED = {"text": "Has fever.", "span": "fever", "status": "denied"}  # wrong on purpose: it is present


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "sentences"
    made.mkdir()
    return made


def written(folder: Path, *rows: dict[str, str]) -> Path:
    (folder / "attributes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def options(folder: Path, tmp_path: Path, **more: object) -> SentencesOptions:
    limit = more.pop("limit", None)
    run = RunOptions(tmp_path / "results", "2031-01-01", resamples=20, limit=limit)  # type: ignore[arg-type]
    return SentencesOptions(folder, run, **more)  # type: ignore[arg-type]


def test_a_measure_counts_its_cases_and_one_without_cases_has_a_reason(
    container: Container, folder: Path, tmp_path: Path
) -> None:
    result, kept = evaluate_sentences(container, options(written(folder, DENIED, CLAIMED), tmp_path))
    found = {figure.measure: figure for figure in result.figures}
    assert set(found) == set(MEASURES)
    assert (found["attributes"].value, found["attributes"].n) == (0.5, 2)
    assert (found["dose"].value, found["dose"].n, found["dose"].reason) == (None, 0, "no sentence is of the kind")
    assert result.data is not None and result.data.items == 2
    assert kept.parent == tmp_path / "results"


def test_errors_stand_with_their_sentence_only_where_asked_for(
    container: Container, folder: Path, tmp_path: Path
) -> None:
    written(folder, {**DENIED, "status": "present"})
    _, kept = evaluate_sentences(container, options(folder, tmp_path))
    assert not [path for path in kept.iterdir() if "Zebratown" in path.read_text(encoding="utf-8")]
    _, kept = evaluate_sentences(container, options(folder, tmp_path, errors=True))
    assert "Zebratown" in (kept / "errors.jsonl").read_text(encoding="utf-8")


def test_a_limit_draws_so_many_and_nothing_is_refused(container: Container, folder: Path, tmp_path: Path) -> None:
    written(folder, DENIED, DENIED, CLAIMED)
    result, _ = evaluate_sentences(container, options(folder, tmp_path, limit=1))
    assert result.data is not None and result.data.items == 1
    with pytest.raises(InputError, match="leaves nothing"):
        evaluate_sentences(container, options(folder, tmp_path, limit=0))


def test_a_folder_without_sentences_is_refused(container: Container, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        evaluate_sentences(container, options(folder, tmp_path))
