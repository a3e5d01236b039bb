"""A UMLS release as files: packed, split, cut short, damaged, of other columns; the sample is written here."""

import shutil
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.ingest.graphs.graph_build import build_snapshot
from backend.ingest.umls.umls import UmlsRelease
from backend.ingest.umls.umls_settings import UmlsSettings
from backend.stores.graph.graph_rows import ConceptRow, TripleRow
from backend.stores.graph.snapshot import read_snapshot
from backend.stores.graph.snapshot_meta import About

SAMPLE = Path(__file__).parent / "umls_sample"
SPOT, COUGH, CHRONIC, INHALER = "C9000007", "C9000008", "C9000009", "C9000012"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the sample that a test may change, without MRFILES, which would contradict the change."""
    folder = Path(shutil.copytree(SAMPLE, tmp_path / "release"))
    (folder / "MRFILES.RRF").unlink()
    (folder / "MRSTY.RRF").write_text(
        "".join(
            "|".join((cui, tui, *rest)) + "\n"
            for tui, cui, *rest in (line.split("|") for line in (SAMPLE / "MRSTY.RRF").read_text().splitlines())
        )
    )
    return folder


def _concepts(folder: Path = SAMPLE, settings: UmlsSettings | None = None) -> dict[str, ConceptRow]:
    return {row.concept_id: row for row in UmlsRelease(folder, settings).concepts()}


def _triples(folder: Path = SAMPLE, settings: UmlsSettings | None = None) -> list[tuple[str, str, str]]:
    return [(row.head, row.relation, row.tail) for row in UmlsRelease(folder, settings).triples()]


def test_without_mrfiles_the_documented_columns_count(copy: Path) -> None:
    assert _concepts(copy) == _concepts()
    assert _triples(copy) == _triples()


def test_mrfiles_tells_that_a_file_was_cut_short(copy: Path) -> None:
    (copy / "MRFILES.RRF").write_text(
        "MRCONSO.RRF|d|" + (SAMPLE / "MRFILES.RRF").read_text().split("|")[2] + "|18|25|1|\n"
    )
    release = UmlsRelease(copy)
    list(release.concepts())
    assert "MRCONSO.RRF has 24 rows, but MRFILES.RRF promises 25: the copy may be cut short." in release.report.notes


def test_mrfiles_tells_that_a_file_is_longer_than_it_should_be(copy: Path) -> None:
    (copy / "MRFILES.RRF").write_text(
        "MRCONSO.RRF|d|" + (SAMPLE / "MRFILES.RRF").read_text().split("|")[2] + "|18|23|1|\n"
    )
    release = UmlsRelease(copy)
    list(release.concepts())
    message = "MRCONSO.RRF has 24 rows, but MRFILES.RRF promises 23: the two may be of different releases."
    assert message in release.report.notes


def test_a_column_that_mrfiles_lacks_is_an_error_that_names_it(copy: Path) -> None:
    (copy / "MRFILES.RRF").write_text("MRSTY.RRF|d|CUI,STN,STY|3|13|1|\n")
    with pytest.raises(InputError, match=r"MRSTY\.RRF has no column TUI"):
        list(UmlsRelease(copy).concepts())


def test_packed_and_split_files_give_the_same_rows(copy: Path) -> None:
    import gzip

    for path in copy.glob("*.RRF"):
        data = path.read_bytes()
        path.unlink()
        if path.name == "MRREL.RRF":
            # A part may end in the middle of a row, and within a row in the middle of a cell.
            for name, part in (("aa", data[:333]), ("ab", data[333:700]), ("ac", data[700:])):
                (copy / f"{path.name}.{name}.gz").write_bytes(gzip.compress(part))
        else:
            (copy / f"{path.name}.gz").write_bytes(gzip.compress(data))
    assert _concepts(copy) == _concepts()
    assert _triples(copy) == _triples()


def test_a_damaged_packed_file_is_named(copy: Path) -> None:
    import gzip

    data = gzip.compress((copy / "MRREL.RRF").read_bytes())
    (copy / "MRREL.RRF").unlink()
    (copy / "MRREL.RRF.gz").write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match=r"MRREL\.RRF\.gz cannot be unpacked"):
        list(UmlsRelease(copy).triples())


def test_a_release_without_definitions_says_so(copy: Path) -> None:
    (copy / "MRDEF.RRF").unlink()
    release = UmlsRelease(copy)
    assert not any(row.definition for row in release.concepts())
    assert "There is no MRDEF.RRF in the release: the concepts have no definitions." in release.report.notes


@pytest.mark.parametrize("table", ["MRCONSO", "MRSTY", "MRREL"])
def test_a_table_that_is_needed_is_named_when_it_is_not_there(copy: Path, table: str) -> None:
    (copy / f"{table}.RRF").unlink()
    with pytest.raises(InputError, match=f"There is no {table}.RRF"):
        UmlsRelease(copy)


def test_a_source_that_the_release_lacks_is_an_error_not_an_empty_graph() -> None:
    with pytest.raises(InputError, match=r"MRCONSO\.RRF has no row of ICD10CM in ENG"):
        list(UmlsRelease(SAMPLE, UmlsSettings(sources=("ICD10CM",))).concepts())


def test_bytes_that_are_no_utf8_cost_their_row_only(copy: Path) -> None:
    data = (copy / "MRCONSO.RRF").read_bytes().replace("Café".encode(), b"Caf\xe9")
    (copy / "MRCONSO.RRF").write_bytes(data)
    release = UmlsRelease(copy)
    assert SPOT not in {row.concept_id for row in release.concepts()}
    assert release.report.skipped["MRCONSO: no name, or not UTF-8"] == 2


def test_the_folder_above_meta_will_do(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "2030AA").mkdir()
    copy.rename(tmp_path / "2030AA" / "META")
    assert _triples(tmp_path / "2030AA") == _triples()


def test_progress_goes_from_nothing_to_the_size_of_each_file() -> None:
    seen: list[tuple[int, int, str]] = []
    release = UmlsRelease(SAMPLE)
    list(release.concepts(lambda *state: seen.append(state)))
    list(release.triples(lambda *state: seen.append(state)))
    for table in ("MRCONSO", "MRSTY", "MRDEF", "MRREL"):
        size = (SAMPLE / f"{table}.RRF").stat().st_size
        assert [state for state in seen if state[2] == table] == [(0, size, table), (size, size, table)]


def test_triples_first_gives_the_same_rows() -> None:
    release = UmlsRelease(SAMPLE)
    triples = list(release.triples())
    assert [tuple(row)[:3] for row in triples] == _triples()
    assert {row.concept_id for row in release.concepts()} == set(_concepts())
    assert all(isinstance(row, TripleRow) for row in triples)


def test_a_release_becomes_a_snapshot(tmp_path: Path) -> None:
    release = UmlsRelease(SAMPLE)
    about = About("sample", "UMLS", "invented", "2030-01-01", {})
    graph, report = build_snapshot(
        release.concepts(), release.triples(), release.relations, tmp_path / "snapshot", about
    )
    # 9 concepts and 8 facts, none of which the builder has to leave out; each fact is two edges.
    assert (report.read, report.kept, report.skipped) == (17, 17, {})
    again = read_snapshot(tmp_path / "snapshot")
    assert (len(again), again.edge_count) == (len(graph), graph.edge_count) == (9, 16)
    assert again.row(SPOT).name == "Café au lait spot"
    assert again.relation_words("finding_site_of") == "is the site of"
