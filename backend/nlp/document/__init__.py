"""The structure of a note: sections, sentences and passages, all with exact code-point offsets."""

from backend.nlp.document.sections import sections
from backend.nlp.document.sentences import passages, sentences

__all__ = ["passages", "sections", "sentences"]
