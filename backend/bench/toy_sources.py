"""Made-up illnesses over four sources: what a question wants stands in one kind of source, under the illness's name.

Every source has a passage about every illness, each about its own matter. A remedy stands in the book alone, advice in the
guideline, a trial in research, a name's origin in the wiki. Questions name the finding and what is wanted. The stand-in for
the expert words useful and useless queries; the stand-in for the judge looks whether the known answer is there. The small
planner is raised on plans that are well formed and drawn at random.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence

from backend.bench.toy_facts import ILLNESSES, REMEDIES, STYLES, TRAINING, World, prompt_words
from backend.bench.toy_model import flat
from backend.prompts.asking import json_in
from backend.prompts.training import EXPLORE
from backend.retrieval.gathering import TEXT_SOURCES
from backend.schemas.chat import Message
from backend.schemas.vocabulary import Source
from backend.stores.bm25 import Bm25Index
from backend.training.plan_pairs import plan_prompt, plan_reply
from backend.training.questions import Question
from backend.training.seeds import draw
from models.engine_scripted import Scripted

MATTER: dict[Source, str] = {
    Source.BOOK: "remedy",
    Source.GUIDELINE: "advice",
    Source.RESEARCH: "trial",
    Source.WIKI: "origin",
}
# what the raised planner half knows: how often a query names the illness, and how often a source is asked nothing
NAMES_ILLNESS = {True: 0.40, False: 0.20}  # in the source that holds what is wanted, and in the others
NOTHING_ASKED = {True: 0.10, False: 0.35}
USELESS = ("a patient feels unwell", "what helps a patient", "rest and sleep", "common illness")


def question(world: World, illness: int, source: Source, style: str) -> Question:
    text = f"{style} visit of a patient with {world.findings[illness]} . what {MATTER[source]} ?"
    return Question(
        id=f"{illness}-{source}-{style}", question=text, answer=fact(world, illness, source), category=source.value
    )


def questions(world: World, held_out: bool) -> tuple[Question, ...]:
    chosen = range(TRAINING, ILLNESSES) if held_out else range(TRAINING)
    return tuple(question(world, i, source, style) for i in chosen for source in MATTER for style in STYLES[:1])


def fact(world: World, illness: int, source: Source) -> str:
    drawn = draw(world.seed, illness, source)
    return f"{MATTER[source]} of {world.names[illness]} is {drawn.choice(REMEDIES)}"


class ToySources:
    """A QuerySearch: BM25, two passages a query, of which the first half, one, is read."""

    def __init__(self, world: World) -> None:
        self._texts = {s: [*(fact(world, i, s) for i in range(ILLNESSES)), *USELESS] for s in TEXT_SOURCES}
        self._indexes = {source: Bm25Index(texts) for source, texts in self._texts.items()}

    def filled(self) -> frozenset[Source]:
        return frozenset(TEXT_SOURCES)

    def documents(self, source: Source, query: str) -> Sequence[str]:
        if source not in self._indexes:
            return ()
        return [self._texts[source][row] for row, _ in self._indexes[source].search(query, 2)]


def query(world: World, illness: int, source: Source, named: bool, drawn: random.Random) -> str:
    if named:
        return drawn.choice((f"{MATTER[source]} of {world.names[illness]}", f"{world.names[illness]} {MATTER[source]}"))
    return drawn.choice((*USELESS, f"a patient with {world.findings[illness]}"))


def expert(world: World) -> Scripted:
    """Explores: six queries a source, a third of which name the illness. Judges: whether the known answer is there."""

    def answer(messages: Sequence[Message]) -> str:
        asked = messages[1].content
        if not messages[0].content.startswith(EXPLORE.instructions[:40]):
            parts = asked.split(">>\n")
            gold = next(part for part in parts if part.startswith(("remedy", "advice", "trial", "origin")))
            return json.dumps({"reason": "read", "supports": gold.split("\n")[0] in parts[-1]})
        illness = next(i for i, finding in enumerate(world.findings) if finding in asked)
        drawn = draw(world.seed, asked.split("\n", 1)[1])
        return json.dumps({s.value: [query(world, illness, s, i < 2, drawn) for i in range(6)] for s in TEXT_SOURCES})

    return Scripted(answer=answer)


def plan_raising(world: World, samples: int) -> Iterator[dict[str, str]]:
    """Well-formed plans drawn at random: 0 to 2 queries a source, some of which name the illness, a few more where it helps."""
    drawn = random.Random(world.seed + 2)
    for _ in range(samples):
        illness, about = drawn.randrange(ILLNESSES), drawn.choice(list(MATTER))
        asked = question(world, illness, about, STYLES[0])
        plan: dict[Source, tuple[str, ...]] = {
            source: _drawn_queries(world, illness, source, source == about, drawn) for source in TEXT_SOURCES
        }
        yield {"prompt": flat(plan_prompt(asked, TEXT_SOURCES)), "completion": plan_reply(plan, TEXT_SOURCES)}


def _drawn_queries(world: World, illness: int, source: Source, right: bool, drawn: random.Random) -> tuple[str, ...]:
    if drawn.random() < NOTHING_ASKED[right]:
        return ()
    count = drawn.choice((1, 1, 2))
    return tuple(query(world, illness, source, drawn.random() < NAMES_ILLNESS[right], drawn) for _ in range(count))


def every_word(world: World) -> list[str]:
    """Text that holds every word the planner may meet."""
    rows = [row["prompt"] + row["completion"] for row in plan_raising(world, 200)]
    return [
        *rows,
        " ".join(world.names),
        " ".join(world.findings),
        " ".join(MATTER.values()),
        *USELESS,
        prompt_words("plan"),
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
