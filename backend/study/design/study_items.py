"""What is rated: the items of a study, and each rater's plan of them. By seed; the same cases give the same plan."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from backend.errors import InputError
from backend.schemas.canonical_json import order_key
from backend.schemas.studies.study_design import CaseRole, StudyCase, StudySetup
from backend.schemas.studies.study_frozen import (
    BlindedDraft,
    DraftMade,
    ItemKind,
    PlantedError,
    RaterPlan,
    Slot,
    StudyItem,
)
from backend.schemas.studies.study_instrument import Design
from backend.study.design.assignment import assigned, ordered, sides
from backend.study.design.planting import planted

Drafts = Mapping[tuple[str, str], BlindedDraft]


def items_of(setup: StudySetup, cases: Sequence[StudyCase], drafts: Drafts) -> tuple[StudyItem, ...]:
    """Main items of rated cases, then calibration, then attention. A failed draft makes its item failed, with the reason.

    Raises InputError when there are too few cases for calibration or attention.
    """
    arms = [arm.id for arm in setup.arms]
    made: list[tuple[ItemKind, str, tuple[str, ...], PlantedError | None]] = []
    for case in _of(cases, CaseRole.RATED):
        made += [(ItemKind.MAIN, case.id, chosen, None) for chosen in compared(setup.design, arms)]
    calibration = list(_calibration(setup, cases, drafts))
    made += [(ItemKind.CALIBRATION, case, chosen, None) for case, chosen in calibration]
    made += [
        (ItemKind.ATTENTION, case, chosen, error)
        for case, chosen, error in _attention(setup, cases, drafts, dict(calibration))
    ]
    return tuple(
        StudyItem(
            id=f"I{n:04}",
            kind=kind,
            case_id=case,
            arms=chosen,
            planted=error,
            failed=_why_failed(case, chosen, drafts),
        )
        for n, (kind, case, chosen, error) in enumerate(made, 1)
    )


def compared(design: Design, arms: Sequence[str]) -> list[tuple[str, ...]]:
    """What is shown at once of one case: each arm, each pair, or all arms."""
    match design:
        case Design.SINGLE:
            return [(arm,) for arm in arms]
        case Design.PAIRWISE:
            return list(combinations(arms, 2))
        case Design.RANKING:
            return [tuple(arms)]


def plans_of(setup: StudySetup, items: Sequence[StudyItem]) -> tuple[RaterPlan, ...]:
    """Every rater's items in order: calibration first, the same for all; then main and attention items, mixed.

    Raises:
        InputError: no item can be rated.
    """
    raters = [f"R{n:02}" for n in range(1, setup.raters + 1)]
    main = {item.id: item.case_id for item in items if item.kind == ItemKind.MAIN and not item.failed}
    if not main:
        raise InputError("No item can be rated: every draft failed, or there is no case. See: study status")
    given = assigned(main, raters, setup.overlap, setup.seed)
    for_all = [item for item in items if item.kind != ItemKind.MAIN]
    by_id = {item.id: item for item in items}
    plans = []
    for rater in raters:
        mine = {item: case for item, case in main.items() if rater in given[item]}
        mine |= {item.id: item.case_id for item in for_all}
        first = [item.id for item in for_all if item.kind == ItemKind.CALIBRATION]
        found = ordered(mine, rater, setup.seed, setup.spacing, first)
        shown = sides({item: by_id[item].arms for item in mine}, rater, setup.seed)
        slots = tuple(Slot(number=n, item_id=item, shown=shown[item]) for n, item in enumerate(found.items, 1))
        arms = [arm.id for arm in setup.arms]
        plans.append(
            RaterPlan(
                rater_id=rater,
                slots=slots,
                spacing=found.spacing,
                guesses=_guesses(setup, slots, by_id, rater),
                guess_order=_permuted(arms, setup.seed, "guess", rater),
                closing_order=_permuted(arms, setup.seed, "closing", rater),
            )
        )
    return tuple(plans)


def _guesses(setup: StudySetup, slots: Sequence[Slot], items: Mapping[str, StudyItem], rater: str) -> tuple[int, ...]:
    """Main items to guess at the end: as many of each comparison as of any other, drawn by seed."""
    groups: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for slot in sorted(slots, key=lambda s: order_key(setup.seed, "guess", rater, s.item_id)):
        if items[slot.item_id].kind == ItemKind.MAIN:
            groups[items[slot.item_id].arms].append(slot.number)
    size = max((len(arms) for arms in groups), default=1)
    each = setup.guess_items // size // max(len(groups), 1)
    return tuple(sorted(number for found in groups.values() for number in found[:each]))


def _permuted(arms: Sequence[str], seed: int, what: str, rater: str) -> tuple[str, ...]:
    return tuple(sorted(arms, key=lambda arm: order_key(seed, what, rater, arm)))


def _of(cases: Sequence[StudyCase], role: CaseRole) -> list[StudyCase]:
    return sorted((case for case in cases if case.role == role), key=lambda case: case.id)


def _whole(case: str, arms: Sequence[str], drafts: Drafts) -> bool:
    return not _why_failed(case, arms, drafts)


def _why_failed(case: str, arms: Sequence[str], drafts: Drafts) -> str:
    reasons = [drafts[case, arm].reason for arm in arms if drafts[case, arm].status == DraftMade.FAILED]
    return "; ".join(reasons)


def _calibration(
    setup: StudySetup, cases: Sequence[StudyCase], drafts: Drafts
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """One item a calibration case, the arms in turn.

    Yields:
        The case and its arms.

    Raises:
        InputError: the cases are too few.
    """
    choices = compared(setup.design, [arm.id for arm in setup.arms])
    done = 0
    for case in _of(cases, CaseRole.CALIBRATION):
        if done == setup.calibration_items:
            return
        turned = choices[done % len(choices) :] + choices[: done % len(choices)]
        usable = [chosen for chosen in turned if _whole(case.id, chosen, drafts)]
        if usable:
            done += 1
            yield case.id, usable[0]
    if done < setup.calibration_items:
        raise InputError(
            f"{setup.calibration_items} calibration items are wanted, and {done} cases can give one. "
            "Mark more cases with the role 'calibration', or lower calibration_items."
        )


def _attention(
    setup: StudySetup, cases: Sequence[StudyCase], drafts: Drafts, used: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, tuple[str, ...], PlantedError]]:
    """Planted errors in drafts of attention cases; with single drafts also in the other arms of calibration cases.

    Yields:
        The case, its arms, and the error.

    Raises:
        InputError: the cases are too few.
    """
    choices = compared(setup.design, [arm.id for arm in setup.arms])
    pool = [(case.id, choices) for case in _of(cases, CaseRole.ATTENTION)]
    if setup.design == Design.SINGLE:
        pool += [(case, [c for c in choices if c != chosen]) for case, chosen in used.items()]
    errors: frozenset[str] = frozenset()
    done = 0
    for case, possible in pool:
        if done == setup.attention_checks:
            return
        turned = possible[done % len(possible) :] + possible[: done % len(possible)]
        usable = [chosen for chosen in turned if _whole(case, chosen, drafts)]
        if usable:
            arm = min(usable[0], key=lambda name: order_key(setup.seed, "planted", case, name))
            error = planted(drafts[case, arm], setup.seed, errors)
            errors |= {error.error_id}
            done += 1
            yield case, usable[0], error
    if done < setup.attention_checks:
        raise InputError(
            f"{setup.attention_checks} attention checks are wanted, and {done} cases can give one. "
            "Mark cases with the role 'attention', or lower attention_checks."
        )
