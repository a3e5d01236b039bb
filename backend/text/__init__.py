"""The structure of a note: sections, sentences and passages, all with exact code-point offsets."""

from backend.text.passages import passages
from backend.text.sections import sections
from backend.text.sentences import sentences

__all__ = ["passages", "sections", "sentences"]
