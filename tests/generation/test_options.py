"""A question with options: by a model with citations looked up, else by overlap that says how weak it is."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from backend.generation.material import Material, PassageReader
from backend.generation.options import OptionAnswer, answer_option, documents, option_sentences
from backend.linking.linker import DictionaryLinker
from backend.prompts.asking import Asker
from backend.schemas.evidence import Evidence, GraphItem, Passage, ReasoningPath
from backend.schemas.request import DraftRequest
from backend.schemas.vocabulary import Document, Source
from backend.stores.reactions import AllergyReach
from models.engine_scripted import Dead, Scripted

OPTIONS = ("botulism", "mumps", "scurvy")
TEXTS = ("Infant botulism brings weak arms.", "Honey may hold botulism spores in an infant.", "Mumps hurts.")
Answer = Callable[..., OptionAnswer]


@pytest.fixture
def answer(tiny_linker: DictionaryLinker, tiny_reach: AllergyReach) -> Answer:
    passages = tuple(
        Passage(id=f"P{i}", source=Source.BOOK, document_id="d", title="t", text=text, start_char=0, end_char=len(text))
        for i, text in enumerate(TEXTS, start=1)
    )

    def run(model: Any = None, options: tuple[str, ...] = OPTIONS) -> OptionAnswer:
        request = DraftRequest(
            question="What makes an infant weak?", options=options, document=Document.CLINICAL_ANSWER
        )
        evidence = Evidence(passages=passages)
        material = Material(tiny_linker.link(request.question), (), evidence, PassageReader(tiny_linker), tiny_reach)
        return answer_option(material, request, tiny_linker, Asker(model, 0) if model else None)

    return run


def reply(
    letter: str, reasoning: str = "Weak arms point to it [P1]. Honey too [P9].", cited: Any = ("P2", "P7")
) -> str:
    return json.dumps({"reasoning": reasoning, "letter": letter, "citations": cited})


def test_a_model_s_letter_reasoning_and_citations_are_taken_and_looked_up(answer: Answer) -> None:
    found = answer(Scripted(reply("A")))
    assert (found.letter, found.option, found.citations, found.removed) == ("A", "botulism", ("P2",), 2)
    assert [(s.text, s.citations) for s in found.reasoning] == [
        ("Weak arms point to it.", ("P1",)),
        ("Honey too.", ()),
    ]
    told = list(option_sentences(found))
    assert told[2].text == "The answer chosen is A: “botulism”."
    assert told[2].citations == ("P2",)
    assert told[3].text == "[scripted chose it.]"
    assert found.fell == ""


def test_a_model_that_cites_nothing_is_said_to(answer: Answer) -> None:
    assert (
        answer(Scripted(reply("B", "I just know.", ()))).said
        == "scripted chose it and cited nothing that was retrieved"
    )
    assert answer(Scripted(reply("B", "So it is [P3].", ()))).citations == ("P3",)


@pytest.mark.parametrize("model", [None, Dead(), Scripted("A!"), Scripted(reply("J")), Scripted(reply("AB"))])
def test_without_a_usable_letter_overlap_chooses_and_says_how_weak(answer: Answer, model: Any) -> None:
    found = answer(model)
    assert (found.letter, found.option) == ("A", "botulism")
    assert set(found.citations) == {"P1", "P2"}
    assert found.fell.startswith("answer: ")
    assert "overlap of words is weak evidence" in found.said
    told = [sentence.text for sentence in option_sentences(found)]
    assert told[0] == "The retrieved evidence overlaps most with A: “botulism”."
    assert "No language model reasoned here" in told[1]


def test_options_that_fit_alike_are_little_more_than_a_guess(answer: Answer) -> None:
    found = answer(options=("weak arms", "arms weak"))
    assert "the next option has 100% of its score, so it is little more than a guess" in found.said


@pytest.mark.parametrize("options", [("yes", "no"), ("Yes", "No", "Maybe"), ("12", "24"), ("True", "False")])
def test_overlap_does_not_answer_what_it_cannot(answer: Answer, options: tuple[str, ...]) -> None:
    found = answer(options=options)
    assert (found.letter, found.option, found.citations) == ("", "", ())
    assert "needs a language model" in found.said
    assert next(option_sentences(found)).text.startswith("[Overlap of words cannot choose")


def test_options_nobody_names_are_not_chosen(answer: Answer) -> None:
    found = answer(options=("scurvy", "rickets"))
    assert found.option == ""
    assert found.said == "Nothing that was retrieved names any of the options."


def test_the_model_reads_what_edges_carry_and_no_leap() -> None:
    path = ReasoningPath(
        id="K1", keyword="k", steps=(), score=1.0, text="A leads to B, then a leap.", carried="A leads to B."
    )
    leap = ReasoningPath(id="K2", keyword="k", steps=(), score=1.0, text="Only a leap.")
    evidence = Evidence(paths=(path, leap), graph=(GraphItem(id="G1", concept_id="c", text="G text."),))
    assert documents(evidence) == "[G1] G text.\n\n[K1] A leads to B."
