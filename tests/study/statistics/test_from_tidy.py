"""Tidy rows as the data of an analysis: what counts, what does not, and a study rated to its end."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.schemas.studies.estimates import Level
from backend.schemas.studies.study_rater_views import GuessRequest
from backend.study.design.instruments import instrument
from backend.study.rating.closing import Closing
from backend.study.reporting.study_export import ratings_data
from backend.study.statistics.analysis import analyse
from backend.study.statistics.from_tidy import scales, study_data
from backend.study.statistics.rating_data import Choice
from backend.study.tidy import TidyRow, blind_codes, tidy_rows
from tests.study.sample import OTHER, SYSTEM, StudyWorld, setup


@pytest.fixture
def study_world(tmp_path: Path) -> Iterator[StudyWorld]:
    made = StudyWorld(tmp_path)
    yield made
    made.database.close()


def row(**changed: Any) -> TidyRow:
    fields: dict[str, Any] = dict.fromkeys(TidyRow._fields, "")
    fields |= {"value": None, "toward_second": None, "seconds": None, "number": 1, "period": 1, "status": "rated"}
    fields |= {"rater": "R01", "role": "rater", "kind": "main", "phase": "blind", "case": "c01", "item": "i1"}
    return TidyRow(**{**fields, **changed})


def rated(**changed: Any) -> TidyRow:
    given = {"instrument": "reinrag-statements", "question": "rare_omission", "arm": SYSTEM, "value": 4.0}
    return row(**{**given, **changed})


def test_only_the_first_answers_of_raters_to_main_items_count(study_world: StudyWorld) -> None:
    study = study_world.study(study_world.frozen())
    rows = [
        rated(),
        rated(item="i2", case="c02", value=None, status="cannot_judge"),
        rated(phase="informed", value=1.0),
        rated(kind="calibration", value=1.0),
        rated(kind="attention", value=1.0),
        rated(role="adjudicator", rater="J01", value=1.0),
        rated(instrument="closing-comments", question="strengths", value=None),
    ]
    assert [(s.case, s.value) for s in study_data(study, rows).scores] == [("c01", 4.0), ("c02", None)]


def test_scales_follow_the_instruments() -> None:
    made = {
        s.question: s
        for s in scales(setup(instruments=(instrument("reinrag-statements"), instrument("documents-support"))))
    }
    assert made["reinrag-statements/rare_omission"].values == (1, 2, 3, 4, 5)
    assert made["reinrag-statements/rare_omission"].part_of == "reinrag-statements"
    assert made["documents-support/supports"].level == Level.NOMINAL
    assert made["documents-support/supports"].part_of == ""


def test_a_ranking_is_a_choice_for_each_pair_and_equal_places_are_a_tie(study_world: StudyWorld) -> None:
    made = setup(design="ranking", instruments=(instrument("ranking"),), plan=None)
    question = next(q.id for q in instrument("ranking").questions if q.kind == "ranking")
    study = study_world.study(study_world.frozen()).model_copy(update={"setup": made})
    rows = [
        row(instrument="ranking", question=question, arm=arm, value=place, shown_as=letter)
        for arm, place, letter in (("a", 2.0, "C"), ("b", 1.0, "A"), ("c", 2.0, "B"))
    ]
    name = f"ranking/{question}"
    # b stands first: against a it is the second of the pair and preferred; a and c stand equal
    # and it stood above both others, so that each time the upper one was preferred
    assert study_data(study, rows).choices == (
        Choice(name, "c01", "R01", "a", "b", 1.0, -1.0, 1),
        Choice(name, "c01", "R01", "a", "c", 0.0, 0.0, 1),
        Choice(name, "c01", "R01", "b", "c", -1.0, -1.0, 1),
    )
    # a and c share the places 2 and 3
    assert [(p.arm, p.place) for p in study_data(study, rows).places] == [("a", 2.5), ("b", 1.0), ("c", 2.5)]


def test_a_preference_keeps_the_side_on_which_it_fell(study_world: StudyWorld) -> None:
    study = study_world.study(study_world.frozen())
    given = {"instrument": "pairwise-preference", "question": "preference", "first_arm": "a", "second_arm": "b"}
    rows = [row(**given, value=2.0, toward_second=-2.0, period=2)]  # the right one, where a stood
    assert study_data(study, rows).choices == (
        Choice("pairwise-preference/preference", "c01", "R01", "a", "b", -2.0, 2.0, 2),
    )


def test_time_on_an_item_counts_once_however_many_questions_it_has(study_world: StudyWorld) -> None:
    study = study_world.study(study_world.frozen())
    rows = [rated(seconds=30.0), rated(seconds=30.0, question="minimal_irrelevance"), rated(seconds=50.0, item="i2")]
    assert [t.seconds for t in study_data(study, rows).times] == [30.0, 50.0]


def test_a_study_rated_to_its_end_is_analysed(study_world: StudyWorld) -> None:
    study_id = study_world.frozen(count=7)
    closing = Closing(study_world.database, study_world.clock, study_world.ratings.frozen)
    for rater, value in (("R01", 4), ("R02", 5)):
        token = study_world.invite(study_id, rater)
        study_world.rate_all(token, value)
        study_world.ratings.finish(token)
        for item in closing.guesses(token).items:
            closing.guess(token, str(uuid.uuid4()), GuessRequest(number=item.number, part=item.part, guess=1))
    data = ratings_data(study_world.studies, study_id)
    made = study_data(data.study, tidy_rows(data, blind=False))
    found = analyse(made, resamples=20)
    assert set(found.arms) == {SYSTEM, OTHER}
    assert (found.cases, found.raters) == (6, 2)  # one of the seven is for calibration
    # every draft has a 4 and a 5, so arms are equal and raters one point apart
    assert {s.mean.value for s in found.summaries if s.question == "reinrag-statements/mean"} == {4.5}
    assert {s.deviation.value for s in found.severity if s.question == "reinrag-statements/mean"} == {-1.0, 1.0}
    primary = next(c for c in found.comparisons if c.primary and c.planned)
    assert primary.reason == "the arms have the same mean in every case"
    # half the guessed drafts are of each arm and every guess is the same, so half are right
    assert found.blinding.correct_share.value == 0.5
    assert found.times[0].median_s is not None


def test_while_blind_no_arm_is_named(study_world: StudyWorld) -> None:
    study_id = study_world.frozen(count=7)
    study_world.rate_all(study_world.invite(study_id, "R01"))
    data = ratings_data(study_world.studies, study_id)
    made = study_data(data.study, tidy_rows(data, blind=True), blind=True)
    message = analyse(made, resamples=5).model_dump_json().lower()
    assert set(made.arms) == set(blind_codes(data.study).values())
    assert SYSTEM not in message and OTHER not in message
