from datetime import UTC, datetime

import pytest

from backend.errors import InputError
from backend.review.case_content import live, saved
from backend.review.editing.edits import Edited, applied
from backend.schemas.patients.saved_case import Edit, EditKind, VersionContent, WriterKind
from backend.schemas.vocabulary import Basis, ConditionStatus, Support
from tests.review.sample import FOLLOW, HEART_FAILURE, MEDICINES, WHY, evidence, sample

AT = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
K = EditKind


def edit(kind: EditKind, sentence: int | str | None = None, text: str = "", **more: object) -> Edit:
    return Edit(kind=kind, sentence=sentence, text=text, author="Dr Brand", **more)


def run(*edits: Edit, content: VersionContent | None = None, past: tuple[VersionContent, ...] = ()) -> Edited:
    """The edits applied to the sample, or to a later content of it; past holds the versions before that."""
    now = content or saved(sample())
    history = (*past, now)
    return applied(now, edits, len(history), AT, evidence(), lambda v: history[v - 1])


def texts(made: Edited) -> list[str]:
    return [s.text for s in live(made.content.sentences)]


ORIGINAL = [s.text for s in sample().sentences]


def test_a_rewritten_sentence_is_a_persons_and_not_scored_with_the_reason() -> None:
    made = run(edit(K.REPLACE, 0, "You came because breathing was hard."))
    sentence = made.content.sentences[0]
    assert (sentence.support, sentence.support_score, sentence.reason) == (
        Support.NOT_SCORED,
        None,
        "edited by a person",
    )
    assert (sentence.written_by.kind, sentence.written_by.at) == (WriterKind.PERSON, AT)
    assert (sentence.basis, sentence.citations) == (Basis.PATIENT, ("N1",))
    assert made.changed == {"S1"}


def test_a_sentence_about_the_patient_that_no_longer_cites_a_note_becomes_general() -> None:
    sentence = run(edit(K.REPLACE, 0, "You were unwell.", citations=("P1",))).content.sentences[0]
    assert (sentence.basis, sentence.citations) == (Basis.GENERAL, ("P1",))


def test_a_citation_of_evidence_the_draft_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match=r"Edit 0 \(replace\): the draft has no evidence 'P9'"):
        run(edit(K.REPLACE, 0, "You were unwell.", citations=("P9",)))


def test_indexes_count_the_sentences_as_they_were_before_the_first_edit() -> None:
    made = run(edit(K.DELETE, 0), edit(K.REPLACE, 5, "Keep all visits."), edit(K.INSERT_AFTER, 4, "Call us."))
    assert texts(made) == [*ORIGINAL[1:5], "Call us.", "Keep all visits."]


def test_sentences_inserted_at_one_place_keep_the_order_they_were_sent_in() -> None:
    made = run(edit(K.INSERT_AFTER, 0, "First."), edit(K.INSERT_AFTER, 0, "Second."))
    assert texts(made)[:3] == [ORIGINAL[0], "First.", "Second."]
    assert [s.section for s in made.content.sentences[1:3]] == [WHY, WHY]


def test_an_insertion_without_a_sentence_goes_to_the_top_or_to_the_end_of_the_section_named() -> None:
    made = run(edit(K.INSERT_AFTER, text="Top."), edit(K.INSERT_AFTER, text="Walk.", section=MEDICINES))
    assert texts(made) == ["Top.", *ORIGINAL[:4], "Walk.", *ORIGINAL[4:]]


def test_an_id_is_never_given_twice_even_after_going_back() -> None:
    first = saved(sample())
    added = run(edit(K.INSERT_AFTER, 5, "One.")).content
    back = run(edit(K.RESTORE), content=added, past=(first,)).content
    again = run(edit(K.INSERT_AFTER, 5, "Two."), content=back, past=(first, added)).content
    assert {s.id: s.text for s in again.sentences if s.id in ("S7", "S8")} == {"S7": "One.", "S8": "Two."}


def test_a_noted_gap_is_one_the_team_must_complete() -> None:
    made = run(edit(K.NOTE_GAP, 5, "[date of the visit]"))
    sentence = made.content.sentences[6]
    assert (sentence.text, sentence.section) == ("[team to complete: date of the visit]", FOLLOW)
    assert sentence.reason == "a gap for the team, no statement"


def test_a_deleted_sentence_is_kept_and_can_be_brought_back_as_it_was() -> None:
    first = saved(sample())
    gone = run(edit(K.DELETE, 0))
    assert (gone.content.sentences[0].deleted, gone.content.sentences[0].deleted_reason) == (
        True,
        "deleted by a person",
    )
    back = run(edit(K.RESTORE, "S1"), content=gone.content, past=(first,))
    assert back.content.sentences == first.sentences


def test_restoring_a_sentence_takes_its_last_change_back_and_can_name_a_version() -> None:
    first = saved(sample())
    second = run(edit(K.REPLACE, 0, "Second.")).content
    third = run(edit(K.REPLACE, 0, "Third."), content=second, past=(first,)).content
    history = (first, second)
    assert texts(run(edit(K.RESTORE, 0), content=third, past=history))[0] == "Second."
    oldest = run(edit(K.RESTORE, 0, to_version=1), content=third, past=history).content.sentences[0]
    assert (oldest.text, oldest.support) == (ORIGINAL[0], Support.SUPPORTED)
    assert [e.text for e in oldest.earlier] == [ORIGINAL[0], "Second.", "Third."]


def test_a_sentence_that_never_changed_has_nothing_to_go_back_to() -> None:
    with pytest.raises(InputError, match="nothing different to go back to"):
        run(edit(K.RESTORE, 0))


def test_confirming_a_condition_takes_the_mark_possible_from_what_rests_on_it() -> None:
    made = run(edit(K.CONFIRM_CONDITION, concept_id=HEART_FAILURE))
    assert made.content.conditions[0].status == ConditionStatus.CONFIRMED
    message, advice = made.content.sentences[1], made.content.sentences[4]
    # the first cites N1, so it speaks of the patient; the second cites a passage alone
    assert (message.basis, message.condition_id) == (Basis.PATIENT, None)
    assert (advice.basis, advice.condition_id) == (Basis.GENERAL, None)
    assert texts(made) == ORIGINAL


def test_ruling_a_condition_out_takes_what_rests_on_it_and_confirming_it_brings_that_back() -> None:
    out = run(edit(K.RULE_OUT_CONDITION, sentence=1))
    assert texts(out) == [ORIGINAL[0], *ORIGINAL[2:4], ORIGINAL[5]]
    assert out.records[0].concept_id == HEART_FAILURE
    back = run(edit(K.CONFIRM_CONDITION, text=HEART_FAILURE), content=out.content, past=(saved(sample()),))
    assert texts(back) == ORIGINAL


def test_a_confirmed_condition_can_still_be_ruled_out() -> None:
    both = run(
        edit(K.CONFIRM_CONDITION, concept_id=HEART_FAILURE), edit(K.RULE_OUT_CONDITION, concept_id=HEART_FAILURE)
    )
    assert ORIGINAL[1] not in texts(both)
    assert both.content.conditions[0].status == ConditionStatus.RULED_OUT


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (edit(K.REPLACE, 6, "x"), "has 6 sentences, counted from 0; there is no 6"),
        (edit(K.REPLACE, "S40", "x"), "no sentence S40"),
        (edit(K.REPLACE, None, "x"), "name a sentence"),
        (edit(K.REPLACE, 0, "  \n "), "needs a text"),
        (edit(K.REPLACE, 0, ORIGINAL[0]), "already reads like this"),
        (edit(K.RESTORE), "version 1 has nothing before it"),
        (edit(K.RESTORE, to_version=9), "no version 9"),
        (edit(K.CONFIRM_CONDITION, concept_id="LN:nothing"), "one of the draft's conditions"),
        (edit(K.CONFIRM_CONDITION, sentence=0), "one of the draft's conditions"),
    ],
)
def test_an_edit_that_cannot_be_made_is_refused_in_words(wrong: Edit, words: str) -> None:
    with pytest.raises(InputError, match=words):
        run(wrong)


def test_a_refusal_never_repeats_what_was_typed() -> None:
    with pytest.raises(InputError) as refused:
        run(edit(K.REPLACE, 99, "Zebra words."))
    assert "Zebra" not in str(refused.value)


def test_a_deleted_sentence_cannot_be_rewritten() -> None:
    with pytest.raises(InputError, match=r"Edit 1 \(replace\): sentence S1 is deleted"):
        run(edit(K.DELETE, 0), edit(K.REPLACE, "S1", "x"))
