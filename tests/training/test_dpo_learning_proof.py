"""The small worlds themselves, and a short proof that training teaches: one seed here, three in docs/model_training.md."""

import json
from pathlib import Path

import pytest

from backend.bench.toy_facts import ILLNESSES, REMEDIES, TRAINING, finder, make_world, raising
from backend.bench.toy_model import flat, unspaced, words
from backend.bench.toy_sources import ToySources, expert, plan_raising, question, questions, served
from backend.prompts.planning import JUDGE
from backend.prompts.thinking import THOUGHT
from backend.retrieval.gathering import TEXT_SOURCES
from backend.schemas.vocabulary import Source
from backend.training.plan_exploration import explore
from backend.training.plan_pairs import plan_reply
from backend.training.plan_values import JudgeValuer
from backend.training.thought_pairs import AskedQuestion
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


def test_the_stand_in_for_the_judge_supports_the_right_source_alone() -> None:
    search = ToySources(WORLD)
    for about in TEXT_SOURCES:
        at_work = AskedQuestion.of(question(WORLD, 3, about, "urgent"), WatchedModel(expert(WORLD)), 0)
        worth = {
            (source, WORLD.names[3] in text): JudgeValuer()
            .value(at_work, source, list(search.documents(source, text))[:1])
            .positive
            for source, texts in explore(at_work, TEXT_SOURCES).items()
            for text in texts
        }
        assert [key for key, positive in worth.items() if positive] == [(about, True)]


def test_a_plan_serves_when_its_query_finds_the_answer() -> None:
    search, asked = ToySources(WORLD), questions(WORLD, held_out=True)[0]
    illness = TRAINING
    good = plan_reply({Source.BOOK: (f"remedy of {WORLD.names[illness]}", "rest and sleep")}, TEXT_SOURCES)
    assert served(WORLD, search, asked, good) == (True, 1, 2)
    bad = plan_reply({Source.WIKI: (f"origin of {WORLD.names[illness]}",)}, TEXT_SOURCES)
    assert served(WORLD, search, asked, bad) == (False, 0, 1)
    assert served(WORLD, search, asked, "no plan") == (False, 0, 0)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_preference_training_raises_held_out_accuracy_and_fine_tuning_the_plans_that_find_the_answer(
    tmp_path: Path,
) -> None:
    pytest.importorskip("trl", reason="trl is not installed: pip install torch==2.13.0 -r requirements-train.txt")
    import torch

    from backend.bench.learning_proof import ProofSettings, prove_rar2, prove_spo

    torch.set_num_threads(1)
    rar2 = prove_rar2(1, tmp_path / "rar2", ProofSettings(), lambda text: None)
    right = {name: figures["right"] for name, figures in rar2.items()}
    assert right["thought and answer pairs"] > right["untrained"] + 0.2
    spo = prove_spo(1, tmp_path / "spo", ProofSettings(), lambda text: None)
    assert spo["SFT, then DPO"]["plans"] > spo["untrained"]["plans"] + 0.2
    assert spo["SFT on negative plans"]["queries"] < spo["SFT"]["queries"]
