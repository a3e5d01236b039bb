import json
from pathlib import Path

import pytest

from backend.errors import InputError, NotFoundError
from backend.schemas.studies.study_design import CaseRole
from backend.study.design.study_cases import demonstration, read_cases, read_uploads, with_roles
from tests.study.sample import cases


def test_cases_come_from_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(
        '{"id": "a", "text": "cough"}\n\n{"id": "b", "question": "Why?", "set": "LiveQA", "reference": "So."}\n'
    )
    found = read_cases(path)
    assert [(c.id, c.text, c.question, c.set, c.reference) for c in found] == [
        ("a", "cough", "", "", ""),
        ("b", "", "Why?", "LiveQA", "So."),
    ]


@pytest.mark.parametrize(
    "line", ["{", '{"id": "a"}', '{"id": "a b", "text": "x"}', '{"id": "a", "text": "secretword\\u0000"}']
)
def test_a_line_that_is_no_case_is_named_and_not_repeated(tmp_path: Path, line: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text('{"id": "z", "text": "fine"}\n' + line + "\n")
    with pytest.raises(InputError, match="line 2") as refused:
        read_cases(path)
    assert "secretword" not in str(refused.value)


def test_cases_come_from_a_folder_with_references_beside_them(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("cough")
    (tmp_path / "one.reference.txt").write_text("rest")
    (tmp_path / "two.txt").write_text("fever")
    assert [(c.id, c.text, c.reference) for c in read_cases(tmp_path)] == [
        ("one", "cough", "rest"),
        ("two", "fever", ""),
    ]


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.txt file"):
        read_cases(tmp_path)


def test_uploads_come_from_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "drafts.jsonl"
    path.write_text(json.dumps({"case": "a", "arm": "x", "text": "Rest."}) + "\n")
    assert read_uploads(path)[0].text == "Rest."


def test_demonstration_cases_are_marked_as_such() -> None:
    found = demonstration(["thunderclap-headache"])
    assert [c.demonstration for c in found] == [True]
    with pytest.raises(NotFoundError, match="no demonstration case 'x'"):
        demonstration(["x"])


def test_roles_are_drawn_by_seed_and_marked_ones_stand() -> None:
    marked = cases(6)[0].model_copy(update={"role": CaseRole.ATTENTION})
    found = with_roles((marked, *cases(6)[1:]), rated=2, calibration=2, seed=3)
    roles = [c.role for c in found]
    assert (roles.count(CaseRole.RATED), roles.count(CaseRole.CALIBRATION), roles.count(CaseRole.ATTENTION)) == (
        2,
        2,
        1,
    )
    assert found == with_roles((marked, *cases(6)[1:]), rated=2, calibration=2, seed=3)


def test_too_few_cases_are_told_with_the_way_out() -> None:
    with pytest.raises(InputError, match="lower rated_cases or calibration_items"):
        with_roles(cases(21), rated=20, calibration=3, seed=0)
