"""Pairs from notes of visits: where a note is parted, what is left out, and one split a name."""

import json
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.ingest.clinical_notes.note_pairs import read_pairs, write_pairs
from backend.ingest.clinical_notes.visit_pairs import NOTICE, VisitNote, parted, read_visit_notes, visit_pairs

TOLD = "CHIEF COMPLAINT\n\nKnee pain.\n\nPHYSICAL EXAM\n\nSwollen knee."
DECIDED = "ASSESSMENT AND PLAN\n\nGout. Start colchicine.\n\nINSTRUCTIONS\n\nDrink water."


def test_a_note_is_parted_at_its_first_section_that_decides() -> None:
    assert parted(f"{TOLD}\n\n{DECIDED}\n") == (TOLD, DECIDED)
    assert parted(TOLD) == ("", "")


def test_notes_without_one_of_the_two_are_left_out_and_splits_are_by_name(tmp_path: Path) -> None:
    notes = [VisitNote("a", f"{TOLD}\n\n{DECIDED}"), VisitNote("b", TOLD), VisitNote("c", DECIDED)]
    (one,) = visit_pairs(notes)
    assert (one.pair_id, one.note, one.text, one.notices) == ("a", TOLD, DECIDED, (NOTICE,))
    assert [pair.split for pair in visit_pairs(notes, "test")] == ["test"]
    assert {pair.split for i in range(60) for pair in visit_pairs([notes[0]._replace(name=str(i))])} == {
        "train",
        "validation",
        "test",
    }
    write_pairs(tmp_path / "p.jsonl", [one])
    assert list(read_pairs(tmp_path / "p.jsonl")) == [one]


def test_tables_and_folders_are_read_and_what_holds_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "valid.csv").write_text(f'encounter_id,note\nD1,"{TOLD}"\nD2,\n')
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "day1.json").write_text(json.dumps({"note": DECIDED}))
    assert read_visit_notes(tmp_path / "valid.csv") == [VisitNote("valid-D1", TOLD)]
    assert read_visit_notes(tmp_path / "notes") == [VisitNote("day1", DECIDED)]
    with pytest.raises(InputError, match="holds no notes"):
        read_visit_notes(tmp_path / "none.csv")
