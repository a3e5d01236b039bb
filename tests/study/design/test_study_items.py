"""What is rated: the items of a study, and each rater's plan of them."""

import pytest

from backend.errors import InputError
from backend.schemas.studies.study_design import CaseRole, StudyCase
from backend.schemas.studies.study_frozen import BlindedDraft, DraftMade, DraftProvenance, ItemKind
from backend.schemas.studies.study_instrument import Design
from backend.study.design.study_items import Drafts, compared, items_of, plans_of
from tests.study.sample import OTHER, SYSTEM, setup

SMALL = setup(calibration_items=0, guess_items=0, spacing=1)
"""Two arms of single drafts, two raters who both rate all."""


def cases(rated: int, calibration: int = 0) -> list[StudyCase]:
    roles = [CaseRole.RATED] * rated + [CaseRole.CALIBRATION] * calibration
    return [StudyCase(id=f"c{n}", text="Cough.", role=role) for n, role in enumerate(roles)]


def drafts(of: list[StudyCase], failed: tuple[str, str] | None = None) -> Drafts:
    made = {}
    for case in of:
        for arm in (SYSTEM, OTHER):
            broken = (case.id, arm) == failed
            made[case.id, arm] = BlindedDraft(
                case_id=case.id,
                arm_id=arm,
                status=DraftMade.FAILED if broken else DraftMade.MADE,
                reason="no power" if broken else "",
                blinded="" if broken else "Rest.",
                provenance=DraftProvenance(source="upload"),
            )
    return made


@pytest.mark.parametrize(
    ("design", "shown"),
    [
        (Design.SINGLE, [("a",), ("b",), ("c",)]),
        (Design.PAIRWISE, [("a", "b"), ("a", "c"), ("b", "c")]),
        (Design.RANKING, [("a", "b", "c")]),
    ],
)
def test_what_is_shown_at_once(design: Design, shown: list[tuple[str, ...]]) -> None:
    assert compared(design, ["a", "b", "c"]) == shown


def test_every_case_gives_an_item_of_each_arm_and_calibration_stands_behind() -> None:
    held = cases(2, calibration=1)
    items = items_of(SMALL.model_copy(update={"calibration_items": 1}), held, drafts(held))
    assert [(item.id, item.kind, item.case_id) for item in items] == [
        ("I0001", ItemKind.MAIN, "c0"),
        ("I0002", ItemKind.MAIN, "c0"),
        ("I0003", ItemKind.MAIN, "c1"),
        ("I0004", ItemKind.MAIN, "c1"),
        ("I0005", ItemKind.CALIBRATION, "c2"),
    ]


def test_a_failed_draft_makes_its_item_failed_and_nobody_rates_it() -> None:
    held = cases(2)
    items = items_of(SMALL, held, drafts(held, failed=("c0", OTHER)))
    (failed,) = [item for item in items if item.failed]
    assert (failed.case_id, failed.arms, failed.failed) == ("c0", (OTHER,), "no power")
    for plan in plans_of(SMALL, items):
        assert sorted(slot.item_id for slot in plan.slots) == sorted(item.id for item in items if not item.failed)


def test_calibration_comes_first_in_the_same_order_for_all() -> None:
    held = cases(3, calibration=2)
    chosen = SMALL.model_copy(update={"calibration_items": 2})
    items = items_of(chosen, held, drafts(held))
    calibration = [item.id for item in items if item.kind is ItemKind.CALIBRATION]
    plans = plans_of(chosen, items)
    assert [[slot.item_id for slot in plan.slots[:2]] for plan in plans] == [calibration] * 2
    assert [slot.number for slot in plans[0].slots] == list(range(1, 9))  # 3 cases, 2 arms, 2 for calibration
    assert plans_of(chosen, items) == plans


def test_guesses_are_of_main_items_as_many_of_each_arm() -> None:
    held = cases(4)
    chosen = SMALL.model_copy(update={"guess_items": 4})
    items = items_of(chosen, held, drafts(held))
    (plan, _) = plans_of(chosen, items)
    arms = {item.id: item.arms for item in items}
    guessed = [arms[plan.slots[number - 1].item_id] for number in plan.guesses]
    assert sorted(guessed) == sorted([(SYSTEM,), (SYSTEM,), (OTHER,), (OTHER,)])


def test_too_few_cases_and_no_item_at_all_are_refused() -> None:
    held = cases(1)
    with pytest.raises(InputError, match="2 calibration items are wanted, and 0 cases"):
        items_of(SMALL.model_copy(update={"calibration_items": 2}), held, drafts(held))
    with pytest.raises(InputError, match="No item can be rated"):
        plans_of(SMALL, [])
