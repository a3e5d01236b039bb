"""What evaluations on annotated notes share: which notes, figures by setting, and the list of errors."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from backend.errors import InputError
from backend.evaluation.reading.gold_notes import AnnotatedNote
from backend.evaluation.reading.record_scores import NoteCounts
from backend.evaluation.reading.setting_figures import ERRORS, chosen_notes, setting_figures, together, write_errors
from backend.evaluation.reports.evaluation_run import RunOptions


def note(setting: str) -> AnnotatedNote:
    return cast(AnnotatedNote, SimpleNamespace(name="n", text="", gold=SimpleNamespace(setting=setting)))


def counts(hits: int, total: int) -> NoteCounts:
    found = NoteCounts()
    for number in range(total):
        found.count("recall", number < hits)
    return found


@pytest.fixture
def run(tmp_path: Path) -> RunOptions:
    return RunOptions(tmp_path, "2031-01-01", resamples=50)


def test_a_measure_is_pooled_over_all_notes_and_over_settings_that_have_enough(run: RunOptions) -> None:
    notes = [note("clinic")] * 3 + [note("ward")] * 2
    held = [counts(1, 2), counts(2, 2), counts(0, 1), counts(1, 1), counts(0, 2)]
    found = {one.system: (one.value, one.n) for one in setting_figures("rules", {"recall": ""}, notes, held, run)}
    # all: 4 of 8 in 5 notes; the clinic's: 3 of 5 in 3; two notes of the ward are too few
    assert found == {"rules": (pytest.approx(0.5), 5), "rules: clinic": (pytest.approx(0.6), 3)}


def test_where_there_is_nothing_of_a_kind_there_is_a_reason_and_no_zero(run: RunOptions) -> None:
    (found,) = setting_figures("rules", {"recall": ""}, [note("ward")] * 3, [counts(0, 0)] * 3, run)
    assert (found.value, found.n, found.reason) == (None, 0, "the notes hold nothing of the kind")


def test_a_half_that_is_none_is_refused(run: RunOptions, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'third' is none of: even, odd"):
        chosen_notes(tmp_path, tmp_path, "third", run)


def test_errors_are_written_as_lines(tmp_path: Path) -> None:
    write_errors(tmp_path, [counts(1, 1)])
    assert (tmp_path / ERRORS).read_text() == ""
    wrong = counts(0, 1)
    wrong.errors.append(SimpleNamespace(_asdict=lambda: {"sentence": "Cough."}))  # type: ignore[arg-type]
    write_errors(tmp_path, [wrong])
    assert [json.loads(line) for line in (tmp_path / ERRORS).read_text().splitlines()] == [{"sentence": "Cough."}]


def test_several_hashes_are_one_whatever_their_order() -> None:
    assert together({"a": "1", "b": "2"}) == together({"b": "2", "a": "1"}) != together({"a": "2", "b": "1"})
