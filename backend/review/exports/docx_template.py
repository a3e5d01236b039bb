"""A hospital's own Word file with placeholders, `{{patient_name}}` or `{{letter}}`, to a copy of a case.

A placeholder of a word stands anywhere in a line, also in headers, footers and cells; one of a block alone in its paragraph.
Word may have cut a placeholder into pieces of different looks; it takes the look of the first. What is put in is never read
for placeholders.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.errors import MissingError
from backend.review.exports.copies import REFERENCES, Copy, Part
from backend.review.exports.word_blocks import WordBlocks, stamp

if TYPE_CHECKING:
    from docx.document import Document as Word

SETTING = "LEAPNOTE_DOCX_TEMPLATE"
LETTER, MEDICINES, RED_FLAGS, SOURCES = "letter", "medicines", "red_flags", "sources"
BLOCKS = (LETTER, MEDICINES, RED_FLAGS, SOURCES)
WORDS = ("title", "status", "signed")
PLACE = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")


def filled(path: Path, copy: Copy) -> "Word":
    """The template with all that the copy says in its places.

    Sections that have no place of their own stand where `{{letter}}` is. A draft says so on every page, whatever the template
    has. Raises MissingError where the template cannot be opened, has no place for the letter, or a placeholder that does not
    exist; the message names it.
    """
    document = _opened(path)
    known = dict(copy.fields)
    values = known | {"title": copy.heading, "status": copy.banner, "signed": copy.notices[0] if copy.notices else ""}
    body = list(_paragraphs(document.element.body))
    around = [p for root in _edges(document) for p in _paragraphs(root)]
    named = {id(p): PLACE.findall(_text(p)) for p in (*body, *around)}
    held = {name for names in named.values() for name in names}
    _check(path, body, around, named, (*known, *WORDS))
    places = [(p, named[id(p)]) for p in (*body, *around) if named[id(p)]]
    for element, names in places:
        if names[0] in BLOCKS:
            _write(document, element, names[0], held, copy)
        else:
            _replace(element, values)
    if copy.banner:
        stamp(document, copy.banner)
    return document


def _opened(path: Path) -> "Word":
    import docx

    try:
        return docx.Document(str(path))
    except Exception as error:  # python-docx raises whatever a damaged archive makes it
        raise MissingError(
            f"The Word template {path.name!r} of {SETTING} cannot be opened ({type(error).__name__}). Name a .docx file."
        ) from None


def _check(path: Path, body: list[Any], around: list[Any], named: dict[int, list[str]], words: Sequence[str]) -> None:
    """Refuse a template that would lose a text or show a placeholder."""
    allowed = (*BLOCKS, *words)
    shown = ", ".join(f"{{{{{name}}}}}" for name in allowed)

    def refuse(what: str) -> None:
        raise MissingError(f"The Word template {path.name!r} of {SETTING} {what}")

    for p in (*body, *around):
        text, names = _text(p), named[id(p)]
        for name in names:
            if name not in allowed:
                refuse(f"has {{{{{name[:40]}}}}}, which is no placeholder. There are: {shown}.")
            if name in BLOCKS and (PLACE.sub("", text).strip() or len(names) > 1):
                refuse(f"has {{{{{name}}}}} among other words. It must stand alone in its paragraph.")
        if "{{" in (rest := PLACE.sub("", text)) or "}}" in rest:
            refuse("has a placeholder that is not closed: write it as {{letter}}.")
    if any(name in BLOCKS for p in around for name in named[id(p)]):
        refuse("has a block in a header or footer; only words can stand there.")
    counts = [name for p in body for name in named[id(p)] if name in BLOCKS]
    if LETTER not in counts:
        refuse("has no {{letter}}: the letter would be lost. Put it alone in a paragraph.")
    for name in BLOCKS:
        if counts.count(name) > 1:
            refuse(f"has {{{{{name}}}}} more than once.")


def _write(document: "Word", element: Any, name: str, held: set[str], copy: Copy) -> None:
    from docx.text.paragraph import Paragraph

    writer = WordBlocks(document, copy, Paragraph(element, document._body))
    # a cell must end with a paragraph
    last_of_cell = element.getparent().tag.endswith("}tc") and element.getnext() is None
    for part in _parts(copy, name, held):
        if name == MEDICINES:
            writer.inside(part)
        else:
            writer.part(part)
    if last_of_cell:
        for t in element.iter(f"{element.tag[:-1]}t"):
            t.text = ""
    else:
        writer.end()


def _parts(copy: Copy, name: str, held: set[str]) -> Iterator[Part]:
    """What stands at a place: a section has one place only."""
    for part in copy.parts:
        table = part.table is not None
        if (name == RED_FLAGS and part.box) or (name == SOURCES and part.heading == REFERENCES):
            yield part
        elif name == MEDICINES and table:
            yield part._replace(lines=())
        elif name == LETTER:
            if (part.box and RED_FLAGS in held) or (part.heading == REFERENCES and SOURCES in held):
                continue
            kept = part._replace(table=None) if table and MEDICINES in held else part
            if kept.lines or kept.table:
                yield kept


def _replace(element: Any, values: dict[str, str]) -> None:
    """Put words in, where Word's pieces of the paragraph begin a placeholder; its other pieces lose their share of it."""
    pieces = list(element.iter(f"{element.tag[:-1]}t"))
    text = "".join(piece.text or "" for piece in pieces)
    kept, at = [piece.text or "" for piece in pieces], 0
    starts = []
    for own in kept:
        starts.append(at)
        at += len(own)
    for found in reversed(list(PLACE.finditer(text))):
        value = values[found[1]]
        for place in reversed(range(len(pieces))):
            begin, end = max(found.start(), starts[place]), min(found.end(), starts[place] + len(kept[place]))
            if begin >= end:
                continue
            own, first = kept[place], begin == found.start()
            kept[place] = own[: begin - starts[place]] + (value if first else "") + own[end - starts[place] :]
    for piece, words in zip(pieces, kept, strict=True):
        piece.text = words
        piece.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")


def _paragraphs(root: Any) -> Iterator[Any]:
    """Every paragraph, also of cells and text boxes; of the two forms that Word keeps of a text box, both."""
    yield from root.iter("{http://schemas.openxmlformats.org/wordprocessingml/2006/main}p")


def _edges(document: "Word") -> Iterator[Any]:
    """The headers and footers that the file holds, each once."""
    seen = set()
    for part in document.part.package.iter_parts():
        if str(part.partname).startswith(("/word/header", "/word/footer")) and part.partname not in seen:
            seen.add(part.partname)
            yield part.element


def _text(element: Any) -> str:
    """The words of a paragraph itself, not of text boxes within it."""
    tag = element.tag
    own = (t for t in element.iter(f"{tag[:-1]}t") if next(a for a in t.iterancestors() if a.tag == tag) is element)
    return "".join(t.text or "" for t in own)
