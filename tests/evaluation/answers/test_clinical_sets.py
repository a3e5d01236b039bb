"""Every reader of clinical sets on a miniature file in the layout its set is published in."""

from pathlib import Path
from typing import Any

import pytest

from backend.errors import InputError
from backend.evaluation.answers.question_sets import AnswerKind
from tests.evaluation.answers.set_files import read, write


def task(*instances: dict[str, str]) -> dict[str, Any]:
    return {"Contributors": "x", "Definition": ["Choose."], "Positive Examples": [], "Instances": list(instances)}


def test_seer_and_mimic_ed_as_meds_bench_has_them(tmp_path: Path) -> None:
    listed = "Age 60.\nA. Surgery\nB. Radiation"
    (found,) = read("seer", write(tmp_path, "s.json", task({"input": listed, "output": "B. Radiation"})))
    assert (found.options, found.gold) == (("Surgery", "Radiation"), "Radiation")
    assert found.text.startswith("Choose.")
    two = task(
        {"id": "a", "input": "Pulse 90.", "output": "negative"},
        {"id": "b", "input": "Pulse 150.", "output": "positive"},
    )
    assert [one.gold for one in read("mimic-iv-ed", write(tmp_path, "m.json", two))] == ["negative", "positive"]


def test_a_task_with_many_outputs_becomes_labels(tmp_path: Path) -> None:
    many = task(*({"id": str(i), "input": f"Case {i}", "output": f"Disease {i}"} for i in range(12)))
    found = read("ddxplus", write(tmp_path, "d.json", many))
    assert {one.kind for one in found} == {AnswerKind.LABEL}
    assert len(found[0].labels) == 12


def test_ddxplus_as_first_published_is_told_in_words(tmp_path: Path) -> None:
    evidences = {
        "E_1": {"question_en": "Do you cough?", "value_meaning": {}},
        "E_55": {"question_en": "Where does it hurt?", "value_meaning": {"V_89": {"en": "chest"}}},
    }
    write(tmp_path, "release_evidences.json", evidences)
    write(tmp_path, "release_conditions.json", {"Bronchitis": {}, "Pneumonia": {}})
    (tmp_path / "patients.csv").write_text(
        "AGE,DIFFERENTIAL_DIAGNOSIS,SEX,PATHOLOGY,EVIDENCES,INITIAL_EVIDENCE\n"
        "41,\"[['Bronchitis', 0.7]]\",F,Bronchitis,\"['E_1', 'E_55_@_V_89']\",E_1\n"
    )
    (found,) = read("ddxplus", tmp_path / "patients.csv")
    assert "41-year-old woman." in found.text
    assert "Where does it hurt? chest." in found.text
    assert (found.gold, found.labels) == ("Bronchitis", ("Bronchitis", "Pneumonia"))


def test_mimic_ed_as_the_benchmark_makes_it(tmp_path: Path) -> None:
    (tmp_path / "master.csv").write_text(
        "stay_id,age,gender,chiefcomplaint,triage_heartrate,outcome_hospitalization,outcome_critical,outcome_ed_revisit_3d\n"
        "7,80,F,Dyspnea,110,True,False,False\n"
    )
    found = read("mimic-iv-ed", tmp_path / "master.csv")
    assert [(one.question_id, one.gold) for one in found] == [
        ("7/hospitalization", "yes"),
        ("7/critical", "no"),
        ("7/ed_revisit_3d", "no"),
    ]
    assert "heart rate: 110" in found[0].text


def test_diagnosis_takes_one_label_a_line_and_refuses_several_and_chinese(tmp_path: Path) -> None:
    rows = [
        {"chief_complaint": "Painful toe", "diagnosis": "Gout"},
        {"chief_complaint": "Wheeze", "diagnosis": ["Asthma"]},
    ]
    found = read("diagnosis", write(tmp_path, "d.jsonl", *rows))
    assert [one.gold for one in found] == ["Gout", "Asthma"]
    assert found[0].labels == ("Asthma", "Gout")
    # the complaint is the note: what is no note is neither read nor ranked
    assert (found[0].note, found[0].text) == ("Painful toe", "What is the most likely diagnosis?")
    with pytest.raises(InputError, match="several diagnoses"):
        read("diagnosis", write(tmp_path, "m.jsonl", {"text": "x", "label": ["a", "b"]}))
    with pytest.raises(InputError, match="Chinese, which is not supported"):
        read("diagnosis", write(tmp_path, "c.jsonl", {"text": "患者胸痛三天伴有发热咳嗽气促" * 5, "label": "肺炎"}))
