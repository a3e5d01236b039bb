"""A model as judge: one verdict a sentence, a reason where there is none, batches, and both orders."""

import json

from backend.prompts.asking import Asker
from backend.prompts.verdicts import (
    AT_ONCE,
    LEFT_OUT,
    Judged,
    SentenceVerdict,
    batches,
    judged,
    numbered_documents,
)
from models.llm.engine_scripted import Dead, Scripted


def verdicts(*said: tuple[int, str]) -> str:
    return json.dumps({"verdicts": [{"number": number, "verdict": verdict} for number, verdict in said]})


def test_each_sentence_has_its_verdict_in_order_whatever_order_the_judge_replies_in() -> None:
    model = Scripted(verdicts((3, "silent"), (1, "yes"), (9, "yes")))
    found = judged(Asker(model, 0), "She has gout.", ("a", "b", "c"))
    assert found == [Judged(SentenceVerdict.YES), Judged(None, LEFT_OUT), Judged(SentenceVerdict.SILENT)]
    assert "1. a\n2. b\n3. c" in model.calls[0][1].content


def test_a_judge_that_fails_gives_its_reason_for_every_sentence() -> None:
    found = judged(Asker(Dead(""), 0), "She has gout.", ("a", "b"))
    assert [one.verdict for one in found] == [None, None]
    assert all("dead did not answer" in one.reason for one in found)


def test_a_verdict_of_no_known_word_is_out_of_form() -> None:
    (found,) = judged(Asker(Scripted(verdicts((1, "perhaps"))), 0), "She has gout.", ("a",))
    assert found.verdict is None
    assert "out of form" in found.reason


def test_sentences_are_asked_about_in_batches_that_lose_none() -> None:
    assert list(batches(0)) == []
    assert [len(batch) for batch in batches(2 * AT_ONCE + 1)] == [AT_ONCE, AT_ONCE, 1]
    assert [place for batch in batches(95) for place in batch] == list(range(95))


def test_documents_are_numbered_and_cut() -> None:
    assert numbered_documents(("one two three", "four"), 2) == "(1) one two\n\n(2) four"
    assert numbered_documents((), 2) == ""
