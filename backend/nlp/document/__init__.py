"""The structure of a note: sections, sentences and passages, all with exact code-point offsets."""

from backend.nlp.document.passage_cutting import passages
from backend.nlp.document.sections import sections
from backend.nlp.document.sentences import sentences

__all__ = ["passages", "sections", "sentences"]
