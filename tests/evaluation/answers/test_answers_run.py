"""Which cells `evaluate answers` makes of systems and sweeps."""

import json
from pathlib import Path

import pytest

from backend.container import Container
from backend.evaluation.answers.answer_match import LabelMatcher
from backend.evaluation.answers.answers_run import AnswersOptions, answerers, evaluate_answers
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


LABELS = ("Heart attack", "Lung infection", "Gout")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("An acute myocardial infarction, named in the note.", "Heart attack"),
        ("Pneumonia, possible; gout less so.", "Lung infection"),
        ("No pneumonia. Gout.", "Gout"),  # what is denied is not named
        ("heart-attack", "Heart attack"),
        ("Goutweed grows there.", None),
    ],
)
def test_a_label_is_found_by_any_name_of_its_concept(container: Container, text: str, label: str | None) -> None:
    place = LabelMatcher(container.linker).place(LABELS, text)
    assert (None if place is None else LABELS[place]) == label


def test_labels_of_one_concept_are_told_apart_by_their_words(container: Container) -> None:
    labels, matcher = ("Heart attack", "Acute myocardial infarction"), LabelMatcher(container.linker)
    assert matcher.place(labels, "A heart attack.") == 0
    assert matcher.place(labels, "Acute myocardial infarction.") == 1
    assert matcher.place(labels, "STEMI.") is None


def test_a_complaint_is_read_as_a_note_and_diagnosed_without_a_model(container: Container, tmp_path: Path) -> None:
    data = tmp_path / "diagnosis.jsonl"
    complaints = {
        "Crushing chest pain radiating to the left arm, ST elevation in II, III, aVF, troponin raised.": "Heart attack",
        "Productive cough, fever, right lower lobe consolidation on chest X-ray.": "Lung infection",
    }
    data.write_text("".join(json.dumps({"text": text, "label": one}) + "\n" for text, one in complaints.items()))
    run = RunOptions(tmp_path / "results", "2031-01-01", resamples=20)
    found, _ = evaluate_answers(container, AnswersOptions((("diagnosis", data),), run, ("clinicalrag", "leapnote")))
    right = {one.system: one.value for one in found.figures if one.measure == "accuracy diagnosis"}
    assert (right["clinicalrag"], right["leapnote"], right["guess"]) == (1.0, 1.0, 0.5)
