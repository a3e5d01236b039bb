"""Answer pairs (RAR2 section 4.1): answers are sampled from a question and what a thought retrieved, and paired.

An answer is chosen when it names the right option. One that names another, or none in the form asked for, is rejected.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from backend.generation.model.context_fit import Fitted
from backend.generation.model.option_choice import REASONING_WORDS, choice_fit, letter_of
from backend.prompts.draft_prompts import CHOICE
from backend.schemas.chat import Message, SamplingParams
from backend.schemas.drafts.evidence import Evidence
from backend.training.questions import Question
from backend.training.rendered import Pair, SampleKind
from backend.training.synthetic.seeded_draws import draw
from backend.training.thoughts.thought_pairs import AskedQuestion, SamplingSettings


class LabelledAnswer(NamedTuple):
    """place: of the document set it was written from. letter: empty where the reply was out of form."""

    text: str
    place: int
    letter: str
    right: bool


def answer_prompt(asked: AskedQuestion, evidence: Evidence) -> Fitted:
    """The prompt that the running writer asks for an option, with the question's own fence, as much as fits in it."""
    return choice_fit(asked.model, asked.material(evidence), asked.question.fence())


def sample_answers(
    asked: AskedQuestion, place: int, prompt: Fitted, settings: SamplingSettings
) -> list[LabelledAnswer]:
    """`settings.answers` of them to a document set's prompt, those without a word left out."""
    said = asked.asker.texts(
        replace(CHOICE, longest=prompt.reply),
        prompt.data,
        sampling=SamplingParams(settings.answers, settings.temperature, settings.top_p),
        words=REASONING_WORDS,
    )
    asked.model.check()
    letters = [letter_of(text, asked.question.options) for text in said.texts]
    right = asked.question.letter
    return [
        LabelledAnswer(text, place, letter, letter == right) for text, letter in zip(said.texts, letters, strict=True)
    ]


def answer_pair(
    question: Question, answers: Sequence[LabelledAnswer], prompts: Sequence[tuple[Message, ...]], seed: int
) -> Pair | None:
    """One right and one wrong answer from the same documents; None where no document set has both.

    prompts: by the place of the document set.
    """
    places = [
        place
        for place in range(len(prompts))
        if {True, False} <= {answer.right for answer in answers if answer.place == place}
    ]
    if not places:
        return None
    drawn = draw(seed, question.id, SampleKind.ANSWER)
    place = drawn.choice(places)
    good = drawn.choice([answer for answer in answers if answer.place == place and answer.right])
    bad = drawn.choice([answer for answer in answers if answer.place == place and not answer.right])
    return Pair(question.id, SampleKind.ANSWER, prompts[place], good.text, bad.text)
