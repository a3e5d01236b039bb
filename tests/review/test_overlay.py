"""A clinician's work stays through every new draft of a letter."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.errors import InputError
from backend.review.case_content import NO_LONGER, deleted_by_person, edited_by_person, live, saved
from backend.review.overlay import NOTHING_THERE, overlaid
from backend.schemas.drafts.gaps import GAP
from backend.schemas.patients.letter_work import LetterContext
from backend.schemas.patients.saved_case import Edit, EditKind
from backend.schemas.vocabulary import Length
from tests.review.scripted_letter import PROBLEMS, REQUEST, ScriptedLetter, act, letter_of, texts

CONFIRM, OUT, CLEAR = EditKind.CONFIRM_CONDITION, EditKind.RULE_OUT_CONDITION, EditKind.CLEAR_CONDITION
CAN_FIT, FOUND = "What you felt can fit gout.", "Your team found that you have gout."


def test_a_sentence_of_the_same_words_keeps_its_id_and_its_check() -> None:
    letter = ScriptedLetter()
    opening = letter.live[0]
    letter.do(act(EditKind.CHECK, sentence=opening.id))
    letter.do(act(CONFIRM, concept_id="gout"))
    assert (letter.live[0].id, letter.live[0].text, letter.live[0].checked_by) == (opening.id, opening.text, "Dr Brand")
    assert not letter.live[0].changed


def test_a_sentence_that_reads_otherwise_keeps_its_id_is_marked_and_is_to_be_checked_again() -> None:
    letter = ScriptedLetter()
    before = letter.find("Keep your visits.")
    letter.do(act(EditKind.CHECK, sentence=before.id))
    letter.do(act(CONFIRM, concept_id="gout"), act(CONFIRM, concept_id="asthma"))
    gone = [s for s in letter.now.sentences if s.deleted]
    assert {s.deleted_reason for s in gone} == {NO_LONGER}
    # "What you felt can fit gout." has two words in common with "Your team found that you have gout.": too few
    assert CAN_FIT in texts(gone)
    new = letter.find(FOUND)
    assert (new.changed, new.checked_by, new.id in {s.id for s in letter.versions[0].sentences}) == (True, "", False)
    assert letter.find("Keep your visits.").checked_by == "Dr Brand"


def test_a_persons_words_stay_and_say_what_the_letter_now_has_there() -> None:
    letter = ScriptedLetter()
    mine = letter.find("Keep your visits.").id
    letter.do(act(EditKind.REPLACE, sentence=mine, text="Come back on Monday."))
    letter.do(act(EditKind.DELETE, sentence=letter.find(CAN_FIT).id))
    kept = letter.do(act(OUT, concept_id="asthma"))
    found = next(s for s in kept.sentences if s.id == mine)
    assert (found.text, found.outdated, found.deleted) == ("Come back on Monday.", "", False)


def test_a_persons_words_with_nothing_in_their_place_stay_marked_until_checked() -> None:
    letter = ScriptedLetter()
    mine = letter.find(CAN_FIT).id
    letter.do(act(EditKind.REPLACE, sentence=mine, text="Gout is what we think of."))
    letter.do(act(OUT, concept_id="gout"))
    found = next(s for s in letter.live if s.id == mine)
    assert (found.text, found.outdated) == ("Gout is what we think of.", NOTHING_THERE)
    letter.do(act(EditKind.CHECK, sentence=mine))
    letter.do(act(CONFIRM, concept_id="asthma"))
    found = next(s for s in letter.live if s.id == mine)
    assert (found.outdated, found.checked_by) == ("", "Dr Brand")


def test_what_a_person_took_out_stays_out_and_what_the_letter_lost_comes_back_with_its_id() -> None:
    letter = ScriptedLetter()
    mine, theirs = letter.find("Keep your visits.").id, letter.find(CAN_FIT).id
    letter.do(act(EditKind.DELETE, sentence=mine))
    letter.do(act(OUT, concept_id="gout"))
    assert theirs not in {s.id for s in letter.live}
    letter.do(act(CLEAR, concept_id="gout"))
    back = next(s for s in letter.live if s.id == theirs)
    assert (back.text, back.changed) == (CAN_FIT, True)
    assert mine not in {s.id for s in letter.live}


def test_a_filled_gap_stays_filled_by_its_prompt() -> None:
    letter = ScriptedLetter()
    letter.do(act(EditKind.FILL_GAP, gap="GAP1", text="Metformin alone."))
    letter.do(act(CONFIRM, concept_id="gout"))
    assert "Metformin alone." in texts(letter.live)
    assert not [s for s in letter.live if "team to complete" in s.text]


@pytest.mark.parametrize(("now", "same"), [("metformin 850 mg", True), ("warfarin", False)])
def test_what_is_asked_of_one_medicine_is_not_asked_of_another(now: str, same: bool) -> None:
    def asking(text: str, of: str) -> str:
        return f"{of}: {text}" if GAP.search(text) else text

    old, new = letter_of(REQUEST), letter_of(REQUEST)
    content, before = saved(old), "metformin 500 mg"
    mine = (
        s.model_copy(
            update={
                "text": asking(s.text, before),
                "origin": s.origin
                and s.origin.model_copy(update=dict.fromkeys(("text", "now"), asking(s.text, before))),
            }
        )
        for s in content.sentences
    )
    content = content.model_copy(update={"sentences": tuple(mine)})
    theirs = (s.model_copy(update={"text": asking(s.text, now)}) for s in new.sentences)
    new = new.model_copy(update={"sentences": tuple(theirs)})
    made = overlaid(content, old, new, content.sentences[0].written_by).content
    (was,) = (s.id for s in content.sentences if GAP.search(s.text))
    assert (was == next(s.id for s in live(made.sentences) if GAP.search(s.text))) is same


def test_a_sentence_that_a_person_added_stays_after_its_neighbour() -> None:
    letter = ScriptedLetter()
    after = letter.find("You came because you were short of breath.").id
    letter.do(act(EditKind.INSERT_AFTER, sentence=after, text="It had begun on Monday."))
    letter.do(act(CONFIRM, concept_id="asthma"))
    assert texts(letter.live)[:2] == ["You came because you were short of breath.", "It had begun on Monday."]


def test_words_that_an_undo_took_away_do_not_come_back_with_the_next_draft() -> None:
    letter = ScriptedLetter()
    letter.do(act(CONFIRM, concept_id="gout"))
    mine = letter.find(FOUND).id
    letter.do(act(EditKind.REPLACE, sentence=mine, text="It may be gout."), act(EditKind.RESTORE, to_version=1))
    letter.do(act(CONFIRM, concept_id="gout"))
    assert FOUND in texts(letter.live) and "It may be gout." not in texts(letter.live)


def test_an_undo_brings_back_all_of_a_version() -> None:
    letter = ScriptedLetter()
    letter.do(act(CONFIRM, concept_id="gout"))
    letter.do(act(EditKind.MEDICINE, medicine={"id": "M1", "name": "metformin", "action": "stopped"}))
    letter.do(act(EditKind.DETAILS, details={"patient_name": "Ann Example"}))
    letter.do(act(EditKind.RESTORE, to_version=1))
    assert letter.shown(5) == letter.shown(1)
    assert (letter.now.judgements, letter.now.details.patient_name, letter.request) == ((), "", letter.drafts[1][1])
    letter.do(act(EditKind.RESTORE, to_version=4))
    assert letter.shown(6) == letter.shown(4)
    assert [row.action for row in letter.shown(6).medicines] == ["stopped", "continue"]


@st.composite
def steps(draw: st.DrawFn) -> list[dict[str, Any]]:
    """What a person may do, with places that are taken modulo what there is."""
    one = st.one_of(
        st.builds(lambda at: {"kind": EditKind.REPLACE, "at": at}, st.integers(0, 40)),
        st.builds(lambda at: {"kind": EditKind.INSERT_AFTER, "at": at}, st.integers(0, 40)),
        st.builds(lambda at: {"kind": EditKind.DELETE, "at": at}, st.integers(0, 40)),
        st.builds(lambda at: {"kind": EditKind.CHECK, "at": at}, st.integers(0, 40)),
        st.builds(lambda at: {"kind": EditKind.RESTORE, "at": at}, st.integers(0, 40)),
        st.builds(
            lambda kind, concept: {"kind": kind, "concept_id": concept},
            st.sampled_from([CONFIRM, OUT, CLEAR, EditKind.LEAD_CONDITION]),
            st.sampled_from(PROBLEMS),
        ),
        st.builds(
            lambda length, course: {
                "kind": EditKind.CONTEXT,
                "context": LetterContext(length=length, hospital_course=course),
            },
            st.sampled_from(Length),
            st.sampled_from(["", "She was well."]),
        ),
        st.builds(
            lambda row, action: {
                "kind": EditKind.MEDICINE,
                "medicine": {"id": row, "name": row or "ibuprofen", "action": action},
            },
            st.sampled_from(["M1", "M2", "", "A1"]),
            st.sampled_from(["continue", "stopped", "new"]),
        ),
        st.builds(lambda: {"kind": EditKind.FILL_GAP, "gap": "GAP1"}),
    )
    return draw(st.lists(one, min_size=1, max_size=14))


def made_of(letter: ScriptedLetter, step: dict[str, Any], number: int) -> Edit | None:
    at = step.pop("at", None)
    if step["kind"] is EditKind.RESTORE:
        return act(EditKind.RESTORE, to_version=1 + at % len(letter.versions))
    if at is not None:
        if not letter.live:
            return None
        step["sentence"] = letter.live[at % len(letter.live)].id
    if step["kind"] in (EditKind.REPLACE, EditKind.INSERT_AFTER, EditKind.FILL_GAP):
        step["text"] = f"Word {number} of a person."
    return act(**step)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps())
def test_no_sequence_of_edits_new_drafts_and_undos_loses_a_persons_word(sequence: list[dict[str, Any]]) -> None:
    letter, typed = ScriptedLetter(), list[str]()
    for number, step in enumerate(sequence):
        edit = made_of(letter, dict(step), number)
        before = letter.now
        try:
            after = letter.do(edit) if edit is not None else before
        except InputError:
            assert letter.now is before
            continue
        if edit is None:
            continue
        if edit.text:
            typed.append(edit.text)
        ids = [s.id for s in after.sentences]
        assert len(set(ids)) == len(ids)
        assert {s.id for s in before.sentences} <= set(ids)
        assert all(int(name[1:]) < after.next_sentence for name in ids)
        held = {text for s in after.sentences for text in (s.text, *(e.text for e in s.earlier))}
        assert set(typed) <= held
        shown = letter.shown(len(letter.versions))
        assert all(shown.text[s.start_char : s.end_char] == s.text for s in shown.sentences)
        sections = [s.section for s in shown.sentences]
        assert all(a == b or b not in sections[: i + 1] for i, (a, b) in enumerate(pairwise(sections)))
        if edit.kind is EditKind.RESTORE:
            assert edit.to_version is not None
            then = letter.versions[edit.to_version - 1]
            assert letter.shown(len(letter.versions)) == letter.shown(edit.to_version)
            whole = ("judgements", "medicines", "details", "answers", "draft_number")
            assert all(getattr(after, name) == getattr(then, name) for name in whole)
            kept = [(s.id, s.checked_by, s.outdated, s.changed, s.origin) for s in after.sentences if not s.deleted]
            assert kept == [
                (s.id, s.checked_by, s.outdated, s.changed, s.origin) for s in then.sentences if not s.deleted
            ]
        elif edit.kind in (CONFIRM, OUT, CLEAR, EditKind.LEAD_CONDITION, EditKind.CONTEXT, EditKind.MEDICINE):
            now = {s.id: s for s in after.sentences}
            for s in before.sentences:
                if edited_by_person(s):
                    assert (now[s.id].text, now[s.id].deleted) == (s.text, s.deleted)
                if deleted_by_person(s):
                    assert now[s.id].deleted
                if s.checked_by and now[s.id].text != s.text:
                    assert not now[s.id].checked_by
