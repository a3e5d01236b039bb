"""A question with options: the letter, the reasoning and the citations, by a model or else by overlap of evidence.

Overlap counts which option the retrieved text names most beside the question's words. It reads no meaning: a passage that
rules an option out counts for it. So each answer by overlap says how far ahead it was. Options that are no content, as yes
and no, cannot be answered so, and are not.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic import Field

from backend.generation.answer import ANSWER, choose_option, content_words
from backend.generation.material import Material
from backend.interfaces import Linker
from backend.prompts.answering import OPTION
from backend.prompts.asking import Asker
from backend.prompts.citations import resolved
from backend.prompts.task import LETTERS, first_words, task_text
from backend.schemas.base import Frozen
from backend.schemas.draft import WrittenSentence
from backend.schemas.evidence import Evidence
from backend.schemas.request import DraftRequest
from backend.schemas.vocabulary import Basis
from backend.text import sentences

REASONING_WORDS = 250
DOCUMENT_WORDS = 200
VERDICTS = content_words("yes no maybe true false none neither both all above below unsure unknown")
UNFIT = "Overlap of words cannot choose among yes, no and bare numbers; that needs a language model."
CLOSE = 0.75  # a runner-up with this share of the score fits almost as well


class OptionAnswer(NamedTuple):
    """letter and option: empty when none was chosen. reasoning: the model's, else empty. said: who chose, and how weak.

    fell: why a model did not answer, else empty. removed: citations that named nothing.
    """

    letter: str
    option: str
    reasoning: tuple[WrittenSentence, ...]
    citations: tuple[str, ...]
    said: str
    fell: str = ""
    removed: int = 0


class WordedOption(Frozen):
    reasoning: str = Field(min_length=1)
    letter: str = Field(pattern="^[A-J]$")
    citations: tuple[str, ...] = ()


def answer_option(material: Material, request: DraftRequest, linker: Linker, asker: Asker | None) -> OptionAnswer:
    """The answer of a model, or where there is none or it fails, the answer by overlap with the reason."""
    why = "no language model is set"
    if asker is not None:
        answered, why = by_model(asker, request, material.evidence)
        if answered is not None:
            return answered
    return by_overlap(material, request, linker)._replace(fell=f"answer: {why}, so overlap of evidence chose")


def by_model(asker: Asker, request: DraftRequest, evidence: Evidence) -> tuple[OptionAnswer | None, str]:
    """A model's answer, its citations looked up; None and why where it gave no option."""
    data = {"question": task_text(request), "documents": documents(evidence)}
    reply = asker.shaped(OPTION, WordedOption, data, words=REASONING_WORDS)
    if reply.value is None:
        return None, reply.reason
    letter = reply.value.letter
    place = LETTERS.index(letter)
    if place >= len(request.options):
        return None, f"{asker.name} chose the letter {letter}, which is none of the {len(request.options)} options"
    known = frozenset(name for name, _ in _texts(evidence))
    marks = " ".join(f"[{name.strip().strip('[]')}]" for name in reply.value.citations)
    cited = resolved(marks, known)
    told: list[WrittenSentence] = []
    removed = cited.removed
    text = first_words(reply.value.reasoning, REASONING_WORDS)
    for start, end in sentences(text):
        one = resolved(text[start:end], known)
        removed += one.removed
        if one.text:
            told.append(WrittenSentence(text=one.text, section=ANSWER, basis=Basis.GENERAL, citations=one.ids))
    citations = cited.ids or tuple(dict.fromkeys(name for sentence in told for name in sentence.citations))
    said = f"{asker.name} chose it" if citations else f"{asker.name} chose it and cited nothing that was retrieved"
    return OptionAnswer(letter, request.options[place], tuple(told), citations, said, "", removed), ""


def by_overlap(material: Material, request: DraftRequest, linker: Linker) -> OptionAnswer:
    """The option that the evidence names most, with how far it is ahead; none where no option is named at all."""
    if all(content_words(option) <= VERDICTS for option in request.options):
        return OptionAnswer("", "", (), (), UNFIT)
    chosen = choose_option(material, request, linker)
    if not chosen.option:
        return OptionAnswer("", "", (), (), "Nothing that was retrieved names any of the options.")
    letter = LETTERS[request.options.index(chosen.option)]
    share = chosen.runner_up / chosen.score
    ahead = f"the next option has {share:.0%} of its score" if chosen.runner_up else "no other option is named"
    weak = "so it is little more than a guess" if share > CLOSE else "and overlap of words is weak evidence"
    said = f"No language model reasoned here: {ahead}, {weak}."
    return OptionAnswer(letter, chosen.option, (), chosen.citations, said)


def option_sentences(answer: OptionAnswer) -> Iterator[WrittenSentence]:
    """The answer as the draft tells it: reasoning, the option, and in brackets who chose it and how weak that is."""
    yield from answer.reasoning
    if answer.option:
        by = "The answer chosen is" if answer.reasoning else "The retrieved evidence overlaps most with"
        text = f"{by} {answer.letter}: “{answer.option}”."
        yield WrittenSentence(text=text, section=ANSWER, basis=Basis.GENERAL, citations=answer.citations)
    told = " ".join(part if part.endswith(".") else f"{part}." for part in (answer.said, answer.fell) if part)
    yield WrittenSentence(text=f"[{told}]", section=ANSWER, basis=Basis.GENERAL)


def documents(evidence: Evidence) -> str:
    """What was retrieved, each with its id: passages, graph items, and of paths what edges carry."""
    return "\n\n".join(f"[{name}] {first_words(text, DOCUMENT_WORDS)}" for name, text in _texts(evidence))


def _texts(evidence: Evidence) -> Sequence[tuple[str, str]]:
    return [
        *((p.id, f"{p.title}. {p.text}") for p in evidence.passages),
        *((g.id, g.text) for g in evidence.graph),
        *((k.id, k.carried) for k in evidence.paths if k.carried),
    ]
