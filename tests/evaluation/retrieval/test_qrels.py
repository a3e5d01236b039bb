"""TREC files in and out, and queries in two layouts."""

from pathlib import Path

import pytest

from backend.errors import InputError
from backend.evaluation.retrieval.qrels import read_qrels, read_queries, read_run, write_qrels, write_run


def test_judgements_come_back_as_written_whatever_the_ids_hold(tmp_path: Path) -> None:
    qrels = {"q 1": {"folder/my file.md#0-10": 2, "100%": 0}, "q2": {"b": 1}}
    write_qrels(tmp_path / "qrels.txt", qrels)
    assert (tmp_path / "qrels.txt").read_text().splitlines()[0] == "q%201 0 folder/my%20file.md#0-10 2"
    assert read_qrels(tmp_path / "qrels.txt") == qrels


def test_a_run_comes_back_in_its_order(tmp_path: Path) -> None:
    write_run(tmp_path / "a.run", "ours", {"q1": ["b", "a", "c"], "q2": []})
    assert (tmp_path / "a.run").read_text().splitlines()[1] == "q1 Q0 a 2 0.500000 ours"
    assert read_run(tmp_path / "a.run") == {"q1": ["b", "a", "c"]}


def test_a_run_is_ordered_by_its_scores_and_not_by_its_lines(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("q1 Q0 low 1 0.1 x\nq1 Q0 high 2 0.9 x\n")
    assert read_run(tmp_path / "a.run") == {"q1": ["high", "low"]}


@pytest.mark.parametrize(
    "text", ["1\tgout diet\n2\tfever\n", '{"_id": 1, "text": "gout  diet"}\n\n{"id": "2", "question": "fever"}\n']
)
def test_queries_are_read_from_tabs_or_json(tmp_path: Path, text: str) -> None:
    (tmp_path / "queries").write_text(text)
    assert read_queries(tmp_path / "queries") == {"1": "gout diet", "2": "fever"}


@pytest.mark.parametrize(
    ("text", "message"),
    [("only an id\n", "line 1"), ("1\ta\n1\tb\n", "came before"), ("", "holds no query"), ('{"id": 1\n', "line 1")],
)
def test_queries_that_cannot_be_read_name_their_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "queries").write_text(text)
    with pytest.raises(InputError, match=message):
        read_queries(tmp_path / "queries")


@pytest.mark.parametrize("text", ["", "q1 0\n", "q1 0 a much\n"])
def test_judgements_that_cannot_be_read_are_refused_with_the_layout(tmp_path: Path, text: str) -> None:
    (tmp_path / "qrels.txt").write_text(text)
    with pytest.raises(InputError, match="query 0 document grade"):
        read_qrels(tmp_path / "qrels.txt")
