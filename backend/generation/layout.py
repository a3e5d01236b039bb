"""Sentences to a text, with each sentence's offsets: sections under headings, or one flowing paragraph."""

from collections.abc import Sequence

from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.vocabulary import Document


class DocumentLayout:
    """A paragraph is flowing text without headings; only discharge instructions may be one."""

    def lay_out(
        self, sentences: Sequence[WrittenSentence], document: Document, style: str
    ) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The draft's text, and each sentence's half-open offsets in it."""
        headings = style != "paragraph" or document != Document.DISCHARGE_INSTRUCTIONS
        text, spans, section = "", [], ""
        for sentence in sentences:
            if headings and sentence.section != section:
                text += f"{chr(10) * 2 if text else ''}{sentence.section}\n"
                section = sentence.section
            elif text:
                text += " "
            spans.append((len(text), len(text) + len(sentence.text)))
            text += sentence.text
        return text, tuple(spans)
