"""Text as a printed copy may hold it: no control characters, nothing that turns the reading order round."""

import re
import unicodedata

# Embeddings and overrides could make a signed text read otherwise than it is stored; plain direction marks stay.
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
SPACES = str.maketrans({"\t": " ", "\u202f": "\u00a0", "\u2007": "\u00a0", "\u2009": " ", "\u2011": "-"})
DROPPED = frozenset(("Cc", "Cs"))


def printable(text: str) -> str:
    """The text with one kind of line break, and without what no document format may hold."""
    text = BREAKS.sub("\n", text).translate(SPACES)
    return "".join(c for c in text if c == "\n" or not _dropped(c))


def _dropped(c: str) -> bool:
    noncharacter = (ord(c) & 0xFFFE) == 0xFFFE or 0xFDD0 <= ord(c) <= 0xFDEF
    return noncharacter or c in BIDI or unicodedata.category(c) in DROPPED
