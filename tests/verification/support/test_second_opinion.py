"""Further opinions: they lower what the rules gave and lift what was in doubt, and never lift what the rules found wrong."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from backend.errors import MissingError
from backend.schemas.drafts.draft import Verdict
from backend.schemas.vocabulary import Support
from backend.verification.support.second_opinion import EntailmentScorer, JudgeScorer, Opinion, Says, weighed
from models.llm.engine_scripted import Dead, Scripted
from tests.verification.tiny_entailment import tiny_model

SUPPORTED = Verdict(support=Support.SUPPORTED, score=0.9)
PARTIAL = Verdict(support=Support.PARTIAL, score=0.4, reason="worded differently")
UNSUPPORTED = Verdict(support=Support.UNSUPPORTED, score=0.1, reason="numbers not in the cited text: 80 mg")


def said(*opinions: Says) -> Sequence[Opinion]:
    return [Opinion(says, "somebody") for says in opinions]


@pytest.mark.parametrize(
    ("verdict", "opinions", "firm", "support"),
    [
        (SUPPORTED, said(Says.CONTRADICTED), False, Support.UNSUPPORTED),
        (SUPPORTED, said(Says.SILENT), False, Support.PARTIAL),
        (SUPPORTED, said(Says.SUPPORTED), False, Support.SUPPORTED),
        (PARTIAL, said(Says.SUPPORTED), False, Support.SUPPORTED),
        (PARTIAL, said(Says.SUPPORTED, Says.SILENT), False, Support.PARTIAL),
        (PARTIAL, said(Says.SUPPORTED, Says.CONTRADICTED), False, Support.UNSUPPORTED),
        (UNSUPPORTED, said(Says.SUPPORTED), True, Support.UNSUPPORTED),
        (PARTIAL, said(Says.SUPPORTED), True, Support.PARTIAL),
        (SUPPORTED, said(Says.NOTHING), False, Support.SUPPORTED),
    ],
)
def test_opinions_move_a_verdict_only_so_far(
    verdict: Verdict, opinions: Sequence[Opinion], firm: bool, support: Support
) -> None:
    found = weighed(verdict, opinions, 0.55, 0.35, firm)
    assert found.support == support
    assert found.score is not None
    assert (found.score >= 0.55) == (support == Support.SUPPORTED)


def test_what_was_not_scored_stays_so() -> None:
    gap = Verdict(support=Support.NOT_SCORED, reason="a gap")
    assert weighed(gap, said(Says.CONTRADICTED), 0.55, 0.35, False) == gap


def test_a_judge_is_asked_once_a_text_and_answers_by_number() -> None:
    replies = [
        json.dumps({"verdicts": [{"number": 1, "verdict": "yes"}, {"number": 2, "verdict": "no"}]}),
        json.dumps({"verdicts": [{"number": 1, "verdict": "silent"}]}),
    ]
    judge = JudgeScorer(Scripted(*replies))
    found = judge.opinions(["one text", "another", "one text"], ["a", "b", "c"])
    assert [opinion.says for opinion in found] == [Says.SUPPORTED, Says.SILENT, Says.CONTRADICTED]


def test_a_judge_that_cannot_be_reached_has_no_opinion_and_says_why() -> None:
    (found,) = JudgeScorer(Dead()).opinions(["text"], ["sentence"])
    assert found.says == Says.NOTHING
    assert found.reason


def test_an_entailment_model_gives_one_opinion_a_pair(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path, {0: "contradiction", 1: "entailment", 2: "neutral"})
    scorer = EntailmentScorer(str(folder))
    found = scorer.opinions(["she has gout", "she has gout"], ["gout", "no gout"])
    assert len(found) == 2
    assert {opinion.of for opinion in found} == {"model"}
    assert scorer.opinions([], []) == ()


def test_consistency_is_entailment_against_contradiction_alone(tmp_path: Path) -> None:
    scorer = EntailmentScorer(str(tiny_model(tmp_path, {0: "contradiction", 1: "entailment", 2: "neutral"})))
    one = scorer.entailment(["she has gout", "gout"], ["gout", "she has no gout"])
    assert one.shape == (2,)
    assert ((one > 0) & (one < 1)).all()
    # with the two labels exchanged, the same numbers speak for the contrary
    other = EntailmentScorer(str(tiny_model(tmp_path / "other", {0: "entailment", 1: "contradiction", 2: "neutral"})))
    other._model = scorer._model
    assert other.entailment(["she has gout", "gout"], ["gout", "she has no gout"]) == pytest.approx(1 - one)
    assert scorer.entailment([], []).shape == (0,)


def test_a_model_with_other_labels_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="entailment, neutral and"):
        EntailmentScorer(str(tiny_model(tmp_path, {0: "bad", 1: "good"})))
    with pytest.raises(MissingError, match="LEAPNOTE_ENTAILMENT"):
        EntailmentScorer(str(tmp_path / "nowhere"))
