"""Discharge summaries to pairs: on an invented file in the form of MIMIC-IV-Note, every row of it accounted for."""

import csv
import gzip
import random
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.ingest.clinical_notes.mimic.mimic_notes import MimicSettings, read_discharge_csv
from backend.ingest.clinical_notes.mimic.mimic_split import PatientSplit
from backend.ingest.clinical_notes.note_pairs import Pair, read_pairs, write_pairs
from backend.ingest.documents.import_report import ImportReport
from backend.nlp.document import sections
from backend.schemas.vocabulary import SectionCategory

SAMPLE = Path(__file__).parent / "mimic_sample" / "discharge.csv"
ALL = MimicSettings(n_train=0, n_test=0)


def _read(path: Path = SAMPLE, settings: MimicSettings = ALL) -> tuple[dict[str, Pair], ImportReport]:
    report = ImportReport()
    return {pair.pair_id: pair for pair in read_discharge_csv(path, settings, report=report)}, report


def _write(path: Path, rows: list[list[str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(["note_id", "subject_id", "hadm_id", "note_type", "note_seq", "charttime", "storetime", "text"])
        writer.writerows(rows)
    return path


def _many(folder: Path, patients: int, order: int | None = None) -> Path:
    """Patient n has 1 + n % 3 notes."""
    text = (
        "Allergies: None\nChief Complaint: pain {0}\nHistory of Present Illness: pain {0}\nDischarge Instructions: rest "
        + "well " * 12
    )
    rows = [
        [f"{patient}-DS-{note}", str(patient), "1", "DS", str(note), "", "", text.format(patient)]
        for patient in range(patients)
        for note in range(1 + patient % 3)
    ]
    if order is not None:
        random.Random(order).shuffle(rows)
    return _write(folder / "many.csv", rows)


def test_each_row_is_a_pair_or_is_skipped_for_its_reason() -> None:
    pairs, report = _read()
    # 16 rows: 10-DS-1, 10-DS-2, 16, 17, 20 and 21 are pairs.
    assert list(pairs) == ["10-DS-1", "10-DS-2", "16-DS-1", "17-DS-1", "20-DS-1", "21-DS-1"]
    assert report.skipped == {
        "no discharge instructions": 2,  # 11 has no such header, 14 nothing but blanks and a title
        "no allergies": 1,  # 12: a blank
        "another note type than DS": 1,  # 13
        "instructions of fewer than 10 words": 1,  # 15: "Take care. See" are 3
        "a note_id that came before": 1,  # 10-DS-1 again
        "no chief complaint": 1,  # 18
        "no history of present illness": 1,  # 19
        "wrong number of cells": 1,  # 22
        "not UTF-8": 1,  # 23
    }
    assert (report.read, report.kept) == (16, 6)
    assert report.read == report.kept + report.skipped_count


def test_a_pair_holds_the_three_parts_and_the_instructions() -> None:
    pair = _read()[0]["10-DS-1"]
    assert pair.note == (
        "Allergies: Penicillins / Sulfa\n\nChief Complaint: Cough\n\nHistory of Present Illness: ___ year old woman with a "
        'cough for five days, "like last year".\nNo fever, no rash.\n\nIn the ED she was given fluids.'
    )
    # "Dr.___in" is set apart; the follow-up instructions do not belong to it.
    assert pair.text == (
        'Dear Ms. ___,\n\nYou came to the hospital with a cough. We found "walking" pneumonia, and you took antibiotics.\n'
        "Please finish them, drink water, and see Dr.___ in one week."
    )
    assert (pair.patient_id, pair.split) == ("10", "train")


def test_headers_are_read_in_any_case_and_spacing() -> None:
    pair = _read()[0]["10-DS-2"]
    assert pair.note.startswith("Allergies: No Known Allergies\n\nChief Complaint: Rash\n\n")
    assert pair.note.endswith("History of Present Illness: ___ woman with an itchy rash since ___.")
    assert pair.text.startswith("Dear Ms. ___,") and pair.text.endswith("in one week.")


def test_short_headers_count_where_the_note_has_no_long_ones() -> None:
    pair = _read()[0]["16-DS-1"]
    # "CC: hip pain" stands in the middle of a line, so it is running text.
    assert "Chief Complaint: Fall\n" in pair.note
    assert pair.note.endswith("Tripped over a rug. CC: hip pain at first, now none.")


def test_labels_inside_a_history_stay_in_it_and_quoted_instructions_do_not_count() -> None:
    pair = _read()[0]["20-DS-1"]
    assert pair.note.endswith("Short of breath for a day.\nROS: no fever.\nED Course: oxygen.")
    assert "asthma" in pair.text and "earlier note" not in pair.text


def test_the_note_of_a_pair_is_one_that_the_linker_can_cut() -> None:
    for pair in _read()[0].values():
        # 16-DS-1 has a "CC:" in its history, which the cutter may take for a header of its own.
        assert [section.category for section in sections(pair.note)][:3] == [
            SectionCategory.ALLERGIES,
            SectionCategory.CHIEF_COMPLAINT,
            SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
        ]


def test_a_history_that_tells_the_stay_is_marked_or_dropped() -> None:
    pairs, _ = _read()
    assert {name: pair.notices for name, pair in pairs.items() if pair.notices} == {
        "10-DS-1": ("hpi_tells_emergency",),
        "17-DS-1": ("hpi_tells_course",),
        "20-DS-1": ("hpi_tells_emergency",),
    }
    kept, report = _read(settings=MimicSettings(n_train=0, n_test=0, drop_course=True))
    assert set(pairs) - set(kept) == {"17-DS-1"}
    assert report.skipped["the history tells the stay"] == 1


def test_a_packed_file_gives_the_same_pairs(tmp_path: Path) -> None:
    (tmp_path / "discharge.csv.gz").write_bytes(gzip.compress(SAMPLE.read_bytes()))
    assert _read(tmp_path / "discharge.csv.gz")[0] == _read()[0]


def test_a_byte_order_mark_and_other_columns_do_no_harm(tmp_path: Path) -> None:
    rows = list(csv.reader(SAMPLE.read_bytes().decode(errors="replace").splitlines(keepends=True)))
    path = tmp_path / "x.csv"
    with path.open("w", newline="", encoding="utf-8-sig") as out:
        csv.writer(out).writerows([[*row[::-1], "extra"] for row in rows if len(row) == 8])
    assert _read(path)[0] == _read()[0]


def test_the_split_has_the_sizes_asked_for_and_no_patient_twice(tmp_path: Path) -> None:
    # 60 patients of 1, 2 or 3 notes, 20 of each: 120 pairs.
    pairs, report = _read(_many(tmp_path, 60), MimicSettings(n_train=50, n_validation=7, n_test=20))
    by_split: dict[str, list[Pair]] = {}
    for pair in pairs.values():
        by_split.setdefault(pair.split, []).append(pair)
    assert {split: len(found) for split, found in by_split.items()} == {"test": 20, "validation": 7, "train": 50}
    patients = [{pair.patient_id for pair in found} for found in by_split.values()]
    assert sum(map(len, patients)) == len(set.union(*patients))
    assert (report.read, report.kept, report.skipped_count) == (120, 77, 43)


def test_the_split_is_the_same_whatever_the_order_of_the_file(tmp_path: Path) -> None:
    settings = MimicSettings(n_train=30, n_test=10, seed=5)
    first = list(_read(_many(tmp_path, 60), settings)[0].values())
    for order in range(3):
        assert list(_read(_many(tmp_path, 60, order), settings)[0].values()) == first


def test_another_seed_draws_other_pairs(tmp_path: Path) -> None:
    path = _many(tmp_path, 60)
    one, other = (set(_read(path, MimicSettings(n_train=30, n_test=10, seed=seed))[0]) for seed in (1, 2))
    assert one != other


def test_only_what_can_still_be_chosen_is_held() -> None:
    split = PatientSplit({"test": 5, "train": 10}, seed=1)
    for patient in range(2000):
        for note in range(1 + patient % 4):
            split.add(Pair(f"{patient}-{note}", str(patient), "train", "n", "t"))
    # 15 pairs, and up to 4 of one patient at each of the two borders; the last patient held may have 4.
    assert split._held <= 15 + 2 * 4 + 4
    assert len(list(split.deal())) == 15


def test_too_few_usable_notes_are_an_error_that_counts_them() -> None:
    with pytest.raises(
        InputError, match=r"There are 6 usable pairs of 5 patients, too few for 1,000 test, 3,000 train"
    ):
        _read(settings=MimicSettings())


def test_the_order_of_one_patients_notes_is_seeded_too(tmp_path: Path) -> None:
    # One patient with three notes, of which one is drawn: another seed draws another one sooner or later.
    text = "Allergies: None\nChief Complaint: x\nHistory of Present Illness: y\nDischarge Instructions: " + "rest " * 10
    path = _write(tmp_path / "one.csv", [[f"7-DS-{n}", "7", "1", "DS", "1", "", "", text] for n in range(3)])
    drawn = {next(iter(_read(path, MimicSettings(n_train=1, n_test=0, seed=seed))[0])) for seed in range(12)}
    assert drawn == {"7-DS-0", "7-DS-1", "7-DS-2"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"note_id,subject_id,text\n", "has no column note_type"),
        (b"", "has no column note_id, subject_id, note_type, text"),
        (b'note_id,subject_id,note_type,text\n1,2,DS,"cut', "cannot be read as CSV at line 2"),
    ],
)
def test_what_is_no_such_csv_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "x.csv").write_bytes(data)
    with pytest.raises(InputError, match=message):
        _read(tmp_path / "x.csv")


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    data = gzip.compress(SAMPLE.read_bytes())
    (tmp_path / "x.csv.gz").write_bytes(data[:-40])
    with pytest.raises(InputError, match=r"cannot be unpacked"):
        _read(tmp_path / "x.csv.gz")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        _read(tmp_path / "x.csv")


def test_no_error_and_no_report_holds_text_of_a_note() -> None:
    _, report = _read()
    assert "cough" not in report.as_text().lower() and "rash" not in report.as_text().lower()


def test_pairs_survive_the_file_between(tmp_path: Path) -> None:
    pairs = list(_read()[0].values())
    assert write_pairs(tmp_path / "pairs.jsonl", pairs) == 6
    assert list(read_pairs(tmp_path / "pairs.jsonl")) == pairs


def test_progress_ends_at_the_size_of_the_file(tmp_path: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    path = _many(tmp_path, 700)
    list(read_discharge_csv(path, ALL, lambda *state: seen.append(state)))
    size = path.stat().st_size
    # 700 patients have 1,399 notes: one report after 1,000, one at the end.
    assert len(seen) == 2 and seen[-1] == (size, size, "many.csv")
    assert all(done <= total for done, total, _ in seen)
