import sqlite3
import threading
from pathlib import Path

import pytest

from backend.errors import ConflictError, InputError, NotFoundError
from backend.review.case_records import StaleVersionError
from backend.review.saved_cases import Cases
from backend.review.signing import SignatureRefusedError, SignedError
from backend.schemas.patients.letter_details import LetterDetails
from backend.schemas.patients.saved_case import (
    AuditAction,
    CaseState,
    CaseView,
    Edit,
    EditKind,
    EditsRequest,
    SaveRequest,
    SignatureRequest,
    WriterKind,
)
from backend.stores.database.database import Database
from tests.review.sample import NOT_RECOGNISED, TEXT, sample
from tests.review.steps import completed, reopened, replace, signature


def edits(version: int, *made: Edit) -> EditsRequest:
    return EditsRequest(version=version, edits=made)


def test_a_saved_draft_is_version_1_in_state_draft_and_reads_as_it_was_sent(cases: Cases, draft_case: CaseView) -> None:
    assert (draft_case.version, draft_case.state, draft_case.newest) == (1, CaseState.DRAFT, 1)
    assert draft_case.draft == sample()
    assert draft_case.draft.text == TEXT
    assert {s.written_by.kind for s in draft_case.sentences} == {WriterKind.COMPOSER}
    assert cases.view(draft_case.id) == draft_case


def test_a_saved_letter_has_the_details_it_came_with_and_those_of_the_lines_over_its_note(cases: Cases) -> None:
    draft = sample()
    note = draft.note.model_copy(update={"text": f"Name: Ada Byron  MRN: 7741903\n{draft.note.text}"})
    given = LetterDetails(patient_name="Ada King")
    case = cases.save(SaveRequest(draft=draft.model_copy(update={"note": note}), author="Dr Ames", details=given))
    assert (case.details.patient_name, case.details.record_number) == ("Ada King", "7741903")
    assert [one.id for one in cases.page(10, words="7741903").cases] == [case.id]


def test_a_draft_of_a_language_model_says_which_model_wrote_each_sentence(cases: Cases) -> None:
    by_model = sample().generator.model_copy(update={"name": "vllm:med-7b"})
    case = cases.save(SaveRequest(label="x", draft=sample(generator=by_model), author="Dr Ames"))
    assert (case.sentences[0].written_by.kind, case.sentences[0].written_by.name) == (WriterKind.MODEL, "vllm:med-7b")


def test_a_draft_whose_sentences_are_not_what_its_text_says_is_refused(cases: Cases) -> None:
    with pytest.raises(InputError, match="sentence 0 is not what its text has"):
        cases.save(SaveRequest(label="x", draft=sample(text="!" + TEXT), author="Dr Ames"))


def test_an_edit_makes_a_new_version_in_review_and_keeps_the_earlier_text_and_its_writer(
    cases: Cases, draft_case: CaseView
) -> None:
    after = cases.edit(draft_case.id, edits(1, replace(0, "You came because breathing was hard.")))
    sentence = after.sentences[0]
    assert (after.version, after.state) == (2, CaseState.IN_REVIEW)
    assert (sentence.written_by.kind, sentence.written_by.name, sentence.written_by.version) == (
        "person",
        "Dr Brand",
        2,
    )
    assert [(e.text, e.written_by.kind, e.last_version) for e in sentence.earlier] == [
        ("You came because you were short of breath.", "composer", 1)
    ]
    assert after.edits[0].earlier_text == "You came because you were short of breath."
    assert after.draft.text == TEXT.replace("you were short of breath", "breathing was hard")
    for s in after.draft.sentences:
        assert after.draft.text[s.start_char : s.end_char] == s.text
    assert [v.state for v in after.versions] == [CaseState.SUPERSEDED, CaseState.IN_REVIEW]


def test_an_earlier_version_can_still_be_looked_at_and_is_superseded(cases: Cases, draft_case: CaseView) -> None:
    completed(cases, draft_case)
    old = cases.view(draft_case.id, 1)
    assert (old.draft, old.state, old.newest) == (sample(), CaseState.SUPERSEDED, 2)


def test_a_stale_edit_is_refused_with_what_changed_and_changes_nothing(cases: Cases, draft_case: CaseView) -> None:
    cases.edit(draft_case.id, edits(1, replace(0, "Secret words.")))
    with pytest.raises(
        StaleVersionError, match=r"the case is at version 2.*version 2: replace S1 by Dr Brand"
    ) as refused:
        cases.edit(draft_case.id, edits(1, replace(5, "Come back.")))
    assert [(e.version, e.sentence) for e in refused.value.changed] == [(2, "S1")]
    assert "Secret" not in str(refused.value)
    assert cases.view(draft_case.id).version == 2


def test_an_edit_of_a_version_that_does_not_exist_yet_is_refused(cases: Cases, draft_case: CaseView) -> None:
    with pytest.raises(NotFoundError, match="no version 7; the newest is 1"):
        cases.edit(draft_case.id, edits(7, replace(0, "a")))


def test_of_many_writers_of_one_version_one_wins_and_the_others_are_told(cases: Cases, draft_case: CaseView) -> None:
    start, outcomes = threading.Barrier(8), list[str]()

    def write(who: int) -> None:
        start.wait()
        try:
            cases.edit(draft_case.id, edits(1, replace(0, f"Writer {who}.")))
            outcomes.append("won")
        except ConflictError:
            outcomes.append("refused")

    threads = [threading.Thread(target=write, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused"] * 7 + ["won"]
    assert (cases.view(draft_case.id).version, len(cases.view(draft_case.id).edits)) == (2, 1)


def test_an_edit_that_was_read_before_a_signature_does_not_slip_past_it(
    cases: Cases, draft_case: CaseView, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = completed(cases, draft_case)
    read = Cases._edited

    def slow(self: Cases, case_id: str, request: EditsRequest, now: object) -> object:
        made = read(self, case_id, request, now)  # type: ignore[arg-type]
        cases.sign(draft_case.id, signature(full))  # another signs between this writer's reading and writing
        return made

    monkeypatch.setattr(Cases, "_edited", slow)
    with pytest.raises(ConflictError, match="signed by another a moment ago"):
        cases.edit(draft_case.id, edits(2, replace(0, "Late.")))
    assert cases.view(draft_case.id).state == CaseState.SIGNED


def test_undo_is_a_new_version_that_reads_like_the_old_one(cases: Cases, draft_case: CaseView) -> None:
    added = Edit(kind=EditKind.INSERT_AFTER, sentence=5, text="Ask us anything.", author="Dr Brand")
    gone = Edit(kind=EditKind.DELETE, sentence=4, author="Dr Brand")
    cases.edit(draft_case.id, edits(1, replace(0, "Other words."), added, gone))
    back = cases.edit(draft_case.id, edits(2, Edit(kind=EditKind.RESTORE, author="Dr Brand")))
    assert back.version == 3
    assert back.draft.text == TEXT
    assert [s.support for s in back.draft.sentences] == [s.support for s in sample().sentences]
    assert back.sentences[0].written_by.kind == WriterKind.COMPOSER
    assert [e.text for e in back.sentences[0].earlier] == ["You came because you were short of breath.", "Other words."]
    # what was undone is kept, out of the text
    assert [s.text for s in back.sentences if s.deleted] == ["Ask us anything."]
    again = cases.edit(draft_case.id, edits(3, Edit(kind=EditKind.RESTORE, to_version=2, author="Dr Brand")))
    assert again.draft.text == cases.view(draft_case.id, 2).draft.text


def test_signing_is_refused_while_gaps_and_severe_flags_are_open_and_lists_them(
    cases: Cases, draft_case: CaseView
) -> None:
    request = SignatureRequest(version=1, name="Dr Brand", role="attending")
    with pytest.raises(SignatureRefusedError, match=r"F-[0-9a-f]{10}; .*GAP2; .*heart-failure") as refused:
        cases.sign(draft_case.id, request)
    assert [f.message for f in refused.value.flags] == [NOT_RECOGNISED.message]
    assert [(g.sentence, g.text) for g in refused.value.gaps] == [("S4", sample().sentences[3].text)]
    assert [b.kind for b in refused.value.blocks] == ["severe", "gap", "unconfirmed"]
    assert cases.view(draft_case.id).state == CaseState.DRAFT


def test_a_complete_version_with_its_flags_acknowledged_is_signed(cases: Cases, draft_case: CaseView) -> None:
    full = completed(cases, draft_case)
    signed = cases.sign(draft_case.id, signature(full))
    assert (signed.version, signed.state) == (2, CaseState.SIGNED)
    assert signed.signature is not None
    assert (signed.signature.name, signed.signature.role) == ("Dr Brand", "attending")
    assert signed.signature.acknowledgements[0].reason == "asked the patient"
    with pytest.raises(ConflictError, match="already signed"):
        cases.sign(draft_case.id, signature(full))


def test_an_older_version_cannot_be_signed(cases: Cases, draft_case: CaseView) -> None:
    completed(cases, draft_case)
    with pytest.raises(StaleVersionError):
        cases.sign(draft_case.id, signature(draft_case))


def test_a_correction_of_a_signed_version_supersedes_it(cases: Cases, draft_case: CaseView) -> None:
    signed = cases.sign(draft_case.id, signature(completed(cases, draft_case)))
    with pytest.raises(SignedError, match="Reopen it"):
        cases.edit(draft_case.id, edits(2, replace(5, "Keep all visits.")))
    assert cases.view(draft_case.id) == signed
    corrected = reopened(cases, signed, 5, "Keep all visits.")
    assert (corrected.version, corrected.state, corrected.signature) == (3, CaseState.IN_REVIEW, None)
    assert [v.state for v in corrected.versions] == ["superseded", "superseded", "in_review"]
    assert corrected.versions[1].signature == signed.signature
    assert [v.corrects_signed for v in corrected.versions] == [False, False, True]


def test_the_list_shows_the_most_lately_changed_first_and_pages(cases: Cases) -> None:
    ids = [cases.save(SaveRequest(label=f"Case {i}", draft=sample(), author="Dr Ames")).id for i in range(3)]
    cases.edit(ids[0], edits(1, replace(0, "Changed.")))
    assert [c.id for c in cases.page(10).cases] == [ids[0], ids[2], ids[1]]
    page = cases.page(limit=1, offset=1)
    assert (page.total, [c.label for c in page.cases]) == (3, ["Case 2"])
    assert [c.id for c in cases.page(10, state=CaseState.IN_REVIEW).cases] == [ids[0]]


def test_deleting_takes_text_and_edits_and_the_audit_trail_keeps_ids_times_and_kinds(
    cases: Cases, draft_case: CaseView, database: Database, tmp_path: Path
) -> None:
    cases.edit(draft_case.id, edits(1, replace(0, "Quixotic zebra words.")))
    cases.delete(draft_case.id, "Dr Brand")
    with pytest.raises(NotFoundError):
        cases.view(draft_case.id)
    trail = cases.audit(draft_case.id)
    assert [(e.action, e.actor, e.version) for e in trail] == [
        (AuditAction.CREATE, "Dr Ames", 1),
        (EditKind.REPLACE, "Dr Brand", 2),
        (AuditAction.DELETE_CASE, "Dr Brand", 2),
    ]
    assert [e.at for e in trail] == sorted(e.at for e in trail)
    database.close()
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert draft_case.id.encode() in left
    for words in (b"Quixotic", b"short of breath", b"Heart failure, 80 F", b"zorblax"):
        assert words not in left


def test_the_database_itself_refuses_to_change_the_audit_trail(
    cases: Cases, draft_case: CaseView, tmp_path: Path
) -> None:
    with sqlite3.connect(tmp_path / "leapnote.sqlite") as connection:
        for statement in ("UPDATE audit SET actor = 'nobody'", "DELETE FROM audit"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)
    assert [e.actor for e in cases.audit(draft_case.id)] == ["Dr Ames"]


def test_a_case_that_does_not_exist_is_not_found(cases: Cases) -> None:
    nobody = "00000000-0000-4000-8000-000000000000"
    with pytest.raises(NotFoundError, match="no case 00000000"):
        cases.view(nobody)
    with pytest.raises(NotFoundError):
        cases.delete(nobody, "Dr Brand")
