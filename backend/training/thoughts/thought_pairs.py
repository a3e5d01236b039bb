"""Thought pairs (RAR2 section 4.1): thoughts are sampled, labelled by the answers they lead to, and paired.

g_direct says whether the thought, completed without looking anything up, gives the right option; g_rag whether the answer
from what the thought retrieves is right. Both are asked at temperature 0. A chosen thought needs both. The paper leaves
open what a rejected one needs: here g_rag = 0, a thought that retrieves badly; g_direct is recorded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import Field

from backend.generation.model.option_choice import choose
from backend.generation.model.prompt_material import PromptMaterial
from backend.prompts.asking import Asker
from backend.prompts.evidence_prompts import THOUGHT
from backend.prompts.task import task_text
from backend.prompts.training_prompts import DIRECT
from backend.retrieval.passages.passage_rows import numbered
from backend.retrieval.strategies.text_search import TextFinder
from backend.retrieval.strategies.thoughts import MOST_THOUGHT_WORDS, thought_query
from backend.schemas.base import Frozen
from backend.schemas.chat import SamplingParams
from backend.schemas.drafts.evidence import Condition, Evidence, NotePiece
from backend.schemas.drafts.note import Allergies, LinkedNote, Note
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import AllergyStatus
from backend.training.questions import Question
from backend.training.rendered import Pair, SampleKind
from backend.training.synthetic.seeded_draws import draw, small_seed
from backend.training.watched_model import WatchedModel


@dataclass(frozen=True)
class SamplingSettings:
    """As RAR2 section 5.3 has it. document_sets: from how many distinct thoughts' finds answers are sampled, `answers` from each.

    temperature, top_p: of sampling; labels are always asked at temperature 0. with_question: the question goes into the
    query before the thought, as the running system's setting has it.
    """

    thoughts: int = 15
    answers: int = 5
    document_sets: int = 15
    temperature: float = 0.2
    top_p: float = 0.9
    with_question: bool = False
    seed: int = 0


class LabelledThought(NamedTuple):
    """times: how often it was sampled to the letter. direct, rag: g_direct and g_rag."""

    text: str
    times: int
    direct: bool
    rag: bool

    @property
    def chosen(self) -> bool:
        """Whether the thought leads to the right answer, alone and with what it retrieves."""
        return self.direct and self.rag

    @property
    def rejected(self) -> bool:
        """Whether what it retrieves leads to a wrong answer."""
        return not self.rag


class WordedLetter(Frozen):
    """The reply of a model that answers with a letter."""

    letter: str = Field(pattern="^[A-J]$")


class Read(NamedTuple):
    """What the running program knows of a request before it looks anything up, and tells whoever answers."""

    linked: LinkedNote
    conditions: Sequence[Condition] = ()
    notes: tuple[NotePiece, ...] = ()


Reader = Callable[[DraftRequest], Read]


def unread(request: DraftRequest) -> Read:
    """The question as it stands, nothing recognised in it: for worlds that no linker knows."""
    return Read(LinkedNote(note=Note(text=request.question), allergies=Allergies(status=AllergyStatus.NOT_STATED)))


class AskedQuestion(NamedTuple):
    """A question at work: its model, watched, the asker that holds its fence, and what is known before any search."""

    question: Question
    model: WatchedModel
    asker: Asker
    read: Read

    @classmethod
    def of(cls, question: Question, model: WatchedModel, seed: int, reader: Reader = unread) -> "AskedQuestion":
        """A question with who asks it, by a seed of its own."""
        asker = Asker(model, small_seed(seed, question.id), question.fence)
        return cls(question, model, asker, reader(question.request(seed)))

    def material(self, evidence: Evidence) -> PromptMaterial:
        """What the running writer would be given with this evidence."""
        whole = evidence.model_copy(update={"notes": self.read.notes})
        return PromptMaterial(self.question.request(0), self.read.linked, self.read.conditions, whole)

    def letter(self, evidence: Evidence) -> str:
        """What the running writer's prompt makes the model choose, at temperature 0; empty where it chooses none.

        Raises what the model fails by, since no answer is not a wrong answer.
        """
        chosen = choose(self.model, self.question.request(0), self.material(evidence), self.question.fence())
        self.model.check()
        return chosen.letter


def sample_thoughts(asked: AskedQuestion, settings: SamplingSettings) -> tuple[tuple[str, int], ...]:
    """Each distinct thought with how often it came, in the order of first sight; replies without a word are none."""
    request = asked.question.request(settings.seed)
    said = asked.asker.texts(
        THOUGHT,
        {"task": task_text(request)},
        sampling=SamplingParams(settings.thoughts, settings.temperature, settings.top_p),
        words=MOST_THOUGHT_WORDS,
    )
    asked.model.check()
    return tuple((text, said.texts.count(text)) for text in dict.fromkeys(said.texts))


def label_thought(
    asked: AskedQuestion, thought: str, times: int, finder: TextFinder, settings: SamplingSettings
) -> LabelledThought:
    """A reply out of form names no option, so it is not right."""
    question = asked.question
    request = question.request(settings.seed)
    direct = asked.asker.shaped(DIRECT, WordedLetter, {"question": task_text(request), "thought": thought})
    asked.model.check()
    letter = asked.letter(evidence_of(question, thought, finder, settings))
    return LabelledThought(
        thought,
        times,
        direct.value is not None and direct.value.letter == question.letter,
        letter == question.letter,
    )


def thought_pair(question: Question, labelled: Sequence[LabelledThought], seed: int) -> Pair | None:
    """One chosen and one rejected thought, drawn by how often they were sampled; None where either is missing."""
    good = [thought for thought in labelled if thought.chosen]
    bad = [thought for thought in labelled if thought.rejected]
    if not good or not bad:
        return None
    drawn = draw(seed, question.id, SampleKind.THOUGHT)
    chosen, rejected = (drawn.choices(side, [thought.times for thought in side])[0] for side in (good, bad))
    prompt = THOUGHT.messages(question.fence(), {"task": task_text(question.request(seed))}, words=MOST_THOUGHT_WORDS)
    return Pair(question.id, SampleKind.THOUGHT, prompt, chosen.text, rejected.text)


def evidence_of(question: Question, thought: str, finder: TextFinder, settings: SamplingSettings) -> Evidence:
    """What the thought retrieves, as the system rar2 hands it to whoever answers."""
    query = thought_query(question.request(settings.seed), (thought,), settings.with_question)
    return Evidence(passages=numbered(finder.find(query)))
