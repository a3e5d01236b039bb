"""Medicines by a way by which they must never be given: the examples of every row, and the care beside them that is right."""

import pytest

from backend.container.container import Container
from backend.knowledge.safety.rows.route_rows import RouteRow
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity


def found(container: Container, entry: str, who: str = "") -> list[tuple[Severity, str]]:
    """The flags of routes in a note that lists one medicine."""
    text = f"Allergies: none\n\nHPI: A 50-year-old woman{who}.\n\nMedications:\n- {entry}"
    flags, _ = container.safety.check(DraftRequest(text=text), container.linker.read(text), (), ())
    return [(one.severity, one.message) for one in flags if one.kind == "route"]


@pytest.fixture(scope="module")
def rows(container: Container) -> tuple[RouteRow, ...]:
    return container.starter.safety.routes


def test_every_row_flags_what_it_must_and_leaves_alone_what_it_must_not(
    container: Container, rows: tuple[RouteRow, ...]
) -> None:
    wrong = [
        f"{row.file}:{row.line} {entry!r} {'is silent' if wanted else 'is flagged'}"
        for row in rows
        for wanted, entries in ((True, row.yes), (False, row.no))
        for entry in entries
        if any(row.effect in message for _, message in found(container, entry)) is not wanted
        or (not wanted and found(container, entry))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("entry", "way"),
    [
        ("vincristine 2 mg intrathecally once", "into the spinal fluid"),
        ("potassium chloride 40 mmol IV push", "as a push into a vein"),
        ("promethazine 50 mg subcutaneously", "under the skin"),
    ],
)
def test_a_never_event_is_severe_and_says_by_which_way(container: Container, entry: str, way: str) -> None:
    ((severity, message),) = found(container, entry)
    assert severity is Severity.SEVERE and way in message


@pytest.mark.parametrize(("who", "flagged"), [(" with anaphylaxis", True), ("", False)])
def test_the_dose_for_the_muscle_into_a_vein_is_told_in_anaphylaxis(
    container: Container, who: str, flagged: bool
) -> None:
    assert bool(found(container, "epinephrine 0.5 mg IV once", who)) is flagged


@pytest.mark.parametrize(
    "entry",
    [
        "methotrexate 12 mg intrathecally weekly",
        "cytarabine 40 mg intrathecal",
        "morphine 3 mg epidural",
        "baclofen 100 mcg intrathecal daily",
        "bupivacaine 0.25% 10 mL epidural",
        "regular insulin 10 units IV once",
        "magnesium sulfate 2 g IV push",
        "furosemide 40 mg IV push",
        "adenosine 6 mg IV push",
        "calcium gluconate 1 g IV push",
        "potassium chloride 10 mEq IVPB",
        "BCG 50 mg intravesically weekly",
        "triamcinolone 40 mg intra-articular",
        "enoxaparin 30 mg IV once",
        "tranexamic acid 1 g by mouth three times daily",
    ],
)
def test_the_usual_ways_are_left_alone(container: Container, entry: str) -> None:
    assert found(container, entry) == []
