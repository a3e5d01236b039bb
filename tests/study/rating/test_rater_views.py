"""A rater's pages as values: keys instead of names, and nothing that tells who wrote."""

import pytest

from backend.schemas.studies.study_design import EvidenceShown
from backend.schemas.studies.study_rating import Phase
from backend.study.rating.rater_access import FrozenStudies, RaterAccess, rater_access_of, texts_of
from backend.study.rating.rater_views import (
    COMMENT,
    evidence_comes,
    item_view,
    key_of,
    question_view,
    session_view,
)
from tests.study.sample import GENERATOR, OTHER, SYSTEM, StudyWorld


def access(study_world: StudyWorld, **setup: object) -> RaterAccess:
    token = study_world.invite(study_world.frozen(**setup))
    with study_world.database.reading() as session:
        return rater_access_of(session, token, FrozenStudies())


def test_no_view_names_an_arm_a_system_an_instrument_or_the_study(study_world: StudyWorld) -> None:
    rater = access(study_world)
    shown = texts_of(rater, 1)
    whole = session_view(rater, "rating", 0, 1, paused=False).model_dump_json()
    whole += item_view(rater, shown, Phase.BLIND, (), complete=False, waits=False).model_dump_json()
    hidden = (SYSTEM, OTHER, GENERATOR, "ocelot", "reinrag-statements", "closing-comments", rater.study.setup.name)
    assert [name for name in hidden if name.lower() in whole.lower()] == []


def test_a_session_says_how_far_the_rater_is(study_world: StudyWorld) -> None:
    found = session_view(access(study_world), "rating", 2, 3, paused=True)
    assert (found.total, found.done, found.next_number, found.calibration, found.paused) == (7, 2, 3, 1, True)
    assert (found.stage, found.notice) == ("rating", "")
    assert [one.key for one in found.questions] == [f"q{n}" for n in range(1, len(found.questions) + 1)]


def test_sentences_of_a_draft_index_its_text(study_world: StudyWorld) -> None:
    rater = access(study_world)
    view = item_view(rater, texts_of(rater, 1), Phase.BLIND, (), complete=False, waits=False)
    assert [draft.part for draft in view.drafts] == ["A"]
    for draft in view.drafts:
        cut = [draft.text[span.start_char : span.end_char] for span in draft.sentences]
        assert len(cut) > 1
        assert all(one.strip() == one != "" for one in cut)


@pytest.mark.parametrize(
    ("evidence", "phase", "seen", "comes"),
    [
        (EvidenceShown.NEVER, Phase.BLIND, False, False),
        (EvidenceShown.ALWAYS, Phase.BLIND, True, False),
        (EvidenceShown.AFTER_FIRST, Phase.BLIND, False, True),
        (EvidenceShown.AFTER_FIRST, Phase.INFORMED, True, True),
    ],
)
def test_evidence_that_is_not_shown_is_not_sent(
    study_world: StudyWorld, evidence: EvidenceShown, phase: Phase, seen: bool, comes: bool
) -> None:
    rater = access(study_world, evidence=evidence)
    view = item_view(rater, texts_of(rater, 1), phase, (), complete=False, waits=False)
    assert [draft.evidence is not None for draft in view.drafts] == [seen]
    assert evidence_comes(rater) is comes


def test_a_name_has_the_key_of_its_session_and_one_that_is_not_asked_has_none(study_world: StudyWorld) -> None:
    rater = access(study_world)
    assert [key_of(rater, entry.name) for entry in rater.asked] == [entry.key for entry in rater.asked]
    assert key_of(rater, "comment/general") == COMMENT
    with pytest.raises(StopIteration):
        key_of(rater, "another/question")


def test_a_question_that_needs_what_the_item_lacks_leaves_only_cannot_judge(study_world: StudyWorld) -> None:
    entry = access(study_world).asked[0]
    needing = entry._replace(question=entry.question.model_copy(update={"needs_reference": True}))
    assert not question_view(needing).only_cannot_judge
    assert question_view(needing, reference=False).only_cannot_judge
    assert not question_view(entry, reference=False, evidence=False).only_cannot_judge
    assert (question_view(needing).key, question_view(needing).prompt) == (entry.key, entry.question.prompt)
