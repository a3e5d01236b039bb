"""Two of a class of which one ends as the other begins are no pair taken together; what is stopped and only told of is none either."""

import pytest

from backend.container.container import Container
from backend.nlp.rules import RULES, rule_names
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity
from tests.verification.flags import said

HEAD = "Allergies: none known\n\nHPI: A 70-year-old man with atrial fibrillation."


def pairs(container: Container, note: str, *listed: str, draft: str = "") -> list[Flag]:
    request = DraftRequest(text=note, discharge_medicines=listed)
    sentences = (said(draft),) if draft else ()
    found, _ = container.safety.check(request, container.linker.link(note), (), sentences)
    return [flag for flag in found if flag.kind == "interaction" and flag.severity is not Severity.INFO]


@pytest.mark.parametrize(
    ("told", "listed"),
    [
        ("Changing from rivaroxaban to apixaban.", ("apixaban 5 mg BID",)),
        ("Heparin infusion stopped at 06:00; first dose apixaban 5 mg at 08:00.", ("apixaban 5 mg BID",)),
        ("He was on apixaban (last dose tonight). Plan: dalteparin from tomorrow.", ()),
        (
            "Dalteparin 15,000 units daily, then apixaban.",
            ("dalteparin 15,000 units OD until INR above 2", "apixaban 5 mg BID"),
        ),
    ],
)
def test_one_that_ends_as_the_other_begins_is_no_severe_pair(
    container: Container, told: str, listed: tuple[str, ...]
) -> None:
    assert [flag.message for flag in pairs(container, f"{HEAD} {told}", *listed)] == []


@pytest.mark.parametrize(
    "told",
    [
        "He takes rivaroxaban 20 mg daily and enoxaparin 40 mg daily for 28 days.",
        "He takes apixaban 5 mg BID and warfarin 5 mg daily.",
        "He takes apixaban 5 mg BID. Enoxaparin 40 mg daily until mobile.",
        "He takes apixaban 5 mg BID, last dose this morning. He takes enoxaparin 80 mg BID.",  # when it was last had
        "He takes apixaban and rivaroxaban. His lisinopril was changed to losartan.",  # another pair's transition
    ],
)
def test_two_that_run_side_by_side_stay_severe(container: Container, told: str) -> None:
    assert any(flag.severity is Severity.SEVERE for flag in pairs(container, f"{HEAD} {told}"))


def test_a_switch_between_what_needs_days_apart_is_still_told(container: Container) -> None:
    found = pairs(
        container, f"{HEAD} He takes lisinopril 10 mg. Lisinopril was switched to sacubitril/valsartan today."
    )
    assert any("angioedema" in flag.message for flag in found)


def test_what_the_record_has_as_stopped_is_no_offer_of_the_draft_that_tells_so(container: Container) -> None:
    note = f"{HEAD} Verapamil was stopped in 2022. He takes bisoprolol 5 mg daily."
    assert pairs(container, note, draft="Your verapamil was stopped in 2022.") == []


@pytest.mark.parametrize(
    ("told", "listed"),
    [
        ("Switched from rivaroxaban to apixaban.", ("rivaroxaban 20 mg daily", "apixaban 5 mg BID")),
        ("Enoxaparin in hospital only.", ("enoxaparin 40 mg daily", "apixaban 5 mg BID")),
    ],
)
def test_a_list_for_home_that_still_holds_both_is_severe(
    container: Container, told: str, listed: tuple[str, ...]
) -> None:
    assert any(flag.severity is Severity.SEVERE for flag in pairs(container, f"{HEAD} {told}", *listed))


@pytest.mark.parametrize(
    ("told", "warned"),
    [
        ("He finished a course of clarithromycin last week. He takes simvastatin 20 mg at night.", False),
        ("He finished a course of phenelzine last week. He takes sertraline 50 mg daily.", True),
        ("He takes clarithromycin 500 mg twice daily and simvastatin 20 mg at night.", True),
    ],
)
def test_a_finished_course_warns_only_where_it_acts_on(container: Container, told: str, warned: bool) -> None:
    assert bool(pairs(container, f"{HEAD} {told}")) is warned


def test_every_name_of_what_acts_on_is_a_medicine_or_class_of_the_knowledge(container: Container) -> None:
    names = {row.name for row in container.graph.concepts}
    assert [name for name in rule_names(RULES / "safety" / "lingering.txt") if name not in names] == []
