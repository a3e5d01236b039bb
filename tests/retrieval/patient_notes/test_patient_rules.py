"""Types, dates and queries of patient notes: what is read, and what is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.errors import KnowledgeError
from backend.retrieval.patient_notes.note_dates import Stay, clear_day, iso_time, note_time, stay, told_days
from backend.retrieval.patient_notes.note_types import NoteTypes, note_types
from backend.retrieval.patient_notes.queries import read_queries
from backend.schemas.patients.patient_notes import DateSource, NoteType, claimed_date, dated_statement


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("Nursing/other", NoteType.NURSING_OTHER),
        ("DISCHARGE SUMMARY", NoteType.DISCHARGE_SUMMARY),
        ("Progress note", NoteType.PHYSICIAN),
        ("H&P", NoteType.PHYSICIAN),
        ("Radiology report", NoteType.RADIOLOGY),
        ("Chest X-ray", NoteType.RADIOLOGY),
        ("Nursing note", NoteType.NURSING),
    ],
)
def test_a_name_of_a_note_finds_its_type(written: str, kind: NoteType) -> None:
    found = note_types().find(written)
    assert (found.type, found.known) == (kind, True)


def test_every_type_is_found_by_its_own_name() -> None:
    assert all(note_types().find(kind.value).type is kind for kind in NoteType)


def test_a_rule_of_no_type_is_refused(tmp_path: Path) -> None:
    rules = tmp_path / "types.tsv"
    rules.write_text("written\ttype\nscan\tPictures\n")
    with pytest.raises(KnowledgeError, match="'scan' is of type 'Pictures'"):
        NoteTypes(rules)


def test_a_name_of_two_types_is_refused(tmp_path: Path) -> None:
    rules = tmp_path / "types.tsv"
    rules.write_text("written\ttype\nscan\tRadiology\nscan\tEcho\n")
    with pytest.raises(KnowledgeError, match="already stands for Radiology"):
        NoteTypes(rules)


@pytest.mark.parametrize(
    "content",
    [
        "[[task]]\n",
        '[[task]]\ndocument = "x"\npart = "Plan"\ntext = "y"\n',
        "not toml",
        '[[local]]\ntype = "ECG"\nqueries = [" "]\n',
        "",
    ],
)
def test_queries_outside_the_lists_are_refused(tmp_path: Path, content: str) -> None:
    rules = tmp_path / "queries.toml"
    rules.write_text(content)
    with pytest.raises(KnowledgeError, match=r"queries\.toml"):
        read_queries(rules)


@pytest.mark.parametrize(
    ("given", "time"),
    [
        ("2024-03-01", "2024-03-01"),
        (" 2024-03-01T10:15:30 ", "2024-03-01T10:15"),
        ("2150-03-04 10:15", "2150-03-04T10:15"),
        ("2024-03-01T10:15:00Z", "2024-03-01T10:15"),
        ("2024-02-30", None),
        ("03/04/2024", None),
        ("20240301", None),
        ("yesterday", None),
    ],
)
def test_the_requests_date_is_iso_or_none(given: str, time: str | None) -> None:
    assert iso_time(given) == time


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-3-1", "2024-03-01"),
        ("[**2101-10-20**]", "2101-10-20"),
        ("March 4, 2024", "2024-03-04"),
        ("4th Sept. 2024", "2024-09-04"),
        ("25/12/2024", "2024-12-25"),
        ("12/25/2024", "2024-12-25"),
        ("5/5/2024", "2024-05-05"),
        ("03/04/2024", None),  # the third of April or the fourth of March
        ("[**10-20**]", None),
        ("31/02/2024", None),
        ("12/25/24", None),
    ],
)
def test_a_headers_date_counts_only_where_it_can_be_read_in_one_way(text: str, day: str | None) -> None:
    assert clear_day(text) == day


def test_the_requests_date_goes_before_the_headers() -> None:
    assert note_time("2024-01-01", "Date: 2023-05-05\n", NoteType.GENERAL)[:2] == ("2024-01-01", DateSource.REQUEST)
    assert note_time(None, "Date: 2023-05-05\n", NoteType.GENERAL)[:2] == ("2023-05-05", DateSource.HEADER)


@pytest.mark.parametrize(
    ("given", "text", "reason"),
    [
        ("last week", "Date: 2023-05-05\n", "no ISO date"),
        (None, "Date: 2023-05-05\nDate of service: 2023-05-06\n", "several"),
        (None, "Date: 03/04/2023\n", "no date"),
        (None, "She fell on 2023-05-05 and hurt her arm.", "no date"),
        (None, "Birth date: 1950-01-01\n", "no date"),
        (None, "Admission Date: 2023-05-05\n", "no date"),
        (None, "x" * 900 + "\nDate: 2023-05-05\n", "no date"),
    ],
)
def test_what_is_not_clear_gives_no_date_and_says_why(given: str | None, text: str, reason: str) -> None:
    found = note_time(given, text, NoteType.PHYSICIAN)
    assert (found.time, found.source) == (None, DateSource.NONE)
    assert reason in found.reason


def test_a_discharge_summary_is_of_the_day_of_discharge() -> None:
    text = "Admission Date:  [**2101-10-20**]     Discharge Date:  [**2101-10-31**]\n"
    assert note_time(None, text, NoteType.DISCHARGE_SUMMARY).day == "2101-10-31"
    assert stay(text) == Stay("2101-10-20", "2101-10-31")


def test_a_stay_in_no_order_is_none() -> None:
    assert stay("Admission Date: 2101-10-31\nDischarge Date: 2101-10-20\n") is None


@given(
    text=st.text(min_size=1, max_size=60),
    day=st.dates().map(str) | st.none(),
    kind=st.text(max_size=20),
)
def test_a_dated_statement_gives_its_date_and_text_back(text: str, day: str | None, kind: str) -> None:
    assert claimed_date(dated_statement(text, day, kind)) == (day or "Undated", text)
    assert claimed_date("Previous visit: " + dated_statement(text, day, kind)) == (day or "Undated", text)


def test_a_sentence_without_the_form_claims_nothing() -> None:
    assert claimed_date("On 2024-01-01 she fell.") == (None, "On 2024-01-01 she fell.")


def test_the_days_that_a_text_tells_are_found_with_their_places() -> None:
    text = "On 2031-01-05 a scan; again on March 3, 2031. Seen 03/04/2031 and in ward 12031-01-05."
    found = list(told_days(text))
    assert [one.day for one in found] == ["2031-01-05", "2031-03-03"]
    assert text[found[0].start : found[0].end].strip() == "2031-01-05"
