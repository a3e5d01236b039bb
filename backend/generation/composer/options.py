"""A question with options, answered without a model: the letter and the citations, by overlap of evidence.

Overlap counts which option the retrieved text names most beside the question's words. It reads no meaning: a passage that
rules an option out counts for it. So each answer by overlap says how far ahead it was. Options that are no content, as yes
and no, cannot be answered so, and are not.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from backend.generation.composer.answer import ANSWER, choose_option
from backend.generation.composer.material import Material
from backend.generation.composer.wording import content_words
from backend.interfaces import Linker
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import LETTERS, Basis

VERDICTS = content_words("yes no maybe true false none neither both all above below unsure unknown")
UNFIT = "Overlap of words cannot choose among yes, no and bare numbers; that needs a language model."
CLOSE = 0.75  # a runner-up with this share of the score fits almost as well


class OptionAnswer(NamedTuple):
    """letter and option: empty when none was chosen. said: who chose, and how weak. fell: why no model did."""

    letter: str
    option: str
    citations: tuple[str, ...]
    said: str
    fell: str = ""


NONE_LEFT = "No option was chosen: the safety check forbids each of them for this patient"


def answer_option(
    material: Material, request: DraftRequest, linker: Linker, forbidden: Collection[str] = ()
) -> OptionAnswer:
    """The answer by overlap, with the reason why no model gave it. forbidden: letters of options never chosen."""
    fell = "answer: no language model is set, so overlap of evidence chose"
    return by_overlap(material, request, linker, forbidden)._replace(fell=fell)


def by_overlap(
    material: Material, request: DraftRequest, linker: Linker, forbidden: Collection[str] = ()
) -> OptionAnswer:
    """The permitted option that the evidence names most, with how far it is ahead; none where none of them is named at all."""
    if all_forbidden(request.options, forbidden):
        return OptionAnswer("", "", (), f"{NONE_LEFT}.")
    if all(content_words(option) <= VERDICTS for option in request.options):
        return OptionAnswer("", "", (), UNFIT)
    chosen = choose_option(material, request, linker, forbidden)
    if not chosen.option:
        which = "permitted options" if forbidden else "options"
        return OptionAnswer("", "", (), f"Nothing that was retrieved names any of the {which}.")
    letter = LETTERS[request.options.index(chosen.option)]
    share = chosen.runner_up / chosen.score
    ahead = f"the next option has {share:.0%} of its score" if chosen.runner_up else "no other option is named"
    weak = "so it is little more than a guess" if share > CLOSE else "and overlap of words is weak evidence"
    said = f"No language model reasoned here: {ahead}, {weak}."
    return OptionAnswer(letter, chosen.option, chosen.citations, said)


def all_forbidden(options: Sequence[str], forbidden: Collection[str]) -> bool:
    """Whether there are options and none of them may be chosen."""
    return bool(options) and all(letter in forbidden for letter in LETTERS[: len(options)])


def forbidden_sentences(options: Sequence[str], forbidden: Mapping[str, str]) -> Iterator[WrittenSentence]:
    """A sentence for each option that was not chosen since the safety check forbids it. forbidden: reasons by letter."""
    for letter, option in zip(LETTERS, options, strict=False):
        if letter in forbidden:
            told = f"[{letter}: “{option}” must not be used and was not chosen: {forbidden[letter].rstrip('.')}.]"
            yield WrittenSentence(text=told, section=ANSWER, basis=Basis.GENERAL)


def option_sentences(answer: OptionAnswer) -> Iterator[WrittenSentence]:
    """The answer as the draft tells it: the option, and in brackets who chose it and how weak that is."""
    if answer.option:
        text = f"The retrieved evidence overlaps most with {answer.letter}: “{answer.option}”."
        yield WrittenSentence(text=text, section=ANSWER, basis=Basis.GENERAL, citations=answer.citations)
    told = " ".join(part if part.endswith(".") else f"{part}." for part in (answer.said, answer.fell) if part)
    yield WrittenSentence(text=f"[{told}]", section=ANSWER, basis=Basis.GENERAL)
