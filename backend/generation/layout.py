"""Lays sentences out as a text with each sentence's offsets: sections under headings, or one flowing paragraph."""

from collections.abc import Sequence

from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.vocabulary import Document


class DocumentLayout:
    """The layout of every document. A paragraph is flowing text without headings; only discharge instructions may be one."""

    def lay_out(
        self, sentences: Sequence[WrittenSentence], document: Document, style: str
    ) -> tuple[str, tuple[tuple[int, int], ...]]:
        """Lay the sentences of a document out.

        A paragraph of a progress note ends where its sentence says so, since its lines are read one by one.

        Args:
            sentences: in their order; those of one section stand together.
            document: what they are the text of.
            style: `sections`, or `paragraph` for discharge instructions without headings.

        Returns:
            The text, and for each sentence its half-open code-point offsets in it.
        """
        headings = style != "paragraph" or document != Document.DISCHARGE_INSTRUCTIONS
        lines = document == Document.PROGRESS_NOTE
        text, spans, section, ended = "", [], "", False
        for sentence in sentences:
            if headings and sentence.section != section:
                text += f"{chr(10) * 2 if text else ''}{sentence.section}\n"
                section = sentence.section
            elif text:
                text += "\n" if lines and ended else " "
            spans.append((len(text), len(text) + len(sentence.text)))
            text += sentence.text
            ended = sentence.break_after
        return text, tuple(spans)
