"""What a clinician says of a letter beside its sentences: verdicts, corrections, medicines, answers, details, context."""

from typing import Any

import pytest

from backend.errors import InputError
from backend.registry import FLAG_KINDS
from backend.review.editing.letter_edits import check_answer, to_draft, with_judgements
from backend.review.signing import blocks_of, progress_of
from backend.schemas.corrections import Correction, CorrectionKind
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.note import Mention
from backend.schemas.patients.letter_work import FLAG_ANSWERS, FlagAnswer, Judgement, LetterContext, Verdict
from backend.schemas.patients.saved_case import EditKind
from backend.schemas.vocabulary import Assertion, Category, SemanticGroup, Severity
from tests.review.sample import NOTE, Watch
from tests.review.scripted_letter import REQUEST, ScriptedLetter, act, letter_of, texts

LISINOPRIL = {"id": "", "name": "lisinopril", "action": "new", "dose": "10 mg", "timing": "once a day"}


def at(words: str, kind: CorrectionKind = CorrectionKind.ABSENT) -> Correction:
    start = NOTE.index(words)
    return Correction(start_char=start, end_char=start + len(words), text=words, kind=kind)


def test_a_verdict_changes_the_request_and_the_letter_follows() -> None:
    letter = ScriptedLetter()
    letter.do(act(EditKind.CONFIRM_CONDITION, concept_id="gout"), act(EditKind.RULE_OUT_CONDITION, concept_id="asthma"))
    assert letter.request.confirmed_conditions == ("gout",)
    assert letter.request.ruled_out_conditions == ("asthma",)
    assert "Your team found that you have gout." in texts(letter.live)
    assert {j.concept_id: j.verdict for j in letter.now.judgements} == {"gout": "confirmed", "asthma": "ruled_out"}
    letter.do(act(EditKind.CLEAR_CONDITION, concept_id="gout"))
    assert letter.request.confirmed_conditions == ()
    with pytest.raises(InputError, match="nobody has judged"):
        letter.do(act(EditKind.CLEAR_CONDITION, concept_id="gout"))


def test_of_two_that_lead_one_after_the_other_the_first_stays_confirmed() -> None:
    letter = ScriptedLetter()
    letter.do(act(EditKind.LEAD_CONDITION, concept_id="gout"))
    letter.do(act(EditKind.LEAD_CONDITION, concept_id="asthma"))
    assert letter.request.leading_condition == "asthma"
    assert set(letter.request.confirmed_conditions) == {"gout", "asthma"}


def test_a_past_condition_is_corrected_as_past_where_the_note_has_it_and_else_ruled_out() -> None:
    start = NOTE.index("short of breath")
    mention = Mention(
        start_char=start, end_char=start + 15, text="short of breath", concept_id="gout", name="gout",
        group=SemanticGroup.DISO, category=Category.DISEASE, assertion=Assertion.PRESENT, score=1.0,
    )  # fmt: skip
    draft = letter_of(REQUEST)
    named = draft.model_copy(update={"note": draft.note.model_copy(update={"mentions": (mention,)})})
    judged = [Judgement(concept_id=one, verdict=Verdict.PAST) for one in ("gout", "asthma")]
    asked = to_draft(with_judgements(REQUEST, judged), judged, named)
    assert [(c.text, c.kind) for c in asked.corrections] == [("short of breath", CorrectionKind.PAST)]
    assert asked.ruled_out_conditions == ("asthma",)


def test_a_correction_of_the_same_words_replaces_the_one_before_and_can_be_taken_back() -> None:
    letter = ScriptedLetter()
    letter.do(act(EditKind.CORRECT, correction=at("short of breath")))
    letter.do(act(EditKind.CORRECT, correction=at("short of breath", CorrectionKind.PAST)))
    assert [(c.kind, c.author) for c in letter.request.corrections] == [(CorrectionKind.PAST, "Dr Brand")]
    letter.do(act(EditKind.UNCORRECT, correction=at("short of breath")))
    assert letter.request.corrections == ()
    with pytest.raises(InputError, match="nothing is corrected"):
        letter.do(act(EditKind.UNCORRECT, correction=at("short of breath")))
    wrong = at("short of breath").model_copy(update={"text": "long of breath!"})
    with pytest.raises(InputError, match="other words at this place"):
        letter.do(act(EditKind.CORRECT, correction=wrong))


def test_a_row_of_the_medicines_stands_through_new_drafts_and_its_sentence_follows() -> None:
    letter = ScriptedLetter()
    letter.do(
        act(EditKind.MEDICINE, medicine={"id": "M2", "name": "aspirin", "action": "stopped", "reason": "bleeding"})
    )
    assert {"Keep taking: metformin 500 mg.", "Stop taking: aspirin because of bleeding."} <= set(texts(letter.live))
    letter.do(act(EditKind.CONFIRM_CONDITION, concept_id="gout"))
    assert [(row.name, row.action, row.source) for row in letter.shown(3).medicines] == [
        ("metformin", "continue", "the note"),
        ("aspirin", "stopped", "a clinician"),
    ]
    assert "Stop taking: aspirin because of bleeding." in texts(letter.live)


def test_a_row_that_a_person_adds_is_checked_against_the_allergies_at_once() -> None:
    letter = ScriptedLetter()
    letter.do(act(EditKind.MEDICINE, medicine=LISINOPRIL))
    assert (letter.now.flags[0].kind, letter.now.flags[0].severity) == ("allergy_conflict", "severe")
    assert "New: lisinopril 10 mg, once a day." in texts(letter.live)
    row = letter.shown(2).medicines[-1]
    letter.do(act(EditKind.MEDICINE, medicine={**LISINOPRIL, "id": row.id, "removed": True}))
    assert "lisinopril" not in {one.name for one in letter.shown(3).medicines}
    assert [f.kind for f in letter.now.flags] == []
    letter.do(act(EditKind.MEDICINE, medicine={**LISINOPRIL, "id": row.id}))
    assert letter.shown(4).medicines[-1].name == "lisinopril"


def test_another_sentence_that_tells_the_dose_of_a_changed_medicine_is_to_be_read_again() -> None:
    letter = ScriptedLetter()
    letter.do(act(EditKind.INSERT_AFTER, sentence="S1", text="You take metformin 500 mg at breakfast."))
    letter.do(act(EditKind.MEDICINE, medicine={"id": "M1", "name": "metformin", "action": "changed", "dose": "1 g"}))
    told = next(s for s in letter.live if "breakfast" in s.text)
    assert told.outdated.startswith("The medicines table was changed")
    assert ("unchecked_required", told.id) in [(b.kind, b.id) for b in blocks_of(letter.now)]
    letter.do(act(EditKind.CHECK, sentence=told.id))
    assert "unchecked_required" not in [b.kind for b in blocks_of(letter.now)]


def test_an_answer_to_an_alert_is_of_the_list_has_a_name_and_goes_with_the_alert() -> None:
    letter = ScriptedLetter()
    letter.do(act(EditKind.REPLACE, sentence="S1", text="Take lisinopril."))
    (flag,) = letter.now.flags
    for answer, reason in (
        ({"code": "because", "words": "I say so"}, "no answer to an alert"),
        ({"code": "other", "words": "…"}, "needs a few words"),
    ):
        with pytest.raises(InputError, match=reason):
            letter.do(act(EditKind.ANSWER_FLAG, flag=flag.id, answer=answer))
    with pytest.raises(InputError, match="needs the name"):
        letter.do(act(EditKind.ANSWER_FLAG, flag=flag.id, answer={"code": "benefit"}, author="not given"))
    assert progress_of(letter.now).open_severe == 1
    letter.do(act(EditKind.ANSWER_FLAG, flag=flag.id, answer={"code": "benefit"}))
    assert (progress_of(letter.now).open_severe, letter.now.answers[0].name) == (0, "Dr Brand")
    letter.do(act(EditKind.CHECK, sentence="S2"))
    assert progress_of(letter.now).open_severe == 0
    letter.do(act(EditKind.REPLACE, sentence="S1", text="Take lisinopril at night."))
    assert progress_of(letter.now).open_severe == 1, "the words it was an answer to are others now"


def test_each_answer_of_the_list_has_its_own_code() -> None:
    codes = [one.code for one in FLAG_ANSWERS]
    assert len(set(codes)) == len(codes) and all(one.label for one in FLAG_ANSWERS)


def flag_of(kind: str) -> Flag:
    return Flag(kind=kind, severity=Severity.SEVERE, message="m")


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("allergy_conflict", "dose_checked"),
        ("interaction", "dose_checked"),
        ("interaction", "tolerated"),
        ("reading", "benefit"),
        ("allergy_disagreement", "monitored"),
        ("negated_asserted", "tolerated"),
    ],
)
def test_an_answer_fits_the_kind_of_its_alert(kind: str, code: str) -> None:
    with pytest.raises(InputError, match="does not fit this alert"):
        check_answer(FlagAnswer(code=code, words="seen in the clinic"), flag_of(kind))
    own = next(one.fits for one in FLAG_ANSWERS if one.code == code)
    check_answer(FlagAnswer(code=code), flag_of(own[0]))


def test_every_kind_that_an_answer_names_is_one_and_every_alert_has_answers() -> None:
    named = {kind for one in FLAG_ANSWERS for kind in one.fits}
    assert named and named <= set(FLAG_KINDS.names())
    assert any(not one.fits for one in FLAG_ANSWERS)


@pytest.mark.parametrize("words", ["", "x", "ok", "OK ok ok", "n/a", "fine", "12345678", "aaaaaaaaaa"])
def test_a_reason_of_no_content_is_refused(words: str) -> None:
    for code in ("other", "asked", "not_this_patient"):
        with pytest.raises(InputError, match="say why"):
            check_answer(FlagAnswer(code=code, words=words), flag_of("allergy_conflict"))


@pytest.mark.parametrize("words", ["desensitised in May", "Palliative", "it was a side effect", "tolerado en marzo"])
def test_a_reason_in_words_is_taken(words: str) -> None:
    for code in ("other", "asked", "not_this_patient"):
        check_answer(FlagAnswer(code=code, words=words), flag_of("allergy_conflict"))


def test_a_context_is_drafted_from_and_what_it_does_not_name_stays() -> None:
    letter = ScriptedLetter()
    letter.do(act(EditKind.CONTEXT, context=LetterContext(hospital_course="She was well.")))
    assert progress_of(letter.now).required_gaps == 0
    letter.do(act(EditKind.CONTEXT, context={"length": "full"}))
    assert (letter.request.hospital_course, letter.request.length) == ("She was well.", "full")
    assert "Keep all of your visits, and bring this letter." in texts(letter.live)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (EditKind.DELETE, {"sentence": "S7"}),
        (EditKind.REPLACE, {"sentence": "S7", "text": "–"}),
        (EditKind.FILL_GAP, {"gap": "GAP1", "text": "…"}),
    ],
)
def test_a_required_gap_can_be_neither_deleted_nor_emptied(kind: EditKind, fields: dict[str, str]) -> None:
    letter = ScriptedLetter()
    assert letter.find("[team to complete: which medicines to take]").id == "S7"
    with pytest.raises(InputError, match=r"fill it|needs an answer in words"):
        letter.do(act(kind, **fields))
    letter.do(act(EditKind.FILL_GAP, gap="GAP1", text="Metformin alone."))
    with pytest.raises(InputError, match="fill it"):
        letter.do(act(EditKind.DELETE, sentence="S7"))


def test_a_required_gap_that_is_not_needed_goes_with_its_reason_and_stays_away() -> None:
    letter = ScriptedLetter()
    for given in ({"text": "n/a"}, {"text": "."}):
        with pytest.raises(InputError, match="few words"):
            letter.do(act(EditKind.FILL_GAP, gap="GAP1", not_needed=True, **given))
    letter.do(act(EditKind.FILL_GAP, gap="GAP1", not_needed=True, text="she takes her own list home"))
    assert progress_of(letter.now).required_gaps == 0 and "gap" not in [b.kind for b in blocks_of(letter.now)]
    gone = next(s for s in letter.now.sentences if s.id == "S7")
    assert gone.deleted_reason == "not needed: she takes her own list home"
    letter.do(act(EditKind.CONFIRM_CONDITION, concept_id="gout"))
    assert "S7" not in [s.id for s in letter.live], "the new draft asks again what was answered"
    letter.do(act(EditKind.RESTORE, sentence="S7"))
    assert progress_of(letter.now).required_gaps == 1


def test_a_letter_without_its_request_says_that_it_cannot_follow() -> None:
    letter = ScriptedLetter()
    letter.drafts[1] = (letter.drafts[1][0], None)
    for edit in (
        act(EditKind.CORRECT, correction=at("short of breath")),
        act(EditKind.PAST_CONDITION, concept_id="gout"),
        act(EditKind.CONTEXT, context={"length": "full"}),
    ):
        with pytest.raises(InputError, match="saved without what it was drafted from"):
            letter.do(edit)
    letter.do(act(EditKind.CONFIRM_CONDITION, concept_id="gout"))
    assert not [s for s in letter.live if s.condition_id == "gout"], "its sentences no longer rest on a possibility"


def test_a_new_draft_that_nobody_has_worked_on_is_not_checked_twice_and_one_that_was_worked_on_is_checked_whole() -> (
    None
):
    letter, asked = ScriptedLetter(), []

    class Asked(Watch):
        def check(self, *given: Any) -> Any:
            asked.append(given)
            return super().check(*given)

    letter.checkers = letter.checkers._replace(safety=Asked())
    letter.do(act(EditKind.CONFIRM_CONDITION, concept_id="gout"))
    assert (asked, letter.now.text) == ([], letter.drafts[2][0].text)
    assert letter.now.flags == () and letter.now.readability == letter.drafts[2][0].readability
    gone = letter.find("What you felt can fit gout.")
    assert (gone.deleted, gone.start_char, gone.end_char) == (True, 0, 0)
    letter.do(act(EditKind.REPLACE, sentence="S1", text="Take lisinopril."))
    letter.do(act(EditKind.CLEAR_CONDITION, concept_id="gout"))
    assert len(asked) == 2
    assert [flag.kind for flag in letter.now.flags] == ["allergy_conflict"]
