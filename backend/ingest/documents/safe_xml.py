"""Reads XML element by element, as data from outside must be read: no entity is expanded, nothing is fetched.

defusedxml refuses a file that declares entities of its own ("billion laughs") or outside ones. What was read is thrown
away at once, so that a file of any size takes the memory of one element.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring, iterparse

from backend.errors import InputError
from backend.ingest.documents.file_opening import open_unpacked

__all__ = ["Element", "elements", "inner_text", "parsed"]


def elements(
    path: Path, tags: frozenset[str], follow: Callable[[Path, IO[bytes]], Callable[[], None]]
) -> Iterator[Element]:
    """Every outermost element of these tags (namespaces left out), whole, in file order; the file may be gzipped.

    follow: told of the open file at the start (Reading.follow).

    Yields:
        Element: one at a time.

    Raises:
        InputError: where the XML is broken or unsafe.
    """
    with open_unpacked(path) as (file, raw):
        look = follow(path, raw)
        depth = 0  # of wanted elements that are open
        try:
            held: list[Element] = []
            for event, element in iterparse(file, events=("start", "end")):
                wanted = local(element.tag) in tags
                if event == "start":
                    held.append(element)
                    depth += wanted
                    continue
                held.pop()
                depth -= wanted
                if wanted and not depth:
                    look()
                    yield element
                if not depth:
                    element.clear()
                    if held:
                        held[-1].remove(element)
        except (ParseError, DefusedXmlException, EOFError, OSError) as error:
            raise InputError(
                f"{path.name!r} cannot be read as XML: {_reason(error)}. Nothing of it was put into use; mend or fetch the "
                "file again."
            ) from error


def parsed(data: bytes) -> Element | None:
    """A small XML text as its root element; None where it is broken or unsafe."""
    try:
        root: Element = fromstring(data)
    except (ParseError, DefusedXmlException, ValueError):
        return None
    return root


def local(tag: object) -> str:
    """A tag without its namespace; comments and processing instructions have none."""
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""


def inner_text(element: Element | None, leave_out: frozenset[str] = frozenset()) -> str:
    """All text within an element, the elements of some tags left out but for what follows them."""
    if element is None:
        return ""
    parts = [element.text or ""]
    for child in element:
        if local(child.tag) and local(child.tag) not in leave_out:
            parts.append(inner_text(child, leave_out))
        parts.append(child.tail or "")
    return "".join(parts)


def _reason(error: Exception) -> str:
    if isinstance(error, ParseError):
        line, column = error.position
        return f"it breaks at line {line}, column {column}"
    if isinstance(error, DefusedXmlException):
        return "it declares entities, which are refused"
    return f"it is cut short or damaged ({type(error).__name__})"
