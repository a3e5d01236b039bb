"""Answer pairs (RAR2 section 4.1): answers are sampled from a question and what a thought retrieved, and paired.

An answer is chosen when it names the right option. One that names another, or none in the form asked for, is rejected.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import ValidationError

from backend.generation.options import REASONING_WORDS, WordedOption, documents
from backend.prompts.answering import OPTION
from backend.prompts.asking import json_in
from backend.prompts.task import task_text
from backend.schemas.chat import Message
from backend.schemas.evidence import Evidence
from backend.training.questions import Question
from backend.training.rendered import Pair, SampleKind
from backend.training.seeds import draw
from backend.training.thought_pairs import AskedQuestion, SamplingSettings


class LabelledAnswer(NamedTuple):
    """place: of the document set it was written from. letter: empty where the reply was out of form."""

    text: str
    place: int
    letter: str
    right: bool


def sample_answers(
    asked: AskedQuestion, place: int, evidence: Evidence, settings: SamplingSettings
) -> list[LabelledAnswer]:
    """`settings.answers` of them, those without a word left out."""
    said = asked.asker.texts(
        OPTION,
        answer_data(asked.question, evidence),
        n=settings.answers,
        temperature=settings.temperature,
        top_p=settings.top_p,
        words=REASONING_WORDS,
    )
    asked.model.check()
    letters = [letter_of(text) for text in said.texts]
    right = asked.question.letter
    return [
        LabelledAnswer(text, place, letter, letter == right) for text, letter in zip(said.texts, letters, strict=True)
    ]


def answer_pair(
    question: Question, answers: Sequence[LabelledAnswer], evidence: Sequence[Evidence], seed: int
) -> Pair | None:
    """One right and one wrong answer from the same documents; None where no document set has both."""
    places = [
        place
        for place in range(len(evidence))
        if {True, False} <= {answer.right for answer in answers if answer.place == place}
    ]
    if not places:
        return None
    drawn = draw(seed, question.id, SampleKind.ANSWER)
    place = drawn.choice(places)
    good = drawn.choice([answer for answer in answers if answer.place == place and answer.right])
    bad = drawn.choice([answer for answer in answers if answer.place == place and not answer.right])
    return Pair(question.id, SampleKind.ANSWER, answer_prompt(question, evidence[place]), good.text, bad.text)


def answer_prompt(question: Question, evidence: Evidence) -> tuple[Message, ...]:
    """The prompt the running program asks, with the question's own fence."""
    return OPTION.messages(question.fence(), answer_data(question, evidence), words=REASONING_WORDS)


def answer_data(question: Question, evidence: Evidence) -> Mapping[str, str]:
    return {"question": task_text(question.request(0)), "documents": documents(evidence)}


def letter_of(reply: str) -> str:
    """The letter that a reply chooses; empty where it is out of form."""
    try:
        return WordedOption.model_validate(json_in(reply)).letter
    except ValidationError:
        return ""
