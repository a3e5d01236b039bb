"""MRREL.RRF: the facts between the concepts of a subset, in the direction that they are meant."""

from pathlib import Path

import numpy as np
import pytest

from backend.ingest.documents.import_report import ImportReport
from backend.ingest.umls.umls_facts import read_facts
from backend.ingest.umls.umls_relations import AllowList, read_allowed
from backend.ingest.umls.umls_settings import UmlsSettings

SETTINGS = UmlsSettings()
ALLOWED = AllowList(read_allowed(SETTINGS.relation_file), SETTINGS.relation_list, {})
CUIS = np.array([1, 2, 3], dtype=np.uint32)
"""C0000001 to C0000003, at the places 0 to 2."""


def line(first: int, second: int, relation: str, general: str = "RO", suppress: str = "N") -> str:
    return (
        f"C{first:07}|A1|SCUI|{general}|C{second:07}|A2|SCUI|{relation}|R1||SNOMEDCT_US|SNOMEDCT_US|0|Y|{suppress}||\n"
    )


def read(folder: Path, *lines: str) -> tuple[set[tuple[int, str, int]], ImportReport]:
    (folder / "MRREL.RRF").write_text("".join(lines))
    report = ImportReport()
    found = read_facts(folder, CUIS, SETTINGS, ALLOWED, {}, report, None)
    triples = zip(found["heads"].tolist(), found["codes"].tolist(), found["tails"].tolist(), strict=True)
    return {(head, str(found["names"][relation]), tail) for head, relation, tail in triples}, report


def test_the_second_concept_has_the_relation_to_the_first(tmp_path: Path) -> None:
    found, _ = read(tmp_path, line(1, 2, "has_finding_site"))
    assert found == {
        (1, "has_finding_site", 0)
    }  # read the other way round, every organ would have diseases as its site


def test_a_fact_from_both_ends_is_kept_once(tmp_path: Path) -> None:
    found, report = read(
        tmp_path,
        line(1, 2, "has_finding_site"),
        line(2, 1, "finding_site_of"),
        line(1, 2, "has_finding_site"),
    )
    assert found == {(1, "has_finding_site", 0)}
    assert report.kept == 1
    assert report.skipped == {"the same fact again, mostly from its other end": 2}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (line(1, 2, "has_finding_site", suppress="O"), "suppressed"),
        (line(1, 1, "has_finding_site"), "from a concept to itself"),
        (line(1, 9, "has_finding_site"), "an end outside the subset"),
        (line(1, 2, "has_finding_site").replace("C0000002", ""), "an end is missing"),
        (line(1, 2, "", general="SIB"), "a relation that is not on the list"),
    ],
)
def test_what_is_left_out_is_counted_by_its_reason(tmp_path: Path, row: str, reason: str) -> None:
    found, report = read(tmp_path, row)
    assert (found, report.kept, report.skipped) == (set(), 0, {reason: 1})
