"""A complaint without a chapter is told by that of another one, by rows that are held to what there is."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import KnowledgeError
from backend.knowledge.advice.told_under import FILE, ToldUnder, read_told_under
from backend.knowledge.starter import chapters_of_complaints
from backend.knowledge.starter_check import breaches

HEADER = "concept\tchapter\n"


def test_rows_are_read_in_order_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(f"# whose chapter\n{HEADER}chills\tfever\nmalaise\tfatigue\n", encoding="utf-8")
    assert read_told_under(tmp_path) == (ToldUnder("chills", "fever", 3), ToldUnder("malaise", "fatigue", 4))


def test_a_folder_without_the_table_has_no_rows(tmp_path: Path) -> None:
    assert read_told_under(tmp_path) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chills\tfever\n", "told_under.tsv:1: the first row must be the header"),
        (f"{HEADER}chills\n", "told_under.tsv:2 needs 2 filled cells"),
        (f"{HEADER}chills\t\n", "told_under.tsv:2 needs 2 filled cells"),
        (f"{HEADER}chills\tfever\nchills\tcough\n", "told_under.tsv:3 repeats 'chills'"),
    ],
)
def test_a_wrong_row_is_named_by_its_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(KnowledgeError, match=message):
        read_told_under(tmp_path)


def test_a_complaint_has_its_own_chapter_before_that_of_another(container: Container) -> None:
    chapters = chapters_of_complaints(container.starter)
    assert chapters["LN:fever"] == "LN:fever"
    assert chapters["LN:chills"] == "LN:fever"
    assert "LN:pneumonia" not in chapters


def test_a_flare_up_is_told_by_the_chapter_of_its_disease(container: Container) -> None:
    assert (
        chapters_of_complaints(container.starter)["LN:copd-exacerbation"] == "LN:chronic-obstructive-pulmonary-disease"
    )


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (ToldUnder("wombat", "fever", 9), "'wombat' is no symptom or disease"),
        (ToldUnder("cough", "fever", 9), "'cough' has a chapter of its own"),
        (ToldUnder("hiccups", "anticoagulant", 9), "'anticoagulant' is no symptom or condition with a chapter"),
    ],
)
def test_a_row_about_what_is_not_there_is_a_breach(container: Container, row: ToldUnder, said: str) -> None:
    starter = container.starter._replace(told_under=(row,))
    assert said in [what for where, what in breaches(starter) if where.system == "told_under"]
