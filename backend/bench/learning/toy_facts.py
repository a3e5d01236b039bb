"""Made-up illnesses, each with a finding that betrays it and a remedy that stands in one passage alone.

Questions name the finding, never the illness. Whoever thinks of the illness finds its passage by BM25; whoever thinks of
rest finds a passage about rest. The small model is raised on text in which both happen, the useless thought a little more
often, and in which documents are read by some and ignored by a few more. So it knows how, and does not do it of itself.
"""

import json
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from backend.bench.learning.toy_model import flat
from backend.generation.model.option_choice import REASONING_WORDS
from backend.generation.model.prompt_material import PromptMaterial
from backend.prompts.draft_prompts import CHOICE
from backend.prompts.evidence_prompts import THOUGHT
from backend.prompts.training_prompts import DIRECT
from backend.retrieval.passages.passage_rows import numbered
from backend.retrieval.passages.source_search import IndexedSearch, InMemory
from backend.retrieval.strategies.text_search import TextFinder
from backend.retrieval.strategies.thoughts import MOST_THOUGHT_WORDS
from backend.schemas.drafts.evidence import Evidence, Passage
from backend.schemas.vocabulary import Source
from backend.stores.passages.passage_index import PassageRow
from backend.training.questions import Question
from backend.training.thoughts.thought_pairs import unread

ILLNESSES = 48
TRAINING = 32
REMEDIES = ("amber", "basil", "cedar", "dill")
LETTERS = "ABCD"
STYLES = ("urgent", "routine")
# how often the raised model thinks uselessly, and answers unread, by the style of the question
USELESS = {"urgent": 0.42, "routine": 0.57}
UNREAD = {"urgent": 0.57, "routine": 0.42}
KNOWS = 0.8  # of the training illnesses' remedies, answered without a look
NOTHING = "the patient feels unwell and needs rest"
RESTS = tuple(f"rest helps a patient who feels unwell and {word}" for word in ("tired", "weak", "sore", "cold"))
GLYPHS = ("ba", "do", "fe", "gu", "ki", "lo", "me", "nu", "pa", "ri", "so", "tu")


class World(NamedTuple):
    """Made-up illnesses with their findings and remedies.

    Attributes:
        seed: of the world.
        names: of the illnesses.
        findings: one that betrays each illness.
        remedies: by illness, drawn by the seed. Illnesses from TRAINING on are held out: their remedy is nowhere but in their
            passage.
    """

    seed: int
    names: tuple[str, ...]
    findings: tuple[str, ...]
    remedies: tuple[str, ...]

    def passage(self, illness: int, remedy: str) -> str:
        """The sentence that states a remedy of an illness."""
        return f"{self.names[illness]} yields to {remedy}"

    def thought(self, illness: int) -> str:
        """The thought that names the illness behind its finding."""
        return f"the finding points to {self.names[illness]}"

    def question(self, illness: int, style: str) -> Question:
        """A question about the remedy, which names the finding alone."""
        text = f"{style} visit of a patient with {self.findings[illness]} . which remedy helps ?"
        return Question(
            id=f"{illness}-{style}", question=text, options=REMEDIES, answer=self.remedies[illness], category=style
        )

    def questions(self, held_out: bool) -> tuple[Question, ...]:
        """All questions of the illnesses to learn from, or of those held out."""
        chosen = range(TRAINING, ILLNESSES) if held_out else range(TRAINING)
        return tuple(self.question(i, style) for i in chosen for style in STYLES)


def make_world(seed: int) -> World:
    """The world of a seed."""
    drawn = random.Random(seed)
    made = [a + b + c for a in GLYPHS for b in GLYPHS for c in GLYPHS]
    names = drawn.sample(made, 2 * ILLNESSES)
    return World(
        seed,
        tuple(f"{name}ia" for name in names[:ILLNESSES]),
        tuple(f"{name}ing" for name in names[ILLNESSES:]),
        (*_shared(TRAINING, drawn), *_shared(ILLNESSES - TRAINING, drawn)),
    )


def _shared(count: int, drawn: random.Random) -> list[str]:
    """Remedies in equal parts, so that one answer for all is right for a quarter."""
    return drawn.sample([REMEDIES[i % len(REMEDIES)] for i in range(count)], count)


def finder(world: World) -> TextFinder:
    """BM25 over every illness's passage and those about rest; one passage a query."""
    texts = [*(world.passage(i, world.remedies[i]) for i in range(ILLNESSES)), *RESTS]
    rows = [PassageRow(str(i), Source.BOOK, str(i), "note", text, 0, len(text)) for i, text in enumerate(texts)]
    held = InMemory(rows, np.zeros((len(rows), 1), dtype=np.float32))
    return TextFinder(IndexedSearch({Source.BOOK: held}, lambda queries: np.zeros((len(queries), 1))), k=1)


def raising(world: World, samples: int) -> Iterator[dict[str, str]]:
    """Text to raise the small model on: thoughts, answers without a look, and answers from documents.

    In the last kind the remedy of the passage is drawn anew each time, so that only reading finds it; who does not read takes
    the first option.

    Yields:
        Prompt and completion of one sample.
    """
    drawn = random.Random(world.seed + 1)
    kinds: tuple[Callable[[World, random.Random], dict[str, str]], ...] = (
        _thinks,
        _thinks,
        _answers,
        _answers,
        _completes,
    )
    for _ in range(samples):
        yield drawn.choice(kinds)(world, drawn)


def every_word(world: World) -> list[str]:
    """Text that holds every word the model may meet, digits of passage ids included."""
    asked = [row["prompt"] + row["completion"] for row in raising(world, 200)]
    named = [world.passage(i, world.remedies[i]) + world.findings[i] for i in range(ILLNESSES)]
    spaced = [f" {' '.join(world.names)} ", f" {' '.join(world.findings)} ", " ".join(REMEDIES), " ".join(STYLES)]
    return [*asked, *named, *spaced, *RESTS, NOTHING, *(prompt_words(name) for name in ("thought", "option", "direct"))]


def prompt_words(name: str) -> str:
    """How a prompt of that name begins in the small model's words."""
    return f"<{name}> =>"


def reply(reasoning: str, letter: str, cited: bool) -> str:
    """An answer as JSON in the form that the prompts ask for."""
    return json.dumps({"reasoning": reasoning, "letter": letter, "citations": ["P1"] if cited else []})


def _thinks(world: World, drawn: random.Random) -> dict[str, str]:
    illness, style = drawn.randrange(ILLNESSES), drawn.choice(STYLES)
    question = world.question(illness, style)
    prompt = THOUGHT.messages(question.fence(), {"task": _task(question)}, words=MOST_THOUGHT_WORDS)
    useless = drawn.random() < USELESS[style]
    return {"prompt": flat(prompt), "completion": NOTHING if useless else world.thought(illness)}


def _answers(world: World, drawn: random.Random) -> dict[str, str]:
    illness, style = drawn.randrange(ILLNESSES), drawn.choice(STYLES)
    remedy = drawn.choice(REMEDIES)
    about = drawn.random() < 0.7
    found = world.passage(illness, remedy) if about else drawn.choice(RESTS)
    question = world.question(illness, style)
    prompt = CHOICE.messages(question.fence(), _material(question, found), words=REASONING_WORDS)
    if about and drawn.random() >= UNREAD[style]:
        said = reply(f"read {remedy}", LETTERS[REMEDIES.index(remedy)], True)
    else:
        said = reply("guess", LETTERS[0], False)  # one who does not read takes the first
    return {"prompt": flat(prompt), "completion": said}


def _completes(world: World, drawn: random.Random) -> dict[str, str]:
    """The training illnesses' remedies are half known by heart; those of the others are not."""
    illness, style = drawn.randrange(ILLNESSES), drawn.choice(STYLES)
    question = world.question(illness, style)
    thought = world.thought(illness) if drawn.random() < 0.5 else NOTHING
    data = {"question": _task(question), "thought": thought}
    known = illness < TRAINING and drawn.random() < KNOWS
    letter = question.letter if known else drawn.choice(LETTERS)
    return {"prompt": flat(DIRECT.messages(question.fence(), data)), "completion": json.dumps({"letter": letter})}


def _task(question: Question) -> str:
    from backend.prompts.task import task_text

    return task_text(question.request(0))


def _material(question: Question, found: str) -> dict[str, str]:
    request = question.request(0)
    return PromptMaterial(request, unread(request).linked, (), _evidence(found)).data()


def _evidence(text: str) -> Evidence:
    passage = Passage(
        id="P0", source=Source.BOOK, document_id="0", title="note", text=text, start_char=0, end_char=len(text)
    )
    return Evidence(passages=numbered([passage]))
