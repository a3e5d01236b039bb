"""XML from outside: read element by element, with nothing expanded and nothing fetched."""

from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from backend.errors import InputError
from backend.ingest.documents.safe_xml import elements, inner_text, local, parsed


def follow(path: Path, raw: IO[bytes]) -> Callable[[], None]:
    return lambda: None


def texts(path: Path, *tags: str) -> list[str]:
    return [inner_text(one) for one in elements(path, frozenset(tags), follow)]


def test_the_outermost_elements_come_whole_and_in_order_without_their_namespace(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text('<r xmlns="urn:x"><p>a<p>b</p>c</p><q>d</q><p>e</p></r>')
    assert texts(path, "p") == ["abc", "e"]
    assert texts(path, "none") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<r><p>a</p>", "breaks at line 1"),
        ('<!DOCTYPE r [<!ENTITY a "b">]><r><p>&a;</p></r>', "declares entities, which are refused"),
        ('<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><r>&a;</r>', "declares entities"),
    ],
)
def test_what_is_broken_or_unsafe_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.xml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        texts(path, "p")
    assert parsed(text.encode()) is None


def test_a_small_text_is_its_root() -> None:
    root = parsed(b"<a:r xmlns:a='urn:x'>x</a:r>")
    assert root is not None and local(root.tag) == "r"


def test_the_text_of_an_element_leaves_out_tags_but_not_what_follows_them() -> None:
    root = parsed(b"<r>a<!--no--><t>b<u>c</u></t>d</r>")
    assert inner_text(root) == "abcd"
    assert inner_text(root, frozenset(["t"])) == "ad"
    assert inner_text(None) == ""
