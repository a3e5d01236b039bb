"""What a personal link gives access to, and what is refused before it is time."""

import pytest
from sqlalchemy.orm import Session

from backend.errors import ConflictError, NotFoundError
from backend.schemas.studies.study_design import EvidenceShown
from backend.schemas.studies.study_rating import EventKind, Phase
from backend.study import records
from backend.study.rating import rater_access as module
from backend.study.rating.personal_links import LinkRefusedError
from backend.study.rating.rater_access import (
    KEPT,
    FrozenStudies,
    RaterAccess,
    calibration_count,
    check_not_finished,
    check_open,
    check_reachable,
    evidence_is_shown,
    is_calibration,
    items_with,
    phase_of,
    rater_access_of,
    texts_of,
)
from tests.study.sample import GENERATOR, OTHER, SYSTEM, StudyWorld


def access(study_world: StudyWorld, token: str) -> RaterAccess:
    with study_world.database.reading() as session:
        return rater_access_of(session, token, FrozenStudies())


def test_a_token_opens_the_place_of_its_rater_and_no_other_token_opens_any(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id, "R02")
    found = access(study_world, token)
    assert (found.study.study_id, found.rater_id, found.open) == (study_id, "R02", True)
    with pytest.raises(LinkRefusedError):
        access(study_world, token[:-1] + ("A" if token[-1] != "A" else "B"))


@pytest.mark.parametrize("number", [0, -1, 8])
def test_an_item_beyond_the_rater_s_own_is_refused(study_world: StudyWorld, number: int) -> None:
    found = access(study_world, study_world.invite(study_world.frozen()))
    assert [found.slot(n).number for n in (1, 7)] == [1, 7]  # a calibration item, and 3 cases of 2 arms
    with pytest.raises(NotFoundError, match="yours are 1 to 7"):
        found.slot(number)


def test_texts_shown_name_no_arm_system_or_model(study_world: StudyWorld) -> None:
    found = access(study_world, study_world.invite(study_world.frozen()))
    for number in range(1, 8):
        shown = texts_of(found, number)
        assert len(shown.texts) == len(shown.evidence) == 1
        said = " ".join((*shown.texts, *(text for one in shown.evidence for text in one))).lower()
        assert [name for name in (SYSTEM, OTHER, "quokka 9", GENERATOR, "ocelot") if name.lower() in said] == []
        assert shown.case.id in said  # the drafts of this case


def test_the_calibration_items_come_first_and_are_complete_before_others(study_world: StudyWorld) -> None:
    token = study_world.invite(study_world.frozen())
    found = access(study_world, token)
    assert calibration_count(found) == 1
    assert [is_calibration(found, n) for n in range(1, 8)] == [True] + [False] * 6
    with study_world.database.reading() as session:
        check_reachable(session, found, 1)
        with pytest.raises(ConflictError, match="item 1 is not complete yet"):
            check_reachable(session, found, 2)
    study_world.rate(token, 1)
    with study_world.database.reading() as session:
        check_reachable(session, found, 2)
        assert items_with(session, found, EventKind.COMPLETED) == {found.slot(1).item_id}


def test_nothing_is_reached_before_the_rater_has_said_who_they_are(study_world: StudyWorld) -> None:
    found = access(study_world, study_world.invite(study_world.frozen(), profile=False))
    with study_world.database.reading() as session, pytest.raises(ConflictError, match="Tell first who you are"):
        check_reachable(session, found, 1)


def test_a_closed_study_and_a_finished_rater_take_no_answer(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    found = access(study_world, token)
    check_open(found)
    with study_world.database.reading() as session:
        check_not_finished(session, found)
    study_world.studies.close(study_id, "Ada")
    with pytest.raises(ConflictError, match="closed"):
        check_open(access(study_world, token))


@pytest.mark.parametrize(
    ("evidence", "phase", "seen"),
    [
        (EvidenceShown.NEVER, Phase.BLIND, False),
        (EvidenceShown.ALWAYS, Phase.BLIND, True),
        (EvidenceShown.AFTER_FIRST, Phase.INFORMED, True),
    ],
)
def test_a_second_rating_exists_only_where_the_evidence_comes_after_a_first(
    study_world: StudyWorld, evidence: EvidenceShown, phase: Phase, seen: bool
) -> None:
    found = access(study_world, study_world.invite(study_world.frozen(evidence=evidence)))
    assert phase_of(found, "i", {"i"}) is phase
    assert phase_of(found, "i", set()) is Phase.BLIND
    assert evidence_is_shown(found, phase) is seen


def test_a_frozen_study_is_read_once_and_the_oldest_of_many_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def frozen_of(session: Session, study_id: str) -> str:
        read.append(study_id)
        return study_id

    monkeypatch.setattr(module.records, "frozen_of", frozen_of)
    held, session = FrozenStudies(), None
    names = [f"s{n}" for n in range(KEPT + 1)]
    for name in (*names, names[-1], names[1], names[0]):
        held.of(session, name)  # type: ignore[arg-type]
    assert read == [*names, names[0]]
    assert records is module.records
