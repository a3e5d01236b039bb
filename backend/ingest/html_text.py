"""HTML and Markdown to headed parts. Scripts, menus and footers are left out; a table's row becomes a line.

Pages made for a site generator hold `{% … %}` marks; the sentences among their parameters are kept, since some guideline pages
say everything there.
"""

import re
from html.parser import HTMLParser

from backend.ingest.documents import Section, clean, one_line

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

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self._in_title = True
        if tag in _SKIPPED:
            self._hidden.append(tag)
        elif tag in _HEADINGS:
            self._end_section()
            self._heading = []
        elif tag in ("td", "th"):
            self._parts.append(" | ")
        elif tag in _BLOCKS:
            self._parts.append("\n\n")

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
        elif tag in _BLOCKS:
            self._parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self._title = self._title or one_line(data)
        elif not self._hidden:
            (self._parts if self._heading is None else self._heading).append(data)

    def finish(self) -> tuple[str, tuple[Section, ...]]:
        self._end_section()
        return self._title, tuple(self._sections)

    def _end_section(self) -> None:
        blocks = (" ".join(block.replace("\n", " ").split()) for block in "".join(self._parts).split("\n\n"))
        body = clean("\n\n".join(row for block in blocks if (row := _CELLS.sub(" | ", block).strip(" |"))))
        if body:
            self._sections.append(Section(self._header, body))
        self._parts = []


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
