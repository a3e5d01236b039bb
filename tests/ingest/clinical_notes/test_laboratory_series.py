"""Laboratory results to notes: a day's values with those before, nothing of a later day, and what is left out."""

import pytest

from backend.errors import InputError
from backend.ingest.clinical_notes.laboratory_series import LaboratoryFile
from backend.ingest.clinical_notes.patient_note_files import read_patient_file

HEAD = "subject_id,charttime,label,value,valueuom,flag\n"
ROWS = (
    "7,2031-06-11 07:00:00,Potassium,3.2,mmol/L,low\n7,2031-02-01 18:00:00,Potassium,3.4,mmol/L,L\n7,2031-02-01 06:00:00,Potassium,4.1,mmol/L,\n"
    "7,2031-06-11 07:00:00,Sodium,138,mEq/L,\n8,2031-06-11,Troponin,<0.01,ng/mL,\n"
)


def notes(rows: str, patient: int = 0) -> list[tuple[str | None, str]]:
    found = LaboratoryFile().read((HEAD + rows).encode(), "labs.csv").patients[patient]
    return [(note.date, note.text) for note in found.notes]


def test_a_days_values_stand_with_the_last_ones_of_the_days_before() -> None:
    assert notes(ROWS) == [
        ("2031-02-01", "Results:\nPotassium 4.1 mmol/L, then 3.4 mmol/L (low)."),
        (
            "2031-06-11",
            "Results:\nPotassium 3.2 mmol/L (low); before 3.4 mmol/L (low) on 2031-02-01.\nSodium 138 mEq/L.",
        ),
    ]
    assert notes(ROWS, 1) == [("2031-06-11", "Results:\nTroponin <0.01 ng/mL.")]


def test_three_days_before_are_told_the_nearest_first_and_none_after() -> None:
    rows = "".join(f"7,2031-02-0{day},Weight,{80 + day},kg,\n" for day in range(1, 7))
    assert notes(rows)[4][1] == (
        "Results:\nWeight 85 kg; before 84 kg on 2031-02-04, 83 kg on 2031-02-03, 82 kg on 2031-02-02."
    )


def test_what_is_no_result_is_counted() -> None:
    rows = "7,03/04/2031,Sodium,138,,\n7,2031-02-01,Sodium,___,,\n7,2031-02-01,,138,,\n7,2031-02-01\n\n7,2031-02-01,Sodium,138,,\n7,2031-02-01,Sodium,138,,\n"
    found = LaboratoryFile().read((HEAD + rows).encode(), "labs.csv")
    assert found.skipped == {
        "rows without a clear date": 1,
        "rows without a value": 1,
        "rows without a patient or a test": 1,
        "rows with another number of cells": 1,
        "the same result as a row before": 1,
    }
    assert [len(one.notes) for one in found.patients] == [1]


def test_columns_have_other_names_and_other_tables_are_not_taken() -> None:
    other = b"\xef\xbb\xbfpatient,date,test,result,unit\n7,2031-02-01,Sodium,138,mEq/L\n"
    assert read_patient_file(other, "x.csv").kind == "laboratory"
    assert not LaboratoryFile().recognises(b"subject_id,charttime,itemid,value\n1,2,3,4\n")
    with pytest.raises(InputError, match=r"'x\.csv' has no column label"):
        LaboratoryFile().read(b"subject_id,charttime,itemid,value\n1,2,3,4\n", "x.csv")
    with pytest.raises(InputError, match=r"line 2"):
        LaboratoryFile().read((HEAD + '7,2031-02-01,"Sod"ium,1,,\n').encode(), "x.csv")
