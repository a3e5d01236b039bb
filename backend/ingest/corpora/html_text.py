"""HTML and Markdown to headed parts. Scripts, menus and footers are left out; a table's row becomes a line, whatever its cells hold.

Pages made for a site generator hold `{% … %}` marks; the sentences among their parameters are kept, since some guideline pages
say everything there.
"""

import re
from html.parser import HTMLParser

from backend.ingest.corpora.table_rows import RowSpans
from backend.ingest.documents.source_documents import Section, clean, one_line

_SKIPPED = frozenset(
    [
        "script",
        "style",
        "nav",
        "footer",
        "head",
        "aside",
        "form",
        "button",
        "template",
        "svg",
        "noscript",
        "iframe",
        "select",
    ]
)
_BLOCKS = frozenset(
    [
        "p",
        "div",
        "section",
        "article",
        "main",
        "header",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "table",
        "tr",
        "blockquote",
        "pre",
        "br",
        "hr",
        "figure",
        "figcaption",
        "caption",
        "tbody",
        "thead",
    ]
)
_CELLS_OF_ROWS = frozenset(("td", "th"))
_OF_TABLES = frozenset(("table", "tr", "tbody", "thead", "caption"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
SENTENCE_WORDS = 8  # a parameter with fewer words is a name or a switch


def html_sections(text: str) -> tuple[str, tuple[Section, ...]]:
    """The page's title (empty where it has none) and its headed parts."""
    reader = _Reader()
    reader.feed(_TAG.sub(_told, text))
    reader.close()
    return reader.finish()


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


class _Table:
    """A table that is being read: its spans, and where its open cell began among the parts."""

    def __init__(self) -> None:
        self.spans = RowSpans()
        self.row = False
        self.cell: int | None = None
        self.over: tuple[str | None, str | None] = (None, None)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._title = ""
        self._header = ""
        self._parts: list[str] = []
        self._sections: list[Section] = []
        self._hidden: list[str] = []
        self._heading: list[str] | None = None
        self._in_title = False
        self._tables: list[_Table] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self._in_title = True
        if tag in _SKIPPED:
            self._hidden.append(tag)
        elif tag in _HEADINGS:
            self._end_section()
            self._heading = []
        elif tag in _CELLS_OF_ROWS:
            self._begin_cell(dict(attrs))
        elif tag in _BLOCKS:
            if tag == "tr":
                self._end_row()
            self._parts.append(self._break(tag))
            if tag == "table":
                self._tables.append(_Table())

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        if tag in self._hidden:
            # an unclosed inner one ends with its outer one
            while self._hidden.pop() != tag:
                pass
        elif tag in _HEADINGS and self._heading is not None:
            header = one_line("".join(self._heading))
            self._header, self._heading = header, None
            # a heading further down is a part's, unless it is the page's one main heading
            if tag == "h1" or not self._sections:
                self._title = self._title or header
        elif tag in _CELLS_OF_ROWS:
            self._end_cell()
        elif tag in _BLOCKS:
            if tag in ("tr", "table"):
                self._end_row()
            if tag == "table" and self._tables:
                self._tables.pop()
            self._parts.append(self._break(tag))

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self._title = self._title or one_line(data)
        elif not self._hidden:
            (self._parts if self._heading is None else self._heading).append(data)

    def finish(self) -> tuple[str, tuple[Section, ...]]:
        self._end_section()
        return self._title, tuple(self._sections)

    def _break(self, tag: str) -> str:
        """Between blocks; a cell's own paragraphs stay in their row."""
        within = bool(self._tables) and self._tables[-1].cell is not None and tag not in _OF_TABLES
        return " " if within else "\n\n"

    def _begin_cell(self, attributes: dict[str, str | None]) -> None:
        self._end_cell()
        self._parts.append(" | ")
        if not self._tables:
            return
        table = self._tables[-1]
        if not table.row:
            table.spans.begin_row()
            table.row = True
        self._parts.extend(f"{text} | " for text in table.spans.before_cell())
        table.cell = len(self._parts)
        table.over = (attributes.get("rowspan"), attributes.get("colspan"))

    def _end_cell(self) -> None:
        if self._tables and (start := self._tables[-1].cell) is not None:
            self._tables[-1].cell = None
            self._tables[-1].spans.cell(" ".join("".join(self._parts[start:]).split()), *self._tables[-1].over)

    def _end_row(self) -> None:
        self._end_cell()
        if self._tables and self._tables[-1].row:
            self._tables[-1].row = False
            self._parts.extend(f" | {text}" for text in self._tables[-1].spans.end_row())

    def _end_section(self) -> None:
        blocks = (" ".join(block.replace("\n", " ").split()) for block in "".join(self._parts).split("\n\n"))
        body = clean("\n\n".join(row for block in blocks if (row := _CELLS.sub(" | ", block).strip(" |"))))
        if body:
            self._sections.append(Section(self._header, body))
        self._parts = []
        for table in self._tables:
            table.cell = None


def _told(mark: re.Match[str]) -> str:
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


_TAG = re.compile(r"\{%-?.*?-?%\}|\{\{.*?\}\}", re.DOTALL)
_CELLS = re.compile(r"(?:\s*\|)+\s*")
_PARAMETER = re.compile(r"([\w-]+)\s*=\s*(['\"])(.*?)\2", re.DOTALL)
_FRONT = re.compile(r"---\s*\n.*?\n---\s*\n", re.DOTALL)
