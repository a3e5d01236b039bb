"""Written forms are found whole, the longest first, over line ends; rows with an unknown case are refused."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.nlp.rules import plain_words as module
from backend.nlp.rules.plain_words import Phrases, plain_words

FORMS = ("w/", "flank pain", "left flank pain", "flank", "p.r.n.", "A&E")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("left flank pain", ["left flank pain"]),
        ("left flank\n  pain", ["left flank\n  pain"]),
        ("left side, Flank pains", ["Flank"]),
        ("flanks", []),
        ("flank-to-side", []),
        ("at A&E w/ flank pain p.r.n. only", ["A&E", "w/", "flank pain", "p.r.n."]),
        ("x/flank", []),
    ],
)
def test_the_longest_whole_form_is_found(text: str, found: list[str]) -> None:
    assert [match[0] for match in Phrases(FORMS).found(text)] == found


def test_a_form_that_begins_with_a_mark_is_refused() -> None:
    with pytest.raises(KnowledgeError):
        Phrases(["(flank"])


def test_both_files_are_read() -> None:
    written = {row.written: row for row in plain_words()}
    assert written["IV"].exact
    assert written["nontender"].last
    assert written["nephrolithiasis"].plain == "kidney stones"


def test_an_unknown_case_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "letter").mkdir()
    for name in module.FILES:
        (tmp_path / "letter" / name).write_text("written\tcase\tplain\nrales\tsome\tcrackling\n", encoding="utf-8")
    monkeypatch.setattr(module, "RULES", tmp_path)
    plain_words.cache_clear()
    try:
        with pytest.raises(KnowledgeError, match="'some'"):
            plain_words()
    finally:
        plain_words.cache_clear()
