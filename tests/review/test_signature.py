import pytest

from backend.errors import ConflictError, InputError
from backend.review.case_content import live, saved
from backend.review.signing import SignatureRefusedError, check_signable
from backend.schemas.drafts.draft import Draft
from backend.schemas.patients.saved_case import Acknowledgement, VersionContent
from backend.schemas.vocabulary import Severity
from tests.review.sample import HEART_FAILURE, MEDICINES, NOT_RECOGNISED, sample


def content(draft: Draft | None = None) -> VersionContent:
    return saved(draft or sample())


def told_of_nothing(made: VersionContent) -> VersionContent:
    """Without the sentences that rest on a diagnosis nobody confirmed."""
    return made.model_copy(update={"sentences": tuple(s for s in made.sentences if not s.condition_id)})


def without_gaps() -> VersionContent:
    """Nothing stands against signing it but its severe flag."""
    kept = tuple(s for s in content().sentences if not s.text.startswith("["))
    return told_of_nothing(content().model_copy(update={"sentences": kept}))


def answered(made: VersionContent) -> tuple[Acknowledgement, ...]:
    return tuple(
        Acknowledgement(flag=f.id, code="asked", reason="asked the patient")
        for f in made.flags
        if f.severity == Severity.SEVERE
    )


def test_an_acknowledged_version_without_gaps_may_be_signed() -> None:
    check_signable(without_gaps(), answered(without_gaps()))


def test_a_severe_flag_that_nobody_answered_stands_against_it() -> None:
    with pytest.raises(SignatureRefusedError, match=r"severe alert.*F-[0-9a-f]{10}") as refused:
        check_signable(without_gaps(), ())
    assert [f.message for f in refused.value.flags] == [NOT_RECOGNISED.message]
    assert NOT_RECOGNISED.message not in str(refused.value)  # it quotes the note


def test_a_required_gap_stands_against_it_and_another_does_not() -> None:
    with pytest.raises(SignatureRefusedError) as refused:
        check_signable(told_of_nothing(content()), answered(content()))
    assert [(gap.sentence, gap.section, gap.required) for gap in refused.value.gaps] == [("S4", MEDICINES, True)]
    left = tuple(s for s in content().sentences if s.id != "S4")
    check_signable(told_of_nothing(content().model_copy(update={"sentences": left})), answered(content()))


def test_a_gap_in_the_middle_of_a_sentence_and_in_capitals_counts() -> None:
    first = (
        content()
        .sentences[0]
        .model_copy(update={"text": "Weight: [TEAM TO COMPLETE: kg] today.", "section": MEDICINES})
    )
    made = without_gaps().model_copy(update={"sentences": (first,)})
    with pytest.raises(SignatureRefusedError) as refused:
        check_signable(made, answered(made))
    assert [gap.prompt for gap in refused.value.gaps] == ["kg"]


def test_a_diagnosis_that_the_letter_tells_of_and_nobody_confirmed_stands_against_it() -> None:
    told = content().model_copy(update={"sentences": tuple(s for s in content().sentences if s.text[0] != "[")})
    with pytest.raises(
        SignatureRefusedError, match=r"confirm or rule out each diagnosis.*: LN:heart-failure"
    ) as refused:
        check_signable(told, answered(told))
    assert [(b.kind, b.id) for b in refused.value.blocks] == [("unconfirmed", HEART_FAILURE)]


def test_a_sentence_that_may_not_fit_stands_against_it_until_somebody_checks_it() -> None:
    doubtful = without_gaps().sentences[0].model_copy(update={"outdated": "drafted anew"})
    others = without_gaps().sentences[1:]
    made = without_gaps().model_copy(update={"sentences": (doubtful, *others)})
    with pytest.raises(SignatureRefusedError) as refused:
        check_signable(made, answered(made))
    assert [(b.kind, b.id) for b in refused.value.blocks] == [("unchecked_required", "S1")]
    checked = doubtful.model_copy(update={"checked_by": "Dr Brand"})
    check_signable(made.model_copy(update={"sentences": (checked, *others)}), answered(made))


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", "I have looked at it"),
        ("fine", "I have looked at it"),
        ("other", "-"),
        ("other", "x"),
        ("asked", "ok, ok"),
        ("dose_checked", "checked twice"),
    ],
)
def test_free_words_answer_no_severe_flag(code: str, reason: str) -> None:
    flag = content().flags[0].id
    with pytest.raises(InputError, match="acknowledgement of F-"):
        check_signable(without_gaps(), (Acknowledgement(flag=flag, code=code, reason=reason),))


def test_an_acknowledgement_of_a_flag_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="no flag 'F-nothing'"):
        check_signable(without_gaps(), (Acknowledgement(flag="F-nothing", code="other", reason="x"),))


def test_a_reason_must_be_given() -> None:
    with pytest.raises(ValueError, match="is empty"):
        Acknowledgement(flag="F-1", reason="  ")


def test_a_version_without_a_sentence_cannot_be_signed() -> None:
    empty = content().model_copy(update={"sentences": (), "flags": ()})
    assert live(empty.sentences) == []
    with pytest.raises(ConflictError, match="nothing to sign"):
        check_signable(empty, ())
