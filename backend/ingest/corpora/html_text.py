"""HTML and Markdown to headed parts. Scripts, menus and footers are left out; a table's row becomes a line.

HTML is read with lxml's recovering parser, from memory: nothing is fetched and no entity of the page's own is expanded.
Pages made for a site generator hold `{% … %}` marks; the sentences among their parameters are kept, since some guideline
pages say everything there.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from backend.ingest.documents.source_documents import Section, clean, one_line

_NOT_READ = ("title", "script", "style", "nav", "footer", "head", "aside", "form", "button", "template", "svg")
_SKIPPED = frozenset((*_NOT_READ, "noscript", "iframe", "select"))
_TEXT_BLOCKS = (
    "p",
    "div",
    "section",
    "article",
    "main",
    "header",
    "blockquote",
    "pre",
    "br",
    "hr",
    "figure",
    "figcaption",
)
_LISTS = ("ul", "ol", "li", "dl", "dt", "dd")
_BLOCKS = frozenset((*_TEXT_BLOCKS, *_LISTS, "table", "tr", "caption", "tbody", "thead", "tfoot"))
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_CELLS = ("td", "th")
_BLOCK = "\x00"  # between blocks; no text of a page holds it
SENTENCE_WORDS = 8  # a parameter with fewer words is a name or a switch
MOST_SPAN = 200  # rows or columns that a cell may reach over; a page may say anything


class Cell(NamedTuple):
    """A table's cell. rows, columns: how many it reaches over, as the markup says; what is no number counts as 1."""

    text: str
    rows: str | None = None
    columns: str | None = None


def html_sections(text: str) -> tuple[str, tuple[Section, ...]]:
    """The page's title (empty where it has none) and its headed parts."""
    from lxml import etree, html

    source = _MARK.sub(_sentences, text).replace("\x00", " ")
    # huge_tree: without it, what follows 256 elements that are never closed would be lost
    parser = html.HTMLParser(
        encoding="utf-8", recover=True, no_network=True, remove_comments=True, remove_pis=True, huge_tree=True
    )
    try:
        page = html.document_fromstring(source.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:  # nothing but white space
        return "", ()
    walk = _Walk(one_line("".join(page.xpath("(//title)[1]//text()"))))
    walk.read(page)
    return walk.title, tuple(walk.sections)


def markdown_sections(text: str) -> tuple[str, tuple[Section, ...]]:
    """The page's title and its headed parts; a front matter gives its title and is left out."""
    from markdown_it import MarkdownIt

    title = ""
    front = _FRONT.match(text)
    if front:
        named = re.search(r"(?m)^title:\s*[\"']?(.+?)[\"']?\s*$", front[0])
        title = named[1] if named else ""
        text = text[front.end() :]
    found, sections = html_sections(MarkdownIt("commonmark", {"html": True}).enable("table").render(text))
    return one_line(title) or found, sections


def text_sections(text: str) -> tuple[str, tuple[Section, ...]]:
    """Plain text: no title, one part."""
    body = clean(text)
    return "", (Section("", body),) if body else ()


def table_lines(rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """A line a row; a cell that reaches over several rows stands in each, so that a dose keeps its drug.

    Args:
        rows: the cells that the markup has in each row, from left to right.

    Yields:
        The texts of a row's cells that hold any, joined by ` | `.
    """
    reaching: dict[int, tuple[str, int]] = {}  # by column: text, rows left
    for row in rows:
        texts, column = [], 0
        for cell in row:
            while column in reaching:
                texts.append(_again(reaching, column))
                column += 1
            texts.append(cell.text)
            if (over := _count(cell.rows)) > 1 and cell.text:
                reaching[column] = (cell.text, over)
                _again(reaching, column)
            column += _count(cell.columns)
        texts += [_again(reaching, behind) for behind in sorted(reaching) if behind >= column]
        if line := " | ".join(text for text in texts if text):
            yield line


def _again(reaching: dict[int, tuple[str, int]], column: int) -> str:
    """The text of a cell of an earlier row, which then reaches over one row less."""
    text, left = reaching.pop(column)
    if left > 1:
        reaching[column] = (text, left - 1)
    return text


def _count(stated: str | None) -> int:
    digits = (stated or "").strip()
    number = int(digits) if digits.isdecimal() and len(digits) < 6 else 1
    return min(max(number, 1), MOST_SPAN)


class _Walk:
    """Goes through a page's elements in order, however deep they are nested, and gathers its parts."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.sections: list[Section] = []
        self._header = ""
        self._parts: list[str] = []
        self._tables: list[list[list[Cell]]] = []  # rows that were read of each table that is open

    def read(self, page: Any) -> None:
        """All of it, once."""
        for event, element in (walker := _walker(page)):
            if event == "end":
                self._end(element)
            elif not self._start(element):
                walker.skip_subtree()  # its end comes none the less
        self._end_section()

    def _start(self, element: Any) -> bool:
        """Whether what is in the element is still to be read."""
        tag = element.tag
        if tag in _SKIPPED:
            return False
        if tag in _HEADINGS:
            self._heading(tag, one_line(_flat(element)))
            return False
        if tag == "tr" and self._tables and not _is_layout(element):
            self._tables[-1].append(_cells(element))
            return False
        if tag in _BLOCKS or tag in _CELLS:
            self._end_rows()
            self._parts.append(_BLOCK)
        if tag == "table":
            self._tables.append([])
        self._text(element.text)
        return True

    def _end(self, element: Any) -> None:
        if element.tag == "table" and self._tables:
            self._end_rows()
            self._tables.pop()
        if element.tag in _BLOCKS or element.tag in _CELLS:
            self._parts.append(_BLOCK)
        self._text(element.tail)

    def _text(self, text: str | None) -> None:
        if text:
            if text.strip():
                self._end_rows()
            self._parts.append(text)

    def _end_rows(self) -> None:
        """The rows that were read of the innermost table become lines."""
        if self._tables and self._tables[-1]:
            self._parts.append(_BLOCK + _BLOCK.join(table_lines(self._tables[-1])) + _BLOCK)
            self._tables[-1].clear()

    def _heading(self, tag: str, header: str) -> None:
        self._end_section()
        self._header = header
        # a heading further down is a part's, unless it is the page's one main heading
        if tag == "h1" or not self.sections:
            self.title = self.title or header

    def _end_section(self) -> None:
        """What was read since the last heading becomes a section, if it holds text."""
        self._end_rows()
        blocks = (" ".join(block.split()) for block in "".join(self._parts).split(_BLOCK))
        body = clean("\n\n".join(block for block in blocks if block))
        if body:
            self.sections.append(Section(self._header, body))
        self._parts = []


def _is_layout(row: Any) -> bool:
    """Whether a row holds a table, a heading of the page, or nothing but one cell with a heading."""
    if next(row.iterdescendants("table", "h1", "h2"), None) is not None:
        return True
    return len(_cells(row)) < 2 and next(row.iterdescendants(*_HEADINGS), None) is not None


def _cells(row: Any) -> list[Cell]:
    return [
        Cell(" ".join(_flat(cell).split()), cell.get("rowspan"), cell.get("colspan"))
        for cell in row
        if cell.tag in _CELLS
    ]


def _flat(element: Any) -> str:
    """All text within an element, blocks apart by a space; what is no reading matter left out."""
    parts = []
    for event, inner in (walker := _walker(element)):
        if inner.tag in _BLOCKS or inner.tag in _CELLS:
            parts.append(" ")
        if event == "start" and inner.tag in _SKIPPED:
            walker.skip_subtree()
        elif event == "start":
            parts.append(inner.text or "")
        elif inner is not element:
            parts.append(inner.tail or "")
    return "".join(parts)


def _walker(element: Any) -> Any:
    from lxml import etree

    return etree.iterwalk(element, events=("start", "end"))


def _sentences(mark: re.Match[str]) -> str:
    """What a site generator's mark says in words: its longer parameters, under its topic."""
    named = {name: _escaped(value) for name, _, value in _PARAMETER.findall(mark[0])}
    topic = named.get("topic") or named.get("title") or ""
    kept = [
        value
        for name, value in named.items()
        if name not in ("topic", "title") and len(value.split()) >= SENTENCE_WORDS
    ]
    return (f"<h3>{topic}</h3>" if topic and kept else "") + "".join(f"<p>{value}</p>" for value in kept)


def _escaped(value: str) -> str:
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


_MARK = re.compile(r"\{%-?.*?-?%\}|\{\{.*?\}\}", re.DOTALL)
_PARAMETER = re.compile(r"([\w-]+)\s*=\s*(['\"])(.*?)\2", re.DOTALL)
_FRONT = re.compile(r"---\s*\n.*?\n---\s*\n", re.DOTALL)
