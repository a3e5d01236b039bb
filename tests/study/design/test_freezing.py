"""Freezing: what it asks for, what it refuses, and that nothing changes afterwards."""

from typing import Any

import pytest
from sqlalchemy import text

from backend.errors import ConflictError, InputError
from backend.schemas.canonical_json import canonical_json, sha256_of
from backend.schemas.studies.study_design import Arm, PrimaryTest
from backend.schemas.studies.study_views import FreezeRequest, SetupChange
from backend.study.design.draft_sources import DraftJob
from backend.study.design.freezing import LeakError
from backend.study.design.instruments import instrument
from backend.study.design.study_drafts import generate
from tests.study.sample import OTHER, PLAN, SYSTEM, StudyWorld, cases, setup, write

FREEZE = FreezeRequest(author="Ada", accept_warnings=True)


def test_nothing_of_a_frozen_study_changes(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    view = study_world.studies.view(study_id)
    with pytest.raises(ConflictError, match="nothing of it changes"):
        study_world.studies.change(study_id, SetupChange(setup=setup(raters=3), version=view.version))
    with pytest.raises(ConflictError, match="nothing of it changes"):
        study_world.studies.add_cases(study_id, cases(9)[8:], "Ada")
    with pytest.raises(ConflictError, match="nothing of it changes"):
        generate(study_world.studies, study_id, write, "Ada")
    with pytest.raises(ConflictError, match="nothing of it changes"):
        study_world.studies.freeze(study_id, FREEZE)
    assert study_world.studies.view(study_id) == view


@pytest.mark.parametrize("table", ["study_frozen", "study_events", "study_ratings", "study_profiles"])
@pytest.mark.parametrize("act", ["DELETE FROM {}", "UPDATE {} SET rowid = rowid"])
def test_the_database_itself_refuses_to_change_what_only_grows(study_world: StudyWorld, table: str, act: str) -> None:
    study_id = study_world.frozen()
    study_world.rate(study_world.invite(study_id), 1)
    with pytest.raises(ConflictError), study_world.database.writing() as session:
        session.execute(text(act.format(table)))
    assert study_world.studies.view(study_id).sha256


def test_the_hash_is_that_of_the_document_and_a_changed_one_is_noticed(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    study = study_world.study(study_id)
    assert study_world.studies.view(study_id).sha256 == sha256_of(canonical_json(study))
    with study_world.database.writing() as session:
        session.execute(text("DROP TRIGGER study_frozen_no_update"))
        session.execute(text("UPDATE study_frozen SET document = replace(document, 'coughs', 'sneezes')"))
    with pytest.raises(Exception, match="no longer fits its hash"):
        study_world.study(study_id)


def test_a_deleted_source_takes_nothing_from_a_frozen_study(study_world: StudyWorld) -> None:
    study = study_world.study(study_world.frozen())
    assert all(case.text and case.reference for case in study.cases)
    assert all(draft.text and draft.blinded for draft in study.drafts)


def test_freezing_waits_for_every_draft(study_world: StudyWorld) -> None:
    made = study_world.studies.create(setup(), "Ada")
    study_world.studies.add_cases(made.id, cases(2), "Ada")
    with pytest.raises(ConflictError, match="4 drafts are missing"):
        study_world.studies.freeze(made.id, FREEZE)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"plan": None}, "primary_outcome, unit_of_analysis, test, exclusions"),
        ({"plan": PLAN.model_copy(update={"primary_outcome": "soap-quality/plan"})}, "no question of this study"),
        ({"plan": PLAN.model_copy(update={"test": PrimaryTest.BRADLEY_TERRY})}, "does not suit the primary outcome"),
        ({"calibration_items": 4, "rated_cases": 1}, "too few"),
        ({"attention_checks": 2}, "2 attention checks are wanted, and 1"),
        ({"instruments": (instrument("reinrag-statements"), instrument("omnirag-aspects"))}, "never shows"),
        (
            {"arms": (Arm(id=SYSTEM, system=SYSTEM), Arm(id=OTHER, system=OTHER))},
            "guess_label of its own",
        ),
    ],
)
def test_what_is_not_decided_cannot_be_frozen(study_world: StudyWorld, changed: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_world.frozen(4, **changed)


def test_drafts_by_two_generators_are_refused_when_the_system_is_the_factor(study_world: StudyWorld) -> None:
    def source(job: DraftJob) -> Any:
        draft = write(job)
        by = "composer" if job.arm.id == OTHER else "ocelot"
        return draft.model_copy(update={"provenance": draft.provenance.model_copy(update={"generator": by})})

    with pytest.raises(InputError, match="different generators: composer, ocelot"):
        study_world.frozen(4, source)


def test_warnings_are_accepted_on_record(study_world: StudyWorld) -> None:
    def source(job: DraftJob) -> Any:
        draft = write(job)
        more = "Stay well and see us again!\n" if job.arm.id == OTHER else ""
        return draft.model_copy(update={"text": more + draft.text})

    study_id = study_world.ready(4, source)
    with pytest.raises(LeakError, match="may guess the arms") as refused:
        study_world.studies.freeze(study_id, FreezeRequest(author="Ada"))
    assert "Stay well" not in str(refused.value)
    assert any("Stay well" in leak.what for leak in refused.value.leaks)
    study_world.studies.freeze(study_id, FREEZE)
    assert study_world.study(study_id).accepted_leaks == refused.value.leaks


def test_a_name_in_a_text_for_raters_blocks_even_when_warnings_are_accepted(study_world: StudyWorld) -> None:
    with pytest.raises(LeakError, match="can be read there"):
        study_world.frozen(4, instructions="Rate what Zebrafinch wrote.")
