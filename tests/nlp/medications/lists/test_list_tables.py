"""Tables of medicines with columns for home and for leaving."""

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.medications.lists.list_tables import table_rows
from backend.schemas.record import MedicationCategory
from tests.generation.letter.reading import rows_of
from tests.nlp.fresh import linker

TABLE = (
    "DISCHARGE SUMMARY\nAdmitted with a fall.\nMed reconciliation:\n"
    "Medication | Home | Discharge | Comment\n"
    "apixaban | 5 mg BID | 2.5 mg BID | CHANGED age\n"
    "metoprolol | 50 mg daily | 50 mg daily | no change\n"
    "oxybutynin | 10 mg daily | -- | stopped, confusion\n"
    "cephalexin | -- | 500 mg QID | NEW, 4 days\n"
    "naproxen | 250 mg BID | -- | \n"
)


def test_the_rows_of_a_table_have_a_cell_of_home_and_one_of_leaving() -> None:
    text = TABLE
    rows = table_rows(parse_note(text))
    assert [(text[slice(*row.home)].strip(), text[slice(*row.leaving)].strip()) for row in rows][:2] == [
        ("5 mg BID", "2.5 mg BID"),
        ("50 mg daily", "50 mg daily"),
    ]
    assert len(rows) == 5


def test_a_table_without_both_columns_and_a_text_with_bars_have_none() -> None:
    assert table_rows(parse_note("Drug | Dose | Freq\nramipril | 5 mg | OD\n")) == []
    assert table_rows(parse_note("He takes ramipril | bisoprolol.\n")) == []


def test_each_cell_states_its_own_dose() -> None:
    record = linker().read(TABLE).record
    assert record is not None
    told = {
        (one.name, one.listed, one.dosage.dose) for one in record.medications if one.name in ("apixaban", "metoprolol")
    }
    assert told == {
        ("apixaban", MedicationCategory.COMMUNITY, 5.0), ("apixaban", MedicationCategory.DISCHARGE, 2.5),
        ("metoprolol", MedicationCategory.COMMUNITY, 50.0), ("metoprolol", MedicationCategory.DISCHARGE, 50.0),
    }  # fmt: skip


def test_a_table_is_reconciled_by_its_columns() -> None:
    rows = rows_of(TABLE)
    assert {name: (row.action.value, row.dose, row.old_dose) for name, row in rows.items()} == {
        "apixaban": ("changed", "2.5 mg", "5 mg twice a day"),
        "metoprolol": ("continue", "50 mg", ""),
        "oxybutynin": ("stopped", "", ""),
        "cephalexin": ("new", "500 mg", ""),
        "naproxen": ("undecided", "250 mg", ""),
    }


def test_columns_that_blanks_part_are_a_table_as_bars_are() -> None:
    note = (
        "DISCHARGE SUMMARY\n"
        "MEDS                 WAS            NOW             WHY\n"
        "Bisoprolol           5mg OD         2.5mg OD        HR 48\n"
        "Dapagliflozin        -              10mg OD         HF\n"
        "Atorvastatin         20mg ON        \u2194\n"
        "\n"
        "Seen with his wife.  Wants to go home.\n"
    )
    rows = table_rows(parse_note(note))
    cells = [(note[slice(*row.home)].strip(), note[slice(*row.leaving)].strip()) for row in rows]
    assert cells == [("5mg OD", "2.5mg OD"), ("-", "10mg OD"), ("20mg ON", "\u2194")]


def test_a_line_whose_words_go_over_a_border_is_of_no_table() -> None:
    note = "DRUG       HOME     NOW\nacetylsalicylic acid each morning\nramipril   5 mg     10 mg\n"
    assert table_rows(parse_note(note)) == []
