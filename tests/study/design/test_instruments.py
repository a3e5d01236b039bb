import json
from pathlib import Path

import pytest

from backend.errors import InputError, NotFoundError
from backend.schemas.studies.study_instrument import Instrument, QuestionKind
from backend.study.design.instruments import asked, instrument, planted_texts, read_instrument, shipped

ALL = {
    "closing-comments", "documents-support", "error-checklist", "omnirag-aspects", "pairwise-preference", "ranking",
    "reinrag-statements", "soap-quality", "understandability-actionability",
}  # fmt: skip


def test_the_instruments_that_studies_have_used_still_ship() -> None:
    assert {entry.id for entry in shipped()} >= ALL


def test_the_four_statements_go_from_strongly_disagree_to_strongly_agree() -> None:
    entry = instrument("reinrag-statements")
    assert len(entry.questions) == 4
    for question in entry.questions:
        assert [o.value for o in question.options] == [1, 2, 3, 4, 5]
        assert (question.options[0].label, question.options[-1].label) == ("Strongly disagree", "Strongly agree")


def test_only_the_omission_statement_needs_the_reference() -> None:
    assert [q.id for q in instrument("reinrag-statements").questions if q.needs_reference] == ["rare_omission"]


def test_every_point_of_the_four_aspects_has_its_anchor() -> None:
    entry = instrument("omnirag-aspects")
    assert [q.id for q in entry.questions] == ["relevance", "completeness", "proficiency", "interpretability"]
    assert all(option.anchor for q in entry.questions for option in q.options)


def test_a_preference_tells_its_strength_to_both_sides() -> None:
    question = instrument("pairwise-preference").questions[0]
    assert question.kind == QuestionKind.PREFERENCE
    assert [o.value for o in question.options] == [-3, -2, -1, 0, 1, 2, 3]


def test_questions_have_keys_that_name_no_instrument() -> None:
    entries = asked((instrument("reinrag-statements"), instrument("closing-comments")))
    assert [entry.key for entry in entries] == ["q1", "q2", "q3", "q4", "q5", "q6"]
    assert entries[4].name == "closing-comments/strengths"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"options": []}, "two options or more"),
        ({"options": [{"value": 2, "label": "a"}, {"value": 1, "label": "b"}]}, "rising order"),
        ({"prompt": " "}, "no prompt"),
        ({"needs_reference": True, "cannot_judge": False}, "cannot judge"),
        ({"kind": "text"}, "has no options"),
        ({"kind": "preference", "target": "item"}, "same to the left and to the right"),
        ({"kind": "ranking", "target": "draft", "options": []}, "target must be 'item'"),
        ({"colour": "red"}, "Extra inputs"),
    ],
)
def test_your_own_file_is_checked(tmp_path: Path, change: dict[str, object], message: str) -> None:
    question = {
        "id": "q",
        "kind": "scale",
        "prompt": "Good?",
        "options": [{"value": 0, "label": "no"}, {"value": 1, "label": "yes"}],
    }
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"id": "mine", "title": "Mine", "questions": [question]}))
    assert read_instrument(path).id == "mine"
    path.write_text(json.dumps({"id": "mine", "title": "Mine", "questions": [question | change]}))
    with pytest.raises(InputError, match=message):
        instrument(str(path))


def test_an_unknown_instrument_lists_those_there_are() -> None:
    with pytest.raises(NotFoundError, match="soap-quality"):
        instrument("pdqi")


def test_a_published_wording_needs_its_source() -> None:
    question = {"id": "q", "kind": "text", "prompt": "What?"}
    with pytest.raises(ValueError, match="must name its source"):
        Instrument.model_validate({"id": "m", "title": "M", "wording": "published", "questions": [question]})


def test_planted_errors_have_ids_of_their_own() -> None:
    assert len({entry.id for entry in planted_texts()}) == len(planted_texts()) >= 8
