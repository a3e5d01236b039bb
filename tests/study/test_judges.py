"""A judge model's scores beside the raters': checked, kept, exported, and under codes while the study is blind."""

import pytest

from backend.errors import InputError, NotFoundError
from backend.schemas.studies.study_judge import JudgeRequest, JudgeScore
from backend.study.judges import add_judge, judged_of, judges, uploads_of
from backend.study.reporting.report import analysed
from backend.study.reporting.study_export import StudyFormat, export
from backend.study.reporting.study_import import import_study
from tests.study.sample import OTHER, SYSTEM, StudyWorld

MEAN = "reinrag-statements/mean"


def main_cases(study_world: StudyWorld, study_id: str) -> list[str]:
    return sorted({item.case_id for item in study_world.study(study_id).items if item.kind == "main"})


def request(cases: list[str], first: float, second: float, judge: str = "m") -> JudgeRequest:
    scores = [JudgeScore(question=MEAN, case=case, arm=SYSTEM, value=first, place=1) for case in cases]
    scores += [JudgeScore(question=MEAN, case=case, arm=OTHER, value=second, place=2) for case in cases]
    return JudgeRequest(judge=judge, scores=tuple(scores), author="Ada")


def test_what_a_judge_gives_beyond_people_is_in_the_analysis(study_world: StudyWorld) -> None:
    study_id = study_world.frozen(4)
    study_world.rate_all(study_world.invite(study_id), 4)
    cases = main_cases(study_world, study_id)
    add_judge(study_world.studies, study_id, request(cases, 5, 2, "kind"))
    add_judge(study_world.studies, study_id, request(cases, 3, 3, "strict"))
    found = {one.judge: one for one in analysed(study_world.studies, study_id).analysis.judges}
    assert {name: one.drafts for name, one in found.items()} == {"kind": 6, "strict": 6}
    assert found["kind"].mean_excess.value == pytest.approx(-0.5)  # people said 4: (5 - 4 + 2 - 4) / 2
    assert found["kind"].by_order.value == pytest.approx(3.0)  # +1 for the first, -2 for the second
    assert found["strict"].mean_excess.value == pytest.approx(-1.0)


def test_of_two_uploads_of_one_name_the_newer_counts_and_both_are_kept(study_world: StudyWorld) -> None:
    study_id = study_world.frozen(4)
    cases = main_cases(study_world, study_id)
    add_judge(study_world.studies, study_id, request(cases, 5, 5))
    views = add_judge(study_world.studies, study_id, request(cases[:1], 2, 2))
    assert [(view.scores, view.counts) for view in views] == [(6, False), (2, True)]
    with study_world.database.reading() as session:
        uploads = uploads_of(session, study_id)
    assert {given.value for given in judged_of(study_world.study(study_id), uploads, blind=False)} == {2.0}
    assert {given.arm for given in judged_of(study_world.study(study_id), uploads, blind=True)} == {"arm 1", "arm 2"}
    assert study_world.studies.trail(study_id)[-1].details == {"judge": "m", "scores": 2}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"question": "reinrag-statements/colour"}, "Score 7: there is no question 'reinrag-statements/colour'"),
        ({"arm": "nobody"}, "Score 7: no draft of case"),
        ({"case": "c99"}, "Score 7: no draft of case 'c99'"),
        ({}, "two scores of case"),
    ],
)
def test_a_score_that_fits_no_draft_is_refused_and_nothing_is_kept(
    study_world: StudyWorld, changed: dict[str, str], message: str
) -> None:
    study_id = study_world.frozen(4)
    good = request(main_cases(study_world, study_id), 3, 3)
    odd = good.scores[0].model_copy(update=changed)
    with pytest.raises(InputError, match=message):
        add_judge(study_world.studies, study_id, good.model_copy(update={"scores": (*good.scores, odd)}))
    assert judges(study_world.studies, study_id) == ()


def test_a_calibration_case_is_not_judged(study_world: StudyWorld) -> None:
    study_id = study_world.frozen(4)
    practice = next(item.case_id for item in study_world.study(study_id).items if item.kind == "calibration")
    with pytest.raises(InputError, match=f"no draft of case '{practice}'"):
        add_judge(study_world.studies, study_id, request([practice], 3, 3))


def test_a_study_that_is_not_frozen_takes_no_scores(study_world: StudyWorld) -> None:
    with pytest.raises(NotFoundError, match="not frozen"):
        add_judge(study_world.studies, study_world.ready(3), request(["c01"], 3, 3))


def test_scores_go_out_and_come_back_with_the_export(
    study_world: StudyWorld, tmp_path_factory: pytest.TempPathFactory
) -> None:
    study_id = study_world.frozen(4)
    add_judge(study_world.studies, study_id, request(main_cases(study_world, study_id), 5, 2))
    study_world.studies.close(study_id, "Ada")
    study_world.studies.unlock(study_id, "Ada")
    text = export(study_world.studies, study_id, StudyFormat.JSONL, "Ada")
    other = StudyWorld(tmp_path_factory.mktemp("other"))
    import_study(other.studies, text, "Ben")
    assert judges(other.studies, study_id) == judges(study_world.studies, study_id)
    other.database.close()
