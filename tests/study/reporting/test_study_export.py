"""Export and import: the hash in every file, and the same study again."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from backend.errors import ConflictError, InputError, NotFoundError
from backend.schemas.canonical_json import sha256_of
from backend.schemas.studies.study_design import StudyState
from backend.schemas.studies.study_rating import EventKind
from backend.schemas.studies.study_views import StudyFormat
from backend.study.rating.adjudication import adjudicate
from backend.study.reporting.study_export import export
from backend.study.reporting.study_import import import_study
from backend.study.tidy import ratings_data, tidy_rows
from tests.study.finished import whole
from tests.study.sample import OTHER, StudyWorld, write_but


def test_a_blind_study_gives_away_its_design_and_nothing_else(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    study_world.rate(study_world.invite(study_id), 1)
    for form in (StudyFormat.CSV, StudyFormat.JSONL):
        with pytest.raises(ConflictError, match="blind until it is unlocked"):
            export(study_world.studies, study_id, form, "Ada")
    lines = export(study_world.studies, study_id, StudyFormat.DESIGN, "Ada").splitlines()
    assert [json.loads(line)["type"] for line in lines] == ["study", "end"]


def test_a_study_that_is_not_frozen_has_no_export(study_world: StudyWorld) -> None:
    with pytest.raises(NotFoundError, match="not frozen yet"):
        export(study_world.studies, study_world.ready(), StudyFormat.DESIGN, "Ada")


def test_the_hash_is_in_every_export_and_failed_drafts_are_in_the_table(study_world: StudyWorld) -> None:
    study_id = whole(study_world, source=write_but("c01", OTHER, "=1+1"), calibration_items=0)
    study_world.studies.unlock(study_id, "Ada")
    digest = study_world.studies.view(study_id).sha256
    table = list(csv.DictReader(io.StringIO(export(study_world.studies, study_id, StudyFormat.CSV, "Ada"))))
    assert {row["sha256"] for row in table} == {digest}
    [failed] = [row for row in table if row["status"] == "failed_draft"]
    assert (failed["case"], failed["arm"], failed["text"]) == ("c01", OTHER, "'=1+1")  # no spreadsheet runs it
    for form in (StudyFormat.JSONL, StudyFormat.DESIGN):
        assert json.loads(export(study_world.studies, study_id, form, "Ada").splitlines()[0])["sha256"] == digest


HOSTILE = (
    '=HYPERLINK("http://x.example")', " =1+1", "\u200b=1+1", "\uff1d1+1", "@SUM(1)*cmd|' /C calc'!A0", "+1", "-1", "\t=1", "\r=1",
    '<script>alert(1)</script>, "quoted";x\ty', "two\nlines\r\nand, a comma", "\u05d3\u05d5\u05d3 \u202eabc", "\U0001f468\u200d\u2695\ufe0f", "w" * 3000,
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_stay_in_their_cell_and_no_spreadsheet_runs_them(study_world: StudyWorld, text: str) -> None:
    study_id = whole(study_world, source=write_but("c01", OTHER, text), calibration_items=0, name=f"Study {text}"[:100])
    study_world.studies.unlock(study_id, "Ada")
    table = list(csv.reader(io.StringIO(export(study_world.studies, study_id, StudyFormat.CSV, "Ada"), newline="")))
    assert {len(row) for row in table} == {len(table[0])}
    cells = [cell for row in table for cell in row]
    assert [cell for cell in cells if cell.removeprefix("'") == text.replace("\r\n", "\n").replace("\r", "\n")]
    assert not [cell for cell in cells if cell.strip("\u200b \t\n")[:1] in ("=", "+", "@", "\uff1d") or cell == "-1"]
    [failed] = [one for one in lines_of(study_world, study_id) if one["type"] == "study"]
    assert text in json.dumps(failed, ensure_ascii=False) or json.dumps(text, ensure_ascii=False)[1:-1] in json.dumps(
        failed, ensure_ascii=False
    )


def lines_of(study_world: StudyWorld, study_id: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export(study_world.studies, study_id, StudyFormat.JSONL, "Ada").splitlines()]


def test_imported_again_it_is_the_same_study(study_world: StudyWorld, tmp_path: Path) -> None:
    study_id = whole(study_world, {"R01": 5, "R02": 2})
    adjudicate(study_world.studies, study_id, 2, "Ada")
    study_world.studies.unlock(study_id, "Ada")
    text = export(study_world.studies, study_id, StudyFormat.JSONL, "Ada")
    (tmp_path / "other").mkdir()
    other = StudyWorld(tmp_path / "other")
    view = import_study(other.studies, text, "Bob")
    assert (view.id, view.sha256, view.state) == (
        study_id,
        study_world.studies.view(study_id).sha256,
        StudyState.CLOSED,
    )
    before, after = ratings_data(study_world.studies, study_id), ratings_data(other.studies, study_id)
    assert before._replace(events=()) == after._replace(events=())
    assert after.events[:-1] == before.events  # the last is the import itself
    assert tidy_rows(before, blind=False) == tidy_rows(after, blind=False)
    with pytest.raises(ConflictError, match="here already"):
        import_study(other.studies, text, "Bob")
    other.database.close()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text.replace("coughs", "sneezes"), "lines are missing or were changed"),
        (
            lambda text: "".join(text.splitlines(keepends=True)[:-2]) + text.splitlines(keepends=True)[-1],
            "lines are missing",
        ),
        (lambda text: text[:-20], "middle of a line"),
        (lambda text: "rater,value\n", "no JSON"),
        (lambda text: '{"type": "x"}\n', "no export"),
    ],
)
def test_a_damaged_export_is_refused_and_leaves_nothing(
    study_world: StudyWorld, tmp_path: Path, spoil: Any, message: str
) -> None:
    study_id = whole(study_world)
    study_world.studies.unlock(study_id, "Ada")
    text = export(study_world.studies, study_id, StudyFormat.JSONL, "Ada")
    (tmp_path / "other").mkdir()
    other = StudyWorld(tmp_path / "other")
    with pytest.raises(InputError, match=message):
        import_study(other.studies, spoil(text), "Bob")
    assert other.studies.page() == ()
    other.database.close()


def test_a_study_altered_with_care_still_does_not_fit_its_hash(study_world: StudyWorld, tmp_path: Path) -> None:
    study_id = whole(study_world)
    study_world.studies.unlock(study_id, "Ada")
    lines = export(study_world.studies, study_id, StudyFormat.JSONL, "Ada").splitlines(keepends=True)[:-1]
    body = lines[0].replace("coughs", "sneezes") + "".join(lines[1:])
    end = json.dumps({"type": "end", "lines": len(lines), "sha256": sha256_of(body)}) + "\n"
    (tmp_path / "other").mkdir()
    other = StudyWorld(tmp_path / "other")
    with pytest.raises(InputError, match="does not fit its hash"):
        import_study(other.studies, body + end, "Bob")
    other.database.close()


def test_an_export_is_recorded(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    export(study_world.studies, study_id, StudyFormat.DESIGN, "Eve")
    last = study_world.studies.trail(study_id)[-1]
    assert (last.kind, last.actor, last.details) == (EventKind.EXPORT, "Eve", {"format": "design"})
