"""No text ends in an exception: real notes, pages and snippets, whole and cut at their marks, and texts that hypothesis makes."""

import csv
import gzip
import json
import os
import random
import re
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from backend.container import Container
from backend.nlp.extraction.linker import DictionaryLinker
from backend.settings import ROOT

DATA = Path(os.environ.get("LEAPNOTE_TEST_DATA", ROOT.parent / "shared" / "data"))
KINDS = [
    *("aci_bench", "bc5cdr", "bioasq_pubmedqa", "ccda_hl7", "cdc_opioid_cds", "clinic_notes", "fhir_synthea_r4"),
    *("mediqa2019", "medquad", "ncbi_disease", "primock57", "who_smart_anc"),
]
FILES, TEXTS, CUTS = 60, 25, 6
"""Of each kind at most so many files, texts, and cuts of a text."""
SECONDS = 7.0
"""What one kind may take: a long kind is cut short, in the order of the sample."""
LONGEST = 6_000
_MARK = re.compile(r"[.,;:()\[\]\n/-]")
_SPOKEN = re.compile(r'text = "([^"]{20,})"')


@pytest.mark.parametrize(
    "text",
    [
        "Rash with penicillin;",
        "HPI: hives with codeine;",
        "She had swelling with lisinopril;",
        "Allergies: penicillin;",
        "HPI: rash with codeine;; hives with penicillin;",
        ";",
        "HPI: her mother had hives with codeine; ;",
    ],
)
def test_a_semicolon_at_the_end_leaves_no_empty_clause(container: Container, text: str) -> None:
    linked = container.reading.dictionary.link(text)
    assert linked.note.text == text


def test_what_stands_before_a_closing_semicolon_is_still_read(container: Container) -> None:
    linked = container.reading.dictionary.link("HPI: hives with codeine;")
    assert [one.text for one in (*linked.allergies.items, *linked.allergies.possible)] == ["codeine"]


WORDS = st.sampled_from(
    [
        *(
            "penicillin",
            "codeine",
            "lisinopril",
            "hives",
            "rash",
            "swelling",
            "with",
            "after",
            "to",
            "no",
            "not",
            "and",
            "or",
            "but",
        ),
        *(
            "allergic",
            "allergies",
            "Allergies:",
            "HPI:",
            "Family history:",
            "mother",
            "she",
            "her",
            "caused",
            "gave",
            "denies",
            "if",
        ),
        *(
            ";",
            ",",
            ".",
            ":",
            "-",
            "->",
            "(",
            ")",
            "[",
            "]",
            "/",
            "?",
            "!",
            "'",
            '"',
            "+",
            "=",
            "\n",
            "\n\n",
            "\t",
            "1",
            "2019",
            "5 mg",
        ),
        *(
            "stopped",
            "tolerates",
            "removed",
            "within",
            "hours",
            "then",
            "it",
            "never",
            "can't",
            "who",
            "was",
            "had",
            "is",
        ),
    ]
)


@settings(max_examples=250, deadline=None)
@given(st.lists(WORDS, max_size=14), st.sampled_from([" ", ""]))
def test_words_of_allergies_in_any_order_are_read(container: Container, words: list[str], between: str) -> None:
    text = between.join(words)
    assert container.reading.dictionary.link(text).note.text == text


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_characters_are_read(container: Container, text: str) -> None:
    assert container.reading.dictionary.link(text).note.text == text


@pytest.mark.data
@pytest.mark.skipif(not DATA.is_dir(), reason="LEAPNOTE_TEST_DATA names no folder of open data")
@pytest.mark.parametrize("kind", KINDS)
def test_real_texts_and_what_is_left_of_them_at_each_mark_are_read(container: Container, kind: str) -> None:
    draw = random.Random(kind)
    held = list(texts_of(DATA / kind, draw))
    assert held, f"no text was read of {kind}"
    began, read = time.monotonic(), 0
    for text in draw.sample(held, min(TEXTS, len(held))):
        for piece in cut(text[:LONGEST], draw):
            read_whole(container.reading.dictionary, piece, kind)
            read += 1
        if time.monotonic() - began > SECONDS:
            break
    assert read > CUTS


def read_whole(linker: DictionaryLinker, text: str, kind: str) -> None:
    """Fails with the exception's class and the length alone: a text of the data is not repeated."""
    try:
        linker.link(text)
    except Exception as error:
        last = error.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        place = f"{Path(last.tb_frame.f_code.co_filename).name}:{last.tb_lineno}" if last else ""
        pytest.fail(f"{kind}: {type(error).__name__} at {place} on a text of {len(text)} characters", pytrace=False)


def cut(text: str, draw: random.Random) -> list[str]:
    """The text, and what stands before and after some of its marks."""
    marks = [found.end() for found in _MARK.finditer(text)]
    chosen = draw.sample(marks, min(CUTS, len(marks)))
    return [text, *(text[:at] for at in chosen), *(text[at - 1 :] for at in chosen[:2])]


def texts_of(folder: Path, draw: random.Random) -> Iterator[str]:
    """The longer texts of a folder's files, of any kind of file that holds some."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in draw.sample(files, min(FILES, len(files))):
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                names = sorted(name for name in archive.namelist() if name.endswith((".xml", ".json")))
                for name in draw.sample(names, min(FILES, len(names))):
                    yield from texts_in(name, archive.read(name))
        elif path.suffix == ".gz":
            yield from texts_in(path.stem, gzip.decompress(path.read_bytes()))
        else:
            yield from texts_in(path.name, path.read_bytes())


def texts_in(name: str, content: bytes) -> Iterator[str]:
    """The strings of 20 characters or more in one file."""
    ending = name.rsplit(".", 1)[-1].lower()
    text = content.decode("utf-8", errors="replace")
    if ending == "json":
        yield from strings(json.loads(text))
    elif ending == "xml":
        parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
        root = etree.fromstring(content, parser)
        if root is not None:
            yield " ".join(part for part in root.itertext() if isinstance(part, str))
            yield from (part for part in root.itertext() if isinstance(part, str) and len(part.strip()) >= 20)
    elif ending in ("csv", "tsv"):
        csv.field_size_limit(10_000_000)
        for row in csv.reader(text.splitlines(keepends=True), delimiter="," if ending == "csv" else "\t"):
            yield from (cell for cell in row if len(cell) >= 20)
    elif ending == "textgrid":
        yield "\n".join(_SPOKEN.findall(text))
    elif ending in ("txt", "md"):
        yield from (part for part in re.split(r"\n{3,}", text) if len(part) >= 20)


def strings(value: Any) -> Iterator[str]:
    """Every string of 20 characters or more in a JSON value."""
    if isinstance(value, str):
        if len(value) >= 20:
            yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)
