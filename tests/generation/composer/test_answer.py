"""A question with options without a model: by overlap that says how weak it is."""

from collections.abc import Callable, Collection

import pytest

from backend.generation.composer.answer import OptionAnswer, answer_option, option_sentences
from backend.generation.composer.material import Material, PassageReader
from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Evidence, Passage
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, Source

OPTIONS = ("botulism", "mumps", "scurvy")
TEXTS = ("Infant botulism brings weak arms.", "Honey may hold botulism spores in an infant.", "Mumps hurts.")
Answer = Callable[..., OptionAnswer]


@pytest.fixture
def answer(tiny_linker: DictionaryLinker, tiny_reach: AllergyReach) -> Answer:
    passages = tuple(
        Passage(id=f"P{i}", source=Source.BOOK, document_id="d", title="t", text=text, start_char=0, end_char=len(text))
        for i, text in enumerate(TEXTS, start=1)
    )

    def run(options: tuple[str, ...] = OPTIONS, forbidden: Collection[str] = ()) -> OptionAnswer:
        request = DraftRequest(
            question="What makes an infant weak?", options=options, document=Document.CLINICAL_ANSWER
        )
        evidence = Evidence(passages=passages)
        material = Material(tiny_linker.link(request.question), (), evidence, PassageReader(tiny_linker), frozenset())
        return answer_option(material, request, tiny_linker, forbidden)

    return run


def sentences_of(found: OptionAnswer) -> list[WrittenSentence]:
    return list(option_sentences(found.letter, found.option, found.citations, (found.said, found.fell)))


def test_without_a_model_overlap_chooses_and_says_how_weak(answer: Answer) -> None:
    found = answer()
    assert (found.letter, found.option) == ("A", "botulism")
    assert set(found.citations) == {"P1", "P2"}
    assert found.fell.startswith("answer: ")
    assert "overlap of words is weak evidence" in found.said
    wording = [sentence.text for sentence in sentences_of(found)]
    assert wording[0] == "The retrieved evidence overlaps most with A: “botulism”."
    assert "No language model reasoned here" in wording[1]


def test_options_that_fit_alike_are_little_more_than_a_guess(answer: Answer) -> None:
    found = answer(options=("weak arms", "arms weak"))
    assert "the next option has 100% of its score, so it is little more than a guess" in found.said


@pytest.mark.parametrize("options", [("yes", "no"), ("Yes", "No", "Maybe"), ("12", "24"), ("True", "False")])
def test_overlap_does_not_answer_what_it_cannot(answer: Answer, options: tuple[str, ...]) -> None:
    found = answer(options=options)
    assert (found.letter, found.option, found.citations) == ("", "", ())
    assert "needs a language model" in found.said
    assert sentences_of(found)[0].text.startswith("[Overlap of words cannot choose")


def test_options_nobody_names_are_not_chosen(answer: Answer) -> None:
    found = answer(options=("scurvy", "rickets"))
    assert found.option == ""
    assert found.said == "Nothing that was retrieved names any of the options."


def test_a_forbidden_option_gives_way_to_the_next_best(answer: Answer) -> None:
    options = ("botulism", "honey", "scurvy")
    assert answer(options).option == "botulism"
    found = answer(options, {"A"})
    assert (found.letter, found.option) == ("B", "honey")
    assert answer(options, {"A", "B"}).said == "Nothing that was retrieved names any of the permitted options."
    assert answer(options, {"A", "B", "C"}).said.startswith("No option was chosen: the safety check forbids each")
