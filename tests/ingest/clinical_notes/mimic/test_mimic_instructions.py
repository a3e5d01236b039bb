"""MIMIC-IV-Note-Ext-DI to pairs: on invented files in its form, every row accounted for."""

import json
import shutil
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.ingest.clinical_notes.mimic.mimic_instructions import PATIENT_UNKNOWN, read_instruction_folder
from backend.ingest.clinical_notes.mimic.mimic_notes import HOLDS_COURSE, HOLDS_EMERGENCY, MimicSettings
from backend.ingest.clinical_notes.note_pairs import Pair, read_pairs, write_pairs
from backend.ingest.documents.import_report import ImportReport

SAMPLE = Path(__file__).parent / "mimic_sample" / "instructions"
EVERY = MimicSettings(n_train=0, n_test=0)


def read(folder: Path = SAMPLE, settings: MimicSettings = EVERY) -> tuple[dict[str, Pair], ImportReport]:
    report = ImportReport()
    return {pair.pair_id: pair for pair in read_instruction_folder(folder, settings, report=report)}, report


def test_each_row_is_a_pair_or_is_left_out_for_its_reason() -> None:
    pairs, report = read()
    # 12 rows: lines 1, 2, 3 and 10 of train.json, the one of valid.json and both of test.json are pairs
    assert list(pairs) == ["test-1", "test-2", "validation-1", "train-1", "train-2", "train-3", "train-10"]
    assert report.skipped == {
        "the same note and instructions as a row before": 1,  # train 4 repeats 2; test 2 has other instructions
        "no allergies": 1,  # train 5: the hospital course alone
        "instructions of fewer than 10 words": 1,  # train 6
        "no JSON object with the texts text and summary": 2,  # train 7, whose text is null, and 8
    }
    assert (report.read, report.kept) == (12, 7)
    assert report.examples["no allergies"] == ["train.json, line 5"]


def test_the_note_is_what_was_known_before_admission_and_the_text_the_summary() -> None:
    pair = read()[0]["train-1"]
    assert pair.note == (
        "Allergies: Penicillins\n\nChief Complaint: Cough\n\n"
        "History of Present Illness: A woman with a cough for five days. In the ED she was given fluids."
    )
    assert pair.text.startswith("You were in the hospital with a cough.") and pair.split == "train"
    assert pair.patient_id == pair.pair_id


def test_notices_tell_the_stay_and_that_no_patient_is_known() -> None:
    pairs, _ = read()
    assert pairs["train-3"].notices == (HOLDS_COURSE, PATIENT_UNKNOWN)
    assert pairs["train-1"].notices == (HOLDS_EMERGENCY, PATIENT_UNKNOWN)
    assert pairs["train-2"].notices == (PATIENT_UNKNOWN,)
    dropped, report = read(settings=MimicSettings(n_train=0, n_test=0, drop_course=True))
    assert "train-3" not in dropped and report.skipped["the history tells the stay"] == 1


def test_of_each_split_so_many_are_drawn_whatever_the_order_of_the_rows(tmp_path: Path) -> None:
    settings = MimicSettings(n_train=2, n_validation=1, n_test=1, seed=3)
    drawn, report = read(settings=settings)
    assert [pair.split for pair in drawn.values()] == ["test", "validation", "train", "train"]
    assert report.skipped["usable, but not drawn for a split"] == 3  # 1 of test, 2 of train
    shutil.copytree(SAMPLE, tmp_path / "turned")
    rows = (SAMPLE / "train.json").read_text(encoding="utf-8").splitlines()
    (tmp_path / "turned" / "train.json").write_text("\n".join(rows[::-1]), encoding="utf-8")
    turned, _ = read(tmp_path / "turned", settings)
    assert {pair.note for pair in turned.values()} == {pair.note for pair in drawn.values()}
    seeds = {frozenset(read(settings=MimicSettings(2, 0, 1, seed))[0]) for seed in range(12)}
    assert len(seeds) > 1


def test_the_folder_of_the_release_is_taken_too_and_pairs_are_read_back(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "mimic-iv-note-ext-di" / "dataset")
    pairs, _ = read(tmp_path)
    write_pairs(tmp_path / "pairs.jsonl", pairs.values())
    assert list(read_pairs(tmp_path / "pairs.jsonl")) == list(pairs.values())


def test_too_few_rows_a_missing_file_and_the_course_alone_are_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"train.json has 4 usable rows, too few for 5 pairs of train\. Ask for fewer"):
        read(settings=MimicSettings(n_train=5, n_test=0))
    with pytest.raises(InputError, match=r"There is no file 'test.json'.*mimic-iv-note-ext-di/dataset"):
        read(tmp_path)
    row = json.dumps({"text": "Brief Hospital Course: fluids were given.", "summary": "Drink water. " * 8})
    (tmp_path / "train.json").write_text(row, encoding="utf-8")
    with pytest.raises(InputError, match=r"no allergies: 1.*give mimic-iv-note-ext-di/dataset"):
        read(tmp_path, MimicSettings(n_train=1, n_test=0))
    (tmp_path / "train.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"train\.json is not UTF-8"):
        read(tmp_path, MimicSettings(n_train=1, n_test=0))
