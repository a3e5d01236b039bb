"""The small worlds themselves, and a short proof that training teaches: one seed here, three in docs/training.md."""

import json
from pathlib import Path

import pytest

from backend.bench.learning.toy_facts import ILLNESSES, REMEDIES, TRAINING, finder, make_world, raising
from backend.bench.learning.toy_model import flat, unspaced, words
from backend.bench.learning.toy_sources import (
    STANDS_IN,
    ToySources,
    expert,
    named,
    plan_raising,
    question,
    questions,
    served,
)
from backend.prompts.evidence_prompts import JUDGE, THOUGHT
from backend.retrieval.strategies.strategy import TEXT_SOURCES
from backend.schemas.vocabulary import Source
from backend.training.plans.plan_exploration import explore
from backend.training.plans.plan_pairs import plan_reply
from backend.training.plans.plan_values import JudgeValuer
from backend.training.thoughts.thought_pairs import AskedQuestion
from backend.training.watched_model import WatchedModel

WORLD = make_world(5)


def test_a_thought_of_the_illness_finds_its_remedy_and_the_question_does_not() -> None:
    search = finder(WORLD)
    for illness in range(ILLNESSES):
        asked = WORLD.question(illness, "urgent")
        assert asked.answer in search.find(WORLD.thought(illness))[0].text
        assert not any(WORLD.names[illness] in passage.text for passage in search.find(asked.question))


def test_held_out_illnesses_are_in_no_training_question_and_one_answer_for_all_is_right_for_a_quarter() -> None:
    held, seen = WORLD.questions(held_out=True), WORLD.questions(held_out=False)
    findings = {q.question.split(" with ")[1] for q in seen}
    assert not findings & {q.question.split(" with ")[1] for q in held}
    assert (len(seen), len(held)) == (2 * TRAINING, 2 * (ILLNESSES - TRAINING))
    for asked in (held, seen):
        assert sum(q.answer == REMEDIES[0] for q in asked) * 4 == len(asked)


def test_a_small_model_reads_the_name_of_a_prompt_and_its_data() -> None:
    asked = WORLD.question(0, "urgent")
    prompt = THOUGHT.messages(asked.fence(), {"task": "a cough"}, words=400)
    assert flat(prompt) == "<thought> a cough =>"
    assert words(flat(prompt)) == ["<thought>", "a", "cough", "=>"]
    with pytest.raises(ValueError, match="never shown"):
        flat(JUDGE.messages(asked.fence(), {"task": "x"}, sources="", words=1))
    assert json.loads(unspaced('{ " letter " : " A " , " list " : [ " a b " ] }')) == {"letter": "A", "list": ["a b"]}
    assert len(list(raising(WORLD, 7))) == len(list(plan_raising(WORLD, 7))) == 7


def test_the_stand_ins_word_some_useful_queries_and_support_them_where_the_answer_stands() -> None:
    search = ToySources(WORLD)
    for matter, right in STANDS_IN.items():
        at_work = AskedQuestion.of(question(WORLD, 3, matter, "urgent"), WatchedModel(expert(WORLD)), 0)
        for source, texts in explore(at_work, TEXT_SOURCES).items():
            asking = set(texts) & set(named(WORLD, 3, matter))
            found = {text: list(search.documents(source, text))[:1] for text in texts}
            # what finds nothing is never judged
            worth = {t: JudgeValuer().value(at_work, source, read).positive for t, read in found.items() if read}
            assert 1 <= len(asking) <= 4
            assert len(texts) == 6
            assert all(worth[text] == (source in right) for text in asking)
            assert not any(positive for text, positive in worth.items() if WORLD.names[3] not in text)


def test_a_plan_serves_when_its_query_finds_the_answer() -> None:
    search, asked = ToySources(WORLD), questions(WORLD, held_out=True)[0]
    name = WORLD.names[TRAINING]
    good = plan_reply({Source.BOOK: (f"remedy of {name}", "rest and sleep")}, TEXT_SOURCES)
    assert served(WORLD, search, asked, good) == (True, 1, 2)
    elsewhere = plan_reply({Source.WIKI: (f"remedy of {name}",)}, TEXT_SOURCES)
    assert served(WORLD, search, asked, elsewhere) == (False, 0, 1)
    other = plan_reply({Source.BOOK: (f"origin of {name}",)}, TEXT_SOURCES)
    assert served(WORLD, search, asked, other) == (False, 0, 1)
    assert served(WORLD, search, asked, "no plan") == (False, 0, 0)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_preference_training_raises_held_out_accuracy_and_fine_tuning_the_plans_that_find_the_answer(
    tmp_path: Path,
) -> None:
    pytest.importorskip("trl", reason="trl is not installed: pip install torch==2.13.0 -r requirements-train.txt")
    import torch

    from backend.bench.learning.learning_proof import ProofSettings, prove_rar2, prove_spo

    torch.set_num_threads(1)
    rar2 = prove_rar2(1, tmp_path / "rar2", ProofSettings(), lambda text: None)
    right = {name: figures["right"] for name, figures in rar2.items()}
    assert right["thought and answer pairs"] > right["untrained"] + 0.2
    spo = prove_spo(1, tmp_path / "spo", ProofSettings(), lambda text: None)
    plans = {name: figures["plans"] for name, figures in spo.items()}
    assert plans["SFT"] > plans["untrained"] + 0.2
    assert plans["SFT, then DPO"] >= plans["SFT"] - 0.05  # above it in most seeds; two questions of 64 are no loss
    assert plans["SFT, then DPO"] > plans["DPO alone"] + 0.2
    assert spo["SFT on negative plans"]["queries"] < spo["SFT"]["queries"]
