"""How one arm writes and another never does."""

import pytest

from backend.schemas.studies.study_frozen import BlindedDraft, DraftMade, DraftProvenance
from backend.study.leakage.style_leaks import made_drafts, style_leaks

PLAIN = "Rest at home and drink water."


def draft(arm: str, text: str, status: DraftMade = DraftMade.MADE) -> BlindedDraft:
    return BlindedDraft(
        case_id="c", arm_id=arm, status=status, text=text, blinded=text, provenance=DraftProvenance(source="upload")
    )


def leaks(ours: list[str], theirs: list[str]) -> list[tuple[str, str]]:
    found = style_leaks([*(draft("A1", text) for text in ours), *(draft("A2", text) for text in theirs)])
    return [(leak.kind, leak.where) for leak in found]


@pytest.mark.parametrize(
    ("ours", "theirs", "found"),
    [
        ([PLAIN], [PLAIN], []),
        (["The retrieved passages say rest."], ["Rest and drink water daily."], [("talk", "arm A1")]),
        (["The prompt says rest."], ["The prompt says water."], []),  # both do
        (["Rest now.\nBe well."] * 2, ["Rest now."] * 2, [("habit", "arm A1")]),
        (["Rest now.\nBe well."], ["Rest now."], []),  # once is no habit
        (["- rest a\n- rest b", "- rest c\n- rest d"], ["rest e rest", "rest g rest"], [("shape", "arm A1")]),
        (["one two three four"], ["one two"], [("length", "arm A1")]),  # 4 words over 2: twice as long
        (["one two three"], ["one two"], []),  # 1.5 times is not more than 1.5 times
    ],
)
def test_what_one_arm_alone_does_is_warned_of(ours: list[str], theirs: list[str], found: list[tuple[str, str]]) -> None:
    assert [leak for leak in leaks(ours, theirs) if leak[0] != "length" or ("length", "arm A1") in found] == found


def test_a_warning_says_how_often_and_where_it_is_missing() -> None:
    found = style_leaks([draft("A1", "The citations say rest."), draft("A2", "Rest, and eat well.")])
    assert [leak.what for leak in found] == ["'citations' stands in 1 drafts, and never in arm A2"]


def test_a_failed_draft_and_a_single_arm_tell_nothing() -> None:
    failed = draft("A1", "The prompt", DraftMade.FAILED)
    assert made_drafts([failed]) == []
    assert style_leaks([failed, draft("A2", PLAIN)]) == []
    assert style_leaks([]) == []
