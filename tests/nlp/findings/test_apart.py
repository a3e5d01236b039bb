"""Findings told in words that stand apart: what the rules find, how they are marked, and what they leave."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.findings import apart
from backend.nlp.findings.apart import apart_findings
from backend.schemas.vocabulary import Assertion
from tests.nlp.fresh import linker


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She has lost 4 kg.", [("lost 4 kg", "weight loss")]),
        ("lost about 12 lbs over a month", [("lost about 12 lbs", "weight loss")]),
        ("Gained nearly 10 pounds", [("Gained nearly 10 pounds", "weight gain")]),
        ("a 10 kg weight loss", [("kg weight loss", "weight loss")]),
        ("hips stiff for an hour each morning", [("stiff for an hour each morning", "morning stiffness")]),
        ("vision went gray for ten minutes", [("vision went gray for ten minutes", "transient visual loss")]),
        ("Neck: supple, no stiffness.", [("stiffness", "neck stiffness")]),
        ("Her mouth is drooping.", [("mouth is drooping", "facial droop")]),
        ("Tripped over the rug.", [("Tripped over the", "fall")]),
        (
            "Slept badly; couldn't get up without help, pants falling off.",
            [("couldn't get up without", "leg weakness"), ("pants falling off", "weight loss")],
        ),
        ("He lost his job 2 years ago.", []),
        ("The joint is stiff. Each morning he walks.", []),
        ("Vision went from 20/20 to 20/40.", []),
    ],
)
def test_a_finding_is_found_though_its_words_stand_apart(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(text[one.start : one.end], one.concept) for one in apart_findings(parse_note(text))] == expected


def test_what_is_told_is_a_mention_with_its_assertion() -> None:
    mentions = linker().link("Exam. Neck: supple, no stiffness. He has lost 4 kg.").note.mentions
    found = {m.name: m.assertion for m in mentions}
    assert found["neck stiffness"] == Assertion.NEGATED
    assert found["weight loss"] == Assertion.PRESENT


def test_every_finding_told_is_a_name_of_the_vocabulary() -> None:
    names = {rule.concept for rule in apart.rules()}
    assert names == {found.name for name in names if (found := linker().lookup(name)) is not None}


def test_a_rule_is_looked_for_by_words_that_stand_in_all_it_finds() -> None:
    for rule in apart.rules():
        assert rule.words, rule.concept
    assert {frozenset({"gained"}), frozenset({"face", "mouth", "smile"})} <= {rule.words for rule in apart.rules()}


def test_a_row_in_which_no_word_must_stand_is_told(tmp_path: Path) -> None:
    bad = tmp_path / "apart_findings.tsv"
    bad.write_text("concept\ttold\nweight loss\t{lost} # (kg|{lb})\n")
    with pytest.raises(KnowledgeError, match="no word of letters"):
        apart.rules.__wrapped__(bad)


def test_every_rule_of_the_file_can_be_compiled() -> None:
    assert all(rule.pattern.groupindex == {"part": 1} for rule in apart.rules())


@pytest.mark.parametrize("pattern", ["lost (a|b", "lost a)", "lost {a} )(", "<lost> a <b>"])
def test_a_row_that_is_not_understood_is_told(pattern: str, tmp_path: Path) -> None:
    bad = tmp_path / "apart_findings.tsv"
    bad.write_text(f"concept\ttold\nweight loss\t{pattern}\n")
    with pytest.raises(KnowledgeError, match="weight loss"):
        apart.rules.__wrapped__(bad)
