import pytest

from backend.errors import ConflictError, InputError
from backend.review.case_content import live, saved
from backend.review.saved_cases import SignatureRefusedError, check_signable
from backend.schemas.drafts.draft import Draft
from backend.schemas.patients.saved_case import Acknowledgement, VersionContent
from backend.schemas.vocabulary import Document, Severity
from tests.review.sample import NOT_RECOGNISED, sample

INSTRUCTIONS, PROGRESS = Document.DISCHARGE_INSTRUCTIONS, Document.PROGRESS_NOTE


def content(draft: Draft | None = None) -> VersionContent:
    return saved(draft or sample())


def without_gaps() -> VersionContent:
    kept = tuple(s for s in content().sentences if not s.text.startswith("["))
    return content().model_copy(update={"sentences": kept})


def answered(made: VersionContent) -> tuple[Acknowledgement, ...]:
    return tuple(Acknowledgement(flag=f.id, reason="asked") for f in made.flags if f.severity == Severity.SEVERE)


def test_an_acknowledged_version_without_gaps_may_be_signed() -> None:
    check_signable(without_gaps(), INSTRUCTIONS, answered(without_gaps()))


def test_a_severe_flag_that_nobody_answered_stands_against_it() -> None:
    with pytest.raises(SignatureRefusedError, match=r"F-[0-9a-f]{10} \(allergy_not_recognised\)") as refused:
        check_signable(without_gaps(), INSTRUCTIONS, ())
    assert [f.message for f in refused.value.flags] == [NOT_RECOGNISED.message]
    assert NOT_RECOGNISED.message not in str(refused.value)  # it quotes the note


def test_gaps_stand_against_discharge_instructions_alone() -> None:
    with pytest.raises(SignatureRefusedError) as refused:
        check_signable(content(), INSTRUCTIONS, answered(content()))
    assert [gap.sentence for gap in refused.value.gaps] == ["S3", "S4"]
    check_signable(content(), PROGRESS, answered(content()))


def test_a_gap_in_the_middle_of_a_sentence_and_in_capitals_counts() -> None:
    first = content().sentences[0].model_copy(update={"text": "Weight: [TEAM TO COMPLETE: kg] today."})
    made = without_gaps().model_copy(update={"sentences": (first,)})
    with pytest.raises(SignatureRefusedError):
        check_signable(made, INSTRUCTIONS, answered(made))


def test_an_acknowledgement_of_a_flag_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="no flag 'F-nothing'"):
        check_signable(without_gaps(), INSTRUCTIONS, (Acknowledgement(flag="F-nothing", reason="x"),))


def test_a_reason_must_be_given() -> None:
    with pytest.raises(ValueError, match="is empty"):
        Acknowledgement(flag="F-1", reason="  ")


def test_a_version_without_a_sentence_cannot_be_signed() -> None:
    empty = content().model_copy(update={"sentences": (), "flags": ()})
    assert live(empty.sentences) == []
    with pytest.raises(ConflictError, match="nothing to sign"):
        check_signable(empty, INSTRUCTIONS, ())
