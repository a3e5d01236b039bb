"""`evaluate reading`: what a kept result holds, its caveats, and the errors beside it."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.reading.reading_run import ReadingOptions, concept_finder, evaluate_reading
from backend.evaluation.reports.evaluation_run import RunOptions
from backend.nlp.extraction.linker import DictionaryLinker
from tests.evaluation.annotated import annotated


def options(folder: Path, half: str | None = None) -> ReadingOptions:
    return ReadingOptions(folder, folder, RunOptions(folder.parent / "results", "2031-01-01", resamples=20), half)


def test_a_note_read_as_annotated_has_no_error(container: Container, tmp_path: Path) -> None:
    result, kept = evaluate_reading(container, options(annotated(tmp_path / "notes")))
    assert result.data is not None and (result.data.items, result.data.split, result.data.synthetic) == (1, "all", True)
    assert (kept / "errors.jsonl").read_text() == ""
    found = [figure.value for figure in result.figures if figure.value is not None]
    assert found and set(found) <= {0.0, 1.0}  # one note: all or nothing, and no measure half right
    assert any("Only 1 notes" in caveat for caveat in result.caveats)


def test_an_annotation_that_the_record_lacks_is_an_error_with_its_place(container: Container, tmp_path: Path) -> None:
    missed = {"allergies": {"status": "listed", "items": [{"agent": "latex", "quote": "penicillin"}]}}
    _, kept = evaluate_reading(container, options(annotated(tmp_path / "notes", missed)))
    errors = (kept / "errors.jsonl").read_text(encoding="utf-8")
    assert "latex" in errors and "n0" in errors


def test_a_half_takes_every_other_note_and_another_word_is_refused(container: Container, tmp_path: Path) -> None:
    folder = annotated(tmp_path / "notes", {}, {"synthetic": False}, {})
    split = {half: evaluate_reading(container, options(folder, half))[0].data for half in ("even", "odd")}
    counted = {half: (card.items, card.split, card.synthetic) for half, card in split.items() if card is not None}
    assert counted == {"even": (2, "even", True), "odd": (1, "odd", False)}
    with pytest.raises(InputError, match="'third' is none of"):
        evaluate_reading(container, options(folder, "third"))


def test_a_name_stands_for_a_concept_only_as_a_whole(tiny_linker: DictionaryLinker) -> None:
    concept_of = concept_finder(tiny_linker)
    assert concept_of("CHF") == concept_of("heart failure") is not None
    assert concept_of("gout and fever") is None  # two
    assert concept_of("fever of the zebra") is None  # a part alone
    assert concept_of("zebra") is None
