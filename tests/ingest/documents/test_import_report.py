"""What an import says of itself."""

import json

from backend.ingest.documents.import_report import ImportReport


def _report() -> ImportReport:
    report = ImportReport()
    report.seen(12)
    report.keep(3)
    for line in range(1, 8):
        report.skip("too short", line)
    report.skip("another source", count=2)
    report.note("The file looks cut short.")
    report.note("The file looks cut short.")
    return report


def test_a_report_counts_reasons_and_keeps_the_first_five_lines() -> None:
    report = _report()
    assert (report.read, report.kept, report.skipped_count) == (12, 3, 9)
    assert report.examples == {"too short": [1, 2, 3, 4, 5]}
    assert report.notes == ["The file looks cut short."]


def test_a_report_is_text_with_the_commonest_reason_first() -> None:
    assert _report().as_text().splitlines() == [
        "read 12, kept 3, skipped 9",
        "  7  too short (line 1, 2, 3, 4, 5, …)",
        "  2  another source",
        "The file looks cut short.",
    ]


def test_a_place_is_a_line_or_the_name_of_a_file() -> None:
    report = ImportReport()
    report.skip("a damaged PDF", "b/scan.pdf")
    report.skip("too short", 4)
    assert "  1  a damaged PDF (b/scan.pdf)" in report.as_text()
    assert "  1  too short (line 4)" in report.as_text()
    assert ImportReport.from_json(json.loads(json.dumps(report.as_json()))).examples == report.examples


def test_a_report_survives_json() -> None:
    row = json.loads(json.dumps(_report().as_json()))
    assert ImportReport.from_json(row).as_json() == _report().as_json()


def test_parts_add_up_under_their_prefix() -> None:
    whole = ImportReport()
    whole.add(_report(), "first: ")
    whole.add(_report(), "second: ")
    assert (whole.read, whole.kept, whole.skipped_count) == (24, 6, 18)
    assert whole.skipped["second: too short"] == 7
    assert whole.examples["first: too short"] == [1, 2, 3, 4, 5]
