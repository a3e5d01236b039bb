"""The hospital's own tables: installed whole or not at all, with a name in the journal, and checked beside the decisions."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from backend.errors import InputError, NotFoundError
from backend.knowledge.hospital.former_tables import MOST_KEPT
from backend.knowledge.hospital.hospital_tables import NEVER_INSTALLED, HospitalTables, Table, rows_json
from backend.knowledge.hospital.overlay_check import overlay_breaches
from backend.knowledge.hospital.tables import KnownNames
from backend.knowledge.review.decisions import FILE, Decision, DecisionJournal, Verdict
from backend.knowledge.review.knowledge_review import KnowledgeReview
from backend.settings import settings
from backend.stores.graph.graph_rows import ConceptRow

WHEN = datetime(2026, 5, 4, tzinfo=UTC)
FORMULARY = "medicine\tstatus\tinstead\tcondition\tnote\nwarfarin\toff\t-\t-\t-\nzzz\toff\t-\t-\t-\n"
INSTRUCTIONS = "id\tneeds\texcludes\tsentence\tsection\nward\ttakes:warfarin\t-\tCall the ward.\tFollow-up\n"


@pytest.fixture
def tables(tmp_path: Path) -> HospitalTables:
    names = KnownNames([ConceptRow("LN:warfarin", "warfarin", "CHEM", "drug", (), "", False, False)])
    return HospitalTables(tmp_path, lambda: names, lambda: WHEN)


def test_what_is_installed_is_shown_with_who_and_when(tables: HospitalTables) -> None:
    assert tables.shown(Table.FORMULARY).text is None
    _, checked = tables.install(Table.FORMULARY, "\ufeff" + FORMULARY.replace("\n", "\r\n"), " Dr Okafor ")
    shown = tables.shown(Table.FORMULARY)
    assert (shown.text, shown.by, shown.at, shown.changed) == (FORMULARY, "Dr Okafor", WHEN, False)
    assert checked.unknown == ("zzz",)
    assert [row["known"] for row in rows_json(shown.checked)] == [True, False]
    tables.install(Table.INSTRUCTIONS, INSTRUCTIONS, "Sister Mary")
    (row,) = rows_json(tables.shown(Table.INSTRUCTIONS).checked)
    assert (row["needs"], row["excludes"]) == ("takes:warfarin", "-")
    assert row["says"] == "Your hospital says: Call the ward."


def test_a_table_with_a_fault_changes_nothing(tables: HospitalTables, tmp_path: Path) -> None:
    tables.install(Table.FORMULARY, FORMULARY, "Dr Okafor")
    with pytest.raises(InputError, match=r"Nothing was installed. new.tsv:2: the status 'gone'"):
        tables.install(Table.FORMULARY, FORMULARY.replace("off", "gone", 1), "Dr Okafor", "new.tsv")
    assert tables.shown(Table.FORMULARY).text == FORMULARY
    assert [path.name for path in (tmp_path / "knowledge").glob("formulary*")] == ["formulary.tsv"]


def test_without_a_name_nothing_is_installed_or_removed(tables: HospitalTables) -> None:
    with pytest.raises(InputError, match="name of who answers"):
        tables.install(Table.FORMULARY, FORMULARY, " ")
    tables.install(Table.FORMULARY, FORMULARY, "Dr Okafor")
    with pytest.raises(InputError, match="name of who answers"):
        tables.remove(Table.FORMULARY, "")
    assert tables.shown(Table.FORMULARY).text == FORMULARY


def test_what_is_removed_is_gone_and_both_stand_in_the_journal(tables: HospitalTables, tmp_path: Path) -> None:
    tables.install(Table.FORMULARY, FORMULARY, "Dr Okafor")
    tables.remove(Table.FORMULARY, "Dr Rao")
    assert tables.shown(Table.FORMULARY).text is None
    done = [(one.item, one.verdict, one.reviewer) for one in DecisionJournal(tmp_path / "knowledge").all()]
    assert done == [
        ("table/formulary", Verdict.INSTALLED, "Dr Okafor"),
        ("table/formulary", Verdict.REMOVED, "Dr Rao"),
    ]
    with pytest.raises(NotFoundError, match="nothing can be removed"):
        tables.remove(Table.FORMULARY, "Dr Rao")


def test_what_was_replaced_or_removed_is_kept_and_brought_back(tables: HospitalTables, tmp_path: Path) -> None:
    assert tables.replaced(Table.FORMULARY) == []
    other = FORMULARY.replace("zzz", "xxx")
    tables.install(Table.FORMULARY, FORMULARY, "Dr Okafor")
    tables.install(Table.FORMULARY, other, "Dr Rao")
    (before,) = tables.replaced(Table.FORMULARY)
    assert (before.by, before.kept.rows, before.kept.until) == ("Dr Okafor", 2, WHEN)
    tables.remove(Table.FORMULARY, "Dr Rao")
    assert {one.by for one in tables.replaced(Table.FORMULARY)} == {"Dr Okafor", "Dr Rao"}
    assert tables.replaced(Table.INSTRUCTIONS) == []
    decision, checked = tables.restore(Table.FORMULARY, before.kept.digest, "Sister Mary")
    assert (decision.verdict, len(checked.rows)) == (Verdict.INSTALLED, 2)
    shown = tables.shown(Table.FORMULARY)
    assert (shown.text, shown.by, shown.changed) == (FORMULARY, "Sister Mary", False)
    assert [one.by for one in tables.replaced(Table.FORMULARY)] == ["Dr Rao"]  # not what stands now
    for wrong in ("../formulary", "", "0" * 16):
        with pytest.raises(NotFoundError, match="has the number"):
            tables.restore(Table.FORMULARY, wrong, "Dr Rao")
    with pytest.raises(InputError, match="name of who answers"):
        tables.restore(Table.FORMULARY, tables.replaced(Table.FORMULARY)[0].kept.digest, "")
    # a file that somebody put there by hand is kept too
    (tmp_path / "knowledge" / "formulary.tsv").write_text(FORMULARY.replace("zzz", "yyy"), encoding="utf-8")
    tables.install(Table.FORMULARY, other, "Dr Rao")
    assert tables.replaced(Table.FORMULARY)[0].by in ("", "Dr Okafor", "Sister Mary")
    assert len(tables.replaced(Table.FORMULARY)) == 2


def test_only_so_many_replaced_tables_are_kept(tables: HospitalTables) -> None:
    for number in range(MOST_KEPT + 3):
        tables.install(Table.FORMULARY, FORMULARY.replace("zzz", f"zzz{number}"), "Dr Okafor")
    assert len(tables.replaced(Table.FORMULARY)) <= MOST_KEPT


def test_a_file_that_was_changed_or_put_there_by_hand_says_so(tables: HospitalTables, tmp_path: Path) -> None:
    tables.install(Table.FORMULARY, FORMULARY, "Dr Okafor")
    (tmp_path / "knowledge" / "formulary.tsv").write_text(FORMULARY.replace("zzz", "yyy"), encoding="utf-8")
    assert tables.shown(Table.FORMULARY).changed
    (tmp_path / "knowledge" / "instructions.tsv").write_text(INSTRUCTIONS, encoding="utf-8")
    assert tables.shown(Table.INSTRUCTIONS).by == NEVER_INSTALLED


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shipped") / "knowledge"
    shutil.copytree(settings().knowledge, folder, ignore=shutil.ignore_patterns("vectors"))
    return folder


def test_the_check_names_what_is_wrong_with_the_hospital_s_own_part(
    tables: HospitalTables, shipped: Path, tmp_path: Path
) -> None:
    review = KnowledgeReview(shipped, tmp_path, lambda: WHEN)

    def wrong() -> list[str]:
        return list(overlay_breaches(review, shipped, tables))

    review.decide("chapter/gout", Verdict.ACCEPTED, "Dr Okafor")
    tables.install(Table.FORMULARY, FORMULARY, "Dr Okafor")
    assert wrong() == []
    # decisions of another version: about another text, about a row that is gone, and a change that breaks a rule of this version
    journal = DecisionJournal(tmp_path / "knowledge")
    old = Decision(item="", verdict=Verdict.ACCEPTED, reviewer="Dr Rao", at=WHEN, version="0.0.1", digest="0" * 16)
    journal.add(old.model_copy(update={"item": "chapter/asthma"}))
    journal.add(old.model_copy(update={"item": "dose/0000000000", "verdict": Verdict.REFUSED}))
    text = review.one("chapter/heart-failure").item.text.replace("## Diet", "## Dinner")
    journal.add(old.model_copy(update={"item": "chapter/heart-failure", "verdict": Verdict.CHANGED, "text": text}))
    path = tmp_path / "knowledge" / "formulary.tsv"
    path.write_text(FORMULARY.replace("off", "gone", 1), encoding="utf-8")
    (tmp_path / "knowledge" / "instructions.tsv").write_text(INSTRUCTIONS + "b\t-\t-\tsmall.\tDiet\n", encoding="utf-8")
    said = wrong()
    for words in (
        "review.jsonl: chapter/asthma was accepted by Dr Rao in version 0.0.1, and reads otherwise in",
        "review.jsonl: dose/0000000000 was refused by Dr Rao in version 0.0.1, and version",
        "review.jsonl: chapter/heart-failure was changed by Dr Rao",
        "with the hospital's changes, cardiovascular: heart failure: handbook sections missing or out of order",
        "formulary.tsv:2: the status 'gone'",
        "formulary.tsv: was changed by hand after Dr Okafor installed it",
        "instructions.tsv:3: 'small.' is no whole sentence",
    ):
        assert any(line.startswith(words) for line in said), (words, said)
    with (tmp_path / "knowledge" / FILE).open("a", encoding="utf-8") as file:
        file.write("{}\n")
    assert any(line.startswith(f"{FILE}:6 is no decision") for line in wrong()), wrong()
