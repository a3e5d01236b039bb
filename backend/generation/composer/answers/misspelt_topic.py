"""A question whose one topic is misspelt, read with the name that it can only be.

The rest of a question stays as it was asked, and one with a topic that is spelt right, or with options, stays whole: "whats diabete"
asks about diabetes, "can I take lisinoprl with gout" is left to the linker. What was taken for what is told with the answer.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.generation.composer.answers.asked import MUST
from backend.interfaces import Linker
from backend.nlp.lexicon.names import NameIndex
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.headings import ANSWER
from backend.schemas.drafts.note import Mention
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis

_WORD = re.compile(r"(?<![\w'’-])[A-Za-z]+(?![\w'’-])")


class TakenFor(NamedTuple):
    """A word of a question and the name that it was taken for."""

    word: str
    meant: str
    topic: str

    def told(self) -> WrittenSentence:
        """The remark that stands before the answer."""
        topic = "" if self.topic.lower() == self.meant else f", here {self.topic}"
        text = f"[“{self.word}” is taken for “{self.meant}”{topic}.]"
        return WrittenSentence(text=text, section=ANSWER, basis=Basis.GENERAL)


class TopicReader:
    """Reads the misspelt topic of questions.

    Args:
        names: whose words are known.
        linker: says what a word names.
    """

    def __init__(self, names: NameIndex, linker: Linker) -> None:
        self._names = names
        self._linker = linker

    def read(self, request: DraftRequest) -> tuple[DraftRequest, TakenFor | None]:
        """The request, its question with the name in place of the misspelt word, and what was taken for what."""
        question = request.question
        unknown = (
            [] if request.options else [one for one in _WORD.finditer(question) if self._names.unknown(one[0].lower())]
        )
        if len(unknown) != 1:
            return request, None
        (word,) = unknown
        meant = self._names.meant_in_question(word[0].lower())
        if meant is None:
            return request, None
        read = f"{question[: word.start()]}{meant}{question[word.end() :]}"
        topic = _only_topic(self._linker.named(read), word.start(), word.start() + len(meant))
        if topic is None:
            return request, None
        return request.model_copy(update={"question": read}), TakenFor(word[0], meant, topic.name)


def _only_topic(mentions: Sequence[Mention], start: int, end: int) -> Mention | None:
    """What a place names, where nothing else is asked about."""
    topics = [one for one in mentions if one.category in MUST]
    return topics[0] if len(topics) == 1 and topics[0].start_char < end and start < topics[0].end_char else None
