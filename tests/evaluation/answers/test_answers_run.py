"""Which cells `evaluate answers` makes of systems and sweeps."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.evaluation.answers.answers_run import AnswersOptions, answerers
from backend.evaluation.reports.evaluation_run import RunOptions
from backend.schemas.vocabulary import Source
from tests.cli.parsing import parsed


def test_each_source_left_unread_makes_a_cell_of_each_system_that_plans_by_source(
    container: Container, tmp_path: Path
) -> None:
    options = AnswersOptions(
        data=(),
        run=RunOptions(tmp_path, "2031-01-01"),
        systems=("spo", "question-rag", "leapnote"),
        documents=(4,),
        withheld=(Source.BOOK, Source.GRAPH),
    )
    assert [cell.name for cell in answerers(container, options)] == [
        "spo",
        "spo@documents=4",
        "spo@without=book",
        "spo@without=graph",
        "question-rag",
        "question-rag@documents=4",
        "leapnote",
        "leapnote@documents=4",
    ]
    assert container.settings.spo_withheld == ""  # the cells have settings of their own


def test_the_command_knows_sources_alone(capsys: pytest.CaptureFixture[str]) -> None:
    given = parsed("evaluate", "answers", "--data", "jsonl=x", "--drop-after-plan", "book", "wiki")
    assert given["drop_after_plan"] == ["book", "wiki"]
