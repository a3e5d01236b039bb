"""A question's one misspelt topic is read as the name that it can only be, and the answer says so; a note's never is."""

import pytest

from backend.container.container import Container
from backend.generation.composer.answers.misspelt_topic import TopicReader
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document


@pytest.fixture
def topics(container: Container) -> TopicReader:
    """The reader over the starter's names."""
    reader = container.pipeline("leapnote", "composer")._parts.topics
    assert reader is not None
    return reader


def ask(container: Container, question: str, note: str = "") -> Draft:
    """The draft of a question, by our own system without a language model."""
    request = DraftRequest(text=note, question=question, document=Document.CLINICAL_ANSWER)
    return container.pipeline("leapnote", "composer").run(request)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("whats diabete", "whats diabetes"),  # the last letter is missing; DiaBeta is as near
        ("What is Diabetis?", "What is diabetes?"),
        ("symptoms of soriasis", "symptoms of psoriasis"),  # the first one is
        ("what helps with constapation", "what helps with constipation"),
        ("is shingels contagious", "is shingles contagious"),
    ],
)
def test_a_misspelt_topic_is_read_as_its_name(topics: TopicReader, question: str, read: str) -> None:
    request, taken = topics.read(DraftRequest(question=question))
    assert request.question == read
    assert taken is not None and taken.meant in read


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("what is diabetes", "nothing is misspelt"),
        ("is diabete worse with gout", "gout is a topic that is spelt right"),
        ("does diabete come with soriasis", "two are misspelt"),
        ("what is bitcoin", "no name is near"),
        ("what is eczma", "too short for a letter within"),
        ("what is glacoma", "the starter has no such topic"),
    ],
)
def test_what_is_unsure_stays_as_it_was_asked(topics: TopicReader, question: str, why: str) -> None:
    request = DraftRequest(question=question)
    assert topics.read(request) == (request, None), why


def test_options_and_notes_stay_as_they_are(topics: TopicReader) -> None:
    for request in (DraftRequest(question="whats diabete", options=("a", "b")), DraftRequest(text="HPI: diabete.")):
        assert topics.read(request) == (request, None)


def test_the_answer_says_which_topic_it_took(container: Container) -> None:
    draft = ask(container, "whats diabete")
    assert draft.question == "whats diabete"
    assert draft.sentences[0].text == "[“diabete” is taken for “diabetes”, here type 2 diabetes mellitus.]"
    asked = ask(container, "what is diabetes")
    assert [one.text for one in draft.sentences[1:]] == [one.text for one in asked.sentences]
    assert not any("taken for" in one.text for one in asked.sentences)


def test_the_remark_is_streamed_before_the_answer(container: Container) -> None:
    request = DraftRequest(question="whats diabete", document=Document.CLINICAL_ANSWER)
    told = [e.data for e in container.pipeline("leapnote", "composer").draft_events(request) if e.stage == "token"]
    assert "is taken for" in told[0]["text"]
    assert len(told) > 1
