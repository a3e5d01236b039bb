"""A model's text as plain text: tags, links, pictures, emphasis, role marks and invisible characters are taken out.

It works on whole sentences and on pieces of one, since a sentence may be cut in the middle of a link. What it gives holds no
HTML tag, no Markdown link or picture and no address; taken again it stays as it is. It keeps `<120/80` and `5*3`.
"""

import re
import unicodedata
from typing import NamedTuple

MOST_ROUNDS = 20  # a tag inside a tag inside a tag; more is torn apart at the brackets

_TAG = re.compile(r"</?[A-Za-z!?|][^<>\n]{0,400}>")
_TAG_OPEN = re.compile(r"<(?=[A-Za-z/!?|])")
_PICTURE = re.compile(r"!\[([^\[\]\n]{0,300})\]\([^()\n]{0,600}\)?")
_LINK = re.compile(r"\[([^\[\]\n]{0,300})\]\([^()\n]{0,600}\)?")
_REFERENCE = re.compile(r"\[([^\[\]\n]{1,300})\]\[[^\[\]\n]{0,80}\]")
_HALF_LINK = re.compile(r"\]\((?:\s*[a-z]*[:/.#][^()\n]{0,600}\)?)?|!\[", re.IGNORECASE)
_ADDRESS = re.compile(
    r"\b(?:https?|ftp)://[^\s<>()\"']*(?<![.,;])|\b(?:javascript|vbscript|mailto):(?=\S)[^\s<>()\"']*(?<![.,;])|"
    r"\bdata:[a-z]+/[^\s<>()\"']*|\bwww\.[^\s<>()\"']+(?<![.,;])",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"\b(?:https?|javascript|vbscript|mailto):(?=\S)|://", re.IGNORECASE)
# "___" stands for what was taken out of a note, and stays
_EMPHASIS = re.compile(
    r"\*\*+|(?<!_)__(?!_)|~~|```+|(?<!\w)[*`](?=\S)|(?<=\S)[*`](?!\w)|(?<![\w_])_(?=[^\W_])|(?<=[^\W_])_(?![\w_])"
)
_ROLE = re.compile(r"\[/?INST\]|<</?SYS>>|<\|[^|<>\n]{0,60}\|>", re.IGNORECASE)
_START = re.compile(r"^\s*(?:(?:#{1,6}|>)\s*|[-*+•·●▪◦–]\s+|\d{1,2}[.)]\s+(?=\D))+")
_BRACKETS = re.compile(r"[<>\[\]()*_`!#|:/]+")
_SPACES = re.compile(r"[^\S\n]+")


class Plain(NamedTuple):
    """text: without markup. changed: whether more was taken out than white space and emphasis."""

    text: str
    changed: bool


def plain(text: str) -> Plain:
    """One sentence or less, as plain text."""
    kept, changed = _visible(text), False
    for _ in range(MOST_ROUNDS):
        bare = _without_markup(kept)
        cleaned = _SPACES.sub(" ", _EMPHASIS.sub("", bare)).strip()
        changed = changed or bare != kept
        if cleaned == kept:
            return Plain(kept, changed)
        kept = cleaned
    return Plain(_SPACES.sub(" ", _BRACKETS.sub(" ", kept)).strip(), True)


def _without_markup(text: str) -> str:
    kept = _TAG.sub("", _ROLE.sub("", text))
    kept = _REFERENCE.sub(r"\1", _LINK.sub(r"\1", _PICTURE.sub(r"\1", kept)))
    kept = _HALF_LINK.sub(" ", _ADDRESS.sub("", kept))
    return _SCHEME.sub(" ", _TAG_OPEN.sub("< ", kept)).replace("()", "")


def without_start(line: str) -> str:
    """A line without the marks of a heading, a quotation or a list's entry at its beginning."""
    return _START.sub("", line)


def _visible(text: str) -> str:
    """Without control, format and private characters (zero width, direction, tags); other white space becomes a space."""
    return "".join(
        " " if c in "\t\n\r\u2028\u2029\u0085\x0b\x0c" else c
        for c in text
        if c in "\t\n\r\u2028\u2029\u0085\x0b\x0c" or unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs", "Cn")
    )
