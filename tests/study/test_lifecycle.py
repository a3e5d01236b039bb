from threading import Event
from typing import Any

import pytest

from backend.errors import ConflictError, InputError, NotFoundError
from backend.schemas.studies.study_design import Arm, CaseRole, PrimaryTest, StudyState
from backend.schemas.studies.study_frozen import NOT_AN_EVALUATION, DraftMade, ItemKind
from backend.schemas.studies.study_instrument import Design
from backend.schemas.studies.study_rating import EventKind
from backend.schemas.studies.study_views import FreezeRequest, SetupChange, UploadedDraft
from backend.study.design.draft_sources import DraftJob
from backend.study.design.instruments import instrument
from backend.study.design.study_cases import demonstration
from backend.study.design.study_drafts import Drafts, generate
from backend.study.rating.study_progress import progress
from tests.study.sample import OTHER, PLAN, SYSTEM, StudyWorld, cases, setup, write, write_but

FREEZE = FreezeRequest(author="Ada", accept_warnings=True)


def test_a_study_goes_from_draft_to_closed(study_world: StudyWorld) -> None:
    made = study_world.studies.create(setup(), "Ada")
    assert made.state == StudyState.DRAFT
    study_world.studies.add_cases(made.id, cases(3), "Ada")
    assert generate(study_world.studies, made.id, write, "Ada").state == StudyState.READY
    frozen = study_world.studies.freeze(made.id, FREEZE)
    assert frozen.state == StudyState.FROZEN
    assert study_world.studies.close(made.id, "Ada").state == StudyState.CLOSED
    kinds = [event.kind for event in study_world.studies.trail(made.id)]
    assert kinds == [
        EventKind.CREATE, EventKind.ADD_CASES, EventKind.GENERATE, EventKind.GENERATED, EventKind.FREEZE, EventKind.CLOSE,
    ]  # fmt: skip


def test_a_batch_that_was_stopped_goes_on_where_it_was(study_world: StudyWorld) -> None:
    made = study_world.studies.create(setup(), "Ada")
    study_world.studies.add_cases(made.id, cases(3), "Ada")
    stop, written = Event(), []

    def source(job: DraftJob) -> Any:
        written.append((job.case.id, job.arm.id))
        if len(written) == 2:
            stop.set()
        return write(job)

    assert generate(study_world.studies, made.id, source, "Ada", stop=stop).state == StudyState.GENERATING
    message: list[tuple[int, int]] = []
    view = generate(
        study_world.studies, made.id, source, "Ada", lambda done, total, what: message.append((done, total))
    )
    assert view.state == StudyState.READY
    assert len(written) == len(set(written)) == 6  # 3 cases, 2 arms, none twice
    assert message == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_defect_in_a_writer_loses_no_draft_before_it(study_world: StudyWorld) -> None:
    made = study_world.studies.create(setup(), "Ada")
    study_world.studies.add_cases(made.id, cases(2), "Ada")

    def source(job: DraftJob) -> Any:
        if job.arm.id == OTHER:
            raise ZeroDivisionError
        return write(job)

    with pytest.raises(ZeroDivisionError):
        generate(study_world.studies, made.id, source, "Ada")
    assert study_world.studies.view(made.id).drafts.made == 1


def test_a_failed_draft_stays_with_its_reason_and_is_shown_to_nobody(study_world: StudyWorld) -> None:
    study_id = study_world.frozen(4, write_but("c01", OTHER), calibration_items=0)
    view = study_world.studies.view(study_id)
    assert [(f.case_id, f.arm_id, f.reason) for f in view.failed] == [("c01", OTHER, "the server died")]
    study = study_world.study(study_id)
    failed = [item for item in study.items if item.failed]
    assert [(item.case_id, item.arms, item.failed) for item in failed] == [("c01", (OTHER,), "the server died")]
    shown = {slot.item_id for plan in study.raters for slot in plan.slots}
    assert failed[0].id not in shown
    assert progress(study_world.studies, study_id).items_failed == 1


def test_a_failed_draft_is_tried_again_only_when_asked(study_world: StudyWorld) -> None:
    study_id = study_world.ready(2, write_but("c01", OTHER), calibration_items=0)
    assert Drafts(study_world.studies).jobs(study_id) == ()
    assert generate(study_world.studies, study_id, write, "Ada", retry_failed=True).drafts.failed == 0


def test_both_arms_of_a_case_are_written_with_one_seed(study_world: StudyWorld) -> None:
    made = study_world.studies.create(setup(), "Ada")
    study_world.studies.add_cases(made.id, cases(2), "Ada")
    seeds = {(job.case.id, job.arm.id): job.seed for job in Drafts(study_world.studies).jobs(made.id)}
    assert seeds["c01", SYSTEM] == seeds["c01", OTHER] != seeds["c02", SYSTEM]


def test_uploads_make_a_study_ready(study_world: StudyWorld) -> None:
    arms = (Arm(id="ours", guess_label="One way"), Arm(id="theirs", guess_label="Another way"))
    made = study_world.studies.create(setup(arms=arms, factor="upload", calibration_items=0), "Ada")
    study_world.studies.add_cases(made.id, cases(1), "Ada")
    drafts = Drafts(study_world.studies)
    half = drafts.upload(made.id, [UploadedDraft(case="c01", arm="ours", text="Rest well.")], "Ada")
    assert half.state == StudyState.GENERATING
    whole = drafts.upload(made.id, [UploadedDraft(case="c01", arm="theirs", failed="no answer")], "Ada")
    assert (whole.state, whole.drafts.failed) == (StudyState.READY, 1)


@pytest.mark.parametrize(
    ("draft", "message"),
    [
        ({"case": "c01", "arm": SYSTEM, "text": "x"}, "no arm for uploads"),
        ({"case": "c99", "arm": "mine", "text": "x"}, "no case 'c99'"),
        ({"case": "c01", "arm": "mine"}, "give the text"),
    ],
)
def test_an_upload_that_fits_nowhere_is_refused(study_world: StudyWorld, draft: dict[str, str], message: str) -> None:
    arms = (Arm(id=SYSTEM, system=SYSTEM), Arm(id="mine"))
    made = study_world.studies.create(setup(arms=arms, factor="upload", calibration_items=0), "Ada")
    study_world.studies.add_cases(made.id, cases(1), "Ada")
    with pytest.raises(InputError, match=message):
        Drafts(study_world.studies).upload(made.id, [UploadedDraft(**draft)], "Ada")


def test_a_study_on_demonstration_cases_is_stamped(study_world: StudyWorld) -> None:
    made = study_world.studies.create(setup(calibration_items=0), "Ada")
    study_world.studies.add_cases(made.id, demonstration(["thunderclap-headache"]), "Ada")
    generate(study_world.studies, made.id, write, "Ada")
    assert study_world.studies.freeze(made.id, FREEZE).stamps == (NOT_AN_EVALUATION,)
    assert study_world.study(made.id).stamps == (NOT_AN_EVALUATION,)


def test_a_setup_changed_by_another_meanwhile_is_told(study_world: StudyWorld) -> None:
    made = study_world.studies.create(setup(), "Ada")
    study_world.studies.change(made.id, SetupChange(setup=setup(raters=3), version=1))
    with pytest.raises(ConflictError, match="at version 2, not 1"):
        study_world.studies.change(made.id, SetupChange(setup=setup(raters=4), version=1))


def test_what_drafts_rest_on_stays_once_there_are_any(study_world: StudyWorld) -> None:
    study_id = study_world.ready()
    version = study_world.studies.view(study_id).version
    with pytest.raises(ConflictError, match="rest on seed"):
        study_world.studies.change(study_id, SetupChange(setup=setup(seed=6), version=version))
    assert study_world.studies.change(study_id, SetupChange(setup=setup(raters=5), version=version)).setup.raters == 5


def test_it_stays_blind_until_it_is_closed_and_unlocking_is_recorded_once(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    with pytest.raises(ConflictError, match="stays blind until it is closed"):
        study_world.studies.unlock(study_id, "Ada")
    study_world.studies.close(study_id, "Ada")
    study_world.studies.unlock(study_id, "Ada")
    study_world.studies.unlock(study_id, "Bob")
    unlocks = [event.actor for event in study_world.studies.trail(study_id) if event.kind == EventKind.UNLOCK]
    assert unlocks == ["Ada"]


def test_calibration_is_the_same_for_all_and_attention_is_held_apart(study_world: StudyWorld) -> None:
    study = study_world.study(study_world.frozen(6, calibration_items=2, attention_checks=1))
    kinds = {item.id: item.kind for item in study.items}
    firsts = {tuple(slot.item_id for slot in plan.slots[:2]) for plan in study.raters}
    assert len(firsts) == 1
    assert [kinds[i] for i in next(iter(firsts))] == [ItemKind.CALIBRATION] * 2
    check = next(item for item in study.items if item.kind == ItemKind.ATTENTION)
    assert check.planted is not None
    assert check.planted.text[check.planted.start_char : check.planted.end_char] in check.planted.text
    draft = next(d for d in study.drafts if (d.case_id, d.arm_id) == (check.case_id, check.planted.arm_id))
    before, after = check.planted.text[: check.planted.start_char - 1], check.planted.text[check.planted.end_char :]
    assert before + after == draft.blinded
    for plan in study.raters:
        assert sum(kinds[slot.item_id] == ItemKind.ATTENTION for slot in plan.slots) == 1


@pytest.mark.parametrize(
    ("design", "name", "count"), [(Design.PAIRWISE, "pairwise-preference", 3), (Design.RANKING, "ranking", 1)]
)
def test_pairs_are_all_pairs_and_a_ranking_holds_all_arms(
    study_world: StudyWorld, design: Design, name: str, count: int
) -> None:
    arms = tuple(Arm(id=f"arm-{n}", system=f"zebra{n}", guess_label=f"way {n}") for n in range(3))
    plan = PLAN.model_copy(
        update={"primary_outcome": f"{name}/{instrument(name).questions[0].id}", "test": PrimaryTest.BRADLEY_TERRY}
    )
    study_id = study_world.frozen(
        2, design=design, instruments=(instrument(name),), arms=arms, plan=plan, calibration_items=0, spacing=0
    )
    study = study_world.study(study_id)
    assert [len(item.arms) for item in study.items] == ([2] * 6 if count == 3 else [3] * 2)
    assert all(
        sorted(slot.shown) == sorted(next(i.arms for i in study.items if i.id == slot.item_id))
        for p in study.raters
        for slot in p.slots
    )


def test_a_study_that_does_not_exist_is_told(study_world: StudyWorld) -> None:
    for call in (study_world.studies.view, study_world.studies.trail, study_world.studies.frozen):
        with pytest.raises(NotFoundError):
            call("00000000-0000-4000-8000-000000000000")


def test_marked_attention_cases_serve_pairs(study_world: StudyWorld) -> None:
    plan = PLAN.model_copy(
        update={"primary_outcome": "pairwise-preference/preference", "test": PrimaryTest.SIGN_CASE_MEANS}
    )
    made = study_world.studies.create(
        setup(
            design=Design.PAIRWISE,
            instruments=(instrument("pairwise-preference"),),
            plan=plan,
            attention_checks=1,
            calibration_items=0,
        ),
        "Ada",
    )
    marked = cases(4)[3].model_copy(update={"role": CaseRole.ATTENTION})
    study_world.studies.add_cases(made.id, (*cases(3), marked), "Ada")
    generate(study_world.studies, made.id, write, "Ada")
    study_world.studies.freeze(made.id, FREEZE)
    study = study_world.study(made.id)
    assert [item.case_id for item in study.items if item.kind == ItemKind.ATTENTION] == ["c04"]
    assert all(draft.status == DraftMade.MADE for draft in study.drafts)
