"""Freezing: what it asks for, what it refuses, and that nothing changes afterwards."""

from typing import Any

import pytest
from sqlalchemy import text

from backend.errors import ConflictError, InputError
from backend.schemas.study import Arm, PrimaryTest
from backend.schemas.study_views import FreezeRequest, SetupChange
from backend.study.canonical import canonical_json, sha256_of
from backend.study.freezing import LeakError
from backend.study.generation import generate
from backend.study.instruments import instrument
from backend.study.sources import DraftJob
from tests.study.sample import OTHER, PLAN, SYSTEM, Desk, cases, setup, write

FREEZE = FreezeRequest(author="Ada", accept_warnings=True)


def test_nothing_of_a_frozen_study_changes(desk: Desk) -> None:
    study_id = desk.frozen()
    view = desk.studies.view(study_id)
    with pytest.raises(ConflictError, match="nothing of it changes"):
        desk.studies.change(study_id, SetupChange(setup=setup(raters=3), version=view.version))
    with pytest.raises(ConflictError, match="nothing of it changes"):
        desk.studies.add_cases(study_id, cases(9)[8:], "Ada")
    with pytest.raises(ConflictError, match="nothing of it changes"):
        generate(desk.studies, study_id, write, "Ada")
    with pytest.raises(ConflictError, match="nothing of it changes"):
        desk.studies.freeze(study_id, FREEZE)
    assert desk.studies.view(study_id) == view


@pytest.mark.parametrize("table", ["study_frozen", "study_events", "study_ratings", "study_profiles"])
@pytest.mark.parametrize("act", ["DELETE FROM {}", "UPDATE {} SET rowid = rowid"])
def test_the_database_itself_refuses_to_change_what_only_grows(desk: Desk, table: str, act: str) -> None:
    study_id = desk.frozen()
    desk.rate(desk.invite(study_id), 1)
    with pytest.raises(ConflictError), desk.database.writing() as session:
        session.execute(text(act.format(table)))
    assert desk.studies.view(study_id).sha256


def test_the_hash_is_that_of_the_document_and_a_changed_one_is_noticed(desk: Desk) -> None:
    study_id = desk.frozen()
    study = desk.study(study_id)
    assert desk.studies.view(study_id).sha256 == sha256_of(canonical_json(study))
    with desk.database.writing() as session:
        session.execute(text("DROP TRIGGER study_frozen_no_update"))
        session.execute(text("UPDATE study_frozen SET document = replace(document, 'coughs', 'sneezes')"))
    with pytest.raises(Exception, match="no longer fits its hash"):
        desk.study(study_id)


def test_a_deleted_source_takes_nothing_from_a_frozen_study(desk: Desk) -> None:
    study = desk.study(desk.frozen())
    assert all(case.text and case.reference for case in study.cases)
    assert all(draft.text and draft.blinded for draft in study.drafts)


def test_freezing_waits_for_every_draft(desk: Desk) -> None:
    made = desk.studies.create(setup(), "Ada")
    desk.studies.add_cases(made.id, cases(2), "Ada")
    with pytest.raises(ConflictError, match="4 drafts are missing"):
        desk.studies.freeze(made.id, FREEZE)


@pytest.mark.parametrize(
    ("changed", "told"),
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
def test_what_is_not_decided_cannot_be_frozen(desk: Desk, changed: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        desk.frozen(4, **changed)


def test_drafts_by_two_generators_are_refused_when_the_system_is_the_factor(desk: Desk) -> None:
    def source(job: DraftJob) -> Any:
        draft = write(job)
        by = "composer" if job.arm.id == OTHER else "ocelot"
        return draft.model_copy(update={"provenance": draft.provenance.model_copy(update={"generator": by})})

    with pytest.raises(InputError, match="different generators: composer, ocelot"):
        desk.frozen(4, source)


def test_warnings_are_accepted_on_record(desk: Desk) -> None:
    def source(job: DraftJob) -> Any:
        draft = write(job)
        more = "Stay well and see us again!\n" if job.arm.id == OTHER else ""
        return draft.model_copy(update={"text": more + draft.text})

    study_id = desk.ready(4, source)
    with pytest.raises(LeakError, match="may guess the arms") as refused:
        desk.studies.freeze(study_id, FreezeRequest(author="Ada"))
    assert "Stay well" not in str(refused.value)
    assert any("Stay well" in leak.what for leak in refused.value.leaks)
    desk.studies.freeze(study_id, FREEZE)
    assert desk.study(study_id).accepted_leaks == refused.value.leaks


def test_a_name_in_a_text_for_raters_blocks_even_when_warnings_are_accepted(desk: Desk) -> None:
    with pytest.raises(LeakError, match="can be read there"):
        desk.frozen(4, instructions="Rate what Zebrafinch wrote.")
