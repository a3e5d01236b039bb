"""Tables of documents, from files that are written here."""

import json
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.evaluation.reports.cell_use import captions
from backend.evaluation.reports.document_tables import NOT_MEASURED, card_table, ranking_table, table, with_tables
from backend.evaluation.reports.kept_figures import FirstSight, KeptFigures

BENCH = {
    "name": "bm25",
    "n": 300,
    "median_ms": 0.8,
    "p95_ms": 5.642,
    "rss_mb": 1331.2,
    "target_ms": 2.0,
    "cpu_ms": None,
    "peer": {"name": "rank_bm25", "median_ms": 806.0},
    "load": 7.35,
}
LINKING = {
    "id": "a",
    "kind": "linking",
    "figures": [
        {"system": "linker", "measure": "exact_f1", "value": 0.5, "low": 0.4, "high": 0.6, "n": 9},
        {
            "system": "linker",
            "measure": "concept_accuracy",
            "value": None,
            "n": 0,
            "reason": "no concepts are labelled",
        },
    ],
}
SPENT = {
    "id": "b",
    "kind": "drafts",
    "figures": [
        {"system": "a", "measure": "lead", "value": 0.5, "n": 9},
        {"system": "a", "measure": "model_calls", "value": 2.0, "n": 9},
        {"system": "a", "measure": "tokens_read", "value": 0.0, "n": 9},
        {"system": "a", "measure": "retrieval_s", "value": 0.1, "n": 9},
    ],
}
PLANTED = [{"name": "all", "n": 4, "auc": 0.75}]


def write(folder: Path, name: str, *figures: object, first_sight: FirstSight | None = None) -> None:
    kept = KeptFigures(
        command="python -m backend bench bm25 --json",
        date="2026-01-02",
        version="1.2.3",
        seconds=4.0,
        cores=2,
        load=(1.0, 2.5),
        own_data=False,
        inputs={},
        figures=figures,
        first_sight=first_sight,
    )
    (folder / f"{name}.json").write_text(kept.model_dump_json(), encoding="utf-8")


PROVENANCE = "`python -m backend bench bm25 --json`: 2026-01-02, version 1.2.3, 2 cores, load 1 to 2.5, starter knowledge alone.  "


def test_a_benchmark_shows_its_peer_by_the_ratio(tmp_path: Path) -> None:
    write(tmp_path, "bench-bm25", BENCH)
    head, _, row, _, provenance = table("bench-*", tmp_path).splitlines()
    assert head.startswith("| row | target ms | median ms |")
    assert row == "| `bm25` | 2 | 0.8 | 5.64 |  | 1,331 | 300 | 7.35 | 806 | 1007.5 |"  # 806 / 0.8
    assert provenance == PROVENANCE


def test_an_evaluation_shows_a_column_a_measure_and_a_dash_for_what_was_not_measured(tmp_path: Path) -> None:
    write(tmp_path, "linking", LINKING)
    assert table("linking", tmp_path).splitlines()[:3] == [
        "| system | n | exact_f1 | concept_accuracy |",
        "|---|---|---|---|",
        "| `linker` | 9 | 0.500 [0.400, 0.600] | – |",
    ]


def test_reading_shows_a_line_a_measure_of_all_notes_and_what_was_seen_first(tmp_path: Path) -> None:
    dose = {"system": "record", "measure": "dose", "value": 0.75, "low": 0.5, "high": 0.9, "n": 4}
    age = {"system": "record", "measure": "age", "value": 1.0, "n": 2}
    reading = {"id": "a", "kind": "reading", "figures": [dose, age, dose | {"system": "record: clinic", "n": 3}]}
    write(tmp_path, "of-notes", reading)
    head, _, *rows = table("of-notes", tmp_path).splitlines()[:4]
    assert head == "| measure | value | n |"
    assert rows == ["| `dose` | 0.750 [0.500, 0.900] | 4 |", "| `age` | 1.000 | 2 |"]
    first = FirstSight(date="2026-01-01", version="1", rules={}, measures={"dose": 0.5})
    write(tmp_path, "of-notes", reading, first_sight=first)
    head, _, dosed, aged = table("of-notes", tmp_path).splitlines()[:4]
    assert head == "| measure | value | n | first sight, 2026-01-01 |"
    assert (dosed, aged) == ("| `dose` | 0.750 [0.500, 0.900] | 4 | 0.500 |", "| `age` | 1.000 | 2 | – |")


def test_safety_shows_a_line_a_measure_of_each_part_that_was_measured(tmp_path: Path) -> None:
    found = {"system": "vignettes", "measure": "severe_found", "value": 0.5, "low": 0.25, "high": 0.75, "n": 8}
    figures = [found, found | {"measure": "foils_flagged", "value": None, "n": 0}, found | {"system": "prescriptions"}]
    write(tmp_path, "safety-even", {"id": "a", "kind": "safety", "figures": figures})
    head, _, *rows = table("safety-even", tmp_path).splitlines()[:4]
    assert head == "| of | measure | value | n |"
    assert rows == [f"| {of} | `severe_found` | 0.500 [0.250, 0.750] | 8 |" for of in ("vignettes", "prescriptions")]


def test_files_of_one_table_are_told_apart_by_their_names(tmp_path: Path) -> None:
    write(tmp_path, "linking-a", LINKING)
    write(tmp_path, "linking-b", LINKING)
    lines = table("linking-*", tmp_path).splitlines()
    assert [line[:13] for line in lines[2:4]] == ["| a | `linker", "| b | `linker"]
    assert lines[0].startswith("| of | system |")
    assert len(lines) == 7  # head, rule, two rows, empty, two commands


def test_files_with_other_columns_make_no_table(tmp_path: Path) -> None:
    write(tmp_path, "mixed-a", LINKING)
    write(tmp_path, "mixed-b", PLANTED)
    with pytest.raises(InputError, match="other columns"):
        table("mixed-*", tmp_path)


def test_rows_of_numbers_are_shown_as_they_are(tmp_path: Path) -> None:
    write(tmp_path, "planted", PLANTED)
    assert table("planted", tmp_path).splitlines()[:3] == ["| name | n | auc |", "|---|---|---|", "| all | 4 | 0.750 |"]


def test_a_number_with_its_interval_is_shown_with_it(tmp_path: Path) -> None:
    write(tmp_path, "planted", [{"name": "all", "auc": [0.75, 0.5, 1.0], "first": [None, None, None]}])
    assert table("planted", tmp_path).splitlines()[2] == "| all | 0.750 [0.500, 1.000] | – |"


def test_rows_by_file_name_the_file(tmp_path: Path) -> None:
    write(tmp_path, "planted", {"fresh.md": PLANTED})
    assert table("planted", tmp_path).splitlines()[2] == "| fresh.md | all | 4 | 0.750 |"


def test_what_stands_between_the_marks_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, "planted", PLANTED)
    text = "before\n\n<!-- table: planted -->\nold\n<!-- end -->\n\nafter <!-- end -->\n"
    made = with_tables(text, tmp_path)
    assert "old" not in made
    assert made.startswith("before\n\n<!-- table: planted -->\n| name |")
    assert made.endswith("<!-- end -->\n\nafter <!-- end -->\n")
    assert with_tables(made, tmp_path) == made


def test_a_table_without_a_file_says_that_nothing_was_measured(tmp_path: Path) -> None:
    made = with_tables("<!-- table: planted -->\nold\n<!-- end -->", tmp_path)
    assert made == f"<!-- table: planted -->\n{NOT_MEASURED}\n<!-- end -->"


def test_figures_of_an_unknown_shape_are_an_error(tmp_path: Path) -> None:
    write(tmp_path, "odd", 3)
    with pytest.raises(InputError, match="have no table"):
        table("odd", tmp_path)


def test_a_card_gives_recall_by_budget_and_its_note(tmp_path: Path) -> None:
    entry = {
        "date": "2026-01-02",
        "data": {"name": "t.jsonl", "sha256": "0123456789", "items": 7},
        "budgets": [10, 20],
        "recall": {"ours": {"10": [0.5, 0.4, 0.6], "20": None}},
        "note": "Synthetic.",
    }
    card = tmp_path / "card.json"
    card.write_text(json.dumps({"figures": [entry]}), encoding="utf-8")
    assert card_table(card).splitlines() == [
        "| system | recall at 10 | recall at 20 |",
        "|---|---|---|",
        "| `ours` | 0.500 [0.400, 0.600] |  |",
        "",
        "2026-01-02, 7 notes of t.jsonl (01234567). Synthetic.",
    ]


def test_a_card_without_figures_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="into-card"):
        card_table(tmp_path / "card.json")


def test_times_and_what_was_not_spent_are_no_columns(tmp_path: Path) -> None:
    write(tmp_path, "drafts", SPENT)
    assert table("drafts", tmp_path).splitlines()[0] == "| system | n | lead | model_calls |"


def test_the_ranking_s_card_shows_each_set_under_the_others_weights_and_all_questions(tmp_path: Path) -> None:
    card = tmp_path / "card.json"
    crossed = {"a.tsv": 0.5, "b.tsv": 0.8}
    held = {"weights": {"cosine": 0.5}, "fitted": "2031-01-01", "questions": {"a.tsv": 10, "b.tsv": 20}}
    card.write_text(json.dumps(held | {"ndcg_10_of_each_set_under_weights_of_the_others": crossed}))
    lines = ranking_table(card).splitlines()
    assert lines[2:4] == ["| `a.tsv` | 10 | 0.500 |", "| `b.tsv` | 20 | 0.800 |"]
    assert lines[4] == "| all questions | 30 | 0.700 |"  # (10 x 0.5 + 20 x 0.8) / 30
    card.write_text("{}")
    with pytest.raises(InputError, match="train ranking"):
        ranking_table(card)


def test_paths_show_what_was_decided_beforehand_and_no_semantic_groups(tmp_path: Path) -> None:
    figure = {"system": "gro", "measure": "recall", "budget": 10, "order": "own", "value": 0.5, "n": 9}
    said = [
        "No go for the walk of gro: nothing.",
        "Every pair is synthetic.",
        "gro is superior to the prior by the rule set beforehand.",
    ]
    write(
        tmp_path,
        "paths-one",
        {"id": "a", "kind": "paths", "figures": [figure, {**figure, "group": "CHEM"}], "caveats": said},
    )
    lines = table("paths-one", tmp_path).splitlines()
    assert lines[2:6] == ["| `gro` | own, 10 concepts | 9 | 0.500 |", "", f"{said[0]}  ", f"{said[2]}  "]
    assert "CHEM" not in "".join(lines)


def test_what_a_cell_really_ran_and_which_gave_the_same_stand_below(tmp_path: Path) -> None:
    said = [
        *captions({"a": [use("x"), use("y")], "b": [use("x"), use("y", "plan: no model, so rules")]}),
        "c, d found the same concepts in the same order.",
        "Only 6 items: the intervals are rough.",
    ]
    write(tmp_path, "drafts", {**SPENT, "caveats": said})
    assert table("drafts", tmp_path).splitlines()[4:-1] == [
        "a, b wrote the same texts, character by character: between them nothing is compared.  ",
        "b: plan: no model, so rules (in 1 of 2 texts).  ",
        "c, d found the same concepts in the same order.  ",
    ]


def use(text: str, *fallbacks: str) -> dict[str, object]:
    return {"text": text, "fallbacks": list(fallbacks)}


def test_a_card_shows_the_common_order_beside_the_own_where_it_has_it(tmp_path: Path) -> None:
    entry = {
        "budgets": [10],
        "date": "2026-01-02",
        "note": "Short.",
        "data": {"name": "unmet.jsonl", "sha256": "f" * 64, "items": 3},
        "recall": {"gro": {"10": [0.5, 0.25, 0.75]}, "gro-proposals": {"10": [0.5, 0.25, 0.75]}},
        "recall_common": {"gro": {"10": [0.25, 0.125, 0.5]}, "gro-proposals": {"10": None}},
    }
    (tmp_path / "card.json").write_text(json.dumps({"figures": [entry]}))
    assert card_table(tmp_path / "card.json").splitlines()[:4] == [
        "| system | recall at 10 | common order at 10 |",
        "|---|---|---|",
        "| `gro` | 0.500 [0.250, 0.750] | 0.250 [0.125, 0.500] |",
        "| `gro-proposals` | 0.500 [0.250, 0.750] |  |",
    ]
