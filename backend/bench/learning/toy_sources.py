"""Made-up illnesses over four sources: what a question wants stands in two of them, under the illness's name.

Every source has two passages about every illness, each about a matter of its own: a remedy stands in the book and the
guideline, and so on. Questions name the finding and what is wanted. So a query serves that names the illness and the right
matter in a right source, fails without the name or in a wrong source, and often with another matter. The stand-in for the expert words one to four useful queries
of six; the stand-in for the judge looks whether the known answer is there. The small planner is raised on plans that are
well formed and drawn at random.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence

from backend.bench.learning.toy_facts import ILLNESSES, REMEDIES, STYLES, TRAINING, World, prompt_words
from backend.bench.learning.toy_model import flat
from backend.prompts.asking import json_in
from backend.prompts.evidence_prompts import THOUGHT
from backend.prompts.training_prompts import EXPLORE
from backend.retrieval.strategies.strategy import TEXT_SOURCES
from backend.retrieval.strategies.thoughts import MOST_THOUGHT_WORDS
from backend.schemas.chat import Message
from backend.schemas.vocabulary import Source
from backend.stores.passages.bm25 import Bm25Index
from backend.training.plans.plan_pairs import plan_prompt, plan_reply
from backend.training.questions import Question
from backend.training.synthetic.seeded_draws import draw
from models.llm.engine_scripted import Scripted

STANDS_IN: dict[str, tuple[Source, Source]] = {
    "remedy": (Source.BOOK, Source.GUIDELINE),
    "advice": (Source.GUIDELINE, Source.RESEARCH),
    "trial": (Source.RESEARCH, Source.WIKI),
    "origin": (Source.WIKI, Source.BOOK),
}
FORMS = ("{matter} of {name}", "{name} {matter}", "{matter} for {name}", "which {matter} helps {name}")
# what the raised planner half knows: how often a query names the illness, and how often a source is asked nothing
NAMES_ILLNESS = {True: 0.40, False: 0.20}  # in the sources that hold what is wanted, and in the others
NOTHING_ASKED = {True: 0.10, False: 0.35}
RIGHT_MATTER = 0.5  # of the queries that name the illness; the others ask for what is not wanted
USELESS = ("a patient feels unwell", "what helps a patient", "rest and sleep", "common illness")


def question(world: World, illness: int, matter: str, style: str) -> Question:
    """A question about one matter of an illness, which names its finding alone."""
    text = f"{style} visit of a patient with {world.findings[illness]} . what {matter} ?"
    return Question(
        id=f"{illness}-{matter}-{style}", question=text, answer=fact(world, illness, matter), category=matter
    )


def questions(world: World, held_out: bool) -> tuple[Question, ...]:
    """All questions of the illnesses to learn from, or of those held out."""
    chosen = range(TRAINING, ILLNESSES) if held_out else range(TRAINING)
    return tuple(question(world, i, matter, style) for i in chosen for matter in STANDS_IN for style in STYLES[:1])


def fact(world: World, illness: int, matter: str) -> str:
    """The sentence that answers the questions about a matter of an illness."""
    drawn = draw(world.seed, illness, matter)
    return f"{matter} of {world.names[illness]} is {drawn.choice(REMEDIES)}"


class ToySources:
    """A QuerySearch: BM25, two passages a query, of which the first half, one, is read."""

    def __init__(self, world: World) -> None:
        self._texts = {
            source: [
                *(fact(world, i, m) for m, held in STANDS_IN.items() if source in held for i in range(ILLNESSES)),
                *USELESS,
            ]
            for source in TEXT_SOURCES
        }
        self._indexes = {source: Bm25Index(texts) for source, texts in self._texts.items()}

    def filled(self) -> frozenset[Source]:
        """All text sources."""
        return frozenset(TEXT_SOURCES)

    def documents(self, source: Source, query: str) -> Sequence[str]:
        """The two best texts of a source for a query."""
        if source not in self._indexes:
            return ()
        return [self._texts[source][row] for row, _ in self._indexes[source].search(query, 2)]


def named(world: World, illness: int, matter: str) -> tuple[str, ...]:
    """The queries that name the illness and the matter."""
    return tuple(form.format(name=world.names[illness], matter=matter) for form in FORMS)


def useless(world: World, illness: int, matter: str) -> tuple[str, ...]:
    """Queries that find no answer about the matter: without the illness's name, or about another matter."""
    others = [text for other in STANDS_IN if other != matter for text in named(world, illness, other)[:2]]
    return (*USELESS, f"a patient with {world.findings[illness]}", f"{world.findings[illness]} {matter}", *others)


def expert(world: World) -> Scripted:
    """A scripted model that explores and judges.

    It words six queries a source, one to four of which ask for what is wanted by the illness's name, and judges by whether the
    known answer is there.
    """

    def answer(messages: Sequence[Message]) -> str:
        asked = messages[1].content
        if not messages[0].content.startswith(EXPLORE.instructions[:40]):
            parts = asked.split(">>\n")
            gold = next(part for part in parts if part.startswith(tuple(STANDS_IN)))
            return json.dumps({"reason": "read", "supports": gold.split("\n")[0] in parts[-1]})
        illness = next(i for i, finding in enumerate(world.findings) if finding in asked)
        matter = next(m for m in STANDS_IN if f"what {m} ?" in asked)
        drawn = draw(world.seed, asked.split("\n", 1)[1])
        return json.dumps({s.value: _explored(world, illness, matter, drawn) for s in TEXT_SOURCES})

    return Scripted(answer=answer)


def _explored(world: World, illness: int, matter: str, drawn: random.Random) -> list[str]:
    good = drawn.sample(named(world, illness, matter), drawn.randint(1, 4))
    return [*good, *drawn.sample(useless(world, illness, matter), 6 - len(good))]


def plan_raising(world: World, samples: int) -> Iterator[dict[str, str]]:
    """Text to raise the small planner on: findings with their illnesses, and in turn well-formed plans drawn at random.

    A plan has 0 to 2 queries a source, some of which name the illness, a few more where it helps.

    Yields:
        Prompt and completion of one sample.
    """
    drawn = random.Random(world.seed + 2)
    for number in range(samples):
        illness, matter = drawn.randrange(ILLNESSES), drawn.choice(list(STANDS_IN))
        asked = question(world, illness, matter, STYLES[0])
        if number % 2:
            messages = THOUGHT.messages(asked.fence(), {"task": asked.question}, words=MOST_THOUGHT_WORDS)
            yield {"prompt": flat(messages), "completion": world.thought(illness)}
            continue
        plan: dict[Source, tuple[str, ...]] = {
            source: _drawn_queries(world, illness, matter, source in STANDS_IN[matter], drawn)
            for source in TEXT_SOURCES
        }
        yield {"prompt": flat(plan_prompt(asked, TEXT_SOURCES)), "completion": plan_reply(plan, TEXT_SOURCES)}


def _drawn_queries(world: World, illness: int, matter: str, right: bool, drawn: random.Random) -> tuple[str, ...]:
    if drawn.random() < NOTHING_ASKED[right]:
        return ()
    count = drawn.choice((1, 1, 2))
    return tuple(_drawn_query(world, illness, matter, right, drawn) for _ in range(count))


def _drawn_query(world: World, illness: int, matter: str, right: bool, drawn: random.Random) -> str:
    if drawn.random() < NAMES_ILLNESS[right]:
        asked = matter if drawn.random() < RIGHT_MATTER else drawn.choice(list(STANDS_IN))
        return drawn.choice(named(world, illness, asked))
    return drawn.choice((*USELESS, f"a patient with {world.findings[illness]}", f"{world.findings[illness]} {matter}"))


def every_word(world: World) -> list[str]:
    """Text that holds every word the planner may meet."""
    rows = [row["prompt"] + row["completion"] for row in plan_raising(world, 200)]
    return [
        *rows,
        " ".join(world.names),
        " ".join(world.findings),
        " ".join(STANDS_IN),
        *USELESS,
        prompt_words("plan"),
        prompt_words("thought"),
    ]


def served(world: World, search: ToySources, asked: Question, reply: str) -> tuple[bool, int, int]:
    """Whether any query of a plan found the answer, how many of its queries did, and how many it has."""
    plan: Mapping[str, object] = json_in(reply) or {}
    queries = [
        (source, text)
        for source in TEXT_SOURCES
        if isinstance(listed := plan.get(source.value), list)
        for text in listed[:3]
        if isinstance(text, str) and text
    ]
    good = sum(asked.answer in search.documents(source, text)[:1] for source, text in queries)
    return good > 0, good, len(queries)
